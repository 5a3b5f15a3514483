"""Test that a check reports a failure in words, and never raises, whatever an answer raises or returns."""

import signal
import sys
from types import SimpleNamespace

import grade_submission
import pytest
import torch
from grading import kernel
from hostile_objects import EmptyTuple, Later, Lazy, NoShape, Shapeless, Silent, Text, Unreadable, stops

from course_utils import checks
from course_utils.checks import errors, limits


def endless(*_):
    while True:
        pass


def recurses(self):
    return str(self)


def prints(self):
    print("from __str__")
    return "printed"


def interrupts(self):
    raise KeyboardInterrupt


def exits(self):
    sys.exit("from __str__")


def raises_itself(self):
    raise self


# what `__str__` does, in words -> (the method, a part of the check's message)
PRINTED = {
    "it raises": (lambda self: stops(), "its message cannot be shown, since printing it stops with `ValueError`"),
    "it raises itself": (raises_itself, "stops with `Hostile`"),
    "it is no text": (lambda self: 3, "stops with `TypeError`"),
    "it prints": (prints, "It stops with `Hostile`: printed"),
    "it recurses": (recurses, "stops with `RecursionError`"),
    "it never ends": (endless, "was stopped"),
    "it is long": (lambda self: "long " * 10**7, "It stops with `Hostile`: long long"),
    "it is a text of its own": (lambda self: Text("own"), "It stops with `Hostile`: own"),
    "it cannot be written": (lambda self: "half \ud800", "It stops with `Hostile`: half ?"),
    "it interrupts": (interrupts, "stops with `KeyboardInterrupt`"),
    "it exits": (exits, "stops with `SystemExit`"),
    "it shuts a generator": (lambda self: next(iter(())), "stops with `StopIteration`"),
}


class Named(type):
    """A metaclass whose classes raise when they are compared or asked for their names."""

    __name__ = __module__ = __mro__ = property(stops)

    def __eq__(cls, other):
        raise ValueError("not to be compared")

    def __hash__(cls):
        raise ValueError("not to be hashed")


class Masked(ValueError, metaclass=Named):
    """An exception whose class raises on access to its name, module or bases."""


class Attributes(AttributeError):
    """An exception that raises on access to its arguments, traceback, class, cause or context."""

    args = __traceback__ = __class__ = __cause__ = __context__ = property(stops, lambda self, value: None)


def maker(kind, *args):
    return lambda: kind(*args)


RAISED = {
    "a class with no name": (maker(Masked, "masked"), "It stops with `Masked`: masked"),
    "a class with a long name": (maker(type("Long" * 10**6, (Exception,), {})), "It stops with `LongLong"),
    "no attributes": (maker(Attributes, "seen"), "It stops with `Attributes`: seen"),
    "an argument that cannot be printed": (maker(ValueError, Unreadable()), "printing it stops with `ValueError`"),
    "a key that cannot be printed": (maker(KeyError, Unreadable()), "printing it stops with `ValueError`"),
    "KeyboardInterrupt": (maker(KeyboardInterrupt), "It stops with `KeyboardInterrupt`"),
    "a kind of KeyboardInterrupt": (maker(type("Mine", (KeyboardInterrupt,), {})), "It stops with `Mine`"),
    "SystemExit": (maker(SystemExit, Unreadable()), "It stops with `SystemExit`"),
    "GeneratorExit": (maker(GeneratorExit, "shut"), "It stops with `GeneratorExit`: shut"),
    "BaseException": (maker(BaseException, "the base"), "It stops with `BaseException`: the base"),
    "a group": (maker(ExceptionGroup, "two", [ValueError(1), KeyError(2)]), "`ExceptionGroup`: two (2 sub-exceptions)"),
    "a group of all kinds": (maker(BaseExceptionGroup, "one", [KeyboardInterrupt()]), "`BaseExceptionGroup`: one"),
    "StopIteration": (maker(StopIteration), "It stops with `StopIteration`"),
    "MemoryError": (maker(MemoryError), "It stops with `MemoryError`"),
} | {
    f"{base.__name__}, and {what}": (maker(type("Hostile", (base,), {"__str__": printed, "__repr__": stops})), words)
    for what, (printed, words) in PRINTED.items()
    for base in (Exception, BaseException, ValueError)
}
IN_A_CLASS = (
    "a class with no name",
    "no attributes",
    "an argument that cannot be printed",
    "KeyboardInterrupt",
    "a group of all kinds",
    "Exception, and it raises",
    "BaseException, and it interrupts",
    "Exception, and it never ends",
)


@pytest.fixture(autouse=True)
def patience(monkeypatch, request):
    """Set a short time limit for tests of endless code, and a long one elsewhere, since the machine may be busy."""
    monkeypatch.setattr(limits, "SECONDS", 1.0 if "never ends" in request.node.name else 60.0)


def failed(answer, exercise="scores"):
    """Check an answer, assert that its report is a failure and can be displayed, and return the message."""
    report = checks.all()[exercise].check(answer)
    assert report.status == "failed" and len(report.message) < 1000
    (str(report) + report._html()).encode()
    return report.message


@pytest.mark.parametrize("name", RAISED)
def test_an_exception_with_hostile_methods_is_reported(name, capsys):
    make, words = RAISED[name]

    def answer(query, keys):
        raise make()

    assert words in failed(answer)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", IN_A_CLASS)
@pytest.mark.parametrize("when", ["made", "called", "called again", "trained"])
def test_an_exception_of_a_class_is_reported_wherever_it_comes_from(name, when):
    make, words = RAISED[name]

    def stop():
        raise make()

    class Answer(checks.self_attention.solution):
        def __init__(self, d_in, d_out):
            super().__init__(d_in, d_out)
            self.calls = 0
            if when == "made":
                stop()

        def forward(self, x):
            self.calls += 1
            if when == "called" or when == "called again" and self.calls > 1:
                stop()
            context_vecs, attn_weights = super().forward(x)
            if when == "trained" and context_vecs.requires_grad:
                context_vecs.register_hook(lambda grad: stop())
            return context_vecs, attn_weights

    words = "was stopped" if "never ends" in name else words
    assert words in failed(Answer, "self_attention")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a signal that comes by itself")
def test_the_learners_own_interruption_goes_through():
    """KeyboardInterrupt from a signal handler, as by the kernel's *stop* button, must leave the check."""

    def answer(query, keys):
        signal.raise_signal(signal.SIGINT)
        return keys @ query

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            checks.scores.check(answer)

        names = {}
        exec("def handler(*_):\n    raise KeyboardInterrupt", names)  # a handler written in Python, as in an event loop
        signal.signal(signal.SIGINT, names["handler"])
        with pytest.raises(KeyboardInterrupt):
            checks.scores.check(answer)
    finally:
        signal.signal(signal.SIGINT, before)


RESULTS = {
    "a thing that cannot be read": lambda right: Unreadable(),
    "a class that cannot be named": lambda right: Masked,
    "a tuple without a length": lambda right: EmptyTuple((right, right)),
    "a list of itself": lambda right: (one := [], one.append(one), one)[-1],
    "a text": lambda right: Text("own"),
    "a generator": lambda right: (one for one in right),
    "a tensor without a shape": lambda right: right.as_subclass(Shapeless),
    "a tensor that does nothing": lambda right: right.as_subclass(Silent),
    "a tensor that does nothing later": lambda right: (right + 1).as_subclass(Later),
    "a tensor with no shape later": lambda right: (right + 1).as_subclass(NoShape),
    "a tensor without numbers": lambda right: Lazy(right.shape),
    "a sparse tensor": lambda right: right.to_sparse(),
    "a compressed tensor": lambda right: right.expand(2, -1).contiguous().to_sparse_csr(),
    "a nested tensor": lambda right: torch.nested.nested_tensor([right, right[:1]]),
    "a quantized tensor": lambda right: torch.quantize_per_tensor(right, 0.1, 0, torch.qint8),
    "a tensor of another library": lambda right: right.to_mkldnn(),
    "a tensor of nothing": lambda right: right.to("meta"),
    "complex numbers": lambda right: right * 1j,
    "eight bits": lambda right: right.to(torch.float8_e4m3fn),
    "more numbers than there is memory": lambda right: right[0].expand(10**9, 10**9),
}


VALUE = next(name for name, exercise in checks.all().items() if exercise.kind == "value")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_that_cannot_be_looked_at_is_reported(name):
    def one_of_several(*args):
        return (RESULTS[name](torch.ones(3)), *checks.attention_cost.solution(*args)[1:])

    assert len(failed(lambda query, keys: RESULTS[name](keys @ query))) > 20
    failed(one_of_several, "attention_cost")
    failed(RESULTS[name](torch.ones(3)), VALUE)  # a tensor that was handed in


CHANGES = {
    "its dtype": lambda keys: setattr(keys, "data", keys.data.double()),
    "its size": lambda keys: keys.resize_(1),
    "its layout": lambda keys: setattr(keys, "data", keys.data.t()),
    "its class": lambda keys: setattr(keys, "__class__", Silent),
    "its shape": lambda keys: setattr(keys, "__class__", NoShape),
}


@pytest.mark.parametrize("name", CHANGES)
def test_an_input_that_was_changed_beyond_its_numbers_is_reported(name):
    def answer(query, keys):
        result = keys @ query
        CHANGES[name](keys)
        return result

    assert "changes its input" in failed(answer)


@pytest.mark.parametrize("make", [Unreadable, lambda: Masked, lambda: type("Callable", (Unreadable,), {})()])
@pytest.mark.parametrize("exercise", ["scores", "self_attention", "attention_cost"])
def test_an_answer_that_cannot_be_looked_at_is_reported(make, exercise):
    failed(make(), exercise)


@pytest.mark.parametrize("name", IN_A_CLASS)
def test_an_error_can_be_summarised_outside_a_check(name):
    try:
        raise RAISED[name][0]()
    except BaseException as error:
        words = errors.summary(error)
    assert words == "Hostile, whose message never ends" or ": " in words and "never ends" not in name


@pytest.mark.parametrize("name", IN_A_CLASS)
def test_code_around_an_answer_that_stops_so_costs_its_notebook_nothing_else(name, monkeypatch):
    def stop(*_):
        raise RAISED[name][0]()

    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # grading replaces this module
    needed = [(SimpleNamespace(binds={"answer"}), True), (SimpleNamespace(binds=set()), False)]
    code = SimpleNamespace(needed=lambda call: needed, run=stop, value=stop, broken={0: SyntaxError("no Python")})
    graded = grade_submission._finding(checks.scores, code, None, kernel.Allowance(5, 60), {})
    assert graded["status"] == "failed" and "The code around the answer stopped with " in graded["message"]
