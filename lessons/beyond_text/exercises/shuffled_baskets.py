"""The call of `my_order_free`, which records the baskets that it passes to `answer`, to explain what goes wrong."""

import math

import torch

from course_utils.checks.outcome import Refused

LEAST = 6  # other orders that a True must rest on: ten are asked for, and some of ten draws can be equal


class Answer:
    """A callable that returns function(items). order_free: whether that does not depend on the order of the things."""

    def __init__(self, function, order_free):
        self.function, self.order_free = function, order_free

    def __call__(self, items):
        return self.function(items)


class Watched:
    """An Answer that records the baskets with which it is called.

    answer: the Answer. items: the right baskets, (batch, num_items, width). calls: how many calls there were. strange:
    the key in STRANGE of what was done to the baskets, or None. met_as_it_was: whether a basket came in its first
    order.
    """

    def __init__(self, answer, items):
        self._answer, self._baskets = answer, _baskets(items)
        self._sorted = {tuple(sorted(things)): things for things in self._baskets}
        self._orders, self.calls, self.strange, self.met_as_it_was = {}, 0, None, False

    def __call__(self, items):
        self.calls += 1
        if torch.is_tensor(items) and items.dim() == 3:
            baskets = _baskets(items)
            for things in baskets:
                self._look_at(things)
            if baskets != self._baskets and sorted(baskets) == sorted(self._baskets):
                self.strange = "baskets"
        else:
            self.strange = "axes"
        return self._answer(items)

    @property
    def orders(self):
        """Return the number of orders, other than its first, in which a basket has come; the largest of all baskets."""
        return max(map(len, self._orders.values()), default=0)

    def _look_at(self, things):
        """Record a basket with which the answer was called: as in its first order, in another order, or as strange.

        things: the basket, a tuple of tuples of numbers.
        """
        basket = self._sorted.get(tuple(sorted(things)))
        if basket is None:
            self.strange = self.strange or self._what_was_done(things)
        elif things == basket:
            self.met_as_it_was = True
        else:
            self._orders.setdefault(basket, set()).add(things)

    def _what_was_done(self, things):
        """Return what was done to a basket that was not just shuffled, a key of STRANGE: "torn" and so on.

        things: the basket, a tuple of tuples of numbers.
        """
        if any(_each_sorted(things) == _each_sorted(basket) for basket in self._baskets):
            return "numbers"
        if any(_each_sorted(zip(*things)) == _each_sorted(zip(*basket)) for basket in self._baskets):
            return "torn"
        if any(set(things) <= set(basket) for basket in self._baskets):
            return "doubled"
        return "mixed" if set(things) <= {thing for basket in self._baskets for thing in basket} else "others"


STRANGE = {
    "baskets": "Your code shuffles the baskets, and leaves the order within each as it was. Things lie along axis 1: "
    "`items[:, order]`.",
    "numbers": "Your code shuffles the numbers of each thing, and makes other things of them. Things lie along axis 1: "
    "`items[:, order]`.",
    "torn": "Your code takes things apart: each of their numbers goes to a place of its own. Draw one order for all "
    "numbers of a basket: `items[:, order]`.",
    "doubled": "Your baskets are not shuffled: some things are lost, others come twice, as with `randint`, or with "
    "`random.shuffle`, which spoils a tensor. An order has each place once: `torch.randperm(items.shape[1])`.",
    "mixed": "Your code moves things from one basket to another. Each keeps its own: shuffle along axis 1, "
    "`items[:, order]`.",
    "axes": "`answer` wants `(batch, num_items, d_in)`, and is handed something else. Shuffle all baskets at once: "
    "`items[:, order]`.",
    "others": "`answer` is asked about baskets with other numbers in them. Hand it the same things in another order: "
    "`items[:, order]`.",
}


def _baskets(items):
    """Return baskets, (batch, num_items, width), as a list of tuples of things, which are tuples of numbers."""
    return [tuple(map(tuple, basket)) for basket in items.tolist()]


def _each_sorted(rows):
    """Return a sorted list of the rows, each sorted as well: equal for two tables that differ only in these orders."""
    return sorted(map(sorted, rows))


def verdict_of(order_free, answer, items):
    """Run a learner's function on a Watched answer; return its verdict as a tensor of one bool.

    order_free: that function, of (answer, items). answer: an Answer. items: (batch, num_items, width). Errors: Refused
    if it raises AssertionError, changes `items`, never calls the answer, returns anything but one bool, or returns True
    after too few orders; and if the verdict is wrong because it did more to the baskets than shuffle them.
    """
    watched, before = Watched(answer, items), items.clone()
    try:
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(5)  # with the same orders in every run, a lucky verdict is lucky again
            verdict = order_free(watched, items)
    except AssertionError:
        raise Refused(
            "Where the answers differ, your code stops: `assert` and `assert_close` raise an error. False is asked "
            "for: `return torch.allclose(…, atol=1e-5)`."
        ) from None
    except Exception as error:
        if _stopped_in(error, "course_utils.properties"):
            raise Refused(
                "`permutation_equivariant` asks whether there is an output for each thing that moves along with it. "
                "Here a basket has one answer, and that should stay: compare `answer(items[:, order])` with "
                "`answer(items)`."
            ) from None
        raise
    if not torch.equal(items, before):
        raise Refused(
            "`items` are in another order afterwards, and what `answer` gave before may have changed with them. "
            "Shuffle a copy: `items[:, order]` makes one."
        )
    verdict = _one_bool(verdict)
    if not watched.calls:
        raise Refused("`answer` is never called. Call it on the items, and on the items in other orders.")
    if watched.strange and verdict != answer.order_free:
        raise Refused(STRANGE[watched.strange])
    if verdict and not answer.order_free and not watched.met_as_it_was:
        raise Refused(
            "`answer` never meets the items as they came, so answers of one order are compared with themselves. Call "
            "`answer(items)` once, above the loop."
        )
    if verdict and watched.orders < LEAST < math.factorial(items.shape[1]):  # up to three things have too few orders
        raise Refused(STRANGE[watched.strange] if watched.strange else _too_few(watched.orders))
    return torch.tensor(verdict)


def _stopped_in(error, module):
    """Return whether the traceback of an exception has a frame of the Python module with this `__name__`."""
    step, names = error.__traceback__, set()
    while step is not None:
        names.add(step.tb_frame.f_globals.get("__name__"))
        step = step.tb_next
    return module in names


def _one_bool(verdict):
    """Return a learner's verdict as a bool. Errors: Refused unless it is a bool, or a tensor or array of one bool."""
    if verdict is None:
        raise Refused(
            "It ran to its end and gave nothing back, at least where the order is free. Return True at the end, behind "
            "the loop. (`assert_close` returns None.)"
        )
    if isinstance(verdict, list | tuple) or getattr(verdict, "shape", ()) not in ((), (1,)):
        raise Refused(
            "One True or False is asked for. Your code gives one for each basket, or each number: `torch.allclose` "
            "gives one for all."
        )
    if str(getattr(verdict, "dtype", type(verdict).__name__)).removeprefix("torch.") not in ("bool", "bool_"):
        raise Refused(
            "True or False is asked for, and something else comes back, such as a difference. Compare: "
            "`torch.allclose(…, atol=1e-5)`."
        )
    return bool(verdict)


def _too_few(orders):
    """Return the message for a verdict True that rests on too few orders.

    orders: how many other orders were tried, an int.
    """
    if orders == 0:
        return (
            "Your True comes without a single other order: `answer` has met each basket as it stands. Draw one: "
            "`items[:, torch.randperm(items.shape[1])]`."
        )
    if orders == 1:
        return (
            "Your True rests on one other order, which may be a lucky one: the first thing may have stayed the first. "
            "Draw ten, each inside the loop, and return True behind it."
        )
    return (
        "Your True rests on a few orders. Turned round, or moved on in a ring, each thing keeps its neighbours. Draw "
        "ten at random: `torch.randperm(items.shape[1])`."
    )
