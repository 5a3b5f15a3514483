"""The exercise of notebook 08 on PyTorch's function: a padding mask of the layer's kind, translated for it."""

import torch
import torch.nn.functional as F

from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise

notebook_scale = torch.tensor(0.5)  # lies about in the notebook


def fused_attention_(queries, keys, values, key_padding_mask):
    mask = ~key_padding_mask[:, None, None, :]  # (batch, 1, 1, num_keys), True = may attend
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)


def calling(
    mask=lambda padding, queries: ~padding[:, None, None, :],
    call=lambda queries, keys, values, mask: F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask),
):
    """An answer with one of its two steps replaced."""

    def answer(queries, keys, values, key_padding_mask):
        return call(queries, keys, values, mask(key_padding_mask, queries))

    return answer


def fused_cases(draw):
    for label, (batch, heads, num_queries, num_keys, width), valid_lens in (
        ("5 queries, 6 keys, of which 3 and 6 are real", (2, 3, 5, 6, 4), [3, 6]),
        ("2 texts of 6 tokens, 2 and 5 of them real", (2, 3, 6, 6, 4), [2, 5]),
        ("as many texts as heads", (3, 3, 5, 5, 2), [5, 1, 2]),
        ("as many texts as queries", (4, 2, 4, 5, 3), [1, 5, 3, 2]),
        ("nothing but padding in the second text", (2, 1, 3, 4, 2), [4, 0]),
        ("a batch of one, a single token", (1, 2, 1, 1, 3), [1]),
    ):
        padding = torch.arange(num_keys) >= torch.tensor(valid_lens)[:, None]  # (batch, num_keys)
        shapes = ((batch, heads, num, width) for num in (num_queries, num_keys, num_keys))
        yield label, *(draw(*shape) for shape in shapes), padding
    queries, keys, values = (draw(2, 2, 3, 4, dtype=torch.float64) for _ in range(3))
    yield "float64", queries, keys, values, torch.tensor([[False, False, True], [False, True, True]])


fused_attention = Exercise(
    "fused_attention", fused_attention_, fused_cases, outputs=("context_vecs",), behaviours=(gradient_flows, repeats),
    make=calling,
)  # fmt: skip


def explicit(queries, keys, values, mask):
    scores = steps.scaled_scores(queries, keys).masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, dim=-1) @ values


def plain(queries, keys, values):
    return F.scaled_dot_product_attention(queries, keys, values)


fused_attention.wrong_steps({
    "sdpa-polarity": (
        "The padding is attended, and nothing else. In this mask True means padding; SDPA takes True for *may attend*: "
        "turn it round with `~`.",
        "mask", lambda padding, queries: padding[:, None, None, :],
    ),
    "pad-over-queries": (
        "The mask lies over the queries, in rows: padded keys are still attended. Keys are on the last axis: "
        "`[:, None, None, :]`.",
        "mask", lambda padding, queries: ~padding[:, None, :, None],
    ),
    "mask-two-axes": (
        "A mask of two axes is read as `(num_queries, num_keys)`. Yours is `(batch, num_keys)`: put in two axes, "
        "`[:, None, None, :]`.",
        "mask", lambda padding, queries: ~padding,
    ),
    "mask-three-axes": (
        "A mask of three axes is read as `(num_heads, num_queries, num_keys)`: your batch lies over the heads. Put in "
        "two axes, `[:, None, None, :]`.",
        "mask", lambda padding, queries: ~padding[:, None, :],
    ),
    "mask-missing": (
        "The padding is attended like any other key: hand the mask over as `attn_mask`.",
        "mask", lambda padding, queries: None,
    ),
    "mask-added-01": (
        "A float mask is added to the scores, and ones and zeros barely move them. Leave the mask bool, or fill it "
        "with `-torch.inf`.",
        "mask", lambda padding, queries: (~padding[:, None, None, :]).to(queries.dtype),
    ),
    "first-sample-only": (
        "The padding of the first text is used for all: keep the axis of the batch.",
        "mask", lambda padding, queries: ~padding[:1, None, None, :],
    ),
    "all-masked-uniform": (
        "A large negative number stands in for minus infinity. A text of nothing but padding then attends to its "
        "padding: use a bool mask.",
        "mask", lambda padding, queries: padding[:, None, None, :].to(queries.dtype) * -1e9,
    ),
    "all-masked-nan": (
        "A text of nothing but padding gives `nan`: softmax of a row of `-inf` is 0 / 0. SDPA with a bool mask gives "
        "zeros there.",
        "call", explicit,
    ),
    "mask-zero-fill": (
        "The padded keys are set to zero. A key of zeros has a score of 0, which is a score like others: mask the "
        "scores, with `attn_mask`.",
        "call", lambda queries, keys, values, mask: plain(queries, keys * mask.transpose(-2, -1), values),
    ),
    "values-zeroed": (
        "The padded values are set to zero, and their weights are still there: the others get too little. Mask the "
        "scores, with `attn_mask`.",
        "call", lambda queries, keys, values, mask: plain(queries, keys, values * mask.transpose(-2, -1)),
    ),
    "causal-added": (
        "Later tokens are hidden as well, and nobody asked for that: leave out `is_causal` and `tril`.",
        "call",
        lambda queries, keys, values, mask: F.scaled_dot_product_attention(
            queries, keys, values, mask & torch.ones(queries.shape[-2], keys.shape[-2], dtype=torch.bool).tril()
        ),
    ),
    "no-scale": (
        "`scale` is the factor on the scores. Leave it out: the default is 1 over the root of the width.",
        "call",
        lambda queries, keys, values, mask: F.scaled_dot_product_attention(queries, keys, values, mask, scale=1.0),
    ),
    "scale-no-root": (
        "`scale` is the factor on the scores, and 1 over the width is too small. Leave it out: the default is 1 over "
        "the root of the width.",
        "call",
        lambda queries, keys, values, mask: F.scaled_dot_product_attention(
            queries, keys, values, mask, scale=1 / queries.shape[-1]
        ),
    ),
    "weights-on-keys": (
        steps.MIX["weights-on-keys"][0], "call",
        lambda queries, keys, values, mask: F.scaled_dot_product_attention(queries, keys, keys, mask),
    ),
    "merged": (
        "The heads are averaged. Return them as they come, `(batch, num_heads, num_queries, head_dim)`.",
        "call",
        lambda queries, keys, values, mask: F.scaled_dot_product_attention(queries, keys, values, mask).mean(dim=1),
    ),
    "random": (
        "Two calls give two results: SDPA drops whenever `dropout_p` is above 0. Leave it out.",
        "call",
        lambda queries, keys, values, mask: F.scaled_dot_product_attention(queries, keys, values, mask, dropout_p=0.3),
    ),
    "detached": (
        steps.DETACHED, "call",
        lambda queries, keys, values, mask: F.scaled_dot_product_attention(
            queries.detach(), keys.detach(), values, mask
        ),
    ),
})  # fmt: skip


@fused_attention.mistake("global-leak", steps.LEAK)
def _(queries, keys, values, key_padding_mask):
    return calling()(queries * notebook_scale / 0.5, keys, values, key_padding_mask)


@fused_attention.mistake("input-changed", "Your code turns the mask round in place, for all who use it.")
def _(queries, keys, values, key_padding_mask):
    return calling(mask=lambda padding, queries: padding.logical_not_()[:, None, None, :])(
        queries, keys, values, key_padding_mask
    )
