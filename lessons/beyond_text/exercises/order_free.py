"""`my_order_free(answer, items)`: whether a function of baskets gives the same for every order of their things."""

import torch
import torch.nn.functional as F

from course_utils import attention
from course_utils.checks.exercise import Exercise
from course_utils.checks.form import Form
from course_utils.lessons.beyond_text.exercises.shuffled_baskets import Answer, verdict_of


def order_free_solution(answer, items):
    before = answer(items)
    for _ in range(10):
        order = torch.randperm(items.shape[1])
        after = answer(items[:, order])
        if not torch.allclose(after, before, rtol=1e-4, atol=1e-5):
            return False
    return True


def all_orders_tried(answer, items):
    before, stays = answer(items), []
    for _ in range(10):
        order = torch.randperm(items.shape[1])
        stays.append(torch.allclose(answer(items[:, order]), before, rtol=1e-4, atol=1e-5))
    return all(stays)


def attended(mask=None):
    """Return a function from baskets (batch, num_items, width) to the mean output of self-attention, (batch, width).

    The baskets themselves are queries, keys and values. mask: (num_items, num_items) bool, True = may attend, or None.
    """
    return lambda x: attention.scaled_dot_product_attention(x, x, x, mask)[0].mean(dim=1)


def largest_first(x):
    """Return 1.0 for each basket in which the thing with the largest sum precedes that with the smallest, else 0.0.

    x: the baskets, (batch, num_items, width). The result is (batch,).
    """
    sizes = x.sum(dim=-1)  # (batch, num_items)
    return (sizes.argmax(dim=-1) < sizes.argmin(dim=-1)).float()


def extremes(things, largest, smallest):
    """Return a copy of baskets in which 9 is added to each number of one thing, and subtracted from those of another.

    things: the baskets, (1, num_items, width), float32. largest, smallest: the indices of the two things.
    """
    added = torch.tensor([9.0, -9.0])[None, :, None].expand(1, 2, things.shape[2])
    return things.index_add(1, torch.tensor([largest, smallest]), added)


def first_is_larger(x):
    """Return for each basket whether its first thing has a larger sum than its last, (batch,) bool. x: the baskets."""
    return x[:, 0].sum(dim=-1) > x[:, -1].sum(dim=-1)


def two_change_places(x):
    """Return the sum and maximum of all numbers of each basket, (batch, 2), the maximum first unless `first_is_larger`.

    x: the baskets, (batch, num_items, width).
    """
    both = torch.stack([x.sum(dim=(1, 2)), x.amax(dim=(1, 2))], dim=1)
    return torch.where(first_is_larger(x)[:, None], both, both.flip(1))


def cases(draw):
    places = torch.linspace(1, 2, 5)[:, None]
    same = draw(1, 1, 3).expand(1, 5, 3)  # a basket of five times the same thing
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    half = torch.tensor([1.0, 1.0, 0.0, -1.0, -1.0])[:, None]
    yield "the average of the things", Answer(lambda x: x.mean(dim=1), True), draw(3, 5, 4)
    yield "the first thing", Answer(lambda x: x[:, 0], False), draw(3, 5, 4)
    yield "the largest numbers", Answer(lambda x: x.amax(dim=1), True), draw(2, 5, 3)
    yield "one number for each basket", Answer(lambda x: x.square().sum(dim=(1, 2)), True), draw(3, 5, 2)
    yield "things weighted by their places", Answer(lambda x: (x * places).sum(dim=1), False), draw(3, 5, 2)
    yield "sorted things, weighted", Answer(lambda x: (x * places).sum(dim=1), False), draw(2, 5, 3).sort(dim=1).values
    yield "each thing with the next, in a ring", Answer(lambda x: (x * x.roll(1, 1)).sum(dim=1), False), draw(2, 5, 3)
    yield "steps from thing to thing", Answer(lambda x: x.diff(dim=1).abs().sum(dim=1), False), draw(3, 5, 2)
    yield "attention, averaged", Answer(attended(), True), draw(2, 5, 4)
    yield "causal attention, averaged", Answer(attended(causal), False), draw(2, 5, 4)
    yield "an output for each thing", Answer(lambda x: 2 * x, False), draw(2, 5, 3)
    yield "the things in order of size", Answer(lambda x: x.sort(dim=1).values, True), draw(2, 5, 3)
    yield "sums that are rounded", Answer(lambda x: 1 + (10 * x).sum(dim=1), True), draw(4, 5, 3)
    negative = Answer(lambda x: (x * half).sum(dim=1)[:, :1] * torch.tensor([1.0, -1.0]), False)
    yield "a number and its negative", negative, draw(3, 5, 2)
    first_last = Answer(lambda x: torch.cat([x.mean(dim=1), x[:, 0, :1]], dim=1), False)
    yield "averages, and one number of the first thing", first_last, draw(2, 5, 3)
    first_first = Answer(lambda x: torch.cat([x[:, 0, :1], x.mean(dim=1)], dim=1), False)
    yield "one number of the first thing, and averages", first_first, draw(2, 5, 3)
    yield "a first basket that looks the same", Answer(lambda x: x[:, -1], False), torch.cat([same, draw(2, 5, 3)])
    yield "a last basket that looks the same", Answer(lambda x: x[:, -1], False), torch.cat([draw(2, 5, 3), same])
    yield "answers near 8, hundredths apart", Answer(lambda x: 8 + 0.02 * x[:, 0], False), draw(3, 5, 4)
    # With the seed of `verdict_of`, most of ten orders leave one answer as it is, and the last order the other.
    most_stay, last_stays = extremes(draw(1, 5, 3), 2, 0), extremes(draw(1, 5, 2), 3, 2)
    yield "the larger one first?", Answer(largest_first, False), most_stay
    yield "once more: the larger one first?", Answer(largest_first, False), last_stays
    yield "as many things as baskets", Answer(lambda x: x.sum(dim=1), True), draw(5, 5, 5)
    yield "two things, added", Answer(lambda x: x.sum(dim=1), True), draw(3, 2, 4)
    yield "three things, the first less the second", Answer(lambda x: x[:, 0] - x[:, 1], False), draw(2, 3, 4)
    yield "the first of one basket", Answer(lambda x: F.pad(x[:, 0], (1, 1)), False), draw(1, 5, 3)
    yield "the same two numbers, one or the other first", Answer(two_change_places, False), draw(6, 5, 3)
    signed = Answer(lambda x: x.square().sum(dim=(1, 2)) * (2.0 * first_is_larger(x) - 1), False)
    yield "a length, with a sign", signed, draw(6, 5, 3)


MISTAKES = """
=each-basket-its-own:
    torch.randperm(items.shape[1]) -> torch.rand(items.shape[:2]).argsort(dim=-1)
    items[:, order] -> items.take_along_dim(order[..., None], dim=1)
exact: Too strict: another order rounds sums another way. Compare with `torch.allclose(…, atol=1e-5)`.
    torch.allclose(after, before, rtol=1e-4, atol=1e-5) -> torch.equal(after, before)
tolerance-wide: Too wide: answers that differ by hundredths pass as the same. `torch.allclose(…, atol=1e-5)` is plenty.
    rtol=1e-4, atol=1e-5 -> atol=0.1
verdict-inverted: True and False have changed places: True means that the answers stay.
    return False -> return True
    return True -> return False
    or
    if not torch -> if torch
always-true: True comes back, whatever `answer` does. Compare the answers, and where one has moved, return False.
    return False -> pass
always-false: False comes back, whatever `answer` does. Behind the loop, where no answer has moved, return True.
    return True -> return False
any-number-for-all: One number that stays is enough for your True. All of them must: `all`, not `any`.
    torch.allclose(after, before, rtol=1e-4, atol=1e-5) -> torch.isclose(after, before, rtol=1e-4, atol=1e-5).any()
signed-difference: Numbers that fall count as unmoved. Take sizes first: `.abs()`, or `torch.allclose`.
    torch.allclose(after, before, rtol=1e-4, atol=1e-5) -> (after - before).max() < 1e-4
item-of-many: `.item()` wants one number, and an answer has many: `torch.allclose`, or `.abs().max()` first.
    torch.allclose(after, before, rtol=1e-4, atol=1e-5) -> (after - before).item() < 1e-5
means-compared: Sums or means are compared, in which rise and fall cancel. Use `torch.allclose(…, atol=1e-5)`.
    torch.allclose(after, before, rtol=1e-4, atol=1e-5) -> (after - before).sum().abs() < 1e-4
first-basket-only: The answers of one basket are compared, and it may look the same in any order. Compare all of them.
    torch.allclose(after, before, rtol=1e-4, atol=1e-5) -> torch.allclose(after[0], before[0], rtol=1e-4, atol=1e-5)
same-order:
    items[:, order] -> items
few-orders:
    range(10) -> range(3)
other-things:
    items[:, order] -> torch.randn_like(items)
items-compared: The answers are compared with the items. Compare them with the answers before, `answer(items)`.
    torch.allclose(after, before, -> torch.allclose(after, items,
answers-shuffled: `before` is shuffled too. A basket has one answer, which should stay: compare `after` with `before`.
    torch.allclose(after, before, -> torch.allclose(after, before[:, order],
changed-in-place:
    after = answer(items[:, order]) -> items[:] = items[:, order] ⏎ after = answer(items)
one-for-each-number:
    if not torch.allclose(after, before, rtol=1e-4, atol=1e-5): -> if True:
    return False -> return torch.isclose(after, before)
order-not-drawn: `torch.randperm` wants the number of things, `items.shape[1]`.
    torch.randperm(items.shape[1]) -> torch.randperm(items)
"""
ALL_ORDERS = """
any-for-all: One order in which the answers stay gives your True. Return False at the first that moves them.
    all(stays) -> any(stays)
most-orders: Most orders in which the answers stay give your True. Return False at the first that moves them.
    all(stays) -> sum(stays) > 5
last-order-only: Only the last order counts. Return False inside the loop, at the first that moves an answer.
    all(stays) -> stays[-1]
"""

FORMS = (Form(__name__, "all_orders_tried", ALL_ORDERS),)
exercise = Exercise(order_free_solution, cases, MISTAKES, also=FORMS, outputs=("verdict",), observe=verdict_of)
