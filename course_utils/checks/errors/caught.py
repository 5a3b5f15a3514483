"""A record of an exception from a learner's code, read only once, since the exception's own methods may do anything."""

import dis
import sys

from .. import limits, running
from ..sentences import sentence

LIBRARIES = sys.stdlib_module_names | {"torch", "numpy", "ipykernel", "course_utils"}
LONGEST = 2000  # characters of a message that are kept: PyTorch's are shorter, and regular expressions search it
LONGEST_NAME = 100


class Caught:
    """A record of an exception: its class (`kind`), class name, message, traceback, and `obj`, or None.

    obj: of an AttributeError, the object without the attribute. namespace: the globals of the learner's code, or None.
    Reading the attributes runs no code of the learner's. Creating a Caught calls the exception's `__str__` once, so
    create it under the answer's time limit.
    """

    def __init__(self, error, namespace=None):
        self.kind, self.name = type(error), _name(error)  # not error.__class__, which a learner's class may override
        self.obj = AttributeError.obj.__get__(error) if self.is_a(AttributeError) else None
        self.traceback = BaseException.__traceback__.__get__(error)
        try:
            self.message = _plain(str(error))
        except BaseException as another:
            _pass_on(another, namespace)
            template = "its message cannot be shown, since printing it stops with `{name}`"
            self.message = sentence(template, name=_name(another))

    def is_a(self, kinds) -> bool:
        """Return whether the recorded exception is an instance of `kinds`, a class or a tuple of classes.

        Unlike isinstance(), this runs no code of the learner's.
        """
        return issubclass(self.kind, kinds)


def catch(error: BaseException, namespace: dict | None) -> Caught:
    """Return a record of an exception. Raise the exception again if it is not the answer's fault.

    Such are a TimeUp, and a KeyboardInterrupt that no `raise` of the learner's code raised: the kernel was interrupted.
    namespace: the globals of the learner's code; for None, see `_raised_by`.
    """
    _pass_on(error, namespace)
    return Caught(error, namespace)


def summary(error: BaseException) -> str:
    """Return an exception as text, "class name: message".

    Its `__str__` is called under a new time limit; if the time is up, the text says that the message never ends.
    """
    run = running.run_limited(lambda: Caught(error))
    if run.result:
        return f"{run.result.name}: {run.result.message}"
    return sentence("{name}, whose message never ends", name=_name(error))


def _pass_on(error: BaseException, namespace: dict | None):
    """Raise an exception again if the answer did not cause it: a TimeUp, or a KeyboardInterrupt of the kernel."""
    kind = type(error)
    if issubclass(kind, limits.TimeUp) or kind is KeyboardInterrupt and not _raised_by(error, namespace):
        raise error


def _raised_by(error: BaseException, namespace: dict | None) -> bool:
    """Return whether a `raise` statement in the learner's own code raised an exception.

    namespace: the globals of that code; if None, any code outside LIBRARIES counts as the learner's.
    """
    step = _innermost(error)
    own = in_code_of_the_learner(error) if namespace is None else step.tb_frame.f_globals is namespace
    return own and raises(step)


def raises(step) -> bool:
    """Return whether a `raise` or `assert` raised an exception in the frame of `step`, an entry of its traceback."""
    return dis.opname[step.tb_frame.f_code.co_code[step.tb_lasti]] == "RAISE_VARARGS"


def in_code_of_the_learner(error: BaseException) -> bool:
    """Return whether an exception was raised in the learner's code: in a module of no package in LIBRARIES."""
    name = _innermost(error).tb_frame.f_globals.get("__name__")
    return str(name).partition(".")[0] not in LIBRARIES


def _innermost(error: BaseException):
    step = BaseException.__traceback__.__get__(error)
    while step.tb_next is not None:
        step = step.tb_next
    return step


def _name(error: BaseException) -> str:
    return _plain(type.__dict__["__name__"].__get__(type(error)), LONGEST_NAME)  # a metaclass may override `__name__`


def _plain(text: str, longest: int = LONGEST) -> str:
    """Return a text on one line, cut to `longest` characters, with "?" for what UTF-8 cannot encode.

    text: may be an instance of a learner's subclass of str, whose own methods are not called.
    """
    text = str.__getitem__(text, slice(longest))
    return " ".join(text.encode("utf-8", "replace").decode().split())
