# %% wrong cached_step: no-out-proj
# forgets out_proj
def my_cached_step(heads, token, cache):
    q = attention.split_heads(heads.W_query(token), heads.num_heads)
    k = attention.split_heads(heads.W_key(token), heads.num_heads)
    v = attention.split_heads(heads.W_value(token), heads.num_heads)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    vec = F.scaled_dot_product_attention(q, k, v)
    return attention.merge_heads(vec), (k, v)

# %% wrong cached_step: causal-top-left
# is_causal=True: the one query sees key 0 only
def my_cached_step(heads, token, cache):
    def project(layer):
        return attention.split_heads(layer(token), heads.num_heads)

    query, key, value = project(heads.W_query), project(heads.W_key), project(heads.W_value)
    if cache is None:
        keys, values = key, value
    else:
        past_keys, past_values = cache
        keys, values = torch.cat([past_keys, key], dim=-2), torch.cat([past_values, value], dim=-2)
    context = F.scaled_dot_product_attention(query, keys, values, is_causal=True)
    return heads.out_proj(attention.merge_heads(context)), (keys, values)

# %% wrong cached_step: cache-in-place
# appends to lists in the cache that it was given: two continuations share and spoil it
def my_cached_step(heads, token, cache):
    if cache is None:
        cache = {"keys": [], "values": []}
    n = heads.num_heads
    cache["keys"].append(attention.split_heads(heads.W_key(token), n))
    cache["values"].append(attention.split_heads(heads.W_value(token), n))
    keys = torch.cat(cache["keys"], dim=2)
    values = torch.cat(cache["values"], dim=2)
    query = attention.split_heads(heads.W_query(token), n)
    vec, _ = attention.scaled_dot_product_attention(query, keys, values)
    return heads.out_proj(attention.merge_heads(vec)), cache

# %% wrong cached_step: cat-wrong-axis
# joins along the heads' axis (dim=1) in place of the tokens' axis
def my_cached_step(heads, token, cache):
    h = heads.num_heads
    queries, keys, values = (attention.split_heads(w(token), h) for w in (heads.W_query, heads.W_key, heads.W_value))
    if cache:
        keys = torch.cat((cache[0], keys), dim=1)
        values = torch.cat((cache[1], values), dim=1)
    weights = attention.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
    return heads.out_proj(attention.merge_heads(weights @ values)), (keys, values)

# %% wrong cached_step: cache-last-only
# returns only the new key and value as cache: from the third token on the past is lost
def my_cached_step(heads, token, cache):
    q, new_k, new_v = [
        attention.split_heads(layer(token), heads.num_heads) for layer in (heads.W_query, heads.W_key, heads.W_value)
    ]
    k, v = new_k, new_v
    if cache is not None:
        k = torch.cat([cache[0], new_k], dim=-2)
        v = torch.cat([cache[1], new_v], dim=-2)
    context_vec = F.scaled_dot_product_attention(q, k, v)
    context_vec = heads.out_proj(attention.merge_heads(context_vec))
    return context_vec, (new_k, new_v)

# %% wrong cached_step: cache-first-none
# unpacks the cache without asking for None: error at the first token
def my_cached_step(heads, token, cache):
    past_keys, past_values = cache
    split = lambda t: attention.split_heads(t, heads.num_heads)
    keys = torch.cat([past_keys, split(heads.W_key(token))], dim=2)
    values = torch.cat([past_values, split(heads.W_value(token))], dim=2)
    out, _ = attention.scaled_dot_product_attention(split(heads.W_query(token)), keys, values)
    return heads.out_proj(attention.merge_heads(out)), (keys, values)

# %% wrong cached_step: rows-of-the-past
# keeps the past queries too and attends with all of them: returns a row for each token so far, not one
def my_cached_step(heads, token, cache):
    parts = [attention.split_heads(layer(token), heads.num_heads)
             for layer in (heads.W_query, heads.W_key, heads.W_value)]
    if cache is not None:
        parts = [torch.cat([old, new], dim=2) for old, new in zip(cache, parts)]
    vecs = F.scaled_dot_product_attention(*parts, is_causal=True)
    return heads.out_proj(attention.merge_heads(vecs)), tuple(parts)

# %% right cached_step
# one stacked tensor as cache, (2, batch, num_heads, num_past, head_dim); softmax by hand with einsum
def my_cached_step(heads, token, cache):
    n = heads.num_heads
    new = torch.stack([attention.split_heads(layer(token), n) for layer in (heads.W_key, heads.W_value)])
    cache = new if cache is None else torch.cat([cache, new], dim=3)
    query = attention.split_heads(heads.W_query(token), n)[:, :, 0]
    scores = torch.einsum("bhd,bhkd->bhk", query, cache[0]) / math.sqrt(query.shape[-1])
    mixed = torch.einsum("bhk,bhkd->bhd", scores.softmax(-1), cache[1])
    return heads.out_proj(mixed.flatten(1))[:, None], cache

# %% right cached_step
# a dict of unsplit keys and values as cache; split only when attending; a new dict every time
def my_cached_step(heads, token, cache):
    past = cache or {}
    new = {"keys": heads.W_key(token), "values": heads.W_value(token)}
    if past:
        new = {name: torch.cat((past[name], part), dim=1) for name, part in new.items()}
    q, k, v = (attention.split_heads(t, heads.num_heads) for t in (heads.W_query(token), new["keys"], new["values"]))
    context = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(token.shape[0], 1, -1)
    return heads.out_proj(context), new

