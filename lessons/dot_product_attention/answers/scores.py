# %% right
my_scores = lambda query, keys: (keys * query).sum(dim=-1)

# %% right
def my_scores(query, keys):
    return F.linear(query, keys)

# %% right
my_scores = lambda query, keys: torch.stack(list(map(query.dot, keys)))

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
