"""`my_folded_with_lengths(queries, keys, values, valid_lens)`: heads and texts in one axis, each text with a length."""

import torch

from course_utils import attention
from course_utils.checks.exercise import Exercise
from course_utils.checks.form import Form
from course_utils.lessons import shared
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS, TRAINABLE

from .under_a_mask import CLOSED_SCORES, KEYS_COUNTED


def folded_with_lengths_solution(queries, keys, values, valid_lens):
    num_heads = len(queries) // len(valid_lens)
    lens = valid_lens.repeat_interleave(num_heads)  # (batch · num_heads,)
    mask = attention.padding_mask(lens, keys.shape[-2])[:, 0]  # (batch · num_heads, 1, num_keys)
    return attention.scaled_dot_product_attention(queries, keys, values, mask)


def spelled_out(queries, keys, values, valid_lens):
    num_heads = len(queries) // len(valid_lens)
    lens = valid_lens.repeat_interleave(num_heads)
    mask = (torch.arange(keys.shape[-2]) < lens[:, None])[:, None, :]
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
    return attn_weights @ values, attn_weights


def cases(draw):
    def qkv(folded_heads, num_queries, num_keys, head_dim, value_dim):
        shapes = ((num_queries, head_dim), (num_keys, head_dim), (num_keys, value_dim))
        return tuple(draw(folded_heads, *shape) for shape in shapes)

    yield "2 texts, 3 heads, 4 queries, 5 keys", *qkv(6, 4, 5, 3, 2), torch.tensor([4, 2])
    yield "3 texts, 2 heads", *qkv(6, 2, 4, 5, 3), torch.tensor([1, 4, 2])
    yield "a text of length 0", *qkv(4, 3, 5, 2, 6), torch.tensor([3, 0])
    yield "as many queries as keys", *qkv(6, 23, 23, 3, 3), torch.tensor([2, 20])
    yield "one head", *qkv(2, 3, 4, 6, 2), torch.tensor([3, 1])
    yield "a batch of one", *qkv(3, 2, 4, 5, 2), torch.tensor([3])
    yield "5 heads, a single key", *qkv(10, 2, 1, 4, 3), torch.tensor([1, 1])
    queries, keys, values = qkv(4, 2, 3, 4, 2)
    yield "scores far below 0", 50 * queries.abs(), -50 * keys.abs(), values, torch.tensor([2, 1])
    yield "large inputs", *(20 * part for part in qkv(6, 6, 4, 4, 2)), torch.tensor([4, 3])


MISTAKES = f"""{KEYS_COUNTED}
lens-repeat: Some heads have another text's length. One text's heads stand together: `repeat_interleave`.
    valid_lens.repeat_interleave(num_heads) -> valid_lens.repeat(num_heads)
    or
    valid_lens.repeat_interleave(num_heads) ->
        valid_lens[torch.arange(len(queries)) // len(valid_lens) % len(valid_lens)]
lens-not-repeated: The mask has a row for each text, the scores one for each head. `repeat_interleave` first.
    valid_lens.repeat_interleave(num_heads) -> valid_lens
heads-fixed: Your code fits one number of heads alone. Count them: `len(queries) // len(valid_lens)`.
    repeat_interleave(num_heads) -> repeat_interleave(5)
heads-miscounted: The lengths are repeated too often or not enough: `len(queries) // len(valid_lens)`.
    len(queries) // len(valid_lens) -> len(valid_lens)
    or
    len(queries) // len(valid_lens) -> queries.shape[1]
    or
    len(queries) // len(valid_lens) -> len(valid_lens) // len(queries)
mask-broadcast: Your mask has four axes, and the scores have three: `(batch·heads, 1, num_keys)`.
    [:, 0]  # ->  #
mask-too-flat: Your mask has lost the axis for the queries. Keep it with length 1: `(batch·heads, 1, num_keys)`.
    [:, 0]  # -> [:, 0, 0]  #
mask-zero-fill: Padded keys are set to zero, and still have a score of 0: close the scores, with a mask.
    (queries, keys, values, mask) -> (queries, keys * mask.mT, values * mask.mT)
outputs-swapped: The two results have changed places: `return context_vecs, attn_weights`.
    values, mask) -> values, mask)[::-1]
"""
STEPS = f"""{CLOSED_SCORES}
qk-swapped: The table lies on its side. A row is a query: the queries come first, `queries @ keys.mT`.
weights-on-keys: The keys are mixed. They have done their work in the scores: mix the `values`.
mask-too-flat: Your mask has lost the axis for the queries. Keep it with length 1: `(batch·heads, 1, num_keys)`.
    [:, None, :] -> [:, None, :].squeeze()
mask-broadcast: Your mask has four axes, and the scores have three: `(batch·heads, 1, num_keys)`.
    [:, None, :] -> [:, None, None, :]
mask-off-by-one: One padded key too many is open. Positions count from 0: those below the length are real, `<`.
    < lens -> <= lens
scale-model: You divided by the root of all heads' width. The dot product runs over one head: `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / (num_heads * queries.shape[-1]) ** 0.5
pad-over-queries: Your mask closes rows, which are queries. Padding is a matter of keys: positions are the last axis.
    (torch.arange(keys.shape[-2]) < lens[:, None])[:, None, :] ->
        (torch.arange(queries.shape[-2]) < lens[:, None])[:, :, None]
mask-after-softmax: The rows add up to less than 1. Close the scores, before softmax.
    attention.softmax(attn_scores.masked_fill(~mask, -torch.inf)) -> attention.softmax(attn_scores) * mask
"""

SHARED = (shared.SOFTMAX, shared.SOFTMAX_OF_ONE_HEAD, shared.SCORES, shared.MIX, shared.HIDE, MISTAKES)
FORMS = (Form(__name__, "spelled_out", STEPS, SHARED),)
exercise = Exercise(folded_with_lengths_solution, cases, MISTAKES, also=FORMS, **CONTEXT_AND_WEIGHTS, **TRAINABLE)
