"""Name the mistake: the wrong answer of the bank that gives what the learner's answer gave."""

import itertools

import torch

from . import errors, outcome, relations, typed_in, words
from .report import Pair, Report

GOOD_PART = 0.5  # of what is wrong, a mistake must explain so much before it is named
PAIRS = 150  # so many pairs of mistakes are tried: more would be felt as a wait


def diagnosed(exercise, answer, cases, got, faults, namespace, input_changed):
    """Returns the report on an answer that is wrong on at least one input.

    cases, got, faults: of the inputs that the prompt asks for. namespace: the globals of the learner's code.
    input_changed: the report on an input that was changed, or None.
    """
    first = next(index for index, fault in enumerate(faults) if fault)
    report = Report(exercise.stub, "failed", "", pair=_first_pair(exercise, cases, got, faults))
    if alike := _exactly_like(exercise, got, faults, exercise.candidates):
        report.message = words.alike([mistake.words or faults[first].words for [mistake] in alike])
    elif told := typed_in.told(exercise, answer, first):
        report.message = words.on(cases[first].label, told)
    elif alike := _two_at_once(exercise, got, faults):
        report.message = words.both([mistake.words for mistake in alike[0]])
    elif input_changed and not any(one.error for one in got):
        return input_changed
    elif told := _told(exercise, cases, got, faults, first, namespace):
        report.message = told
    elif alike := _most_like(exercise, got, faults):
        report.message = words.mostly(alike[0][0].words, cases[first].label)
    else:
        report.message = words.on(
            cases[first].label,
            f"{faults[first].words}{_row_sum(exercise, got[first], exercise.expected[first], faults[first])}",
        )
    report.named = tuple(dict.fromkeys(mistake.id for mistakes in alike for mistake in mistakes)) if alike else ()
    report.mistake = report.named[0] if report.named else None
    return report


def _exactly_like(exercise, got, faults, candidates):
    """The mistakes of every candidate that gives the same on all inputs."""
    order = sorted(range(len(got)), key=lambda index: (faults[index] is None, index))  # what is wrong rules out most
    ran = any(one.error is None for one in got)
    found = [one for one in candidates if all(_alike(got[i], one.on(i), exercise.expected[i], ran) for i in order)]
    return list(dict.fromkeys(one.mistakes for one in found))


def _alike(one, other, expected, ran):
    if expected.error is None:
        return outcome.same(one, other, exactly=not ran)  # where nothing ran, the message is all there is to go by
    # where an error is expected, numbers mean nothing, and what it says is the learner's own
    return _kind(one.error) is _kind(other.error) and one.refused == other.refused


def _kind(error):
    return error and error.kind


def _two_at_once(exercise, got, faults):
    """The two mistakes that together give the same, as a list of one pair; those that explain most are tried first."""
    rank = {}
    for candidate in exercise.candidates:
        if not _denied(exercise, candidate, got):
            [mistake] = candidate.mistakes
            rank[mistake] = max(rank.get(mistake, 0), _share(exercise, candidate, got))
    for pair in itertools.islice(exercise.pairs(rank), PAIRS):
        if alike := _exactly_like(exercise, got, faults, [pair]):
            return alike
    return []


def _denied(exercise, candidate, got):
    """Whether a mistake spoils something that the learner has right: then it is not the learner's."""
    return any(
        _spoils(candidate.on(index), ours, expected)
        for index, (ours, expected) in enumerate(zip(got, exercise.expected, strict=False))
    )


def _spoils(theirs, ours, expected):
    if expected.error is not None:
        return _kind(ours.error) is expected.error.kind and _kind(theirs.error) is not expected.error.kind
    if not ours.tensors:
        return False
    if not theirs.tensors:
        return True
    parts = zip(theirs.tensors, ours.tensors, expected.tensors, strict=True)
    return any(outcome.close(mine, right) and not outcome.close(other, right) for other, mine, right in parts)


def _told(exercise, cases, got, faults, first, namespace):
    """What can be said without the bank: why it stopped, or how the numbers lie to the right ones."""
    if got[first].error is not None:
        told = errors.explained(got[first].error, namespace)
        return told and words.on(cases[first].label, told)
    wrong = [(ours, theirs) for ours, theirs, fault in zip(got, exercise.expected, faults, strict=False) if fault]
    if all(ours.tensors and theirs.tensors for ours, theirs in wrong):
        return relations.told(
            exercise.outputs, wrong, [case.args for case, fault in zip(cases, faults, strict=True) if fault]
        )
    return None


def _most_like(exercise, got, faults):
    """The one mistake that explains the most of the wrong numbers, if that is a good part and nothing denies it."""
    if any(fault and fault.kind == "form" for fault in faults):
        return []
    best, share_of_best = [], GOOD_PART
    for candidate in exercise.candidates:
        share = _share(exercise, candidate, got)
        if candidate.mistakes[0].words and share > share_of_best and not _denied(exercise, candidate, got):
            best, share_of_best = [candidate.mistakes], share
    return best


def _share(exercise, candidate, got):
    """How much of the wrong numbers a mistake explains, from 0 to 1."""
    wrong = _wrong_parts(got, exercise.expected)
    theirs = {i: candidate.on(i).tensors for i, _ in wrong}
    like = [outcome.close(got[i].tensors[k], theirs[i][k]) for i, k in wrong if theirs[i]]
    return sum(like) / len(wrong) if wrong else 0


def _wrong_parts(got, expected):
    """Where numbers came back that are not those expected, as (input, output)."""
    return [
        (i, k)
        for i, (ours, theirs) in enumerate(zip(got, expected, strict=False))
        if ours.tensors and theirs.tensors
        for k, part in enumerate(ours.tensors)
        if not outcome.close(part, theirs.tensors[k])
    ]


def _row_sum(exercise, got, expected, fault):
    """Return a sentence on the first row of weights that adds up to another number than the solution's row, or ""."""
    if exercise.rows is None or fault.kind != "numbers":
        return ""
    ours, theirs = (one.tensors[exercise.outputs.index(exercise.rows)].double() for one in (got, expected))
    if ours.shape != theirs.shape:
        return ""
    sums, needed = ours.sum(dim=-1), theirs.sum(dim=-1)
    wrong = (~torch.isclose(sums, needed, atol=1e-4)).nonzero()
    if not len(wrong):
        return ""
    where, at = wrong[0].tolist(), tuple(wrong[0])
    row = f"Row `{where}`" if where else "The row"
    return f" {row} of your weights adds up to {sums[at].item():.4g}. It must add up to {needed[at].item():.4g}."


def _first_pair(exercise, cases, got, faults):
    """What to show side by side: the first input on which numbers came back that are not right."""
    for case, ours, theirs, fault in zip(cases, got, exercise.expected, faults, strict=False):
        if fault and ours.tensors and theirs.tensors:
            index = _most_telling(exercise, ours, theirs, fault)
            return Pair(case.label, exercise.outputs[index], theirs.tensors[index], ours.tensors[index])
    return None


def _most_telling(exercise, ours, theirs, fault):
    """Which output to show: the weights where they are wrong, since all else is made with them."""
    if exercise.rows is not None:
        index = exercise.outputs.index(exercise.rows)
        if not outcome.close(ours.tensors[index], theirs.tensors[index]):
            return index
    return fault.index
