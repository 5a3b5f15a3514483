# %% right
my_additive_mask = torch.log

# %% right
def my_additive_mask(mask):
    return mask.double().log()

# %% right
my_additive_mask = lambda mask: torch.where(mask, 0.0, -torch.inf)

# %% right
def my_additive_mask(mask):
    if mask.dim() == 0:
        return torch.tensor(0.0 if mask else -math.inf)
    return torch.stack([my_additive_mask(part) for part in mask])

# %% wrong: - "In your table, +0.5 is added to every number. Look for a ter"
my_additive_mask = lambda mask: torch.where(mask, 0.5, -torch.inf)

# %% wrong: - "`may.item()` stops: a single number is needed, and `may` has"
def my_additive_mask(mask):
    out = []
    for row in mask:
        out.append([0.0 if may.item() else -math.inf for may in row])
    return torch.tensor(out)

# %% wrong: - "`num_queries, num_keys = mask.shape` stops: `mask.shape` is "
def my_additive_mask(mask):
    num_queries, num_keys = mask.shape
    M = torch.zeros(num_queries, num_keys)
    for i in range(num_queries):
        for j in range(num_keys):
            if not mask[i, j]:
                M[i, j] = -math.inf
    return M
