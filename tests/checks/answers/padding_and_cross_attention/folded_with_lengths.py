# %% right
def my_folded_with_lengths(queries, keys, values, valid_lens):
    def unfold(x):
        return x.view(len(valid_lens), -1, *x.shape[1:])
    mask = attention.padding_mask(valid_lens, keys.shape[1])
    results = attention.scaled_dot_product_attention(unfold(queries), unfold(keys), unfold(values), mask)
    return tuple(part.flatten(0, 1) for part in results)

# %% right
def my_folded_with_lengths(queries, keys, values, valid_lens):
    batch = valid_lens.shape[0]
    parts = [t.unflatten(0, (batch, t.shape[0] // batch)) for t in (queries, keys, values)]
    mask = attention.padding_mask(valid_lens, keys.size(1))
    vecs, weights = attention.scaled_dot_product_attention(*parts, mask=mask)
    return vecs.flatten(0, 1), weights.flatten(0, 1)

# %% right
def my_folded_with_lengths(queries, keys, values, valid_lens):
    lens = torch.repeat_interleave(valid_lens, len(queries) // len(valid_lens))
    mask = torch.arange(keys.shape[1]) < lens[:, None, None]
    _, weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask), weights

# %% right
def my_folded_with_lengths(queries, keys, values, valid_lens):
    batch = valid_lens.numel()
    heads = queries.shape[0] // batch
    split = [t.view(batch, heads, *t.shape[1:]) for t in map(torch.Tensor.contiguous, (queries, keys, values))]
    mixed, weights = attention.scaled_dot_product_attention(*split, padding_mask(valid_lens, keys.shape[1]))
    return mixed.flatten(0, 1), weights.flatten(0, 1)

# %% right
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads, weights = len(queries) // len(valid_lens), []
    for i in range(len(queries)):
        length = int(valid_lens[i // num_heads])
        scores = queries[i] @ keys[i, :length].T / math.sqrt(queries.shape[-1])
        weights.append(F.pad(torch.softmax(scores, dim=-1), (0, keys.shape[1] - length)))
    weights = torch.stack(weights)
    return torch.bmm(weights, values), weights

# %% right
def my_folded_with_lengths(queries, keys, values, valid_lens):
    heads = queries.shape[0] // valid_lens.shape[0]
    vecs, weights = [], []
    for table in range(queries.shape[0]):
        n = int(valid_lens[table // heads])
        q, k, v = queries[table], keys[table, :n], values[table, :n]
        w = torch.softmax(q @ k.T / q.shape[-1] ** 0.5, dim=-1)
        vecs.append(w @ v)
        weights.append(F.pad(w, (0, keys.shape[1] - n)))
    return torch.stack(vecs), torch.stack(weights)

# %% right
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = queries.shape[0] // valid_lens.shape[0]
    weights = queries.new_zeros(queries.shape[0], queries.shape[1], keys.shape[1])
    for table in range(queries.shape[0]):
        n = int(valid_lens[table // num_heads])
        if n == 0:
            continue
        scores = queries[table] @ keys[table, :n].T / math.sqrt(queries.shape[-1])
        weights[table, :, :n] = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, values), weights

# %% right
def my_folded_with_lengths(queries, keys, values, valid_lens):
    tables = len(queries)
    num_heads = tables // len(valid_lens)
    weights = torch.zeros(tables, queries.shape[1], keys.shape[1])
    vecs = torch.zeros(tables, queries.shape[1], values.shape[2])
    for i in range(tables):
        n = int(valid_lens[i // num_heads])
        if n == 0:
            continue
        w = torch.softmax(queries[i] @ keys[i, :n].T / math.sqrt(queries.shape[2]), dim=-1)
        weights[i, :, :n] = w
        vecs[i] = w @ values[i, :n]
    return vecs, weights

# %% right
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_tables, num_keys = keys.shape[0], keys.shape[1]
    text_of_table = torch.arange(num_tables) // (num_tables // valid_lens.shape[0])
    allowed = torch.arange(num_keys)[None, None, :] < valid_lens[text_of_table][:, None, None]
    allowed = allowed.expand(-1, queries.shape[1], -1)
    identity = torch.eye(num_keys, dtype=queries.dtype).expand(num_tables, -1, -1)
    attn_weights = F.scaled_dot_product_attention(queries, keys, identity, attn_mask=allowed)
    return attn_weights.bmm(values), attn_weights

# %% right
def my_folded_with_lengths(queries, keys, values, valid_lens):
    heads = len(queries) // len(valid_lens)
    vecs = queries.new_zeros(len(queries), queries.shape[1], values.shape[2])
    weights = queries.new_zeros(len(queries), queries.shape[1], keys.shape[1])
    for table in range(len(queries)):
        n = int(valid_lens[table // heads])
        if n == 0:
            continue
        scores = queries[table] @ keys[table, :n].T / math.sqrt(queries.shape[2])
        weights[table, :, :n] = scores.softmax(dim=1)
        vecs[table] = weights[table, :, :n].clone() @ values[table, :n]
    return vecs, weights

# %% wrong: - "In your attn weights, axes must be joined, and the numbers a"
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_texts = valid_lens.shape[0]
    num_heads = queries.shape[0] // num_texts
    mask = attention.padding_mask(valid_lens, keys.shape[1])[:, 0].repeat_interleave(num_heads, dim=0)
    context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return context_vecs, attn_weights.reshape(num_texts, num_heads, *attn_weights.shape[1:])

# %% wrong: - "`valid_lens.repeat_interleave(num_heads)` stops: a whole num"
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = len(queries) / len(valid_lens)
    return attention.padding_mask(valid_lens.repeat_interleave(num_heads), keys.shape[-2])

# %% wrong: all-masked-nan
def my_folded_with_lengths(queries, keys, values, valid_lens):
    heads = len(queries) // len(valid_lens)
    scores = torch.bmm(queries, keys.transpose(1, 2)) / queries.shape[-1] ** 0.5
    for table in range(len(queries)):
        scores[table, :, valid_lens[table // heads]:] = -torch.inf
    weights = torch.softmax(scores, dim=-1)
    return torch.bmm(weights, values), weights

# %% wrong: heads-fixed
def my_folded_with_lengths(queries, keys, values, valid_lens):
    lens = valid_lens.repeat_interleave(5)
    allowed = torch.arange(keys.shape[1]) < lens[:, None]
    return attention.scaled_dot_product_attention(queries, keys, values, allowed[:, None, :])

# %% wrong: heads-miscounted
def my_folded_with_lengths(queries, keys, values, valid_lens):
    lens = valid_lens.repeat_interleave(len(valid_lens))
    mask = attention.padding_mask(lens, keys.shape[1])[:, 0]
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong: lens-not-repeated
def my_folded_with_lengths(queries, keys, values, valid_lens):
    mask = attention.padding_mask(valid_lens, keys.shape[-2]).squeeze(1)
    vecs, weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return vecs, weights

# %% wrong: lens-repeat
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = queries.shape[0] // len(valid_lens)
    lens = valid_lens.repeat(num_heads)
    mask = attention.padding_mask(lens, keys.shape[1])[:, 0]
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong: mask-after-softmax
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = len(queries) // len(valid_lens)
    _, attn_weights = attention.scaled_dot_product_attention(queries, keys, values)
    attn_weights = attn_weights.clone()
    for table in range(len(queries)):
        attn_weights[table, :, valid_lens[table // num_heads]:] = 0.0
    return attn_weights @ values, attn_weights

# %% wrong: mask-broadcast
def my_folded_with_lengths(queries, keys, values, valid_lens):
    heads = queries.size(0) // valid_lens.size(0)
    mask = attention.padding_mask(valid_lens.repeat_interleave(heads), keys.size(1))
    return attention.scaled_dot_product_attention(queries, keys, values, mask=mask)

# %% wrong: mask-from-queries
def my_folded_with_lengths(queries, keys, values, valid_lens):
    tables, num_tokens, width = queries.shape
    heads = tables // len(valid_lens)
    each = torch.repeat_interleave(valid_lens, heads)
    mask = attention.padding_mask(each, num_tokens)[:, 0]
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong: mask-too-flat
def my_folded_with_lengths(queries, keys, values, valid_lens):
    lens = valid_lens.repeat_interleave(len(queries) // len(valid_lens))
    mask = attention.padding_mask(lens, keys.shape[-2])[:, 0, 0]
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong: mask-zero-fill
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = queries.shape[0] // len(valid_lens)
    keys, values = keys.clone(), values.clone()
    for table in range(queries.shape[0]):
        real = int(valid_lens[table // num_heads])
        keys[table, real:] = 0.0
        values[table, real:] = 0.0
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong: no-scale
def my_folded_with_lengths(queries, keys, values, valid_lens):
    per_text = queries.size(0) // valid_lens.size(0)
    lens = torch.stack([valid_lens] * per_text, dim=1).flatten()
    scores = torch.einsum("nqd,nkd->nqk", queries, keys)
    keep = attention.padding_mask(lens, keys.size(1))[:, 0]
    scores = torch.where(keep, scores, -torch.inf)
    weights = attention.softmax(scores)
    return torch.einsum("nqk,nkd->nqd", weights, values), weights

# %% wrong: outputs-swapped
def my_folded_with_lengths(queries, keys, values, valid_lens):
    n = queries.shape[0] // valid_lens.shape[0]
    longer = torch.repeat_interleave(valid_lens, n)
    open_keys = torch.arange(keys.shape[1]) < longer[:, None]
    scores = queries @ keys.mT * queries.shape[-1] ** -0.5
    weights = attention.softmax(scores.masked_fill(~open_keys[:, None], -torch.inf))
    return weights, weights @ values

# %% wrong: pad-over-queries
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = len(queries) // len(valid_lens)
    lens = valid_lens.repeat_interleave(num_heads)
    mask = torch.arange(queries.shape[1])[:, None] < lens[:, None, None]
    scores = queries @ keys.transpose(1, 2) / queries.shape[-1] ** 0.5
    weights = attention.softmax(scores.masked_fill(~mask, -torch.inf))
    return weights @ values, weights

# %% wrong: scale-model
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = queries.shape[0] // len(valid_lens)
    d_out = num_heads * queries.shape[-1]
    lens = valid_lens.repeat_interleave(num_heads)
    mask = attention.padding_mask(lens, keys.shape[1]).squeeze(1)
    scores = torch.bmm(queries, keys.transpose(1, 2)) / d_out**0.5
    weights = attention.softmax(scores.masked_fill(~mask, -torch.inf))
    return torch.bmm(weights, values), weights
