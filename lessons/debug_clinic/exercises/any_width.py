"""`MyAnyWidth(d_in, d_out)`: a causal head that reads its sizes off what it is given."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks.modules import BEHAVIOURS, ModuleExercise
from course_utils.lessons import shared
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS
from course_utils.lessons.debug_clinic.exercises.shared import FIXED_AXES, HIDE, PAIRS, SCORES, SOFTMAX
from course_utils.lessons.findings import finding


class AnyWidthSolution(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        mask = attention.causal_mask(x.shape[-2])
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        return attn_weights @ values, attn_weights


def cases(draw):
    yield "4 tokens, 3 wide to 2", (3, 2), draw(4, 3)
    yield "2 texts of 11 tokens, 4 wide to 7", (4, 7), draw(2, 11, 4) * 0.5
    yield "4 texts of 4 tokens, 4 wide to 4", (4, 4), draw(4, 4, 4) * 0.5
    yield "3 texts of 5 tokens, 6 wide to 8", (6, 8), draw(3, 5, 6) * 0.5
    yield "5 tokens, 6 wide to 12, as in the notebook", (6, 12), draw(5, 6) * 0.5
    yield "a batch of one, a single token", (3, 4), draw(1, 1, 3)


def takes_another_length(exercise, answer: type):
    """Yield ("mask-kept", message) if the answer's module, after one text, raises on a shorter or longer one."""
    sizes, x = exercise.case(0).args
    for other in (x[:2], torch.cat([x, x])):
        model = exercise.instance(answer, sizes)
        model(x)
        try:
            model(other)
        except (RuntimeError, ValueError, IndexError):
            yield finding(exercise, "mask-kept")
            return


def takes_long_texts(exercise, answer):
    """Yield ("mask-too-small", message) if the answer's module raises on 2,000 tokens. answer: a class."""
    sizes, x = exercise.case(0).args
    try:
        exercise.instance(answer, sizes)(x.repeat(2000 // len(x), 1))
    except (RuntimeError, ValueError, IndexError):
        yield finding(exercise, "mask-too-small")


MISTAKES = """
=softmax-by-torch:
    attention.softmax(…) -> torch.softmax(…, dim=-1)
=the-course-attends:
    attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf)) ->
    return attn_weights @ values, attn_weights ->
        return attention.scaled_dot_product_attention(queries, keys, values, mask)
no-mask: The future is open. Hide it for the tokens that come in: `attention.causal_mask(x.shape[-2])`.
keys-fixed-axes: A batch is right, and one text has no axis 2. Count from the end: `.transpose(-2, -1)`, `dim=-1`.
    keys.transpose(-2, -1) -> keys.transpose(1, 2)
mask-from-batch: The mask is as long as the first axis, and in a batch that counts the texts. Tokens are `x.shape[-2]`.
    x.shape[-2] -> x.shape[0]
tokens-fixed-axis: Halfway: in one text, axis 1 counts the features, not the tokens. Count from the end: `x.shape[-2]`.
    x.shape[-2] -> x.shape[1]
tokens-from-width: The mask is as long as the tokens are wide. It hides tokens: their number is `x.shape[-2]`.
    x.shape[-2] -> x.shape[-1]
mask-size-fixed: Halfway: the mask is 5 by 5, whatever the text. Read the number off the input, `x.shape[-2]`.
    x.shape[-2] -> 5
width-fixed: Halfway: you divide by the root of 12, whatever the width. Read it off the queries, `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / 12**0.5
mask-after-softmax: Weights are hidden after softmax: rows add up to less than 1. Fill the scores with `-torch.inf`.
    attention.softmax(attn_scores.masked_fill(~mask, -torch.inf)) -> attention.softmax(attn_scores) * mask
mask-kept: After one text, another of a different length does not fit: your `forward` makes its mask at the first call
    and keeps it on `self`. Make it in each call, `mask = attention.causal_mask(x.shape[-2])`.
    mask = attention.causal_mask(x.shape[-2]) ->
        mask = self.__dict__.setdefault("mask", attention.causal_mask(x.shape[-2]))
mask-too-small: A text of 2,000 tokens is longer than your mask, whose size is typed in. Make it for the tokens that
    have come: `attention.causal_mask(x.shape[-2])`.
    super().__init__() -> super().__init__() ⏎ self.register_buffer("mask", attention.causal_mask(1024))
    mask = attention.causal_mask(x.shape[-2]) -> mask = self.mask[: x.shape[-2], : x.shape[-2]]
weights-on-keys: The keys are delivered. Deliver the values, `self.W_value(x)`.
extra-bias:
    , bias=False ->
names:
    self.W_ ->> self.
self-not-set: `self.d_out` is read in `forward` and was never set. Put `self.d_out = d_out` into `__init__`, or read
    the width off the queries.
    / queries.shape[-1] ** 0.5 -> / self.d_out**0.5
state-leak:
    self.W_key(x) -> self.__dict__.setdefault("keys", self.W_key(x))
dropout-added:
    attention.softmax(…) -> nn.functional.dropout(attention.softmax(…), 0.1, self.training)
"""

SHARED = (SOFTMAX, shared.MIX, shared.CAUSAL, shared.MODULE, FIXED_AXES, HIDE, SCORES, PAIRS)
MUST_HOLD = (*BEHAVIOURS, takes_another_length, takes_long_texts)
exercise = ModuleExercise(AnyWidthSolution, cases, MISTAKES, shared=SHARED, behaviours=MUST_HOLD, **CONTEXT_AND_WEIGHTS)
