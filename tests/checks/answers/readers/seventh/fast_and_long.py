# %% right blockwise_row
# split both
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = -float("inf"), 0.0, 0.0
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = (k @ query) / math.sqrt(query.numel())
        m_new = max(m, z.max().item())
        c = math.exp(m - m_new)
        p = (z - m_new).exp()
        s = s * c + p.sum()
        o = o * c + (p[:, None] * v).sum(0)
        m = m_new
    return o / s


# %% right blockwise_row
# logsumexp, mix kept normalised
def my_blockwise_row(query, keys, values, block_size):
    lse = torch.tensor(float("-inf"))
    out = torch.zeros(values.size(1))
    i = 0
    while i < keys.size(0):
        s = keys[i:i + block_size].mv(query) * query.size(0) ** -0.5
        block = torch.logsumexp(s, 0)
        new = torch.logaddexp(lse, block)
        out = out * torch.exp(lse - new) + torch.exp(s - new) @ values[i:i + block_size]
        lse = new
        i += block_size
    return out


# %% right blockwise_row
# two passes
def my_blockwise_row(query, keys, values, block_size):
    scale = query.shape[0] ** 0.5
    blocks = range(0, keys.shape[0], block_size)
    top = max((keys[b:b + block_size] @ query / scale).max() for b in blocks)
    den, num = 0, torch.zeros(values.shape[1])
    for b in blocks:
        e = torch.exp(keys[b:b + block_size] @ query / scale - top)
        den += e.sum()
        num += e @ values[b:b + block_size]
    return num / den


# %% right blockwise_row
# each block's own three numbers, joined at the end (as flash decoding does)
def my_blockwise_row(query, keys, values, block_size):
    tops, sums, mixes = [], [], []
    for k, v in zip(torch.split(keys, block_size), torch.split(values, block_size)):
        s = k @ query / len(query) ** 0.5
        tops.append(s.max())
        e = torch.exp(s - tops[-1])
        sums.append(e.sum())
        mixes.append(e @ v)
    tops, sums, mixes = torch.stack(tops), torch.stack(sums), torch.stack(mixes)
    share = torch.exp(tops - tops.max())
    return (share @ mixes) / (share @ sums)


# %% wrong blockwise_row: whole-row
# recursion with what has come so far
def my_blockwise_row(query, keys, values, block_size, top=None, total=None, mixed=None):
    if len(keys) == 0:
        return mixed / total
    scores = torch.einsum("d,kd->k", query, keys[:block_size]) / query.shape[-1] ** 0.5
    new = scores.max() if top is None else torch.max(top, scores.max())
    exps = torch.exp(scores - new)
    part = torch.einsum("k,kv->v", exps, values[:block_size])
    if top is None:
        total, mixed = exps.sum(), part
    else:
        total, mixed = total * torch.exp(top - new) + exps.sum(), mixed * torch.exp(top - new) + part
    return my_blockwise_row(query, keys[block_size:], values[block_size:], block_size, new, total, mixed)


# %% wrong blockwise_row: whole-row
# copies the page: blocks of two
def my_blockwise_row(query, keys, values, block_size):
    highest, total, mixed = torch.tensor(-torch.inf), torch.tensor(0.0), torch.zeros(values.shape[1])
    for start in range(0, len(keys), 2):
        scores = keys[start : start + 2] @ query / query.shape[0] ** 0.5
        new_highest = torch.maximum(highest, scores.max())
        shrink, exps = torch.exp(highest - new_highest), torch.exp(scores - new_highest)
        total = total * shrink + exps.sum()
        mixed = mixed * shrink + exps @ values[start : start + 2]
        highest = new_highest
    return mixed / total


# %% wrong blockwise_row: - "`mixed * shrink + exps @ values[start : start + 2]` stops: ("
# copies the page: (0, 2, 4)
def my_blockwise_row(query, keys, values, block_size):
    highest, total, mixed = torch.tensor(-torch.inf), torch.tensor(0.0), torch.zeros(4)
    for start in (0, 2, 4):
        scores = keys[start : start + 2] @ query / 4 ** 0.5
        new_highest = torch.maximum(highest, scores.max())
        shrink, exps = torch.exp(highest - new_highest), torch.exp(scores - new_highest)
        total = total * shrink + exps.sum()
        mixed = mixed * shrink + exps @ values[start : start + 2]
        highest = new_highest
    return mixed / total


# %% wrong blockwise_row: whole-row
# chunk for split
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, 0.0
    for k, v in zip(keys.chunk(block_size), values.chunk(block_size)):
        z = k @ query / query.shape[0] ** 0.5
        new = torch.maximum(m, z.max())
        p = torch.exp(z - new)
        s = s * torch.exp(m - new) + p.sum()
        o = o * torch.exp(m - new) + p @ v
        m = new
    return o / s


# %% wrong blockwise_row: whole-row
# the whole row, cut afterwards
def my_blockwise_row(query, keys, values, block_size):
    scores = keys @ query / query.shape[0] ** 0.5
    m, s, o = torch.tensor(-torch.inf), 0.0, 0.0
    for z, v in zip(scores.split(block_size), values.split(block_size)):
        new = torch.maximum(m, z.max())
        p = torch.exp(z - new)
        s = s * torch.exp(m - new) + p.sum()
        o = o * torch.exp(m - new) + p @ v
        m = new
    return o / s


# %% wrong blockwise_row: whole-row
# blocks gathered and joined
def my_blockwise_row(query, keys, values, block_size):
    parts = []
    for start in range(0, len(keys), block_size):
        parts.append(keys[start:start + block_size] @ query / query.shape[-1] ** 0.5)
    return torch.softmax(torch.cat(parts), dim=-1) @ values


# %% wrong blockwise_row: rows-gathered
# gathered in a list, never joined
def my_blockwise_row(query, keys, values, block_size):
    parts = [k @ query / query.shape[-1] ** 0.5 for k in keys.split(block_size)]
    top = max(p.max() for p in parts)
    exps = [torch.exp(p - top) for p in parts]
    return sum(e @ v for e, v in zip(exps, values.split(block_size))) / sum(e.sum() for e in exps)


# %% wrong blockwise_row: mix-not-shrunk
# forgets to shrink the mix
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, torch.zeros(values.shape[1])
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query / query.shape[0] ** 0.5
        new = torch.maximum(m, z.max())
        p = torch.exp(z - new)
        s = s * torch.exp(m - new) + p.sum()
        o += p @ v
        m = new
    return o / s


# %% wrong blockwise_row: mean-of-blocks
# softmax in each block, weighted by the sum without maxima
def my_blockwise_row(query, keys, values, block_size):
    o, s = torch.zeros(values.shape[1]), 0.0
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query / query.shape[0] ** 0.5
        e = torch.exp(z - z.max())
        o += e @ v / e.sum()
        s += 1
    return o / s


# %% wrong blockwise_row: input-changed
# changes its input: values scaled in place
def my_blockwise_row(query, keys, values, block_size):
    query /= query.shape[-1] ** 0.5
    m, s, o = torch.tensor(-torch.inf), 0.0, torch.zeros(values.shape[1])
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query
        new = torch.maximum(m, z.max())
        p = torch.exp(z - new)
        s = s * torch.exp(m - new) + p.sum()
        o = o * torch.exp(m - new) + p @ v
        m = new
    return o / s


# %% wrong blockwise_row: first-block-only
# returns inside the loop
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, torch.zeros(values.shape[1])
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query / query.shape[0] ** 0.5
        new = torch.maximum(m, z.max())
        p = torch.exp(z - new)
        s = s * torch.exp(m - new) + p.sum()
        o = o * torch.exp(m - new) + p @ v
        m = new
        return o / s


# %% wrong blockwise_row: maximum-not-kept
# never updates m
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, torch.zeros(values.shape[1])
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query / query.shape[0] ** 0.5
        new = max(m, z.max())
        s = s * torch.exp(m - new) + torch.exp(z - new).sum()
        o = o * torch.exp(m - new) + torch.exp(z - new) @ v
    return o / s


# %% wrong blockwise_row: last-block-left-out
# range over whole blocks only
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, torch.zeros(values.shape[1])
    for i in range(len(keys) // block_size):
        k, v = keys[i * block_size:(i + 1) * block_size], values[i * block_size:(i + 1) * block_size]
        z = k @ query / query.shape[0] ** 0.5
        new = max(m, z.max())
        s = s * torch.exp(m - new) + torch.exp(z - new).sum()
        o = o * torch.exp(m - new) + torch.exp(z - new) @ v
        m = new
    return o / s


# %% wrong blockwise_row: - "`keys.view(-1, block_size, keys.shape[1])` stops: (7, 2) hol"
# view into blocks
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, torch.zeros(values.shape[1])
    for k, v in zip(keys.view(-1, block_size, keys.shape[1]), values.view(-1, block_size, values.shape[1])):
        z = k @ query / query.shape[0] ** 0.5
        new = max(m, z.max())
        s = s * torch.exp(m - new) + torch.exp(z - new).sum()
        o = o * torch.exp(m - new) + torch.exp(z - new) @ v
        m = new
    return o / s


# %% wrong blockwise_row: sum-not-shrunk + no-scale
# scale forgotten and sum not shrunk
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, torch.zeros(values.shape[1])
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query
        new = max(m, z.max())
        s = s + torch.exp(z - new).sum()
        o = o * torch.exp(m - new) + torch.exp(z - new) @ v
        m = new
    return o / s


# %% wrong blockwise_row: naive-overflow
# sum not shrunk, and mix adds softmax
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = 0.0, 0.0, 0.0
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query / query.shape[-1] ** 0.5
        s += torch.exp(z).sum()
        o += torch.exp(z) @ v
    return o / s


# %% wrong blockwise_row: - "`query @ k` stops: (4,) meets (2, 4). A product needs the la"
# query @ k
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, 0.0
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = query @ k / query.shape[-1] ** 0.5
        new = max(m, z.max())
        s = s * torch.exp(m - new) + torch.exp(z - new).sum()
        o = o * torch.exp(m - new) + torch.exp(z - new) @ v
        m = new
    return o / s


# %% wrong blockwise_row: maximum-undivided
# maximum of the scaled mix: forgets unscaled maximum
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, 0.0
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query / query.shape[-1] ** 0.5
        new = max(m, (k @ query).max())
        s = s * torch.exp(m - new) + torch.exp(z - new).sum()
        o = o * torch.exp(m - new) + torch.exp(z - new) @ v
        m = new
    return o / s


# %% wrong blockwise_row: divided-in-the-loop
# does not divide in the last step but normalises each block's exps by the total so far
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, torch.zeros(values.shape[-1])
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query / query.shape[-1] ** 0.5
        new = max(m, z.max())
        s = s * torch.exp(m - new) + torch.exp(z - new).sum()
        o = (o * torch.exp(m - new) + torch.exp(z - new) @ v) / s
        m = new
    return o


# %% right preallocated_step
# slices, and a generator
def my_preallocated_step(heads, token, cache):
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys, values, n = cache
    keys[:, :, n:n + 1] = k
    values[:, :, n:n + 1] = v
    out, _ = attention.scaled_dot_product_attention(q, keys[:, :, :n + 1], values[:, :, :n + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, n + 1)


# %% right preallocated_step
# index_copy_, narrow
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


# %% right preallocated_step
# the whole room under a mask, as static caches do
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[..., past, :], values[..., past, :] = k.squeeze(-2), v.squeeze(-2)
    mask = torch.arange(keys.shape[-2]) <= past
    out = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask[None, None, None])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


# %% right preallocated_step
# no_grad and copy_
@torch.no_grad()
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    for room, layer in ((keys, heads.W_key), (values, heads.W_value)):
        room.select(2, past).copy_(layer(token).view(len(token), heads.num_heads, -1))
    q = attention.split_heads(heads.W_query(token), heads.num_heads)
    past += 1
    out = F.scaled_dot_product_attention(q, keys[:, :, :past], values[:, :, :past])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past)


# %% wrong preallocated_step: cache-missing
# my_cached_step once more
def my_preallocated_step(heads, token, cache):
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys = attention.split_heads(heads.W_key(token), heads.num_heads)
    values = attention.split_heads(heads.W_value(token), heads.num_heads)
    if cache is not None:
        keys = torch.cat([cache[0], keys], dim=-2)
        values = torch.cat([cache[1], values], dim=-2)
    context_vec = F.scaled_dot_product_attention(query, keys, values)
    return heads.out_proj(attention.merge_heads(context_vec)), (keys, values)


# %% wrong preallocated_step: room-copied
# cat with the rest of the room
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys = torch.cat([keys[:, :, :past], k, keys[:, :, past + 1:]], dim=2)
    values = torch.cat([values[:, :, :past], v, values[:, :, past + 1:]], dim=2)
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


# %% wrong preallocated_step: self-excluded
# attends up to past, without itself
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past], values[:, :, :past])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


# %% wrong preallocated_step: whole-room
# attends to the whole room
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys, values)
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


# %% wrong preallocated_step: past-not-counted
# past += 1 forgotten
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past)


# %% wrong preallocated_step: wrong-axis
# heads axis forgotten
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, past], values[:, past] = k, v
    out = F.scaled_dot_product_attention(q, keys[:, :past + 1], values[:, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


# %% wrong preallocated_step: axis-too-many
# no squeeze
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past] = k
    values[:, :, past] = v
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


# %% wrong preallocated_step: tuple-changed
# assigns the tuple
def my_preallocated_step(heads, token, cache):
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    past = cache[2]
    cache[0][:, :, past], cache[1][:, :, past] = k[:, :, 0], v[:, :, 0]
    cache[2] += 1
    out = F.scaled_dot_product_attention(q, cache[0][:, :, :past + 1], cache[1][:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), cache


# %% wrong preallocated_step: causal-top-left
# is_causal
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1], is_causal=True)
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


# %% wrong preallocated_step: features-dealt-out
# split by view
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    b = token.shape[0]
    keys[:, :, past] = heads.W_key(token).view(b, -1, heads.num_heads).transpose(1, 2)
    values[:, :, past] = heads.W_value(token).view(b, -1, heads.num_heads).transpose(1, 2)
    q = attention.split_heads(heads.W_query(token), heads.num_heads)
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


# %% wrong preallocated_step: self-excluded
# mask the wrong way
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    mask = torch.arange(keys.shape[2]) < past
    out = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask[None])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


# %% wrong preallocated_step: room-made-anew
# makes room itself every time
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys, values = torch.zeros_like(keys), torch.zeros_like(values)
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


# %% wrong preallocated_step: kv-swapped
# the key is right, the query is written instead of the value
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = v[:, :, 0], k[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


# %% wrong preallocated_step: newest-only + room-copied
# calls the module on the token
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    out, _ = heads(token)
    return out, (keys, values, past + 1)


# %% wrong preallocated_step: past-elsewhere
# past on the module
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    past = getattr(heads, "past", 0)
    heads.past = past + 1
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


# %% wrong preallocated_step: token-axis-lost
# returns the context without axis
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = (attention.split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    keys[:, :, past], values[:, :, past] = k[:, :, 0], v[:, :, 0]
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(attention.merge_heads(out))[:, 0], (keys, values, past + 1)


# %% wrong preallocated_step: unsplit
# multiplies keys without split
def my_preallocated_step(heads, token, cache):
    keys, values, past = cache
    q, k, v = heads.W_query(token), heads.W_key(token), heads.W_value(token)
    keys[:, :, past], values[:, :, past] = k, v
    out = F.scaled_dot_product_attention(q, keys[:, :, :past + 1], values[:, :, :past + 1])
    return heads.out_proj(out), (keys, values, past + 1)


# %% right cache_bytes
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return layers * num_tokens * (key_heads * head_dim * bytes_each + key_heads * head_dim * bytes_each)


# %% right cache_bytes
# counts a real cache on the meta device
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * math.prod([layers, key_heads, head_dim, num_tokens, bytes_each])


# %% right cache_bytes
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    total = 0
    for layer in range(layers):
        for part in ("keys", "values"):
            total += num_tokens * key_heads * head_dim
    return total * bytes_each


# %% right cache_bytes
# a tensor
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return torch.tensor([2, layers, key_heads, head_dim, num_tokens, bytes_each]).prod()


# %% wrong cache_bytes: values-uncounted
# keys only
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return layers * key_heads * head_dim * num_tokens * bytes_each


# %% wrong cache_bytes: one-layer-half
# forgot layers and two
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return key_heads * head_dim * num_tokens * bytes_each


# %% wrong cache_bytes: gigabytes
# gigabytes
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * layers * key_heads * head_dim * num_tokens * bytes_each / 1e9


# %% wrong cache_bytes: - "The text `240` came back where a number is asked for: return"
# formatted
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return f"{2 * layers * key_heads * head_dim * num_tokens * bytes_each:,}"


# %% wrong cache_bytes: tokens-squared
# the table of weights instead
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return layers * key_heads * num_tokens ** 2 * bytes_each


# %% wrong cache_bytes: queries-uncounted
# queries too
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 3 * layers * key_heads * head_dim * num_tokens * bytes_each


# %% wrong cache_bytes: bits-counted
# bits
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * layers * key_heads * head_dim * num_tokens * bytes_each * 8


# %% wrong cache_bytes: one-head
# width of model split over heads
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * layers * head_dim * num_tokens * bytes_each


# %% wrong cache_bytes: pair-squared
# sum of two wrong
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    keys = layers * key_heads * head_dim * num_tokens
    values = keys
    return keys * values * bytes_each


# %% wrong cache_bytes: one-token
# per token
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    per_token = 2 * layers * key_heads * head_dim * bytes_each
    return per_token


# %% wrong cache_bytes: - "`(48, 240)` came back. One number is asked for: the bytes of"
# per token and total
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    per_token = 2 * layers * key_heads * head_dim * bytes_each
    return per_token, per_token * num_tokens


# %% wrong cache_bytes: one-off
# the past without the newest
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * layers * key_heads * head_dim * (num_tokens - 1) * bytes_each


# %% wrong cache_bytes: float-size
# float
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2.0 * layers * key_heads * head_dim * num_tokens * bytes_each


# %% wrong cache_bytes: bytes-fixed
# 4 bytes, squared two
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * layers * key_heads * head_dim * num_tokens * 4


# %% wrong cache_bytes: added
# keys + values precedence
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return layers * (key_heads * head_dim + key_heads * head_dim * num_tokens) * bytes_each


# %% wrong cache_bytes: tokens-squared
# the weights grow: triangular
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * layers * key_heads * head_dim * sum(range(num_tokens + 1)) * bytes_each


# %% right gqa
# einsum over groups
def my_gqa(queries, keys, values):
    b, h, t, d = queries.shape
    kh = keys.shape[1]
    q = queries.reshape(b, kh, h // kh, t, d)
    s = torch.einsum("bgrqd,bgkd->bgrqk", q, keys) / math.sqrt(d)
    s = s.masked_fill(torch.ones(t, t, dtype=torch.bool).triu(1), float("-inf"))
    w = s.softmax(-1)
    c = torch.einsum("bgrqk,bgkd->bgrqd", w, values)
    return c.reshape(b, h, t, -1), w.reshape(b, h, t, t)


# %% right gqa
# a loop over heads
def my_gqa(queries, keys, values):
    group = queries.size(1) // keys.size(1)
    mask = causal_mask(queries.size(2))
    outs, ws = [], []
    for head in range(queries.size(1)):
        s = queries[:, head] @ keys[:, head // group].transpose(1, 2) / queries.size(-1) ** 0.5
        w = torch.softmax(s.masked_fill(~mask, -torch.inf), dim=-1)
        ws.append(w)
        outs.append(w @ values[:, head // group])
    return torch.stack(outs, 1), torch.stack(ws, 1)


# %% right gqa
# expand and reshape, as transformers' repeat_kv does
def repeat_kv(x, n):
    b, kh, t, d = x.shape
    return x[:, :, None].expand(b, kh, n, t, d).reshape(b, kh * n, t, d)

def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = repeat_kv(keys, n), repeat_kv(values, n)
    scores = queries @ k.transpose(2, 3) * queries.shape[-1] ** -0.5
    scores = scores + torch.full((queries.shape[2],) * 2, -torch.inf).triu(1)
    weights = F.softmax(scores, dim=-1)
    return weights @ v, weights


# %% right gqa
# enable_gqa for the context, weights by identity values
def my_gqa(queries, keys, values):
    eye = torch.eye(keys.shape[2], dtype=keys.dtype).expand(*keys.shape[:2], -1, -1)
    context = F.scaled_dot_product_attention(queries, keys, values, is_causal=True, enable_gqa=True)
    weights = F.scaled_dot_product_attention(queries, keys, eye, is_causal=True, enable_gqa=True)
    return context, weights


# %% wrong gqa: heads-take-turns
# repeat
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat(1, n, 1, 1), values.repeat(1, n, 1, 1)
    w = attention.softmax((queries @ k.mT / queries.shape[-1] ** 0.5).masked_fill(~causal_mask(k.shape[2]), -torch.inf))
    return w @ v, w


# %% wrong gqa: heads-take-turns
# modulo in a loop
def my_gqa(queries, keys, values):
    outs, ws = [], []
    for h in range(queries.shape[1]):
        g = h % keys.shape[1]
        c, w = attention.scaled_dot_product_attention(queries[:, h], keys[:, g], values[:, g], causal_mask(queries.shape[2]))
        outs.append(c)
        ws.append(w)
    return torch.stack(outs, dim=1), torch.stack(ws, dim=1)


# %% wrong gqa: head-by-key-heads
# head // key_heads
def my_gqa(queries, keys, values):
    outs, ws = [], []
    for h in range(queries.shape[1]):
        g = h // keys.shape[1]
        c, w = attention.scaled_dot_product_attention(queries[:, h], keys[:, g], values[:, g], causal_mask(queries.shape[2]))
        outs.append(c)
        ws.append(w)
    return torch.stack(outs, dim=1), torch.stack(ws, dim=1)


# %% wrong gqa: no-mask
# no mask
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
    return attention.scaled_dot_product_attention(queries, k, v)


# %% wrong gqa: weights-missing
# SDPA alone
def my_gqa(queries, keys, values):
    return F.scaled_dot_product_attention(queries, keys, values, is_causal=True, enable_gqa=True)


# %% wrong gqa: not-spread
# nothing spread
def my_gqa(queries, keys, values):
    return attention.scaled_dot_product_attention(queries, keys, values, causal_mask(queries.shape[-2]))


# %% wrong gqa: not-spread
# only keys spread
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    keys = keys.repeat_interleave(n, dim=1)
    w = attention.softmax((queries @ keys.mT / queries.shape[-1] ** 0.5).masked_fill(~causal_mask(keys.shape[2]), -torch.inf))
    return w @ values, w


# %% wrong gqa: not-spread
# group counted after keys were spread
def my_gqa(queries, keys, values):
    keys = keys.repeat_interleave(queries.shape[1] // keys.shape[1], dim=1)
    values = values.repeat_interleave(queries.shape[1] // keys.shape[1], dim=1)
    return attention.scaled_dot_product_attention(queries, keys, values, causal_mask(queries.shape[-2]))


# %% wrong gqa: no-scale
# not scaled
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
    w = torch.softmax((queries @ k.mT).masked_fill(~causal_mask(k.shape[2]), -torch.inf), dim=-1)
    return w @ v, w


# %% wrong gqa: heads-take-turns
# groups view the wrong way round
def my_gqa(queries, keys, values):
    b, h, t, d = queries.shape
    kh = keys.shape[1]
    q = queries.view(b, h // kh, kh, t, d)
    s = torch.einsum("brgqd,bgkd->brgqk", q, keys) / d ** 0.5
    w = s.masked_fill(~causal_mask(t), -torch.inf).softmax(-1)
    c = torch.einsum("brgqk,bgkd->brgqd", w, values)
    return c.flatten(1, 2), w.flatten(1, 2)


# %% wrong gqa: groups-kept
# results in groups
def my_gqa(queries, keys, values):
    b, h, t, d = queries.shape
    kh = keys.shape[1]
    q = queries.view(b, kh, h // kh, t, d)
    w = (q @ keys[:, :, None].mT / d ** 0.5).masked_fill(~causal_mask(t), -torch.inf).softmax(-1)
    return w @ values[:, :, None], w


# %% wrong gqa: heads-merged
# merges heads at the end
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    c, w = attention.scaled_dot_product_attention(queries, keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1), causal_mask(queries.shape[2]))
    return merge_heads(c), w


# %% wrong gqa: expand-only
# expand
def my_gqa(queries, keys, values):
    keys = keys.expand(-1, queries.shape[1], -1, -1)
    values = values.expand(-1, queries.shape[1], -1, -1)
    return attention.scaled_dot_product_attention(queries, keys, values, causal_mask(queries.shape[2]))


# %% wrong gqa: mask-after-softmax
# mask as is_causal-like multiplication after softmax
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
    w = torch.softmax(queries @ k.mT / k.shape[-1] ** 0.5, dim=-1).tril()
    return w @ v, w


# %% wrong gqa: first-of-group
# cuts the queries
def my_gqa(queries, keys, values):
    queries = queries[:, : keys.shape[1]]
    return attention.scaled_dot_product_attention(queries, keys, values, causal_mask(queries.shape[2]))


# %% wrong gqa: cat-wrong-axis
# groups loop, cat on wrong axis
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    outs, ws = [], []
    for g in range(keys.shape[1]):
        c, w = attention.scaled_dot_product_attention(queries[:, g*n:(g+1)*n], keys[:, g:g+1], values[:, g:g+1], causal_mask(queries.shape[2]))
        outs.append(c); ws.append(w)
    return torch.cat(outs, -1), torch.cat(ws, -1)


# %% wrong gqa: groups-interchanged
# groups loop with stride
def my_gqa(queries, keys, values):
    kh = keys.shape[1]
    outs, ws = [], []
    for g in range(kh):
        c, w = attention.scaled_dot_product_attention(queries[:, g::kh], keys[:, g:g+1], values[:, g:g+1], causal_mask(queries.shape[2]))
        outs.append(c); ws.append(w)
    return torch.cat(outs, 1), torch.cat(ws, 1)


# %% wrong gqa: mask-off-by-one
# in-place mask on tensor with broadcasting wrong: triu without diagonal
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
    s = queries @ k.mT / k.shape[-1] ** 0.5
    s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(), -torch.inf)
    w = torch.softmax(s, dim=-1)
    return w @ v, w


# %% wrong gqa: spread-flat
# interleave without dim
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n), values.repeat_interleave(n)
    return attention.scaled_dot_product_attention(queries, k, v, causal_mask(queries.shape[2]))


# %% wrong gqa: weights-averaged
# softmax over dim=1 and averaged weights over group
def my_gqa(queries, keys, values):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
    c, w = attention.scaled_dot_product_attention(queries, k, v, causal_mask(queries.shape[2]))
    return c, w.unflatten(1, (-1, n)).mean(2)
