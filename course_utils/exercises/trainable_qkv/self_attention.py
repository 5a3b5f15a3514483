"""`MySelfAttention(d_in, d_out)`: one head of attention, with three layers of its own."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks.exercise import Unasked
from course_utils.checks.modules import BEHAVIOURS, HINTS, ModuleExercise, no_stray_tensors
from course_utils.exercises import shared


class SelfAttentionSolution(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)  # (..., num_tokens, d_out)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        attn_weights = attention.softmax(attn_scores)  # (..., num_tokens, num_tokens)
        return attn_weights @ values, attn_weights


def cases(draw):
    yield "4 tokens, 3 wide to 2", (3, 2), draw(4, 3)
    yield "2 texts of 5 tokens, 4 wide to 6", (4, 6), draw(2, 5, 4) * 0.5
    yield "3 texts of 4 tokens, 4 wide to 4", (4, 4), draw(3, 4, 4) * 0.5
    yield "as many texts as tokens and numbers", (3, 3), draw(3, 3, 3)
    yield "two batch axes, (2, 3, 4, 5)", (5, 2), draw(2, 3, 4, 5) * 0.5
    yield "a batch of one, a single token", (3, 4), draw(1, 1, 3)
    yield "large inputs", (3, 5), draw(4, 3) * 20
    yield Unasked("float64"), (3, 4), draw(2, 5, 3, dtype=torch.float64)


MISTAKES = """
scale-after: You divided after softmax, so the rows no longer add up to 1. Divide the scores, before softmax.
    / queries.shape[-1] ** 0.5 ->
    attention.softmax(attn_scores) -> attention.softmax(attn_scores) / queries.shape[-1] ** 0.5
fixed-width: You divided by the root of 2, the width on the page. Other widths come, too: `queries.shape[-1] ** 0.5`.
    / queries.shape[-1] ** 0.5 -> / 2**0.5
scale-fixed-axis: `shape[1]` is the width of one text alone. In a batch it counts tokens: the width is `shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[1] ** 0.5
    or
    / queries.shape[-1] ** 0.5 -> / x.shape[1] ** 0.5
root-brackets: `** 1 / 2` takes the power of 1 first and halves afterwards. The root is `** 0.5`, or `** (1 / 2)`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1 / 2
root-brackets: You divided by half the width: `** 1 / 2`, like `* 0.5`, takes no root. It is `** 0.5`, or `** (1 / 2)`.
    / queries.shape[-1] ** 0.5 -> / (queries.shape[-1] ** 1 / 2)
softmax-axis: Your softmax runs along `dim=1`. That is the keys for a single text; in a batch it is the queries. Count
    from the end: `dim=-1`.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores, dim=1)
softmax-axis: Your softmax runs along `dim=2`. That is the keys for a batch; a single text has no such axis. Count from
    the end: `dim=-1`.
    attention.softmax(attn_scores) -> torch.softmax(attn_scores, dim=2)
softmax-no-dim: Without a `dim`, PyTorch guesses one from the number of axes: say `dim=-1`.
    attention.softmax(attn_scores) -> nn.functional.softmax(attn_scores)
keepdim-forgotten: The sums have lost their axis, so each column is divided by the sum of a row. Keep it: `sum(dim=-1,
    keepdim=True)`.
    attention.softmax(attn_scores) -> torch.exp(attn_scores) / torch.exp(attn_scores).sum(dim=-1)
    or
    attention.softmax(attn_scores) ->
        torch.exp(attn_scores - attn_scores.amax(dim=-1, keepdim=True)) ⏎
        attn_weights = attn_weights / attn_weights.sum(dim=-1)
unprojected: Queries, keys and values are the bare inputs: send `x` through the three layers first.
    self.W_query(x), self.W_key(x), self.W_value(x) -> x, x, x
shared-projection: Queries and keys come from the same layer, or the queries meet themselves: the keys need
    `self.W_key(x)`, and stand on the right of the `@`.
    self.W_key(x) -> self.W_query(x)
shared-projection: Queries and keys come from the same layer (which may have two names), or the keys meet
    themselves: the queries need `self.W_query(x)`, a layer of their own, and stand on the left of the `@`.
    self.W_query(x) -> self.W_key(x)
weights-on-keys: The weights are applied to the keys. The keys have done their work in the scores: what is mixed are the
    `values`, made with `self.W_value`.
mix-order: The weights stand on the left of the last `@`, the values on the right: a row of weights mixes rows of
    values.
    attn_weights @ values -> values @ attn_weights
elementwise: `*` multiplies number by number. Scores and context vectors are products of matrices: `@`.
    queries @ keys.transpose(-2, -1) -> queries * keys.transpose(-2, -1)
    or
    queries @ keys.transpose(-2, -1) -> queries * keys
    or
    attn_weights @ values -> attn_weights * values
weights-on-queries: The weights are applied to the queries. What is mixed are the `values`, made with `self.W_value`.
    attn_weights @ values -> attn_weights @ queries
layers-not-called: A layer is no tensor. Call it with its input, as in `self.W_query(x)`, each of the three.
    self.W_query(x), self.W_key(x), self.W_value(x) -> self.W_query, self.W_key, self.W_value
    or
    self.W_query(x), self.W_key(x), self.W_value(x) -> x @ self.W_query, x @ self.W_key, x @ self.W_value
    or
    self.W_value(x) -> self.W_value
linear-layout: The weight of an `nn.Linear` is stored turned, `(d_out, d_in)`. Call the layer, `self.W_query(x)`: it
    turns its weight itself.
    self.W_query(x), self.W_key(x), self.W_value(x) ->
        x @ self.W_query.weight, x @ self.W_key.weight, x @ self.W_value.weight
batch-mixed: The texts of the batch were run together into one long one: a change in one changes the others. Keep the
    first axis, and leave out the `view`, `reshape` or `flatten`.
    queries, keys, values = -> shape, x = x.shape, x.flatten(0, -2) ⏎ queries, keys, values =
    return attn_weights @ values -> return (attn_weights @ values).view(*shape[:-1], -1)
seq-batch-swapped: Axes 0 and 1 are exchanged: your tokens look at the same place in other texts. The batch comes first,
    `(batch, num_tokens, width)`: turn only the last two axes.
    queries, keys, values = -> x = x.transpose(0, -2) ⏎ queries, keys, values =
    return attn_weights @ values -> return (attn_weights @ values).transpose(0, -2)
keys-full-turn: `.T` turns all axes round, the batch with them. Name the two that should change places:
    `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.permute(*reversed(range(keys.dim())))
keys-fixed-axes: `transpose(0, 1)` names the two axes of one text. In a batch it exchanges texts and tokens. Count from
    the end: `transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(0, 1)
keys-fixed-axes: `transpose(1, 2)` names the axes of a batch, and one text has no axis 2. Count from the end:
    `transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(1, 2)
batch-required: Your `forward` takes a batch with one axis, and nothing else. The prompt has `(..., num_tokens, d_in)`:
    do not unpack `x.shape`, and count axes from the end.
    queries, keys, values = -> batch_size, num_tokens, d_in = x.shape ⏎ queries, keys, values =
batch-required: `torch.bmm`, or an `einsum` with a letter for the batch, takes one batch axis and nothing else. The
    prompt has `(..., num_tokens, d_in)`: `@` takes them all.
    queries @ keys.transpose(-2, -1) -> torch.bmm(queries, keys.transpose(-2, -1))
batch-refused: Your `forward` takes a single text alone. The prompt has `(..., num_tokens, d_in)`: do not unpack
    `x.shape`, and count axes from the end.
    queries, keys, values = -> num_tokens, d_in = x.shape ⏎ queries, keys, values =
    or
    queries @ keys.transpose(-2, -1) -> torch.mm(queries, keys.transpose(-2, -1))
scores-returned: The second result should be the weights, after softmax. You returned the scores.
    values, attn_weights -> values, attn_scores
super-forgotten: `super().__init__()` is missing: it must run before the first layer is put on `self`.
    super().__init__() ->
names:
    self.W_ ->> self.
heads-in-list:
    self.W_query = -> self.layers = [...] * 3 ⏎ self.layers[0] =
    self.W_key = -> self.layers[1] =
    self.W_value = -> self.layers[2] =
    self.W_query(x), self.W_key(x), self.W_value(x) -> (layer(x) for layer in self.layers)
widths-swapped: The widths have changed places: `nn.Linear(d_in, d_out)`, what comes in first.
    nn.Linear(d_in, d_out ->> nn.Linear(d_out, d_in
extra-bias:
    , bias=False ->>
extra-parameter:
    super().__init__() -> super().__init__() ⏎ self.scale = nn.Parameter(torch.tensor(d_out**-0.5))
    / queries.shape[-1] ** 0.5 -> * self.scale
dropout-in-eval:
    attention.softmax(attn_scores) -> nn.functional.dropout(attention.softmax(attn_scores), 0.3)
dropout-added:
    super().__init__() -> super().__init__() ⏎ self.dropout = nn.Dropout(0.5)
    return attn_weights @ values -> return self.dropout(attn_weights) @ values
state-leak:
    queries, keys, values = -> if not hasattr(self, "keys"): self.keys = self.W_key(x) ⏎ queries, keys, values =
    self.W_key(x) -> self.keys
one-layer: Queries, keys and values all come from one layer, or one layer has three names. Each needs its own:
    `nn.Linear(…)` three times in `__init__`, and three calls in `forward`.
    self.W_key = nn.Linear(d_in, d_out, bias=False) -> self.W_key = self.W_query
    self.W_value = nn.Linear(d_in, d_out, bias=False) -> self.W_value = self.W_query
    or
    self.W_query(x), self.W_key(x), self.W_value(x) -> self.W_query(x), self.W_query(x), self.W_query(x)
    or
    self.W_query(x), self.W_key(x), self.W_value(x) -> self.W_key(x), self.W_key(x), self.W_key(x)
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
    or
    queries @ keys.transpose(-2, -1) -> queries.transpose(-2, -1) @ keys
    return attn_weights @ values -> return values @ attn_weights
floor-division: `//` cuts off what stands behind the point of each score. Divide with `/`.
    / queries.shape[-1] ** 0.5 -> // queries.shape[-1] ** 0.5
"""

exercise = ModuleExercise(
    SelfAttentionSolution,
    cases,
    MISTAKES,
    shared=(shared.SOFTMAX, shared.SOFTMAX_OF_ONE_HEAD, shared.SCORES, shared.MIX, shared.MODULE, shared.RESULTS),
    outputs=("context_vecs", "attn_weights"),
    rows="attn_weights",
    behaviours=[behaviour for behaviour in BEHAVIOURS if behaviour is not no_stray_tensors],
    hints=(no_stray_tensors, *HINTS),
)
