"""A claim is a sentence of a page that goes beyond the output beside it, with the function that tries it again."""

import ast
import contextlib
import functools
import io
from types import SimpleNamespace
from typing import NamedTuple

import pages
import torch
import torch.nn.functional as F
from notebook_format import read_notebook
from torch import nn

from course_utils import attention, checks, data, properties

WITHOUT_A_BAR = SimpleNamespace(progress=lambda steps, label: range(steps))
IMPORTED = {"torch": torch, "F": F, "nn": nn, "attention": attention, "checks": checks, "data": data}
IMPORTED |= {"properties": properties, "session": WITHOUT_A_BAR}


class Claim(NamedTuple):
    """sentence: as it stands in the cell. over: what it is tried on, "8 seeds". quick: a few seconds, so CI runs it."""

    topic: str
    cell: str
    sentence: str
    over: str
    quick: bool
    attempt: object


CLAIMS = []


def claim(topic, cell, sentence, *, over, quick=False):
    """Keep a function that returns whether the sentence holds, and in words what was found.

    topic, cell: the notebook, and the id of the cell in which the sentence stands, markup and line breaks aside.
    over: the seeds, sizes or sentences that it is tried on, at least five or several; "" for a claim about one example.
    """

    def keep(attempt):
        CLAIMS.append(Claim(topic, cell, sentence, over, quick, attempt))
        return attempt

    return keep


@functools.cache
def sources(topic):
    """The cells of a notebook: id -> source."""
    return {cell.id: cell.source for cell in read_notebook(pages.of(topic)).cells}


def definitions(topic, *ids, change=lambda source: source, **names):
    """What cells of a page define, by name: a claim tries the page's own code, not a copy of it.

    ids: of the cells, each run up to its last function or class, or whole where it has none; a training has no bar.
    change: what is made of each source, another seed. names: what the page has beside its imports.
    """
    names = {**IMPORTED, **names}
    for cell in ids:
        body = ast.parse(change(sources(topic)[cell])).body
        ends = [end for end, one in enumerate(body, 1) if isinstance(one, ast.FunctionDef | ast.ClassDef)]
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(ast.Module(body[: max(ends, default=None)], []), cell, "exec"), names)
    return SimpleNamespace(**names)
