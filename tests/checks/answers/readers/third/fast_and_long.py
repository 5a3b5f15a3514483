# %% wrong cached_step: cache-in-place
# keeps one large buffer and writes into it: two continuations share the buffer, the second overwrites the first
def my_cached_step(heads, token, cache):
    q, k, v = (
        attention.split_heads(layer(token), heads.num_heads) for layer in (heads.W_query, heads.W_key, heads.W_value)
    )
    if cache is None:
        b, h, _, d = k.shape
        cache = (torch.zeros(b, h, 512, d), torch.zeros(b, h, 512, d), 0)
    all_k, all_v, n = cache
    with torch.no_grad():
        all_k[:, :, n : n + 1] = k
        all_v[:, :, n : n + 1] = v
    y = F.scaled_dot_product_attention(q, all_k[:, :, : n + 1], all_v[:, :, : n + 1])
    return heads.out_proj(attention.merge_heads(y)), (all_k, all_v, n + 1)


# %% wrong cached_step: cache-in-place
# appends to the lists of the cache it was given: the caller's cache changes, which the prompt forbids
def my_cached_step(heads, token, cache):
    if cache is None:
        cache = {"keys": [], "values": []}
    cache["keys"].append(attention.split_heads(heads.W_key(token), heads.num_heads))
    cache["values"].append(attention.split_heads(heads.W_value(token), heads.num_heads))
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys, values = torch.cat(cache["keys"], dim=2), torch.cat(cache["values"], dim=2)
    vecs, _ = attention.scaled_dot_product_attention(query, keys, values)
    return heads.out_proj(attention.merge_heads(vecs)), cache


# %% wrong cached_step: rows-of-the-past
# caches the queries as well and answers all of them: the result has a row for every token so far, not one
def my_cached_step(heads, token, cache):
    new = [attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value)]
    if cache is not None:
        new = [torch.cat((old, part), dim=-2) for old, part in zip(cache, new)]
    mask = attention.causal_mask(new[0].shape[-2])
    context_vecs, _ = attention.scaled_dot_product_attention(*new, mask=mask)
    return heads.out_proj(attention.merge_heads(context_vecs)), tuple(new)


# %% wrong cached_step: cache-as-condition
# keeps keys and values in one tensor and asks "if cache": the truth value of a tensor is ambiguous, RuntimeError
# at the second token
def my_cached_step(heads, token, cache):
    split = lambda t: attention.split_heads(t, heads.num_heads)
    query = split(heads.W_query(token))
    new = torch.stack([split(heads.W_key(token)), split(heads.W_value(token))])
    if cache:
        new = torch.cat([cache, new], dim=3)
    out = F.scaled_dot_product_attention(query, new[0], new[1])
    return heads.out_proj(attention.merge_heads(out)), new


# %% wrong cached_step: causal-top-left
# passes is_causal=True: the triangle starts in the top left corner, the new query sees the first key only
def my_cached_step(heads, token, cache):
    queries = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys = attention.split_heads(heads.W_key(token), heads.num_heads)
    values = attention.split_heads(heads.W_value(token), heads.num_heads)
    if cache is not None:
        past_keys, past_values = cache
        keys = torch.cat([past_keys, keys], dim=2)
        values = torch.cat([past_values, values], dim=2)
    vecs = F.scaled_dot_product_attention(queries, keys, values, is_causal=True)
    return heads.out_proj(attention.merge_heads(vecs)), (keys, values)


# %% wrong cached_step: cache-elsewhere
# keeps the past on the module and not in the cache it is given and returns: two continuations run into one another
def my_cached_step(heads, token, cache):
    if cache is None:
        heads.past = []
    heads.past = heads.past + [token]
    so_far = torch.cat(heads.past, dim=1)
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys = attention.split_heads(heads.W_key(so_far), heads.num_heads)
    values = attention.split_heads(heads.W_value(so_far), heads.num_heads)
    vecs, _ = attention.scaled_dot_product_attention(query, keys, values)
    return heads.out_proj(attention.merge_heads(vecs)), len(heads.past)


# %% wrong cached_step: no-out-proj
# forgets out_proj: returns the notes of the heads, merged only
def my_cached_step(heads, token, cache):
    b, _, _ = token.shape
    q, k, v = heads.W_query(token), heads.W_key(token), heads.W_value(token)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    q4, k4, v4 = (attention.split_heads(t, heads.num_heads) for t in (q, k, v))
    y = F.scaled_dot_product_attention(q4, k4, v4)
    return y.transpose(1, 2).reshape(b, 1, -1), (k, v)


# %% right cached_step
# puts the new key and value in front (softmax and mix do not care for the order); for one token a view is enough
# to split and to merge
def my_cached_step(heads, token, cache):
    batch = token.shape[0]
    shape = (batch, heads.num_heads, 1, -1)
    q, k, v = (layer(token).reshape(shape) for layer in (heads.W_query, heads.W_key, heads.W_value))
    if cache is not None:
        k, v = torch.cat([k, cache["k"]], dim=2), torch.cat([v, cache["v"]], dim=2)
    weights = torch.softmax((q * k).sum(dim=-1) / math.sqrt(q.shape[-1]), dim=-1)
    mixed = torch.einsum("bhn,bhnd->bhd", weights, v)
    return heads.out_proj(mixed.reshape(batch, 1, -1)), {"k": k, "v": v}


# %% right cached_step
# the cache is a nested chain (the newest pair and the cache before it), unpacked by recursion; nothing split in it
def my_cached_step(heads, token, cache):
    def unroll(link):
        if link is None:
            return [], []
        key, value, before = link
        keys, values = unroll(before)
        return keys + [key], values + [value]

    cache = (heads.W_key(token), heads.W_value(token), cache)
    keys, values = (attention.split_heads(torch.cat(part, dim=1), heads.num_heads) for part in unroll(cache))
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    vecs, _ = attention.scaled_dot_product_attention(query, keys, values, dropout=heads.dropout)
    return heads.out_proj(attention.merge_heads(vecs)), cache


