# %% right
def my_padded_softmax(scores, mask):
    scores = scores.masked_fill(~mask, -torch.inf)
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return torch.nan_to_num(exps / exps.sum(dim=-1, keepdim=True))

# %% right
def my_padded_softmax(scores, mask):
    closed = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    exps = torch.exp(closed - closed.max(dim=-1, keepdim=True).values) * mask
    return exps / exps.sum(dim=-1, keepdim=True).clamp_min(1e-30)

# %% right
def my_padded_softmax(scores, mask):
    lowest = torch.finfo(scores.dtype).min
    filled = torch.where(mask, scores, lowest)
    highest = filled.detach().amax(-1, keepdim=True)
    exps = torch.exp(filled - highest) * mask
    return exps / exps.sum(-1, keepdim=True).clamp(min=1.0)

# %% right
def my_padded_softmax(scores, mask):
    mask = mask.expand_as(scores)
    empty = ~mask.any(dim=-1, keepdim=True)
    safe = scores.masked_fill(~mask, -torch.inf).masked_fill(empty, 0.0)
    log_total = torch.logsumexp(safe, dim=-1, keepdim=True)
    return torch.exp(safe - log_total) * mask

# %% right
def my_padded_softmax(scores, mask):
    keep = mask.to(scores.dtype)
    lowest = torch.finfo(scores.dtype).min
    highest = torch.where(mask, scores, lowest).amax(dim=-1, keepdim=True).detach()
    difference = torch.where(mask, scores - highest, 0.0)
    exps = torch.exp(difference) * keep
    return exps / exps.sum(dim=-1, keepdim=True).clamp(min=0.5)

# %% right
def my_padded_softmax(scores, mask):
    scores, mask = torch.broadcast_tensors(scores, mask)
    has_any = mask.any(dim=-1, keepdim=True)
    safe = torch.where(mask, scores, torch.tensor(-torch.inf, dtype=scores.dtype))
    safe = torch.where(has_any, safe, torch.zeros_like(safe))
    exps = torch.exp(safe - safe.amax(dim=-1, keepdim=True).detach())
    return exps / exps.sum(dim=-1, keepdim=True) * has_any

# %% right
def my_padded_softmax(scores, mask):
    mask = mask.expand(scores.shape).reshape(-1, scores.shape[-1])
    rows = scores.reshape(-1, scores.shape[-1])
    weights = torch.zeros_like(rows)
    for i in range(len(rows)):
        if mask[i].any():
            kept = rows[i][mask[i]]
            exps = torch.exp(kept - kept.max())
            weights[i, mask[i]] = exps / exps.sum()
    return weights.view(scores.shape)

# %% right
def my_padded_softmax(scores, mask):
    open_cells = mask.expand(scores.shape).reshape(-1, scores.shape[-1])
    rows = []
    for row, may in zip(scores.reshape(-1, scores.shape[-1]), open_cells):
        weights = row.new_zeros(row.shape)
        if may.any():
            e = torch.exp(row[may] - row[may].max())
            weights[may] = e / e.sum()
        rows.append(weights)
    return torch.stack(rows).reshape(scores.shape)

# %% right
def my_padded_softmax(scores, mask):
    mask = mask.expand(scores.shape)
    rows = []
    for row, is_open in zip(scores.reshape(-1, scores.shape[-1]), mask.reshape(-1, scores.shape[-1])):
        if not is_open.any():
            rows.append(torch.zeros_like(row))
            continue
        row = row.masked_fill(~is_open, -torch.inf)
        e = torch.exp(row - row.max())
        rows.append(e / e.sum())
    return torch.stack(rows).reshape(scores.shape)

# %% right
def my_padded_softmax(scores, mask):
    table = scores.reshape(-1, scores.shape[-1])
    open_keys = mask.expand(scores.shape).reshape(table.shape)
    rows = []
    for row, is_open in zip(table, open_keys):
        weights = torch.zeros_like(row)
        if is_open.any():
            chosen = row[is_open]
            exps = torch.exp(chosen - chosen.max())
            weights = weights.masked_scatter(is_open, exps / exps.sum())
        rows.append(weights)
    return torch.stack(rows).reshape(scores.shape)

# %% right
def my_padded_softmax(scores, mask):
    scores, mask = torch.broadcast_tensors(scores, mask)
    rows = []
    for row, is_open in zip(scores.reshape(-1, scores.shape[-1]), mask.reshape(-1, scores.shape[-1])):
        weights = torch.zeros_like(row)
        if is_open.any():
            some = row[is_open]
            exps = torch.exp(some - some.max())
            weights = weights.index_put((is_open.nonzero()[:, 0],), exps / exps.sum())
        rows.append(weights)
    return torch.stack(rows).reshape(scores.shape)

# %% wrong: all-masked-nan
def my_padded_softmax(scores, mask):
    s = torch.where(mask, scores, torch.tensor(-torch.inf))
    top = s.amax(-1, keepdim=True)
    top = top.masked_fill(top == -torch.inf, 0.0)
    e = (s - top).exp()
    return e / e.sum(-1, keepdim=True)

# %% wrong: all-masked-uniform
def masked(scores, mask, fill=-torch.inf):
    return scores.masked_fill(~mask, fill)
def my_padded_softmax(scores, mask):
    return torch.softmax(masked(scores, mask, -1e9), dim=-1)

# %% wrong: detached
def my_padded_softmax(scores, mask):
    with torch.no_grad():
        s = scores.masked_fill(~mask, -torch.inf)
        exps = torch.exp(s - s.amax(-1, keepdim=True))
        weights = exps / exps.sum(-1, keepdim=True)
        return weights.nan_to_num(0.0)

# %% wrong: divided-by-count
def my_padded_softmax(scores, mask):
    closed = scores.masked_fill(~mask, -torch.inf)
    highest = closed.amax(dim=-1, keepdim=True)
    highest = torch.where(highest == -torch.inf, 0.0, highest)
    exps = torch.exp(closed - highest)
    return exps / mask.sum(dim=-1, keepdim=True).clamp(min=1)

# %% wrong: empty-whole
def my_padded_softmax(scores, mask):
    if not mask.any():
        return torch.zeros_like(scores)
    s = torch.where(mask, scores, torch.tensor(float("-inf")))
    s = s - s.max(-1, keepdim=True)[0]
    e = s.exp()
    return e / e.sum(-1, keepdim=True)

# %% wrong: global-max
def my_padded_softmax(scores, mask):
    scores = scores.masked_fill(~mask, -torch.inf)
    top = scores.max()
    if top == -torch.inf:
        top = torch.tensor(0.0)
    e = torch.exp(scores - top)
    s = e.sum(-1, keepdim=True)
    return e / torch.where(s == 0, 1.0, s)

# %% wrong: keepdim-missing
def my_padded_softmax(scores, mask):
    closed = scores.masked_fill(~mask, -torch.inf)
    row_max = closed.amax(dim=-1, keepdim=True)
    row_max = row_max.masked_fill(row_max == -torch.inf, 0.0)
    exps = torch.exp(closed - row_max)
    sums = exps.sum(dim=-1)
    sums = sums.masked_fill(sums == 0, 1.0)
    return exps / sums

# %% wrong: mask-after-softmax
def my_padded_softmax(scores, mask):
    return torch.softmax(scores, dim=-1) * mask

# %% wrong: mask-as-index
def my_padded_softmax(scores, mask):
    s = scores.clone()
    s[~mask] = -torch.inf
    m = s.max(-1, keepdim=True).values
    m = torch.where(m == -torch.inf, 0.0, m)
    numerator = torch.exp(s - m)
    denominator = numerator.sum(-1, keepdim=True)
    return numerator / denominator.masked_fill(denominator == 0, 1.0)

# %% wrong: mask-inverted
def my_padded_softmax(scores, mask):
    attn_scores = scores.masked_fill(mask, -torch.inf)
    highest = attn_scores.max(dim=-1, keepdim=True).values
    highest = highest.masked_fill(highest == -torch.inf, 0.0)
    exps = torch.exp(attn_scores - highest)
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)

# %% wrong: mask-normalised
def divided(exps):
    """Each row divided by its sum; an empty row stays 0."""
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)
def my_padded_softmax(scores, mask):
    return divided(mask.to(scores.dtype).expand_as(scores))

# %% wrong: mask-zero-fill
def my_padded_softmax(scores, mask):
    kept = scores * mask.float()
    kept = kept - kept.amax(dim=-1, keepdim=True)
    numerators = torch.exp(kept)
    return numerators.div(numerators.sum(dim=-1, keepdim=True))

# %% wrong: max-over-closed
def divided(exps):
    """Each row divided by its sum; an empty row stays 0."""
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)
def my_padded_softmax(scores, mask):
    return divided(torch.exp(scores - scores.amax(dim=-1, keepdim=True)) * mask)

# %% wrong: naive-overflow
def divided(exps):
    """Each row divided by its sum; an empty row stays 0."""
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)
def my_padded_softmax(scores, mask):
    return divided(torch.exp(scores) * mask)

# %% wrong: nan-gradient
def my_padded_softmax(scores, mask):
    closed = scores + torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    exps = torch.exp(closed - closed.max(dim=-1, keepdim=True).values)
    return torch.nan_to_num(exps / exps.sum(dim=-1, keepdim=True))

# %% wrong: ready-made
def my_padded_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1).nan_to_num(0.0)

# %% wrong: scores-cut-off
def my_padded_softmax(scores, mask):
    exps = torch.exp(scores.clamp(max=50.0)).masked_fill(~mask, 0.0)
    sums = exps.sum(dim=-1, keepdim=True)
    return exps / sums.masked_fill(sums == 0, 1.0)

# %% wrong: softmax-axis
def masked(scores, mask, fill=-torch.inf):
    return scores.masked_fill(~mask, fill)
def my_padded_softmax(scores, mask):
    return torch.softmax(masked(scores, mask), dim=1)
