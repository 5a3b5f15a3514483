"""Mistakes that are told once for all exercises; of each table, an exercise takes the rows that fit its solution.

They rest on one style: `torch.softmax(…, dim=-1)` or `attention.softmax(…)`,
`queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5`, `.masked_fill(~mask, -torch.inf)`,
`self.dropout(attn_weights)`, `attn_weights @ values`.
"""

SOFTMAX_OF_SMALL_SCORES = """
softmax-axis: Your softmax runs down the columns, over the queries. A row belongs to one query, and must add up to 1:
    look at the `dim`, it should be `-1`.
    torch.softmax(…, dim=-1) -> torch.softmax(…, dim=-2)
    or
    attention.softmax(…) -> attention.softmax(…, dim=-2)
softmax-all: Your softmax takes the whole table at once: all weights together add up to 1. Each row needs a sum of its
    own: look at the `dim` of your sum or softmax.
    torch.softmax(…, dim=-1) -> torch.softmax((…).flatten(), dim=0).view_as(…)
    or
    attention.softmax(…) -> torch.softmax((…).flatten(), dim=0).view_as(…)
no-softmax: The scores are used as they are: no softmax has made weights of them. Put it between scores and mix.
    torch.softmax(…, dim=-1) -> (…)
    or
    attention.softmax(…) -> (…)
exp-only: The exponentials are there, and the division is missing: divide them by their sum along each row.
    torch.softmax(…, dim=-1) -> torch.exp(…)
    or
    attention.softmax(…) -> torch.exp(…)
"""
OVERFLOW = """
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract each row's maximum before `torch.exp`.
    torch.softmax(…, dim=-1) -> (torch.exp(…) / torch.exp(…).sum(dim=-1, keepdim=True))
    or
    attention.softmax(…) -> (torch.exp(…) / torch.exp(…).sum(dim=-1, keepdim=True))
"""
SOFTMAX = SOFTMAX_OF_SMALL_SCORES + OVERFLOW
SOFTMAX_OF_ONE_HEAD = """
softmax-first-axis: Your softmax runs over the first axis. In a batch that mixes the texts: the keys are on the last
    axis, `dim=-1`.
    torch.softmax(…, dim=-1) -> torch.softmax(…, dim=0)
    or
    attention.softmax(…) -> attention.softmax(…, dim=0)
sum-normalise: You divided the scores by their sum. With a negative score that gives negative weights: take `torch.exp`
    of the scores before you add them up.
    torch.softmax(…, dim=-1) -> ((…) / (…).sum(dim=-1, keepdim=True))
    or
    attention.softmax(…) -> ((…) / (…).sum(dim=-1, keepdim=True))
"""
SCORES = """
keys-not-transposed: The keys stand in the product as they are. Queries and keys meet along their width: turn the last
    two axes of the keys with `.transpose(-2, -1)`.
    @ keys.transpose(-2, -1) -> @ keys
qk-swapped: Keys and queries have changed places: this is the right table on its side. A row is a query, so `queries`
    stand on the left of the `@`.
    queries @ keys.transpose(-2, -1) -> keys @ queries.transpose(-2, -1)
no-scale: The scores are not divided, so the weights come out too sharp. Divide the product by the root of the width,
    `queries.shape[-1] ** 0.5`.
    / queries.shape[-1] ** 0.5 ->
    or
    / keys.shape[-1] ** 0.5 ->
scale-no-root: You divided by the width itself. Divide by its root: `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1]
    or
    / keys.shape[-1] ** 0.5 -> / keys.shape[-1]
scale-wrong-axis: You divided by the root of the number of tokens. It should be the root of the width, the last axis:
    `shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / keys.shape[-2] ** 0.5
    or
    / keys.shape[-1] ** 0.5 -> / keys.shape[-2] ** 0.5
scale-inverted: You multiplied by the root. The scores should become smaller: divide.
    / queries.shape[-1] ** 0.5 -> * queries.shape[-1] ** 0.5
    or
    / keys.shape[-1] ** 0.5 -> * keys.shape[-1] ** 0.5
"""
MIX = """
weights-on-keys: The weights are applied to the keys. The keys have done their work in the scores: what is mixed are the
    `values`.
    attn_weights @ values -> attn_weights @ keys
weights-transposed: The weights are turned on their side before the mix. Each row of weights mixes the values for one
    query: leave out the transpose in the last product.
    attn_weights @ values -> attn_weights.transpose(-2, -1) @ values
"""
HIDE = """
mask-inverted: True and False have changed places: your mask opens the future and hides the past. Here True means *may
    attend*: turn it round with `~`.
    .masked_fill(~mask, -torch.inf) -> .masked_fill(mask, -torch.inf)
mask-zero-fill: Hidden scores are set to 0, and *e* to the power of 0 is 1: they still get weight. Fill with
    `-torch.inf`. (Scores times mask does the same.)
    .masked_fill(~mask, -torch.inf) -> .masked_fill(~mask, 0.0)
mask-added-01: The mask is added as 0 and 1: that changes scores a little, and hides none. Fill with `-torch.inf` where
    it is False.
    .masked_fill(~mask, -torch.inf) -> .add(mask)
zero-times-inf: There is `nan` everywhere: 0 times infinity is not a number. Fill with `masked_fill(~mask, -torch.inf)`,
    and do not multiply.
    .masked_fill(~mask, -torch.inf) -> .add(~mask * -torch.inf)
"""
CAUSAL = """
no-mask: Nothing is hidden: the mask is not used, or the result of `masked_fill` was not kept.
    .masked_fill(~mask, -torch.inf) ->
mask-lower: This is the wrong triangle: each token sees itself and what comes after it. The past lies below the
    diagonal: `tril`, not `triu`, or `<=` the other way round.
    .masked_fill(~mask, -torch.inf) -> .masked_fill(~mask.mT, -torch.inf)
mask-off-by-one: The diagonal is hidden: no token sees itself, and the first sees nothing. Look at `diagonal=`, or at
    `<` where it should be `<=`.
    .masked_fill(~mask, -torch.inf) -> .masked_fill(~mask.tril(-1), -torch.inf)
mask-off-by-one: Each token sees one place ahead: the first row should have one True, yours has two. Look at
    `diagonal=`, which should be left out, or at a `+ 1`.
    .masked_fill(~mask, -torch.inf) -> .masked_fill((~mask).triu(2), -torch.inf)
mask-not-sliced: The mask is made for `context_length` tokens, and a shorter text does not fit it. Cut it on both axes:
    `[:num_tokens, :num_tokens]`.
    [:num_tokens, :num_tokens] ->
mask-normalised: You divided the mask by its own sums: every open key gets the same weight, whatever its score. It is
    the scores that go through softmax.
    .masked_fill(~mask, -torch.inf) -> .mul(0).masked_fill(~mask, -torch.inf)
"""
DROPOUT = """
dropout-in-eval:
    self.dropout(attn_weights) -> nn.functional.dropout(attn_weights, 0.3)
dropout-missing:
    self.dropout(attn_weights) -> attn_weights
dropout-on-output:
    self.dropout(attn_weights) -> attn_weights
    attn_weights @ values -> self.dropout(attn_weights @ values)
dropout-no-rescale:
    self.dropout(attn_weights) -> attn_weights * (torch.rand_like(attn_weights) > self.training * self.dropout.p)
dropout-not-applied:
    attn_weights @ values -> self.dropout(attn_weights) @ values
"""
RESULTS = """
outputs-swapped: The two results have changed places: `return context_vecs, attn_weights`.
    return attn_weights @ values, attn_weights -> return attn_weights, attn_weights @ values
weights-missing: The weights are asked for as well: `return context_vecs, attn_weights`.
    return attn_weights @ values, attn_weights -> return attn_weights @ values
weights-returned-transposed: The weights come back on their side: a row is a query.
    @ values, attn_weights -> @ values, attn_weights.transpose(-2, -1)
"""
MODULE = """
shared-projection: Queries and keys come from the same layer: the keys need `self.W_key(x)`.
    self.W_key(x) -> self.W_query(x)
shared-projection: Queries and keys come from the same layer: the queries need `self.W_query(x)`.
    self.W_query(x) -> self.W_key(x)
scale-model: You divided by the root of the inputs' width. What meets in the product are queries and keys: take their
    width, `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / x.shape[-1] ** 0.5
v-unprojected: The weights are applied to the inputs. What is mixed are the values: `self.W_value(x)`.
    self.W_value(x) -> x
"""
