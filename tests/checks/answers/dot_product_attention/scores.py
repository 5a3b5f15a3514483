# %% right
my_scores = lambda query, keys: (keys * query).sum(dim=-1)

# %% right
def my_scores(query, keys):
    return F.linear(query, keys)

# %% right
my_scores = lambda query, keys: (query[None] @ keys.T).squeeze(0)

# %% right
my_scores = lambda query, keys: torch.einsum('d,kd->k', query, keys)

# %% right
my_scores = lambda query, keys: torch.stack(list(map(query.dot, keys)))

# %% right
my_scores = lambda query, keys: torch.mv(keys.double(), query.double())

# %% right
def my_scores(query, keys):
    return query.unsqueeze(0).mul(keys).sum(-1)

# %% right
def my_scores(query, keys):
    return torch.stack([torch.dot(query, key) for key in keys])

# %% right
def my_scores(query, keys):
    attn_scores = torch.inner(keys, query)
    return attn_scores

# %% right
def my_scores(query, keys):
    as_row = query[None, None, :]
    as_columns = keys.T[None]
    return torch.bmm(as_row, as_columns)[0, 0]

# %% right
def my_scores(query, keys):
    result = torch.zeros(keys.shape[0])
    for i in range(keys.shape[0]):
        result[i] = keys[i] @ query
    return result

# %% right
def my_scores(query, keys):
    scores = torch.empty(len(keys), dtype=keys.dtype)
    for i, key in enumerate(keys):
        scores[i] = key @ query
    return scores

# %% wrong: - "For the scores, a NumPy array came back. Stay with torch all"
my_scores = lambda query, keys: (keys @ query).numpy()

# %% wrong: - "For the scores, a list came back. One tensor is made of it b"
my_scores = lambda query, keys: [key @ query for key in keys]

# %% wrong: - "It ran to its end and gave nothing back: the last line needs"
my_scores = lambda query, keys: print(keys @ query)

# %% wrong: - "It stops with `TypeError`: <lambda>() takes 1 positional arg"
my_scores = lambda query: query

# %% wrong: - "The scores has the dtype `torch.float16` where `torch.float3"
my_scores = lambda query, keys: (keys @ query).half()

# %% wrong: - "The scores is of type `float`. A tensor is asked for."
my_scores = lambda query, keys: 0.5

# %% wrong: - "The scores lies on the device `meta`, the inputs on `cpu`. M"
my_scores = lambda query, keys: (keys @ query).to('meta')

# %% wrong: - "There is `nan` in your scores: something overflowed, or was "
my_scores = lambda query, keys: keys @ query * torch.nan

# %% wrong: - "This is what your function gave back. The check calls it its"
my_scores = torch.zeros(6)

# %% wrong: - "`torch.dot(keys, query)` stops: (4, 3) meets (3,). `dot` tak"
def my_scores(query, keys):
    attn_scores = torch.dot(keys, query)
    return attn_scores

# %% wrong: - "`torch.dot(query, keys)` stops: (3,) meets (4, 3). `dot` tak"
def my_scores(query, keys):
    return torch.dot(query, keys)

# %% wrong: cosine
def my_scores(query, keys):
    return F.cosine_similarity(query[None, :], keys, dim=-1)

# %% wrong: distance
def my_scores(query, keys):
    diff = keys - query
    return (diff ** 2).sum(dim=-1)

# %% wrong: divided-too-early
def my_scores(query, keys):
    return keys @ query / (keys @ query).sum()

# %% wrong: fixed-width
def my_scores(query, keys):
    out = torch.empty(6)
    out[:] = keys @ query
    return out

# %% wrong: global-leak
_, inputs = data.load("six_tokens")
def my_scores(query, keys):
    return inputs @ query

# %% wrong: keys-not-transposed
def my_scores(query, keys):
    return query @ keys

# %% wrong: loop-over-width
def my_scores(query, keys):
    scores = torch.zeros(len(keys))
    for i in range(len(query)):
        scores[i] = keys[i] @ query
    return scores

# %% wrong: mean
def my_scores(query, keys):
    return (keys * query).mean(dim=-1)

# %% wrong: products-not-summed
def my_scores(query, keys):
    return keys * query

# %% wrong: query-ignored
def my_scores(query, keys):
    return (keys @ keys.transpose(0, 1))[0]

# %% wrong: sorted
def my_scores(query, keys):
    scores = keys @ query
    return scores.sort(descending=True).values

# %% wrong: sum-axis
def my_scores(query, keys):
    return (keys * query).sum(dim=0)

# %% wrong: - "In your scores, the sum of all numbers came back. A `sum` wi"
def my_scores(query, keys):
    return (keys * query).sum()

# %% wrong: view-no-transpose
def my_scores(query, keys):
    num_keys, d_in = keys.shape
    return query @ keys.view(d_in, num_keys)
