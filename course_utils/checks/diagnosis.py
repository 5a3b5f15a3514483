"""Name the mistake: the wrong answer of the bank that gives what the learner's answer gave."""

import torch

from . import outcome, words
from .report import Pair, Report

GOOD_PART = 0.3  # of what is wrong, a mistake must explain so much before it is named beside another


def diagnosed(exercise, cases, got, faults):
    """Returns the report on an answer that is wrong on at least one input."""
    first = next(index for index, fault in enumerate(faults) if fault)
    fault, label = faults[first], cases[first].label
    report = Report(exercise.stub, "failed", "", pair=_first_pair(exercise, cases, got, faults))
    if alike := _exactly_like(exercise, exercise.known, got):
        report.message = words.alike([mistake.words for mistake in alike])
    elif alike := _two_at_once(exercise, got, first):
        report.message = words.both([mistake.words for mistake in alike])
    elif alike := _most_like(exercise, got, faults):
        report.message = words.mostly(alike[0].words)
    else:
        report.message = f"On {label}: {fault.words}{_row_sum(exercise, got[first])}"
    report.named = tuple(dict.fromkeys(mistake.id for mistake in alike))
    report.mistake = report.named[0] if alike else None
    return report


def _exactly_like(exercise, known, got):
    """Every mistake that gives the same on all inputs. That all of them fail the same way must show in the message."""
    ran = any(one.error is None for one in got)
    return [
        mistake
        for mistake, theirs in known
        if all(map(_alike, got, theirs, exercise.expected)) and (ran or str(got[0].error) == str(theirs[0].error))
    ]


def _alike(one, other, expected):
    if expected.error is not None and one.tensors and other.tensors:
        return True  # where an error is expected, numbers mean nothing
    return outcome.same(one, other)


def _two_at_once(exercise, got, first):
    """The two mistakes that together give the same. There are hundreds of pairs: most are ruled out on one input."""
    for pair in exercise.pairs:
        [theirs] = exercise.outcomes(pair.answer, only=first)
        if _alike(got[first], theirs, exercise.expected[first]):
            known = [(pair, exercise.outcomes(pair.answer))]
            if _exactly_like(exercise, known, got):
                return list(pair.words)
    return []


def _most_like(exercise, got, faults):
    """The one mistake that explains the most of the wrong numbers, if it explains a good part of them."""
    wrong = _wrong_parts(got, exercise.expected)
    if not wrong or any(fault and fault.kind == "form" for fault in faults):
        return []
    best, share_of_best = [], GOOD_PART
    for mistake, theirs in exercise.known:
        like = [outcome.close(got[i].tensors[k], theirs[i].tensors[k]) for i, k in wrong if theirs[i].tensors]
        if sum(like) / len(wrong) > share_of_best:
            best, share_of_best = [mistake], sum(like) / len(wrong)
    return best


def _wrong_parts(got, expected):
    """Where numbers came back that are not those expected, as (input, output)."""
    return [
        (i, k)
        for i, (ours, theirs) in enumerate(zip(got, expected, strict=True))
        if ours.tensors and theirs.tensors
        for k, part in enumerate(ours.tensors)
        if not outcome.close(part, theirs.tensors[k])
    ]


def _row_sum(exercise, got):
    """A word on rows that do not add up to 1, where they should."""
    if exercise.rows is None or not got.tensors:
        return ""
    weights = got.tensors[exercise.outputs.index(exercise.rows)].double()
    sums = weights.sum(dim=-1) if weights.dim() else weights
    wrong = sums[~torch.isclose(sums, torch.ones_like(sums), atol=1e-4)]
    if not len(wrong):
        return ""
    return f" A row of your weights adds up to {wrong[0].item():.2f}. Each must add up to 1."


def _first_pair(exercise, cases, got, faults):
    """What to show side by side: the first input on which numbers came back that are not right."""
    for case, ours, theirs, fault in zip(cases, got, exercise.expected, faults, strict=True):
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
