# %% right
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = (queries / queries.shape[-1] ** 0.5) @ keys.mT
    attn_weights = drop(torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1))
    return torch.matmul(attn_weights, values), attn_weights

# %% right
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = torch.einsum("...id,...jd->...ij", queries / queries.size(-1) ** 0.5, keys)
    applied = drop(torch.softmax(scores + mask.to(scores.dtype).log(), -1))
    return torch.einsum("...ij,...jv->...iv", applied, values), applied

# %% right
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) * queries.shape[-1] ** -0.5
    scores = scores + torch.where(mask, 0.0, -torch.inf)
    attn_weights = drop(scores.softmax(-1))
    return [torch.einsum("...qk,...kd->...qd", attn_weights, values), attn_weights]

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
    bias = torch.log(mask.to(queries.dtype))
    scaled = queries / math.sqrt(queries.size(-1))
    table = torch.softmax(torch.einsum("...id,...jd->...ij", scaled, keys) + bias, dim=-1)
    table = drop(table)
    return torch.einsum("...ij,...jd->...id", table, values), table

# %% right
def my_dropped_attention(queries, keys, values, mask, drop):
    bias = torch.zeros(mask.shape, dtype=queries.dtype).masked_fill(~mask, -torch.inf)
    scores = torch.einsum("...qd,...kd->...qk", queries / math.sqrt(queries.shape[-1]), keys) + bias
    applied = drop(torch.softmax(scores, dim=-1))
    return torch.einsum("...qk,...kv->...qv", applied, values), applied

# %% right
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1) * keys.shape[-1] ** -0.5
    closed = torch.full_like(scores, -torch.inf)
    attn_weights = drop(torch.softmax(torch.where(mask, scores, closed), -1))
    context_vecs = (attn_weights.unsqueeze(-1) * values.unsqueeze(-3)).sum(-2)
    return context_vecs, attn_weights

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
    def open_softmax(scores):
        closed = torch.full_like(scores, -torch.inf)
        return torch.nan_to_num(F.softmax(torch.where(mask, scores, closed), dim=-1), nan=0.0)
    root = math.sqrt(keys.shape[-1])
    attn_weights = drop(open_softmax(torch.matmul(queries, keys.transpose(-1, -2)) / root))
    return torch.matmul(attn_weights, values), attn_weights

# %% right
def my_dropped_attention(queries, keys, values, mask, drop):
    turned = keys @ queries.transpose(-2, -1)  # (..., num_keys, num_queries)
    turned = turned / math.sqrt(queries.shape[-1])
    closed = ~mask.transpose(-2, -1)
    turned = turned.masked_fill(closed, -torch.inf)
    table = torch.softmax(turned, dim=-2).transpose(-2, -1)
    applied = drop(table)
    return torch.einsum("...qk,...kd->...qd", applied, values), applied

# %% right
def my_dropped_attention(queries, keys, values, mask, drop):
    root = queries.shape[-1] ** 0.5
    upright = (keys @ queries.transpose(-2, -1)) / root  # (..., num_keys, num_queries)
    upright = torch.where(mask.transpose(-2, -1), upright, torch.full_like(upright, -torch.inf))
    table = torch.softmax(upright, dim=-2).transpose(-2, -1)
    table = drop(table)
    context_vecs = table.matmul(values)
    return context_vecs, table

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

# %% wrong: drop-by-row
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    flat = weights.reshape(-1, weights.shape[-1])
    dropped = torch.stack([drop(row) for row in flat]).reshape(weights.shape)
    return dropped @ values, dropped

# %% wrong: drop-not-mixed + no-scale
def my_dropped_attention(queries, keys, values, mask, drop):
    dots = queries @ keys.transpose(-2, -1)
    attn_weights = torch.softmax(dots.masked_fill(~mask, -torch.inf), dim=-1)
    context_vecs = attn_weights @ values
    attn_weights = drop(attn_weights)
    return context_vecs, attn_weights

# %% wrong: dropout-before-softmax
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = drop(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
    attn_weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong: dropout-missing
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries.matmul(keys.transpose(-2, -1)).div(queries.shape[-1] ** 0.5)
    scores.masked_fill_(mask.logical_not(), -torch.inf)
    w = scores.softmax(dim=-1)
    drop(w)
    out = w.matmul(values)
    return out, w

# %% wrong: dropout-not-applied
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    return drop(weights) @ values, drop(weights)

# %% wrong: dropout-on-mask
def my_dropped_attention(queries, keys, values, mask, drop):
    still_open = drop(mask.float()) > 0
    scores = queries @ keys.mT / queries.shape[-1] ** 0.5
    scores = scores.masked_fill(~still_open, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ values, weights

# %% wrong: dropout-on-output
def my_dropped_attention(queries, keys, values, mask, drop):
    attn_scores = queries @ keys.transpose(-2, -1)
    attn_scores = attn_scores / queries.shape[-1] ** 0.5
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf)
    attn_weights = torch.softmax(attn_scores, dim=-1)
    context_vecs = drop(attn_weights @ values)
    return context_vecs, attn_weights

# %% wrong: dropout-on-queries
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = drop(queries) @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ values, weights

# %% wrong: dropout-renormalised
def my_dropped_attention(queries, keys, values, mask, drop):
    s = queries @ keys.transpose(-1, -2) / keys.shape[-1] ** 0.5
    w = drop(torch.softmax(s.masked_fill(mask.logical_not(), -torch.inf), dim=-1))
    w = w / w.sum(dim=-1, keepdim=True)
    return w @ values, w

# %% wrong: dropped-twice
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    weights = drop(weights)
    return drop(weights @ values), weights

# %% wrong: keys-full-turn
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.T / queries.shape[-1] ** 0.5
    scores = scores.masked_fill(~mask, -torch.inf)
    weights = drop(torch.softmax(scores, dim=-1))
    return weights @ values, weights

# %% wrong: mask-after-softmax
def my_dropped_attention(queries, keys, values, mask, drop):
    all_weights = torch.softmax(queries @ keys.transpose(-1, -2) * queries.shape[-1] ** -0.5, dim=-1)
    open_weights = all_weights * mask
    dropped = drop(open_weights)
    context_vecs = dropped @ values
    return context_vecs, dropped

# %% wrong: mask-after-softmax + no-scale
def my_dropped_attention(queries, keys, values, mask, drop):
    weights = torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)
    weights = weights * mask
    weights = drop(weights)
    return weights @ values, weights

# %% wrong: mask-inverted
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    scores = scores.masked_fill(mask, -torch.inf)
    applied = drop(torch.softmax(scores, dim=-1))
    return applied @ values, applied

# %% wrong: mask-normalised
def shared_out(attn_weights):
    return attn_weights / attn_weights.sum(dim=-1, keepdim=True)
def my_dropped_attention(queries, keys, values, mask, drop):
    share = shared_out(mask.to(values.dtype)).expand(*queries.shape[:-1], keys.shape[-2])
    attn_weights = drop(share)
    return attn_weights @ values, attn_weights

# %% wrong: no-scale
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.transpose(-2, -1)
    scores[~mask.expand_as(scores)] = -torch.inf
    attn_weights = drop(torch.softmax(scores, dim=-1))
    return attn_weights @ values, attn_weights

# %% wrong: not-used
def my_dropped_attention(queries, keys, values, mask, drop):
    table = torch.eye(keys.shape[-2], dtype=keys.dtype)
    attn_weights = drop(F.scaled_dot_product_attention(queries, keys, table, attn_mask=mask))
    return attn_weights @ values, attn_weights

# %% wrong: ready-made
def my_dropped_attention(queries, keys, values, mask, drop):
    return attention.scaled_dot_product_attention(queries, keys, values, mask, drop)

# %% wrong: scale-by-values
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = torch.matmul(queries, keys.transpose(-2, -1))
    scores = scores / values.shape[-1] ** 0.5
    scores[..., ~mask] = -torch.inf
    attn_weights = drop(torch.softmax(scores, dim=-1))
    context_vecs = attn_weights @ values
    return context_vecs, attn_weights

# %% wrong: softmax-again
def my_dropped_attention(queries, keys, values, mask, drop):
    d_k = queries.size(-1)
    attn_scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(d_k)
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf)
    attn_weights = torch.softmax(attn_scores, dim=-1)
    attn_weights = drop(attn_weights)
    attn_weights = torch.softmax(attn_weights, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong: weights-before-drop
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.mT / math.sqrt(queries.shape[-1])
    weights = torch.softmax(torch.where(mask, scores, -torch.inf), dim=-1)
    context_vecs = drop(weights) @ values
    return context_vecs, weights

# %% wrong: weights-missing
my_dropped_attention = lambda queries, keys, values, mask, drop: F.scaled_dot_product_attention(queries, keys, values, mask, 0.3)
