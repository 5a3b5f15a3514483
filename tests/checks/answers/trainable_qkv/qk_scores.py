# %% right
my_qk_scores = lambda inputs, W_query, W_key: inputs @ (W_query @ W_key.T) @ inputs.mT / math.sqrt(W_query.shape[1])

# %% right
def my_qk_scores(inputs, W_query, W_key):
    between = (W_query @ W_key.T) / math.sqrt(W_query.shape[1])
    return inputs @ between @ inputs.transpose(-2, -1)

# %% right
def my_qk_scores(inputs, W_query, W_key):
    small = W_query / W_query.shape[-1] ** 0.5
    return torch.einsum("bid,do,eo,bje->bij", inputs, small, W_key, inputs)

# %% right
def products(queries, keys):
    return torch.einsum("...qd,...kd->...qk", queries, keys)
my_qk_scores = lambda inputs, W_query, W_key: products(inputs @ W_query, inputs @ W_key) / W_key.shape[1] ** 0.5

# %% right
def my_qk_scores(inputs, W_query, W_key):
    q, k = inputs @ W_query, inputs @ W_key
    start = torch.zeros(1, 1, 1, dtype=q.dtype)
    return torch.baddbmm(start, q, k.transpose(1, 2), beta=0, alpha=q.shape[-1] ** -0.5)

# %% right
def my_qk_scores(inputs, W_query, W_key):
    tables = []
    for sample in inputs:
        asks, answers = sample.mm(W_query), sample.mm(W_key)
        tables.append(asks.mm(answers.t()).div(math.sqrt(asks.shape[1])))
    return torch.stack(tables, dim=0)

# %% right
def my_qk_scores(inputs, W_query, W_key):
    d_out = W_query.shape[1]
    tables = []
    for x in inputs:
        queries, keys = (x @ torch.cat([W_query, W_key], dim=1)).split(d_out, dim=1)
        tables.append(queries @ keys.T / math.sqrt(d_out))
    return torch.stack(tables)

# %% right
def my_qk_scores(inputs, W_query, W_key):
    batch_size = len(inputs)
    queries = torch.bmm(inputs, W_query.expand(batch_size, -1, -1))
    keys = torch.bmm(inputs, W_key.expand(batch_size, -1, -1))
    return torch.baddbmm(torch.zeros((), dtype=keys.dtype), queries, keys.mT, beta=0, alpha=keys.shape[-1] ** -0.5)

# %% right
def my_qk_scores(inputs, W_query, W_key):
    q = torch.stack([sample.mm(W_query) for sample in inputs])
    k = torch.stack([sample.mm(W_key) for sample in inputs])
    empty = inputs.new_zeros(len(inputs), inputs.shape[1], inputs.shape[1])
    return torch.baddbmm(empty, q, k.transpose(1, 2), beta=0, alpha=1 / math.sqrt(k.shape[2]))

# %% wrong: fixed-width
def my_qk_scores(inputs, W_query, W_key):
    queries = inputs @ W_query
    keys = inputs @ W_key
    return queries @ keys.transpose(-2, -1) / 2**0.5

# %% wrong: joint-not-turned
def my_qk_scores(inputs, W_query, W_key):
    joint = W_query @ W_key
    return inputs @ joint @ inputs.transpose(-2, -1) / W_query.shape[1] ** 0.5

# %% wrong: keys-fixed-axes
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key
    return (queries @ keys.transpose(0, 1)) / W_key.shape[1] ** 0.5

# %% wrong: keys-from-queries
def my_qk_scores(inputs, W_query, W_key):
    x = inputs
    x = x @ W_query
    queries = x
    x = x @ W_key
    keys = x
    return queries @ keys.transpose(1, 2) / queries.shape[2] ** 0.5

# %% wrong: keys-full-turn
def my_qk_scores(inputs, W_query, W_key):
    return inputs @ W_query @ (inputs @ W_key).permute(2, 1, 0) / W_query.shape[-1] ** 0.5

# %% wrong: keys-not-transposed
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key
    d_out = W_key.shape[1]
    return (queries @ keys) / d_out**0.5

# %% wrong: keys-of-all-texts
def my_qk_scores(inputs, W_query, W_key):
    queries = torch.einsum("bti,io->bto", inputs, W_query)
    keys = torch.einsum("bti,io->bto", inputs, W_key)
    scores = torch.einsum("bqo,ako->bqk", queries, keys)
    return scores / queries.shape[-1] ** 0.5

# %% wrong: linear-layout
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = F.linear(inputs, W_query), F.linear(inputs, W_key)
    return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5

# %% wrong: matrices-added
def my_qk_scores(inputs, W_query, W_key):
    both = inputs @ (W_query + W_key)
    return both @ both.transpose(-2, -1) / both.shape[-1] ** 0.5

# %% wrong: no-scale
def my_qk_scores(inputs, W_query, W_key):
    both = W_query @ W_key.T
    return inputs @ both @ inputs.transpose(1, 2)

# %% wrong: qk-swapped
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key
    return torch.bmm(keys, queries.transpose(1, 2)) / math.sqrt(W_key.shape[1])

# %% wrong: scale-model
def my_qk_scores(inputs, W_query, W_key):
    q = inputs @ W_query
    k = inputs @ W_key
    return q @ k.transpose(-2, -1) / inputs.shape[-1] ** 0.5

# %% wrong: shared-projection
def my_qk_scores(inputs, W_query, W_key):
    queries = inputs @ W_query
    keys = inputs @ W_query
    root = queries.shape[-1] ** 0.5
    return queries @ keys.transpose(-2, -1) / root
