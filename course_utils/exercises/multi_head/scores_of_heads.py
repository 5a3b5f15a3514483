"""What goes wrong between queries and weights when there are many heads: (batch, num_heads, num_tokens, head_dim)."""

SCORES_OF_HEADS = """
keys-full-turn: `.T` turns all axes round, the batch with them. Name the two that should change places:
    `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.permute(*reversed(range(keys.dim())))
transpose-wrong-axes: You turned heads and tokens of the keys. What meets are the features: turn the last two axes,
    `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(1, 2)
transpose-wrong-axes: You turned batch and heads of the keys. What meets are the features: turn the last two axes,
    `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(0, 1)
keys-reshaped: `reshape` and `view` do not turn the keys: they only cut the numbers anew. Turn the last two axes with
    `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2])
scale-no-root: You divided by the width itself, or twice by its root. (`attention.scaled_dot_product_attention` divides,
    too.) Divide once, by the root: `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1]
scale-twice: You divided twice: by the root of all heads' width, and by that of one head. Once is enough: the root of
    `head_dim`, the last axis after the split.
    queries.shape[-1] ** 0.5 -> (queries.shape[1] * queries.shape[-1] ** 2) ** 0.5
scale-model: You divided by the root of all heads' width together. The dot product runs over one head: take the root of
    `head_dim`, the last axis after the split.
    queries.shape[-1] ** 0.5 -> (queries.shape[1] * queries.shape[-1]) ** 0.5
scale-heads: You divided by the root of the number of heads. It should be the root of the width of one head, `head_dim`:
    the last axis after the split.
    queries.shape[-1] ** 0.5 -> queries.shape[1] ** 0.5
scale-heads: You shared out the width of a head among the heads once more. After the split, the last axis is `head_dim`
    already: take its root.
    queries.shape[-1] ** 0.5 -> (queries.shape[-1] // queries.shape[1]) ** 0.5
power-precedence: `** 1/2` is a power of 1, halved. Put the root in one number, `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1 / 2
scale-after: You divided after softmax, so the rows no longer add up to 1. Divide the scores, before softmax.
    / queries.shape[-1] ** 0.5 ->
    attention.softmax(…) -> attention.softmax(…) / queries.shape[-1] ** 0.5
softmax-heads: Your softmax runs over the heads (`dim=1`). The keys are on the last axis: `dim=-1`.
    attention.softmax(…) -> attention.softmax(…, dim=1)
    or
    attention.softmax(…) -> torch.softmax(…, dim=1)
fixed-width: Your divisor fits one width alone. Read the width of a head off the queries after the split:
    `queries.shape[-1] ** 0.5`.
    queries.shape[-1] ** 0.5 -> 3 ** 0.5
    or
    queries.shape[-1] ** 0.5 -> 2 ** 0.5
mask-after-softmax: The mask comes after softmax, so rows no longer add up to 1. Mask the scores, before softmax.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    attention.softmax(…) -> attention.softmax(…) * mask
mask-renormalised: You erase after softmax and divide by what is left. With large inputs, a hidden score takes
    everything, and the open weights are 0 / 0. Hide the scores before softmax, with `-torch.inf`.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    self.dropout(attn_weights) -> self.dropout(attn_weights * mask / (attn_weights * mask).sum(dim=-1, keepdim=True))
mask-not-bool: The mask holds numbers, and `~` and `masked_fill` take booleans: `.bool()` when you make it, or `== 0`
    when you use it.
    ~mask, -torch.inf -> ~mask.float(), -torch.inf
    or
    ~mask, -torch.inf -> (~mask).float(), -torch.inf
plus-infinity: The sign is wrong: plus infinity gives the hidden keys everything. It should be `-torch.inf`.
    ~mask, -torch.inf -> ~mask, torch.inf
plus-infinity: The sign is wrong: a large number gives the hidden keys everything. It should be `-torch.inf`.
    ~mask, -torch.inf -> ~mask, 1e9
mask-not-sliced: The mask is cut on one axis alone. A shorter text has fewer queries and fewer keys: cut it on both,
    `[:num_tokens, :num_tokens]`.
    self.mask[:num_tokens, :num_tokens] -> self.mask[:, :num_tokens]
"""
