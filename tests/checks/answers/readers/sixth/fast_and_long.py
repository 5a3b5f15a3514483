# %% wrong cached_step: cache-in-place
# appends to the list that was handed in: a second continuation finds the tokens of the first in its cache
def my_cached_step(heads, token, cache):
    if cache is None:
        cache = []
    split = attention.split_heads
    q = split(heads.W_query(token), heads.num_heads)
    cache.append((split(heads.W_key(token), heads.num_heads), split(heads.W_value(token), heads.num_heads)))
    keys = torch.cat([k for k, _ in cache], dim=2)
    values = torch.cat([v for _, v in cache], dim=2)
    vec, _ = attention.scaled_dot_product_attention(q, keys, values)
    return heads.out_proj(attention.merge_heads(vec)), cache


# %% wrong cached_step: causal-top-left
# is_causal=True with one query and many keys: the triangle starts top left, and the token sees key 0 alone
def my_cached_step(heads, token, cache):
    n = heads.num_heads
    q, k, v = (attention.split_heads(W(token), n) for W in (heads.W_query, heads.W_key, heads.W_value))
    if cache is not None:
        k = torch.cat([cache[0], k], dim=-2)
        v = torch.cat([cache[1], v], dim=-2)
    out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return heads.out_proj(attention.merge_heads(out)), (k, v)


# %% wrong cached_step: no-out-proj
# out_proj is forgotten
def my_cached_step(heads, token, cache):
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    key = attention.split_heads(heads.W_key(token), heads.num_heads)
    value = attention.split_heads(heads.W_value(token), heads.num_heads)
    past_keys, past_values = (None, None) if cache is None else cache
    keys = key if past_keys is None else torch.cat((past_keys, key), dim=2)
    values = value if past_values is None else torch.cat((past_values, value), dim=2)
    mixed, _ = attention.scaled_dot_product_attention(query, keys, values)
    return attention.merge_heads(mixed), (keys, values)


# %% wrong cached_step: cache-last-only
# hands back only the keys and values of the new token: the past is used once and then lost
def my_cached_step(heads, token, cache):
    q, new_k, new_v = (attention.split_heads(layer(token), heads.num_heads)
                       for layer in (heads.W_query, heads.W_key, heads.W_value))
    k, v = new_k, new_v
    if cache:
        k = torch.cat([cache[0], new_k], dim=2)
        v = torch.cat([cache[1], new_v], dim=2)
    w = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    context_vec = heads.out_proj(attention.merge_heads(w @ v))
    return context_vec, (new_k, new_v)


# %% wrong cached_step: cache-elsewhere
# keeps keys and values on the module, not in the cache: two continuations (or two texts) run into one another
def my_cached_step(heads, token, cache):
    key = attention.split_heads(heads.W_key(token), heads.num_heads)
    value = attention.split_heads(heads.W_value(token), heads.num_heads)
    if cache is None:
        heads.past = (key, value)
    else:
        heads.past = (torch.cat([heads.past[0], key], dim=2), torch.cat([heads.past[1], value], dim=2))
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    vec, _ = attention.scaled_dot_product_attention(query, *heads.past)
    return heads.out_proj(attention.merge_heads(vec)), heads.past


# %% wrong cached_step: - "`torch.einsum("bhqd,bhkd->bhqk", q, k)` stops: `bhqd` names "
# joins past and new along axis 1, that of the heads: stops at the second token (with one head: attends wrongly)
def my_cached_step(heads, token, cache):
    h = heads.num_heads
    q = attention.split_heads(heads.W_query(token), h)
    k = attention.split_heads(heads.W_key(token), h)
    v = attention.split_heads(heads.W_value(token), h)
    if cache is not None:
        k, v = (torch.cat([old, new], dim=1) for old, new in zip(cache, (k, v)))
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.shape[-1])
    vec = torch.einsum("bhqk,bhkd->bhqd", torch.softmax(scores, -1), v)
    return heads.out_proj(attention.merge_heads(vec)), (k, v)


# %% right cached_step
# newest first: the order of the keys does not matter, as long as the values have the same
def my_cached_step(heads, token, cache):
    def cut(layer):
        return attention.split_heads(layer(token), heads.num_heads)

    keys, values = cut(heads.W_key), cut(heads.W_value)
    if cache is not None:
        keys = torch.cat([keys, cache["keys"]], dim=-2)
        values = torch.cat([values, cache["values"]], dim=-2)
    vec, _ = attention.scaled_dot_product_attention(cut(heads.W_query), keys, values, dropout=heads.dropout)
    return heads.out_proj(attention.merge_heads(vec)), {"keys": keys, "values": values}


# %% right cached_step
# a tuple of steps, each with keys and values not yet split; split only when they are used
def my_cached_step(heads, token, cache):
    steps = (cache or ()) + ((heads.W_key(token), heads.W_value(token)),)
    keys, values = (torch.cat(part, dim=1) for part in zip(*steps))  # (batch, num_past + 1, d_out)
    q, k, v = (attention.split_heads(t, heads.num_heads) for t in (heads.W_query(token), keys, values))
    p = heads.dropout.p if heads.training else 0.0
    out = F.scaled_dot_product_attention(q, k, v, dropout_p=p)
    return heads.out_proj(out.transpose(1, 2).flatten(2)), steps


