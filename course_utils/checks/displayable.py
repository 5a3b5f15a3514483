"""A base class for objects that show themselves: as HTML with a text alternative in a notebook, as text in a script."""

import sys

from IPython import get_ipython
from IPython.display import display


class Displayable:
    """An object that shows itself; a subclass defines `_text()` and `_html()`, which both return text."""

    _shown_in = None  # the execution count of the cell that showed it last

    def __str__(self):
        return self._text()

    __repr__ = __str__

    def show(self):
        """Display the object in a notebook, or print it in a script; return the object."""
        shell = get_ipython()
        if shell is None:
            # A pipe on Windows has fewer letters than a text may have. What replaces an output may have no encoding.
            encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
            print(str(self).encode(encoding, "replace").decode(encoding))
        else:
            self._shown_in = shell.execution_count
            display({"text/plain": self._text(), "text/html": self._html()}, raw=True)
        return self

    def _ipython_display_(self):
        """Show the object as the value of a notebook cell, unless `show` was called in that cell."""
        if get_ipython().execution_count != self._shown_in:
            self.show()
