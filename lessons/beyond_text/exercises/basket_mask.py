"""`my_basket_mask(items)`: a mask that closes the empty places of a basket, wherever they are."""

import torch

from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.rules import no_loop


def basket_mask_solution(items):
    is_there = items != -1  # (batch, num_items)
    return is_there[:, None, None, :]


def cases(draw):
    yield "3 baskets of 6 places", torch.tensor([[7, 2, 9, -1, 4, -1], [-1, 5, 8, 3, -1, 6], [2, 9, 3, 5, 7, 1]])
    yield "baskets with thing number 0", torch.tensor([[0, 4, -1, 2], [3, -1, 0, 0]])
    yield "empty places in the front", torch.tensor([[-1, -1, 3, 8, 4], [-1, 6, 2, 9, 1]])
    yield "empty places at the end", torch.tensor([[*range(19), *[-1] * 4], [*range(22, 0, -1), -1]])
    yield "the same thing several times", torch.tensor([[5, 5, -1, 5, 2], [3, -1, 2, -1, 3]])
    yield "an empty basket", torch.tensor([[-1, -1, -1], [4, 2, -1]])
    yield "as many baskets as places, and none empty", torch.tensor([[6, 3], [5, 8]])
    yield "things with large numbers", torch.tensor([[50256, -1, 1000, 300], [999, 128, -1, 70000]])
    yield "a basket with a single place", torch.tensor([[4]])
    yield Unasked("int32"), torch.tensor([[7, 2, -1], [-1, 5, 8]], dtype=torch.int32)


MISTAKES = """
=above-the-mark:
    items != -1 -> items >= 0
zero-is-a-thing: Thing number 0 is closed, like an empty place. Only −1 is empty: compare with it, `items != -1`.
    items != -1 -> items > 0
zero-closed-empty-open: 0 is a thing, and is closed here, while empty places are open. Empty is −1: `items != -1`.
    items != -1 -> items != 0
sign-lost: You closed thing number 1: a sign is lost. Empty is −1, not 1: `items != -1`.
    items != -1 -> items != 1
counted-from-the-front: The right number is open, always the first places. An empty place may be anywhere: compare.
    items != -1 -> torch.arange(items.shape[-1]) < (items != -1).sum(dim=-1)[:, None]
closed-from-the-first-gap: All behind the first empty place is closed. Things may follow it: no `break`, only `!=`.
    items != -1 -> (items != -1).cumprod(dim=-1).bool()
one-for-the-basket: There is a single number for a basket, as `any`, `all` or `sum` give it. Each place needs its own.
    items != -1 -> (items != -1).any(dim=-1, keepdim=True)
things-alone: Only the things are left, in one row. Keep their places: return what `items != -1` gives.
    is_there[:, None, None, :] -> items[is_there][:, None, None]
places-returned: These are the numbers of the open places. A mask has True or False for each: `items != -1`.
    is_there[:, None, None, :] -> is_there.nonzero()
last-place-closed: The last place of each basket is closed: as an index, −1 is the last. Compare: `items != -1`.
    items != -1 -> (torch.arange(items.shape[1]) < items.shape[1] - 1).expand_as(items)
is-for-equals: You compare the tensor as a whole, as `is` does. Compare cell by cell with a number: `items != -1`.
    items != -1 -> True
axes-missing: The mask has too few axes. Heads and queries need one of length 1 each: `[:, None, None, :]`.
    [:, None, None, :] ->
    or
    [:, None, None, :] -> [:, None]
axes-grown: The axes in the middle should have length 1, `(batch, 1, 1, num_items)`: they are stretched later, in use.
    [:, None, None, :] -> [:, None, None, :].expand(-1, 1, items.shape[1], -1)
    or
    is_there[:, None, None, :] -> is_there[:, None, None, :] & is_there[:, None, :, None]
causal-added: Each row is causal as well. A basket has no order, so nothing lies in the future: leave the triangle out.
    [:, None, None, :] -> [:, None, None, :] & torch.ones(items.shape[1], items.shape[1]).bool().tril()
things-as-lengths: `attention.padding_mask` takes lengths, one for each basket, and these are things. A length cannot
    say where an empty place is: compare, `items != -1`.
    return is_there[:, None, None, :] -> from course_utils import attention
        ⏎ return attention.padding_mask(items, items.shape[1])
"""

PARTS = ("basket", "head", "row", "place")
exercise = Exercise(basket_mask_solution, cases, MISTAKES, outputs=("mask",), parts=PARTS, hints=(no_loop,))
