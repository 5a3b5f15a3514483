# %% right
def my_many_heads(queries, keys, values, num_heads):
    parts = zip(*(x.chunk(num_heads, dim=-1) for x in (queries, keys, values)))
    return torch.cat([F.scaled_dot_product_attention(q, k, v) for q, k, v in parts], dim=-1)

# %% right
def my_many_heads(queries, keys, values, num_heads):
    q, k, v = (part.unflatten(-1, (num_heads, -1)) for part in (queries, keys, values))
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
    return torch.einsum("bhqk,bkhd->bqhd", scores.softmax(-1), v).flatten(2)

# %% right
def my_many_heads(queries, keys, values, num_heads):
    q, k, v = (part.unflatten(-1, (num_heads, -1)) for part in (queries, keys, values))
    weights = torch.einsum("bqhd,bkhd->bhqk", q, k).div(q.shape[-1] ** 0.5).softmax(dim=-1)
    return torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(-2)

# %% right
def my_many_heads(queries, keys, values, num_heads):
    q, k, v = (x.unflatten(-1, (num_heads, x.shape[-1] // num_heads)) for x in (queries, keys, values))
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
    mixed = torch.einsum("bhqk,bkhd->bqhd", scores.softmax(-1), v)
    return mixed.reshape(queries.shape[0], queries.shape[1], -1)

# %% right
def my_many_heads(queries, keys, values, num_heads):
    batch_size, tokens, width = queries.shape
    q, k, v = (
        part.view(batch_size, -1, num_heads, width // num_heads).transpose(1, 2) for part in (queries, keys, values)
    )
    vecs = F.scaled_dot_product_attention(q, k, v)
    return vecs.transpose(1, 2).contiguous().view(batch_size, tokens, width)

# %% right
def my_many_heads(queries, keys, values, num_heads):
    result = torch.zeros_like(queries)
    width = queries.shape[2] // num_heads
    for text in range(len(queries)):
        for left in range(0, queries.shape[2], width):
            q, k, v = (x[text, :, left:left + width] for x in (queries, keys, values))
            result[text, :, left:left + width] = torch.softmax(q @ k.T / width**0.5, dim=1) @ v
    return result

# %% right
def my_many_heads(queries, keys, values, num_heads):
    head_dim = queries.shape[-1] // num_heads
    out = values.new_empty(*queries.shape[:-1], values.shape[-1])
    for start in range(0, queries.shape[-1], head_dim):
        here = slice(start, start + head_dim)
        scores = torch.bmm(queries[..., here], keys[..., here].transpose(1, 2)) * head_dim**-0.5
        out[..., here] = torch.bmm(scores.softmax(dim=2), values[..., here])
    return out

# %% right
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_queries, d_out = queries.shape
    head_dim = d_out // num_heads
    def fold(x):
        x = x.reshape(batch_size, -1, num_heads, head_dim).permute(0, 2, 1, 3)
        return x.reshape(batch_size * num_heads, -1, head_dim)
    q, k, v = fold(queries), fold(keys), fold(values)
    w = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / math.sqrt(head_dim), dim=2)
    out = torch.bmm(w, v).unflatten(0, (batch_size, num_heads))
    return torch.cat(out.unbind(1), dim=2)

# %% right
def my_many_heads(queries, keys, values, num_heads):
    batch, num_queries, d_out = queries.shape
    size = d_out // num_heads
    def fold(x):
        return x.unflatten(-1, (num_heads, size)).transpose(1, 2).flatten(0, 1)
    q, k, v = fold(queries), fold(keys), fold(values)
    scores = torch.baddbmm(q.new_zeros(len(q), q.shape[1], k.shape[1]), q, k.transpose(1, 2), alpha=size**-0.5)
    mixed = torch.bmm(scores.softmax(-1), v).unflatten(0, (batch, num_heads))
    return mixed.permute(0, 2, 1, 3).reshape(batch, num_queries, d_out)

# %% wrong: batch-mixed
def my_many_heads(queries, keys, values, num_heads):
    parts = (attention.split_heads(part, num_heads).flatten(0, 1) for part in (queries, keys, values))
    context_vecs, _ = attention.scaled_dot_product_attention(*parts)
    return attention.merge_heads(context_vecs.unflatten(0, (num_heads, -1)).transpose(0, 1))

# %% wrong: features-dealt-out
def my_many_heads(queries, keys, values, num_heads):
    def cut(x):
        return x.reshape(*x.shape[:2], x.shape[2] // num_heads, num_heads).permute(0, 3, 1, 2)
    context_vecs, _ = attention.scaled_dot_product_attention(cut(queries), cut(keys), cut(values))
    return context_vecs.permute(0, 2, 3, 1).flatten(2)

# %% wrong: first-keys-for-all
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_queries, d_out = queries.shape
    head_dim = d_out // num_heads
    queries = queries.view(batch_size, num_queries, num_heads, head_dim).transpose(1, 2)
    keys, values = keys[:, None, :, :head_dim], values[:, None, :, :head_dim]
    weights = attention.softmax(queries @ keys.transpose(-2, -1) / head_dim**0.5)
    return (weights @ values).transpose(1, 2).reshape(batch_size, num_queries, d_out)

# %% wrong: first-slice-for-all
def my_many_heads(queries, keys, values, num_heads):
    head_dim = queries.shape[-1] // num_heads
    outs = []
    for i in range(num_heads):
        part = slice(0, head_dim)
        outs.append(attention.scaled_dot_product_attention(queries[..., part], keys[..., part], values[..., part])[0])
    return torch.cat(outs, dim=-1)

# %% wrong: head-count-dim
def my_many_heads(queries, keys, values, num_heads):
    heads = []
    for q, k, v in zip(*(part.split(num_heads, dim=-1) for part in (queries, keys, values))):
        context, _ = attention.scaled_dot_product_attention(q, k, v)
        heads.append(context)
    return torch.cat(heads, dim=-1)

# %% wrong: heads-stacked
def my_many_heads(queries, keys, values, num_heads):
    parts = zip(*(part.chunk(num_heads, dim=-1) for part in (queries, keys, values)))
    heads = [attention.scaled_dot_product_attention(q, k, v)[0] for q, k, v in parts]
    return torch.cat(heads, dim=1)

# %% wrong: heads-summed
def my_many_heads(queries, keys, values, num_heads):
    split = [attention.split_heads(part, num_heads) for part in (queries, keys, values)]
    context_vecs, _ = attention.scaled_dot_product_attention(*split)
    return context_vecs.sum(dim=1)

# %% wrong: keys-as-long-as-queries
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    queries, keys, values = (
        part.view(batch_size, num_tokens, num_heads, d_out // num_heads).transpose(1, 2)
        for part in (queries, keys, values)
    )
    return attention.merge_heads(attention.scaled_dot_product_attention(queries, keys, values)[0])

# %% wrong: merge-discarded
def my_many_heads(queries, keys, values, num_heads):
    queries, keys, values = (attention.split_heads(x, num_heads) for x in (queries, keys, values))
    vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return vecs

# %% wrong: merge-no-transpose
def my_many_heads(queries, keys, values, num_heads):
    b, n, d_out = queries.shape
    split = [p.view(b, p.shape[1], num_heads, d_out // num_heads).transpose(1, 2) for p in (queries, keys, values)]
    context_vecs, _ = attention.scaled_dot_product_attention(*split)
    return context_vecs.reshape(b, n, d_out)

# %% wrong: not-contiguous
def my_many_heads(queries, keys, values, num_heads):
    batch, num_queries, d_out = queries.shape
    q, k, v = (part.view(batch, part.shape[1], num_heads, -1).transpose(1, 2) for part in (queries, keys, values))
    context_vecs = torch.softmax(q @ k.transpose(-2, -1) / (d_out // num_heads) ** 0.5, dim=-1) @ v
    return context_vecs.transpose(1, 2).view(batch, num_queries, d_out)

# %% wrong: random
def my_many_heads(queries, keys, values, num_heads):
    module = nn.MultiheadAttention(queries.shape[-1], num_heads, batch_first=True)
    context_vecs, _ = module(queries, keys, values)
    return context_vecs

# %% wrong: scale-model
def my_many_heads(queries, keys, values, num_heads):
    q, k, v = [split_heads(x, num_heads) for x in (queries, keys, values)]
    scores = q @ k.transpose(-2, -1) / queries.shape[-1] ** 0.5
    heads = scores.softmax(dim=-1) @ v
    return merge_heads(heads)

# %% wrong: slices-overlap
def my_many_heads(queries, keys, values, num_heads):
    head_dim = queries.shape[-1] // num_heads
    outs = []
    for i in range(num_heads):
        part = slice(i, i + head_dim)
        context_vecs, _ = attention.scaled_dot_product_attention(queries[..., part], keys[..., part], values[..., part])
        outs.append(context_vecs)
    return torch.cat(outs, dim=-1)

# %% wrong: split-discarded
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    for part in (queries, keys, values):
        part = part.view(batch_size, part.shape[1], num_heads, d_out // num_heads).transpose(1, 2)
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return context_vecs.reshape(batch_size, num_tokens, d_out)

# %% wrong: split-not-turned
def cut(part, num_heads):
    """The features in heads, and the heads' axis still behind the tokens."""
    return part.view(len(part), part.shape[1], num_heads, -1)
def my_many_heads(queries, keys, values, num_heads):
    parts = (cut(part, num_heads) for part in (queries, keys, values))
    context_vecs, _ = attention.scaled_dot_product_attention(*parts)
    return context_vecs.reshape(queries.shape)

# %% wrong: values-unsplit
def my_many_heads(queries, keys, values, num_heads):
    parts = attention.split_heads(queries, num_heads), attention.split_heads(keys, num_heads), values
    context_vecs, _ = attention.scaled_dot_product_attention(*parts)
    return context_vecs.transpose(1, 2).reshape(queries.shape)

# %% wrong: view-no-transpose
def my_many_heads(queries, keys, values, num_heads):
    batch, _, d_out = queries.shape
    parts = [x.reshape(batch, num_heads, x.size(1), d_out // num_heads) for x in (queries, keys, values)]
    vecs, _ = attention.scaled_dot_product_attention(*parts)
    return vecs.reshape(queries.shape)
