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
COSINE = """
cosine: Cosine similarity divides by the lengths of queries and keys. A score is the dot product alone, `@`.
    queries @ keys.transpose(-2, -1) -> torch.nn.functional.normalize(queries, dim=-1)
        @ torch.nn.functional.normalize(keys, dim=-1).transpose(-2, -1)
"""
FOUR_AXES = """
three-axes-only: `torch.bmm` takes three axes and nothing else, and stops with heads. `@` takes any number of axes in
    front: `queries @ keys.transpose(-2, -1)`.
    queries @ keys.transpose(-2, -1) -> torch.bmm(queries, keys.transpose(-2, -1))
    or
    queries @ keys.transpose(-2, -1) -> (torch.bmm(queries, keys.transpose(-2, -1)) if queries.dim() > 2
        else queries @ keys.transpose(-2, -1))
"""
HIDDEN = """
times-minus-inf: The scores are multiplied by minus infinity where they should be hidden, and a negative one becomes
    plus infinity. Fill it in: `masked_fill(~mask, -torch.inf)`.
    .masked_fill(~mask, -torch.inf) -> .mul(torch.where(mask, 1.0, -torch.inf))
    or
    .masked_fill(~mask, -torch.inf) -> .mul(torch.where(mask, 1.0, -1e9))
"""
PAIRS = """
weights-missing: In place of the weights, `None` comes back. They are asked for as well: PyTorch's function keeps them
    to itself, `attention.scaled_dot_product_attention` returns both.
    return attn_weights @ values, attn_weights -> return attn_weights @ values, None
other-weights: The context vectors are right. The weights beside them are others, made without the division by the root
    of the width: return those that were applied.
    return attn_weights @ values, attn_weights ->
        return attn_weights @ values, torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)
scores-returned: The context vectors are right. Beside them stand the scores: return the weights that softmax made of
    them.
    return attn_weights @ values, attn_weights ->
        return attn_weights @ values, queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
squeezed: `squeeze()` takes away every axis of length 1, also that of a single text, token or key. Name the one that you
    added, `squeeze(0)`, or index it away.
    return attn_weights @ values, attn_weights -> return (attn_weights @ values).squeeze(), attn_weights.squeeze()
    or
    return attn_weights @ values, attn_weights -> return (attn_weights @ values).squeeze(0), attn_weights.squeeze(0)
"""
