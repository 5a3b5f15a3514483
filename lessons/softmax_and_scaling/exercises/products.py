"""Mistakes in `queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5`, with any number of axes."""

PRODUCT = """
scale-wrong-axis: You divided by the root of another axis. The width is the last: `queries.shape[-1] ** 0.5`.
    / queries.shape[-1] -> / queries.shape[1]
    or
    / queries.shape[-1] -> / queries.shape[0]
root-precedence: You divided by twice or half the width: `** 1 / 2` and `* 0.5` take no root. Write `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1 / 2
    or
    / queries.shape[-1] ** 0.5 -> / (queries.shape[-1] ** 1 / 2)
scale-squared: You divided by the square of the width. Divide by its root: `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 2
keys-fixed-axes: The keys are turned right for one number of axes alone. Count from the end: `@`, `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(0, 1)
    or
    keys.transpose(-2, -1) -> keys.transpose(1, 2)
    or
    queries @ keys.transpose(-2, -1) -> torch.bmm(queries, keys.transpose(1, 2))
batch-required: Your code takes exactly one axis of batch, the prompt any number. Count from the end, with `@` or `...`.
    queries @ keys.transpose(-2, -1) -> torch.einsum("bqd,bkd->bqk", queries, keys)
"""
FIXED = """
batch-required: Your code takes exactly one axis of batch, the prompt any number. `.transpose(-2, -1)` fits all.
    keys.transpose(-2, -1) -> keys.permute(0, 2, 1)
"""
TIMES = """
scale-times-width: The scores are multiplied by the width, or a part of it. Divide them by its root: `/ … ** 0.5`.
    / queries.shape[-1] ** 0.5 -> * queries.shape[-1] * -0.5
"""
