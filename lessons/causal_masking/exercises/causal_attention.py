"""`MyCausalAttention(d_in, d_out, context_length, dropout)`: one causal head, with dropout on its weights."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks.modules import BEHAVIOURS, ModuleExercise, keeps_its_mask
from course_utils.checks.training import drops_weights
from course_utils.lessons import shared
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS
from course_utils.lessons.softmax_and_scaling.exercises.products import FIXED, TIMES


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
    yield "2 texts of 11 tokens, which is the most, 4 wide to 6", (4, 6, 11, 0.0), draw(2, 11, 4) * 0.5
    zeros = torch.tensor([[0.5], [0.5], [0.0], [0.5]])
    yield "3 texts of 4 tokens, one of them zeros, 4 wide to 4", (4, 4, 6, 0.0), draw(3, 4, 4) * zeros
    yield "two batch axes, (2, 3, 4, 5)", (5, 2, 8, 0.0), draw(2, 3, 4, 5) * 0.5
    yield "a batch of one, a single token", (3, 4, 5, 0.0), draw(1, 1, 3)
    yield "a context of one token", (3, 2, 1, 0.0), draw(2, 1, 3)
    yield "large inputs", (3, 5, 6, 0.0), draw(4, 3).flip(0) * 40
    yield "more tokens than context_length", (3, 2, 4, 0.0), draw(2, 5, 3)


MISTAKES = """
no-length-check: A text longer than `context_length` gets no `ValueError` of yours: compare `x.shape[-2]`, and `raise`.
    if num_tokens > context_length -> if False
    or
    if num_tokens > context_length -> if False
    self.causal_mask[:num_tokens, :num_tokens] -> torch.ones(num_tokens, num_tokens).tril().bool()
length-off-by-one: A text of exactly `context_length` tokens is refused. It fits: refuse what is `>`, not `>=`.
    num_tokens > context_length -> num_tokens >= context_length
tokens-axis: The number of tokens is read off the wrong axis. Axes in front may be one, more or none: `x.shape[-2]`.
    x.shape[-2] -> x.shape[1]
keys-fixed-axes: The keys' axes are counted from the front, where one more or less shifts them: `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(1, 2)
batch-required: Only one axis may stand before the tokens here. Do not unpack `x.shape`: count from the end.
    num_tokens, context_length = x.shape[-2] -> (_, num_tokens, _), context_length = x.shape
dropout-rate:
    nn.Dropout(dropout) -> nn.Dropout(0.5)
mask-after-softmax: The open weights do not add up to 1. Fill the scores with `-torch.inf` before softmax.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    self.dropout(attn_weights) -> self.dropout(attn_weights * mask)
mask-shrinks:
    mask = self.causal_mask[ -> self.causal_mask = mask = self.causal_mask[
mask-not-buffer:
    self.register_buffer("causal_mask", …, persistent=False) -> self.causal_mask = …
extra-bias:
    , bias=False ->>
heads-in-list:
    self.W_query = …self.W_value = nn.Linear(d_in, d_out, bias=False) ->
        self.layers = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
    self.W_query(x), self.W_key(x), self.W_value(x) -> (layer(x) for layer in self.layers)
names:
    self.W_ ->> self.
state-leak:
    self.W_key(x) -> self.__dict__.setdefault("keys", self.W_key(x))
one-layer: Queries, keys and values come from one layer. Each needs its own: three `nn.Linear(…)`, and three calls.
    self.W_query(x), self.W_key(x), self.W_value(x) -> self.W_query(x), self.W_query(x), self.W_query(x)
mask-cut-at-end: The mask is cut at its end on one axis, so the diagonal is lost: `[:num_tokens, :num_tokens]`.
    [:num_tokens, :num_tokens] -> [-num_tokens:, :num_tokens]
values-for-keys: The queries meet the values. For the scores they meet the keys: `queries @ keys.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> values.transpose(-2, -1)
scale-context: You divided by the root of `context_length`. Take that of the queries' width: `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / context_length ** 0.5
"""

HEAD = (shared.SOFTMAX, shared.SOFTMAX_OF_ONE_HEAD, shared.SCORES, shared.RARE_IN_SCORES, FIXED, TIMES, shared.MIX)
SHARED = (*HEAD, shared.HIDE, shared.CAUSAL, shared.DROPOUT, shared.MODULE, shared.RESULTS)
MUST_HOLD = (*BEHAVIOURS, drops_weights, keeps_its_mask)
exercise = ModuleExercise(
    CausalAttentionSolution, cases, MISTAKES, shared=SHARED, behaviours=MUST_HOLD, **CONTEXT_AND_WEIGHTS
)
