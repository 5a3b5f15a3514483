# %% right
my_additive_mask = torch.log

# %% right
def my_additive_mask(mask):
    return mask.double().log()

# %% right
def my_additive_mask(mask):
    return torch.log(mask.float())

# %% right
my_additive_mask = lambda mask: torch.where(mask, 0.0, -torch.inf)

# %% right
def my_additive_mask(mask):
    return torch.where(mask, 0.0, -torch.inf).half()

# %% right
def my_additive_mask(mask):
    numbers = torch.tensor([-torch.inf, 0.0])
    return numbers[mask.long()]

# %% right
def my_additive_mask(mask):
    M = torch.full(mask.shape, -math.inf, dtype=torch.float64)
    M[mask] = 0
    return M

# %% right
def my_additive_mask(mask):
    table = torch.zeros_like(mask, dtype=torch.float32)
    table[~mask] = float("-inf")
    return table

# %% right
def my_additive_mask(mask):
    if mask.dim() == 0:
        return torch.tensor(0.0 if mask else -math.inf)
    return torch.stack([my_additive_mask(part) for part in mask])

# %% right
def my_additive_mask(mask):
    cells = [0.0 if is_open else -math.inf for is_open in mask.flatten().tolist()]
    return torch.tensor(cells, dtype=torch.float64).view(mask.shape)

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

# %% wrong: all-masked-uniform
def my_additive_mask(mask):
    table = torch.zeros(mask.shape)
    table[~mask] = -1e9
    return table

# %% wrong: mask-ignored
def my_additive_mask(mask):
    return torch.triu(torch.full(mask.shape, float("-inf")), diagonal=1)

# %% wrong: mask-inverted
def my_additive_mask(mask):
    return torch.where(mask, -torch.inf, 0.0)

# %% wrong: nothing-hidden
def my_additive_mask(mask):
    M = torch.zeros(mask.shape)
    M.masked_fill(~mask, -torch.inf)
    return M

# %% wrong: open-as-one
def my_additive_mask(mask):
    return mask.float().masked_fill(~mask, float("-inf"))

# %% wrong: square-only
def my_additive_mask(mask):
    return torch.zeros(len(mask), len(mask)).masked_fill(~mask, -torch.inf)

# %% wrong: two-axes-only
def my_additive_mask(mask):
    table = torch.zeros(mask.shape)
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if not mask[i, j]:
                table[i, j] = -torch.inf
    return table

# %% wrong: zero-times-inf
def my_additive_mask(mask):
    return (~mask) * -torch.inf
