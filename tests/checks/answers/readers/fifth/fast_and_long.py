# %% wrong cached_step: cache-in-place
# writes keys and values into one large cache in place: two continuations of a cache spoil each other
def my_cached_step(heads, token, cache):
    q, k, v = (attention.split_heads(f(token), heads.num_heads) for f in (heads.W_query, heads.W_key, heads.W_value))
    if cache is None:
        room = (k.shape[0], k.shape[1], 512, k.shape[3])
        cache = {"keys": torch.zeros(room), "values": torch.zeros(room), "used": 0}
    at = cache["used"]
    cache["keys"][:, :, at] = k[:, :, 0].detach()
    cache["values"][:, :, at] = v[:, :, 0].detach()
    cache["used"] = at + 1
    mixed = F.scaled_dot_product_attention(q, cache["keys"][:, :, :at + 1], cache["values"][:, :, :at + 1])
    return heads.out_proj(attention.merge_heads(mixed)), cache

# %% wrong cached_step: causal-top-left
# is_causal=True for the one new query: it sees key 0 only
def my_cached_step(heads, token, cache):
    split = lambda part: attention.split_heads(part, heads.num_heads)
    query, key, value = split(heads.W_query(token)), split(heads.W_key(token)), split(heads.W_value(token))
    if cache is not None:
        key = torch.cat([cache[0], key], dim=-2)
        value = torch.cat([cache[1], value], dim=-2)
    vec = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return heads.out_proj(attention.merge_heads(vec)), (key, value)

# %% wrong cached_step: cache-swapped
# returns (values, keys) and reads (keys, values): from the second token on, the two are mixed up
def my_cached_step(heads, token, cache):
    n = heads.num_heads
    queries = attention.split_heads(heads.W_query(token), n)
    keys = attention.split_heads(heads.W_key(token), n)
    values = attention.split_heads(heads.W_value(token), n)
    if cache:
        past_keys, past_values = cache
        keys = torch.cat((past_keys, keys), 2)
        values = torch.cat((past_values, values), 2)
    context_vec, _ = attention.scaled_dot_product_attention(queries, keys, values)
    context_vec = heads.out_proj(attention.merge_heads(context_vec))
    return context_vec, (values, keys)

# %% wrong cached_step: - "Where `cache` is None, a new text begins, and your code goes"
# keeps the past in a global list and does not look at the cache it is handed: a second text goes on with the first
past = []
def my_cached_step(heads, token, cache):
    k = attention.split_heads(heads.W_key(token), heads.num_heads)
    v = attention.split_heads(heads.W_value(token), heads.num_heads)
    past.append((k, v))
    all_keys = torch.cat([pair[0] for pair in past], dim=2)
    all_values = torch.cat([pair[1] for pair in past], dim=2)
    q = attention.split_heads(heads.W_query(token), heads.num_heads)
    mixed, _ = attention.scaled_dot_product_attention(q, all_keys, all_values)
    return heads.out_proj(attention.merge_heads(mixed)), past

# %% wrong cached_step: cat-wrong-axis
# joins the split keys and values on axis 1, the heads: at the second token the shapes no longer fit
def my_cached_step(heads, token, cache):
    q, k, v = [attention.split_heads(layer(token), heads.num_heads)
               for layer in [heads.W_query, heads.W_key, heads.W_value]]
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    out, _ = attention.scaled_dot_product_attention(q, k, v)
    return heads.out_proj(attention.merge_heads(out)), (k, v)

# %% wrong cached_step: self-excluded
# the new token meets only the old keys, not its own: row i must see keys 0 to i
def my_cached_step(heads, token, cache):
    def part(layer):
        return layer(token).unflatten(-1, (heads.num_heads, -1)).transpose(1, 2)

    q, k, v = part(heads.W_query), part(heads.W_key), part(heads.W_value)
    if cache is None:
        seen_keys, seen_values = k, v
        cache = (k, v)
    else:
        seen_keys, seen_values = cache
        cache = (torch.cat([seen_keys, k], dim=2), torch.cat([seen_values, v], dim=2))
    scores = q @ seen_keys.transpose(-2, -1) / q.shape[-1] ** 0.5
    mixed = torch.softmax(scores, dim=-1) @ seen_values
    return heads.out_proj(mixed.transpose(1, 2).flatten(2)), cache

# %% right cached_step
# the cache is a chain of pairs, each with the one before it; the newest key stands first (the order does not matter)
def my_cached_step(heads, token, cache):
    def project(layer):
        return attention.split_heads(layer(token), heads.num_heads)

    cache = (project(heads.W_key), project(heads.W_value), cache)
    keys, values, link = [], [], cache
    while link is not None:
        keys.append(link[0])
        values.append(link[1])
        link = link[2]
    mixed = F.scaled_dot_product_attention(project(heads.W_query), torch.cat(keys, dim=2), torch.cat(values, dim=2))
    return heads.out_proj(attention.merge_heads(mixed)), cache

# %% right cached_step
# one tensor as cache: keys and values, not split, beside each other, (batch, num_past, 2 * d_out); split at each step
def my_cached_step(heads, token, cache):
    new = torch.cat([heads.W_key(token), heads.W_value(token)], dim=-1)
    cache = new if cache is None else torch.cat([cache, new], dim=1)
    keys, values = (attention.split_heads(half, heads.num_heads) for half in cache.chunk(2, dim=-1))
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    scores = torch.einsum("bhqd,bhkd->bhqk", query, keys) / math.sqrt(query.shape[-1])
    vec = torch.einsum("bhqk,bhkd->bqhd", scores.softmax(-1), values).flatten(2)
    return heads.out_proj(vec), cache

