# %% right
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    _, weights = attention.scaled_dot_product_attention(q, k, k)
    return weights

# %% right
def my_head_weights(queries, keys, num_heads):
    queries, keys = (x.unflatten(-1, (num_heads, -1)) for x in (queries, keys))
    scores = torch.einsum("bqhd,bkhd->bhqk", queries, keys) / queries.size(-1) ** 0.5
    return attention.softmax(scores)

# %% right
def my_head_weights(queries, keys, num_heads):
    q = queries.unflatten(-1, (num_heads, -1))
    k = keys.unflatten(-1, (num_heads, -1))
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k)
    return torch.softmax(scores * q.shape[-1] ** -0.5, dim=3)

# %% right
def my_head_weights(queries, keys, num_heads):
    queries, keys = (attention.split_heads(x, num_heads).flatten(0, 1) for x in (queries, keys))
    scores = torch.bmm(queries, keys.transpose(1, 2)) * queries.shape[-1] ** -0.5
    return scores.softmax(-1).unflatten(0, (-1, num_heads))

# %% right
def my_head_weights(queries, keys, num_heads):
    tables = []
    for q, k in zip(queries.chunk(num_heads, dim=-1), keys.chunk(num_heads, dim=-1)):
        _, weights = attention.scaled_dot_product_attention(q, k, k)
        tables.append(weights[:, None])
    return torch.cat(tables, dim=1)

# %% right
def my_head_weights(queries, keys, num_heads):
    q = queries.unflatten(2, (num_heads, -1))
    k = keys.unflatten(2, (num_heads, -1))
    scores = torch.einsum("bqhd,bkhd->bhqk", q * q.shape[-1] ** -0.5, k)
    exps = (scores - scores.amax(-1, keepdim=True)).exp()
    return exps / exps.sum(-1, keepdim=True)

# %% right
def my_head_weights(queries, keys, num_heads):
    head_dim = queries.shape[-1] // num_heads
    tables = []
    for query, key in zip(queries.split(head_dim, -1), keys.split(head_dim, -1), strict=True):
        tables.append(F.softmax(query @ key.mT / math.sqrt(head_dim), dim=2))
    return torch.stack(tables, dim=1)

# %% right
def my_head_weights(queries, keys, num_heads):
    size = queries.shape[-1] // num_heads
    tables = []
    for h in range(num_heads):
        part = slice(h * size, h * size + size)
        table = torch.bmm(queries[:, :, part], keys[:, :, part].transpose(1, 2)).div(math.sqrt(size))
        tables.append(table.softmax(dim=2))
    return torch.stack(tables, dim=1)

# %% right
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads).flatten(0, 1)
    k = attention.split_heads(keys, num_heads).flatten(0, 1)
    nothing = torch.zeros(len(q), q.shape[1], k.shape[1], dtype=q.dtype)
    scores = torch.baddbmm(nothing, q, k.transpose(1, 2), beta=0, alpha=q.shape[-1] ** -0.5)
    return torch.softmax(scores, dim=-1).unflatten(0, (queries.shape[0], num_heads))

# %% right
def my_head_weights(queries, keys, num_heads):
    head_dim = queries.shape[-1] // num_heads
    tables = []
    for q, k in zip(queries.split(head_dim, dim=-1), keys.split(head_dim, dim=-1)):
        scores = (q[:, :, None, :] * k[:, None, :, :]).sum(dim=-1) / math.sqrt(head_dim)
        exps = (scores - scores.amax(dim=-1, keepdim=True)).exp()
        tables.append(exps / exps.sum(dim=-1, keepdim=True))
    return torch.stack(tables, dim=1)

# %% right
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    batch, _, num_queries, head_dim = q.shape
    q = q.reshape(-1, num_queries, head_dim)
    k = attention.split_heads(keys, num_heads).flatten(0, 1)
    nothing = torch.zeros(1, dtype=q.dtype)
    scores = torch.baddbmm(nothing, q, k.transpose(1, 2), beta=0, alpha=1 / math.sqrt(head_dim))
    return scores.softmax(-1).unflatten(0, (batch, num_heads))

# %% right
def my_head_weights(queries, keys, num_heads):
    width = queries.shape[-1] // num_heads
    tables = []
    for start in range(0, width * num_heads, width):
        q, k = queries[..., start:start + width], keys[..., start:start + width]
        nothing = q.new_zeros(q.shape[0], q.shape[1], k.shape[1])
        scores = torch.baddbmm(nothing, q, k.transpose(1, 2), beta=0, alpha=1 / math.sqrt(width))
        e = (scores - scores.max(dim=-1, keepdim=True).values).exp()
        tables.append(e / e.sum(dim=-1, keepdim=True))
    return torch.stack(tables, dim=1)

# %% wrong: heads-before-batch + scale-model
def my_head_weights(queries, keys, num_heads):
    d_out = queries.shape[-1]
    w = d_out // num_heads
    tables = []
    for h in range(num_heads):
        q, k = queries[..., h * w : h * w + w], keys[..., h * w : h * w + w]
        tables.append(torch.softmax(torch.bmm(q, k.transpose(1, 2)) / d_out**0.5, dim=2))
    return torch.stack(tables)

# %% wrong: heads-joined
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return attention.softmax(scores).flatten(1, 2)

# %% wrong: heads-mixed
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    scores = torch.einsum("bhqd,bgkd->bhqk", q, k)
    scores = scores / math.sqrt(q.shape[-1])
    return torch.softmax(scores, dim=-1)

# %% wrong: keys-cut-as-queries
def my_head_weights(queries, keys, num_heads):
    b, n, d = queries.shape
    q = queries.view(b, n, num_heads, d // num_heads).transpose(1, 2)
    k = keys.view(b, n, num_heads, d // num_heads).transpose(1, 2)
    return attention.softmax(q @ k.transpose(2, 3) / (d // num_heads) ** 0.5)

# %% wrong: keys-full-turn
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    s = q @ k.T
    s = s / math.sqrt(q.shape[-1])
    return s.softmax(-1)

# %% wrong: keys-reshaped
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    batch, heads, num_keys, head_dim = k.shape
    k = k.reshape(batch, heads, head_dim, num_keys)
    scores = torch.matmul(q, k) * head_dim ** -0.5
    return torch.softmax(scores, dim=-1)

# %% wrong: keys-unused
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(queries, num_heads)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return attention.softmax(scores)

# %% wrong: mask-unasked
def my_head_weights(queries, keys, num_heads):
    q, k = (attention.split_heads(part, num_heads) for part in (queries, keys))
    may = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()
    _, weights = attention.scaled_dot_product_attention(q, k, k, may)
    return weights

# %% wrong: no-scale
def my_head_weights(queries, keys, num_heads):
    queries = attention.split_heads(queries, num_heads)
    keys = attention.split_heads(keys, num_heads)
    attn_scores = torch.einsum("bhqd,bhkd->bhqk", queries, keys)
    return attention.softmax(attn_scores)

# %% wrong: no-softmax
def my_head_weights(queries, keys, num_heads):
    head_dim = queries.shape[-1] // num_heads
    per_head = []
    for i in range(num_heads):
        q = queries[..., i * head_dim : (i + 1) * head_dim]
        k = keys[..., i * head_dim : (i + 1) * head_dim]
        per_head.append(torch.bmm(q, k.transpose(1, 2)) / head_dim**0.5)
    return torch.stack(per_head, dim=1)

# %% wrong: qk-swapped
def my_head_weights(queries, keys, num_heads):
    split_queries = attention.split_heads(queries, num_heads)
    split_keys = attention.split_heads(keys, num_heads)
    head_dim = split_keys.shape[-1]
    attn_scores = split_keys @ split_queries.transpose(-2, -1)
    return torch.softmax(attn_scores / head_dim**0.5, dim=-1)

# %% wrong: root-of-heads
def my_head_weights(queries, keys, num_heads):
    q, k = attention.split_heads(queries, num_heads), attention.split_heads(keys, num_heads)
    head_dim = queries.shape[-1] / num_heads**0.5
    return attention.softmax(q @ k.transpose(-2, -1) / head_dim)

# %% wrong: scale-after
def my_head_weights(queries, keys, num_heads):
    q, k = (attention.split_heads(t, num_heads) for t in (queries, keys))
    raw = torch.einsum("bhqd,bhkd->bhqk", q, k)
    return raw.softmax(-1) / q.shape[-1] ** 0.5

# %% wrong: scale-heads
def my_head_weights(queries, keys, num_heads):
    queries = attention.split_heads(queries, num_heads)
    keys = attention.split_heads(keys, num_heads)
    d_k = keys.shape[1]
    return attention.softmax(queries @ keys.transpose(-2, -1) / math.sqrt(d_k))

# %% wrong: scale-model
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    scores = q @ k.transpose(2, 3) / queries.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1)

# %% wrong: scale-no-root
def my_head_weights(queries, keys, num_heads):
    head_dim = queries.shape[-1] // num_heads
    q = attention.split_heads(queries, num_heads) / head_dim**0.5
    k = attention.split_heads(keys, num_heads)
    _, weights = attention.scaled_dot_product_attention(q, k, k)
    return weights

# %% wrong: scale-wrong-axis
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    scores = q @ k.transpose(-2, -1) / q.shape[2] ** 0.5
    return attention.softmax(scores)

# %% wrong: softmax-axis
def my_head_weights(queries, keys, num_heads):
    split_q, split_k = (attention.split_heads(t, num_heads) for t in (queries, keys))
    scores = split_q @ split_k.mT
    scores = scores * split_q.shape[-1] ** -0.5
    return F.softmax(scores, dim=2)

# %% wrong: softmax-heads
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    return F.softmax(scores, dim=1)

# %% wrong: split-missing
def my_head_weights(queries, keys, num_heads):
    queries = attention.split_heads(queries, num_heads)
    scores = queries @ keys.transpose(-2, -1)
    scores = scores / queries.shape[-1] ** 0.5
    weights = attention.softmax(scores)
    return weights

# %% wrong: split-missing + no-scale
my_head_weights = lambda q, k, h: (q @ k.mT).softmax(-1)

# %% wrong: turned-before-split
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k_t = attention.split_heads(keys.transpose(1, 2), num_heads)
    scores = q @ k_t / q.shape[-1] ** 0.5
    return scores.softmax(-1)

# %% wrong: view-no-transpose
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = keys.reshape(len(keys), num_heads, -1, q.shape[-1])
    return attention.softmax(q @ k.mT / q.shape[-1] ** 0.5)

# %% wrong: weights-averaged
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    tables = [attention.softmax(q[:, i] @ k[:, i].transpose(1, 2) / q.shape[-1] ** 0.5) for i in range(num_heads)]
    return sum(tables) / len(tables)
