"""Read an exception of a learner's code once: its methods are the learner's code as well, and may do anything."""

import dis
import sys

from .. import limits, running

LIBRARIES = sys.stdlib_module_names | {"torch", "numpy", "ipykernel", "course_utils"}
LONGEST = 2000  # characters of a message: PyTorch's are shorter, and patterns are searched for in it
LONGEST_NAME = 100


class Caught:
    """What is known of an exception: its class and the name of it, message, arguments and traceback.

    Reading these runs no code of the learner's, whatever the class of the exception defines. Making a Caught runs its
    `__str__` once, so it is made under the answer's time limit.
    """

    def __init__(self, error, namespace=None):
        self.kind, self.name = type(error), _name(error)  # error.__class__ may be anything
        self.args = BaseException.args.__get__(error)
        self.obj = AttributeError.obj.__get__(error) if self.is_a(AttributeError) else None
        self.traceback = BaseException.__traceback__.__get__(error)
        try:
            self.message = _plain(str(error))
        except BaseException as another:
            _pass_on(another, namespace)
            self.message = f"its message cannot be shown, since printing it stops with `{_name(another)}`"

    def is_a(self, kinds):
        """Whether this is an exception of one of some classes; isinstance() would ask the exception itself."""
        return issubclass(self.kind, kinds)


def caught(error, namespace):
    """Return an exception as a Caught. namespace: the globals of the learner's code.

    Errors: the exception itself, if it is not the answer's: the time is up, or the learner interrupts the kernel.
    """
    _pass_on(error, namespace)
    return Caught(error, namespace)


def summary(error):
    """Return the name of an exception and what it says, for code that no check watches."""
    run = running.watched(lambda: Caught(error))
    return f"{run.result.name}: {run.result.message}" if run.result else f"{_name(error)}, whose message never ends"


def _pass_on(error, namespace):
    kind = type(error)
    if issubclass(kind, limits.TimeUp) or kind is KeyboardInterrupt and not _raised_by(error, namespace):
        raise error


def _raised_by(error, namespace):
    """Whether a `raise` of the learner's own is its origin. namespace: None where it is not known."""
    step = _innermost(error)
    code, names = step.tb_frame.f_code.co_code, step.tb_frame.f_globals
    own = in_code_of_the_learner(error) if namespace is None else names is namespace
    return own and dis.opname[code[step.tb_lasti]] == "RAISE_VARARGS"


def in_code_of_the_learner(error):
    """Whether an exception comes from there, and not from a library or the course."""
    name = _innermost(error).tb_frame.f_globals.get("__name__")
    return str(name).partition(".")[0] not in LIBRARIES


def _innermost(error):
    step = BaseException.__traceback__.__get__(error)
    while step.tb_next is not None:
        step = step.tb_next
    return step


def _name(error):
    return _plain(type.__dict__["__name__"].__get__(type(error)), LONGEST_NAME)  # a metaclass may define another


def _plain(text, longest=LONGEST):
    """The text on one line, cut, and such that it can be written as UTF-8, even if its class is a learner's own."""
    text = str.__getitem__(text, slice(longest))
    return " ".join(text.encode("utf-8", "replace").decode().split())
