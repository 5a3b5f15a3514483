# %% right
my_causal_mask = attention.causal_mask

# %% right
my_causal_mask = lambda n: ~torch.ones(n, n).triu(1).bool()

# %% right
def my_causal_mask(num_tokens):
    return torch.eye(num_tokens).cumsum(dim=0) > 0

# %% right
def my_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for i in range(num_tokens):
        mask[i, : i + 1] = True
    return mask

# %% wrong: - "In your mask, the columns stand in reversed order along `dim"
def my_causal_mask(num_tokens):
    n = torch.arange(num_tokens)
    return n[:, None] + n[None, :] >= num_tokens - 1

# %% wrong: - "`r[:, None]` stops: `r` is a `range`, and takes one whole nu"
def my_causal_mask(num_tokens):
    r = range(num_tokens)
    return r[:, None] >= r
