"""How an exercise is declared: a solution, the inputs to try, and the wrong answers that learners give."""

import functools
import inspect
import itertools
from typing import NamedTuple

import torch

from . import engine, outcome, record
from .draw import Draw


class Case(NamedTuple):
    """One input to try: in words, and as arguments."""

    label: str
    args: tuple


class Mistake(NamedTuple):
    """A wrong answer of the bank. words: what is wrong, then the line to change."""

    id: str
    words: str
    answer: object
    steps: dict = {}  # the steps it replaces, where it was made by replacing some


class Exercise:
    """One exercise: `check` compares an answer with the solution, then with each wrong answer.

    name: as in `checks.<name>`. solution: a right answer. cases: takes a Draw, yields (label, *arguments), the
    simplest first. outputs: the names of what comes back. observe(answer, *arguments): what is looked at; default, the
    answer called. behaviours: what must hold besides the numbers; each takes (exercise, answer) and yields (id, words).
    rows: the output, if any, whose rows add up to 1. stub: the learner's name for the answer. make(**steps): an answer
    with some of its steps replaced; two mistakes made so, in different steps, are known in combination as well.
    """

    def __init__(
        self,
        name,
        solution,
        cases,
        *,
        outputs=("result",),
        observe=None,
        behaviours=(),
        rows=None,
        stub=None,
        make=None,
    ):
        self.name, self.solution, self._cases = name, solution, cases
        self.outputs, self.behaviours, self.rows = outputs, behaviours, rows
        self.observe = observe or (lambda answer, *args: answer(*args))
        self.stub = stub or f"my_{name}"
        self.make, self.bank = make, []

    def mistake(self, id, words):
        """Decorate a wrong answer: it joins the bank under `id`; `words` are what the learner reads."""

        def add(answer):
            self.bank.append(Mistake(id, words, answer))
            return answer

        return add

    def wrong_steps(self, table, *ids):
        """Add wrong answers that differ from the solution in one step. table: id -> (words, name of the step, step)."""
        for id in ids or table:
            words, name, step = table[id]
            self.bank.append(Mistake(id, words, self.make(**{name: step}), {name: step}))

    @property
    def mistakes(self):
        """The bank as a dict from id to wrong answer."""
        return {mistake.id: mistake.answer for mistake in reversed(self.bank)}

    def words(self, id):
        """What the learner reads about a mistake, for use in another exercise."""
        return next(mistake.words for mistake in self.bank if mistake.id == id)

    def cases(self):
        """The inputs, drawn anew and always the same: no answer can spoil them for the next."""
        return [Case(label, tuple(args)) for label, *args in self._cases(Draw())]

    def outcomes(self, answer, only=None):
        """What one of our own answers gives on each of the inputs, or on one; the learner's random numbers stay."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            cases = self.cases() if only is None else [self.cases()[only]]
            return [outcome.of(self, answer, case) for case in cases]

    @functools.cached_property
    def expected(self):
        """What the solution gives on each of the inputs."""
        return self.outcomes(self.solution)

    @functools.cached_property
    def known(self):
        """The bank with what each wrong answer gives on each of the inputs."""
        return [(mistake, self.outcomes(mistake.answer)) for mistake in self.bank]

    @functools.cached_property
    def pairs(self):
        """Every two wrong answers that replace different steps, as one answer; its words are the two mistakes."""
        return [
            Mistake(f"{one.id}|{other.id}", (one, other), self.make(**one.steps, **other.steps))
            for one, other in itertools.combinations(self.bank, 2)
            if one.steps and other.steps and not one.steps.keys() & other.steps.keys()
        ]

    def check(self, answer):
        """Compare an answer with the exercise; returns a Report and shows nothing."""
        return engine.check(self, answer)

    def __call__(self, answer):
        """Check an answer, keep a pass in the learner's progress, and show the panel; returns the Report."""
        report = self.check(answer)
        record.keep(self, answer, report)
        return report.show()

    def argument(self, index):
        """The name of an argument, for a message."""
        names = list(inspect.signature(self.solution).parameters) if self.kind == "function" else []
        return names[index] if index < len(names) else "x"

    @property
    def kind(self):
        """What the learner hands in: "class", "function" or "value"."""
        return "class" if inspect.isclass(self.solution) else "function" if callable(self.solution) else "value"
