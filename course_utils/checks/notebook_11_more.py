"""Further half-repairs of notebook 11, cases 1 to 7: each runs into an error, or looks like another mistake."""

import torch

from .. import attention
from . import steps
from .notebook_11 import one_row, row_weights
from .notebook_11_defaults import asked_by, attend_to
from .notebook_11_heads import many_heads
from .notebook_11_mask import causal_weights
from .notebook_11_names import projected_attention, projected_by

# ---- row_weights: axes counted from the front


@row_weights.mistake(
    "keys-fixed-axes",
    "`transpose(1, 2)` names the axes of a batch: one text has no axis 2, and with heads it turns the wrong pair. "
    "Count from the end: `transpose(-2, -1)`.",
)
def _(queries, keys):
    return torch.softmax(queries @ keys.transpose(1, 2) / queries.shape[-1] ** 0.5, dim=-1)


@row_weights.mistake(
    "scale-fixed-axis",
    "`shape[1]` is the width of one text alone. In a batch it counts tokens, with heads it counts heads: the width is "
    "`shape[-1]`.",
)
def _(queries, keys):
    return torch.softmax(steps.raw_scores(queries, keys) / queries.shape[1] ** 0.5, dim=-1)


# ---- one_row


one_row.mistake(
    "elementwise",
    "`*` multiplies number by number and gives a vector. A score is one number: `queries[row] @ keys[j]`.",
)(lambda queries, keys, row: torch.softmax(queries[row] * keys / keys.shape[-1] ** 0.5, dim=-1))
one_row.mistake(
    "return-in-loop",
    "One weight comes back: your function returns in the first round of its loop. Move what follows the loop to the "
    "left, under the `for`.",
)(lambda queries, keys, row: torch.softmax(keys[:1] @ queries[row], dim=-1))
one_row.mistake(
    "column-of-table",
    "This is column number `row` of the table, one weight from each query. Its row is asked for: `[row]`, not "
    "`[:, row]`.",
)(lambda queries, keys, row: steps.row_softmax(steps.scaled_scores(queries, keys))[:, row])


# ---- causal_weights


@causal_weights.mistake(
    "keepdim-forgotten",
    "The sums have lost their axis, so each column is divided by the sum of a row. Keep it: `sum(dim=-1, "
    "keepdim=True)`.",
)
def _(queries, keys):
    masked = steps.row_softmax(steps.scaled_scores(queries, keys)) * attention.causal_mask(queries.shape[-2])
    return masked / masked.sum(dim=-1)


# ---- projected_attention


@projected_attention.mistake("scale-model", steps.SCALE_MODEL)
def _(inputs, W_query, W_key, W_value):
    return projected_by(score=lambda queries, keys: steps.raw_scores(queries, keys) / inputs.shape[-1] ** 0.5)(
        inputs, W_query, W_key, W_value
    )


# ---- many_heads


def cut(part, num_heads):
    """The features in heads, and the heads' axis still behind the tokens."""
    return part.view(len(part), part.shape[1], num_heads, -1)


@many_heads.mistake(
    "split-not-turned",
    "Halfway: the features are cut into heads, and the heads' axis still stands behind the tokens. The token axis must "
    "be last but one: `.transpose(1, 2)` after the `view`.",
)
def _(queries, keys, values, num_heads):
    parts = (cut(part, num_heads) for part in (queries, keys, values))
    context_vecs, _ = attention.scaled_dot_product_attention(*parts)
    return context_vecs.reshape(queries.shape)


@many_heads.mistake(
    "keys-as-long-as-queries",
    "Your split takes the number of tokens from the queries. Keys and values may have another: read it off each part, "
    "`part.shape[1]`.",
)
def _(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    queries, keys, values = (
        part.view(batch_size, num_tokens, num_heads, d_out // num_heads).transpose(1, 2)
        for part in (queries, keys, values)
    )
    return attention.merge_heads(attention.scaled_dot_product_attention(queries, keys, values)[0])


@many_heads.mistake(
    "values-unsplit",
    "Halfway: queries and keys are split, the values are not. Each head needs its own slice of them.",
)
def _(queries, keys, values, num_heads):
    parts = attention.split_heads(queries, num_heads), attention.split_heads(keys, num_heads), values
    context_vecs, _ = attention.scaled_dot_product_attention(*parts)
    return context_vecs.transpose(1, 2).reshape(queries.shape)


# ---- attend_to


@attend_to.mistake(
    "values-only-with-keys",
    "Halfway: values are filled in only where keys are missing too. With keys alone they stay `None`: ask for the "
    "values in a line of their own.",
)
def _(queries, keys=None, values=None):
    return asked_by(take=lambda q, k, v: (q, q) if k is None else (k, v))(queries, keys, values)


@attend_to.mistake(
    "values-or-keys",
    "`keys or queries` asks whether a whole tensor is true, and fails. Ask whether it is there: `queries if keys is "
    "None else keys`.",
)
def _(queries, keys=None, values=None):
    keys = keys or queries
    return asked_by()(queries, keys, values or keys)


attend_to.wrong_steps({
    "given-values-replaced": (
        "Halfway: where values *are* given, yours are taken from the queries. What is given stays: `keys if values is "
        "None else values`.",
        "take", lambda q, k, v: (q if k is None else k, (q if k is None else k) if v is None else q),
    ),
})  # fmt: skip
