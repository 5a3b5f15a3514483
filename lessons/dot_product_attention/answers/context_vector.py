# %% right
my_context_vector = lambda query, keys, values: (torch.softmax(keys @ query, 0)[:, None] * values).sum(0)

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

# %% wrong: no-softmax
def my_context_vector(query, keys, values):
    return keys @ query @ values
