"""Exercise of notebook 06 on a class that holds single heads side by side."""

import torch
from torch import nn

from .. import attention
from . import steps
from .legacy import ModuleExercise
from .modules import IN_A_LIST

notebook_heads = 4  # what a notebook leaves lying about
WEIGHTS_AVERAGED = "The weights are averaged over the heads. Each head's table is asked for: keep the heads' axis."
SHARED_HEADS = (
    "All your heads are one and the same: their weights are equal. Each needs numbers of its own. `[head] * 3` is "
    "three times the same head."
)


class Stacked(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(self.make_heads(d_in, head_dim, num_heads, context_length))

    def make_heads(self, d_in, head_dim, num_heads, context_length):
        return [attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)]

    def forward(self, x):
        context_vecs, attn_weights = zip(*(head(x) for head in self.heads), strict=True)
        return self.join(context_vecs), self.pile(attn_weights)

    def join(self, context_vecs):
        return torch.cat(context_vecs, dim=-1)

    def pile(self, attn_weights):
        return torch.stack(attn_weights, dim=1)


def stacked_cases(draw):
    yield "2 texts of 5 tokens, 6 wide, 4 heads of 3", (6, 3, 4, 8), draw(2, 5, 6)
    yield "a full context, 2 heads of 4", (3, 4, 2, 5), draw(3, 5, 3)
    yield "as many heads as tokens", (4, 2, 3, 6), draw(2, 3, 4)
    yield "as many texts as heads, widths alike", (3, 3, 2, 6), draw(2, 4, 3)
    yield "one head", (3, 4, 1, 6), draw(2, 5, 3)
    yield "a batch of one, a single token", (5, 2, 3, 4), draw(1, 1, 5)
    yield "float64", (6, 3, 4, 8), draw(2, 5, 6, dtype=torch.float64)


stacked_heads = ModuleExercise(
    "stacked_heads", Stacked, stacked_cases, outputs=("context_vecs", "attn_weights"), rows="attn_weights",
    stub="MyStackedHeads",
)  # fmt: skip


def wrong(id, words, **methods):
    """Add a class in which some methods are wrong."""
    stacked_heads.mistake(id, words)(type("Wrong", (Stacked,), methods))


def with_list(self, d_in, head_dim, num_heads, context_length):
    nn.Module.__init__(self)
    self.heads = self.make_heads(d_in, head_dim, num_heads, context_length)


def under_another_name(self, d_in, head_dim, num_heads, context_length):
    nn.Module.__init__(self)
    self.layers = nn.ModuleList(self.make_heads(d_in, head_dim, num_heads, context_length))


def chained(self, x):
    tables = []
    for head in self.heads:
        x, attn_weights = head(x)
        tables.append(attn_weights)
    return x, self.pile(tables)


wrong("heads-in-list", IN_A_LIST, __init__=with_list)
wrong(
    "stack-for-cat",
    "`stack` puts the heads' outputs on a new axis. They belong side by side on the last one: `torch.cat(…, dim=-1)`.",
    join=lambda self, vecs: torch.stack(vecs, dim=1),
)
wrong(
    "split-tokens",
    "The heads' outputs lie one below the other, as if they were more tokens. Side by side is `dim=-1`.",
    join=lambda self, vecs: torch.cat(vecs, dim=1),
)
wrong(
    "batch-mixed",
    "The heads' outputs are joined along the batch: `cat` takes `dim=0` unless told. Side by side is `dim=-1`.",
    join=lambda self, vecs: torch.cat(vecs),
)
wrong(
    "features-dealt-out",
    "The heads' features take turns: head 0 should come first with all of its features, then head 1. Join them with "
    "`torch.cat(…, dim=-1)`.",
    join=lambda self, vecs: torch.stack(vecs, dim=-1).flatten(2),
)
wrong(
    "pairs-joined",
    "A head gives back a pair, and you joined the pairs. Take them apart first: the context vectors into one list, "
    "the weights into another.",
    forward=lambda self, x: torch.cat([head(x) for head in self.heads], dim=-1),
)
wrong(
    "heads-summed", "The heads are added up. They should stand side by side: `cat`.", join=lambda self, vecs: sum(vecs)
)
wrong(
    "heads-averaged",
    "The heads are averaged. They should stand side by side: `cat`.",
    join=lambda self, vecs: sum(vecs) / len(vecs),
)
wrong(
    "first-head-only",
    "Only the first head comes back: look for a `return` inside the loop.",
    forward=lambda self, x: (lambda vecs, weights: (vecs, weights[:, None]))(*self.heads[0](x)),
)
wrong(
    "first-head-only",
    "Only the last head comes back: your loop overwrites the result of the one before. Collect them in a list.",
    forward=lambda self, x: (lambda vecs, weights: (vecs, weights[:, None]))(*self.heads[-1](x)),
)
wrong(
    "shared-heads",
    SHARED_HEADS,
    make_heads=lambda self, d_in, head_dim, num_heads, context_length: (
        [attention.CausalAttention(d_in, head_dim, context_length)] * num_heads
    ),
)
wrong(
    "head-count-dim",
    "Each of your heads is as wide as all should be together. `head_dim` is the width of one head: do not multiply it.",
    make_heads=lambda self, d_in, head_dim, num_heads, context_length: Stacked.make_heads(
        self, d_in, head_dim * num_heads, num_heads, context_length
    ),
)
wrong(
    "head-dim-divided",
    "Your heads are too narrow. `head_dim` is the width of one head already: do not divide it.",
    make_heads=lambda self, d_in, head_dim, num_heads, context_length: Stacked.make_heads(
        self, d_in, max(1, head_dim // num_heads), num_heads, context_length
    ),
)
wrong(
    "mask-missing",
    "Your heads see the future. Causal heads are asked for: `attention.CausalAttention`.",
    make_heads=lambda self, d_in, head_dim, num_heads, context_length: [
        attention.SelfAttention(d_in, head_dim) for _ in range(num_heads)
    ],
)
wrong("weights-averaged", WEIGHTS_AVERAGED, pile=lambda self, weights: sum(weights) / len(weights))
wrong(
    "cat-for-stack",
    "The heads' tables of weights lie one below the other. They need an axis of their own: `torch.stack(…, dim=1)`.",
    pile=lambda self, weights: torch.cat(weights, dim=1),
)
wrong(
    "heads-before-batch",
    "The heads' axis of your weights stands before the batch: `stack` puts it first unless told, `dim=1`.",
    pile=lambda self, weights: torch.stack(weights),
)
wrong(
    "heads-last",
    "The heads' axis of your weights stands last, behind the keys. It belongs right after the batch: `dim=1`.",
    pile=lambda self, weights: torch.stack(weights, dim=-1),
)
wrong(
    "heads-chained",
    "Each of your heads reads what the one before gave out. All heads read the same `x`: give the results other names.",
    forward=chained,
)
wrong(
    "outputs-swapped",
    "The two results have changed places: `return context_vecs, attn_weights`.",
    forward=lambda self, x: Stacked.forward(self, x)[::-1],
)
wrong("names", "The heads have another name than the one asked for: `self.heads`.", __init__=under_another_name)
wrong("detached", steps.DETACHED, join=lambda self, vecs: torch.cat(vecs, dim=-1).detach())
wrong("global-leak", steps.LEAK, forward=lambda self, x: Stacked.forward(self, x)[: notebook_heads + len(x)])
