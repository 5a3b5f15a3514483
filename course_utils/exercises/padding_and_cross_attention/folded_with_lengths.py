"""`my_folded_with_lengths(queries, keys, values, valid_lens)`: heads and texts in one axis, each text with a length."""

import torch

from course_utils import attention
from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.form import Form
from course_utils.exercises import shared

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
    def qkv(folded_heads, num_queries, num_keys, head_dim, value_dim, dtype=torch.float32):
        shapes = ((num_queries, head_dim), (num_keys, head_dim), (num_keys, value_dim))
        return tuple(draw(folded_heads, *shape, dtype=dtype) for shape in shapes)

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
    yield Unasked("float64"), *qkv(4, 2, 6, 3, 5, dtype=torch.float64), torch.tensor([5, 2])


MISTAKES = f"""{KEYS_COUNTED}
lens-repeat: Some heads have the length of another text. All heads of the first text come first, then all of the next:
    each length is repeated in a row, `repeat_interleave`. (Unfolded, that is `(batch, num_heads)`.)
    valid_lens.repeat_interleave(num_heads) -> valid_lens.repeat(num_heads)
first-only: Every head has the length of the first text. Each text has its own: repeat all of `valid_lens`.
    valid_lens.repeat_interleave(num_heads) -> valid_lens[0].repeat(len(queries))
lens-not-repeated: The mask has a row for each text, and the scores a table for each head of each text. Repeat the
    lengths first: `repeat_interleave`.
    valid_lens.repeat_interleave(num_heads) -> valid_lens
    or
    valid_lens.repeat_interleave(num_heads) -> valid_lens
    [:, 0]  # ->  #
heads-as-float: `/` gives a number with a point, and nothing can be repeated 3.0 times. Whole numbers: `//`.
    // -> /
    or
    // -> /
    valid_lens.repeat_interleave(num_heads) -> valid_lens.repeat(num_heads)
    or
    // -> /
    valid_lens.repeat_interleave(num_heads) -> torch.repeat_interleave(valid_lens, num_heads)
heads-fixed: Your code fits one number of heads alone. Count them: `len(queries) // len(valid_lens)`.
    repeat_interleave(num_heads) -> repeat_interleave(5)
    or
    repeat_interleave(num_heads) -> repeat_interleave(3)
    or
    repeat_interleave(num_heads) -> repeat_interleave(2)
heads-miscounted: The lengths are repeated another number of times than there are heads. Those are
    `len(queries) // len(valid_lens)`.
    len(queries) // len(valid_lens) -> len(queries)
    or
    len(queries) // len(valid_lens) -> len(valid_lens)
    or
    len(queries) // len(valid_lens) -> len(valid_lens) // len(queries)
    or
    len(queries) // len(valid_lens) -> queries.shape[1]
    or
    len(queries) // len(valid_lens) -> queries.shape[1] // len(valid_lens)
mask-broadcast: Your mask has four axes, and the scores have three: `(batch·heads, 1, num_keys)`.
    [:, 0]  # ->  #
    or
    attention.padding_mask(lens, keys.shape[-2])[:, 0] ->
        attention.padding_mask(valid_lens, keys.shape[-2]).expand(-1, num_heads, -1, -1)
lens-index: The lengths are read at the table's number, and there is one for each text: `valid_lens[i // num_heads]`.
    valid_lens.repeat_interleave(num_heads) -> torch.stack([valid_lens[i] for i in range(len(queries))])
heads-left-out: As many tables come back as there are texts. There is one for each head of each text.
    valid_lens.repeat_interleave(num_heads) -> valid_lens
    (queries, keys, values, mask) -> (*(x[: len(valid_lens)] for x in (queries, keys, values)), mask)
length-0-open: A text of length 0 attends to padding. Its rows should be 0: leave its length as it is.
    valid_lens.repeat_interleave(num_heads) -> valid_lens.repeat_interleave(num_heads).clamp(min=1)
mask-too-flat: Your mask has lost the axis for the queries. Keep it with length 1: `(batch·heads, 1, num_keys)`.
    [:, 0]  # -> [:, 0, 0]  #
    or
    [:, 0]  # -> .squeeze()  #
mask-from-queries: Your mask is as long as the queries. Padding is a matter of the keys: count to `keys.shape[-2]`.
    attention.padding_mask(lens, keys.shape[-2])[:, 0] -> (torch.arange(queries.shape[-2]) < lens[:, None])[:, None]
keys-from-lens: Keys behind the longest text are cut off. The weights need a column for each: count to `keys.shape[-2]`.
    keys.shape[-2] -> int(lens.max())
    (queries, keys, values, mask) ->
        (queries, keys[:, : mask.shape[-1]], values[:, : mask.shape[-1]], mask)
keys-from-lens: Each text's keys end with it, so its weights lack columns. Leave the keys, and close with a mask.
    return attention.scaled_dot_product_attention(queries, keys, values, mask) ->
        pairs = [attention.scaled_dot_product_attention(q, k[:n], v[:n])
        for q, k, v, n in zip(queries, keys, values, lens)] ⏎ return tuple(map(torch.stack, zip(*pairs)))
pad-over-queries: Your mask closes rows, which are queries: padded keys stay open to others. Its last axis should be the
    keys'.
    [:, 0]  # -> [:, 0].mT  #
    or
    keys.shape[-2])[:, 0]  # -> queries.shape[-2])[:, 0].mT  #
mask-zero-fill: The padded keys and values are set to zero. A key of zeros has a score of 0, which is a score like
    others: close the scores, with a mask.
    (queries, keys, values, mask) -> (queries, keys * mask.mT, values * mask.mT)
values-zeroed: The padded values count as zero, and keep their weights: the others get too little. Close the scores.
    (queries, keys, values, mask) -> (queries, keys, values * mask.mT)
keys-infinite: The scores of padded keys are infinite or huge, of either sign, or `nan`. Leave the keys as they are, and
    close their scores with a mask.
    (queries, keys, values, mask) -> (queries, keys.masked_fill(~mask.mT, -torch.inf), values)
mask-inverted: Your mask opens what should be closed. True = may attend: close where it is False.
    mask = attention -> mask = ~attention
mask-ignored: Padding is attended: the lengths have no effect. Make a mask of them, and close the scores with it.
    values, mask) -> values)
unfolded: Texts and heads have an axis each in your result. Folded they came, and folded they should come back.
    mask = attention.padding_mask(lens, keys.shape[-2])[:, 0] ->
        queries, keys, values = (x.unflatten(0, (len(valid_lens), -1)) for x in (queries, keys, values))
        ⏎ mask = attention.padding_mask(valid_lens, keys.shape[-2])
outputs-swapped: The two results have changed places: `return context_vecs, attn_weights`.
    values, mask) -> values, mask)[::-1]
weights-missing: The weights are asked for as well: `return context_vecs, attn_weights`.
    values, mask) -> values, mask)[0]
qk-swapped: The table lies on its side: each row should be a query, each column a key. The queries come first, as in
    `queries @ keys.mT`.
    (queries, keys, values, mask) -> (keys, queries, values, mask)
keys-values-swapped: Keys and values have changed places: the keys make the scores, and the values are mixed.
    (queries, keys, values, mask) -> (queries, values, keys, mask)
weights-on-keys: The keys are mixed. They have done their work in the scores: mix the `values`.
    (queries, keys, values, mask) -> (queries, keys, keys, mask)
"""
STEPS = f"""{CLOSED_SCORES}
qk-swapped: The table lies on its side: each row should be a query, each column a key. The queries come first, as in
    `queries @ keys.mT`.
weights-on-keys: The keys are mixed. They have done their work in the scores: mix the `values`.
mask-broadcast: Your mask has four axes, and the scores have three: `(batch·heads, 1, num_keys)`.
    [:, None, :] -> [:, None, None, :]
mask-too-flat: Your mask has lost the axis for the queries. Keep it with length 1: `(batch·heads, 1, num_keys)`.
    [:, None, :] ->
    or
    [:, None, :] -> [:, None, :].squeeze()
mask-off-by-one: One padded key too many is open. Positions count from 0: those below the length are real, `<`.
    < lens -> <= lens
mask-off-by-one: The last real key of each text is closed. Positions count from 0: those below the length are real.
    < lens[:, None] -> < lens[:, None] - 1
pad-over-queries: Your mask closes rows, which are queries: padded keys stay open to others. Its last axis should be the
    keys'.
    (torch.arange(keys.shape[-2]) < lens[:, None])[:, None, :] ->
        (torch.arange(queries.shape[-2]) < lens[:, None])[:, :, None]
mask-ignored: Padding is attended: the lengths have no effect. Make a mask of them, and close the scores with it.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
mask-after-softmax: What the mask closes is missing from its row, which adds up to less than 1. Close the scores, before
    softmax.
    attention.softmax(attn_scores.masked_fill(~mask, -torch.inf)) -> attention.softmax(attn_scores) * mask
scale-fixed: You divided by the root of 20, the width on the page. Take the width that comes in, `queries.shape[-1]`.
    queries.shape[-1] ** 0.5 -> 20 ** 0.5
scores-returned: The second result should be the weights, after softmax. Yours are the scores.
    values, attn_weights -> values, attn_scores
    or
    values, attn_weights -> values, attn_scores.masked_fill(~mask, -torch.inf)
"""

exercise = Exercise(
    folded_with_lengths_solution,
    cases,
    MISTAKES,
    also=(
        Form(
            __name__,
            "spelled_out",
            STEPS,
            shared=(shared.SOFTMAX, shared.SOFTMAX_OF_ONE_HEAD, shared.SCORES, shared.MIX, shared.HIDE, MISTAKES),
        ),
    ),
    outputs=("context_vecs", "attn_weights"),
    rows="attn_weights",
    behaviours=(repeats,),
    hints=(gradient_flows,),
)
