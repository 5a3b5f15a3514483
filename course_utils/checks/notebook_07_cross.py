"""The exercise of notebook 07 that asks for a class: many heads, in which one sequence asks another."""

import torch
from torch import nn

from .. import attention
from . import steps
from .legacy import ModuleExercise
from .notebook_07 import INVERTED, PAD_OVER_QUERIES, alone, padding_solution
from .notebook_07_folded import ALL_MASKED_NAN, ALL_MASKED_UNIFORM


def sources(queries, keys, values):
    """What the three layers are given."""
    return queries, keys, keys if values is None else values


def split(self, x):
    return attention.split_heads(x, self.num_heads)


def open_keys(valid_lens, attn_scores):
    if valid_lens is None:
        return torch.ones((), dtype=torch.bool)
    return padding_solution(valid_lens, attn_scores.shape[-1])


def fill(attn_scores, mask):
    return attn_scores.masked_fill(~mask, -torch.inf)


def merge(self, context_vecs):
    return attention.merge_heads(context_vecs)


def project_back(self, context_vecs, attn_weights):
    return self.out_proj(context_vecs), attn_weights


def cross(
    take=sources, split=split, score=steps.scaled_scores, mask=open_keys, close=fill, normalise=attention.softmax,
    mix=steps.mix, merge=merge, back=project_back,
):  # fmt: skip
    """A class with some steps of its forward replaced."""

    class CrossAttention(nn.Module):
        def __init__(self, d_in, d_out, num_heads, kdim, vdim):
            super().__init__()
            self.num_heads = num_heads
            self.W_query = nn.Linear(d_in, d_out, bias=False)
            self.W_key = nn.Linear(kdim, d_out, bias=False)
            self.W_value = nn.Linear(vdim, d_out, bias=False)
            self.out_proj = nn.Linear(d_out, d_out)

        def forward(self, queries, keys, values=None, valid_lens=None):
            inputs = take(queries, keys, values)
            layers = (self.W_query, self.W_key, self.W_value)
            queries, keys, values = (split(self, layer(x)) for layer, x in zip(layers, inputs, strict=True))
            attn_scores = score(queries, keys)
            attn_weights = normalise(close(attn_scores, mask(valid_lens, attn_scores)))
            return back(self, merge(self, mix(attn_weights, queries, keys, values)), attn_weights)

    return CrossAttention


def cross_cases(draw):
    def inputs(batch_size, queries, keys, values=None, dtype=torch.float32):
        return tuple(0.4 * draw(batch_size, *shape, dtype=dtype) for shape in (queries, keys, values) if shape)

    yield "3, 5 and 7 wide, 4 queries, 6 keys, 2 heads", (3, 8, 2, 5, 7), *inputs(2, (4, 3), (6, 5), (6, 7))
    yield "padding: lengths 3 and 2", (3, 8, 4, 5, 7), *inputs(2, (4, 3), (6, 5), (6, 7)), torch.tensor([3, 2])
    yield "no values given", (4, 6, 3, 4, 4), *inputs(2, (3, 4), (5, 4))
    yield "no values given, and lengths", (3, 6, 2, 5, 5), *inputs(3, (2, 3), (4, 5)), None, torch.tensor([2, 4, 1])
    yield "values as wide as keys", (3, 6, 3, 4, 4), *inputs(2, (2, 3), (5, 4), (5, 4))
    yield "as many queries as keys", (4, 6, 2, 4, 4), *inputs(2, (5, 4), (5, 4)), None, torch.tensor([5, 3])
    yield "a text of length 0", (3, 4, 2, 3, 2), *inputs(2, (3, 3), (5, 3), (5, 2)), torch.tensor([4, 0])
    yield "one head, a batch of one, a single key", (2, 4, 1, 3, 5), *inputs(1, (3, 2), (1, 3), (1, 5))
    yield (
        "float64", (3, 8, 2, 5, 7),
        *inputs(2, (4, 3), (6, 5), (6, 7), dtype=torch.float64), torch.tensor([6, 2]),
    )  # fmt: skip


cross_attention = ModuleExercise(
    "cross_attention", cross(), cross_cases, outputs=("context_vecs", "attn_weights"), rows="attn_weights",
    stub="MyCrossAttention", make=cross,
)  # fmt: skip
WRONG = (
    steps.SCORES
    | steps.SCALE
    | steps.MIX
    | {
        "cross-from-queries": (
            "The keys are made from the queries' sequence: the result never saw the other one. `W_key` takes `keys`.",
            "take",
            lambda queries, keys, values: (queries, queries, queries if values is None else values),
        ),
        "values-from-queries": (
            "When no values are given, yours come from the queries. They belong to the keys: "
            "`values = keys if values is None else values`.",
            "take",
            lambda queries, keys, values: (queries, keys, queries if values is None else values),
        ),
        "values-ignored": (
            "The values that were given are not used: `W_value` takes `values`, and the keys only if there are none.",
            "take",
            lambda queries, keys, values: (queries, keys, keys),
        ),
        "values-required": (
            "Without values your `forward` stops. Where none are given, take the keys: "
            "`values = keys if values is None else values`.",
            "take",
            lambda queries, keys, values: (queries, keys, values),
        ),
        "view-no-transpose": (
            "Your split cuts in the wrong places and mixes tokens: first `(batch, tokens, heads, head_dim)`, "
            "then turn axes 1 and 2. `attention.split_heads` does it.",
            "split",
            lambda self, x: x.reshape(len(x), self.num_heads, x.shape[1], -1),
        ),
        "merge-no-transpose": (
            "The heads are merged without turning the axes back, and tokens and features are mixed: "
            "`attention.merge_heads`.",
            "merge",
            lambda self, vecs: vecs.reshape(len(vecs), vecs.shape[2], -1),
        ),
        "scale-model": (
            "You divided by the root of `d_out`. A dot product runs over one head: divide by the root of `head_dim`.",
            "score",
            lambda queries, keys: steps.raw_scores(queries, keys) / (queries.shape[-1] * queries.shape[-3]) ** 0.5,
        ),
        "softmax-axis": (
            steps.SOFTMAX["softmax-axis"][0],
            "normalise",
            lambda scores: attention.softmax(scores, dim=-2),
        ),
        "softmax-heads": (
            "Your softmax runs over the heads. The keys are on the last axis, `dim=-1`.",
            "normalise",
            lambda scores: attention.softmax(scores, dim=1),
        ),
        "all-masked-nan": (ALL_MASKED_NAN, "normalise", steps.row_softmax),
        "all-masked-uniform": (ALL_MASKED_UNIFORM, "close", lambda scores, mask: scores.masked_fill(~mask, -1e9)),
        "mask-ignored": (
            "Padding is attended: `valid_lens` is not used. Make a mask of it, and close the scores with it.",
            "close",
            lambda scores, mask: scores,
        ),
        "mask-zero-fill": (
            "Closed keys get a score of 0, and e⁰ is 1: they are still attended. Fill with `-torch.inf`.",
            "close",
            lambda scores, mask: scores.masked_fill(~mask, 0.0),
        ),
        "mask-inverted": (
            INVERTED,
            "mask",
            lambda lens, scores: open_keys(lens, scores) if lens is None else ~open_keys(lens, scores),
        ),
        "mask-off-by-one": (
            "One padded key too many is open. Positions count from 0: `<`, not `<=`.",
            "mask",
            lambda lens, scores: open_keys(lens if lens is None else lens + 1, scores),
        ),
        "pad-over-queries": (
            PAD_OVER_QUERIES,
            "mask",
            lambda lens, scores: (
                open_keys(lens, scores.transpose(-2, -1)).mT if lens is not None else open_keys(lens, scores)
            ),
        ),
        "lens-required": (
            "Without lengths your `forward` stops. Where none are given, nothing is padding: no mask.",
            "mask",
            lambda lens, scores: padding_solution(lens, scores.shape[-1]),
        ),
        "no-out-proj": (
            "The heads are laid side by side, and nothing mixes them: the last step is `self.out_proj`.",
            "back",
            lambda self, *results: results,
        ),
        "weights-averaged": (
            "The weights are averaged over the heads. One table for each head is asked for: "
            "`(batch, num_heads, num_queries, num_keys)`.",
            "back",
            lambda self, vecs, attn_weights: (self.out_proj(vecs), attn_weights.mean(dim=1)),
        ),
        "outputs-swapped": (
            "The two results have changed places: `return context_vecs, attn_weights`.",
            "back",
            lambda self, vecs, attn_weights: (attn_weights, self.out_proj(vecs)),
        ),
        "weights-missing": (
            "The weights are asked for as well: `return context_vecs, attn_weights`.",
            "back",
            lambda self, vecs, attn_weights: self.out_proj(vecs),
        ),
        "detached": (
            steps.DETACHED,
            "back",
            lambda self, vecs, attn_weights: (self.out_proj(vecs.detach()), attn_weights),
        ),
    }
)
PAIRED = ("values-from-queries", "no-scale", "mask-inverted", "view-no-transpose", "merge-no-transpose", "no-out-proj")
cross_attention.wrong_steps(WRONG, *PAIRED)
alone(cross_attention, WRONG, *[id for id in WRONG if id not in PAIRED])
