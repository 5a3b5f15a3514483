# %% wrong cached_step: cache-in-place
# writes into buffers made once: a step changes the cache it was given, and two continuations overwrite each other
def my_cached_step(heads, token, cache):
    q, k, v = (attention.split_heads(layer(token), heads.num_heads)
               for layer in (heads.W_query, heads.W_key, heads.W_value))
    if cache is None:
        b, h, _, d = k.shape
        cache = (torch.zeros(b, h, 1024, d), torch.zeros(b, h, 1024, d), 0)
    all_keys, all_values, at = cache
    all_keys[:, :, at] = k[:, :, 0]
    all_values[:, :, at] = v[:, :, 0]
    vec, _ = attention.scaled_dot_product_attention(q, all_keys[:, :, : at + 1], all_values[:, :, : at + 1])
    return heads.out_proj(attention.merge_heads(vec)), (all_keys, all_values, at + 1)


# %% wrong cached_step: cache-not-updated
# returns the cache it was given, not the longer one: from the third token on, keys are missing
def my_cached_step(heads, token, cache):
    queries = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys = attention.split_heads(heads.W_key(token), heads.num_heads)
    values = attention.split_heads(heads.W_value(token), heads.num_heads)
    if cache is None:
        cache = (keys, values)
    else:
        keys = torch.cat([cache[0], keys], dim=2)
        values = torch.cat([cache[1], values], dim=2)
    context = F.scaled_dot_product_attention(queries, keys, values)
    return heads.out_proj(attention.merge_heads(context)), cache


# %% wrong cached_step: cache-elsewhere
# keeps keys and values on the module and looks at the argument only for None: continuations are mixed up
def my_cached_step(heads, token, cache):
    q = attention.split_heads(heads.W_query(token), heads.num_heads)
    k = attention.split_heads(heads.W_key(token), heads.num_heads)
    v = attention.split_heads(heads.W_value(token), heads.num_heads)
    if cache is not None:
        k = torch.cat((heads.past_keys, k), dim=-2)
        v = torch.cat((heads.past_values, v), dim=-2)
    heads.past_keys, heads.past_values = k, v
    vec, _ = attention.scaled_dot_product_attention(q, k, v)
    return heads.out_proj(attention.merge_heads(vec)), True


# %% wrong cached_step: cache-swapped
# returns (values, keys) and reads (keys, values): from the second token on, the past is exchanged
def my_cached_step(heads, token, cache):
    def project(layer):
        return attention.split_heads(layer(token), heads.num_heads)

    query, key, value = project(heads.W_query), project(heads.W_key), project(heads.W_value)
    if cache is not None:
        past_keys, past_values = cache
        key = torch.cat([past_keys, key], dim=2)
        value = torch.cat([past_values, value], dim=2)
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    context = attention.softmax(scores) @ value
    return heads.out_proj(attention.merge_heads(context)), (value, key)


# %% wrong cached_step: cache-as-condition
# `if cache:` on a cache that is one tensor: stops with an error at the second token
def my_cached_step(heads, token, cache):
    n = heads.num_heads
    kv = torch.stack([attention.split_heads(heads.W_key(token), n), attention.split_heads(heads.W_value(token), n)])
    if cache:
        kv = torch.cat([cache, kv], dim=-2)
    q = attention.split_heads(heads.W_query(token), n)
    out = F.scaled_dot_product_attention(q, kv[0], kv[1])
    return heads.out_proj(attention.merge_heads(out)), kv


# %% wrong cached_step: rows-of-the-past
# keeps queries too and answers all of them again, without a mask: returns a row for each token so far, not for the new
def my_cached_step(heads, token, cache):
    new = [attention.split_heads(w(token), heads.num_heads) for w in (heads.W_query, heads.W_key, heads.W_value)]
    if cache is not None:
        new = [torch.cat([old, part], dim=2) for old, part in zip(cache, new)]
    q, k, v = new
    vecs, _ = attention.scaled_dot_product_attention(q, k, v)
    return heads.out_proj(attention.merge_heads(vecs)), (q, k, v)


# %% wrong cached_step: cat-wrong-axis
# joins along axis 1, where the heads are after the split (it was the tokens' axis before it): an error at the 2nd token
def my_cached_step(heads, token, cache):
    q = attention.split_heads(heads.W_query(token), heads.num_heads)
    k = attention.split_heads(heads.W_key(token), heads.num_heads)
    v = attention.split_heads(heads.W_value(token), heads.num_heads)
    past_k, past_v = cache or (k[:, :0], v[:, :0])
    k, v = torch.cat([past_k, k], dim=1), torch.cat([past_v, v], dim=1)
    weights = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, dim=-1)
    return heads.out_proj(attention.merge_heads(weights @ v)), (k, v)


