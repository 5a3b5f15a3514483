"""`my_masked_attention(queries, keys, values, mask)`: attention under a mask that may close all keys of a query."""

import torch

from course_utils import attention
from course_utils.checks.behaviours import finite_gradients, gradient_flows
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.lessons import shared
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS
from course_utils.lessons.debug_clinic.exercises.shared import FOUR_AXES, HIDE, PAIRS, SCORES


def masked_attention_solution(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))  # a row of -inf gives zeros
    return attn_weights @ values, attn_weights


def cases(draw):
    def qkv(*leading, queries=3, keys=4, width=5, wide=2):
        shapes = ((queries, width), (keys, width), (keys, wide))
        return (draw(*leading, *shape) for shape in shapes)

    past, square = attention.causal_mask(11), attention.causal_mask(5)
    yield "one text, 3 of 4 keys open", *qkv(), torch.arange(4)[None] < 3
    yield "2 texts, one of length 0", *qkv(2), attention.padding_mask([3, 0], 4)[:, 0]
    yield "heads, and a text of length 0", *qkv(2, 3, keys=6), attention.padding_mask([0, 5], 6)
    yield "a row with nothing open", *qkv(queries=5, keys=5), square.tril(-1)
    yield "padding in front, and no later token", *qkv(queries=11, keys=11), past & (torch.arange(11) >= 2)
    some = torch.tensor([[[1, 0, 1, 1], [0, 0, 0, 0], [1, 1, 0, 0]], [[0, 1, 1, 1], [1, 0, 0, 0], [1, 1, 1, 0]]])
    yield "2 texts, a row with nothing open in the first", *qkv(2), some.bool()
    yield "everything open", *qkv(4, queries=4, keys=4, width=4, wide=4), torch.ones(4, 4, dtype=torch.bool)
    yield Unasked("large inputs"), *(50 * part for part in qkv(2)), torch.arange(4) > 0
    yield "a batch of one, a single closed key", *qkv(1, keys=1), torch.zeros(1, 1, dtype=torch.bool)


NAN = (
    "The results are right, and the gradient holds `nan`: an empty row was 0 / 0 on the way, and hidden afterwards. "
    "Keep it from happening: `attention.softmax` gives such a row zeros."
)
MISTAKES = """
all-masked-nan: This is the bug as it was: an empty row is 0 / 0. Take `attention.softmax`, or fill the weights with 0
    where the mask is closed, before they are applied. (Times 0 stays `nan`, and nothing `==` it: ask `isnan()`.)
    attention.softmax(…) -> torch.softmax(…, dim=-1)
all-masked-uniform: Halfway: an empty row still has weights. Fill with `-torch.inf`, take `attention.softmax`.
    -torch.inf -> -1e9
mask-inverted: Closed keys are attended, open ones hidden. True means *may attend*: fill where it is not, `~mask`.
softmax-axis: Softmax runs down the columns. A row is one query's, and adds up to 1: `dim=-1`, the last axis.
    attention.softmax(…) -> attention.softmax(…, dim=-2)
mask-ignored: The mask has no effect: closed keys are attended. Keep what `masked_fill(~mask, -torch.inf)` gives.
    .masked_fill(~mask, -torch.inf) ->
empty-row-opened: Halfway: the `nan` is gone, and an empty row now looks at all its keys. It should be 0.
    attn_weights = -> mask = mask | ~mask.any(dim=-1, keepdim=True) ⏎ attn_weights =
itself-opened: Each query now sees the key of its own number, also where that is closed. Open
    nothing: the weights of an empty row should be 0.
    attn_weights = -> mask = mask | torch.eye(*attn_scores.shape[-2:], dtype=torch.bool) ⏎ attn_weights =
    or
    attn_weights = -> mask = mask | torch.eye(*attn_scores.shape[-2:], dtype=torch.bool) ⏎ attn_weights =
    attention.softmax(…) -> torch.softmax(…, dim=-1)
all-for-any: Rows with a closed key are set to 0. Empty is a row without any open one: `mask.any(dim=-1, keepdim=True)`.
    return -> attn_weights = attn_weights * mask.all(dim=-1, keepdim=True) ⏎ return
empty-weights-left: Halfway: an empty row's context vector is 0, and its weights are not. Zero the weights, then mix.
    attn_weights = -> empty = ~mask.any(dim=-1, keepdim=True) ⏎ mask = mask | empty ⏎ attn_weights =
    return attn_weights @ values -> return (attn_weights @ values).masked_fill(empty, 0.0)
columns-asked: Columns with nothing open are set to 0. An empty row is a query: `mask.any(dim=-1, keepdim=True)`.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return -> attn_weights = attn_weights.masked_fill(~mask.any(dim=-2, keepdim=True), 0.0) ⏎ return
first-key-opened: Halfway: the `nan` is gone, and an empty row now looks at its first key. It should be 0.
    attn_weights = -> first = torch.arange(mask.shape[-1]) == 0 ⏎
        mask = mask | (~mask.any(dim=-1, keepdim=True) & first) ⏎ attn_weights =
empty-whole: Halfway: only a mask that is closed everywhere is mended. Ask each row, `mask.any(dim=-1, keepdim=True)`.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return -> if not mask.any(): attn_weights = torch.zeros_like(attn_weights) ⏎ return
empty-whole: One empty row, and its whole text is 0. Only that row should be: `mask.any(dim=-1, keepdim=True)`.
    return -> attn_weights = attn_weights * mask.expand(attn_scores.shape).any(dim=-1).all(dim=-1)[..., None, None]
        ⏎ return
mask-row-by-row: Halfway: a mask broadcasts, and one of its rows may stand for many. Ask for all of them at once:
    `mask.any(dim=-1, keepdim=True)`.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return attn_weights @ -> for text in range(mask.shape[0]): ⏎     for row in range(mask.shape[1]):
        ⏎         if not mask[text, row].any(): attn_weights[text, row] = 0 ⏎ return attn_weights @
nan-in-weights: Halfway: the context vectors are mended, and the weights that come back still hold `nan`. Mend them.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return attn_weights @ values -> return (attn_weights @ values).nan_to_num()
weights-zeroed-late: The weights that come back are mended, the context vectors are not. Mend the weights, then mix.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return attn_weights @ values, attn_weights -> return attn_weights @ values, attn_weights.nan_to_num()
mask-after-softmax: Weights are hidden after softmax: rows add up to less than 1. Fill the scores with `-torch.inf`.
    attention.softmax(attn_scores.masked_fill(~mask, -torch.inf)) -> attention.softmax(attn_scores) * mask
mask-as-index: An index such as `[~mask]` wants a mask of the very shape it cuts, and this one broadcasts: fill the
    scores with `masked_fill(~mask, -torch.inf)`.
    attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf)) ->
        attn_scores[~mask] = -torch.inf ⏎ attn_weights = attention.softmax(attn_scores)
nan-gradient:
    attention.softmax(…) -> torch.softmax(…, dim=-1)
    return attn_weights @ values, attn_weights -> return (attn_weights @ values).nan_to_num(), attn_weights.nan_to_num()
"""

SHARED = (shared.SOFTMAX_OF_SMALL_SCORES, shared.MIX, FOUR_AXES, HIDE, SCORES, PAIRS)
MUST_HOLD = (finite_gradients(slice(1, 6), NAN), gradient_flows)  # no hint: the prompt speaks of gradients
exercise = Exercise(
    masked_attention_solution, cases, MISTAKES, shared=SHARED, behaviours=MUST_HOLD, **CONTEXT_AND_WEIGHTS
)
