"""Slips that several cases share; of each table, an exercise takes the rows that fit its solution."""

FIXED_AXES = """
keys-fixed-axes: `transpose(0, 1)` names the two axes of one text. In a batch it exchanges texts and tokens. Count from
    the end: `transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(0, 1)
keys-fixed-axes: `transpose(1, 2)` names the axes of a batch: one text has no axis 2, and with heads it turns the wrong
    pair. Count from the end: `transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(1, 2)
keys-full-turn: `.T` turns all axes round, the batch with them. Name the two that should change places:
    `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.permute(*reversed(range(keys.dim())))
scale-fixed-axis: `shape[1]` is the width of one text alone. In a batch it counts tokens, with heads it counts heads:
    the width is `shape[-1]`.
    / keys.shape[-1] ** 0.5 -> / keys.shape[1] ** 0.5
    or
    / queries.shape[-1] ** 0.5 -> / queries.shape[1] ** 0.5
"""
SCALE = """
scale-after: You divided after softmax, so the rows no longer add up to 1. Divide the scores, before softmax.
    / keys.shape[-1] ** 0.5 ->
    torch.softmax(…, dim=-1) -> torch.softmax(…, dim=-1) / keys.shape[-1] ** 0.5
    or
    / queries.shape[-1] ** 0.5 ->
    torch.softmax(…, dim=-1) -> torch.softmax(…, dim=-1) / queries.shape[-1] ** 0.5
    or
    / keys.shape[-1] ** 0.5 ->
    attention.softmax(…) -> attention.softmax(…) / keys.shape[-1] ** 0.5
    or
    / queries.shape[-1] ** 0.5 ->
    attention.softmax(…) -> attention.softmax(…) / queries.shape[-1] ** 0.5
scale-precedence: `** 1/2` is read as `(… ** 1) / 2`: you divided by twice the width. Write `** 0.5`, or `** (1/2)`.
    / keys.shape[-1] ** 0.5 -> / keys.shape[-1] ** 1 / 2
    or
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1 / 2
"""
