# %% right
def my_masked_weights(attn_scores, mask):
    return torch.nan_to_num(torch.softmax(torch.where(mask, attn_scores, -torch.inf), dim=-1), nan=0.0)

# %% right
def my_masked_weights(attn_scores, mask):
    num_keys = attn_scores.shape[-1]
    width = torch.eye(num_keys, dtype=attn_scores.dtype)
    return F.scaled_dot_product_attention(attn_scores, width, width, attn_mask=mask, scale=1.0)

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
    mask, rows = mask.expand_as(attn_scores).flatten(0, -2), []
    for scores, is_open in zip(attn_scores.flatten(0, -2), mask, strict=True):
        row = torch.zeros_like(scores)
        if is_open.any():
            row = row.masked_scatter(is_open, torch.softmax(scores[is_open], dim=0))
        rows.append(row)
    return torch.stack(rows).view(attn_scores.shape)

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

# %% wrong: input-changed
def my_masked_weights(attn_scores, mask):
    attn_scores -= attn_scores.amax(dim=-1, keepdim=True)
    return attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
