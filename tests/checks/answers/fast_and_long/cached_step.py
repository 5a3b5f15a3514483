# %% right
def my_cached_step(heads, token, cache):
    pair = torch.stack([heads.W_key(token), heads.W_value(token)])
    cache = pair if cache is None else torch.cat([cache, pair], dim=2)
    keys, values = split_heads(cache, heads.num_heads)
    queries = split_heads(heads.W_query(token), heads.num_heads)
    mixed, _ = attention.scaled_dot_product_attention(queries, keys, values, dropout=heads.dropout)
    return heads.out_proj(merge_heads(mixed)), cache

# %% right
def my_cached_step(heads, token, cache):
    past = cache or {}
    new = {"keys": heads.W_key(token), "values": heads.W_value(token)}
    if past:
        new = {name: torch.cat((past[name], part), dim=1) for name, part in new.items()}
    q, k, v = (attention.split_heads(t, heads.num_heads) for t in (heads.W_query(token), new["keys"], new["values"]))
    context = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(token.shape[0], 1, -1)
    return heads.out_proj(context), new

# %% right
def my_cached_step(heads, token, cache):
    steps = (cache or ()) + ((heads.W_key(token), heads.W_value(token)),)
    keys, values = (torch.cat(part, dim=1) for part in zip(*steps))  # (batch, num_past + 1, d_out)
    q, k, v = (attention.split_heads(t, heads.num_heads) for t in (heads.W_query(token), keys, values))
    p = heads.dropout.p if heads.training else 0.0
    out = F.scaled_dot_product_attention(q, k, v, dropout_p=p)
    return heads.out_proj(out.transpose(1, 2).flatten(2)), steps

# %% right
def my_cached_step(heads, token, cache):
    def cut(layer):
        return attention.split_heads(layer(token), heads.num_heads)
    keys, values = cut(heads.W_key), cut(heads.W_value)
    if cache is not None:
        keys = torch.cat([keys, cache["keys"]], dim=-2)
        values = torch.cat([values, cache["values"]], dim=-2)
    vec, _ = attention.scaled_dot_product_attention(cut(heads.W_query), keys, values, dropout=heads.dropout)
    return heads.out_proj(attention.merge_heads(vec)), {"keys": keys, "values": values}

# %% right
def my_cached_step(heads, token, cache):
    n = heads.num_heads
    new = torch.stack([attention.split_heads(layer(token), n) for layer in (heads.W_key, heads.W_value)])
    cache = new if cache is None else torch.cat([cache, new], dim=3)
    query = attention.split_heads(heads.W_query(token), n)[:, :, 0]
    scores = torch.einsum("bhd,bhkd->bhk", query, cache[0]) / math.sqrt(query.shape[-1])
    mixed = torch.einsum("bhk,bhkd->bhd", scores.softmax(-1), cache[1])
    return heads.out_proj(mixed.flatten(1))[:, None], cache

# %% right
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

# %% right
def my_cached_step(heads, token, cache):
    batch = token.shape[0]
    shape = (batch, heads.num_heads, 1, -1)
    q, k, v = (layer(token).reshape(shape) for layer in (heads.W_query, heads.W_key, heads.W_value))
    if cache is not None:
        k, v = torch.cat([k, cache["k"]], dim=2), torch.cat([v, cache["v"]], dim=2)
    weights = torch.softmax((q * k).sum(dim=-1) / math.sqrt(q.shape[-1]), dim=-1)
    mixed = torch.einsum("bhn,bhnd->bhd", weights, v)
    return heads.out_proj(mixed.reshape(batch, 1, -1)), {"k": k, "v": v}

# %% right
def my_cached_step(heads, token, cache):
    new = torch.cat([heads.W_key(token), heads.W_value(token)], dim=-1)
    cache = new if cache is None else torch.cat([cache, new], dim=1)
    keys, values = (attention.split_heads(half, heads.num_heads) for half in cache.chunk(2, dim=-1))
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    scores = torch.einsum("bhqd,bhkd->bhqk", query, keys) / math.sqrt(query.shape[-1])
    vec = torch.einsum("bhqk,bhkd->bqhd", scores.softmax(-1), values).flatten(2)
    return heads.out_proj(vec), cache

# %% right
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

# %% right
def split_one(x, num_heads):
    return x.view(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)
def my_cached_step(heads, token, cache):
    new = {name: split_one(heads.get_submodule(f"W_{name}")(token), heads.num_heads) for name in ("key", "value")}
    if cache:
        new = {name: torch.cat((cache[name], part), 2) for name, part in new.items()}
    query = split_one(heads.W_query(token), heads.num_heads)
    weights = (query @ new["key"].mT / math.sqrt(query.size(-1))).softmax(-1)
    out = (weights @ new["value"]).transpose(1, 2).reshape(token.shape[0], 1, -1)
    return heads.out_proj(out), new

# %% right
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

# %% right
def step_before_the_split(heads, token, cache):
    """The cache holds keys and values with all heads side by side."""
    keys, values = heads.W_key(token), heads.W_value(token)
    if cache is not None:
        keys, values = torch.cat([cache[0], keys], dim=1), torch.cat([cache[1], values], dim=1)
    parts = (attention.split_heads(part, heads.num_heads) for part in (heads.W_query(token), keys, values))
    return heads.out_proj(attention.merge_heads(attention.scaled_dot_product_attention(*parts)[0])), [keys, values]
@torch.no_grad()
def my_cached_step(heads, token, cache):
    return step_before_the_split(heads, token, cache)

# %% right
def split_one(x, num_heads):
    return x.view(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)
def my_cached_step(heads, token, cache):
    """Attention does not mind the order of its keys, as long as the values stand in the same."""
    query, key, value = (
        split_one(layer(token), heads.num_heads) for layer in (heads.W_query, heads.W_key, heads.W_value)
    )
    past = cache if cache is not None else (key[:, :, :0], value[:, :, :0])
    keys, values = torch.cat([key, past[0]], dim=-2), torch.cat([value, past[1]], dim=-2)
    return heads.out_proj(attention.merge_heads(F.scaled_dot_product_attention(query, keys, values))), (keys, values)

# %% wrong: - "Where `cache` is None, a new text begins, and your code goes"
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

# %% wrong: - "`torch.einsum("bhqd,bhkd->bhqk", q, k)` stops: `bhqd` names "
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

# %% wrong: cache-elsewhere
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

# %% wrong: cache-first-none
def my_cached_step(heads, token, cache):
    past_keys, past_values = cache
    split = lambda t: attention.split_heads(t, heads.num_heads)
    keys = torch.cat([past_keys, split(heads.W_key(token))], dim=2)
    values = torch.cat([past_values, split(heads.W_value(token))], dim=2)
    out, _ = attention.scaled_dot_product_attention(split(heads.W_query(token)), keys, values)
    return heads.out_proj(attention.merge_heads(out)), (keys, values)

# %% wrong: cache-ignored
my_cached_step = lambda heads, token, cache: heads(token)

# %% wrong: cache-in-place
def attend(query, keys, values):
    return torch.softmax(query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5, dim=-1) @ values
def my_cached_step(heads, token, cache):
    cache = [] if cache is None else cache
    cache.append([split_heads(part, heads.num_heads) for part in (heads.W_key(token), heads.W_value(token))])
    keys, values = (torch.cat(parts, dim=-2) for parts in zip(*cache, strict=True))
    query = split_heads(heads.W_query(token), heads.num_heads)
    return heads.out_proj(merge_heads(attend(query, keys, values))), cache

# %% wrong: cache-last-only
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

# %% wrong: - "Two things are asked for, in this order: `return context_vec"
my_cached_step = lambda heads, token, cache: heads(token)[0]

# %% wrong: cache-not-updated
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

# %% wrong: cache-swapped
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

# %% wrong: cat-wrong-axis
def my_cached_step(heads, token, cache):
    q, k, v = [attention.split_heads(layer(token), heads.num_heads)
               for layer in [heads.W_query, heads.W_key, heads.W_value]]
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    out, _ = attention.scaled_dot_product_attention(q, k, v)
    return heads.out_proj(attention.merge_heads(out)), (k, v)

# %% wrong: causal-top-left
def my_cached_step(heads, token, cache):
    n = heads.num_heads
    q, k, v = (attention.split_heads(W(token), n) for W in (heads.W_query, heads.W_key, heads.W_value))
    if cache is not None:
        k = torch.cat([cache[0], k], dim=-2)
        v = torch.cat([cache[1], v], dim=-2)
    out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return heads.out_proj(attention.merge_heads(out)), (k, v)

# %% wrong: heads-unsplit
def extend(cache, keys, values):
    if cache is None:
        return keys, values
    return torch.cat([cache[0], keys], dim=-2), torch.cat([cache[1], values], dim=-2)
def attend(query, keys, values):
    return torch.softmax(query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5, dim=-1) @ values
def my_cached_step(heads, token, cache):
    keys, values = extend(cache, heads.W_key(token), heads.W_value(token))
    return heads.out_proj(attend(heads.W_query(token), keys, values)), (keys, values)

# %% wrong: newest-in-front
# newest key in front
def my_cached_step(heads, token, cache):
    q, k, v = (attention.split_heads(layer(token), heads.num_heads)
               for layer in (heads.W_query, heads.W_key, heads.W_value))
    if cache is not None:
        k = torch.cat([k, cache[0]], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    vec, _ = attention.scaled_dot_product_attention(q, k, v)
    return heads.out_proj(attention.merge_heads(vec)), (k, v)

# %% wrong: no-out-proj
def my_cached_step(heads, token, cache):
    q = attention.split_heads(heads.W_query(token), heads.num_heads)
    k = attention.split_heads(heads.W_key(token), heads.num_heads)
    v = attention.split_heads(heads.W_value(token), heads.num_heads)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    vec = F.scaled_dot_product_attention(q, k, v)
    return attention.merge_heads(vec), (k, v)

# %% wrong: rows-of-the-past
def my_cached_step(heads, token, cache):
    parts = [attention.split_heads(layer(token), heads.num_heads)
             for layer in (heads.W_query, heads.W_key, heads.W_value)]
    if cache is not None:
        parts = [torch.cat([old, new], dim=2) for old, new in zip(cache, parts)]
    vecs = F.scaled_dot_product_attention(*parts, is_causal=True)
    return heads.out_proj(attention.merge_heads(vecs)), tuple(parts)

# %% wrong: self-excluded
def my_cached_step(heads, token, cache):
    query, key, value = (split_heads(w(token), heads.num_heads) for w in (heads.W_query, heads.W_key, heads.W_value))
    past_keys, past_values = (key, value) if cache is None else cache
    context_vec = F.scaled_dot_product_attention(query, past_keys, past_values)
    if cache is not None:
        cache = (torch.cat((past_keys, key), -2), torch.cat((past_values, value), -2))
    else:
        cache = (key, value)
    return heads.out_proj(merge_heads(context_vec)), cache

# %% wrong: token-axis-lost
def split_one(x, num_heads):
    return x.view(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)
def step_by_dict(heads, token, cache):
    new = {name: split_one(heads.get_submodule(f"W_{name}")(token), heads.num_heads) for name in ("key", "value")}
    if cache:
        new = {name: torch.cat((cache[name], part), 2) for name, part in new.items()}
    query = split_one(heads.W_query(token), heads.num_heads)
    weights = (query @ new["key"].mT / math.sqrt(query.size(-1))).softmax(-1)
    out = (weights @ new["value"]).transpose(1, 2).reshape(token.shape[0], 1, -1)
    return heads.out_proj(out), new
my_cached_step = lambda heads, token, cache: (step_by_dict(heads, token, cache)[0][:, 0], cache)
