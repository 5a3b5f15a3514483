# %% right
my_row_weights = lambda q, k: attention.softmax(q @ k.mT / k.shape[-1] ** 0.5)

# %% right
def my_row_weights(queries, keys):
    return F.scaled_dot_product_attention(queries, keys, torch.eye(keys.shape[-2], dtype=keys.dtype))

# %% right
def my_row_weights(queries, keys):
    q = queries / queries.size(-1) ** 0.5
    s = torch.einsum("...id,...jd->...ij", q, keys)
    return (s - s.logsumexp(dim=-1, keepdim=True)).exp()

# %% right
def my_row_weights(queries, keys):
    scores = torch.einsum("...qd,...kd->...qk", queries * keys.shape[-1] ** -0.5, keys)
    return torch.exp(scores - scores.logsumexp(dim=-1, keepdim=True))

# %% right
def my_row_weights(queries, keys):
    n = keys.shape[-2]
    identity = torch.eye(n, dtype=keys.dtype).expand(*keys.shape[:-2], n, n)
    return F.scaled_dot_product_attention(queries, keys, identity)

# %% right
def my_row_weights(queries, keys):
    scaled = queries / queries.shape[-1] ** 0.5
    scores = (scaled.unsqueeze(-2) * keys.unsqueeze(-3)).sum(dim=-1)
    return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% right
def my_row_weights(queries, keys):
    if queries.dim() > 2:
        return torch.stack([my_row_weights(q, k) for q, k in zip(queries, keys)])
    return torch.softmax(queries @ keys.T / math.sqrt(keys.shape[1]), dim=1)

# %% right
def my_row_weights(queries, keys):
    *front, n, d = queries.shape
    q, k = queries.reshape(-1, n, d), keys.reshape(-1, keys.shape[-2], d)
    zeros = torch.zeros(len(q), n, k.shape[1], dtype=q.dtype)
    scores = torch.baddbmm(zeros, q, k.transpose(1, 2), alpha=d**-0.5)
    return scores.softmax(2).reshape(*front, n, k.shape[1])

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

# %% wrong: keys-fixed-axes
def my_row_weights(queries, keys):
    return torch.softmax(queries @ keys.transpose(1, 2) / queries.shape[-1] ** 0.5, dim=-1)

# %% wrong: keys-full-turn
def my_row_weights(queries, keys):
    scores = queries @ keys.permute(*reversed(range(keys.dim()))) / queries.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1)

# %% wrong: letters-fixed
def my_row_weights(queries, keys):
    attn_scores = torch.einsum("bqd,bkd->bqk", queries, keys) / math.sqrt(keys.size(2))
    return F.softmax(attn_scores, dim=-1)

# %% wrong: naive-overflow + no-scale
def my_row_weights(queries, keys):
    exps = torch.exp(torch.einsum("...qd,...kd->...qk", queries, keys))
    return exps / exps.sum(-1, keepdim=True)

# %% wrong: naive-overflow + scale-wrong-axis
def my_row_weights(queries, keys):
    num_keys = keys.shape[-2]
    exps = torch.exp(queries @ keys.transpose(-1, -2) / num_keys**0.5)
    return exps / exps.sum(-1, keepdim=True)

# %% wrong: no-scale
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1)
    return attention.softmax(attn_scores, dim=-1)

# %% wrong: qk-swapped
def my_row_weights(queries, keys):
    scaled = queries / keys.shape[-1] ** 0.5
    return torch.einsum("...qd,...kd->...kq", scaled, keys).softmax(-1)

# %% wrong: renormalised
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    weights = torch.softmax(attn_scores, dim=1)
    return weights / weights.sum(dim=-1, keepdim=True)

# %% wrong: scale-after
def my_row_weights(queries, keys):
    root = queries.shape[-1] ** 0.5
    weights = nn.Softmax(dim=-1)(queries @ keys.mT)
    return weights / root

# %% wrong: scale-wrong-axis
def my_row_weights(queries, keys):
    num_tokens = keys.shape[-2]
    return attention.softmax(queries @ keys.transpose(-2, -1) / num_tokens**0.5)

# %% wrong: softmax-all
def my_row_weights(queries, keys):
    table = queries @ keys.mT / keys.shape[-1] ** 0.5
    return table.flatten(-2).softmax(dim=-1).view(table.shape)

# %% wrong: softmax-axis
def my_row_weights(queries, keys):
    root = keys.shape[-1] ** 0.5
    scores = torch.matmul(queries, keys.mT) / root
    exps = torch.exp(scores - scores.amax(-2, keepdim=True))
    return exps / exps.sum(-2, keepdim=True)

# %% wrong: softmax-by-cases
def my_row_weights(queries, keys):
    scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    axis = 1 if scores.dim() == 2 else 2
    return scores.softmax(dim=axis)

# %% wrong: softmax-half-repaired
my_row_weights = lambda q, k: torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=2)

# %% wrong: softmax-no-dim
def my_row_weights(queries, keys):
    dot_products = torch.matmul(queries, keys.mT)
    scaled = dot_products / math.sqrt(queries.size(-1))
    return F.softmax(scaled)

# %% wrong: three-axes-only
def my_row_weights(queries, keys):
    if queries.dim() == 2:
        return my_row_weights(queries[None], keys[None])[0]
    scores = torch.bmm(queries, keys.transpose(1, 2)).div(queries.shape[2] ** 0.5)
    return scores.softmax(dim=2)
