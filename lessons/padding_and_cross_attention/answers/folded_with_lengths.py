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
    num_tables, num_keys = keys.shape[0], keys.shape[1]
    text_of_table = torch.arange(num_tables) // (num_tables // valid_lens.shape[0])
    allowed = torch.arange(num_keys)[None, None, :] < valid_lens[text_of_table][:, None, None]
    allowed = allowed.expand(-1, queries.shape[1], -1)
    identity = torch.eye(num_keys, dtype=queries.dtype).expand(num_tables, -1, -1)
    attn_weights = F.scaled_dot_product_attention(queries, keys, identity, attn_mask=allowed)
    return attn_weights.bmm(values), attn_weights

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
