# %% right
def my_padded_softmax(scores, mask):
    scores = scores.masked_fill(~mask, -torch.inf)
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return torch.nan_to_num(exps / exps.sum(dim=-1, keepdim=True))

# %% right
def my_padded_softmax(scores, mask):
    lowest = torch.finfo(scores.dtype).min
    filled = torch.where(mask, scores, lowest)
    highest = filled.detach().amax(-1, keepdim=True)
    exps = torch.exp(filled - highest) * mask
    return exps / exps.sum(-1, keepdim=True).clamp(min=1.0)

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

# %% wrong: mask-after-softmax
def my_padded_softmax(scores, mask):
    return torch.softmax(scores, dim=-1) * mask
