"""Mistakes in refusing an impossible dropout rate; the solution has `if not 0 <= p < 1:` and a `raise`."""

RANGE = """
range-one: `p = 1` is let through, and 1 - p is 0 then. Refuse it as well: `if not 0 <= p < 1`.
    p < 1 -> p <= 1
range-zero: `p = 0` is refused. It drops nothing, and is a good rate: `if not 0 <= p < 1`.
    0 <= p -> 0 < p
"""
