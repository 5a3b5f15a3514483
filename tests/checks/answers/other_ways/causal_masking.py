# %% wrong additive_mask: square-only
def my_additive_mask(mask):
    return torch.zeros(len(mask), len(mask)).masked_fill(~mask, -torch.inf)

# %% wrong masked_weights: all-masked-uniform
def my_masked_weights(attn_scores, mask):
    return torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1)

# %% wrong masked_weights: mask-after-softmax
def my_masked_weights(attn_scores, mask):
    return torch.softmax(attn_scores, dim=-1) * mask

# %% wrong masked_weights: mask-renormalised
def my_masked_weights(attn_scores, mask):
    erased = torch.softmax(attn_scores, dim=-1) * mask
    total = erased.sum(dim=-1, keepdim=True)
    return erased / total.masked_fill(total == 0, 1.0)

# %% wrong masked_weights: mask-renormalised
def my_masked_weights(attn_scores, mask):
    erased = torch.softmax(attn_scores, dim=-1) * mask
    return erased / erased.sum(dim=-1, keepdim=True)

# %% wrong masked_weights: mask-normalised
def my_masked_weights(attn_scores, mask):
    share = mask.to(attn_scores.dtype) / mask.sum(dim=-1, keepdim=True).clamp(min=1)
    return share.expand_as(attn_scores)

# %% wrong masked_weights: mask-in-place
def emptied(weights, mask):
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)


def my_masked_weights(attn_scores, mask):
    return emptied(torch.softmax(attn_scores.masked_fill_(~mask, -torch.inf), dim=-1), mask)

# %% wrong who_sees: before-too-late
def my_who_sees(attend, inputs):
    return torch.zeros(len(inputs), len(inputs), dtype=torch.bool)
