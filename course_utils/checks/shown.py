"""Something that shows itself: as HTML with text beside it in a notebook, as text in a script."""

from IPython import get_ipython
from IPython.display import display


class Shown:
    """A base for classes with `_text()` and `_html()`."""

    _shown_in = None  # the number of the cell in which it was shown

    def __str__(self):
        return self._text()

    __repr__ = __str__

    def show(self):
        """Display it in a notebook, print it in a script; returns itself."""
        shell = get_ipython()
        if shell is None:
            print(self)
        else:
            self._shown_in = shell.execution_count
            display({"text/plain": self._text(), "text/html": self._html()}, raw=True)
        return self

    def _ipython_display_(self):
        """As the last line of its cell it has been shown already; looked at later, it is shown again."""
        if get_ipython().execution_count != self._shown_in:
            self.show()
