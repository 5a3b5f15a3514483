"""The repair of notebook 11, case 6: masked attention in which a query may find nothing open."""

import torch

from .. import attention
from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise
from .notebook_04_weights import REPAIR_IN_PLACE
from .notebook_07 import INVERTED
from .notebook_07_softmax import lens_mask

notebook_mask = torch.ones(1, 4, dtype=torch.bool)  # what a notebook leaves lying about


def fill(attn_scores, mask):
    return attn_scores.masked_fill(~mask, -torch.inf)


def both(attn_weights, values, mask):
    return attn_weights @ values, attn_weights


def masked_by(score=steps.scaled_scores, close=fill, normalise=attention.softmax, back=both):
    """An answer with some of its steps replaced."""

    def answer(queries, keys, values, mask):
        attn_weights = normalise(close(score(queries, keys), mask))
        return back(attn_weights, values, mask)

    return answer


def masked_cases(draw):
    def qkv(*leading, queries=3, keys=4, width=5, wide=2, dtype=torch.float32):
        shapes = ((queries, width), (keys, width), (keys, wide))
        return (draw(*leading, *shape, dtype=dtype) for shape in shapes)

    yield "one text, 3 of 4 keys open", *qkv(), lens_mask(3, of=4)[0]
    yield "2 texts, one of length 0", *qkv(2), lens_mask(3, 0, of=4)
    yield "heads, and a text of length 0", *qkv(2, 3, keys=6), lens_mask(0, 5, of=6, axes=2)
    yield "a row with nothing open", *qkv(queries=5, keys=5), attention.causal_mask(5).tril(-1)
    yield (
        "padding in front, and no later token",
        *qkv(queries=6, keys=6),
        (attention.causal_mask(6) & (torch.arange(6) >= 2)),
    )
    yield "everything open", *qkv(queries=4, keys=4, width=4, wide=4), torch.ones(4, 4, dtype=torch.bool)
    yield "a batch of one, a single closed key", *qkv(1, keys=1), torch.zeros(1, 1, dtype=torch.bool)
    yield "float64", *qkv(2, dtype=torch.float64), lens_mask(0, 2, of=4)


def finite_gradients(exercise, answer):
    """An empty row sends no nan back."""
    *parts, mask = exercise.cases()[1].args
    context_vecs, attn_weights = answer(*(part.requires_grad_() for part in parts), mask)
    try:
        if context_vecs.requires_grad:
            context_vecs.sum().backward()
    except RuntimeError as error:
        if "inplace operation" not in str(error):
            raise
        yield "repair-in-place", REPAIR_IN_PLACE
        return
    if any(part.grad is not None and part.grad.isnan().any() for part in parts):
        yield (
            "nan-gradient",
            "The results are right, and the gradient holds `nan`: an empty row was 0 / 0 on the way, and hidden "
            "afterwards. Keep it from happening: `attention.softmax` gives such a row zeros.",
        )


masked_attention = Exercise(
    "masked_attention", masked_by(), masked_cases, outputs=("context_vecs", "attn_weights"), rows="attn_weights",
    behaviours=(finite_gradients, gradient_flows, repeats), make=masked_by,
)  # fmt: skip
masked_attention.wrong_steps(steps.SCORES | steps.SCALE)
masked_attention.wrong_steps({
    "all-masked-nan": (
        "This is the bug as it was: where nothing is open, softmax divides 0 by 0. `attention.softmax` gives such a "
        "row zeros; with `torch.softmax`, fill the weights with 0 where the mask is closed.",
        "normalise", steps.row_softmax,
    ),
    "all-masked-uniform": (
        "Halfway: the `nan` is gone, and an empty row now attends to everything that is closed, evenly. A finite fill "
        "value leaves no gaps, so softmax sees equal scores. Such a row should be 0.",
        "close", lambda attn_scores, mask: attn_scores.masked_fill(~mask, -1e9),
    ),
    "mask-zero-fill": (
        "Closed keys get a score of 0, and e⁰ is 1: they are attended again. Fill with `-torch.inf`.",
        "close", lambda attn_scores, mask: attn_scores.masked_fill(~mask, 0.0),
    ),
    "mask-inverted": (INVERTED, "close", lambda attn_scores, mask: fill(attn_scores, ~mask)),
    "mask-ignored": ("The mask is not used: padding is attended.", "close", lambda attn_scores, mask: attn_scores),
    "mask-added-01": (
        "You added the mask to the scores: closed keys lose 1, and stay. Fill them with `-torch.inf`.",
        "close", lambda attn_scores, mask: attn_scores + mask.to(attn_scores.dtype),
    ),
    "first-key-opened": (
        "Halfway: the `nan` is gone, because an empty row now looks at its first key. It may not: it should be 0.",
        "close",
        lambda attn_scores, mask: fill(
            attn_scores, mask | (~mask.any(dim=-1, keepdim=True) & (torch.arange(mask.shape[-1]) == 0))
        ),
    ),
    "softmax-axis": (
        steps.SOFTMAX["softmax-axis"][0],
        "normalise", lambda attn_scores: attention.softmax(attn_scores, dim=-2),
    ),
})  # fmt: skip


@masked_attention.mistake(
    "nan-in-weights",
    "Halfway: the context vectors are mended, and the weights that come back still hold `nan`. Mend the weights, "
    "before they are applied.",
)
def _(queries, keys, values, mask):
    context_vecs, attn_weights = masked_by(normalise=steps.row_softmax)(queries, keys, values, mask)
    return context_vecs.nan_to_num(), attn_weights


@masked_attention.mistake("nan-gradient", "The results are right, and the gradient holds `nan`.")
def _(queries, keys, values, mask):
    context_vecs, attn_weights = masked_by(normalise=steps.row_softmax)(queries, keys, values, mask)
    return context_vecs.nan_to_num(), attn_weights.nan_to_num()


@masked_attention.mistake("repair-in-place", REPAIR_IN_PLACE)
def _(queries, keys, values, mask):
    attn_weights = torch.softmax(steps.scaled_scores(queries, keys).masked_fill(~mask, -torch.inf), dim=-1)
    attn_weights[attn_weights.isnan()] = 0.0
    return attn_weights @ values, attn_weights


@masked_attention.mistake(
    "empty-whole",
    "Halfway: you ask whether the whole mask is closed. One text or one row may be empty beside others: ask it of each "
    "row, `mask.any(dim=-1, keepdim=True)`.",
)
def _(queries, keys, values, mask):
    if mask.any():
        return masked_by(normalise=steps.row_softmax)(queries, keys, values, mask)
    return masked_by()(queries, keys, values, mask)


@masked_attention.mistake(
    "mask-after-softmax",
    "The mask comes after softmax, so what it closes is missing from the row: rows add up to less than 1. Close the "
    "scores, before softmax.",
)
def _(queries, keys, values, mask):
    attn_weights = torch.softmax(steps.scaled_scores(queries, keys), dim=-1) * mask
    return attn_weights @ values, attn_weights


@masked_attention.mistake(
    "weights-zeroed-late",
    "The context vectors hold numbers for an empty row: the weights were set to 0 after they had been applied. Zero "
    "first, then mix.",
)
def _(queries, keys, values, mask):
    attn_weights = torch.softmax(steps.scaled_scores(queries, keys).masked_fill(~mask, -1e9), dim=-1)
    return attn_weights @ values, attn_weights * mask


@masked_attention.mistake("weights-on-keys", steps.MIX["weights-on-keys"][0])
def _(queries, keys, values, mask):
    _, attn_weights = masked_by()(queries, keys, values, mask)
    return attn_weights @ keys, attn_weights


@masked_attention.mistake("input-changed", "Your code changes the mask it was given: make a new one.")
def _(queries, keys, values, mask):
    results = masked_by()(queries, keys, values, mask)
    mask[..., 0] = True
    return results


@masked_attention.mistake("detached", steps.DETACHED)
def _(queries, keys, values, mask):
    context_vecs, attn_weights = masked_by()(queries, keys, values, mask)
    return context_vecs.detach(), attn_weights


@masked_attention.mistake("global-leak", steps.LEAK)
def _(queries, keys, values, mask):
    return masked_by()(queries, keys, values, notebook_mask)
