# %% right
def my_scaled_attention(queries, keys, values):
    logits = (queries * queries.shape[-1] ** -0.5) @ keys.mT
    top, _ = logits.max(dim=-1, keepdim=True)
    numerators = torch.exp(logits - top)
    totals = numerators.sum(dim=-1, keepdim=True)
    return (numerators @ values) / totals, numerators / totals

# %% right
def my_scaled_attention(queries, keys, values):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(keys.size(-1))
    lowered = scores - torch.max(scores, dim=-1, keepdim=True)[0]
    exps = lowered.exp()
    totals = torch.einsum("...k->...", exps).unsqueeze(-1)
    return torch.einsum("...qk,...kv->...qv", exps, values) / totals, exps / totals

# %% right
def attention_by_loop(queries, keys, values):
    rows = []
    for i in range(queries.shape[-2]):
        scores = (queries[..., i : i + 1, :] * keys).sum(-1) / math.sqrt(queries.shape[-1])
        exps = (scores - scores.max(dim=-1, keepdim=True)[0]).exp()
        rows.append(exps / exps.sum(-1, keepdim=True))
    weights = torch.stack(rows, dim=-2)
    return weights @ values, weights
my_scaled_attention = lambda *qkv: list(attention_by_loop(*qkv))

# %% right
def my_scaled_attention(queries, keys, values):
    if queries.dim() > 2:
        pairs = [my_scaled_attention(q, k, v) for q, k, v in zip(queries, keys, values)]
        return torch.stack([vecs for vecs, _ in pairs]), torch.stack([weights for _, weights in pairs])
    weights = []
    for query in queries:
        row = keys @ query / len(query) ** 0.5
        row = torch.exp(row - row.max())
        weights.append(row / row.sum())
    weights = torch.stack(weights)
    return weights @ values, weights

# %% wrong: - "Two things are asked for, in this order: `return context_vec"
my_scaled_attention = lambda *qkv: F.scaled_dot_product_attention(*qkv)
