# %% right
my_context_vector = lambda query, keys, values: (torch.softmax(keys @ query, 0)[:, None] * values).sum(0)

# %% right
my_context_vector = lambda query, keys, values: torch.einsum('k,kd->d', torch.softmax(keys @ query, 0), values)

# %% right
my_context_vector = lambda query, keys, values: F.scaled_dot_product_attention(query[None], keys, values, scale=1.0)[0]

# %% right
def my_context_vector(query, keys, values):
    w = torch.einsum("kd,d->k", keys, query).softmax(0)
    return torch.einsum("k,kv->v", w, values)

# %% right
def my_context_vector(query, keys, values):
    out = F.scaled_dot_product_attention(query.unsqueeze(0), keys, values, scale=1.0)
    return out.squeeze(0)

# %% right
def my_context_vector(query, keys, values):
    scores = torch.mv(keys, query)
    exps = torch.exp(scores - scores.max())
    return torch.mv(values.T, exps) / exps.sum()

# %% right
def my_context_vector(query, keys, values):
    scores = (query * keys).sum(-1)
    heavy = (scores - scores.max()).exp()
    return torch.einsum("k,kv->v", heavy, values) / heavy.sum()

# %% right
def _shares(row):
    e = torch.exp(row - row.max())
    return e / e.sum()
def my_context_vector(query, keys, values):
    return torch.einsum("k,kv->v", _shares(torch.einsum("kd,d->k", keys, query)), values)

# %% right
def my_context_vector(query, keys, values):
    attn_weights = torch.softmax(keys @ query, dim=0)
    context_vec = torch.zeros(values.shape[1])
    for weight, value in zip(attn_weights, values):
        context_vec += weight * value
    return context_vec

# %% right
def my_context_vector(query, keys, values):
    weights = torch.softmax(torch.stack([key @ query for key in keys]), dim=0)
    total = torch.zeros_like(values[0])
    for weight, value in zip(weights, values, strict=True):
        total = total + weight * value
    return total

# %% wrong: best-only
def my_context_vector(query, keys, values):
    weights = torch.softmax(keys @ query, dim=0)
    return values[weights.argmax()]

# %% wrong: column-missing
def my_context_vector(query, keys, values):
    attn_weights = torch.softmax(keys @ query, dim=-1)
    return (attn_weights * values).sum(dim=0)

# %% wrong: keys-not-transposed
def my_context_vector(query, keys, values):
    return torch.softmax(query @ keys, dim=-1) @ values

# %% wrong: mean
def my_context_vector(query, keys, values):
    attn = torch.softmax(torch.mv(keys, query), dim=0)
    return (attn.reshape(-1, 1) * values).mean(dim=0)

# %% wrong: no-softmax
def my_context_vector(query, keys, values):
    return keys @ query @ values

# %% wrong: no-weights
def my_context_vector(query, keys, values):
    scores = query[None, :] @ keys.T
    w = torch.softmax(scores, dim=0)
    return (w @ values).squeeze(0)

# %% wrong: not-summed
def my_context_vector(query, keys, values):
    w = torch.softmax(torch.mv(keys, query), 0)
    return w.unsqueeze(1) * values

# %% wrong: query-added
def my_context_vector(query, keys, values):
    weights = torch.softmax(keys @ query, dim=-1)
    return query + weights @ values

# %% wrong: query-on-values
def my_context_vector(query, keys, values):
    return torch.softmax(values @ query, dim=-1) @ values

# %% wrong: scaled-too-early
def my_context_vector(query, keys, values):
    return torch.softmax(keys @ query / query.shape[-1] ** 0.5, dim=-1) @ values

# %% wrong: softmax-of-values
def my_context_vector(query, keys, values):
    scores = keys @ query
    return scores @ torch.softmax(values, dim=0)

# %% wrong: softmax-too-early
def my_context_vector(query, keys, values):
    weights = torch.softmax(keys * query, dim=0).sum(dim=1)
    return weights @ values

# %% wrong: softmax-too-late
def my_context_vector(query, keys, values):
    mix = (keys @ query) @ values
    return torch.softmax(mix, dim=-1)

# %% wrong: sum-normalise
def my_context_vector(query, keys, values):
    shares = keys @ query
    return shares / shares.sum() @ values

# %% wrong: values-from-keys
def my_context_vector(query, keys, values):
    scores = values @ query
    return torch.softmax(scores, dim=0) @ keys

# %% wrong: values-on-the-left
def my_context_vector(query, keys, values):
    scores = keys @ query
    weights = F.softmax(scores, dim=0)
    context = values @ weights
    return context

# %% wrong: weights-on-keys
def my_context_vector(query, keys, values):
    return torch.softmax(keys @ query, dim=-1) @ keys
