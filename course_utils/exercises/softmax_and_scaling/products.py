"""Mistakes of `queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5`, with any number of axes."""

PRODUCT = """
scale-wrong-axis: You divided by the root of the number of queries. It should be the root of the width, the last axis:
    `shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-2] ** 0.5
scale-wrong-axis: You divided by the root of the first axis. In a batch that is the number of texts: the width is
    `shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[0] ** 0.5
    or
    / queries.shape[-1] ** 0.5 -> / keys.shape[0] ** 0.5
scale-wrong-axis: You divided by the root of `shape[1]`. That is the width of a table alone: count from the end,
    `shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[1] ** 0.5
    or
    / queries.shape[-1] ** 0.5 -> / keys.shape[1] ** 0.5
scale-wrong-axis: You divided by the root of `shape[2]`. That is the width with one axis of batch alone: count from the
    end, `shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[2] ** 0.5
scale-model: You divided by the root of all heads' width together. The dot product runs over one head:
    `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 ->
        / (queries.shape[-1] * (queries.shape[-3] if queries.dim() > 3 else 1)) ** 0.5
scale-fourth-root: You divided by the fourth root. The root is `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 0.25
root-precedence: `** 1 / 2` is read as `(… ** 1) / 2`, so no root is taken. Write `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1 / 2
root-precedence: You divided by half the width: `** 1 / 2`, like `* 0.5`, takes no root. Write `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / (queries.shape[-1] ** 1 / 2)
scale-squared: You divided by the square of the width. Divide by its root: `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 2
fixed-width: You divided by one number, whatever the width is. Read the width off the queries: `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / 64 ** 0.5
    or
    / queries.shape[-1] ** 0.5 -> / 8 ** 0.5
keys-full-turn: `.T` turns all axes round, the batch with them. Name the two that should change places:
    `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.permute(*reversed(range(keys.dim())))
keys-fixed-axes: You turned axes 0 and 1. Those are the last two of a table alone: count them from the end,
    `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(0, 1)
keys-fixed-axes: Axes 1 and 2 are the last two with one axis of batch alone: count them from the end,
    `.transpose(-2, -1)`, and write `@`, which takes any number of axes, in place of `bmm`.
    keys.transpose(-2, -1) -> keys.transpose(1, 2)
    or
    queries @ keys.transpose(-2, -1) -> torch.bmm(queries, keys.transpose(1, 2))
batch-required: Your products take exactly one axis of batch. The prompt has any number, none included: write `@` in
    place of `bmm`, and `...` in place of the letter for the batch.
    queries @ keys.transpose(-2, -1) -> torch.bmm(queries, keys.transpose(-2, -1))
    or
    queries @ keys.transpose(-2, -1) -> torch.einsum("bqd,bkd->bqk", queries, keys)
view-no-transpose: `view` does not turn the keys on their side: it fills the new rows with their numbers in the old
    order. Turn the last two axes with `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2])
queries-turned: The queries are turned, and the keys are not. Turn the last two axes of the keys.
    queries @ keys.transpose(-2, -1) -> queries.transpose(-2, -1) @ keys
no-scale: The scores are not divided, or the result of the division is not kept: they are too large. Divide the product
    by the root of the width, `queries.shape[-1] ** 0.5`.
    / queries.shape[-1] ** 0.5 ->
scale-no-root: All in all you divided by the width itself. Divide the product once, by its root, `** 0.5`. (The root
    under queries and keys both is the width again.)
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1]
root-cut: The root was made a whole number. It seldom is one: leave out what cuts or rounds it, `** 0.5` is enough.
    / queries.shape[-1] ** 0.5 -> / int(queries.shape[-1] ** 0.5)
    or
    / queries.shape[-1] ** 0.5 -> / round(queries.shape[-1] ** 0.5)
    or
    / queries.shape[-1] ** 0.5 -> / -(-(queries.shape[-1] ** 0.5) // 1)
floor-division: `//` cuts off what stands behind the point of each score. Divide with `/`.
    / queries.shape[-1] ** 0.5 -> // queries.shape[-1] ** 0.5
"""
