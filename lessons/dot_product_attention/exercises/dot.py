"""Mistakes in `keys @ query`, the dot product of one query with every key."""

DOT = """
keys-not-transposed: Your query meets the columns of `keys`. It should meet the rows, one for each key: `keys @ query`.
    keys @ query -> query @ keys
view-no-transpose: `keys` is cut anew, as by `view`, and not turned on its side. As it is, it fits: `keys @ query`.
    keys @ query -> query @ keys.view(keys.shape[1], keys.shape[0])
products-not-summed: The products are not added up. A dot product does that too: `keys @ query`, or `.sum(dim=-1)`.
    keys @ query -> keys * query
mean: You took the mean of the products. A dot product is their sum: `.sum(dim=-1)`, or `@`.
    keys @ query -> (keys * query).mean(dim=-1)
distance: This says how far the two lie apart. A score is their dot product: `keys @ query`.
    keys @ query -> ((keys - query) ** 2).sum(dim=-1)
    or
    keys @ query -> -((keys - query) ** 2).sum(dim=-1)
scaled-too-early: The scores are divided by the root of the width. That comes in the next notebook: leave it out here.
    keys @ query -> keys @ query / query.shape[-1] ** 0.5
cosine: You divided by a length, as the cosine does. A score is the bare dot product, and length counts in it.
    keys @ query -> torch.cosine_similarity(keys, query, dim=-1)
"""
