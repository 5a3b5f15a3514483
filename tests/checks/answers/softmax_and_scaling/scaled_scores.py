# %% right
my_scaled_scores = lambda queries, keys: torch.matmul(queries / keys.shape[-1] ** 0.5, keys.mT)

# %% right
my_scaled_scores = lambda queries, keys: queries.double() @ keys.double().mT * queries.shape[-1] ** (-0.5)

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

# %% right
def my_scaled_scores(queries, keys):
    fourth_root = queries.shape[-1] ** 0.25
    return torch.einsum("...qd,...kd->...qk", queries / fourth_root, keys / fourth_root)

# %% right
def my_scaled_scores(queries, keys):
    columns = [(queries * keys[..., j : j + 1, :]).sum(-1) for j in range(keys.shape[-2])]
    return torch.stack(columns, dim=-1) / math.sqrt(keys.size(-1))

# %% right
def my_scaled_scores(queries, keys):
    fourth_root = keys.shape[-1] ** 0.25
    q = (queries / fourth_root).unsqueeze(-2)
    k = (keys / fourth_root).unsqueeze(-3)
    return (q * k).sum(dim=-1)

# %% wrong: - "`torch.sqrt(d_k)` stops: `sqrt` takes a tensor, and `d_k` is"
def my_scaled_scores(queries, keys):
    d_k = queries.size(-1)
    return torch.matmul(queries, keys.mT) / torch.sqrt(d_k)

# %% wrong: all-counted
def my_scaled_scores(queries, keys):
    return queries @ keys.mT / queries.numel() ** 0.5

# %% wrong: batch-mixed
def my_scaled_scores(queries, keys):
    return queries.flatten(0, -2) @ keys.flatten(0, -2).T / queries.shape[-1] ** 0.5

# %% wrong: batch-required
def my_scaled_scores(queries, keys):
    return torch.einsum("bqd,bkd->bqk", queries, keys) / math.sqrt(queries.shape[2])

# %% wrong: fixed-width
def my_scaled_scores(queries, keys):
    scores = queries @ keys.swapaxes(-2, -1)
    return scores / 8.0

# %% wrong: keys-alone
def my_scaled_scores(queries, keys):
    return keys @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5

# %% wrong: keys-fixed-axes
def my_scaled_scores(queries, keys):
    root = queries.size(-1) ** 0.5
    return torch.matmul(queries, keys.transpose(1, 2)) / root

# %% wrong: keys-full-turn
def my_scaled_scores(queries, keys):
    return queries @ keys.permute(*reversed(range(keys.dim()))) / queries.shape[-1] ** 0.5

# %% wrong: measured
def my_scaled_scores(queries, keys):
    scores = queries @ keys.transpose(-2, -1)
    return scores / scores.std()

# %% wrong: no-scale
def my_scaled_scores(queries, keys):
    return queries @ keys.transpose(-2, -1)

# %% wrong: other-root
def my_scaled_scores(queries, keys):
    return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** (1 / 3)

# %% wrong: qk-swapped
def my_scaled_scores(queries, keys):
    scale = math.sqrt(keys.shape[-1])
    return (keys @ queries.transpose(-2, -1)) / scale

# %% wrong: root-cut
def my_scaled_scores(queries, keys):
    root = math.isqrt(queries.shape[-1])
    return queries @ keys.transpose(-2, -1) / root

# %% wrong: root-of-scores
def my_scaled_scores(queries, keys):
    d = queries.shape[-1]
    return ((queries @ keys.transpose(-2, -1)) / d) ** 0.5

# %% wrong: root-precedence
def my_scaled_scores(queries, keys):
    d = queries.shape[-1]
    return queries @ keys.transpose(-2, -1) / (d ** 1 / 2)

# %% wrong: scale-inverted
def my_scaled_scores(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1)
    return attn_scores / queries.shape[-1] ** -0.5

# %% wrong: scale-no-root
def my_scaled_scores(queries, keys):
    head_dim = queries.size(-1)
    return torch.einsum("...qd,...kd->...qk", queries, keys) / head_dim

# %% wrong: scale-times-width
def my_scaled_scores(queries, keys):
    width = queries.shape[-1]
    return queries @ keys.transpose(-2, -1) * (width * -0.5)

# %% wrong: scale-wrong-axis
def my_scaled_scores(queries, keys):
    num_keys = keys.shape[-2]
    return queries @ keys.mT / math.sqrt(num_keys)

# %% wrong: view-no-transpose
def my_scaled_scores(queries, keys):
    *batch, num_keys, head_dim = keys.shape
    turned = keys.reshape(*batch, head_dim, num_keys)
    return (queries @ turned) / head_dim**0.5
