# %% right
def my_gqa(queries, keys, values):
    which = torch.arange(queries.shape[1]) * keys.shape[1] // queries.shape[1]
    return attention.scaled_dot_product_attention(
        queries, keys[:, which], values[:, which], attention.causal_mask(keys.shape[2])
    )

# %% right
def my_gqa(queries, keys, values):
    eye = torch.eye(keys.shape[2], dtype=keys.dtype).expand(*keys.shape[:2], -1, -1)
    context = F.scaled_dot_product_attention(queries, keys, values, is_causal=True, enable_gqa=True)
    weights = F.scaled_dot_product_attention(queries, keys, eye, is_causal=True, enable_gqa=True)
    return context, weights

# %% right
def my_gqa(queries, keys, values):
    """PyTorch's function mixes the values 1, 0, 0 …; 0, 1, 0 … to the weights."""
    one_hot = torch.eye(keys.shape[2], dtype=keys.dtype).expand(*keys.shape[:2], -1, -1)
    mixes = (
        F.scaled_dot_product_attention(queries, keys, what, is_causal=True, enable_gqa=True)
        for what in (values, one_hot)
    )
    return tuple(mixes)

# %% right
def my_gqa(queries, keys, values):
    group = queries.size(1) // keys.size(1)
    pairs = [
        attention.scaled_dot_product_attention(
            queries[:, head], keys[:, head // group], values[:, head // group], attention.causal_mask(queries.size(2))
        )
        for head in range(queries.size(1))
    ]
    return [torch.stack(parts, dim=1) for parts in zip(*pairs, strict=True)]

# %% right
def my_gqa(queries, keys, values):
    b, h, t, d = queries.shape
    kh = keys.shape[1]
    q = queries.reshape(b, kh, h // kh, t, d)
    s = torch.einsum("bgrqd,bgkd->bgrqk", q, keys) / math.sqrt(d)
    s = s.masked_fill(torch.ones(t, t, dtype=torch.bool).triu(1), float("-inf"))
    w = s.softmax(-1)
    c = torch.einsum("bgrqk,bgkd->bgrqd", w, values)
    return c.reshape(b, h, t, -1), w.reshape(b, h, t, t)

# %% right
def my_gqa(queries, keys, values):
    group = queries.size(1) // keys.size(1)
    mask = causal_mask(queries.size(2))
    outs, ws = [], []
    for head in range(queries.size(1)):
        s = queries[:, head] @ keys[:, head // group].transpose(1, 2) / queries.size(-1) ** 0.5
        w = torch.softmax(s.masked_fill(~mask, -torch.inf), dim=-1)
        ws.append(w)
        outs.append(w @ values[:, head // group])
    return torch.stack(outs, 1), torch.stack(ws, 1)

# %% right
def repeat_kv(x, n):
    b, kh, t, d = x.shape
    return x[:, :, None].expand(b, kh, n, t, d).reshape(b, kh * n, t, d)
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = repeat_kv(keys, n), repeat_kv(values, n)
    scores = queries @ k.transpose(2, 3) * queries.shape[-1] ** -0.5
    scores = scores + torch.full((queries.shape[2],) * 2, -torch.inf).triu(1)
    weights = F.softmax(scores, dim=-1)
    return weights @ v, weights

# %% right
def my_gqa(queries, keys, values):
    def spread(x):
        batch_size, key_heads, num_tokens, width = x.shape
        x = x[:, :, None].expand(batch_size, key_heads, queries.shape[1] // key_heads, num_tokens, width)
        return x.reshape(batch_size, -1, num_tokens, width)
    scores = queries @ spread(keys).mT * queries.shape[-1] ** -0.5
    scores = scores + torch.full(scores.shape[-2:], -torch.inf, dtype=scores.dtype).triu(1)
    weights = torch.softmax(scores, dim=-1)
    return weights @ spread(values), weights

# %% right
def my_gqa(queries, keys, values):
    q = queries.unflatten(1, (keys.shape[1], -1))
    mask = attention.causal_mask(queries.shape[-2])
    scores = torch.einsum("bkgqd,bktd->bkgqt", q, keys) / q.shape[-1] ** 0.5
    weights = attention.softmax(scores.masked_fill(~mask, -torch.inf))
    vecs = torch.einsum("bkgqt,bktv->bkgqv", weights, values)
    return vecs.flatten(1, 2), weights.flatten(1, 2)

# %% wrong: cat-wrong-axis
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    outs, ws = [], []
    for g in range(keys.shape[1]):
        c, w = attention.scaled_dot_product_attention(queries[:, g*n:(g+1)*n], keys[:, g:g+1], values[:, g:g+1], causal_mask(queries.shape[2]))
        outs.append(c); ws.append(w)
    return torch.cat(outs, -1), torch.cat(ws, -1)

# %% wrong: expand-only
def my_gqa(queries, keys, values):
    keys = keys.expand(-1, queries.shape[1], -1, -1)
    values = values.expand(-1, queries.shape[1], -1, -1)
    return attention.scaled_dot_product_attention(queries, keys, values, causal_mask(queries.shape[2]))

# %% wrong: first-of-group
def my_gqa(queries, keys, values):
    queries = queries[:, : keys.shape[1]]
    return attention.scaled_dot_product_attention(queries, keys, values, causal_mask(queries.shape[2]))

# %% wrong: group-for-key-heads
def my_gqa(queries, keys, values):
    num_heads, key_heads = queries.shape[1], keys.shape[1]
    mask = attention.causal_mask(queries.shape[-2])
    vecs, weights = [], []
    for h in range(num_heads):
        kv = h // key_heads
        c, w = attention.scaled_dot_product_attention(queries[:, h], keys[:, kv], values[:, kv], mask)
        vecs.append(c)
        weights.append(w)
    return torch.stack(vecs, dim=1), torch.stack(weights, dim=1)

# %% wrong: group-miscounted
def my_gqa(queries, keys, values):
    num_heads = queries.shape[1]
    keys = keys.repeat_interleave(num_heads, dim=1)
    values = values.repeat_interleave(num_heads, dim=1)
    return attention.scaled_dot_product_attention(queries, keys, values, attention.causal_mask(queries.shape[-2]))

# %% wrong: group-typed
# four share one
def my_gqa(queries, keys, values):
    keys, values = keys.repeat_interleave(4, dim=1), values.repeat_interleave(4, dim=1)
    mask = attention.causal_mask(queries.shape[2])
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong: groups-interchanged
def my_gqa(queries, keys, values):
    kh = keys.shape[1]
    outs, ws = [], []
    for g in range(kh):
        c, w = attention.scaled_dot_product_attention(queries[:, g::kh], keys[:, g:g+1], values[:, g:g+1], causal_mask(queries.shape[2]))
        outs.append(c); ws.append(w)
    return torch.cat(outs, 1), torch.cat(ws, 1)

# %% wrong: groups-kept
def my_gqa(queries, keys, values):
    b, h, t, d = queries.shape
    kh = keys.shape[1]
    q = queries.view(b, kh, h // kh, t, d)
    w = (q @ keys[:, :, None].mT / d ** 0.5).masked_fill(~causal_mask(t), -torch.inf).softmax(-1)
    return w @ values[:, :, None], w

# %% wrong: heads-merged
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    c, w = attention.scaled_dot_product_attention(queries, keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1), causal_mask(queries.shape[2]))
    return merge_heads(c), w

# %% wrong: heads-take-turns
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat(1, n, 1, 1), values.repeat(1, n, 1, 1)
    w = attention.softmax((queries @ k.mT / queries.shape[-1] ** 0.5).masked_fill(~causal_mask(k.shape[2]), -torch.inf))
    return w @ v, w

# %% wrong: keys-take-turns
def my_gqa(queries, keys, values):
    group = queries.size(1) // keys.size(1)
    keys = torch.cat([keys] * group, dim=1)
    values = values.repeat_interleave(group, dim=1)
    mask = attention.causal_mask(queries.size(2))
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong: mask-after-softmax
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
    w = torch.softmax(queries @ k.mT / k.shape[-1] ** 0.5, dim=-1).tril()
    return w @ v, w

# %% wrong: mask-off-by-one
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
    s = queries @ k.mT / k.shape[-1] ** 0.5
    s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(), -torch.inf)
    w = torch.softmax(s, dim=-1)
    return w @ v, w

# %% wrong: no-mask
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
    return attention.scaled_dot_product_attention(queries, k, v)

# %% wrong: no-scale
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
    w = torch.softmax((queries @ k.mT).masked_fill(~causal_mask(k.shape[2]), -torch.inf), dim=-1)
    return w @ v, w

# %% wrong: not-spread
def my_gqa(queries, keys, values):
    return attention.scaled_dot_product_attention(queries, keys, values, causal_mask(queries.shape[-2]))

# %% wrong: one-for-all
def my_gqa(queries, keys, values):
    num_heads = queries.shape[1]
    keys = keys[:, :1].expand(-1, num_heads, -1, -1)
    values = values[:, :1].expand(-1, num_heads, -1, -1)
    mask = attention.causal_mask(queries.shape[-2])
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong: queries-averaged
def my_gqa(queries, keys, values):
    key_heads = keys.shape[1]
    queries = queries.unflatten(1, (key_heads, -1)).mean(dim=2)
    mask = attention.causal_mask(queries.shape[-2])
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong: scale-wrong-axis
def my_gqa(queries, keys, values):
    group = queries.shape[1] // keys.shape[1]
    keys = keys.repeat_interleave(group, dim=1)
    values = values.repeat_interleave(group, dim=1)
    scores = queries @ keys.transpose(-2, -1) / values.shape[-1] ** 0.5
    future = ~attention.causal_mask(queries.shape[2])
    weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)
    return weights @ values, weights

# %% wrong: spread-along-tokens
def my_gqa(queries, keys, values):
    group = queries.shape[1] // keys.shape[1]
    keys = keys.repeat_interleave(group, dim=2).view(*queries.shape)
    values = values.repeat_interleave(group, dim=2).view(*queries.shape[:3], -1)
    mask = attention.causal_mask(queries.shape[-2])
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong: spread-flat
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n), values.repeat_interleave(n)
    return attention.scaled_dot_product_attention(queries, k, v, causal_mask(queries.shape[2]))

# %% wrong: values-take-turns
def my_gqa(queries, keys, values):
    group = queries.size(1) // keys.size(1)
    keys = keys.repeat_interleave(group, dim=1)
    values = torch.cat([values] * group, dim=1)
    mask = attention.causal_mask(queries.size(2))
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong: weights-averaged
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
    c, w = attention.scaled_dot_product_attention(queries, k, v, causal_mask(queries.shape[2]))
    return c, w.unflatten(1, (-1, n)).mean(2)

# %% wrong: weights-missing
my_gqa = lambda *parts: F.scaled_dot_product_attention(*parts, enable_gqa=True)

# %% wrong: weights-take-turns
def my_gqa(queries, keys, values):
    vecs = F.scaled_dot_product_attention(queries, keys, values, is_causal=True, enable_gqa=True)
    keys = torch.cat([keys] * (queries.shape[1] // keys.shape[1]), dim=1)
    scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    mask = attention.causal_mask(queries.shape[-2])
    return vecs, torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
