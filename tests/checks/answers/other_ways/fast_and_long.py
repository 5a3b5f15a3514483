# %% wrong cached_step: cache-in-place
def attend(query, keys, values):
    return torch.softmax(query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5, dim=-1) @ values


def my_cached_step(heads, token, cache):
    cache = [] if cache is None else cache
    cache.append([split_heads(part, heads.num_heads) for part in (heads.W_key(token), heads.W_value(token))])
    keys, values = (torch.cat(parts, dim=-2) for parts in zip(*cache, strict=True))
    query = split_heads(heads.W_query(token), heads.num_heads)
    return heads.out_proj(merge_heads(attend(query, keys, values))), cache

# %% wrong cached_step: heads-unsplit
def extend(cache, keys, values):
    if cache is None:
        return keys, values
    return torch.cat([cache[0], keys], dim=-2), torch.cat([cache[1], values], dim=-2)


def attend(query, keys, values):
    return torch.softmax(query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5, dim=-1) @ values


def my_cached_step(heads, token, cache):
    keys, values = extend(cache, heads.W_key(token), heads.W_value(token))
    return heads.out_proj(attend(heads.W_query(token), keys, values)), (keys, values)
