# %% right
def my_scaled_attention(queries, keys, values):
    logits = (queries * queries.shape[-1] ** -0.5) @ keys.mT
    top, _ = logits.max(dim=-1, keepdim=True)
    numerators = torch.exp(logits - top)
    totals = numerators.sum(dim=-1, keepdim=True)
    return (numerators @ values) / totals, numerators / totals

# %% right
def my_scaled_attention(queries, keys, values):
    raw = torch.einsum("...id,...jd->...ij", queries, keys)
    gaps = (raw - raw.amax(-1, keepdim=True)) / queries.shape[-1] ** 0.5
    exps = torch.exp(gaps)
    one_over_sum = exps.sum(-1, keepdim=True).reciprocal()
    return (exps @ values) * one_over_sum, exps * one_over_sum

# %% right
def products(queries, keys):
    return torch.einsum("...qd,...kd->...qk", queries, keys)
def my_scaled_attention(queries, keys, values):
    scores = products(queries, keys) / queries.shape[-1] ** 0.5
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    return torch.einsum("...qk,...kd->...qd", weights, values), weights

# %% right
def my_scaled_attention(queries, keys, values):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(keys.size(-1))
    lowered = scores - torch.max(scores, dim=-1, keepdim=True)[0]
    exps = lowered.exp()
    totals = torch.einsum("...k->...", exps).unsqueeze(-1)
    return torch.einsum("...qk,...kv->...qv", exps, values) / totals, exps / totals

# %% right
def my_scaled_attention(queries, keys, values):
    rows = []
    for i in range(queries.shape[-2]):
        scores = (queries[..., i : i + 1, :] * keys).sum(-1) / math.sqrt(queries.shape[-1])
        exps = (scores - scores.max(dim=-1, keepdim=True)[0]).exp()
        rows.append(exps / exps.sum(-1, keepdim=True))
    weights = torch.stack(rows, dim=-2)
    return weights @ values, weights

# %% right
def my_scaled_attention(queries, keys, values):
    small = queries / math.sqrt(queries.shape[-1])
    scores = torch.einsum("...id,...jd->...ij", small, keys)
    top = torch.max(scores, dim=-1, keepdim=True)[0]
    e = torch.pow(math.e, scores - top)
    parts = {"weights": e / torch.einsum("...ij->...i", e)[..., None]}
    parts["vecs"] = torch.einsum("...ij,...jv->...iv", parts["weights"], values)
    return parts["vecs"], parts["weights"]

# %% right
def attention_by_loop(queries, keys, values):
    rows = []
    for i in range(queries.shape[-2]):
        scores = (queries[..., i : i + 1, :] * keys).sum(-1) / math.sqrt(queries.shape[-1])
        exps = (scores - scores.max(dim=-1, keepdim=True)[0]).exp()
        rows.append(exps / exps.sum(-1, keepdim=True))
    weights = torch.stack(rows, dim=-2)
    return weights @ values, weights
my_scaled_attention = lambda *qkv: list(attention_by_loop(*qkv))

# %% right
def my_scaled_attention(queries, keys, values):
    if queries.dim() > 2:
        parts = [my_scaled_attention(*sample) for sample in zip(queries, keys, values)]
        return torch.stack([vecs for vecs, _ in parts]), torch.stack([weights for _, weights in parts])
    scores = (queries * queries.shape[-1] ** -0.5) @ keys.T
    exps = torch.exp(scores - scores.amax(dim=1)[:, None])
    attn_weights = exps / exps.sum(dim=1)[:, None]
    return attn_weights @ values, attn_weights

# %% right
def my_scaled_attention(queries, keys, values):
    contexts, rows = [], []
    for i in range(queries.shape[-2]):
        q = queries[..., i, :].unsqueeze(-2)
        row = (q * keys).sum(dim=-1) / keys.shape[-1] ** 0.5
        row = torch.exp(row - row.amax(dim=-1, keepdim=True))
        row = row / row.sum(dim=-1, keepdim=True)
        rows.append(row)
        contexts.append((row.unsqueeze(-1) * values).sum(dim=-2))
    return torch.stack(contexts, dim=-2), torch.stack(rows, dim=-2)

# %% right
def my_scaled_attention(queries, keys, values):
    if queries.dim() > 2:
        pairs = [my_scaled_attention(q, k, v) for q, k, v in zip(queries, keys, values)]
        return torch.stack([vecs for vecs, _ in pairs]), torch.stack([weights for _, weights in pairs])
    weights = []
    for query in queries:
        row = keys @ query / len(query) ** 0.5
        row = torch.exp(row - row.max())
        weights.append(row / row.sum())
    weights = torch.stack(weights)
    return weights @ values, weights

# %% wrong: - "Two things are asked for, in this order: `return context_vec"
my_scaled_attention = lambda *qkv: F.scaled_dot_product_attention(*qkv)

# %% wrong: batch-required
def my_scaled_attention(queries, keys, values):
    scaled = torch.bmm(queries, keys.permute(0, 2, 1)) / math.sqrt(queries.shape[2])
    exps = torch.exp(scaled - scaled.max(dim=2, keepdim=True).values)
    attn_weights = exps / exps.sum(dim=2, keepdim=True)
    return torch.bmm(attn_weights, values), attn_weights

# %% wrong: exps-returned
def my_scaled_attention(queries, keys, values):
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = torch.exp(attn_scores - attn_scores.max(dim=-1, keepdim=True).values)
    totals = attn_weights.sum(dim=-1, keepdim=True)
    context_vecs = (attn_weights @ values) / totals
    return context_vecs, attn_weights

# %% wrong: global-max
def my_scaled_attention(queries, keys, values):
    s = queries @ keys.transpose(-1, -2) / math.sqrt(keys.size(-1))
    s = s - torch.max(s)
    p = torch.exp(s)
    p = p / p.sum(-1, keepdim=True)
    return p @ values, p

# %% wrong: global-max + no-scale
def my_scaled_attention(queries, keys, values):
    dots = queries @ keys.transpose(-2, -1)
    dots = dots - dots.max()
    weights = torch.exp(dots)
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ values, weights

# %% wrong: keys-fixed-axes
def my_scaled_attention(queries, keys, values):
    scores = torch.bmm(queries, keys.transpose(1, 2)).div(queries.shape[-1] ** 0.5)
    scores = scores - scores.amax(2, keepdim=True)
    weights = scores.exp() / scores.exp().sum(2, keepdim=True)
    return torch.bmm(weights, values), weights

# %% wrong: keys-full-turn
def softmax_by_hand(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)
def my_scaled_attention(queries, keys, values):
    turned = keys.permute(*reversed(range(keys.dim())))
    attn_weights = softmax_by_hand(queries @ turned / queries.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong: max-after-exp
def my_scaled_attention(queries, keys, values):
    s = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    e = torch.exp(s) - torch.exp(s.amax(-1, keepdim=True))
    w = e / e.sum(-1, keepdim=True)
    return w @ values, w

# %% wrong: max-of-raw
def my_scaled_attention(queries, keys, values):
    raw = queries @ keys.transpose(-2, -1)
    largest = raw.amax(dim=-1, keepdim=True)
    exps = torch.exp(raw / queries.shape[-1] ** 0.5 - largest)
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    return attn_weights @ values, attn_weights

# %% wrong: mix-of-exps
def my_scaled_attention(queries, keys, values):
    attn_scores = (queries / queries.shape[-1] ** 0.5) @ keys.mT
    exps = (attn_scores - attn_scores.max(dim=-1, keepdim=True).values).exp()
    context_vecs = exps @ values
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    return context_vecs, attn_weights

# %% wrong: naive-overflow
def my_scaled_attention(queries, keys, values):
    exps = torch.exp(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    return attn_weights @ values, attn_weights

# %% wrong: no-scale
def my_scaled_attention(queries, keys, values):
    raw = queries @ keys.mT
    e = (raw - raw.amax(-1, keepdim=True)).exp() / math.sqrt(queries.shape[-1])
    w = e / e.sum(-1, keepdim=True)
    return w @ values, w

# %% wrong: outputs-swapped
def my_scaled_attention(queries, keys, values):
    s = (queries / queries.shape[-1] ** 0.5).matmul(keys.mT)
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
    w = e / e.sum(-1, keepdim=True)
    return w, w.matmul(values)

# %% wrong: outputs-swapped + naive-overflow
def my_scaled_attention(queries, keys, values):
    d_k = queries.shape[-1]
    exps = torch.exp(torch.matmul(queries, torch.transpose(keys, -2, -1)) / d_k**0.5)
    weights = exps / torch.sum(exps, dim=-1, keepdim=True)
    return weights, torch.matmul(weights, values)

# %% wrong: ready-made
my_scaled_attention = attention.scaled_dot_product_attention

# %% wrong: scale-after
def my_scaled_attention(queries, keys, values):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys)
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    w = e / e.sum(-1, keepdim=True)
    return (w @ values) / math.sqrt(queries.shape[-1]), w

# %% wrong: scale-of-values
def my_scaled_attention(queries, keys, values):
    d = values.shape[-1]
    s = queries @ keys.mT / math.sqrt(d)
    e = torch.exp(s - s.amax(-1, keepdim=True))
    w = e / e.sum(-1, keepdim=True)
    return w @ values, w

# %% wrong: softmax-axis
def my_scaled_attention(queries, keys, values):
    def soft(table):
        e = torch.exp(table - table.amax(dim=-2, keepdim=True))
        return e / e.sum(dim=-2, keepdim=True)
    attn_weights = soft(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights
