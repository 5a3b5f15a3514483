"""Relations in which each wrong number is made of the right one: by a factor, a sign, a logarithm, a rounding.

What a relation takes and yields, and what its `say_…` function returns, stands in the package's docstring.
"""

import math

import torch

from ..outcome import close

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
LARGEST = 1_000_000  # a number from here on is not taken for a size
BY_SIZE = {  # (the factor as a function of a size n, how it comes about)
    "n": (
        lambda n: n,
        "too large by the factor n: a factor is too many, a division is missing, or a sum stands for a mean",
    ),
    "root": (math.sqrt, "too large by the factor √n: a division by `n ** 0.5` is missing"),
    "over n": (
        lambda n: 1 / n,
        "too small by the factor n: a factor is missing, a division is too many, or a mean stands for a sum",
    ),
    "over root": (
        lambda n: n**-0.5,
        "too small by the factor √n: a division by `n ** 0.5` is too many, or one by `n` should be by its root",
    ),
}


def made(formula):
    """Return a relation that holds if `formula(expected)` equals the output.

    A relation is a function of a Seen; this one yields (None, expected numbers). formula: a function of a tensor.
    """

    def find(one):
        if close(one.got, formula(one.expected)):
            yield None, one.expected

    return find


def undone(formula):
    """Return a relation that holds if `formula(output)` equals the expected output.

    A relation is a function of a Seen; this one yields (None, expected numbers). formula: a function of a tensor.
    """

    def find(one):
        if close(formula(one.got), one.expected):
            yield None, one.expected

    return find


def same_numbers(one):
    """Return whether the output of a Seen holds the expected numbers, in any order."""
    ours, theirs = one.got.flatten(), one.expected.flatten()
    return len(ours) == len(theirs) and close(ours.sort().values, theirs.sort().values)


def axes(tensor):
    """Return the axes of a tensor as a range of negative numbers, the last axis first: -1, -2, …."""
    return range(-1, -tensor.dim() - 1, -1)


def unchanged(one):
    """Yield ((index, count), output) for each of the input's `count` tensors that came back unchanged. one: a Seen."""
    for index, tensor in enumerate(one.tensors[: len(ORDINALS)]):
        if close(one.got, tensor):
            yield (index, len(one.tensors)), one.got


def say_unchanged(about, detail):
    index, number = detail
    which = "the tensor that goes in" if number == 1 else f"the {ORDINALS[index]} of the tensors that go in"
    return (
        f"{which} has come back unchanged. Look at the name after `return`, and for a result that you do not keep: "
        "`x.transpose(1, 2)` alone changes nothing."
    )


def swapped(one):
    """Yield (the two values, expected numbers) if only two are expected, and each stands in the other's place.

    one: a Seen. The values are a pair of floats, the smaller first.
    """
    values = one.expected.unique()
    if len(values) == 2 and close(one.got, torch.where(one.expected == values[0], values[1], values[0])):
        yield tuple(values.tolist()), one.expected


def say_swapped(about, values):
    names = [f"`{bool(value)}`" if about.is_bool else f"`{value:g}`" for value in reversed(values)]
    return (
        f"{' and '.join(names)} have changed places. Look for a `~` too many or too few, or turn the comparison around."
    )


def one_minus(one):
    """Yield (None, expected numbers) if each number of the output is 1 minus the expected one. one: a Seen."""
    if close(one.got, 1 - one.expected):
        yield None, one.expected


def say_one_minus(about, _):
    if about.is_bool:
        return say_swapped(about, (0, 1))
    return "each number is 1 minus the right one. Look for a `1 -` or a `~` too many or too few."


def logarithm(one):
    """Yield (None, expected numbers) if each number of the output is the logarithm of the expected one. one: a Seen."""
    if close(one.got, one.expected.log()):
        yield None, one.expected


def say_logarithm(about, _):
    if about.is_bool:
        return "there are 0 and -inf, to be added to scores. Booleans are asked for: return the comparison itself."
    return "each number is the logarithm of the right one. Look for a `log`, or a `log_softmax`."


def factor(one):
    """Return the one number by which all expected numbers are multiplied in the output, a float; else None.

    one: a Seen.
    """
    if one.got.shape != one.expected.shape:
        return None
    usable = one.got.isfinite() & one.expected.isfinite()
    got, expected = one.got[usable].double(), one.expected[usable].double()
    times = ((got * expected).sum() / (expected * expected).sum()).item()
    if not math.isfinite(times) or abs(times) < 1e-12:
        return None
    return times if close(one.got, one.expected * times) and close(one.got / times, one.expected) else None


def times_constant(one):
    """Yield (factor, expected numbers) if all expected numbers are multiplied by one factor, a text with five digits.

    one: a Seen.
    """
    times = factor(one)
    if times is not None:
        yield f"{times:.5g}", one.expected


def say_times(about, times):
    look = "a factor too many, or a division" if abs(float(times)) > 1 else "a division too many, or a factor"
    return f"every number is {times} times what it should be. Look for {look} that is missing."


def times_size(one):
    """Yield ((where, index, axis, kind), expected numbers) for each size that explains the factor of all numbers.

    one: a Seen. where, index, axis: as in `_sizes`. kind: the key in BY_SIZE of the formula that makes the factor of
    the size, such as its root.
    """
    times = factor(one)
    for where, size in _sizes(one) if times is not None else ():
        for kind, (formula, _) in BY_SIZE.items():
            if 1 < size < LARGEST and math.isclose(times, formula(size), rel_tol=1e-4):
                yield (*where, kind), one.expected


def _sizes(one):
    """Yield ((where, index, axis), size) for the lengths of all axes and for the whole numbers that went in.

    one: a Seen. where: "in" for a tensor among the arguments, "number" for a whole number among them, "out" for the
    expected output. index: its place among those. axis: a negative number, or 0 for a whole number.
    """
    for index, tensor in enumerate(one.tensors[: len(ORDINALS)]):
        yield from ((("in", index, axis), tensor.shape[axis]) for axis in axes(tensor))
    yield from ((("number", index, 0), size) for index, size in enumerate(one.sizes[: len(ORDINALS)]))
    yield from ((("out", 0, axis), one.expected.shape[axis]) for axis in axes(one.expected))


def say_times_size(about, detail):
    where, index, axis, kind = detail
    last = {-1: "the last axis", -2: "the last axis but one"}.get(axis, f"axis {axis}")
    size = {
        "in": f"the length of {last} of the {ORDINALS[index]} tensor that goes in",
        "number": f"the {ORDINALS[index]} of the whole numbers that go in",
        "out": f"the length of {last} of what comes out",
    }[where]
    return f"every number is {BY_SIZE[kind][1]}. Here n is {size}."


def plus_constant(one):
    """Yield (the number, expected numbers) if one number is added to all; the number is a text with five digits.

    one: a Seen.
    """
    if one.got.shape == one.expected.shape:
        usable = one.got.isfinite() & one.expected.isfinite()
        more = (one.got[usable].double() - one.expected[usable].double()).mean().item()
        if not math.isfinite(more):
            return
        if close(one.got, one.expected + more) and close(one.got - more, one.expected):
            yield f"{more:.5g}", one.expected


def say_plus(about, more):
    return f"{float(more):+.4g} is added to every number. Look for a term too many or too few, or one added twice."


def rounded(one):
    """Yield (decimals, expected numbers) for each number of decimals, 0 to 3, to which the output is rounded.

    one: a Seen. In place of the decimals stands "cut" if they are cut off.
    """
    whole = (one.got == one.got.trunc()).all()
    if (one.got == 0).all() or one.got.shape != one.expected.shape:
        return
    if whole and (close(one.got, one.expected.trunc()) or close(one.got, one.expected.floor())):
        yield "cut", one.expected
    for decimals in range(4):
        if close(one.got, one.expected.round(decimals=decimals)):
            yield decimals, one.expected


def say_rounded(about, decimals):
    if decimals == "cut":
        return "what stands after the point is cut off. Look for `int`, `.long()`, `//`, or a tensor of whole numbers."
    digits = f"{decimals} digit{'s' * (decimals > 1)} after the point" if decimals else "whole numbers"
    return f"the numbers are rounded to {digits}. Leave the rounding away: it is for printing."
