"""Answers to checks.scores, answers typed into a cell of a notebook, and a small exercise on a class."""

import linecache

import torch
from torch import nn

BEGIN = """
import torch
import torch.nn.functional as F
from torch import nn
from torch import softmax as ready
from course_utils import attention
"""


def my_scores(query, keys):
    return keys @ query


def wrong_scores(query, keys):
    return keys * query


def typed(code, name="my_answer", with_source=True):
    """Run code as a notebook's cell and return the function or class it defines under this name.

    with_source: whether Python knows its source text, as with IPython, or not, as with exec.
    """
    names, file = {"__name__": "__main__"}, f"<cell {hash(code)}>"
    exec(BEGIN, names)
    if with_source:
        linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    exec(compile(code, file, "exec"), names)
    return names[name]


class HeadSolution(nn.Module):
    def __init__(self, d_in):
        super().__init__()
        self.layer = nn.Linear(d_in, 2, bias=False)

    def forward(self, x):
        return torch.softmax(self.layer(x), dim=-1)


def head_cases(draw):
    yield "3 tokens, 4 wide", (4,), draw(3, 4)
