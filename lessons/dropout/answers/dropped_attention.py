# %% right
def _weights(queries, keys, mask):
    root = queries.shape[-1] ** 0.25
    scores = (queries / root) @ (keys / root).mT
    return torch.softmax(scores + mask.to(scores.dtype).log(), dim=-1)
def my_dropped_attention(queries, keys, values, mask, drop):
    applied = drop(_weights(queries, keys, mask))
    return applied @ values, applied

# %% right
def my_dropped_attention(queries, keys, values, mask, drop):
    scale = 1 / math.sqrt(queries.shape[-1])
    scores = torch.einsum("...id,...jd->...ij", queries, keys).mul(scale)
    shares = torch.where(mask, scores, torch.tensor(-torch.inf, dtype=scores.dtype)).softmax(dim=-1)
    shares = torch.nan_to_num(shares, nan=0.0)
    shares = drop(shares)
    return torch.einsum("...ij,...jv->...iv", shares, values), shares

# %% right
def my_dropped_attention(queries, keys, values, mask, drop):
    rows, mask = [], mask.expand(*mask.shape[:-2], queries.shape[-2], -1)
    for query, seen in zip(queries.unbind(-2), mask.unbind(-2), strict=True):
        scores = (keys * query.unsqueeze(-2)).sum(-1) / keys.shape[-1] ** 0.5
        rows.append(scores.masked_fill(~seen, -torch.inf).softmax(-1))
    attn_weights = drop(torch.stack(rows, dim=-2))
    return attn_weights @ values, attn_weights

# %% right
def open_or_closed(mask, like):
    extra = torch.zeros(mask.shape, dtype=like.dtype)
    extra[~mask] = float("-inf")
    return extra
def my_dropped_attention(queries, keys, values, mask, drop):
    q = queries.unsqueeze(-2)  # (..., num_queries, 1, head_dim)
    k = keys.unsqueeze(-3)  # (..., 1, num_keys, head_dim)
    scores = (q * k).sum(-1) / q.shape[-1] ** 0.5
    kept = drop(torch.softmax(scores + open_or_closed(mask, queries), -1))
    return kept.matmul(values), kept

# %% wrong: - "`drop(weights, 0.5)` stops: `drop` takes 1 argument. It is h"
def my_dropped_attention(queries, keys, values, mask, drop):
    d_k = queries.shape[-1]
    scores = queries @ keys.transpose(-1, -2)
    scores = scores / d_k**0.5
    scores[~mask.expand(scores.shape)] = -torch.inf
    weights = torch.softmax(scores, dim=-1)
    weights = drop(weights, 0.5)
    return weights @ values, weights
