"""Capture what an answer prints: the beginning of it, and its length."""

import contextlib
import warnings

MOST_PRINTED = 300  # characters that are kept of what an answer prints


class Printed:
    """An output stream that keeps the beginning of what is written, and counts its characters."""

    def __init__(self):
        self.start, self.length = "", 0

    def write(self, text: str) -> int:
        """Count the characters of a text, keep as many as still fit into MOST_PRINTED, and return its length."""
        self.start += text[: max(0, MOST_PRINTED - len(self.start))]
        self.length += len(text)
        return len(text)

    def flush(self) -> None:
        """Do nothing, since no text is buffered."""


@contextlib.contextmanager
def quiet(printed: Printed):
    """Return a context manager in which stdout and stderr go to `printed`, and warnings are ignored."""
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
