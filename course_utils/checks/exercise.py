"""Exercises, each declared by a solution, the inputs to try, and a table of the mistakes that learners make."""

import contextlib
import copy
import functools
import inspect
from typing import NamedTuple

import torch
from torch import nn

from . import captured, engine, errors, messages, outcome, record, settings, source
from .draw import Draw
from .edits import TableError
from .form import Form, Mistake
from .outcome import Outcome
from .sentences import as_code, sentence


class Unasked(str):
    """The label of an input that no prompt asks for; a fault on it becomes a hint after a pass."""


class Case(NamedTuple):
    """One input to try. label: its description for the learner. args: the arguments."""

    label: str
    args: tuple

    @property
    def asked(self) -> bool:
        """Return whether the prompt asks an answer to handle this input; on any other, a fault becomes a hint."""
        return not isinstance(self.label, Unasked)


def _in_float64(args: tuple) -> tuple:
    """Return a copy of arguments, with all tensors of floats and all modules in float64; () if there are none."""
    floats = [isinstance(arg, nn.Module) or torch.is_tensor(arg) and arg.is_floating_point() for arg in args]
    pairs = zip(copy.deepcopy(args), floats, strict=True)
    return tuple(arg.double() if is_float else arg for arg, is_float in pairs) if any(floats) else ()


def _copied(case: Case) -> Case:
    # deepcopy takes ten times as long for a tensor as clone. What it finds in its memo, it takes from there.
    tensors = [arg for arg in case.args if type(arg) is torch.Tensor and arg.is_contiguous() and not arg.requires_grad]
    return case._replace(args=copy.deepcopy(case.args, {id(tensor): tensor.clone() for tensor in tensors}))


class Candidate:
    """A wrong answer with the tuple `mistakes` in it, one Mistake or two; it runs at most once on each input."""

    def __init__(self, exercise, mistakes, answer):
        self.mistakes, self._exercise, self._answer, self._outcomes, self._right = mistakes, exercise, answer, {}, {}

    def on(self, index: int) -> Outcome:
        """Return the wrong answer's Outcome on the exercise's input at `index`; run it there on the first call only."""
        if index not in self._outcomes:
            self._outcomes[index] = self._exercise.outcome(self._answer, self._exercise.inputs[index])
        return self._outcomes[index]

    def right(self, index: int) -> list[bool]:
        """Return whether each tensor that it gives on the input at `index` is right; [] if it or the solution stops."""
        if index not in self._right:
            self._right[index] = outcome.which_are_close(self.on(index), self._exercise.expected[index])
        return self._right[index]


class Exercise:
    """An exercise; its `check` compares an answer with the solution, and a wrong answer with the known mistakes.

    Its name is that of the file in which the solution stands.

    solution: a right answer, as on the page: a function or a class. cases: a function that takes a Draw and yields
    (label, *arguments), the simplest input first, which is tried in float64, too; the label of an input that no prompt
    asks for is Unasked(label).
    mistakes: the solution's table of mistakes (see `edits`). shared: tables from which the rows that fit the solution
    are taken. also: other Forms of the solution, with tables of their own. outputs: the names of the results.
    observe(answer, *arguments): returns the results to compare; by default, it calls the answer. behaviours: what must
    hold besides the numbers; each takes (exercise, answer) and yields (mistake id, message); `repeats` holds always.
    hints: the same for what no prompt asks for. rules: what the prompt forbids or demands (see `rules`). rows: the name
    of the output, if any, whose rows add up to 1, or to 0 where no key is open. parts: words for a slice of the output
    along each of its axes, such as ("picture", "token", "number"), where those of `relations` do not fit.
    places: name of an output, a row -> names for its places, where it holds what is looked at beside numbers.
    module: the name of the one in which the solution stands, by default its own.
    """

    def __init__(
        self, solution, cases, mistakes="", *, shared=(), also=(), outputs=("result",), observe=None, behaviours=(),
        hints=(), rules=(), rows=None, parts=None, places=None, module=None,
    ):  # fmt: skip
        module = module or solution.__module__
        self.name, self.solution, self._cases = module.rpartition(".")[2], solution, cases
        name = getattr(solution, "__name__", f"{self.name}_solution")
        self.forms = (Form(module, name, mistakes, shared), *also)
        self.outputs, self.rows, self.parts, self.places = outputs, rows, parts, places or {}
        self.behaviours, self.hints, self.rules = behaviours, hints, rules
        self._pairs = {}  # (Mistake, Mistake) -> its Candidate, once it was needed; None if it is no Python
        self.observe = observe or self.observe
        stub = name.removesuffix("Solution").removesuffix("_solution")
        self.stub = f"My{stub}" if inspect.isclass(solution) else f"my_{stub}"

    def observe(self, answer, *args):
        """Return answer(*args), the results to compare; an `observe` that an Exercise is given replaces this method."""
        return answer(*args)

    @functools.cached_property
    def bank(self) -> list[Mistake]:
        """Return every known wrong answer to this exercise."""
        with settings.own():  # an answer may be a tensor
            return [mistake for form in self.forms for mistake in form.bank]

    @property
    def mistakes(self) -> dict:
        """Return a dict from the id of each known mistake to a wrong answer that makes it, the first of several."""
        return {mistake.id: mistake.answer for mistake in reversed(self.bank)}

    @functools.cached_property
    def inputs(self) -> list[Case]:
        """Return the inputs, the same on every run; those that the prompt asks for come first.

        The last one is the first in float64, which no prompt asks for, if the solution gives float64 for it; an
        exercise that has an input of its own with this label keeps that.
        """
        cases = [Case(label, tuple(args)) for label, *args in self._cases(Draw())]
        cases = sorted(cases, key=lambda case: not case.asked)  # what is asked for comes first
        doubled = Case(Unasked("float64"), _in_float64(cases[0].args))
        is_new = doubled.args and all(case.label != doubled.label for case in cases)
        results = self.outcome(self.solution, doubled).tensors if is_new else None
        gives_float64 = results and all(result.dtype == torch.float64 for result in results)
        return [*cases, doubled] if gives_float64 else cases

    def case(self, index: int) -> Case:
        """Return a copy of one input, so that an answer that changes it does not affect the next."""
        return _copied(self.inputs[index])

    def cases(self) -> list[Case]:
        """Return a copy of every input."""
        return [self.case(index) for index in range(len(self.inputs))]

    def outcome(self, answer, case: Case) -> Outcome:
        """Run an answer of the course's own on a copy of an input, seeded, silent, without a time limit."""
        with torch.random.fork_rng(devices=[]), captured.quiet(captured.Printed()):
            torch.default_generator.manual_seed(0)  # torch.manual_seed would also look for GPUs, which takes a while
            return outcome.run(self, answer, _copied(case))

    @functools.cached_property
    def expected(self) -> list[Outcome]:
        """Return what the solution gives on each input, in the order of `inputs`.

        Errors: RuntimeError if the solution stops at an input for which it raises no error itself: an answer that stops
        there, too, would seem right.
        """
        expected = [self.outcome(self.solution, case) for case in self.inputs]
        for case, result in zip(self.inputs, expected, strict=True):
            if result.error and not errors.on_purpose(result.error, source.namespace(self.solution)):
                raise RuntimeError(f"the solution of {self.name} stops on {case.label}: {result.error.message}")
        return expected

    @functools.cached_property
    def candidates(self) -> list[Candidate]:
        """Return a wrong answer for each known mistake in each right variant of the solution."""
        answers = (variant for form in self.forms for variant in form.wrong_answers())
        return [Candidate(self, (mistake,), answer) for mistake, answer in answers]

    def pairs(self, rank: dict[Mistake, float]):
        """Yield a Candidate, a wrong answer, for every two mistakes of a form that can be made together.

        rank: a number for each Mistake that may be one of the two; of a form's pairs, those with the highest sum come
        first.
        """
        for form in self.forms:
            for first, second, places in form.pairs(rank):
                pair = first, second
                if pair not in self._pairs:
                    self._pairs[pair] = None
                    with contextlib.suppress(TableError):  # two edits that each empty a line may leave invalid Python
                        self._pairs[pair] = Candidate(self, pair, form.answer(places))
                if self._pairs[pair]:
                    yield self._pairs[pair]

    def check(self, answer):
        """Check an answer of any type and return the Report, without showing or recording anything."""
        return engine.check(self, answer)

    def assess(self, answer):
        """Return the Report that a learner gets: that of `check`, but the course's own solution is no answer."""
        return engine.on_the_solution(self, answer) or self.check(answer)

    def __call__(self, answer):
        """Assess an answer, record the try and the report in the learner's progress, and show the panel.

        Returns the Report. Where nothing was attempted, it has what the check said last.
        """
        report = self.assess(answer)
        record.keep(self, answer, report)
        record.recall(self, report)
        return report.show()

    def on_leaks(self, names: list[str]) -> str:
        """Return the message on an answer that reads variables of the notebook, of which it gets the names."""
        return sentence(messages.LEAK, names=as_code(names))

    def argument(self, index: int) -> str | None:
        """Return the name that an argument of the exercise's inputs has in the learner's function; None if it has none.

        index: the argument's place in the `args` of a Case. It has no name if only `observe` takes it. If the exercise
        asks for a class, return "x".
        """
        if self.kind == "class":
            return "x"
        names = list(inspect.signature(self.solution).parameters) if self.kind == "function" else []
        observed = inspect.signature(self.observe).parameters.values()
        at = [parameter.name for parameter in observed if parameter.kind is not parameter.VAR_POSITIONAL][1:] or names
        return at[index] if index < len(at) and at[index] in names else None

    @property
    def kind(self) -> str:
        """Return what kind of answer the learner hands in: "class", "function" or "value"."""
        return "class" if inspect.isclass(self.solution) else "function" if callable(self.solution) else "value"


class ValueExercise(Exercise):
    """An exercise whose answer is a tensor, `<its own name>_solution` in its module; the rest as in Exercise."""

    def __init__(self, module, solution, mistakes, *, also=()):
        label = "the tensor"
        super().__init__(solution, lambda draw: [(label,)], mistakes, also=also, outputs=("tensor",), module=module)

    def observe(self, answer):
        """Return the answer itself, since a tensor cannot be called."""
        return answer
