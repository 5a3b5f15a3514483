"""Mistakes between queries and weights when there are many heads: (batch, num_heads, num_tokens, head_dim)."""

SCORES_OF_HEADS = """
keys-full-turn: All axes of the keys are turned round, the batch too. Turn the last two alone: `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.permute(*reversed(range(keys.dim())))
transpose-wrong-axes: The wrong axes of the keys are turned. The features meet: `.transpose(-2, -1)`, the last two axes.
    keys.transpose(-2, -1) -> keys.transpose(1, 2)
keys-reshaped: The keys are not turned: `reshape` and `view` only cut numbers anew. Write `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2])
scale-no-root: The scores are too small: divided by the width, or twice by its root. Divide once: `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1]
scale-model: You divided by the root of all heads' width. The dot product runs over one head: take that of `head_dim`.
    queries.shape[-1] ** 0.5 -> (queries.shape[1] * queries.shape[-1]) ** 0.5
scale-heads: You divided by the root of the number of heads. Take the root of `head_dim`, the last axis after the split.
    queries.shape[-1] ** 0.5 -> queries.shape[1] ** 0.5
power-precedence: You divided by twice the width: `** 1/2` is a power of 1, halved. Write the root as `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1 / 2
scale-after: You divided after softmax, so the rows no longer add up to 1. Divide the scores, before softmax.
    / queries.shape[-1] ** 0.5 ->
    attention.softmax(…) -> attention.softmax(…) / queries.shape[-1] ** 0.5
heads-mixed: Each head has the sum over all heads. In an `einsum`, queries and keys share the heads' letter.
    queries @ keys.transpose(-2, -1) -> queries @ keys.sum(dim=1, keepdim=True).transpose(-2, -1)
softmax-heads: Your softmax runs over the heads. The keys are on the last axis: `dim=-1`.
    attention.softmax(…) -> torch.softmax(…, dim=1)
mask-after-softmax: The mask comes after softmax, so rows no longer add up to 1. Mask the scores, before softmax.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    attention.softmax(…) -> attention.softmax(…) * mask
"""
