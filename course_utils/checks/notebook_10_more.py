"""Further wrong answers to the exercises of notebook 10."""

import torch

from . import notebook_10, notebook_10_scores, notebook_10_silence
from .notebook_10 import same_by_loop
from .notebook_10_scores import scores_by_rows, top_by, top_by_flat_index
from .notebook_10_silence import columns, zeroed

same_pattern = notebook_10.same_pattern
pattern_scores, top_heads = notebook_10_scores.pattern_scores, notebook_10_scores.top_heads
without_head = notebook_10_silence.without_head

# ---- same_pattern


@same_pattern.mistake(
    "nothing-marked",
    "No cell is marked. Compare words with words, `==`, and places with places, `i != j`: a word that stands twice "
    "has two places.",
)
def _(tokens):
    return torch.zeros(len(tokens), len(tokens), dtype=torch.bool)


@same_pattern.mistake(
    "return-in-loop", "Only the first row is filled: `return` stands inside the loop. Move it to the left."
)
def _(tokens):
    pattern = same_by_loop(tokens)
    pattern[1:] = False
    return pattern


@same_pattern.mistake("rows-marked", same_pattern.words("rows-marked"))
def _(tokens):
    return torch.tensor([[tokens.count(a) > 1 and i != j for j in range(len(tokens))] for i, a in enumerate(tokens)])


# ---- pattern_scores

pattern_scores.wrong_steps({
    "marks-mean": (
        "You averaged the marks of each row. A row with two marks may share its weight between them: add up along a "
        "row, and average over the rows.",
        "add", lambda on: on.sum(dim=-1) / (on != 0).sum(dim=-1).clamp(min=1),
    ),
    "rows-all": (
        "`all` asks for rows in which every cell is marked. One mark is enough: `pattern.any(dim=-1)`.",
        "rows", lambda pattern: pattern.all(dim=-1),
    ),
})  # fmt: skip


@pattern_scores.mistake(
    "one-number", "One number comes back for all heads together. Take the mean along the last axis only: `dim=-1`."
)
def _(attn_weights, pattern):
    return scores_by_rows(attn_weights, pattern).mean()


@pattern_scores.mistake(
    "rows-on-first-axis",
    "Without `...`, the choice is made on the first axis, the layers. The rows are the last axis of what you added "
    "up: `on_marks[..., chosen]`.",
)
def _(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell.")
    return (attn_weights * pattern).sum(dim=-1)[pattern.any(dim=-1)].mean(dim=-1)


@pattern_scores.mistake(
    "check-inverted", "You refuse the patterns that have marks. Refuse the one without: `if not pattern.any():`."
)
def _(attn_weights, pattern):
    if pattern.any():
        raise ValueError("the pattern marks no cell.")
    return (attn_weights * pattern).sum(dim=-1)[..., pattern.any(dim=-1)].mean(dim=-1)


# ---- top_heads

top_heads.wrong_steps({
    "true-division": (
        "`/` gives fractions, and a layer is a whole number: divide with `//`.",
        "places", lambda best, scores: (best / scores.shape[-1], best % scores.shape[-1]),
    ),
    "wrong-width-layer": (
        "You divided by the number of layers. One layer after another is laid out flat, so each layer takes as many "
        "places as it has heads: `// scores.shape[-1]`.",
        "places", lambda best, scores: (best // scores.shape[0], best % scores.shape[-1]),
    ),
    "wrong-width-head": (
        "The remainder is taken with the number of layers. A layer takes as many places as it has heads: "
        "`% scores.shape[-1]`.",
        "places", lambda best, scores: (best // scores.shape[-1], best % scores.shape[0]),
    ),
    "counted-from-one": (
        "You count from 1. The first layer and the first head are 0, as everywhere.",
        "places", lambda best, scores: (best // scores.shape[-1] + 1, best % scores.shape[-1] + 1),
    ),
})  # fmt: skip


@top_heads.mistake(
    "turned-first",
    "You turned the table before laying it flat, so that heads come first. Leave it: `scores.flatten()`.",
)
def _(scores, count):
    return top_by()(scores.transpose(0, 1).reshape(scores.shape), count)


@top_heads.mistake(
    "reshape-for-stack",
    "`reshape` mixes layers with heads: it keeps the order in which numbers lie. Stack along the last axis: "
    "`torch.stack(…, dim=-1)`.",
)
def _(scores, count):
    return top_by_flat_index(scores, count).transpose(0, 1).reshape(count, 2)


@top_heads.mistake(
    "cat-for-stack", "`cat` puts all layers before all heads, in one row. Stack along a new, last axis: `torch.stack`."
)
def _(scores, count):
    return torch.cat(top_by_flat_index(scores, count).unbind(dim=-1))


@top_heads.mistake("indices-missing", "`topk` gives a pair, values and indices. Take the places: `.indices`.")
def _(scores, count):
    best = scores.flatten().topk(count)
    return torch.stack([best // scores.shape[-1], best % scores.shape[-1]], dim=-1)


# ---- without_head

without_head.mistake(
    "head-off-by-one", "Another head was silenced, the one before. Head 1 begins at column `1 * head_dim`."
)(zeroed(lambda attention, head, head_dim: columns(attention, head - 1, head_dim)))


@without_head.mistake(
    "output-columns",
    "You set features of the *output* to zero. `out_proj` has mixed all heads by then. Set columns of "
    "`out_proj.weight` to zero before you call `attention(x)`.",
)
def _(attention, x, head):
    head_dim = attention.out_proj.in_features // attention.num_heads
    output = attention(x)[0].clone()
    output[..., head * head_dim : (head + 1) * head_dim] = 0
    return output


@without_head.mistake(
    "value-bias-left",
    "The head still delivers the bias of its values. Do not change `W_value`: set to zero what `out_proj` takes from "
    "the head.",
)
def _(attention, x, head):
    kept, head_dim = attention.W_value.weight.detach().clone(), attention.out_proj.in_features // attention.num_heads
    with torch.no_grad():
        attention.W_value.weight[head * head_dim : (head + 1) * head_dim] = 0
        output = attention(x)[0]
        attention.W_value.weight.copy_(kept)
    return output


@without_head.mistake(
    "no-such-name",
    "This module does not keep `head_dim`. Work it out: `attention.out_proj.in_features // attention.num_heads`.",
)
def _(attention, x, head):
    return attention.head_dim


@without_head.mistake(
    "tensor-for-parameter",
    "A parameter cannot be replaced by a plain tensor. Write the old numbers back into it, with `copy_` under "
    "`torch.no_grad()`.",
)
def _(attention, x, head):
    kept = attention.out_proj.weight.detach().clone()
    attention.out_proj.weight = kept
