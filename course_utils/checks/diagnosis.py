"""Diagnose a wrong answer: find the known mistake in the bank that gives the same results."""

import itertools

import torch

from . import errors, hard_coded, messages, outcome, relations
from .report import Pair, Report
from .sentences import sentence

GOOD_PART = 0.5  # a mistake that explains only a part is named if this part of the wrong outputs is larger
PAIRS = 150  # pairs of mistakes that are tried at most: with more, the learner would notice the wait


def diagnosed(exercise, answer, cases, got, faults, namespace, input_changed):
    """Return the Report on an answer that is wrong on at least one input, with the known mistake that it looks like.

    exercise: an Exercise. answer: the learner's. cases, got, faults: for each input that the prompt asks for, its Case,
    the answer's Outcome, and its Fault or None. namespace: the globals of the learner's code. input_changed: the Report
    on an input that the answer changed, or None.
    """
    first = next(index for index, fault in enumerate(faults) if fault)
    report = Report(exercise.stub, "failed", "", pair=_first_pair(exercise, cases, got, faults))
    if alike := _exactly_like(exercise, got, faults, exercise.candidates):
        report.message = messages.alike([mistake.words or faults[first].words for [mistake] in alike])
    elif typed_in := hard_coded.explained(exercise, answer, first):
        report.message = messages.on(cases[first].label, typed_in)
    elif alike := _two_at_once(exercise, got, faults):
        report.message = messages.both([mistake.words for mistake in alike[0]])
    elif input_changed and not any(result.error for result in got):
        return input_changed
    elif explanation := _explained(exercise, cases, got, faults, first, namespace):
        report.message = explanation
    elif alike := _most_like(exercise, got, faults):
        report.message = messages.mostly(alike[0][0].words, cases[first].label)
    else:
        row = _row_sum(exercise, got[first], exercise.expected[first], faults[first])
        report.message = messages.on(cases[first].label, " ".join([faults[first].words, *row]))
    report.named = tuple(dict.fromkeys(mistake.id for mistakes in alike for mistake in mistakes)) if alike else ()
    report.mistake = report.named[0] if report.named else None
    return report


def _exactly_like(exercise, got, faults, candidates):
    """Return the mistakes of each candidate that gives the same outcome on all inputs, as a list of distinct tuples.

    got, faults: for each input, the learner's Outcome, and its Fault or None. candidates: of these Candidates, with one
    or two Mistakes each.
    """
    # try the failing inputs first: they eliminate most candidates
    order = sorted(range(len(got)), key=lambda index: (faults[index] is None, index))
    ran = any(result.error is None for result in got)
    alike = (c for c in candidates if all(_alike(got[i], c.on(i), exercise.expected[i], ran) for i in order))
    return list(dict.fromkeys(candidate.mistakes for candidate in alike))


def _alike(ours, theirs, expected, ran):
    """Return whether two Outcomes on one input are the same.

    ours, theirs: the learner's Outcome and a candidate's. expected: the solution's. ran: whether the learner's code ran
    without an error on any input.
    """
    if expected.error is None:
        # if the code raised on every input, its messages, with their numbers, are the only evidence
        return outcome.same(ours, theirs, exactly=not ran)
    # if the solution raises here, compare only the error types and refusals; ignore values and wording
    return _kind(ours.error) is _kind(theirs.error) and ours.refused == theirs.refused


def _kind(error):
    """Return the class of an exception. error: a Caught, or None, which comes back as it is."""
    return error and error.kind


def _two_at_once(exercise, got, faults):
    """Return two Mistakes that together give the same outcomes, as a list with one tuple of two, or [].

    got, faults: for each input, the learner's Outcome, and its Fault or None. At most PAIRS pairs are tried, and first
    those whose mistakes explain most of the wrong outputs.
    """
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
    """Return whether a candidate gets something wrong that the learner has right, which rules the candidate out.

    candidate: a Candidate. got: the learner's Outcome on each input.
    """
    return any(
        _spoils(candidate.on(index), ours, expected)
        for index, (ours, expected) in enumerate(zip(got, exercise.expected, strict=False))
    )


def _spoils(theirs, ours, expected):
    """Return whether a wrong answer is wrong in a part in which the learner's answer is right.

    theirs, ours, expected: the Outcomes of the wrong answer, the learner's answer and the solution, on one input.
    """
    if expected.error is not None:
        return _kind(ours.error) is expected.error.kind and _kind(theirs.error) is not expected.error.kind
    if not ours.tensors:
        return False
    if not theirs.tensors:
        return True
    parts = zip(theirs.tensors, ours.tensors, expected.tensors, strict=True)
    return any(outcome.close(mine, right) and not outcome.close(other, right) for other, mine, right in parts)


def _explained(exercise, cases, got, faults, first, namespace):
    """Return a message on an answer that no known mistake matches: why it raised, or how its numbers are wrong.

    None comes back if nothing is known. cases, got, faults: for each input, its Case, the answer's Outcome, and its
    Fault or None. first: the index of the first input with a Fault. namespace: the globals of the learner's code.
    """
    if got[first].error is not None:
        explanation = errors.explained(got[first].error, namespace)
        return explanation and messages.on(cases[first].label, explanation)
    wrong = [index for index, fault in enumerate(faults) if fault]
    pairs = [(got[index], exercise.expected[index]) for index in wrong]
    return relations.explained(exercise.outputs, pairs, [cases[index].args for index in wrong])


def _most_like(exercise, got, faults):
    """Return the one Mistake that explains most of the wrong outputs, as a list with one tuple of one, or [].

    It must explain more than GOOD_PART of them, and get nothing wrong that the learner has right. got, faults: for each
    input, the learner's Outcome, and its Fault or None.
    """
    if any(fault and fault.kind == "form" for fault in faults):
        return []
    best, share_of_best = [], GOOD_PART
    for candidate in exercise.candidates:
        share = _share(exercise, candidate, got)
        if candidate.mistakes[0].words and share > share_of_best and not _denied(exercise, candidate, got):
            best, share_of_best = [candidate.mistakes], share
    return best


def _share(exercise, candidate, got):
    """Return the share of the learner's wrong outputs that a candidate reproduces, from 0 to 1.

    candidate: a Candidate. got: the learner's Outcome on each input.
    """
    wrong = _wrong_parts(got, exercise.expected)
    theirs = {i: candidate.on(i).tensors for i, _ in wrong}
    like = [outcome.close(got[i].tensors[k], theirs[i][k]) for i, k in wrong if theirs[i]]
    return sum(like) / len(wrong) if wrong else 0


def _wrong_parts(got, expected):
    """Return the outputs whose numbers are wrong, as a list of (index of the input, index of the output).

    got, expected: the learner's Outcome and the solution's on each input.
    """
    return [
        (i, k)
        for i, (ours, theirs) in enumerate(zip(got, expected, strict=False))
        if ours.tensors and theirs.tensors
        for k, part in enumerate(ours.tensors)
        if not outcome.close(part, theirs.tensors[k])
    ]


def _row_sum(exercise, got, expected, fault):
    """Return a sentence on the first row of weights whose sum differs from that of the solution's row, in a list.

    got, expected: the learner's Outcome and the solution's on one input. fault: the Fault on it. The list is empty if
    no sum differs, the exercise names no output with rows, the numbers are not the fault, or the shapes differ.
    """
    if exercise.rows is None or fault.kind != "numbers":
        return []
    index = exercise.outputs.index(exercise.rows)
    ours, theirs = got.tensors[index].double(), expected.tensors[index].double()
    wrong = [] if ours.shape != theirs.shape else (~torch.isclose(ours.sum(-1), theirs.sum(-1), atol=1e-4)).nonzero()
    if not len(wrong):
        return []
    yours, right = (f"{weights.sum(-1)[tuple(wrong[0])].item():.4g}" for weights in (ours, theirs))
    if where := wrong[0].tolist():
        template = "Row `{where}` of your weights adds up to {yours}. It must add up to {right}."
        return [sentence(template, where=where, yours=yours, right=right)]
    return [
        sentence("The row of your weights adds up to {yours}. It must add up to {right}.", yours=yours, right=right)
    ]


def _first_pair(exercise, cases, got, faults):
    """Return the Pair to show side by side, from the first wrong input on which tensors came back, or None.

    cases, got, faults: for each input, its Case, the learner's Outcome, and its Fault or None.
    """
    for case, ours, theirs, fault in zip(cases, got, exercise.expected, faults, strict=False):
        if fault and ours.tensors and theirs.tensors:
            index = _most_telling(exercise, ours, theirs, fault)
            return Pair(case.label, exercise.outputs[index], theirs.tensors[index], ours.tensors[index])
    return None


def _most_telling(exercise, ours, theirs, fault):
    """Return the index of the output to show: the weights if they are wrong, since the other outputs depend on them.

    ours, theirs: the learner's Outcome and the solution's on one input. fault: the Fault on it, whose index comes back
    otherwise.
    """
    if exercise.rows is not None:
        index = exercise.outputs.index(exercise.rows)
        if not outcome.close(ours.tensors[index], theirs.tensors[index]):
            return index
    return fault.index
