"""Mistakes in `queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5`, with any number of axes."""

PRODUCT = """
scale-wrong-axis: You divided by the root of another axis. The width is the last: `queries.shape[-1] ** 0.5`.
    / queries.shape[-1] -> / queries.shape[-2]
    or
    / queries.shape[-1] -> / queries.shape[0]
    or
    / queries.shape[-1] -> / keys.shape[0]
    or
    / queries.shape[-1] -> / queries.shape[1]
    or
    / queries.shape[-1] -> / keys.shape[1]
    or
    / queries.shape[-1] -> / queries.shape[2]
scale-model: You divided by the root of all heads' width together. The product runs over one head: `queries.shape[-1]`.
    / queries.shape[-1] -> / (queries.shape[-1] * (queries.shape[-3] if queries.dim() > 3 else 1))
scale-fourth-root: You divided by the fourth root. The root is `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 0.25
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
    queries @ keys.transpose(-2, -1) -> torch.bmm(queries, keys.transpose(-2, -1))
    or
    queries @ keys.transpose(-2, -1) -> torch.einsum("bqd,bkd->bqk", queries, keys)
"""
OTHER_DIVISORS = """
root-of-another-kind: You divided by another function of the width than its root: `queries.shape[-1] ** 0.5`.
    / queries.shape[-1] ** 0.5 -> / torch.tensor(queries.shape[-1]).log()
    or
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** (1 / 3)
    or
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1.5
    or
    / queries.shape[-1] ** 0.5 -> / torch.tensor(queries.shape[-1]).log2()
width-shifted: The width is off by one under your root. It is `queries.shape[-1]`, with nothing added or taken off.
    / queries.shape[-1] ** 0.5 -> / (queries.shape[-1] - 1) ** 0.5
    or
    / queries.shape[-1] ** 0.5 -> / (queries.shape[-1] + 1) ** 0.5
    or
    / queries.shape[-1] ** 0.5 -> / (queries.shape[-1] ** 0.5 + 1)
numbers-counted: You divided by the root of how many numbers there are. The width is one axis: `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / queries.numel() ** 0.5
    or
    / queries.shape[-1] ** 0.5 -> / keys.numel() ** 0.5
    or
    / queries.shape[-1] ** 0.5 -> / (queries.shape[-1] * queries.shape[-2]) ** 0.5
"""
ADDED = """
scale-added: The root is added to the scores, or subtracted. They should become smaller in proportion: divide.
    / queries.shape[-1] ** 0.5 -> + queries.shape[-1] ** 0.5
    or
    / queries.shape[-1] ** 0.5 -> - queries.shape[-1] ** 0.5
"""
FIXED = """
batch-required: Your code takes exactly one axis of batch, the prompt any number. `.transpose(-2, -1)` fits all.
    keys.transpose(-2, -1) -> keys.permute(0, 2, 1)
heads-required: Your code takes exactly two axes of batch, the prompt any number. `.transpose(-2, -1)` fits all.
    keys.transpose(-2, -1) -> keys.permute(0, 1, 3, 2)
    or
    keys.transpose(-2, -1) -> keys.transpose(2, 3)
batch-refused: Your code takes no axis of batch, the prompt any number. `.transpose(-2, -1)` fits all.
    keys.transpose(-2, -1) -> keys.permute(1, 0)
    or
    keys.transpose(-2, -1) -> keys.t()
"""
TIMES = """
scale-times-width: The scores are multiplied by the width, or a part of it. Divide them by its root: `/ … ** 0.5`.
    / queries.shape[-1] ** 0.5 -> * queries.shape[-1]
    or
    / queries.shape[-1] ** 0.5 -> * queries.shape[-1] * 0.5
    or
    / queries.shape[-1] ** 0.5 -> * queries.shape[-1] * -0.5
    or
    / queries.shape[-1] ** 0.5 -> * queries.shape[-1] ** 2
"""
