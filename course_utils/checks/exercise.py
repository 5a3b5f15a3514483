"""How an exercise is declared: a solution, the inputs to try, and a table of the mistakes that learners make."""

import contextlib
import copy
import functools
import inspect
from typing import NamedTuple

import torch

from . import engine, outcome, record, running
from .draw import Draw
from .edits import TableError
from .form import Form, Mistake


class Unasked(str):
    """The label of an input that no prompt asks for: what goes wrong there is a hint after a pass."""


class Case(NamedTuple):
    """One input to try: in words, and as arguments."""

    label: str
    args: tuple

    @property
    def asked(self):
        """Whether the prompt asks for it."""
        return not isinstance(self.label, Unasked)


class Candidate:
    """One wrong answer, or two at once; what it gives on an input is worked out when it is first asked for."""

    def __init__(self, exercise, mistakes, answer):
        self.mistakes, self._exercise, self._answer, self._outcomes = mistakes, exercise, answer, {}

    def on(self, index):
        if index not in self._outcomes:
            self._outcomes[index] = self._exercise.outcome(self._answer, index)
        return self._outcomes[index]


class Exercise:
    """One exercise: `check` compares an answer with the solution, then with each wrong answer.

    It is named as the file in which its solution stands. solution: a right answer, as on the page. cases: takes a Draw,
    yields (label, *arguments), the simplest first; the label of what no prompt asks for is Unasked(label). mistakes:
    the solution's table (see `edits`). shared: tables of which the rows that fit are taken. also: other Forms of the
    solution, with tables of their own. outputs: the names of what comes back. observe(answer, *arguments): what is
    looked at; default, the answer called. behaviours: what must hold besides the numbers; each takes (exercise, answer)
    and yields (id, words). hints: the same for what no prompt asks for. rules: what the prompt forbids or demands.
    rows: the output, if any, whose rows add up to 1, or to 0 where nothing is open.
    """

    def __init__(
        self,
        solution,
        cases,
        mistakes="",
        *,
        shared=(),
        also=(),
        outputs=("result",),
        observe=None,
        behaviours=(),
        hints=(),
        rules=(),
        rows=None,
    ):
        module, name = solution.__module__, solution.__name__
        self.name, self.solution, self._cases = module.rpartition(".")[2], solution, cases
        self.forms, self._others = (Form(module, name, mistakes, shared), *also), []
        self.outputs, self.rows = outputs, rows
        self.behaviours, self.hints, self.rules = behaviours, hints, rules
        self.observe = observe or (lambda answer, *args: answer(*args))
        is_class = inspect.isclass(solution)
        self.stub = f"My{name.removesuffix('Solution')}" if is_class else f"my_{name.removesuffix('_solution')}"

    def mistake(self, id, words):
        """Decorate a wrong answer that no edit can say: it joins the bank under `id`."""

        def add(answer):
            self._others.append(Mistake(id, words, answer))
            return answer

        return add

    @functools.cached_property
    def bank(self):
        """Every wrong answer, as a list of Mistake."""
        return [mistake for form in self.forms for mistake in form.bank] + self._others

    @property
    def mistakes(self):
        """The bank as a dict from id to wrong answer."""
        return {mistake.id: mistake.answer for mistake in reversed(self.bank)}

    @functools.cached_property
    def drawn(self):
        """The inputs, always the same; an answer gets copies of them."""
        cases = [Case(label, tuple(args)) for label, *args in self._cases(Draw())]
        return sorted(cases, key=lambda case: not case.asked)  # what is asked for comes first

    def case(self, index):
        """One of the inputs, copied: no answer can spoil it for the next."""
        return copy.deepcopy(self.drawn[index])

    def cases(self):
        """The inputs, copied."""
        return [self.case(index) for index in range(len(self.drawn))]

    def outcome(self, answer, index):
        """What one of our own answers gives on one input; the learner's random numbers stay."""
        with torch.random.fork_rng(devices=[]), running.quiet(running.Printed()):
            torch.default_generator.manual_seed(0)  # torch.manual_seed asks for graphics cards, which takes a while
            return outcome.of(self, answer, self.case(index))

    @functools.cached_property
    def expected(self):
        """What the solution gives on each of the inputs."""
        return [self.outcome(self.solution, index) for index in range(len(self.drawn))]

    @functools.cached_property
    def candidates(self):
        """The bank as Candidates, each mistake in every right way to write the solution."""
        forms = [one for form in self.forms for one in form.variants()]
        others = [(mistake, mistake.answer) for mistake in self._others]
        return [Candidate(self, (mistake,), answer) for mistake, answer in forms + others]

    def pairs(self, rank):
        """Yield Candidates of two mistakes at once. rank: from each that may be one of them to a number, best first."""
        for form in self.forms:
            for one, other, places in form.pairs(rank):
                with contextlib.suppress(TableError):  # two edits that each empty a line may leave no Python
                    yield Candidate(self, (one, other), form.answer(places))

    def check(self, answer):
        """Compare an answer with the exercise; returns a Report and shows nothing."""
        return engine.check(self, answer)

    def __call__(self, answer):
        """Check an answer, note it in the learner's progress, and show the panel; returns the Report."""
        report = self.check(answer)
        record.keep(self, answer, report)
        return report.show()

    def argument(self, index):
        """The name of the learner's argument that an input becomes, for a message; None where that is not known."""
        if self.kind == "class":
            return "x"
        names = list(inspect.signature(self.solution).parameters) if self.kind == "function" else []
        observed = inspect.signature(self.observe).parameters.values()
        at = [one.name for one in observed if one.kind is not one.VAR_POSITIONAL][1:] or names
        return at[index] if index < len(at) and at[index] in names else None

    @property
    def kind(self):
        """What the learner hands in: "class", "function" or "value"."""
        return "class" if inspect.isclass(self.solution) else "function" if callable(self.solution) else "value"


class ValueExercise(Exercise):
    """An exercise whose answer is a tensor. module: the file, which assigns `<its name>_solution`."""

    def __init__(self, module, solution, mistakes, *, also=()):
        self.name, self.solution = module.rpartition(".")[2], solution
        self.stub = f"my_{self.name}"
        self.forms, self._others = (Form(module, f"{self.name}_solution", mistakes), *also), []
        self.outputs, self.rows, self.behaviours, self.hints, self.rules = ("tensor",), None, (), (), ()

    def _cases(self, draw):
        yield ("the tensor",)

    def observe(self, answer):
        """What is looked at: the tensor itself."""
        return answer
