"""Mistakes in a mask made of lengths, wherever keys are counted, and in a softmax under it."""

KEYS_COUNTED = """
mask-from-queries: Your mask is as long as the queries. Padding is a matter of the keys: count to `keys.shape[-2]`.
    keys.shape[-2] -> queries.shape[-2]
"""
CLOSED_SCORES = """
mask-inverted: Your mask opens what should be closed. True = may attend: close where it is False.
mask-zero-fill: Closed keys still get weight, as if their score were 0: e⁰ is 1. Fill the scores with `-torch.inf`.
all-masked-nan: A text of length 0 gives `nan`. Its rows should be 0: `attention.softmax` sees to that.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
all-masked-uniform: A text of length 0 attends to its padding, as with a large negative number in place of minus
    infinity. Fill with `-torch.inf`, and take `attention.softmax`, which gives such a text zeros.
    .masked_fill(~mask, -torch.inf) -> .masked_fill(~mask, -1e9)
softmax-first-axis: Your softmax runs over the first axis, and mixes the texts. The keys are on the last axis, `dim=-1`.
    attention.softmax(…) -> attention.softmax(…, dim=0)
"""
