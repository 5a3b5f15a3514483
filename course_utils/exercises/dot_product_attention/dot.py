"""Mistakes in `keys @ query`, the dot product of one query with every key."""

DOT = """
keys-not-transposed: Your query meets the columns of `keys`. It should meet the rows, one for each key: `keys @ query`.
    keys @ query -> query @ keys
    or
    keys @ query -> keys.transpose(0, 1) @ query
view-no-transpose: `keys` is cut anew, as by `view`, and not turned on its side. As it is, it fits: `keys @ query`.
    keys @ query -> query @ keys.view(keys.shape[1], keys.shape[0])
products-not-summed: The products are not added up. A dot product does that too: `keys @ query`, or `.sum(dim=-1)`.
    keys @ query -> keys * query
largest: Only the largest product of each key counts. A dot product adds all of them up: `.sum(dim=-1)`, or `@`.
    keys @ query -> (keys * query).amax(dim=-1)
sizes: The minus signs of the products are lost, as by `abs`. A dot product adds them up as they are: `keys @ query`.
    keys @ query -> (keys * query).abs().sum(dim=-1)
    or
    keys @ query -> keys.abs() @ query.abs()
    or
    keys @ query -> (keys @ query).abs()
squared: The products are squared. A dot product adds them up as they are: `keys @ query`.
    keys @ query -> ((keys * query) ** 2).sum(dim=-1)
    or
    keys @ query -> (keys @ query) ** 2
one-number-only: Only one number of query and keys meets, as when `=` overwrites. Add all products up, with `+=` or `@`.
    keys @ query -> (keys * query)[:, -1]
    or
    keys @ query -> (keys * query)[:, 0]
first-number-out: The first number of query and keys is left out. A dot product takes all of them: `keys @ query`.
    keys @ query -> keys[:, 1:] @ query[1:]
mean: You took the mean of the products. A dot product is their sum: `.sum(dim=-1)`, or `@`.
    keys @ query -> (keys * query).mean(dim=-1)
added: You added query and key. A dot product multiplies them number by number, and then adds up: `*`, or `@`.
    keys @ query -> (keys + query).sum(dim=-1)
sums-multiplied: You added up first and multiplied then. A dot product multiplies number by number, and then adds up.
    keys @ query -> keys.sum(dim=-1) * query.sum()
last-number-out: The last number of query and keys is left out. A dot product takes all of them: `keys @ query`.
    keys @ query -> keys[:, :-1] @ query[:-1]
distance: This says how far the two lie apart. A score is their dot product: `keys @ query`.
    keys @ query -> (keys - query).norm(dim=-1)
    or
    keys @ query -> ((keys - query) ** 2).sum(dim=-1)
    or
    keys @ query -> -(keys - query).norm(dim=-1)
    or
    keys @ query -> -((keys - query) ** 2).sum(dim=-1)
scaled-too-early: The scores are divided by the root of the width. That comes in the next notebook: leave it out here.
    keys @ query -> keys @ query / query.shape[-1] ** 0.5
cosine: You divided by a length, as the cosine does. A score is the bare dot product, and length counts in it.
    keys @ query -> torch.cosine_similarity(keys, query, dim=-1)
    or
    keys @ query -> keys @ query / keys.norm(dim=-1)
    or
    keys @ query -> keys @ query / query.norm()
"""
