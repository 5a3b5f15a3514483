"""`my_folded_with_lengths(queries, keys, values, valid_lens)`: heads and texts in one axis, each text with a length."""

import torch

from course_utils import attention
from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.form import Form
from course_utils.exercises import shared


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
    yield "as many queries as keys", *qkv(6, 4, 4, 3, 3), torch.tensor([2, 3])
    yield "one head", *qkv(2, 3, 4, 6, 2), torch.tensor([3, 1])
    yield "a batch of one", *qkv(3, 2, 4, 5, 2), torch.tensor([3])
    yield "5 heads, a single key", *qkv(10, 2, 1, 4, 3), torch.tensor([1, 1])
    yield "large inputs", *(20 * part for part in qkv(6, 6, 4, 4, 2)), torch.tensor([4, 3])
    yield Unasked("float64"), *qkv(4, 2, 6, 3, 5, dtype=torch.float64), torch.tensor([5, 2])


MISTAKES = """
lens-repeat: Some heads have the length of another text. All heads of the first text come first: each length must be
    repeated in a row, `repeat_interleave`. `repeat` takes turns. (Unfolded, texts come first: `(batch, num_heads)`.)
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
heads-fixed: The number of heads is typed in. It is another one elsewhere: `len(queries) // len(valid_lens)`.
    repeat_interleave(num_heads) -> repeat_interleave(5)
    or
    repeat_interleave(num_heads) -> repeat_interleave(3)
    or
    repeat_interleave(num_heads) -> repeat_interleave(2)
heads-miscounted: You repeat each length another number of times than there are heads. There are
    `len(queries) // len(valid_lens)` tables for each text.
    len(queries) // len(valid_lens) -> len(queries)
    or
    len(queries) // len(valid_lens) -> len(valid_lens)
    or
    len(queries) // len(valid_lens) -> len(valid_lens) // len(queries)
    or
    len(queries) // len(valid_lens) -> queries.shape[1]
    or
    len(queries) // len(valid_lens) -> queries.shape[1] // len(valid_lens)
mask-broadcast: Your mask has four axes, and the scores have three. Drop one axis of the mask:
    `(batch·heads, 1, num_keys)`.
    [:, 0]  # ->  #
mask-too-flat: Your mask has two axes, and lost the one for the queries. Keep it with length 1:
    `(batch·heads, 1, num_keys)`.
    [:, 0]  # -> [:, 0, 0]  #
    or
    [:, 0]  # -> .squeeze()  #
mask-from-queries: Your mask is as long as the queries. Padding is a matter of the keys: count to `keys.shape[-2]`.
    keys.shape[-2] -> queries.shape[-2]
    or
    attention.padding_mask(lens, keys.shape[-2])[:, 0] -> (torch.arange(queries.shape[-2]) < lens[:, None])[:, None]
mask-from-width: Your mask is as long as a key is wide. Padding is a matter of how many keys there are:
    `keys.shape[-2]`.
    keys.shape[-2] -> keys.shape[-1]
keys-from-lens: Your mask is as wide as the longest text. The row may be longer than that: count to `keys.shape[-2]`.
    keys.shape[-2] -> int(lens.max())
    or
    keys.shape[-2] -> int(lens.max())
    (queries, keys, values, mask) ->
        (queries, keys[:, : mask.shape[-1]], values[:, : mask.shape[-1]], mask)
pad-over-queries: Your mask closes rows: it is laid over the queries, and padded keys stay open to all others. The
    positions belong on the last axis, that of the keys.
    [:, 0]  # -> [:, 0].transpose(-2, -1)  #
    or
    keys.shape[-2])[:, 0]  # -> queries.shape[-2])[:, 0].transpose(-2, -1)  #
mask-zero-fill: The padded keys and values are set to zero. A key of zeros has a score of 0, which is a score like
    others: close the scores, with a mask.
    (queries, keys, values, mask) -> (queries, keys * mask.mT, values * mask.mT)
values-zeroed: The padded values are set to zero, and their weights are still there: the others get too little. Close
    the scores, with a mask.
    (queries, keys, values, mask) -> (queries, keys, values * mask.mT)
keys-infinite: The padded keys are filled with infinity, or a huge number: their scores become huge, of either sign, or
    `nan`. Leave the keys as they are, and close their scores with a mask.
    (queries, keys, values, mask) -> (queries, keys.masked_fill(~mask.mT, -torch.inf), values)
mask-inverted: True and False have changed places: your mask opens what should be closed. True = may attend: turn the
    comparison round.
    mask = attention -> mask = ~attention
mask-ignored: Padding is attended: the lengths are not used. Make a mask of them, and give it to the attention.
    values, mask) -> values)
unfolded: Texts and heads have an axis each in your result. Folded they came, and folded they should come back.
    mask = attention.padding_mask(lens, keys.shape[-2])[:, 0] ->
        queries, keys, values = (x.unflatten(0, (len(valid_lens), -1)) for x in (queries, keys, values))
        ⏎ mask = attention.padding_mask(valid_lens, keys.shape[-2])
outputs-swapped: The two results have changed places: `return context_vecs, attn_weights`.
    values, mask) -> values, mask)[::-1]
weights-missing: The weights are asked for as well: `return context_vecs, attn_weights`.
    values, mask) -> values, mask)[0]
qk-swapped: Keys and queries have changed places. The queries come first:
    `scaled_dot_product_attention(queries, keys, values, mask)`.
    (queries, keys, values, mask) -> (keys, queries, values, mask)
keys-values-swapped: Keys and values have changed places: the keys make the scores, and the values are mixed.
    (queries, keys, values, mask) -> (queries, values, keys, mask)
weights-on-keys: The weights are applied to the keys. The keys have done their work in the scores: what is mixed are the
    `values`.
    (queries, keys, values, mask) -> (queries, keys, keys, mask)
"""
STEPS = """
mask-broadcast: Your mask has four axes, and the scores have three. Drop one axis of the mask:
    `(batch·heads, 1, num_keys)`.
    [:, None, :] -> [:, None, None, :]
mask-too-flat: Your mask has two axes, and lost the one for the queries. Keep it with length 1:
    `(batch·heads, 1, num_keys)`.
    [:, None, :] ->
    or
    [:, None, :] -> [:, None, :].squeeze()
mask-off-by-one: One padded key too many is open. Positions count from 0: `<`, not `<=`.
    < lens -> <= lens
mask-off-by-one: The last real key of each text is closed. Positions count from 0: those below the length are real, with
    no `- 1`.
    < lens[:, None] -> < lens[:, None] - 1
pad-over-queries: Your mask closes rows: it is laid over the queries, and padded keys stay open to all others. The
    positions belong on the last axis, that of the keys.
    (torch.arange(keys.shape[-2]) < lens[:, None])[:, None, :] ->
        (torch.arange(queries.shape[-2]) < lens[:, None])[:, :, None]
mask-inverted: True and False have changed places: your mask opens what should be closed. True = may attend: turn the
    comparison round.
mask-ignored: Padding is attended: the lengths are not used. Make a mask of them, and give it to the attention.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
mask-zero-fill: Closed keys get a score of 0, and e⁰ is 1: they are still attended. Fill with `-torch.inf`.
mask-after-softmax: The mask comes after softmax: rows add up to less than 1. Close the scores, before softmax.
    attention.softmax(attn_scores.masked_fill(~mask, -torch.inf)) -> attention.softmax(attn_scores) * mask
all-masked-nan: A text of length 0 gives `nan`. Its rows should be 0: `attention.softmax` and
    `attention.scaled_dot_product_attention` see to that.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
all-masked-uniform: A text of length 0 attends to its padding, evenly: you filled with a large finite number. Fill with
    `-torch.inf`.
    ~mask, -torch.inf -> ~mask, -1e9
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract each row's maximum before `torch.exp`.
    attention.softmax(…) -> torch.exp(…) / torch.exp(…).sum(dim=-1, keepdim=True).clamp(min=1e-9)
scale-fixed: You divided by the root of 20, the width on the page. Take the width that comes in, `queries.shape[-1]`.
    queries.shape[-1] ** 0.5 -> 20 ** 0.5
scores-returned: The second result should be the weights, after softmax. You returned the scores.
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
