"""Mistakes that many exercises share; an exercise takes the rows of a table that fit its solution.

The tables fit solutions in one style: `torch.softmax(…, dim=-1)` or `attention.softmax(…)`,
`exps / exps.sum(dim=-1, keepdim=True)`, `queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5`,
`.masked_fill(~mask, -torch.inf)`, `self.dropout(attn_weights)`, `attn_weights @ values`.
"""


def _of_both(table: str) -> str:
    """Return a str: a table of mistakes, then a copy whose edits of `torch.softmax` apply to `attention.softmax`."""
    same = table.replace("torch.softmax(…, dim=-1) ->", "attention.softmax(…) ->")
    return table + same.replace("torch.softmax(…, dim", "attention.softmax(…, dim")  # gives closed columns 0, too


SOFTMAX_OF_SMALL_SCORES = _of_both("""
softmax-axis: Your softmax makes each column add up to 1. A row is one query's, and should: `dim=-1`, the last axis.
    torch.softmax(…, dim=-1) -> torch.softmax(…, dim=-2)
softmax-all: One softmax covers the whole table: all weights together add up to 1. Each row needs its own: `dim=-1`.
    torch.softmax(…, dim=-1) -> torch.softmax((…).flatten(), dim=0).view_as(…)
no-softmax: No softmax has made weights of the scores, or what it gave is not used. Take it over each row, `dim=-1`.
    torch.softmax(…, dim=-1) -> (…)
exp-only: These are exponentials, and not yet weights: divide them by their sum along each row.
    torch.softmax(…, dim=-1) -> torch.exp(…)
""")
OVERFLOW = _of_both("""
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract each row's maximum before `torch.exp`.
    torch.softmax(…, dim=-1) -> (torch.exp(…) / torch.exp(…).sum(dim=-1, keepdim=True))
""")
SOFTMAX = SOFTMAX_OF_SMALL_SCORES + OVERFLOW
SOFTMAX_OF_ONE_HEAD = _of_both("""
softmax-first-axis: Your softmax runs over the first axis, which mixes the texts of a batch. Take the last, `dim=-1`.
    torch.softmax(…, dim=-1) -> torch.softmax(…, dim=0)
sum-normalise: The scores are divided by their bare sum, so weights can be negative. Take `torch.exp` of them first.
    torch.softmax(…, dim=-1) -> ((…) / (…).sum(dim=-1, keepdim=True))
""")
EXPS = """
softmax-all: One softmax covers the whole table: all weights together add up to 1. Each row needs its own: `dim=-1`.
    exps.sum(dim=-1, keepdim=True) -> exps.sum()
no-keepdim: What was taken of the rows falls on the columns: its axis is gone. Keep it, with `keepdim=True`.
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-1)
exp-only: These are exponentials, and not yet weights: divide them by their sum along each row.
    / exps.sum(dim=-1, keepdim=True) ->
mean: You divided by the mean of each row, so that it adds up to the number of keys: take the sum.
    exps.sum( -> exps.mean(
multiplied: You multiplied by the sums. Divide the exponentials by them, so that each row adds up to 1: `exps / …`.
    exps / exps -> exps * exps
subtracted: You took the sums off the exponentials. A weight is a quotient: `exps / …`.
    exps / exps -> exps - exps
floor-division: The weights are cut to whole numbers, as by `//`, and each is below 1. Divide with `/` alone.
    exps / exps -> exps // exps
"""
DIVISION = """
no-scale: The scores are not divided, or without effect. Divide by the root of the width, `queries.shape[-1] ** 0.5`.
    / queries.shape[-1] ** 0.5 ->
scale-no-root: All in all you divided by the width itself. Divide the product once, by its root: `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1]
scale-wrong-axis: You divided by the root of another axis. The width is the last: `queries.shape[-1] ** 0.5`.
    / queries.shape[-1] ** 0.5 -> / keys.shape[-2] ** 0.5
    or
    / queries.shape[-1] ** 0.5 -> / queries.shape[-2] ** 0.5
scale-inverted: The scores are multiplied by the root. They should become smaller: `/ queries.shape[-1] ** 0.5`.
    / queries.shape[-1] ** 0.5 -> * queries.shape[-1] ** 0.5
"""
SCORES = f"""
keys-not-transposed: Queries and keys do not meet along their width. Turn the keys' last two axes: `.transpose(-2, -1)`.
    @ keys.transpose(-2, -1) -> @ keys
qk-swapped: The scores lie on their side. A row is a query, a column a key: `queries @ keys.transpose(-2, -1)`.
    queries @ keys.transpose(-2, -1) -> keys @ queries.transpose(-2, -1)
queries-turned: The product runs over the tokens, not over the width: turn the keys, and not the queries.
    queries @ keys.transpose(-2, -1) -> queries.transpose(-2, -1) @ keys
{DIVISION}
{DIVISION.replace("/ queries.shape[-1] ** 0.5 ->", "/ keys.shape[-1] ** 0.5 ->")}
"""
RARE_IN_SCORES = """
root-cut: The root was made a whole number. It seldom is one: leave out what cuts or rounds it, `** 0.5` is enough.
    / queries.shape[-1] ** 0.5 -> / int(queries.shape[-1] ** 0.5)
floor-division: The scores are cut to whole numbers, as by `//`. Divide with `/`, and round nothing.
    / queries.shape[-1] ** 0.5 -> // queries.shape[-1] ** 0.5
fixed-width: You divided by one number, whatever the width is. Read the width off the queries: `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / 2**0.5
    or
    / queries.shape[-1] ** 0.5 -> / 64 ** 0.5
keys-full-turn: All axes of the keys are turned, the batch too, as by `.T`. Turn the last two: `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.permute(*reversed(range(keys.dim())))
view-no-transpose: The keys are cut anew, as by `view`, and not turned. Turn the last two axes: `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2])
cosine: You divided by the lengths of the vectors, as the cosine does. Divide by the root of the width.
    return … ** 0.5 -> return torch.cosine_similarity(queries.unsqueeze(-2), keys.unsqueeze(-3), dim=-1)
    or
    / queries.shape[-1] ** 0.5 -> / queries.norm(dim=-1, keepdim=True)
"""
MIX = """
weights-on-keys: The weights mix the keys. Keys are for the scores alone: what is mixed are the `values`.
    attn_weights @ values -> attn_weights @ keys
weights-transposed: The weights lie on their side in the mix. A row mixes the values for one query: no transpose here.
    attn_weights @ values -> attn_weights.transpose(-2, -1) @ values
"""
HIDE = """
mask-inverted: Your mask hides what may be seen, and opens the rest. True means *may attend*: fill where it is False.
    .masked_fill(~mask, -torch.inf) -> .masked_fill(mask, -torch.inf)
mask-zero-fill: Hidden scores are 0, and *e* to the power of 0 is 1: they still get weight. Fill with `-torch.inf`.
    .masked_fill(~mask, -torch.inf) -> .masked_fill(~mask, 0.0)
mask-added-01: The mask is added as 0 and 1, which hides nothing. Fill with `-torch.inf` where it is False.
    .masked_fill(~mask, -torch.inf) -> .add(mask)
zero-times-inf: 0 times infinity is `nan`. Do not multiply by a mask: fill, with `masked_fill(~mask, -torch.inf)`.
    .masked_fill(~mask, -torch.inf) -> .add(~mask * -torch.inf)
"""
CAUSAL = """
no-mask: Nothing is hidden: the mask has no effect. Use it before softmax, and keep what `masked_fill` gives back.
    .masked_fill(~mask, -torch.inf) ->
mask-lower: Each token sees itself and what comes after it. The past lies below the diagonal: `tril`, key `<=` query.
    .masked_fill(~mask, -torch.inf) -> .masked_fill(~mask.mT, -torch.inf)
mask-off-by-one: No token sees itself, and the first sees nothing. The diagonal is open: `tril(…)` as it is, or `<=`.
    .masked_fill(~mask, -torch.inf) -> .masked_fill(~mask.tril(-1), -torch.inf)
mask-off-by-one: Each token sees one place ahead. The first row has one True: `tril(…)` as it is, and no `+ 1`.
    .masked_fill(~mask, -torch.inf) -> .masked_fill((~mask).triu(2), -torch.inf)
mask-not-sliced: The mask is `context_length` long, a text may be shorter. Cut both axes: `[:num_tokens, :num_tokens]`.
    [:num_tokens, :num_tokens] ->
mask-normalised: Every open key has the same weight, whatever its score. Hide scores with the mask, then take softmax.
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
"""
MODULE = """
shared-projection: Both sides of the scores come from `W_query`. The keys need a layer of their own: `self.W_key(x)`.
    self.W_key(x) -> self.W_query(x)
shared-projection: Both sides of the scores come from `W_key`. The queries need a layer of their own: `self.W_query(x)`.
    self.W_query(x) -> self.W_key(x)
scale-model: You divided by the root of the inputs' width. Queries and keys have their own: `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / x.shape[-1] ** 0.5
v-unprojected: The weights mix the bare inputs. What is mixed are the values: `self.W_value(x)`.
    self.W_value(x) -> x
"""
