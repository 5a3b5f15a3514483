"""`MyCausalAttention(d_in, d_out, context_length, dropout)`: one causal head, with dropout on its weights."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks.exercise import Unasked
from course_utils.checks.modules import BEHAVIOURS, ModuleExercise, keeps_its_mask
from course_utils.checks.training import drops_weights
from course_utils.exercises import shared


class CausalAttentionSolution(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal_mask", attention.causal_mask(context_length), persistent=False)

    def forward(self, x):
        num_tokens, context_length = x.shape[-2], len(self.causal_mask)
        if num_tokens > context_length:
            raise ValueError(f"{num_tokens} tokens are more than context_length = {context_length}.")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)  # (..., num_tokens, d_out)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        mask = self.causal_mask[:num_tokens, :num_tokens]
        attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
        attn_weights = self.dropout(attn_weights)  # (..., num_tokens, num_tokens)
        return attn_weights @ values, attn_weights


def cases(draw):
    yield "4 tokens of at most 7, 3 wide to 2", (3, 2, 7, 0.3), draw(4, 3)
    yield "2 texts of 5 tokens, which is the most, 4 wide to 6", (4, 6, 5, 0.0), draw(2, 5, 4) * 0.5
    zeros = torch.tensor([[0.5], [0.5], [0.0], [0.5]])
    yield "3 texts of 4 tokens, one of them zeros, 4 wide to 4", (4, 4, 6, 0.0), draw(3, 4, 4) * zeros
    yield "two batch axes, (2, 3, 4, 5)", (5, 2, 8, 0.0), draw(2, 3, 4, 5) * 0.5
    yield "a batch of one, a single token", (3, 4, 5, 0.0), draw(1, 1, 3)
    yield "a context of one token", (3, 2, 1, 0.0), draw(2, 1, 3)
    yield "large inputs", (3, 5, 6, 0.0), draw(4, 3) * 20
    yield "more tokens than context_length", (3, 2, 4, 0.0), draw(2, 5, 3)
    yield Unasked("float64"), (3, 4, 7, 0.5), draw(2, 5, 3, dtype=torch.float64)


MISTAKES = """
no-length-check: A text longer than `context_length` gets no `ValueError` of yours. Compare `x.shape[-2]` with
    `context_length` at the start of `forward`, and `raise`.
    if num_tokens > context_length -> if False
no-length-check: A text longer than `context_length` gets no `ValueError`: your mask is cut to fit, or its size comes
    from the text. Compare `x.shape[-2]` with `context_length`, and `raise`.
    if num_tokens > context_length -> if False
    self.causal_mask[:num_tokens, :num_tokens] -> torch.ones(num_tokens, num_tokens).tril().bool()
length-off-by-one: A text of exactly `context_length` tokens is refused. It fits: your condition should be `>`, not
    `>=`.
    num_tokens > context_length -> num_tokens >= context_length
error-kind: An `assert` raises an `AssertionError`, and can be switched off. Raise a `ValueError` instead.
    raise ValueError -> raise AssertionError
tokens-axis: The number of tokens is read off the wrong axis: there may be a batch before it, or none. Count from the
    end, `x.shape[-2]`.
    x.shape[-2] -> x.shape[0]
    or
    x.shape[-2] -> x.shape[1]
mask-renormalised: You erase after softmax and divide by what is left. With large inputs, a hidden score takes
    everything, and the open weights are 0 / 0. Hide the scores before softmax, with `-torch.inf`.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    self.dropout(attn_weights) -> self.dropout(attn_weights * mask / (attn_weights * mask).sum(dim=-1, keepdim=True))
mask-not-bool: The mask holds numbers, and `masked_fill` takes booleans: `.bool()` when you make it, or `== 0` when you
    use it.
    ~mask, -torch.inf -> (~mask).float(), -torch.inf
scale-wrong-axis: You divided by the root of `context_length`. It should be that of the queries' width.
    queries.shape[-1] ** 0.5 -> context_length ** 0.5
v-unprojected: The weights are applied to the inputs. What is mixed are the values: `self.W_value(x)`.
    attn_weights @ values -> attn_weights @ x
unprojected: Queries, keys and values are the bare inputs: send `x` through the three layers first.
    self.W_query(x), self.W_key(x), self.W_value(x) -> x, x, x
widths-swapped: The widths have changed places: `nn.Linear(d_in, d_out)`, what comes in first.
    nn.Linear(d_in, d_out ->> nn.Linear(d_out, d_in
batch-mixed: The texts of the batch were run together into one long one: a change in one changes the others. Keep the
    first axis, and leave out the `view`, `reshape` or `flatten`.
    queries, keys, values = -> shape, x = x.shape, x.flatten(0, -2); queries, keys, values =
    self.causal_mask[:num_tokens, :num_tokens] -> torch.ones(len(x), len(x)).tril().bool()
    return attn_weights @ values -> return (attn_weights @ values).view(*shape[:-1], -1)
seq-batch-swapped: Axes 0 and 1 are exchanged: your tokens look at the same place in other texts. The batch comes first,
    `(batch, num_tokens, width)`: turn only the last two axes.
    queries, keys, values = -> x = x.transpose(0, -2); queries, keys, values =
    causal_mask[:num_tokens, :num_tokens] -> causal_mask[: x.shape[-2], : x.shape[-2]]
    return attn_weights @ values -> return (attn_weights @ values).transpose(0, -2)
keys-full-turn: `.T` turns all axes round, the batch with them. Name the two that should change places:
    `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.permute(*reversed(range(keys.dim())))
batch-required: Your `forward` takes a batch with one axis, and nothing else. The prompt has `(..., num_tokens, d_in)`:
    do not unpack `x.shape`, and count axes from the end.
    num_tokens, context_length = x.shape[-2] -> (_, num_tokens, _), context_length = x.shape
dropout-rate:
    nn.Dropout(dropout) -> nn.Dropout(0.5)
dropout-before-softmax:
    attn_weights = self.dropout(attn_weights) ->
    torch.softmax(attn_scores -> torch.softmax(self.dropout(attn_scores)
mask-after-softmax: You set weights to 0 after softmax, and the rows no longer add up to 1. Hide the scores before
    softmax, with `-torch.inf`.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    self.dropout(attn_weights) -> self.dropout(attn_weights * mask)
scale-after: You divided after softmax, so the rows no longer add up to 1. Divide the scores, before softmax.
    / queries.shape[-1] ** 0.5 ->
    self.dropout(attn_weights) -> self.dropout(attn_weights / queries.shape[-1] ** 0.5)
mask-shrinks:
    mask = self.causal_mask[ -> self.causal_mask = mask = self.causal_mask[
mask-not-buffer:
    self.register_buffer("causal_mask", …, persistent=False) -> self.causal_mask = …
extra-parameter:
    self.register_buffer("causal_mask", …, persistent=False) ->
        self.causal_mask = nn.Parameter(….float(), requires_grad=False)
    ~mask, -torch.inf -> mask == 0, -torch.inf
extra-bias:
    , bias=False ->>
heads-in-list:
    self.W_query = -> self.layers = [...] * 3; self.layers[0] =
    self.W_key = -> self.layers[1] =
    self.W_value = -> self.layers[2] =
    self.W_query(x), self.W_key(x), self.W_value(x) -> (layer(x) for layer in self.layers)
names:
    self.W_ ->> self.
state-leak:
    self.W_key(x) -> self.__dict__.setdefault("keys", self.W_key(x))
one-layer: Queries, keys and values all come from one layer, or one layer has three names. Each needs its own:
    `nn.Linear(…)` three times in `__init__`, and three calls in `forward`.
    self.W_key = nn.Linear(d_in, d_out, bias=False) -> self.W_key = self.W_query
    self.W_value = nn.Linear(d_in, d_out, bias=False) -> self.W_value = self.W_query
    or
    self.W_query(x), self.W_key(x), self.W_value(x) -> self.W_query(x), self.W_query(x), self.W_query(x)
    or
    self.W_query(x), self.W_key(x), self.W_value(x) -> self.W_key(x), self.W_key(x), self.W_key(x)
shared-projection: Queries and keys come from one layer, or it has two names. The queries need their own:
    `self.W_query(x)`.
    self.W_query(x) -> self.W_key(x)
shared-projection: Queries and values come from one layer, or it has two names. The queries need their own:
    `self.W_query(x)`.
    self.W_query(x) -> self.W_value(x)
shared-projection: Keys and values come from one layer, or it has two names. The keys need their own: `self.W_key(x)`.
    self.W_key(x) -> self.W_value(x)
layers-chained: A layer is called on what another one gave. All three take the inputs: `self.W_query(x)`,
    `self.W_key(x)`, `self.W_value(x)`.
    self.W_key(x) -> self.W_key(self.W_query(x))
    or
    self.W_value(x) -> self.W_value(self.W_key(x))
    or
    self.W_value(x) -> self.W_value(self.W_query(x))
    or
    self.W_key(x), self.W_value(x) -> self.W_key(self.W_query(x)), self.W_value(self.W_key(self.W_query(x)))
    or
    self.W_key(x), self.W_value(x) -> self.W_key(self.W_query(x)), self.W_value(self.W_query(x))
root-cut: The root was made a whole number. It seldom is one: leave out what cuts or rounds it, `** 0.5` is enough.
    / queries.shape[-1] ** 0.5 -> / int(queries.shape[-1] ** 0.5)
    or
    / queries.shape[-1] ** 0.5 -> / round(queries.shape[-1] ** 0.5)
scale-no-root: All in all you divided by the width itself. Divide the product once, by its root, `** 0.5`. (The root
    under queries and keys both is the width again.)
something-added: Something is added to the mix. A context vector is the mix alone: `attn_weights @ values`.
    return attn_weights @ values, -> return attn_weights @ values + x,
    or
    return attn_weights @ values, -> return attn_weights @ values + values,
weights-missing: Two results are asked for, no fewer and no more: `return context_vecs, attn_weights`.
queries-turned: The queries are turned, and the keys are not. Turn the last two axes of the keys.
    queries @ keys.transpose(-2, -1) -> queries.transpose(-2, -1) @ keys
mask-cut-at-end: Your mask is cut at its end along one axis, and at its start along the other, so the diagonal is lost.
    Cut both at the start: `[:num_tokens, :num_tokens]`.
    [:num_tokens, :num_tokens] -> [-num_tokens:, :num_tokens]
    or
    [:num_tokens, :num_tokens] -> [:num_tokens, -num_tokens:]
zero-hidden: A score that is 0 by itself is hidden too: you look for zeros among the scores. Ask the mask where to hide:
    `masked_fill(~mask, -torch.inf)`.
    masked_fill(~mask, -torch.inf) -> masked_fill(attn_scores * mask == 0, -torch.inf)
floor-division: `//` cuts off what stands behind the point of each score. Divide with `/`.
    / queries.shape[-1] ** 0.5 -> // queries.shape[-1] ** 0.5
inf-after-softmax: Minus infinity is filled into the weights. It hides *scores*: fill it in before softmax.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    self.dropout(attn_weights) -> self.dropout(attn_weights.masked_fill(~mask, -torch.inf))
short-refused: A text shorter than `context_length` is refused. It fits: your condition should be `>`, not `!=`.
    num_tokens > context_length -> num_tokens != context_length
softmax-axis: Your softmax runs along `dim=1`. That is the keys for a single text; in a batch it is the queries. Count
    from the end: `dim=-1`.
    -torch.inf), dim=-1) -> -torch.inf), dim=1)
"""

exercise = ModuleExercise(
    CausalAttentionSolution,
    cases,
    MISTAKES,
    shared=(
        shared.SOFTMAX,
        shared.SOFTMAX_OF_ONE_HEAD,
        shared.SCORES,
        shared.MIX,
        shared.HIDE,
        shared.CAUSAL,
        shared.DROPOUT,
        shared.MODULE,
        shared.RESULTS,
    ),
    outputs=("context_vecs", "attn_weights"),
    rows="attn_weights",
    behaviours=(*BEHAVIOURS, drops_weights, keeps_its_mask),
)
