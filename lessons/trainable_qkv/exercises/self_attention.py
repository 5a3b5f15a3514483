"""`MySelfAttention(d_in, d_out)`: one head of attention, with three layers of its own."""

from torch import nn

from course_utils import attention
from course_utils.checks.modules import BEHAVIOURS, HINTS, ModuleExercise, no_stray_tensors
from course_utils.lessons import shared
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS
from course_utils.lessons.softmax_and_scaling.exercises.products import FIXED, TIMES


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
    yield "2 texts of 11 tokens, 4 wide to 6", (4, 6), draw(2, 11, 4) * 0.5
    yield "3 texts of 4 tokens, 4 wide to 4", (4, 4), draw(3, 4, 4) * 0.5
    yield "as many texts as tokens and numbers", (3, 3), draw(3, 3, 3)
    yield "two batch axes, (2, 3, 4, 5)", (5, 2), draw(2, 3, 4, 5) * 0.5
    yield "a batch of one, a single token", (3, 4), draw(1, 1, 3)
    yield "large inputs", (3, 5), draw(4, 3) * 20


MISTAKES = """
qk-swapped: The scores lie on their side. A row is a query: what `W_query` gives stands left of the `@`.
root-brackets: You divided by twice or half the width: `** 1 / 2` and `* 0.5` take no root. Write `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1 / 2
scale-after: You divided after softmax, so the rows no longer add up to 1. Divide the scores, before softmax.
    / queries.shape[-1] ** 0.5 ->
    attention.softmax(attn_scores) -> attention.softmax(attn_scores) / queries.shape[-1] ** 0.5
softmax-axis: Your softmax runs over the keys for one number of axes alone. Count from the end: `dim=-1`.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores, dim=1)
layers-not-called: A layer is no tensor. Call it with its input, as in `self.W_query(x)`, each of the three.
    self.W_query(x), self.W_key(x), self.W_value(x) -> self.W_query, self.W_key, self.W_value
linear-layout: The weight of an `nn.Linear` is stored turned, `(d_out, d_in)`. Call the layer itself: `self.W_query(x)`.
    self.W_query(x), self.W_key(x), self.W_value(x) ->
        x @ self.W_query.weight, x @ self.W_key.weight, x @ self.W_value.weight
keys-fixed-axes: The keys are turned right for one number of axes alone. Count from the end: `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(1, 2)
batch-required: Your code takes exactly one axis of batch, the prompt any number. Count from the end, with `@` or `...`.
    queries, keys, values = -> batch_size, num_tokens, d_in = x.shape ⏎ queries, keys, values =
heads-in-list:
    self.W_query = …self.W_value = nn.Linear(d_in, d_out, bias=False) ->
        self.layers = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
    self.W_query(x), self.W_key(x), self.W_value(x) -> (layer(x) for layer in self.layers)
extra-bias:
    , bias=False ->>
extra-parameter:
    super().__init__() -> super().__init__() ⏎ self.scale = nn.Parameter(torch.tensor(d_out**-0.5))
    / queries.shape[-1] ** 0.5 -> * self.scale
dropout-added:
    super().__init__() -> super().__init__() ⏎ self.dropout = nn.Dropout(0.5)
    return attn_weights @ values -> return self.dropout(attn_weights) @ values
state-leak:
    queries, keys, values = -> if not hasattr(self, "keys"): self.keys = self.W_key(x) ⏎ queries, keys, values =
    self.W_key(x) -> self.keys
one-layer: Queries, keys and values all come from one layer. Each needs its own, in `__init__` and in `forward`.
    self.W_query(x), self.W_key(x), self.W_value(x) -> self.W_query(x), self.W_query(x), self.W_query(x)
values-for-keys: The queries meet the values. For the scores they meet the keys: `queries @ keys.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> values.transpose(-2, -1)
mask-unasked: Your weights are causal. No mask is asked for here: it comes in the next notebook.
    (attn_scores) -> (attn_scores.masked_fill(~torch.ones_like(attn_scores).bool().tril(), -torch.inf))
"""

HEAD = (shared.SOFTMAX, shared.SOFTMAX_OF_ONE_HEAD, shared.SCORES, shared.RARE_IN_SCORES, FIXED, TIMES, shared.MIX)
exercise = ModuleExercise(
    SelfAttentionSolution,
    cases,
    MISTAKES,
    shared=(*HEAD, shared.MODULE, shared.RESULTS),
    behaviours=[behaviour for behaviour in BEHAVIOURS if behaviour is not no_stray_tensors],
    hints=(no_stray_tensors, *HINTS),
    **CONTEXT_AND_WEIGHTS,
)
