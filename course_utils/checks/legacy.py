"""The exercises that are not yet a table of edits: declared by name, with wrong answers in code."""

import functools
import itertools

from . import exercise as new
from . import modules
from .behaviours import gradient_flows
from .form import Mistake

BEHAVIOURS = (*modules.BEHAVIOURS, gradient_flows)


class Steps:
    """The old way to declare a bank."""

    forms = ()

    def start(
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
        self.name, self.solution, self.cases_of = name, solution, cases
        self.outputs, self.behaviours, self.rows = outputs, behaviours, rows
        self.observe = observe or (lambda answer, *args: answer(*args))
        self.stub = stub or f"my_{name}"
        self.make, self.bank, self.steps, self.rules, self.hints = make, [], {}, (), ()

    def _cases(self, draw):
        return self.cases_of(draw)

    def mistake(self, id, words):
        def add(answer):
            self.bank.append(Mistake(id, words, answer))
            return answer

        return add

    def wrong_steps(self, table, *ids):
        for id in ids or table:
            words, name, step = table[id]
            mistake = Mistake(id, words, self.make(**{name: step}))
            self.bank.append(mistake)
            self.steps[mistake] = {name: step}

    def words(self, id):
        return next(mistake.words for mistake in self.bank if mistake.id == id)

    @functools.cached_property
    def candidates(self):
        return [new.Candidate(self, (one,), lambda one=one: one.answer) for one in self.bank]

    def pairs(self, wanted):
        for one, other in itertools.combinations(self.steps, 2):
            a, b = self.steps[one], self.steps[other]
            if not a.keys() & b.keys() and one in wanted and other in wanted:
                yield new.Candidate(self, (one, other), lambda a=a, b=b: self.make(**a, **b))


class Exercise(Steps, new.Exercise):
    def __init__(self, *args, **kwargs):
        self.start(*args, **kwargs)

    bank = None


class ModuleExercise(Steps, modules.ModuleExercise):
    def __init__(self, *args, behaviours=None, **kwargs):
        behaviours = BEHAVIOURS if behaviours is None else behaviours
        self.start(*args, observe=self._call, behaviours=behaviours, **kwargs)

    bank = None
