"""Run snippets of a line or two, as a learner would write them, that raise an error."""

import ast
import itertools
import linecache
import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

HELPERS = """
def silent(x):
    x + 1
def pair_of(x, y):
    return x, y
class Forgetful(nn.Module):
    def __init__(self):
        self.linear = nn.Linear(2, 2)
class Late(nn.Module):
    def __init__(self):
        self.width = 2
    def forward(self, x):
        return x
class Selfless(nn.Module):
    def forward(x):
        return x
class Generous(nn.Module):
    def __init__(self, width):
        super().__init__(width)
class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.mask = self.register_buffer("seen", torch.ones(5, 5))
    def forward(self, x):
        return len(self.mask)
"""
NUMBER = itertools.count()


# The `self` that snippets can read: a module of width 4 with typical parts.
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.W_query, self.W_key = nn.Linear(4, 3, bias=False), nn.Linear(4, 3, bias=False)
        self.heads = nn.ModuleList([nn.Linear(4, 2), nn.Linear(4, 2)])
        self.dropout = 0.1


def arguments():
    """Return the variables that every snippet can read (a dict), with the same random numbers at each call."""
    draw = torch.Generator().manual_seed(0)
    rand = {name: torch.rand(2, 5, 4, generator=draw) for name in ("queries", "keys", "values")}
    return rand | {
        "table": torch.rand(5, 4, generator=draw),
        "scores": torch.rand(2, 5, 5, generator=draw),
        "heads": torch.rand(2, 2, 5, 5, generator=draw),
        "split": torch.rand(2, 2, 5, 2, generator=draw),
        "three": torch.rand(3, 4, 5, generator=draw),
        "mask": torch.ones(7, 7, dtype=torch.bool).tril(),
        "padding": torch.tensor([3, 5])[:, None] > torch.arange(5),
        "ints": torch.arange(20).view(5, 4),
        "lens": torch.tensor([3, 5]),
        "self": Net(),
        "mha": nn.MultiheadAttention(4, 2, batch_first=True),
        "eager": nn.MultiheadAttention(4, 2, batch_first=True).eval(),
        "cache": {"keys": None},
        "d": 4,
        "nothing": None,
    }


def names():
    return {"torch": torch, "nn": nn, "F": F, "math": math, "scale": lambda x: x}


def run(snippet, source):
    """Run a snippet as the body of a learner's function; return the error that it raises and its globals (a dict).

    source: whether Python knows the snippet's source text, as it does of a notebook's cell.
    """
    *lines, last = snippet.split("\n")
    try:
        ast.parse(last, mode="eval")
        lines.append(f"return {last}")
    except SyntaxError:
        lines.append(last)
    body = "\n".join(f"    {line}" for line in lines)
    text = f"{HELPERS}\ndef answer({', '.join(arguments())}):\n{body}\n"
    cell, space = f"<snippet {next(NUMBER)}>", names()  # a name that no other test gives to code
    if source:
        linecache.cache[cell] = (len(text), None, text.splitlines(keepends=True), cell)
    exec(compile(text, cell, "exec"), space)
    with pytest.raises(Exception) as stopped:
        space["answer"](**arguments())
    return stopped.value, space
