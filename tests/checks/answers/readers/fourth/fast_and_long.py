# %% wrong cached_step: cache-in-place
# appends to the lists of the cache it was given: a second continuation from the same cache sees foreign tokens
def my_cached_step(heads, token, cache):
    if cache is None:
        cache = {"keys": [], "values": []}
    cache["keys"].append(split_heads(heads.W_key(token), heads.num_heads))
    cache["values"].append(split_heads(heads.W_value(token), heads.num_heads))
    q = split_heads(heads.W_query(token), heads.num_heads)
    mixed, _ = attention.scaled_dot_product_attention(
        q, torch.cat(cache["keys"], dim=2), torch.cat(cache["values"], dim=2)
    )
    return heads.out_proj(merge_heads(mixed)), cache

# %% wrong cached_step: self-excluded
# the new query meets the past keys alone, the token's own key is joined afterwards: no token attends to itself
# (except the first)
def my_cached_step(heads, token, cache):
    query, key, value = (split_heads(w(token), heads.num_heads) for w in (heads.W_query, heads.W_key, heads.W_value))
    past_keys, past_values = (key, value) if cache is None else cache
    context_vec = F.scaled_dot_product_attention(query, past_keys, past_values)
    if cache is not None:
        cache = (torch.cat((past_keys, key), -2), torch.cat((past_values, value), -2))
    else:
        cache = (key, value)
    return heads.out_proj(merge_heads(context_vec)), cache

# %% wrong cached_step: cat-wrong-axis
# joins along axis 1, which after split_heads holds the heads and not the tokens: at the second token the shapes
# do not fit, and it stops with an error
def my_cached_step(heads, token, cache):
    h = heads.num_heads
    q = split_heads(heads.W_query(token), h)
    k = split_heads(heads.W_key(token), h)
    v = split_heads(heads.W_value(token), h)
    if cache:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    weights = attention.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)
    return heads.out_proj(merge_heads(weights @ v)), (k, v)

# %% wrong cached_step: rows-of-the-past
# caches the queries too and returns the context vectors of all tokens so far, (batch, num_tokens, d_out), where
# only that of the new token is asked for
def my_cached_step(heads, token, cache):
    new = [heads.W_query(token), heads.W_key(token), heads.W_value(token)]
    if cache is not None:
        new = [torch.cat([old, fresh], dim=1) for old, fresh in zip(cache, new)]
    q, k, v = [split_heads(x, heads.num_heads) for x in new]
    vecs = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return heads.out_proj(merge_heads(vecs)), tuple(new)

# %% wrong cached_step: cache-elsewhere
# keeps the keys and values on the module and asks the argument only whether it is None: two continuations of one
# cache are mixed up
def my_cached_step(heads, token, cache):
    k = split_heads(heads.W_key(token), heads.num_heads)
    v = split_heads(heads.W_value(token), heads.num_heads)
    if cache is None:
        heads.cached_keys, heads.cached_values = k, v
    else:
        heads.cached_keys = torch.cat([heads.cached_keys, k], dim=-2)
        heads.cached_values = torch.cat([heads.cached_values, v], dim=-2)
    q = split_heads(heads.W_query(token), heads.num_heads)
    out = F.scaled_dot_product_attention(q, heads.cached_keys, heads.cached_values)
    return heads.out_proj(merge_heads(out)), (heads.cached_keys, heads.cached_values)

# %% right cached_step
# the cache is one tensor of keys and values before the split, (2, batch, num_tokens, d_out)
def my_cached_step(heads, token, cache):
    pair = torch.stack([heads.W_key(token), heads.W_value(token)])
    cache = pair if cache is None else torch.cat([cache, pair], dim=2)
    keys, values = split_heads(cache, heads.num_heads)
    queries = split_heads(heads.W_query(token), heads.num_heads)
    mixed, _ = attention.scaled_dot_product_attention(queries, keys, values, dropout=heads.dropout)
    return heads.out_proj(merge_heads(mixed)), cache

# %% right cached_step
# a dict of tuples, one entry for each token, newest first (the order of keys does not matter); einsum, no
# merge_heads: with one query a reshape is enough
def my_cached_step(heads, token, cache):
    def one(layer):
        return layer(token)[:, 0].unflatten(-1, (heads.num_heads, -1))

    past = {"k": (), "v": ()} if cache is None else cache
    cache = {"k": (one(heads.W_key), *past["k"]), "v": (one(heads.W_value), *past["v"])}
    q, k, v = one(heads.W_query), torch.stack(cache["k"]), torch.stack(cache["v"])
    scores = torch.einsum("bhd,tbhd->tbh", q, k) / math.sqrt(q.shape[-1])
    weights = heads.dropout(scores.softmax(dim=0))
    context = torch.einsum("tbh,tbhd->bhd", weights, v)
    return heads.out_proj(context.reshape(len(token), 1, -1)), cache

