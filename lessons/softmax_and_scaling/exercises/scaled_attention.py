"""`my_scaled_attention(queries, keys, values)`: scaled dot-product attention, with nothing ready-made."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import forbids
from course_utils.lessons import shared
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS, TRAINABLE
from course_utils.lessons.softmax_and_scaling.exercises.by_hand import BY_HAND
from course_utils.lessons.softmax_and_scaling.exercises.products import FIXED, PRODUCT, TIMES


def scaled_attention_solution(queries, keys, values):
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    highest = attn_scores.amax(dim=-1, keepdim=True)
    exps = torch.exp(attn_scores - highest)
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    return attn_weights @ values, attn_weights


def cases(draw):
    yield "3 queries, 4 keys, widths 5 and 2", draw(3, 5), draw(4, 5), draw(4, 2)
    yield "a batch of 2", draw(2, 3, 6), draw(2, 5, 6), draw(2, 5, 4)
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), draw(2, 3, 6, 5), draw(2, 3, 6, 2)
    yield "everything of length 3", draw(3, 3, 3), draw(3, 3, 3), draw(3, 3, 3)
    yield "as many queries as keys", draw(17, 2), draw(17, 2), draw(17, 4)
    yield "large scores", draw(2, 3) * 50, draw(4, 3) * 50, draw(4, 2)
    yield "large negative scores", draw(2, 3).abs() * 50, draw(4, 3).abs() * -50, draw(4, 2)
    yield "a small row under a large one", torch.tensor([[900.0, 0], [0, 0.5]]), draw(3, 2) + 2, draw(3, 4)
    yield "a batch of one, a single key", draw(1, 3, 4), draw(1, 1, 4), draw(1, 1, 2)


MISTAKES = """
max-of-raw: The maximum is that of undivided scores, so only zeros are left. Take it of the divided scores.
    = attn_scores.amax -> = (queries @ keys.transpose(-2, -1)).amax
scale-after: The context vectors are divided, and the scores are not. Divide the scores, before softmax.
    / queries.shape[-1] ** 0.5 ->
    attn_weights @ values, -> attn_weights @ values / queries.shape[-1] ** 0.5,
scale-of-values: You divided by the root of the values' width. The product runs over the queries': `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / values.shape[-1] ** 0.5
mix-of-scores: The scores are mixed with the values, and the weights only returned. Mix with the weights.
    attn_weights @ values -> attn_scores @ values
mix-of-exps: The exponentials are mixed with the values, undivided. Mix with the weights.
    attn_weights @ values -> exps @ values
outputs-swapped: The two results have changed places: `return context_vecs, attn_weights`.
    attn_weights @ values, attn_weights -> attn_weights, attn_weights @ values
exps-returned: The second result should be the weights. You returned the exponentials, before they were divided.
    values, attn_weights -> values, exps
scale-after: You divided after softmax, so rows no longer add up to 1. Divide the scores, before softmax.
    / queries.shape[-1] ** 0.5 ->
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-1, keepdim=True) / queries.shape[-1] ** 0.5
max-after-exp: The maximum is taken off the exponentials, when they have overflowed already. Take it off the scores.
    torch.exp(attn_scores - highest) -> torch.exp(attn_scores) - torch.exp(highest)
"""

SHARED = (BY_HAND, PRODUCT, FIXED, TIMES, shared.SCORES, shared.RARE_IN_SCORES, shared.MIX)
SOFTMAX = ("softmax", "Softmax", "log_softmax", "softmin")
READY_MADE = (*SOFTMAX, "scaled_dot_product_attention", "MultiheadAttention", "attention")
PROMPT = "with nothing ready-made: no softmax or attention of PyTorch's, no function of the course"
RULES = (forbids(*READY_MADE, prompt=PROMPT),)
exercise = Exercise(
    scaled_attention_solution, cases, MISTAKES, shared=SHARED, rules=RULES, **CONTEXT_AND_WEIGHTS, **TRAINABLE
)
