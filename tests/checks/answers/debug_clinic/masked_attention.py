# %% right
my_masked_attention = attention.scaled_dot_product_attention

# %% right
def my_masked_attention(queries, keys, values, mask):
    scores = (queries @ keys.mT / keys.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
    return weights @ values, weights

# %% right
def my_masked_attention(queries, keys, values, mask):
    scores = (queries @ keys.mT / keys.shape[-1] ** 0.5).masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1) * mask.any(dim=-1, keepdim=True)
    return weights @ values, weights

# %% right
def my_masked_attention(queries, keys, values, mask):
    exps = torch.exp(queries @ keys.mT / keys.shape[-1] ** 0.5) * mask
    totals = exps.sum(dim=-1, keepdim=True)
    weights = exps / torch.where(totals == 0, 1.0, totals)
    return weights @ values, weights

# %% right
def my_masked_attention(queries, keys, values, mask):
    anything = mask.any(dim=-1, keepdim=True)
    scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
    weights = scores.masked_fill(~mask & anything, -math.inf).softmax(dim=-1)
    weights = torch.where(mask, weights, torch.zeros_like(weights))
    return weights @ values, weights

# %% right
def my_masked_attention(queries, keys, values, mask):
    root = queries.shape[-1] ** 0.5
    scores = torch.where(mask, torch.matmul(queries, keys.mT) / root, torch.finfo(queries.dtype).min)
    weights = torch.where(mask, scores.softmax(dim=-1), 0.0)
    context = torch.einsum("...qk,...kd->...qd", weights, values)
    return context, weights

# %% right
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    empty = ~mask.any(dim=-1, keepdim=True)
    attn_weights = attn_scores.masked_fill(~(mask | empty), -torch.inf).softmax(dim=-1)
    attn_weights = torch.where(mask, attn_weights, 0.0)
    return attn_weights @ values, attn_weights

# %% right
def my_masked_attention(queries, keys, values, mask):
    closed = ~mask.any(dim=-1, keepdim=True)
    raw = torch.matmul(queries * queries.shape[-1] ** -0.5, keys.mT)
    safe = torch.where(mask | closed, raw, torch.full_like(raw, -math.inf))
    attn_weights = torch.where(closed, torch.zeros_like(raw), F.softmax(safe, dim=-1))
    return attn_weights.matmul(values), attn_weights

# %% right
def my_masked_attention(queries, keys, values, mask):
    scores = (queries @ keys.mT / keys.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    top = scores.detach().amax(-1, keepdim=True).clamp(min=-1e30)
    exps = torch.exp(scores - top)
    sums = exps.sum(-1, keepdim=True)
    weights = exps / torch.where(sums > 0, sums, torch.ones_like(sums))
    return torch.matmul(weights, values), weights

# %% right
def my_masked_attention(queries, keys, values, mask):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) * keys.shape[-1] ** -0.5
    lowest = torch.finfo(scores.dtype).min
    scores = scores.masked_fill(~mask, lowest)
    top = scores.detach().amax(dim=-1, keepdim=True)
    exps = (scores - top).exp().masked_fill(~mask, 0.0)
    total = exps.sum(-1, keepdim=True)
    weights = exps / (total + (total == 0))
    return weights @ values, weights

# %% wrong: - "In your attn weights, all is right but for places that shoul"
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_scores = attn_scores.masked_fill(~mask, torch.finfo(attn_scores.dtype).min)
    nobody = ~mask.any(dim=-2, keepdim=True)
    attn_weights = torch.softmax(attn_scores, dim=-1).masked_fill(nobody, 0.0)
    return attn_weights @ values, attn_weights

# %% wrong: - "`attn_weights[~mask.any(dim=-1)] = 0.0` stops: a mask of sha"
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    attn_weights = attn_weights.clone()
    attn_weights[~mask.any(dim=-1)] = 0.0
    return attn_weights @ values, attn_weights

# %% wrong: all-for-any
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1)
    attn_weights = attn_weights * mask.all(dim=-1, keepdim=True)
    return attn_weights @ values, attn_weights

# %% wrong: all-masked-nan
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    attn_weights = attn_weights * mask
    return attn_weights @ values, attn_weights

# %% wrong: all-masked-uniform
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong: columns-asked
def my_masked_attention(queries, keys, values, mask):
    nobody = ~mask.any(dim=-2, keepdim=True)
    attn_scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(keys.shape[-1])
    attn_weights = attn_scores.masked_fill(~mask, -torch.inf).softmax(dim=-1).masked_fill(nobody, 0.0)
    return attn_weights @ values, attn_weights

# %% wrong: detached
def my_masked_attention(queries, keys, values, mask):
    with torch.no_grad():
        attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
        attn_scores = torch.where(mask, attn_scores, -torch.inf)
        attn_weights = attention.softmax(attn_scores)
    return attn_weights @ values, attn_weights

# %% wrong: empty-weights-left
def my_masked_attention(queries, keys, values, mask):
    empty = ~mask.any(dim=-1, keepdim=True)
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~(mask | empty), -torch.inf), dim=-1)
    context_vecs = (attn_weights @ values).masked_fill(empty, 0.0)
    return context_vecs, attn_weights

# %% wrong: empty-whole
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    if not mask.any():
        attn_weights = torch.zeros_like(attn_scores)
    else:
        attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong: first-key-opened
def my_masked_attention(queries, keys, values, mask):
    empty = ~mask.any(dim=-1, keepdim=True)
    first = torch.arange(keys.shape[-2]) == 0
    mask = mask | (empty & first)
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong: itself-opened
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = mask | torch.eye(queries.shape[-2], keys.shape[-2], dtype=torch.bool)
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong: mask-after-softmax
def my_masked_attention(queries, keys, values, mask):
    weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    weights = weights.masked_fill(~mask, 0.0)
    return weights @ values, weights

# %% wrong: mask-as-index
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_scores[~mask] = -torch.inf
    attn_weights = attention.softmax(attn_scores)
    return attn_weights @ values, attn_weights

# %% wrong: mask-inverted
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = attention.softmax(attn_scores.masked_fill(mask, -torch.inf))
    return attn_weights @ values, attn_weights

# %% wrong: mask-row-by-row
def my_masked_attention(queries, keys, values, mask):
    scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    for b in range(mask.shape[0]):
        for i in range(mask.shape[1]):
            if not mask[b, i].any():
                weights[b, i] = 0
    return weights @ values, weights

# %% wrong: mask-zero-fill
def my_masked_attention(queries, keys, values, mask):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(keys.shape[-1])
    scores = scores * mask
    weights = attention.softmax(scores)
    return weights @ values, weights

# %% wrong: nan-gradient
def my_masked_attention(queries, keys, values, mask):
    d = queries.shape[-1]
    scores = torch.where(mask, queries @ keys.mT / d**0.5, -torch.inf)
    weights = F.softmax(scores, dim=-1)
    vecs = weights @ values
    return torch.nan_to_num(vecs), torch.nan_to_num(weights)

# %% wrong: nan-in-weights
def my_masked_attention(queries, keys, values, mask):
    scores = (queries @ keys.mT / keys.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(weights @ values), weights

# %% wrong: repair-in-place
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = mask.expand_as(attn_scores)
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    attn_weights[~mask.any(dim=-1)] = 0.0
    return attn_weights @ values, attn_weights
