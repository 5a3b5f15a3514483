"""Exercise of notebook 06 on one table of weights a head: split queries and keys, score, softmax."""

import torch

from .. import attention
from . import steps
from .legacy import Exercise
from .notebook_06 import WEIGHTS_AVERAGED, notebook_heads
from .notebook_06_heads import BOTH, NO_TRANSPOSE, SCALE_HEADS, SCALE_MODEL, SOFTMAX_HEADS, SPLIT_TOKENS, straight_view


def head_weights_by(
    split=attention.split_heads, score=steps.scaled_scores, normalise=steps.row_softmax, back=lambda weights: weights
):
    return lambda queries, keys, num_heads: back(normalise(score(split(queries, num_heads), split(keys, num_heads))))


def head_weights_cases(draw):
    yield "2 texts of 5 tokens, 12 wide, 4 heads", draw(2, 5, 12), draw(2, 5, 12), 4
    yield "3 queries, 7 keys", draw(2, 3, 8), draw(2, 7, 8), 2
    yield "as many heads as tokens", draw(2, 3, 6), draw(2, 3, 6), 3
    yield "as many texts as tokens", draw(4, 4, 8), draw(4, 4, 8), 2
    yield "one head", draw(2, 5, 4), draw(2, 5, 4), 1
    yield "heads of width 1", draw(2, 5, 3), draw(2, 5, 3), 3
    yield "a batch of one, a single token", draw(1, 1, 6), draw(1, 1, 6), 3
    yield "large scores", draw(2, 5, 6) * 50, draw(2, 5, 6) * 50, 2
    yield "float64", draw(2, 5, 12, dtype=torch.float64), draw(2, 5, 12, dtype=torch.float64), 3


head_weights = Exercise(
    "head_weights", head_weights_by(), head_weights_cases, outputs=("attn_weights",), rows="attn_weights",
    behaviours=BOTH, make=head_weights_by,
)  # fmt: skip


def all_together(queries, keys):
    return steps.raw_scores(queries, keys) / (queries.shape[-3] * queries.shape[-1]) ** 0.5


head_weights.wrong_steps(steps.SOFTMAX, "softmax-axis", "softmax-all", "sum-normalise", "no-softmax")
head_weights.wrong_steps(steps.SCORES)
head_weights.wrong_steps(steps.SCALE)
head_weights.wrong_steps(
    {
        "naive-overflow": steps.STABLE["naive-overflow"],
        "softmax-heads": (
            SOFTMAX_HEADS,
            "normalise",
            lambda scores: torch.softmax(scores, dim=1),
        ),
        "scale-model": (SCALE_MODEL, "score", all_together),
        "scale-heads": (
            SCALE_HEADS,
            "score",
            lambda queries, keys: steps.raw_scores(queries, keys) / queries.shape[1] ** 0.5,
        ),
        "scale-wrong-axis": (
            steps.SCALE["scale-wrong-axis"][0],
            "score",
            lambda queries, keys: steps.raw_scores(queries, keys) / queries.shape[-2] ** 0.5,
        ),
        "transpose-wrong-axes": (
            "You turned heads and tokens of the keys. What meets are the features: turn the last two axes, "
            "`.transpose(-2, -1)`.",
            "score",
            lambda queries, keys: queries @ keys.transpose(1, 2) / queries.shape[-1] ** 0.5,
        ),
        "mask-unasked": (
            "Your weights are causal. No mask is asked for here: it comes right after this exercise.",
            "normalise",
            lambda scores: torch.softmax(scores.masked_fill(~torch.ones_like(scores).bool().tril(), -torch.inf), -1),
        ),
        "view-no-transpose": (NO_TRANSPOSE, "split", straight_view),
        "split-tokens": (
            SPLIT_TOKENS,
            "split",
            lambda x, num_heads: x.reshape(x.shape[0], num_heads, x.shape[1] // num_heads, x.shape[-1]),
        ),
        "split-missing": (
            "Queries and keys meet in their full width, as in one wide head. Split both first: "
            "`attention.split_heads`.",
            "split",
            lambda x, num_heads: x,
        ),
        "shared-heads": (
            "All your heads use the same features. Each has a slice of its own: `attention.split_heads`.",
            "split",
            lambda x, num_heads: attention.split_heads(x, num_heads)[:, :1].expand(-1, num_heads, -1, -1),
        ),
        "weights-averaged": (WEIGHTS_AVERAGED, "back", lambda weights: weights.mean(dim=1)),
        "first-head-only": (
            "Only the first head comes back: look for an index, or a `return` inside a loop.",
            "back",
            lambda weights: weights[:, :1],
        ),
        "heads-before-batch": (
            "The heads stand before the batch. `stack` takes a `dim`.",
            "back",
            lambda weights: weights.transpose(0, 1),
        ),
        "weights-transposed": (
            "Your weights are on their side: a row is a query, a column is a key.",
            "back",
            lambda weights: weights.transpose(-2, -1),
        ),
        "detached": (steps.DETACHED, "back", lambda weights: weights.detach()),
    }
)


@head_weights.mistake(
    "split-not-moved", "Your scores compare the heads of one token with each other. Move the heads' axis before tokens."
)
def _(queries, keys, num_heads):
    queries, keys = (x.reshape(*x.shape[:2], num_heads, -1) for x in (queries, keys))
    return steps.row_softmax(steps.scaled_scores(queries, keys))


@head_weights.mistake(
    "split-missing", "Only one of the two is split. Queries and keys both need `attention.split_heads`."
)
def _(queries, keys, num_heads):
    queries = attention.split_heads(queries, num_heads)
    return steps.row_softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)


@head_weights.mistake("global-leak", steps.LEAK)
def _(queries, keys, num_heads):
    return head_weights_by()(queries, keys, notebook_heads)
