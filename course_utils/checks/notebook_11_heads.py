"""The repair of notebook 11, case 5: heads whose split was computed and thrown away."""

import torch

from .. import attention
from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise

notebook_heads = 4  # what a notebook leaves lying about


def heads_by(
    split=attention.split_heads, score=steps.scaled_scores, normalise=steps.row_softmax, mix=steps.mix,
    merge=attention.merge_heads,
):  # fmt: skip
    """An answer with some of its steps replaced."""

    def answer(queries, keys, values, num_heads):
        queries, keys, values = (split(part, num_heads) for part in (queries, keys, values))
        attn_weights = normalise(score(queries, keys))
        return merge(mix(attn_weights, queries, keys, values))

    return answer


def heads_cases(draw):
    def qkv(batch, queries, keys, width, dtype=torch.float32):
        return (0.6 * draw(batch, tokens, width, dtype=dtype) for tokens in (queries, keys, keys))

    yield "2 texts, 5 queries, 7 keys, 12 wide, 4 heads", *qkv(2, 5, 7, 12), 4
    yield "as many queries as keys, 3 heads of 5", *qkv(2, 4, 4, 15), 3
    yield "as many heads as tokens", *qkv(1, 3, 3, 6), 3
    yield "as many texts as heads", *qkv(2, 5, 5, 6), 2
    yield "one head", *qkv(2, 3, 4, 5), 1
    yield "heads of width 1", *qkv(2, 3, 5, 4), 4
    yield "a batch of one, a single token", *qkv(1, 1, 1, 6), 2
    yield "float64", *qkv(2, 3, 5, 8, torch.float64), 2


many_heads = Exercise(
    "many_heads", heads_by(), heads_cases, outputs=("context_vecs",), behaviours=(gradient_flows, repeats),
    make=heads_by,
)  # fmt: skip
many_heads.wrong_steps(steps.SCALE | steps.MIX)
many_heads.wrong_steps(steps.SCORES)
many_heads.wrong_steps({
    "view-no-transpose": (
        "Your split gives the right shape and the wrong numbers: a `view` straight to `(batch, heads, tokens, "
        "head_dim)` mixes tokens. Cut the last axis, then exchange axes 1 and 2, as `attention.split_heads` does.",
        "split", lambda x, num_heads: x.reshape(len(x), num_heads, x.shape[1], -1),
    ),
    "head-count-dim": (
        "The number of heads and their width have changed places. `attention.split_heads` takes the number of heads.",
        "split", lambda x, num_heads: attention.split_heads(x, x.shape[-1] // num_heads),
    ),
    "merge-no-transpose": (
        "Halfway: the split is kept now, and the last line is still the old one: a `reshape` with the heads in front "
        "interleaves tokens and features. Turn axes 1 and 2 back first, or use `attention.merge_heads`, and keep what "
        "it returns.",
        "merge", lambda x: x.reshape(len(x), x.shape[2], -1),
    ),
    "merge-discarded": (
        "Halfway: the split is kept now, and four axes come back. The heads must be laid side by side again: return "
        "what `attention.merge_heads` gives.",
        "merge", lambda x: x,
    ),
    "merge-half": (
        "Halfway: the axes are turned back, and not joined: four axes come back. Flatten the last two.",
        "merge", lambda x: x.transpose(1, 2),
    ),
    "not-contiguous": (
        "After `transpose`, `view` refuses. Use `reshape`, or `attention.merge_heads`.",
        "merge", lambda x: x.transpose(1, 2).view(len(x), x.shape[2], -1),
    ),
    "first-head-only": ("Only the first head comes back.", "merge", lambda x: x[:, 0]),
    "heads-averaged": ("The heads are averaged. They stand side by side.", "merge", lambda x: x.mean(dim=1)),
    "features-dealt-out": (
        "The heads' features take turns. Each head's features stay neighbours: the heads' axis before the features.",
        "merge", lambda x: x.permute(0, 2, 3, 1).flatten(2),
    ),
    "softmax-axis": (
        steps.SOFTMAX["softmax-axis"][0],
        "normalise", lambda scores: torch.softmax(scores, dim=-2),
    ),
    "softmax-heads": (
        "Your softmax runs over the heads. The keys are on the last axis, `dim=-1`.",
        "normalise", lambda scores: torch.softmax(scores, dim=1),
    ),
    "scale-model": (
        "You divided by the root of the whole width. The dot product now runs over one head: `queries.shape[-1]`, read "
        "after the split.",
        "score", lambda queries, keys: steps.raw_scores(queries, keys) / (queries.shape[-1] * queries.shape[1]) ** 0.5,
    ),
})  # fmt: skip


@many_heads.mistake(
    "split-discarded",
    "This is the bug as it was: what `split_heads` returns is thrown away, so there is one wide head, whatever "
    "`num_heads` says. Give each result a name: `queries = attention.split_heads(queries, num_heads)`.",
)
def _(queries, keys, values, num_heads):
    return heads_by()(queries, keys, values, 1)


@many_heads.mistake(
    "values-unsplit",
    "Halfway: queries and keys are split, the values are not. Each head needs its own slice of them.",
)
def _(queries, keys, values, num_heads):
    queries, keys = attention.split_heads(queries, num_heads), attention.split_heads(keys, num_heads)
    attn_weights = torch.softmax(steps.scaled_scores(queries, keys), dim=-1)
    return (attn_weights.mean(dim=1) @ values) if num_heads == 1 else (attn_weights @ values)


@many_heads.mistake(
    "batch-mixed", "Heads and texts are folded into one axis, and taken apart the wrong way: heads first, texts second."
)
def _(queries, keys, values, num_heads):
    parts = (attention.split_heads(part, num_heads).flatten(0, 1) for part in (queries, keys, values))
    context_vecs, _ = attention.scaled_dot_product_attention(*parts)
    return attention.merge_heads(context_vecs.unflatten(0, (num_heads, -1)).transpose(0, 1))


@many_heads.mistake("detached", steps.DETACHED)
def _(queries, keys, values, num_heads):
    return heads_by()(queries, keys, values, num_heads).detach()


@many_heads.mistake("global-leak", steps.LEAK)
def _(queries, keys, values, num_heads):
    return heads_by()(queries, keys, values, notebook_heads)
