# %% right
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    _, weights = attention.scaled_dot_product_attention(q, k, k)
    return weights

# %% right
def my_head_weights(queries, keys, num_heads):
    queries, keys = (x.unflatten(-1, (num_heads, -1)) for x in (queries, keys))
    scores = torch.einsum("bqhd,bkhd->bhqk", queries, keys) / queries.size(-1) ** 0.5
    return attention.softmax(scores)

# %% right
def my_head_weights(queries, keys, num_heads):
    tables = []
    for q, k in zip(queries.chunk(num_heads, dim=-1), keys.chunk(num_heads, dim=-1)):
        _, weights = attention.scaled_dot_product_attention(q, k, k)
        tables.append(weights[:, None])
    return torch.cat(tables, dim=1)

# %% right
def my_head_weights(queries, keys, num_heads):
    width = queries.shape[-1] // num_heads
    tables = []
    for start in range(0, width * num_heads, width):
        q, k = queries[..., start:start + width], keys[..., start:start + width]
        nothing = q.new_zeros(q.shape[0], q.shape[1], k.shape[1])
        scores = torch.baddbmm(nothing, q, k.transpose(1, 2), beta=0, alpha=1 / math.sqrt(width))
        e = (scores - scores.max(dim=-1, keepdim=True).values).exp()
        tables.append(e / e.sum(dim=-1, keepdim=True))
    return torch.stack(tables, dim=1)

# %% wrong: split-missing + no-scale
my_head_weights = lambda q, k, h: (q @ k.mT).softmax(-1)
