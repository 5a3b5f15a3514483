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
    blocks = [slice(start, start + block_size) for start in range(0, len(keys), block_size)]
    highest = max((keys[block] @ query).max() for block in blocks)
    total, mixed = 0, torch.zeros(values.shape[1])
    for block in blocks:
        exps = torch.exp((keys[block] @ query - highest) / query.shape[0] ** 0.5)
        total, mixed = total + exps.sum(), mixed + exps @ values[block]
    return mixed / total

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
