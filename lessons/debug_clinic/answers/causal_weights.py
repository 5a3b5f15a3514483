# %% right
my_causal_weights = lambda q, k: attention.scaled_dot_product_attention(q, k, k, attention.causal_mask(q.shape[-2]))[1]

# %% right
def my_causal_weights(queries, keys):
    n = keys.shape[-2]
    values = torch.eye(n, dtype=keys.dtype).expand(*keys.shape[:-2], n, n)
    return F.scaled_dot_product_attention(queries, keys, values, is_causal=True)

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

# %% wrong: - "`~mask` stops: a mask of True and False is needed, and `mask"
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = torch.ones(queries.shape[-2], keys.shape[-2]).tril()
    attn_scores = attn_scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(attn_scores, dim=-1)

# %% wrong: - "In your weights, the columns add up to 1, and the rows do no"
def my_causal_weights(queries, keys):
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    masked = attn_weights.tril()
    return masked / masked.sum(dim=-2, keepdim=True)

# %% wrong: tokens-axis
def my_causal_weights(queries, keys):
    mask = causal_mask(queries.shape[1])
    attn_scores = (queries @ keys.transpose(-2, -1)) / queries.shape[-1] ** 0.5
    return attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
