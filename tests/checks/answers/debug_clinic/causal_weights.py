# %% right
my_causal_weights = lambda q, k: attention.scaled_dot_product_attention(q, k, k, attention.causal_mask(q.shape[-2]))[1]

# %% right
def my_causal_weights(queries, keys):
    scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
    return torch.softmax(scores + torch.full(scores.shape[-2:], -torch.inf).triu(1), dim=-1)

# %% right
def my_causal_weights(queries, keys):
    weights = (queries @ keys.mT / keys.shape[-1] ** 0.5).softmax(-1)
    weights = torch.tril(weights)
    return weights.div(weights.sum(-1, keepdim=True))

# %% right
def my_causal_weights(queries, keys):
    n, width = queries.shape[-2:]
    wall = torch.full((n, n), -math.inf, dtype=queries.dtype).triu(1)
    return F.softmax(queries @ keys.mT / width**0.5 + wall, dim=-1)

# %% right
def my_causal_weights(queries, keys):
    n = keys.shape[-2]
    values = torch.eye(n, dtype=keys.dtype).expand(*keys.shape[:-2], n, n)
    return F.scaled_dot_product_attention(queries, keys, values, is_causal=True)

# %% right
def my_causal_weights(queries, keys):
    weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    masked = torch.where(causal_mask(queries.shape[-2]), weights, 0.0)
    return F.normalize(masked, p=1, dim=-1)

# %% right
def my_causal_weights(queries, keys):
    places = torch.arange(queries.shape[-2])
    allowed = places[:, None] >= places
    scores = torch.where(allowed, queries @ keys.mT / queries.shape[-1] ** 0.5, -torch.inf)
    return scores.softmax(dim=-1)

# %% right
def my_causal_weights(queries, keys):
    n = queries.shape[-2]
    closed = torch.full((n, n), -torch.inf).triu(1)
    scores = (queries @ keys.transpose(-2, -1)).div(keys.shape[-1] ** 0.5) + closed
    return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% right
def my_causal_weights(queries, keys):
    n, rows = queries.shape[-2], []
    for i in range(n):
        past = (queries[..., i:i + 1, :] * keys[..., :i + 1, :]).sum(-1) / keys.shape[-1] ** 0.5
        rows.append(F.pad(past.softmax(-1), (0, n - 1 - i)))
    return torch.stack(rows, dim=-2)

# %% right
def my_causal_weights(queries, keys):
    n, width = queries.shape[-2:]
    weights = torch.zeros(*queries.shape[:-1], n)
    for i in range(n):
        scores = (queries[..., i:i + 1, :] * keys[..., :i + 1, :]).sum(-1) / width**0.5
        weights[..., i, :i + 1] = torch.softmax(scores, dim=-1)
    return weights

# %% wrong: - "`~mask` stops: a mask of True and False is needed, and `mask"
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = torch.ones(queries.shape[-2], keys.shape[-2]).tril()
    attn_scores = attn_scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(attn_scores, dim=-1)

# %% wrong: divided-by-mask-sum
def my_causal_weights(queries, keys):
    weights = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
    mask = torch.ones(queries.shape[-2], keys.shape[-2]).tril()
    return weights * mask / mask.sum(dim=-1, keepdim=True)

# %% wrong: keepdim-forgotten
def my_causal_weights(queries, keys):
    scores = queries @ keys.transpose(-1, -2) / math.sqrt(keys.shape[-1])
    masked = attention.softmax(scores) * attention.causal_mask(scores.shape[-1])
    return masked / masked.sum(dim=-1)

# %% wrong: mask-after-softmax
def my_causal_weights(queries, keys):
    n = queries.shape[-2]
    weights = attention.softmax(torch.einsum("...qd,...kd->...qk", queries, keys) / queries.shape[-1] ** 0.5)
    return weights * attention.causal_mask(n)

# %% wrong: mask-lower
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.mT * keys.shape[-1] ** -0.5
    mask = torch.triu(torch.ones(attn_scores.shape[-2:], dtype=torch.bool))
    return torch.softmax(attn_scores.masked_fill(~mask, float("-inf")), dim=-1)

# %% wrong: mask-off-by-one
def my_causal_weights(queries, keys):
    num_tokens = queries.shape[-2]
    attn_scores = queries @ keys.transpose(-1, -2) / keys.size(-1) ** 0.5
    open_keys = torch.ones(num_tokens, num_tokens).tril(diagonal=-1)
    return attn_scores.masked_fill(open_keys == 0, -torch.inf).softmax(dim=-1)

# %% wrong: mask-zero-fill
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = causal_mask(queries.shape[-2])
    return torch.softmax(attn_scores * mask, dim=-1)

# %% wrong: no-mask
def my_causal_weights(queries, keys):
    attn_scores = torch.einsum("...id,...jd->...ij", queries, keys) * keys.shape[-1] ** -0.5
    mask = causal_mask(keys.shape[-2])
    attn_scores.masked_fill(~mask, -torch.inf)
    return attention.softmax(attn_scores)

# %% wrong: normalize-for-sum
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    masked = torch.softmax(attn_scores, dim=-1).tril()
    return F.normalize(masked, dim=-1)

# %% wrong: softmax-again
def my_causal_weights(queries, keys):
    scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1).tril()
    return torch.softmax(weights, dim=-1)

# %% wrong: softmax-twice
def my_causal_weights(queries, keys):
    attn_scores = torch.einsum("...id,...jd->...ij", queries, keys) / queries.shape[-1] ** 0.5
    first = torch.softmax(attn_scores, dim=-1)
    closed = torch.ones(first.shape[-2:], dtype=torch.bool).triu(diagonal=1)
    return torch.softmax(first.masked_fill(closed, float("-inf")), dim=-1)

# %% wrong: - "In your weights, the columns add up to 1, and the rows do no"
def my_causal_weights(queries, keys):
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    masked = attn_weights.tril()
    return masked / masked.sum(dim=-2, keepdim=True)

# %% wrong: times-minus-inf
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
    n = attn_scores.shape[-1]
    factor = torch.where(causal_mask(n), 1.0, -torch.inf)
    return torch.softmax(attn_scores * factor, dim=-1)

# %% wrong: tokens-axis
def my_causal_weights(queries, keys):
    mask = causal_mask(queries.shape[1])
    attn_scores = (queries @ keys.transpose(-2, -1)) / queries.shape[-1] ** 0.5
    return attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))

# %% wrong: zero-times-inf
def my_causal_weights(queries, keys):
    n = queries.shape[-2]
    bias = (1.0 - torch.tril(torch.ones(n, n))) * float("-inf")
    scores = torch.matmul(queries, keys.transpose(-1, -2)) / math.sqrt(queries.shape[-1])
    return torch.softmax(scores + bias, dim=-1)
