# %% right
my_one_row = lambda queries, keys, row: (queries[row] * keys).sum(-1).div(keys.shape[1] ** 0.5).softmax(0)

# %% right
def my_one_row(queries, keys, row):
    return attention.softmax(keys.mv(queries[row]) / keys.shape[1] ** 0.5)

# %% right
def my_one_row(queries, keys, row):
    query = queries.select(0, row) * keys.shape[-1] ** -0.5
    return keys.mv(query).log_softmax(dim=-1).exp()

# %% right
def my_one_row(queries, keys, row):
    unit = torch.eye(len(keys), dtype=keys.dtype)
    return F.scaled_dot_product_attention(queries[row][None, None], keys[None], unit[None])[0, 0]

# %% right
def my_one_row(queries, keys, row):
    table = torch.softmax(queries.matmul(keys.t()).div(keys.shape[-1] ** 0.5), dim=1)
    return table.index_select(0, torch.tensor([row])).squeeze(0)

# %% right
def my_one_row(queries, keys, row):
    products = keys * queries[row]
    logits = products.sum(dim=1).div(products.shape[1] ** 0.5)
    e = (logits - logits.max()).exp()
    return e / e.sum()

# %% right
def my_one_row(queries, keys, row):
    scores = torch.zeros(len(keys), dtype=keys.dtype)
    for j in range(len(keys)):
        scores[j] = queries[row].dot(keys[j])
    return F.softmax(scores / math.sqrt(queries.shape[1]), dim=0)

# %% right
def my_one_row(queries, keys, row):
    q = queries[row].tolist()
    root = math.sqrt(len(q))
    scores = [sum(a * b for a, b in zip(q, key.tolist())) / root for key in keys]
    top = max(scores)
    exps = [math.exp(s - top) for s in scores]
    return torch.tensor([e / sum(exps) for e in exps])

# %% right
def my_one_row(queries, keys, row):
    width = keys.shape[-1]
    scores = [sum(float(queries[row, f]) * float(keys[j, f]) for f in range(width)) / width**0.5
              for j in range(keys.shape[0])]
    exps = [math.exp(score - max(scores)) for score in scores]
    return torch.tensor([e / sum(exps) for e in exps])

# %% right
def weights_by_loop(queries, keys):
    if queries.dim() > 2:
        return torch.stack([weights_by_loop(*pair) for pair in zip(queries, keys, strict=True)])
    return torch.stack([torch.softmax(keys @ query / len(query) ** 0.5, dim=0) for query in queries])
my_one_row = lambda queries, keys, row: weights_by_loop(queries, keys)[row]

# %% right
def my_one_row(queries, keys, row):
    query, scores = queries[row].tolist(), []
    for key in keys.tolist():
        total = 0.0
        for a, b in zip(query, key):
            total += a * b
        scores.append(total / math.sqrt(len(query)))
    top = max(scores)
    exps = [math.exp(s - top) for s in scores]
    return torch.tensor([e / sum(exps) for e in exps], dtype=queries.dtype)

# %% wrong: all-rows
def my_one_row(queries, keys, row):
    scores = queries @ keys.T / keys.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1)

# %% wrong: cosine
def my_one_row(queries, keys, row):
    similar = F.cosine_similarity(queries[row].unsqueeze(0), keys, dim=-1)
    return (similar / keys.shape[-1] ** 0.5).softmax(dim=-1)

# %% wrong: elementwise
def my_one_row(queries, keys, row):
    products = queries[row] * keys
    attn_scores = products.sum(dim=0) / keys.shape[-1] ** 0.5
    return attn_scores.softmax(dim=0)

# %% wrong: itself-left-out
def my_one_row(queries, keys, row):
    scores = []
    for j in range(len(keys)):
        if j != row:
            scores.append(queries[row] @ keys[j])
    attn_scores = torch.stack(scores) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)

# %% wrong: key-fixed
my_one_row = lambda q, k, row: torch.softmax(torch.stack([q[row] @ k[row]] * len(k)), dim=-1)

# %% wrong: loop-over-queries
def my_one_row(queries, keys, row):
    values = torch.empty(len(queries))
    for j in range(len(queries)):
        values[j] = torch.dot(queries[row], keys[j])
    values = values / math.sqrt(queries.shape[1])
    return values.softmax(0)

# %% wrong: past-only
def my_one_row(queries, keys, row):
    q = queries[row]
    attn_scores = torch.stack([q @ keys[j] for j in range(row + 1)])
    return F.softmax(attn_scores / q.shape[0] ** 0.5, dim=0)

# %% wrong: qk-swapped
def my_one_row(queries, keys, row):
    scores = torch.stack([q @ keys[row] for q in queries])
    return torch.softmax(scores / queries.shape[-1] ** 0.5, dim=0)

# %% wrong: return-in-loop
def my_one_row(queries, keys, row):
    query = queries[row]
    for key in keys:
        scores = []
        scores.append(query @ key)
    attn_scores = torch.stack(scores) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)

# %% wrong: row-off-by-one
def my_one_row(queries, keys, row):
    asked = queries[row - 1]
    scores = keys @ asked * keys.shape[-1] ** -0.5
    return torch.softmax(scores, -1)

# %% wrong: row-off-by-one + naive-overflow
def my_one_row(queries, keys, row):
    query = queries[row - 1]
    exps = [torch.exp(query.dot(key) / len(query) ** 0.5) for key in keys]
    return torch.stack([e / sum(exps) for e in exps])

# %% wrong: scale-no-root
def my_one_row(queries, keys, row):
    return torch.softmax(keys @ queries[row] / queries.shape[-1], dim=-1)

# %% wrong: scale-wrong-axis
def my_one_row(queries, keys, row):
    return torch.softmax(keys @ queries[row] / len(keys) ** 0.5, dim=-1)

# %% wrong: softmax-axis
def my_one_row(queries, keys, row):
    table = queries @ keys.T / math.sqrt(keys.shape[1])
    return table.softmax(dim=0)[row]

# %% wrong: softmax-of-each
def my_one_row(queries, keys, row):
    weights = []
    for key in keys:
        score = queries[row] @ key / keys.shape[-1] ** 0.5
        weights.append(torch.softmax(score, dim=0))
    return torch.stack(weights)
