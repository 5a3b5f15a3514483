"""Register claims: sentences of notebooks that go beyond the outputs beside them, each with the function to test it."""

import ast
import contextlib
import functools
import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import torch
import torch.nn.functional as F
from nb.format import read_notebook
from notebook_cells import path_of
from torch import nn

from course_utils import attention, checks, data, lessons, properties

CAUSE = re.compile(r"\b(because|so|that is why|cannot|only|must|never|always)\b", re.IGNORECASE)
WITHOUT_A_BAR = SimpleNamespace(progress=lambda steps, label: range(steps))
IMPORTED = {"torch": torch, "F": F, "nn": nn, "attention": attention, "checks": checks, "data": data}
IMPORTED |= {"properties": properties, "session": WITHOUT_A_BAR}


class FusedAdamW(torch.optim.AdamW):
    """AdamW in one call of PyTorch's a step: the same numbers up to rounding, and small trainings take less time."""

    def __init__(self, parameters, *arguments, **options):
        super().__init__(parameters, *arguments, fused=True, **options)


torch.optim.AdamW = FusedAdamW  # for the pages' own code and for the claims'


class SeedError(Exception):
    """A seed that a claim has set was replaced by the page's own before a random number was drawn from it."""


class Claim(NamedTuple):
    """A sentence of a notebook with the function that tests it.

    topic, cell: the notebook's topic and the id of the cell. sentence: as it stands in the cell. over: what it is
    tested on, such as "8 seeds". quick: whether it takes only a few seconds, so that CI runs it. rival: the other cause
    that was put in the place of the named one, in words, or None. attempt: the test, a function without arguments that
    returns (whether the sentence holds, what was found, in words).
    """

    topic: str
    cell: str
    sentence: str
    over: str
    quick: bool
    rival: str | None
    attempt: object


CLAIMS = []


def claims_of(topic):
    """Return a function claim(cell, sentence, *, over, quick=False, apart=None, rival=None) for a topic's notebook.

    topic: the name of the notebook's file without its number. `claim` returns a decorator, which adds a function to
    CLAIMS as the test of the sentence, and returns it unchanged. The function takes no arguments and returns a tuple:
    whether the sentence holds, and in words what was found. Where the sentence names a cause, `apart` is given, and the
    function returns an iterable of pairs of numbers instead, one for each run: the effect with the cause, and the
    effect of the same run with the cause taken away. With `rival`, it returns triples: the third number is the effect
    of that run with another cause in the place of the named one.
    cell: the id of the cell in which the sentence stands, markup and line breaks aside. over: the seeds, sizes or
    sentences it is tested on, at least five or several, as text; "" for a claim about one example. quick: whether it
    takes only a few seconds. apart: how much the first number of each run must exceed each other one at least; a number
    below 0 says how far it must lie below them; None for a sentence without a cause. rival: what takes the place of the
    cause, in words, such as "a head outside the set"; None if no rival is tried.
    `claim` raises a ValueError if the sentence has a word of CAUSE and `apart` is None, and for a rival without apart.
    """

    def claim(cell, sentence, *, over, quick=False, apart=None, rival=None):
        if apart is None and CAUSE.search(sentence):
            raise ValueError(f"{sentence!r} names a cause: give apart, and yield the effect with and without it.")
        if apart is None and rival:
            raise ValueError(f"{sentence!r} has a rival: give apart, and yield the effect with the cause, too.")

        def keep(attempt):
            tested = attempt if apart is None else with_and_without(attempt, apart, rival)
            CLAIMS.append(Claim(topic, cell, sentence, over, quick, rival, seeds_kept(tested)))
            return attempt

        return keep

    return claim


def with_and_without(measure, apart, rival=None):
    """Return a test of a cause, a function without arguments that returns (whether it holds, the numbers in words).

    measure: a function without arguments that returns an iterable of pairs of numbers, the effect with the cause and
    without it; of triples, if `rival` names what stands in its place. apart: as for `claim`. The cause is refused if
    one run has a number less than `apart` from the first, or if all runs gave the same numbers, since then they were
    one run. Errors: ValueError if `apart` is 0, which every cause would pass, and for runs of another length.
    """
    if not apart:
        raise ValueError("apart=0 would be passed by a cause without an effect: say how much it changes at least.")
    columns = ["with it", "without it"] + ([f"with {rival}"] if rival else [])

    def attempt():
        runs = [tuple(map(float, run)) for run in measure()]
        if wrong := next((run for run in runs if len(run) != len(columns)), None):
            raise ValueError(f"one run gave {len(wrong)} numbers: yield {len(columns)}, {', '.join(columns)}.")
        texts = (" ".join(f"{number:.3g}" for number in column) for column in zip(*runs, strict=True))
        found = ", ".join(f"{name} {text}" for name, text in zip(columns, texts, strict=False))
        if len(runs) > 1 and len(set(runs)) == 1:
            return False, f"{found}: all runs are one run"
        return bool(runs) and all((effect - other) / apart >= 1 for effect, *others in runs for other in others), found

    return functools.update_wrapper(attempt, measure)


def seeds_kept(attempt):
    """Return a function that does what `attempt` does, and fails the claim where the page undoes a seed of the claim's.

    attempt: a function without arguments that returns (whether the claim holds, words), and so does the result. A
    page's own `torch.manual_seed(0)` makes one run of all seeds that a claim sets before it. So while the result runs,
    torch.manual_seed is replaced: if code outside the lessons' claims sets another seed over one that they have set,
    before a number was drawn, the result is (False, why).
    """

    @functools.wraps(attempt)
    def watched():
        manual_seed, unused = torch.manual_seed, None

        def seed_and_remember(seed):
            nonlocal unused
            caller = Path(sys._getframe(1).f_code.co_filename)
            ours = caller.match("claims*.py") and lessons.FOLDER in caller.parents
            if unused and not ours and unused[0] != seed and torch.equal(unused[1], torch.get_rng_state()):
                raise SeedError(f"seed {unused[0]} is replaced by the page's own, {seed}: change the page's source.")
            generator = manual_seed(seed)
            unused = (seed, torch.get_rng_state()) if ours else None
            return generator

        torch.manual_seed = seed_and_remember
        try:
            return attempt()
        except SeedError as error:
            return False, str(error)
        finally:
            torch.manual_seed = manual_seed

    return watched


def differences_below(limit):
    """Return a decorator that makes a test for `claim` of a generator function without arguments that yields tensors.

    The decorated function returns a tuple: whether all numbers in these tensors are less than `limit` from 0, and the
    largest of them in words.
    """

    def compare(differences):
        @functools.wraps(differences)
        def attempt():
            largest = max(difference.abs().max().item() for difference in differences())
            return largest < limit, f"the largest difference is {largest:.1e}"

        return attempt

    return compare


@functools.cache
def sources(topic):
    """Return the cells of the published notebook of a topic, a dict from id to source; cached."""
    return {cell.id: cell.source for cell in read_notebook(path_of(topic)).cells}


def definitions(topic, *ids, change=lambda source: source, **names):
    """Run cells of a notebook; return all their global names as a SimpleNamespace, to test the notebook's own code.

    topic: the notebook's. ids: the ids of the cells. Each is run up to its last function or class, or whole if it has
    none, in one namespace; what it prints is dropped, and a training shows no progress bar. change: a function from the
    source of a cell to the one to run, for example with another seed. names: further variables for the cells, beside
    IMPORTED. Errors: KeyError for an id that is not in the notebook, and what the cells raise.
    """
    names = {**IMPORTED, **names}
    for cell in ids:
        body = ast.parse(change(sources(topic)[cell])).body
        ends = [end for end, one in enumerate(body, 1) if isinstance(one, ast.FunctionDef | ast.ClassDef)]
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(ast.Module(body[: max(ends, default=None)], []), cell, "exec"), names)
    return SimpleNamespace(**names)
