# %% right
def my_preallocated_step(heads, token, cache):
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys, values, n = cache
    keys[:, :, n:n + 1] = k
    values[:, :, n:n + 1] = v
    out, _ = attention.scaled_dot_product_attention(q, keys[:, :, :n + 1], values[:, :, :n + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, n + 1)

# %% right
@torch.no_grad()
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    for room, layer in ((keys, heads.W_key), (values, heads.W_value)):
        room.select(2, past).copy_(layer(token).view(len(token), heads.num_heads, -1))
    q = attention.split_heads(heads.W_query(token), heads.num_heads)
    past += 1
    out = F.scaled_dot_product_attention(q, keys[:, :, :past], values[:, :, :past])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past)

# %% right
@torch.no_grad()
def my_preallocated_step(heads, token, cache):
    *rooms, past = cache
    for room, layer in zip(rooms, (heads.W_key, heads.W_value), strict=True):
        room.select(2, past).copy_(layer(token).view(len(token), heads.num_heads, -1))
    keys, values = (room.narrow(2, 0, past + 1) for room in rooms)
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    weights = torch.softmax(query @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
    return heads.out_proj(attention.merge_heads(weights @ values)), (*rooms, past + 1)

# %% right
def split_one(x, num_heads):
    return x.view(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    keys[:, :, past:] = split_one(heads.W_key(token), heads.num_heads)
    values[:, :, past:] = split_one(heads.W_value(token), heads.num_heads)
    past += 1
    query = split_one(heads.W_query(token), heads.num_heads)
    out = F.scaled_dot_product_attention(query, keys[:, :, :past], values[:, :, :past])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past)

# %% right
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    b, _, _ = token.shape
    def split(x): return x.view(b, 1, heads.num_heads, -1).transpose(1, 2)
    at = torch.tensor([past])
    keys.index_copy_(2, at, split(heads.W_key(token)))
    values.index_copy_(2, at, split(heads.W_value(token)))
    k, v = keys.narrow(2, 0, past + 1), values.narrow(2, 0, past + 1)
    w = torch.softmax(split(heads.W_query(token)) @ k.mT / k.shape[-1] ** 0.5, dim=-1)
    return heads.out_proj((w @ v).transpose(1, 2).reshape(b, 1, -1)), [keys, values, past + 1]

# %% right
def split_one(x, num_heads):
    return x.view(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)
def my_preallocated_step(heads, token, cache):
    query, key, value = (
        split_one(layer(token), heads.num_heads) for layer in (heads.W_query, heads.W_key, heads.W_value)
    )
    keys, values, past = cache
    keys[:, :, past : past + 1], values[:, :, past : past + 1] = key, value
    so_far = slice(past + 1)
    out, _ = attention.scaled_dot_product_attention(query, keys[:, :, so_far], values[:, :, so_far])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)

# %% right
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys[:, :, past:] = attention.split_heads(heads.W_key(token), heads.num_heads)
    values[:, :, past:] = attention.split_heads(heads.W_value(token), heads.num_heads)
    past = past + 1
    vec = F.scaled_dot_product_attention(query, keys[:, :, :past], values[:, :, :past])
    return heads.out_proj(attention.merge_heads(vec)), (keys, values, past)

# %% wrong: - "The first two parts of the cache are tensors, the room for k"
my_preallocated_step = lambda heads, token, cache: (heads(token)[0], (None, None, 1))

# %% wrong: - "The two have changed places: the context vector comes first,"
my_preallocated_step = lambda heads, token, cache: (cache, heads(token)[0])

# %% wrong: - "Three parts came as the cache, and three should come back: `"
def my_preallocated_step(heads, token, cache):
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys = attention.split_heads(heads.W_key(token), heads.num_heads)
    values = attention.split_heads(heads.W_value(token), heads.num_heads)
    if cache is not None:
        keys = torch.cat([cache[0], keys], dim=-2)
        values = torch.cat([cache[1], values], dim=-2)
    context_vec = F.scaled_dot_product_attention(query, keys, values)
    return heads.out_proj(attention.merge_heads(context_vec)), (keys, values)

# %% wrong: - "`past` should be a whole number: how many tokens have come. "
def split_one(x, num_heads):
    return x.view(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)
def room_by_slices(heads, token, cache):
    query, key, value = (
        split_one(layer(token), heads.num_heads) for layer in (heads.W_query, heads.W_key, heads.W_value)
    )
    keys, values, past = cache
    keys[:, :, past : past + 1], values[:, :, past : past + 1] = key, value
    so_far = slice(past + 1)
    out, _ = attention.scaled_dot_product_attention(query, keys[:, :, so_far], values[:, :, so_far])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)
def my_preallocated_step(heads, token, cache):
    context_vec, (keys, values, _) = room_by_slices(heads, token, cache)
    return context_vec, (keys, values, True)

# %% wrong: attends-first
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    vec = F.scaled_dot_product_attention(query, keys[:, :, : past + 1], values[:, :, : past + 1])
    keys[:, :, past] = attention.split_heads(heads.W_key(token), heads.num_heads)[:, :, 0]
    values[:, :, past] = attention.split_heads(heads.W_value(token), heads.num_heads)[:, :, 0]
    return heads.out_proj(attention.merge_heads(vec)), (keys, values, past + 1)

# %% wrong: axis-too-many
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past] = k
    values[:, :, past] = v
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)

# %% wrong: causal-top-left
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1], is_causal=True)
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)

# %% wrong: features-dealt-out
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    b = token.shape[0]
    keys[:, :, past] = heads.W_key(token).view(b, -1, heads.num_heads).transpose(1, 2)
    values[:, :, past] = heads.W_value(token).view(b, -1, heads.num_heads).transpose(1, 2)
    q = attention.split_heads(heads.W_query(token), heads.num_heads)
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)

# %% wrong: first-sample-only
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys[0, :, past] = attention.split_heads(heads.W_key(token), heads.num_heads)[0, :, 0]
    values[0, :, past] = attention.split_heads(heads.W_value(token), heads.num_heads)[0, :, 0]
    past = past + 1
    vec = F.scaled_dot_product_attention(query, keys[:, :, :past], values[:, :, :past])
    return heads.out_proj(attention.merge_heads(vec)), (keys, values, past)

# %% wrong: keys-for-values
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    query, key, value = (attention.split_heads(layer(token), heads.num_heads)
                         for layer in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past : past + 1] = key
    values[:, :, past : past + 1] = key
    vec = F.scaled_dot_product_attention(query, keys[:, :, : past + 1], values[:, :, : past + 1])
    return heads.out_proj(attention.merge_heads(vec)), (keys, values, past + 1)

# %% wrong: kv-swapped
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = v[:, :, 0], k[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)

# %% wrong: nan-in-room
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys[:, :, past] = attention.split_heads(heads.W_key(token), heads.num_heads)[:, :, 0]
    values[:, :, past] = attention.split_heads(heads.W_value(token), heads.num_heads)[:, :, 0]
    mask = torch.arange(keys.shape[2]) <= past
    vec = F.scaled_dot_product_attention(query, keys, values, attn_mask=mask[None])
    return heads.out_proj(attention.merge_heads(vec)), (keys, values, past + 1)

# %% wrong: newest-only + room-copied
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    out, _ = heads(token)
    return out, (keys, values, past + 1)

# %% wrong: past-elsewhere
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    past = getattr(heads, "past", 0)
    heads.past = past + 1
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)

# %% wrong: past-not-counted
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past)

# %% wrong: room-copied
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys = torch.cat([keys[:, :, :past], k, keys[:, :, past + 1:]], dim=2)
    values = torch.cat([values[:, :, :past], v, values[:, :, past + 1:]], dim=2)
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)

# %% wrong: room-cut
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys[:, :, past] = attention.split_heads(heads.W_key(token), heads.num_heads)[:, :, 0]
    values[:, :, past] = attention.split_heads(heads.W_value(token), heads.num_heads)[:, :, 0]
    past = past + 1
    keys, values = keys[:, :, :past], values[:, :, :past]
    vec = F.scaled_dot_product_attention(query, keys, values)
    return heads.out_proj(attention.merge_heads(vec)), (keys, values, past)

# %% wrong: room-made-anew
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys, values = torch.zeros_like(keys), torch.zeros_like(values)
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)

# %% wrong: self-excluded
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past], values[:, :, :past])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)

# %% wrong: token-axis-lost
my_preallocated_step = lambda heads, token, cache: (heads(token)[0][:, 0], cache)

# %% wrong: tuple-changed
def my_preallocated_step(heads, token, cache):
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    past = cache[2]
    cache[0][:, :, past], cache[1][:, :, past] = k[:, :, 0], v[:, :, 0]
    cache[2] += 1
    out = F.scaled_dot_product_attention(q, cache[0][:, :, :past + 1], cache[1][:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), cache

# %% wrong: unsplit
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = heads.W_query(token), heads.W_key(token), heads.W_value(token)
    keys[:, :, past], values[:, :, past] = k, v
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(out), (keys, values, past + 1)

# %% wrong: value-over-key
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys[:, :, past] = attention.split_heads(heads.W_key(token), heads.num_heads)[:, :, 0]
    keys[:, :, past] = attention.split_heads(heads.W_value(token), heads.num_heads)[:, :, 0]
    past = past + 1
    vec = F.scaled_dot_product_attention(query, keys[:, :, :past], values[:, :, :past])
    return heads.out_proj(attention.merge_heads(vec)), (keys, values, past)

# %% wrong: whole-room
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys, values)
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)

# %% wrong: written-over-past
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys[:, :, :past + 1] = attention.split_heads(heads.W_key(token), heads.num_heads)
    values[:, :, :past + 1] = attention.split_heads(heads.W_value(token), heads.num_heads)
    past = past + 1
    vec = F.scaled_dot_product_attention(query, keys[:, :, :past], values[:, :, :past])
    return heads.out_proj(attention.merge_heads(vec)), (keys, values, past)

# %% wrong: wrong-axis
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, past], values[:, past] = k, v
    out = F.scaled_dot_product_attention(q, keys[:, :past + 1], values[:, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)

# %% wrong: zeros-for-scores
def my_preallocated_step(heads, token, cache):
    room_k, room_v, n = cache
    q = attention.split_heads(heads.W_query(token), heads.num_heads)
    room_k[:, :, n] = attention.split_heads(heads.W_key(token), heads.num_heads)[:, :, 0]
    room_v[:, :, n] = attention.split_heads(heads.W_value(token), heads.num_heads)[:, :, 0]
    mask = torch.arange(room_k.shape[2]) <= n
    scores = (q @ room_k.transpose(-2, -1) / room_k.shape[-1] ** 0.5) * mask
    vec = attention.softmax(scores) @ room_v
    return heads.out_proj(attention.merge_heads(vec)), (room_k, room_v, n + 1)
