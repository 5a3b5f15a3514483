# %% right
def my_masked_weights(attn_scores, mask):
    return torch.nan_to_num(torch.softmax(torch.where(mask, attn_scores, -torch.inf), dim=-1), nan=0.0)

# %% right
def my_masked_weights(attn_scores, mask):
    M = torch.zeros(mask.shape, dtype=attn_scores.dtype).masked_fill(~mask, -torch.inf)
    return (attn_scores + M).softmax(-1).nan_to_num(nan=0.0)

# %% right
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(~mask, torch.finfo(attn_scores.dtype).min), dim=-1)
    return weights * mask.any(dim=-1, keepdim=True)

# %% right
def my_masked_weights(attn_scores, mask):
    num_keys = attn_scores.shape[-1]
    width = torch.eye(num_keys, dtype=attn_scores.dtype)
    return F.scaled_dot_product_attention(attn_scores, width, width, attn_mask=mask, scale=1.0)

# %% right
def my_masked_weights(attn_scores, mask):
    has_open = mask.any(dim=-1, keepdim=True)
    bias = torch.zeros(mask.shape, dtype=attn_scores.dtype).masked_fill(~(mask | ~has_open), -torch.inf)
    return F.softmax(attn_scores + bias, dim=-1) * has_open

# %% right
def my_masked_weights(attn_scores, mask):
    top = torch.where(mask, attn_scores, -torch.inf).amax(dim=-1, keepdim=True)
    exps = torch.where(mask, torch.exp(attn_scores - top), 0.0)
    total = exps.sum(dim=-1, keepdim=True)
    return exps / torch.where(total == 0, 1.0, total)

# %% right
def my_masked_weights(attn_scores, mask):
    highest = attn_scores.masked_fill(~mask, -torch.inf).amax(-1, keepdim=True).clamp(min=-1e30).detach()
    exps = torch.exp(torch.where(mask, attn_scores - highest, -torch.inf))
    return exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)

# %% right
def my_masked_weights(attn_scores, mask):
    mask = mask.expand(attn_scores.shape)
    low = attn_scores.masked_fill(~mask, -math.inf)
    top = torch.where(mask.any(-1, keepdim=True), low.amax(-1, keepdim=True), 0.0)
    exps = (low - top).exp()
    totals = exps.sum(-1, keepdim=True)
    return exps / torch.where(totals == 0, 1.0, totals)

# %% right
def my_masked_weights(attn_scores, mask):
    mask = mask.expand(attn_scores.shape)
    hidden = torch.where(mask, attn_scores, torch.full_like(attn_scores, -torch.inf))
    top = hidden.amax(dim=-1, keepdim=True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    exps = torch.exp(hidden - top)
    return exps / exps.sum(dim=-1, keepdim=True).clamp(min=1e-30)

# %% right
def my_masked_weights(attn_scores, mask):
    rows = attn_scores.reshape(-1, attn_scores.shape[-1])
    opens = mask.expand_as(attn_scores).reshape(-1, attn_scores.shape[-1])
    result = torch.zeros_like(rows)
    for i in range(rows.shape[0]):
        if opens[i].any():
            result[i, opens[i]] = torch.softmax(rows[i][opens[i]], dim=0)
    return result.reshape(attn_scores.shape)

# %% right
def my_masked_weights(attn_scores, mask):
    mask, rows = mask.expand_as(attn_scores).flatten(0, -2), []
    for scores, is_open in zip(attn_scores.flatten(0, -2), mask, strict=True):
        row = torch.zeros_like(scores)
        if is_open.any():
            row = row.masked_scatter(is_open, torch.softmax(scores[is_open], dim=0))
        rows.append(row)
    return torch.stack(rows).view(attn_scores.shape)

# %% right
def my_masked_weights(attn_scores, mask):
    num_keys = attn_scores.shape[-1]
    all_scores = attn_scores.reshape(-1, num_keys)
    all_masks = mask.expand(attn_scores.shape).reshape(-1, num_keys)
    out = torch.zeros_like(all_scores)
    for r, (row, open_keys) in enumerate(zip(all_scores, all_masks)):
        if open_keys.any():
            out[r, open_keys] = torch.softmax(row[open_keys], dim=0)
    return out.reshape(attn_scores.shape)

# %% wrong: - "In the weights, the first difference is at `[0, 0]`: it shou"
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1)
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)

# %% wrong: - "In the weights, the first difference is at `[1, 1, 0]`: it s"
def my_masked_weights(attn_scores, mask):
    extended_mask = (1.0 - mask.float()) * -10000.0
    attn_scores = attn_scores + extended_mask
    return nn.Softmax(dim=-1)(attn_scores)

# %% wrong: - "The weights should have the shape `(3, 4)`. Yours has `(1, 3"
def my_masked_weights(attn_scores, mask):
    return torch.softmax(attn_scores.masked_fill(~mask[None], -torch.inf), dim=-1)

# %% wrong: - "`scores[closed] = -torch.inf` stops: a mask of shape (3, 4) "
def my_masked_weights(attn_scores, mask):
    scores = attn_scores.clone()
    closed = torch.logical_not(mask)
    scores[closed] = -torch.inf
    weights = torch.softmax(scores, dim=-1)
    weights[torch.isnan(weights)] = 0.0
    return weights

# %% wrong: - "`scores[~mask] = -torch.inf` stops: a mask of shape (3, 4) p"
def my_masked_weights(attn_scores, mask):
    scores = attn_scores.clone()
    scores[~mask] = -torch.inf
    weights = torch.softmax(scores, dim=-1)
    weights[~mask] = 0.0
    return weights

# %% wrong: all-masked-nan
def my_masked_weights(attn_scores, mask):
    hidden = torch.where(mask, attn_scores, -torch.inf)
    return F.softmax(hidden, dim=-1)

# %% wrong: all-masked-uniform
def my_masked_weights(attn_scores, mask):
    return torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1)

# %% wrong: any-for-all
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(torch.where(mask, attn_scores, -torch.inf), dim=-1)
    complete = mask.all(dim=-1, keepdim=True)
    return weights.masked_fill(~complete, 0.0)

# %% wrong: clamped
def my_masked_weights(attn_scores, mask):
    s = attn_scores.clamp(-80, 80)
    e = torch.exp(s) * mask
    return e / e.sum(-1, keepdim=True).clamp(min=1e-30)

# %% wrong: empty-by-column
def my_masked_weights(attn_scores, mask):
    hidden = attn_scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(hidden, dim=-1)
    seen = mask.any(dim=-2, keepdim=True)
    return weights.masked_fill(~seen, 0.0)

# %% wrong: empty-by-table
def my_masked_weights(attn_scores, mask):
    if not mask.any():
        return torch.zeros_like(attn_scores)
    masked = attn_scores.masked_fill(~mask, -torch.inf)
    return masked.softmax(-1)

# %% wrong: finite-fill
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1)
    return weights * mask

# %% wrong: input-changed
def my_masked_weights(attn_scores, mask):
    attn_scores -= attn_scores.amax(dim=-1, keepdim=True)
    return attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))

# %% wrong: keepdim-missing
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(mask == False, -torch.inf), dim=-1)
    nothing_open = ~mask.any(dim=-1)
    return weights.masked_fill(nothing_open, 0.0)

# %% wrong: mask-after-softmax
def my_masked_weights(attn_scores, mask):
    return torch.softmax(attn_scores, dim=-1) * mask

# %% wrong: mask-in-place
def emptied(weights, mask):
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)
def my_masked_weights(attn_scores, mask):
    return emptied(torch.softmax(attn_scores.masked_fill_(~mask, -torch.inf), dim=-1), mask)

# %% wrong: mask-inverted
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(mask, -torch.inf), dim=-1)
    return weights.masked_fill(mask.all(dim=-1, keepdim=True), 0.0)

# %% wrong: mask-normalised
def my_masked_weights(attn_scores, mask):
    share = mask.to(attn_scores.dtype) / mask.sum(dim=-1, keepdim=True).clamp(min=1)
    return share.expand_as(attn_scores)

# %% wrong: mask-renormalised
def my_masked_weights(attn_scores, mask):
    erased = torch.softmax(attn_scores, dim=-1) * mask
    return erased / erased.sum(dim=-1, keepdim=True)

# %% wrong: mask-zero-fill
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(attn_scores * mask, dim=-1)
    return weights * mask

# %% wrong: naive-overflow
def my_masked_weights(attn_scores, mask):
    exps = torch.exp(attn_scores) * mask
    total = exps.sum(dim=-1, keepdim=True)
    total[total == 0] = 1.0
    return exps / total

# %% wrong: ready-made
my_masked_weights = lambda attn_scores, mask: attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))

# %% wrong: zero-hidden
def my_masked_weights(attn_scores, mask):
    gated = attn_scores * mask
    gated = gated.masked_fill(gated == 0, -torch.inf)
    weights = torch.softmax(gated, dim=-1)
    return torch.where(mask.any(dim=-1, keepdim=True), weights, 0.0)
