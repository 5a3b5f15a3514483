# %% right
my_scaled_scores = lambda queries, keys: torch.matmul(queries / keys.shape[-1] ** 0.5, keys.mT)

# %% right
def my_scaled_scores(queries, keys):
    return torch.einsum("...qd,...kd->...qk", queries, keys) * queries.size(-1) ** -0.5

# %% right
def my_scaled_scores(queries, keys):
    quarter = queries.shape[-1] ** 0.25
    return (queries / quarter) @ (keys / quarter).transpose(-1, -2)

# %% right
def my_scaled_scores(queries, keys):
    products = queries.unsqueeze(-2) * keys.unsqueeze(-3)
    return products.sum(dim=-1) / math.sqrt(keys.size(-1))

# %% wrong: - "`torch.sqrt(d_k)` stops: `sqrt` takes a tensor, and `d_k` is"
def my_scaled_scores(queries, keys):
    d_k = queries.size(-1)
    return torch.matmul(queries, keys.mT) / torch.sqrt(d_k)
