# %% wrong scores: keys-not-transposed
def my_scores(query, keys):
    return query @ keys

# %% wrong scores: products-not-summed
def my_scores(query, keys):
    return keys * query

# %% wrong scores: sum-axis
def my_scores(query, keys):
    return (keys * query).sum(dim=0)

# %% wrong scores: sum-of-all
def my_scores(query, keys):
    return (keys * query).sum()

# %% wrong scores: softmax-too-early
def my_scores(query, keys):
    return torch.softmax(keys @ query, dim=-1)

# %% wrong scores: divided-too-early
def my_scores(query, keys):
    return keys @ query / (keys @ query).sum()

# %% wrong weights: softmax-all
def my_weights(scores):
    return torch.softmax(scores.flatten(), dim=0).view(scores.shape)

# %% wrong weights: no-keepdim
def my_weights(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1)

# %% wrong weights: sum-of-scores
def my_weights(scores):
    return torch.exp(scores) / scores.sum(dim=-1, keepdim=True)

# %% wrong weights: softmax-twice
def my_weights(scores):
    return torch.softmax(torch.softmax(scores, dim=-1), dim=-1)

# %% wrong weights: weights-transposed
def my_weights(scores):
    return torch.softmax(scores, dim=-1).transpose(-2, -1)

# %% wrong weights: power-of-2
def my_weights(scores):
    powers = 2**scores
    return powers / powers.sum(dim=-1, keepdim=True)

# %% wrong context_vector: weights-on-keys
def my_context_vector(query, keys, values):
    return torch.softmax(keys @ query, dim=-1) @ keys

# %% wrong context_vector: sum-normalise
def my_context_vector(query, keys, values):
    shares = keys @ query
    return shares / shares.sum() @ values

# %% wrong context_vector: no-softmax
def my_context_vector(query, keys, values):
    return keys @ query @ values

# %% wrong context_vector: scaled-too-early
def my_context_vector(query, keys, values):
    return torch.softmax(keys @ query / query.shape[-1] ** 0.5, dim=-1) @ values

# %% wrong context_vector: query-on-values
def my_context_vector(query, keys, values):
    return torch.softmax(values @ query, dim=-1) @ values

# %% wrong context_vector: keys-not-transposed
def my_context_vector(query, keys, values):
    return torch.softmax(query @ keys, dim=-1) @ values

# %% wrong batch_attention: keys-full-turn
def my_batch_attention(inputs):
    return torch.softmax(inputs @ inputs.permute(2, 1, 0), dim=-1) @ inputs

# %% wrong batch_attention: weights-returned
def my_batch_attention(inputs):
    return torch.softmax(inputs @ inputs.transpose(-2, -1), dim=-1)
