"""`my_masked_attention(queries, keys, values, mask)`: attention in which a query may find nothing open."""

import torch

from course_utils import attention
from course_utils.checks import outcome
from course_utils.checks.behaviours import backward, gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.exercises import shared
from course_utils.exercises.debug_clinic.slips import COSINE, FIXED_AXES, FOUR_AXES, HIDDEN, PAIRS, SCALE


def masked_attention_solution(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))  # a row of -inf gives zeros
    return attn_weights @ values, attn_weights


def cases(draw):
    def qkv(*leading, queries=3, keys=4, width=5, wide=2, dtype=torch.float32):
        shapes = ((queries, width), (keys, width), (keys, wide))
        return (draw(*leading, *shape, dtype=dtype) for shape in shapes)

    past, square = attention.causal_mask(6), attention.causal_mask(5)
    yield "one text, 3 of 4 keys open", *qkv(), torch.arange(4)[None] < 3
    yield "2 texts, one of length 0", *qkv(2), attention.padding_mask([3, 0], 4)[:, 0]
    yield "heads, and a text of length 0", *qkv(2, 3, keys=6), attention.padding_mask([0, 5], 6)
    yield "a row with nothing open", *qkv(queries=5, keys=5), square.tril(-1)
    yield "padding in front, and no later token", *qkv(queries=6, keys=6), past & (torch.arange(6) >= 2)
    yield "everything open", *qkv(4, queries=4, keys=4, width=4, wide=4), torch.ones(4, 4, dtype=torch.bool)
    yield "a batch of one, a single closed key", *qkv(1, keys=1), torch.zeros(1, 1, dtype=torch.bool)
    yield Unasked("float64"), *qkv(2, dtype=torch.float64), attention.padding_mask([0, 2], 4)[:, 0]


def finite_gradients(exercise, answer):
    """An empty row sends no nan back, and no weights that training still needs are overwritten."""
    for _, (*parts, mask) in exercise.cases()[1:5]:
        results = outcome.as_tensors(answer(*(part.requires_grad_() for part in parts), mask), exercise.outputs)
        try:
            backward(results)
        except RuntimeError as error:
            if "inplace operation" not in str(error):
                raise
            yield (
                "repair-in-place",
                "The numbers are right, but nothing could be learnt: you write into the weights, and training needs "
                "them as they left softmax. In place of `[...] = 0`, or a method that ends in `_`, use `masked_fill`: "
                "it makes a new tensor.",
            )
            return
        if any(part.grad is not None and part.grad.isnan().any() for part in parts):
            yield (
                "nan-gradient",
                "The results are right, and the gradient holds `nan`: an empty row was 0 / 0 on the way, and hidden "
                "afterwards. Keep it from happening: `attention.softmax` gives such a row zeros.",
            )
            return


MISTAKES = """
all-masked-nan: This is the bug as it was: where nothing is open, softmax divides 0 by 0. `attention.softmax` gives such
    a row zeros; with `torch.softmax`, fill the weights with 0 where the mask is closed. (Times 0 does not help, `nan`
    stays `nan`; nor does `==`, since nothing equals it: ask `isnan()`.)
    attention.softmax(…) -> torch.softmax(…, dim=-1)
all-masked-uniform: Halfway: the `nan` is gone, and an empty row now attends to everything that is closed, evenly. A
    finite fill value leaves no gaps, so softmax sees equal scores. Such a row should be 0.
    -torch.inf -> -1e9
mask-inverted: True and False have changed places: the closed keys are attended, the open ones hidden. Here True means
    *may attend*: turn it round with `~`.
mask-inverted:
    attention.softmax(attn_scores.masked_fill(~mask, -torch.inf)) ->
        torch.softmax(attn_scores.masked_fill(mask, -torch.inf), dim=-1)
mask-ignored: The mask is not used: padding is attended.
    .masked_fill(~mask, -torch.inf) ->
mask-always-causal: You hide what comes later, whatever mask comes in. Use the argument.
    masked_fill(~mask, -torch.inf) -> masked_fill(~torch.ones_like(attn_scores).bool().tril(), -torch.inf)
empty-row-opened: Halfway: the `nan` is gone, because an empty row now looks at all its keys. It may not: it should
    be 0.
    attn_weights = -> mask = mask | ~mask.any(dim=-1, keepdim=True) ⏎ attn_weights =
empty-weights-left: Halfway: an empty row's context vector is 0, and the weights that come back attend to closed keys.
    Set the weights to 0, before they are applied.
    attn_weights = -> empty = ~mask.any(dim=-1, keepdim=True) ⏎ mask = mask | empty ⏎ attn_weights =
    return attn_weights @ values -> return (attn_weights @ values).masked_fill(empty, 0.0)
    or
    -torch.inf -> -1e9
    return attn_weights @ values -> return (attn_weights @ values).masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)
columns-asked: You ask for keys that no query may see: columns. An empty row is a query with nothing open:
    `mask.any(dim=-1, keepdim=True)`.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return -> attn_weights = attn_weights.masked_fill(~mask.any(dim=-2, keepdim=True), 0.0) ⏎ return
first-key-opened: Halfway: the `nan` is gone, because an empty row now looks at its first key. It may not: it should be
    0.
    attn_weights = -> first = torch.arange(mask.shape[-1]) == 0 ⏎
        mask = mask | (~mask.any(dim=-1, keepdim=True) & first) ⏎ attn_weights =
empty-whole: Halfway: you ask whether the whole mask is closed. One text or one row may be empty beside others: ask it
    of each row, `mask.any(dim=-1, keepdim=True)`.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return -> if not mask.any(): attn_weights = torch.zeros_like(attn_weights) ⏎ return
empty-whole: One row with nothing open, and you return zeros for all of them. Only that row should be 0: ask each row,
    `mask.any(dim=-1, keepdim=True)`.
    return -> if not mask.any(dim=-1).all(): attn_weights = torch.zeros_like(attn_weights) ⏎ return
any-for-all: Rows with a single closed key are set to 0. Only rows in which *nothing* is open should be: ask the mask
    with `any`, not with `all`.
    return -> attn_weights = attn_weights.masked_fill(~mask.all(dim=-1, keepdim=True), 0.0) ⏎ return
repair-inverted: After softmax you set the open weights to 0, and keep the rest. It is the other way round: put `~`
    before the mask, or before `any`.
    return -> attn_weights = attn_weights.masked_fill(mask, 0.0) ⏎ return
    or
    return -> attn_weights = attn_weights.masked_fill(mask.any(dim=-1, keepdim=True), 0.0) ⏎ return
    or
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return -> attn_weights = attn_weights.masked_fill(mask.any(dim=-1, keepdim=True), 0.0) ⏎ return
nan-in-weights: Halfway: the context vectors are mended, and the weights that come back still hold `nan`. Mend the
    weights, before they are applied.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return attn_weights @ values -> return (attn_weights @ values).nan_to_num()
weights-zeroed-late: The context vectors hold numbers for an empty row: the weights were set to 0 after they had been
    applied. Zero first, then mix.
    -torch.inf -> -1e9
    return attn_weights @ values, attn_weights -> return attn_weights @ values, attn_weights * mask
weights-zeroed-late: The context vectors still hold `nan`: the weights were mended after they had been applied. Mend
    first, then mix.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return attn_weights @ values, attn_weights -> return attn_weights @ values, attn_weights.nan_to_num()
mask-after-softmax: The mask comes after softmax, so what it closes is missing from the row: rows add up to less than 1.
    Close the scores, before softmax.
    attention.softmax(attn_scores.masked_fill(~mask, -torch.inf)) -> attention.softmax(attn_scores) * mask
mask-on-context: The mask closes rows of the context vectors. It belongs to the scores, before softmax: a mask of
    queries and keys.
    .masked_fill(~mask, -torch.inf) ->
    return attn_weights @ values -> return (attn_weights @ values) * mask.any(dim=-1, keepdim=True)
nan-gradient:
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return attn_weights @ values, attn_weights ->
        return (attn_weights @ values).nan_to_num(), attn_weights.nan_to_num()
    or
    attention.softmax(attn_scores.masked_fill(~mask, -torch.inf)) ->
        torch.softmax(attn_scores + torch.where(mask, 0.0, -torch.inf), dim=-1).nan_to_num()
repair-in-place:
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return -> attn_weights[attn_weights.isnan()] = 0.0 ⏎ return
"""

exercise = Exercise(
    masked_attention_solution,
    cases,
    MISTAKES,
    shared=(
        shared.SOFTMAX_OF_SMALL_SCORES,
        shared.SCORES,
        shared.MIX,
        shared.HIDE,
        shared.RESULTS,
        FIXED_AXES,
        FOUR_AXES,
        SCALE,
        COSINE,
        HIDDEN,
        PAIRS,
    ),
    outputs=("context_vecs", "attn_weights"),
    behaviours=(finite_gradients, gradient_flows, repeats),  # the prompt speaks of gradients
    rows="attn_weights",
)
