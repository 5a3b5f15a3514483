# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = key_padding_mask.logical_not().unsqueeze(1).unsqueeze(2)
    return attention.scaled_dot_product_attention(queries, keys, values, mask)[0]

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = torch.zeros(key_padding_mask.shape, dtype=queries.dtype).masked_fill(key_padding_mask, -torch.inf)
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask[:, None, None])

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    rows = []
    for q, k, v, padding in zip(queries, keys, values, key_padding_mask):
        rows.append(F.scaled_dot_product_attention(q, k, v, attn_mask=padding.eq(False)[None, None]))
    return torch.stack(rows)

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    batch, heads, num_queries, _ = queries.shape
    mask = (key_padding_mask == 0).view(batch, 1, 1, -1).expand(batch, heads, num_queries, -1)
    return F.scaled_dot_product_attention(queries, keys, values, mask, 0.0)

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    texts = []
    for query, key, value, padding in zip(queries, keys, values, key_padding_mask, strict=True):
        texts.append(F.scaled_dot_product_attention(query, key[:, ~padding], value[:, ~padding]))
    return torch.stack(texts)

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    batch, heads, num_queries, _ = queries.shape
    bias = torch.zeros(batch, heads, num_queries, keys.shape[-2], dtype=queries.dtype)
    bias = bias.masked_fill(key_padding_mask[:, None, None, :], float("-inf"))
    return F.scaled_dot_product_attention(queries, keys, values, bias)

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    shape = (*queries.shape[:-1], keys.shape[-2])
    wall = torch.zeros(key_padding_mask.shape, dtype=queries.dtype)
    wall = wall.masked_fill(key_padding_mask, -torch.inf)
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=wall[:, None, None].expand(shape))

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    *front, num_queries, _ = queries.shape
    full = key_padding_mask.reshape(len(key_padding_mask), 1, 1, -1)
    full = (full ^ True).expand(*front, num_queries, keys.shape[-2]).contiguous()
    sdpa = F.scaled_dot_product_attention
    return sdpa(query=queries, key=keys, value=values, attn_mask=full, dropout_p=0.0)

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    sdpa = torch.nn.functional.scaled_dot_product_attention
    texts = []
    for q, k, v, padding in zip(queries, keys, values, key_padding_mask):
        mask = (padding == 0).expand(q.shape[1], -1)
        texts.append(torch.stack([sdpa(q[h], k[h], v[h], attn_mask=mask) for h in range(len(q))]))
    return torch.stack(texts)

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    batch, heads, num_queries, _ = queries.shape
    zero, minus = queries.new_zeros(()), queries.new_full((), -torch.inf)
    added = torch.where(key_padding_mask, minus, zero)[:, None, None, :]
    added = added.expand(batch, heads, num_queries, keys.shape[2])
    return F.scaled_dot_product_attention(queries, keys, values, added)

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    batch, num_heads, num_queries, head_dim = queries.shape
    real = torch.logical_not(key_padding_mask).unsqueeze(1).unsqueeze(1)
    real = real.expand(batch, num_heads, num_queries, keys.shape[2]).contiguous()
    return F.scaled_dot_product_attention(
        query=queries, key=keys, value=values, attn_mask=real, dropout_p=0.0, scale=1 / math.sqrt(head_dim))

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    done = []
    for q, k, v, padded in zip(queries, keys, values, key_padding_mask):
        open_places = torch.nonzero(~padded).flatten()
        if len(open_places) == 0:
            done.append(q.new_zeros(*q.shape[:-1], v.shape[-1]))
            continue
        done.append(F.scaled_dot_product_attention(q, k[:, open_places], v[:, open_places]))
    return torch.stack(done)

# %% wrong: - "It gives a tuple of 2 back. One thing is asked for: the cont"
my_fused_attention = lambda *qkv: attention.scaled_dot_product_attention(*qkv[:3])

# %% wrong: causal-added
def my_fused_attention(queries, keys, values, key_padding_mask):
    triangle = torch.ones(queries.shape[-2], keys.shape[-2], dtype=torch.bool).tril()
    mask = ~key_padding_mask[:, None, None] & triangle
    return F.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong: counted-from-left
def my_fused_attention(queries, keys, values, key_padding_mask):
    valid_lens = (~key_padding_mask).sum(dim=-1)
    mask = attention.padding_mask(valid_lens, keys.shape[-2])
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)

# %% wrong: first-of-pair
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = ~key_padding_mask[:, None, None]
    context_vecs, _ = F.scaled_dot_product_attention(queries, keys, values, mask)
    return context_vecs

# %% wrong: first-sample-only
def my_fused_attention(queries, keys, values, key_padding_mask):
    real = key_padding_mask[0].logical_not()
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=real.view(1, 1, 1, -1))

# %% wrong: keys-infinite
def my_fused_attention(queries, keys, values, key_padding_mask):
    closed_keys = keys.masked_fill(key_padding_mask[:, None, :, None], -torch.inf)
    return F.scaled_dot_product_attention(queries, closed_keys, values)

# %% wrong: mask-added-01
def my_fused_attention(queries, keys, values, key_padding_mask):
    keep = (~key_padding_mask).float()
    keep = keep[:, None, None, :]
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=keep)

# %% wrong: mask-axes-last
def my_fused_attention(queries, keys, values, key_padding_mask):
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=~key_padding_mask[..., None, None])

# %% wrong: mask-by-other-name
def my_fused_attention(queries, keys, values, key_padding_mask):
    return F.scaled_dot_product_attention(queries, keys, values, key_padding_mask=key_padding_mask)

# %% wrong: mask-three-axes
def my_fused_attention(queries, keys, values, key_padding_mask):
    may_attend = ~key_padding_mask
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=may_attend[:, None])

# %% wrong: mask-two-axes
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = ~key_padding_mask[None, None]
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)

# %% wrong: mask-zero-fill
def my_fused_attention(queries, keys, values, key_padding_mask):
    padded = key_padding_mask[:, None, :, None]
    return F.scaled_dot_product_attention(queries, keys.masked_fill(padded, 0.0), values)

# %% wrong: not-used
def my_fused_attention(queries, keys, values, key_padding_mask):
    scores = torch.einsum("bhqd,bhkd->bhqk", queries, keys) / math.sqrt(queries.shape[-1])
    scores = scores.masked_fill(key_padding_mask[:, None, None], -torch.inf)
    return torch.einsum("bhqk,bhkd->bhqd", attention.softmax(scores), values)

# %% wrong: pad-both-ways
def my_fused_attention(queries, keys, values, key_padding_mask):
    ok = ~key_padding_mask
    both = ok[:, None, :, None] & ok[:, None, None, :]
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=both)

# %% wrong: pad-over-queries
def my_fused_attention(queries, keys, values, key_padding_mask):
    real = torch.logical_not(key_padding_mask)
    real = real.unsqueeze(1).unsqueeze(-1)
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=real)

# %% wrong: padding-of-any
def my_fused_attention(queries, keys, values, key_padding_mask):
    padded_somewhere = key_padding_mask.any(dim=0)
    keys = keys[:, :, ~padded_somewhere]
    values = values[:, :, ~padded_somewhere]
    return F.scaled_dot_product_attention(queries, keys, values)

# %% wrong: scale-no-root
def my_fused_attention(queries, keys, values, key_padding_mask):
    open_keys = key_padding_mask.logical_not()[:, None, None]
    scaled = queries / math.sqrt(queries.shape[-1])
    return F.scaled_dot_product_attention(scaled, keys, values, open_keys)

# %% wrong: sdpa-polarity
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = key_padding_mask[:, None, None, :]
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)

# %% wrong: values-zeroed
# values of the padding are zero, so nobody gets anything from it
def my_fused_attention(queries, keys, values, key_padding_mask):
    values = values.masked_fill(key_padding_mask[:, None, :, None], 0.0)
    return F.scaled_dot_product_attention(queries, keys, values)

# %% wrong: zero-times-inf
def my_fused_attention(queries, keys, values, key_padding_mask):
    to_add = key_padding_mask.to(queries.dtype) * -torch.inf
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=to_add[:, None, None, :])
