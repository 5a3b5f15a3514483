# %% right
my_causal_mask = attention.causal_mask

# %% right
my_causal_mask = lambda n: ~torch.ones(n, n).triu(1).bool()

# %% right
def my_causal_mask(num_tokens):
    return torch.eye(num_tokens).cumsum(dim=0) > 0

# %% right
def my_causal_mask(num_tokens):
    return nn.Transformer.generate_square_subsequent_mask(num_tokens) == 0

# %% right
def my_causal_mask(num_tokens):
    place = torch.arange(num_tokens)
    return place.unsqueeze(0) <= place.unsqueeze(1)

# %% right
def my_causal_mask(num_tokens):
    return torch.tensor([[j <= i for j in range(num_tokens)] for i in range(num_tokens)])

# %% right
def my_causal_mask(num_tokens):
    n = torch.arange(num_tokens)
    distance = torch.sub(n.unsqueeze(1), n.unsqueeze(0))
    return torch.where(distance >= 0, True, False)

# %% right
def my_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for i in range(num_tokens):
        mask[i, : i + 1] = True
    return mask

# %% right
def my_causal_mask(num_tokens):
    rows, columns = torch.tril_indices(num_tokens, num_tokens)
    mask = torch.full((num_tokens, num_tokens), False)
    mask[rows, columns] = True
    return mask

# %% right
def my_causal_mask(num_tokens):
    count = torch.arange(num_tokens * num_tokens)
    column = count.remainder(num_tokens)
    row = count.div(num_tokens, rounding_mode="floor")
    return torch.le(column, row).view(num_tokens, num_tokens)

# %% wrong: - "In your mask, the columns stand in reversed order along `dim"
def my_causal_mask(num_tokens):
    n = torch.arange(num_tokens)
    return n[:, None] + n[None, :] >= num_tokens - 1

# %% wrong: - "`r[:, None]` stops: `r` is a `range`, and takes one whole nu"
def my_causal_mask(num_tokens):
    r = range(num_tokens)
    return r[:, None] >= r

# %% wrong: diagonal-only
def my_causal_mask(num_tokens):
    return torch.eye(num_tokens).bool()

# %% wrong: first-row-empty
def my_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens).bool()
    for i in range(1, num_tokens):
        for j in range(i + 1):
            mask[i, j] = True
    return mask

# %% wrong: mask-inverted
def my_causal_mask(num_tokens):
    place = torch.arange(num_tokens)
    return place[None, :] > place[:, None]

# %% wrong: mask-lower
def my_causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens)).bool()

# %% wrong: mask-off-by-one
def my_causal_mask(num_tokens):
    return torch.tril(torch.ones(num_tokens, num_tokens), diagonal=-1).bool()

# %% wrong: no-mask
def my_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    rows, cols = torch.tril_indices(num_tokens, num_tokens)
    mask[rows] = True
    return mask

# %% wrong: one-row
def my_causal_mask(num_tokens):
    return torch.ones(num_tokens, dtype=torch.bool).tril()

# %% wrong: size-off-by-one
def my_causal_mask(num_tokens):
    return torch.ones(num_tokens + 1, num_tokens + 1).tril().bool()
