# %% right
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

# %% right
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

# %% right
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

# %% right
def my_blockwise_row(query, keys, values, block_size):
    blocks = [slice(start, start + block_size) for start in range(0, len(keys), block_size)]
    highest = max((keys[block] @ query).max() for block in blocks)
    total, mixed = 0, torch.zeros(values.shape[1])
    for block in blocks:
        exps = torch.exp((keys[block] @ query - highest) / query.shape[0] ** 0.5)
        total, mixed = total + exps.sum(), mixed + exps @ values[block]
    return mixed / total

# %% right
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

# %% right
def my_blockwise_row(query, keys, values, block_size):
    highest, total, mixed = torch.tensor(-torch.inf), torch.tensor(0.0), torch.zeros(values.shape[1])
    for key, value in zip(keys, values, strict=True):
        score = torch.dot(query, key) / len(query) ** 0.5
        if score > highest:
            shrink, highest = torch.exp(highest - score), score
            total, mixed = total * shrink, mixed * shrink
        weight = torch.exp(score - highest)
        total, mixed = total + weight, mixed + weight * value
    return mixed / total

# %% right
def my_blockwise_row(query, keys, values, block_size):
    """Each block gives three numbers of its own, and these are joined at the end, as where blocks run side by side."""
    parts = []
    for start in range(0, len(keys), block_size):
        scores = torch.einsum("d,kd->k", query, keys[start : start + block_size]) / len(query) ** 0.5
        exps = torch.exp(scores - scores.max())
        parts.append((scores.max(), exps.sum(), exps @ values[start : start + block_size]))
    highest, totals, mixes = map(torch.stack, zip(*parts, strict=True))
    shares = torch.exp(highest - highest.max())
    return (shares @ mixes) / (shares @ totals)

# %% right
def my_blockwise_row(query, keys, values, block_size):
    """The logarithm of the sum is kept, and the mix is divided by the sum all the time."""
    log_total, context_vec, start = torch.tensor(-torch.inf), torch.zeros(values.size(1)), 0
    while start < keys.size(0):
        scores = keys[start : start + block_size].mv(query) * query.size(0) ** -0.5
        new = torch.logaddexp(log_total, torch.logsumexp(scores, 0))
        context_vec = context_vec * torch.exp(log_total - new)
        context_vec = context_vec + torch.exp(scores - new) @ values[start : start + block_size]
        log_total, start = new, start + block_size
    return context_vec

# %% wrong: - "`keys.view(-1, block_size, keys.shape[1])` stops: (7, 2) hol"
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, torch.zeros(values.shape[1])
    for k, v in zip(keys.view(-1, block_size, keys.shape[1]), values.view(-1, block_size, values.shape[1])):
        z = k @ query / query.shape[0] ** 0.5
        new = max(m, z.max())
        s = s * torch.exp(m - new) + torch.exp(z - new).sum()
        o = o * torch.exp(m - new) + torch.exp(z - new) @ v
        m = new
    return o / s

# %% wrong: - "`mixed * shrink + exps @ values[start : start + 2]` stops: ("
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

# %% wrong: - "`query @ k` stops: (4,) meets (2, 4). A product needs the la"
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, 0.0
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = query @ k / query.shape[-1] ** 0.5
        new = max(m, z.max())
        s = s * torch.exp(m - new) + torch.exp(z - new).sum()
        o = o * torch.exp(m - new) + torch.exp(z - new) @ v
        m = new
    return o / s

# %% wrong: divided-by-count
def my_blockwise_row(query, keys, values, block_size):
    highest, mixed = torch.tensor(-torch.inf), torch.zeros(values.shape[1])
    for start in range(0, len(keys), block_size):
        block = slice(start, start + block_size)
        scores = keys[block] @ query / len(query) ** 0.5
        new_highest = torch.maximum(highest, scores.max())
        mixed = mixed * torch.exp(highest - new_highest) + torch.exp(scores - new_highest) @ values[block]
        highest = new_highest
    return mixed / len(keys)

# %% wrong: divided-in-the-loop
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, torch.zeros(values.shape[-1])
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query / query.shape[-1] ** 0.5
        new = max(m, z.max())
        s = s * torch.exp(m - new) + torch.exp(z - new).sum()
        o = (o * torch.exp(m - new) + torch.exp(z - new) @ v) / s
        m = new
    return o

# %% wrong: first-block-only
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

# %% wrong: input-changed
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

# %% wrong: last-block-left-out
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

# %% wrong: maximum-not-kept
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, torch.zeros(values.shape[1])
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query / query.shape[0] ** 0.5
        new = max(m, z.max())
        s = s * torch.exp(m - new) + torch.exp(z - new).sum()
        o = o * torch.exp(m - new) + torch.exp(z - new) @ v
    return o / s

# %% wrong: maximum-undivided
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, 0.0
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query / query.shape[-1] ** 0.5
        new = max(m, (k @ query).max())
        s = s * torch.exp(m - new) + torch.exp(z - new).sum()
        o = o * torch.exp(m - new) + torch.exp(z - new) @ v
        m = new
    return o / s

# %% wrong: mean-of-blocks
def my_blockwise_row(query, keys, values, block_size):
    o, s = torch.zeros(values.shape[1]), 0.0
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query / query.shape[0] ** 0.5
        e = torch.exp(z - z.max())
        o += e @ v / e.sum()
        s += 1
    return o / s

# %% wrong: mix-not-shrunk
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

# %% wrong: naive-overflow
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = 0.0, 0.0, 0.0
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query / query.shape[-1] ** 0.5
        s += torch.exp(z).sum()
        o += torch.exp(z) @ v
    return o / s

# %% wrong: nothing-shrinks
def my_blockwise_row(query, keys, values, block_size):
    highest, total, mixed = torch.tensor(-torch.inf), torch.tensor(0.0), torch.zeros(values.shape[1])
    for start in range(0, len(keys), block_size):
        block = slice(start, start + block_size)
        scores = keys[block] @ query / len(query) ** 0.5
        highest = torch.maximum(highest, scores.max())
        shrink = torch.exp(scores.max() - highest)
        exps = torch.exp(scores - highest)
        total = total * shrink + exps.sum()
        mixed = mixed * shrink + exps @ values[block]
    return mixed / total

# %% wrong: rows-gathered
def my_blockwise_row(query, keys, values, block_size):
    parts = [k @ query / query.shape[-1] ** 0.5 for k in keys.split(block_size)]
    top = max(p.max() for p in parts)
    exps = [torch.exp(p - top) for p in parts]
    return sum(e @ v for e, v in zip(exps, values.split(block_size))) / sum(e.sum() for e in exps)

# %% wrong: sum-not-shrunk + no-scale
def my_blockwise_row(query, keys, values, block_size):
    m, s, o = torch.tensor(-torch.inf), 0.0, torch.zeros(values.shape[1])
    for k, v in zip(keys.split(block_size), values.split(block_size)):
        z = k @ query
        new = max(m, z.max())
        s = s + torch.exp(z - new).sum()
        o = o * torch.exp(m - new) + torch.exp(z - new) @ v
        m = new
    return o / s

# %% wrong: whole-row
my_blockwise_row = lambda query, keys, values, block_size: F.scaled_dot_product_attention(query[None], keys, values)[0]
