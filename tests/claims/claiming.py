"""Register claims: sentences of notebooks that go beyond the outputs beside them, each with the function to test it."""

import ast
import contextlib
import functools
import io
from types import SimpleNamespace
from typing import NamedTuple

import torch
import torch.nn.functional as F
from nb.format import read_notebook
from notebook_cells import path_of
from torch import nn

from course_utils import attention, checks, data, properties

WITHOUT_A_BAR = SimpleNamespace(progress=lambda steps, label: range(steps))
IMPORTED = {"torch": torch, "F": F, "nn": nn, "attention": attention, "checks": checks, "data": data}
IMPORTED |= {"properties": properties, "session": WITHOUT_A_BAR}


class Claim(NamedTuple):
    """A sentence of a notebook with the function that tests it.

    topic, cell: the notebook and the id of the cell. sentence: as it stands in the cell. over: what it is tested on,
    such as "8 seeds". quick: it takes a few seconds, so CI runs it. attempt: the function, which returns whether the
    sentence holds, and in words what was found.
    """

    topic: str
    cell: str
    sentence: str
    over: str
    quick: bool
    attempt: object


CLAIMS = []


def claims_of(topic):
    """Return a function claim(cell, sentence, *, over, quick=False) for the claims of the notebook about a topic.

    It returns a decorator that registers a function as the test of a sentence. The function takes no arguments and
    returns whether the sentence holds, and in words what was found.
    cell: the id of the cell in which the sentence stands, markup and line breaks aside. over: the seeds, sizes or
    sentences it is tested on, at least five or several; "" for a claim about one example. quick: whether it takes only
    a few seconds.
    """

    def claim(cell, sentence, *, over, quick=False):
        def keep(attempt):
            CLAIMS.append(Claim(topic, cell, sentence, over, quick, attempt))
            return attempt

        return keep

    return claim


def differences_below(limit):
    """Return a decorator for a generator of tensors: the claim holds if all their numbers are less than `limit` from 0.

    The decorated function returns whether that is so, and the largest difference in words, as `claim` needs them.
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
    """Return the cells of a notebook, a dict from id to source."""
    return {cell.id: cell.source for cell in read_notebook(path_of(topic)).cells}


def definitions(topic, *ids, change=lambda source: source, **names):
    """Run cells of a notebook and return what they define, a namespace; so a claim tests the notebook's own code.

    ids: the ids of the cells. Each is run up to its last function or class, or whole if it has none; a training shows
    no progress bar. change: a function applied to each source, for example to set another seed. names: further
    variables for the cells, beside the imports.
    """
    names = {**IMPORTED, **names}
    for cell in ids:
        body = ast.parse(change(sources(topic)[cell])).body
        ends = [end for end, one in enumerate(body, 1) if isinstance(one, ast.FunctionDef | ast.ClassDef)]
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(ast.Module(body[: max(ends, default=None)], []), cell, "exec"), names)
    return SimpleNamespace(**names)
