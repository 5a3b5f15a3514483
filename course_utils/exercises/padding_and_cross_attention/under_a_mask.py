"""Mistakes in a mask made of lengths, wherever keys are counted, and in a softmax under it."""

KEYS_COUNTED = """
mask-from-queries: Your mask is as long as the queries. Padding is a matter of the keys: count to `keys.shape[-2]`.
    keys.shape[-2] -> queries.shape[-2]
mask-from-width: Your mask is as long as a key is wide. Count how many keys there are: `keys.shape[-2]`.
    keys.shape[-2] -> keys.shape[-1]
keys-from-lens: Your mask is as wide as the longest text. The row may be longer than that: count to `keys.shape[-2]`.
    keys.shape[-2] -> int(valid_lens.max())
"""
CLOSED_SCORES = """
mask-inverted: Your mask opens what should be closed. True = may attend: close where it is False.
mask-zero-fill: Closed keys still get weight, as if their score were 0: e⁰ is 1. Fill the scores with `-torch.inf`.
all-masked-nan: A text of length 0 gives `nan`. Its rows should be 0: `attention.softmax` and
    `attention.scaled_dot_product_attention` see to that.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
all-masked-uniform: A text of length 0 attends to its padding, evenly, as with a large finite number. Fill with
    `-torch.inf`.
    ~mask, -torch.inf -> ~mask, -1e9
softmax-axis: Your softmax makes each column add up to 1. A row is one query's, and should: `dim=-1`, the last axis.
    attention.softmax(…) -> attention.softmax(…, dim=-2)
softmax-first-axis: Your softmax runs over the first axis, and mixes the texts. The keys are on the last axis, `dim=-1`.
    attention.softmax(…) -> attention.softmax(…, dim=0)
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract each row's maximum before `torch.exp`.
    attention.softmax(…) -> torch.exp(…) / torch.exp(…).sum(dim=-1, keepdim=True).clamp(min=1e-9)
fill-too-small: Closed keys keep some weight: the number filled in, or added, is not low enough. Fill with `-torch.inf`.
    ~mask, -torch.inf -> ~mask, -10.0
    or
    ~mask, -torch.inf -> ~mask, -100.0
    or
    .masked_fill(~mask, -torch.inf) -> .add(~mask * -10.0)
    or
    .masked_fill(~mask, -torch.inf) -> .add(~mask * -100.0)
    or
    .masked_fill(~mask, -torch.inf) -> .add(~mask * -1000.0)
power-precedence: You divided by half the width. Take the root, `** 0.5`: `** 1/2` is a power of 1, halved.
    / queries.shape[-1] ** 0.5 -> / (queries.shape[-1] ** 1 / 2)
power-precedence: You divided by twice the width: `** 1/2` is a power of 1, halved. Write the root as `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1 / 2
"""
