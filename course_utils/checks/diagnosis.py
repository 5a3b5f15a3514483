"""Diagnose a wrong answer: find the known mistake in the bank that gives the same results."""

import functools
import itertools
from dataclasses import dataclass

import torch

from . import errors, hard_coded, messages, outcome, relations
from .outcome import Outcome
from .report import Pair, Report
from .sentences import sentence, together

GOOD_PART = 0.5  # a mistake that explains only a part is named if this part of the wrong outputs is larger
PAIRS = 150  # pairs of mistakes that are tried at most: with more, the learner would notice the wait


@dataclass
class Wrong:
    """A wrong answer to an Exercise: for each input that the prompt asks for, its Case, Outcome, and Fault or None.

    first: the index of the first input with a Fault. expected: the solution's Outcomes, a list.
    """

    exercise: object
    cases: list
    outcomes: list
    faults: list

    def __post_init__(self):
        self.first = next(index for index, fault in enumerate(self.faults) if fault)
        self.expected = self.exercise.expected[: len(self.outcomes)]  # inputs that nobody asked for come last

    @functools.cached_property
    def right(self) -> list[list[bool]]:
        """Return for each input whether each tensor is right; [] for an input on which the answer or solution stops."""
        return list(map(outcome.which_are_close, self.outcomes, self.expected))


def diagnose(exercise, answer, cases, outcomes, faults, namespace: dict, input_changed: Report | None) -> Report:
    """Return the failed Report on a wrong answer, with the message of the first explanation that is found.

    They are tried in this order: a known mistake with the same outcomes, a number typed in for a size, two known
    mistakes at once, `input_changed` (a Report, or None; not if an input raised an error), an explanation of the error
    or the numbers, the mistake that explains most, the words of the Fault.
    cases, outcomes, faults: as in Wrong. namespace: the learner's globals.
    """
    wrong = Wrong(exercise, cases, outcomes, faults)
    fault, label = faults[wrong.first], cases[wrong.first].label
    report = Report(exercise.stub, "failed", "", pair=_first_pair(wrong))
    if alike := _exactly_like(wrong, exercise.candidates):
        report.message = messages.alike([mistake.words or fault.words for [mistake] in alike])
    elif typed_in := hard_coded.explain(exercise, answer, wrong.first):
        report.message = messages.on(label, typed_in)
    elif alike := _two_at_once(wrong):
        [(first, second)] = alike
        report.message = together(messages.FIRST, first.words, sentence("Then: {words}", words=second.words))
    elif input_changed and not any(result.error for result in outcomes):
        return input_changed
    elif explanation := _explain(wrong, namespace):
        report.message = explanation
    elif alike := _most_like(wrong):
        report.message = together(messages.MOSTLY, alike[0][0].words)
    else:
        report.message = messages.on(label, together(fault.words, *_row_sum(wrong)))
    report.named = tuple(dict.fromkeys(mistake.id for mistakes in alike for mistake in mistakes))
    report.mistake = report.named[0] if report.named else None
    return report


def _exactly_like(wrong: Wrong, candidates) -> list[tuple]:
    """Return the mistakes, tuples of one or two, that give the wrong answer's outcomes on all inputs."""
    # try the failing inputs first: they eliminate most candidates
    order = sorted(range(len(wrong.outcomes)), key=lambda index: wrong.faults[index] is None)
    ran = any(result.error is None for result in wrong.outcomes)
    alike = (c for c in candidates if all(_alike(wrong.outcomes[i], c.on(i), wrong.expected[i], ran) for i in order))
    return list(dict.fromkeys(candidate.mistakes for candidate in alike))


def _alike(ours: Outcome, theirs: Outcome, expected: Outcome, ran: bool) -> bool:
    """Return whether the learner's Outcome is the same as a known mistake's, `theirs`, on one input."""
    if expected.error is None:
        # if the code raised on every input, its messages, with their numbers, are the only evidence
        ruled_out = ours.tensors and theirs.tensors and outcome.far_apart(ours, theirs)
        return not ruled_out and outcome.same(ours, theirs, exactly=not ran)
    # if the solution raises here, compare only the error types and refusals; ignore values and wording
    return _kind(ours.error) is _kind(theirs.error) and ours.refused == theirs.refused


def _kind(error: errors.Caught | None) -> type | None:
    return error and error.kind


def _two_at_once(wrong: Wrong) -> list[tuple]:
    """Return [(Mistake, Mistake)], two mistakes that together give a wrong answer's outcomes; [] if none are found."""
    rank = {}
    for candidate in wrong.exercise.candidates:
        if not _denied(wrong, candidate):
            [mistake] = candidate.mistakes
            rank[mistake] = max(rank.get(mistake, 0), _share(wrong, candidate))
    pairs = itertools.islice(wrong.exercise.pairs(rank), PAIRS)
    return next(filter(None, (_exactly_like(wrong, [pair]) for pair in pairs)), [])


def _denied(wrong: Wrong, candidate) -> bool:
    """Return whether a Candidate, a wrong answer, is wrong in any output, on any input, where the learner is right."""
    return any(_spoils(wrong, candidate, index) for index in range(len(wrong.outcomes)))


def _spoils(wrong: Wrong, candidate, index: int) -> bool:
    theirs, ours, expected = candidate.on(index), wrong.outcomes[index], wrong.expected[index]
    if expected.error is not None:
        return _kind(ours.error) is expected.error.kind and _kind(theirs.error) is not expected.error.kind
    if not ours.tensors or not theirs.tensors:
        return bool(ours.tensors)
    return any(our and not their for our, their in zip(wrong.right[index], candidate.right(index), strict=True))


def _explain(wrong: Wrong, namespace: dict) -> str | None:
    """Return a message on the error on the first wrong input, or, without one, on the numbers of all wrong inputs."""
    if error := wrong.outcomes[wrong.first].error:
        explanation = errors.explain(error, namespace)
        return explanation and messages.on(wrong.cases[wrong.first].label, explanation)
    wrong_on = [index for index, fault in enumerate(wrong.faults) if fault]
    pairs = [(wrong.outcomes[index], wrong.expected[index]) for index in wrong_on]
    inputs = [wrong.cases[index].args for index in wrong_on]
    return relations.explain(wrong.exercise.outputs, pairs, inputs, wrong.exercise.parts)


def _most_like(wrong: Wrong) -> list[tuple]:
    """Return [(Mistake,)], the mistake that explains the largest share of the wrong tensors; [] if there is none."""
    best, share_of_best = [], GOOD_PART
    for candidate in wrong.exercise.candidates if all(f is None or f.kind != "form" for f in wrong.faults) else ():
        share = _share(wrong, candidate)
        if candidate.mistakes[0].words and share > share_of_best and not _denied(wrong, candidate):
            best, share_of_best = [candidate.mistakes], share
    return best


def _share(wrong: Wrong, candidate) -> float:
    """Return the share, 0 to 1, of the learner's wrong tensors, on all inputs, that a Candidate has, too."""
    alike = [
        bool(theirs := candidate.on(i).tensors) and outcome.close(wrong.outcomes[i].tensors[k], theirs[k])
        for i, right in enumerate(wrong.right)
        for k, is_right in enumerate(right)
        if not is_right
    ]
    return sum(alike) / len(alike) if alike else 0


def _row_sum(wrong: Wrong) -> list[str]:
    """Return [sentence] on the first row of weights, on the first wrong input, with a sum not as expected; else []."""
    exercise, first = wrong.exercise, wrong.first
    if exercise.rows is None or wrong.faults[first].kind != "numbers":
        return []
    index = exercise.outputs.index(exercise.rows)
    ours, theirs = (result.tensors[index].double() for result in (wrong.outcomes[first], wrong.expected[first]))
    differ = [] if ours.shape != theirs.shape else (~torch.isclose(ours.sum(-1), theirs.sum(-1), atol=1e-4)).nonzero()
    if not len(differ):
        return []
    where = differ[0].tolist()
    yours, right = (f"{weights.sum(-1)[tuple(where)].item():.4g}" for weights in (ours, theirs))
    if not where:
        template = "The row of your weights adds up to {yours}. It must add up to {right}."
        return [sentence(template, yours=yours, right=right)]
    template = "Row `{where}` of your weights adds up to {yours}. It must add up to {right}."
    return [sentence(template, where=where, yours=yours, right=right)]


def _first_pair(wrong: Wrong) -> Pair | None:
    """Return the Pair of the first wrong input, of which the message speaks; None if it stops there.

    It shows the weights if wrong, since all else depends on them, else the Fault's output.
    """
    exercise, index = wrong.exercise, wrong.faults[wrong.first].index
    ours, theirs = (results[wrong.first].tensors for results in (wrong.outcomes, wrong.expected))
    if not ours or not theirs:
        return None
    if exercise.rows is not None:
        rows = exercise.outputs.index(exercise.rows)
        index = index if outcome.close(ours[rows], theirs[rows]) else rows
    name, expected, got = exercise.outputs[index], theirs[index], ours[index]
    if expected.shape == got.shape and not expected.numel():
        return None
    return Pair(wrong.cases[wrong.first].label, name, expected, got, exercise.places.get(name, ()))
