# %% right
my_masked_attention = attention.scaled_dot_product_attention

# %% right
def my_masked_attention(queries, keys, values, mask):
    scores = (queries @ keys.mT / keys.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
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
    scores = (queries @ keys.mT / keys.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    top = scores.detach().amax(-1, keepdim=True).clamp(min=-1e30)
    exps = torch.exp(scores - top)
    sums = exps.sum(-1, keepdim=True)
    weights = exps / torch.where(sums > 0, sums, torch.ones_like(sums))
    return torch.matmul(weights, values), weights

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
