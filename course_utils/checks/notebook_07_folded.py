"""The exercise of notebook 07 on the folded layout: heads and texts in one axis, each text with its own length."""

import torch

from .. import attention
from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise
from .notebook_07 import INVERTED, PAD_OVER_QUERIES, alone

notebook_lens, notebook_heads = torch.tensor([3, 2]), 5  # lie about in the notebook

LENS_REPEAT = (
    "Some heads have the length of another text. All heads of the first text come first: each length must be repeated "
    "in a row, `repeat_interleave`. `repeat` takes turns."
)
ALL_MASKED_NAN = (
    "A text of length 0 gives `nan`. Its rows should be 0: `attention.softmax` and "
    "`attention.scaled_dot_product_attention` see to that."
)
ALL_MASKED_UNIFORM = (
    "A text of length 0 attends to its padding, evenly: you filled with a large finite number. Fill with `-torch.inf`."
)


def in_a_row(valid_lens, num_heads):
    return valid_lens.repeat_interleave(num_heads)


def open_keys(lens, num_queries, num_keys):
    """lens: one for each folded head. Returns (batch * num_heads, 1, num_keys) bool."""
    return (torch.arange(num_keys) < lens[:, None])[:, None, :]


def fill(scores, mask):
    return scores.masked_fill(~mask, -torch.inf)


def folded(
    repeat=in_a_row, mask=open_keys, score=steps.scaled_scores, close=fill, normalise=attention.softmax, mix=steps.mix
):
    def answer(queries, keys, values, valid_lens):
        lens = repeat(valid_lens, len(queries) // len(valid_lens))
        allowed = mask(lens, queries.shape[-2], keys.shape[-2])
        attn_weights = normalise(close(score(queries, keys), allowed))
        return mix(attn_weights, queries, keys, values), attn_weights

    return answer


def folded_cases(draw):
    def qkv(folded_heads, num_queries, num_keys, head_dim, value_dim, dtype=torch.float32):
        shapes = ((num_queries, head_dim), (num_keys, head_dim), (num_keys, value_dim))
        return tuple(draw(folded_heads, *shape, dtype=dtype) for shape in shapes)

    yield "2 texts, 3 heads, 4 queries, 5 keys", *qkv(6, 4, 5, 3, 2), torch.tensor([4, 2])
    yield "3 texts, 2 heads", *qkv(6, 2, 4, 5, 3), torch.tensor([1, 4, 2])
    yield "a text of length 0", *qkv(4, 3, 5, 2, 6), torch.tensor([3, 0])
    yield "as many queries as keys", *qkv(6, 4, 4, 3, 3), torch.tensor([2, 3])
    yield "one head", *qkv(2, 3, 4, 6, 2), torch.tensor([3, 1])
    yield "a batch of one, a single key", *qkv(3, 2, 1, 4, 5), torch.tensor([1])
    yield "float64", *qkv(4, 2, 6, 3, 5, dtype=torch.float64), torch.tensor([5, 2])


folded_with_lengths = Exercise(
    "folded_with_lengths", folded(), folded_cases, outputs=("context_vecs", "attn_weights"), rows="attn_weights",
    behaviours=(gradient_flows, repeats), make=folded,
)  # fmt: skip
WRONG = (
    steps.SCORES
    | steps.SCALE
    | steps.MIX
    | {
        "lens-repeat": (LENS_REPEAT, "repeat", lambda valid_lens, num_heads: valid_lens.repeat(num_heads)),
        "first-only": (
            "Every head has the length of the first text. Each text has its own: repeat all of `valid_lens`.",
            "repeat",
            lambda valid_lens, num_heads: valid_lens[:1].expand(num_heads * len(valid_lens)),
        ),
        "mask-inverted": (INVERTED, "mask", lambda *args: ~open_keys(*args)),
        "mask-off-by-one": (
            "One padded key too many is open. Positions count from 0: `<`, not `<=`.",
            "mask",
            lambda lens, num_queries, num_keys: open_keys(lens + 1, num_queries, num_keys),
        ),
        "pad-over-queries": (
            PAD_OVER_QUERIES,
            "mask",
            lambda lens, num_queries, num_keys: open_keys(lens, num_keys, num_queries).transpose(-2, -1),
        ),
        "mask-ignored": (
            "Padding is attended: the lengths are not used. Make a mask of them, and give it to the attention.",
            "close",
            lambda scores, mask: scores,
        ),
        "mask-zero-fill": (
            "Closed keys get a score of 0, and e⁰ is 1: they are still attended. Fill with `-torch.inf`.",
            "close",
            lambda scores, mask: scores.masked_fill(~mask, 0.0),
        ),
        "all-masked-uniform": (ALL_MASKED_UNIFORM, "close", lambda scores, mask: scores.masked_fill(~mask, -1e9)),
        "all-masked-nan": (ALL_MASKED_NAN, "normalise", steps.row_softmax),
        "softmax-axis": (
            steps.SOFTMAX["softmax-axis"][0],
            "normalise",
            lambda scores: attention.softmax(scores, dim=-2),
        ),
        "softmax-first-axis": (
            "Your softmax runs over the first axis. That mixes texts: the keys are on the last axis, `dim=-1`.",
            "normalise",
            lambda scores: attention.softmax(scores, dim=0),
        ),
        "exp-only": (steps.SOFTMAX["exp-only"][0], "normalise", torch.exp),
    }
)
PAIRED = ("lens-repeat", "mask-inverted", "pad-over-queries", "mask-ignored", "all-masked-nan", "no-scale")
folded_with_lengths.wrong_steps(WRONG, *PAIRED)
alone(folded_with_lengths, WRONG, *[id for id in WRONG if id not in PAIRED])


def with_the_courses_function(id, words, make_mask):
    """Add an answer that gives the course's function a mask which it refuses; make_mask: (lens, keys, queries)."""

    @folded_with_lengths.mistake(id, words)
    def _(queries, keys, values, valid_lens):
        num_heads = len(queries) // len(valid_lens)
        mask = make_mask(valid_lens, num_heads, keys.shape[-2], queries.shape[-2])
        return attention.scaled_dot_product_attention(queries, keys, values, mask)


NOT_REPEATED = (
    "The mask has a row for each text, and the scores a table for each head of each text. Repeat the lengths first: "
    "`repeat_interleave`."
)
FOUR_AXES = (
    "Your mask has four axes, and the scores have three. Drop one axis of the mask: `(batch·heads, 1, num_keys)`."
)
with_the_courses_function(
    "lens-not-repeated", NOT_REPEATED, lambda lens, num_heads, num_keys, _: attention.padding_mask(lens, num_keys)[:, 0]
)
with_the_courses_function(
    "lens-not-repeated", NOT_REPEATED, lambda lens, num_heads, num_keys, _: attention.padding_mask(lens, num_keys)
)
with_the_courses_function(
    "mask-broadcast",
    FOUR_AXES,
    lambda lens, num_heads, num_keys, _: attention.padding_mask(in_a_row(lens, num_heads), num_keys),
)
with_the_courses_function(
    "mask-from-queries",
    "Your mask is as long as the queries. Padding is a matter of the keys: count to `keys.shape[-2]`.",
    lambda lens, num_heads, _, num_queries: attention.padding_mask(
        in_a_row(lens, num_heads).clamp(max=num_queries), num_queries
    )[:, 0],
)


@folded_with_lengths.mistake("lens-not-repeated", NOT_REPEATED)
def _(queries, keys, values, valid_lens):
    mask = open_keys(valid_lens, queries.shape[-2], keys.shape[-2])
    attn_weights = attention.softmax(steps.scaled_scores(queries, keys).masked_fill(~mask, -torch.inf))
    return attn_weights @ values, attn_weights


@folded_with_lengths.mistake("mask-broadcast", FOUR_AXES)
def _(queries, keys, values, valid_lens):
    lens = in_a_row(valid_lens, len(queries) // len(valid_lens))
    mask = open_keys(lens, queries.shape[-2], keys.shape[-2])[:, None]
    attn_weights = attention.softmax(steps.scaled_scores(queries, keys).masked_fill(~mask, -torch.inf))
    return attn_weights @ values, attn_weights


@folded_with_lengths.mistake(
    "mask-after-softmax", "The mask comes after softmax: rows add up to less than 1. Close the scores, before softmax."
)
def _(queries, keys, values, valid_lens):
    mask = open_keys(in_a_row(valid_lens, len(queries) // len(valid_lens)), queries.shape[-2], keys.shape[-2])
    attn_weights = attention.softmax(steps.scaled_scores(queries, keys)) * mask
    return attn_weights @ values, attn_weights


@folded_with_lengths.mistake(
    "unfolded", "Texts and heads have an axis each in your result. Folded they came, and folded they should come back."
)
def _(queries, keys, values, valid_lens):
    parts = folded()(queries, keys, values, valid_lens)
    return tuple(part.unflatten(0, (len(valid_lens), -1)) for part in parts)


@folded_with_lengths.mistake(
    "outputs-swapped", "The two results have changed places: `return context_vecs, attn_weights`."
)
def _(queries, keys, values, valid_lens):
    return folded()(queries, keys, values, valid_lens)[::-1]


@folded_with_lengths.mistake(
    "weights-missing", "The weights are asked for as well: `return context_vecs, attn_weights`."
)
def _(queries, keys, values, valid_lens):
    return folded()(queries, keys, values, valid_lens)[0]


@folded_with_lengths.mistake("detached", steps.DETACHED)
def _(queries, keys, values, valid_lens):
    context_vecs, attn_weights = folded()(queries, keys, values, valid_lens)
    return attn_weights.detach() @ values, attn_weights


@folded_with_lengths.mistake("global-leak", steps.LEAK)
def _(queries, keys, values, valid_lens):
    return folded(repeat=lambda lens, num_heads: notebook_lens.repeat_interleave(notebook_heads))(
        queries, keys, values, valid_lens
    )
