"""Mistakes in refusing an impossible dropout rate; the solution has `if not 0 <= p < 1:` and a `raise`."""

RANGE = """
range-one: `p = 1` is let through, and 1 - p is 0 then. Refuse it as well: `if not 0 <= p < 1`.
    p < 1 -> p <= 1
range-zero: `p = 0` is refused. It drops nothing, and is a good rate: `if not 0 <= p < 1`.
    0 <= p -> 0 < p
range-below: A rate below 0 is let through. Refuse it as well: `if not 0 <= p < 1`.
    not 0 <= p < 1 -> p >= 1
range-above: A rate of 1 and more is let through. Refuse it as well: `if not 0 <= p < 1`.
    not 0 <= p < 1 -> p < 0
range-both: Two ends of your range are wrong: `p = 1` and a rate below 0 are let through. Write `if not 0 <= p < 1`.
    not 0 <= p < 1 -> p > 1
range-both: Two ends of your range are wrong: `p = 0` is a good rate, and `p = 1` is none. Write `if not 0 <= p < 1`.
    not 0 <= p < 1 -> not 0 < p <= 1
range-one-alone: You refuse `p = 1` alone. A rate below 0, or above 1, makes no sense either: `if not 0 <= p < 1`.
    not 0 <= p < 1 -> p == 1
range-inverted: Good rates are refused, and the others let through. Refuse those that are *not* in the range.
    if not 0 -> if 0
error-kind: Another error is raised than asked for: `raise ValueError(…)`.
    raise ValueError -> raise Exception
    or
    raise ValueError -> raise IndexError
    or
    raise ValueError -> raise RuntimeError
"""
