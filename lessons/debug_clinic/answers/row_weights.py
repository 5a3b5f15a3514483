# %% right
my_row_weights = lambda q, k: attention.softmax(q @ k.mT / k.shape[-1] ** 0.5)

# %% right
def my_row_weights(queries, keys):
    q = queries / queries.size(-1) ** 0.5
    s = torch.einsum("...id,...jd->...ij", q, keys)
    return (s - s.logsumexp(dim=-1, keepdim=True)).exp()

# %% right
def my_row_weights(queries, keys):
    n = keys.shape[-2]
    identity = torch.eye(n, dtype=keys.dtype).expand(*keys.shape[:-2], n, n)
    return F.scaled_dot_product_attention(queries, keys, identity)

# %% right
def my_row_weights(queries, keys):
    if queries.dim() > 2:
        return torch.stack([my_row_weights(q, k) for q, k in zip(queries, keys)])
    return torch.softmax(queries @ keys.T / math.sqrt(keys.shape[1]), dim=1)

# %% wrong: - "`e / e.sum(dim=-1)` stops: (3, 4) meets (3,). Counted from t"
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-1, -2) * keys.shape[-1] ** -0.5
    attn_scores = attn_scores - attn_scores.amax(dim=-1, keepdim=True)
    e = torch.exp(attn_scores)
    return e / e.sum(dim=-1)

# %% wrong: - "`exps / exps.sum(dim=-1)` stops: (3, 4) meets (3,). Counted "
def my_row_weights(queries, keys):
    scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    exps = torch.exp(scores - scores.max())
    return exps / exps.sum(dim=-1)

# %% wrong: - "`scores.softmax(dim=last)` stops: (3, 4) has 2 axes, 0 to 1 "
def my_row_weights(queries, keys):
    scores = torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5
    last = scores.dim()
    return scores.softmax(dim=last)
