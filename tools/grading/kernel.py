"""Run the code of a notebook as a kernel does: with what Jupyter adds to Python, and on after a statement that fails.

A kernel keeps what was defined before an error and after it. So a statement on which an answer does not depend cannot
make it fail; one on which it depends can only if a name that it should have defined is missing in the end.
"""

import sys
import time
import types

from nb.slices import Call, Code

from course_utils.checks import limits


class Shell:
    """A stand-in for IPython's shell: every method can be called with anything, does nothing and returns None."""

    def __getattr__(self, name):
        return lambda *args, **kwargs: None


class Allowance:
    """Time that code may take in all: seconds of processor time, and wall-clock seconds."""

    def __init__(self, seconds: float, wall: float):
        self.seconds, self.wall = seconds, wall

    def run(self, function):
        """Call a function, and take off its time; return its result. Errors: limits.TimeUp and WallTimeUp; its own."""
        computed, waited = time.thread_time(), time.monotonic()
        try:
            return limits.run(function, self.seconds, self.wall)
        finally:
            self.seconds -= time.thread_time() - computed
            self.wall -= time.monotonic() - waited


def namespace() -> dict:
    """Return the globals of a new module `__main__`, with the names that Jupyter adds: `display`, `get_ipython`."""
    sys.modules["__main__"] = notebook = types.ModuleType("__main__")
    shell = Shell()
    notebook.display, notebook.get_ipython = shell.display, lambda: shell
    return vars(notebook)


def run(code: Code, call: Call, names: dict, own: Allowance, spare: Allowance, explain) -> list[str]:
    """Run the statements that act on an answer, the argument of a Call; return why names are missing that it needs.

    That is what `explain` returns for the exception of a statement on which the answer depends. own: the time of such
    statements. spare: that of all others, which are left out when it is up. Errors: limits.TimeUp when `own` is up.
    """
    failed, statements = [], code.needed(call)
    for statement, is_needed in statements:
        try:
            (own if is_needed else spare).run(lambda statement=statement: code.run([statement], names))
        except BaseException as error:  # also SystemExit and KeyboardInterrupt
            kind = type(error)  # a class of the learner's may say that it is another
            if is_needed and issubclass(kind, limits.TimeUp):
                raise
            if is_needed:
                failed.append((statement, explain(error)))
            elif issubclass(kind, MemoryError):  # what is needed must find room
                for name in {name for other, is_needed in statements if not is_needed for name in other.binds}:
                    names.pop(name, None)
    return [why for statement, why in failed if not statement.binds <= names.keys()]
