# %% right
my_padding_mask = attention.padding_mask

# %% right
def my_padding_mask(valid_lens, num_keys):
    table = torch.ones(num_keys + 1, num_keys).tril(diagonal=-1).bool()
    return table[valid_lens][:, None, None]

# %% right
def my_padding_mask(valid_lens, num_keys):
    left_over = valid_lens.view(-1, 1, 1, 1) - torch.arange(num_keys).view(1, 1, 1, -1)
    return left_over.clamp(min=0).to(torch.bool)

# %% right
def my_padding_mask(valid_lens, num_keys):
    ends = F.one_hot(valid_lens.long(), num_keys + 1)
    ended = ends.cumsum(dim=-1)[:, :num_keys]
    return ended.eq(0)[:, None, None]

# %% right
def my_padding_mask(valid_lens, num_keys):
    table = torch.ones(num_keys + 1, num_keys, dtype=torch.bool).tril(-1)
    return table[valid_lens.long()].reshape(-1, 1, 1, num_keys)

# %% right
def my_padding_mask(valid_lens, num_keys):
    batch = valid_lens.shape[0]
    grid = torch.arange(num_keys).expand(batch, 1, 1, num_keys)
    return ~torch.ge(grid, valid_lens.view(batch, 1, 1, 1))

# %% right
def my_padding_mask(valid_lens, num_keys):
    rows = [[True] * int(n) + [False] * (num_keys - int(n)) for n in valid_lens]
    return torch.tensor(rows, dtype=torch.bool).reshape(-1, 1, 1, num_keys)

# %% right
def my_padding_mask(valid_lens, num_keys):
    rows = [torch.tensor([key < length for key in range(num_keys)]) for length in valid_lens.tolist()]
    return torch.stack(rows).view(-1, 1, 1, num_keys)

# %% right
def my_padding_mask(valid_lens, num_keys):
    mask = torch.zeros(len(valid_lens), 1, 1, num_keys, dtype=torch.bool)
    for i, n in enumerate(valid_lens.tolist()):
        mask[i, :, :, :n] = True
    return mask

# %% wrong: - "For the mask, a list came back. `torch.tensor` makes one ten"
my_padding_mask = lambda lens, num_keys: [[True] * num_keys for _ in lens]

# %% wrong: - "In your mask, the same row stands several times along `dim=-"
def my_padding_mask(valid_lens, num_keys):
    mask = torch.arange(num_keys) < valid_lens[:, None]
    return mask[:, None, None, :].expand(-1, 1, num_keys, num_keys)

# %% wrong: - "`positions < valid_lens` stops: (6,) meets (3,). Counted fro"
def my_padding_mask(valid_lens, num_keys):
    positions = torch.arange(num_keys)
    real = positions < valid_lens
    return real.view(len(valid_lens), 1, 1, num_keys)

# %% wrong: axes-missing
def my_padding_mask(valid_lens, num_keys):
    return torch.arange(num_keys) < valid_lens.unsqueeze(1)

# %% wrong: causal-added
def my_padding_mask(valid_lens, num_keys):
    causal = torch.ones(num_keys, num_keys, dtype=torch.bool).tril()
    padding = torch.arange(num_keys) < valid_lens[:, None]
    return padding[:, None, None, :] & causal

# %% wrong: full-row-stops
def my_padding_mask(valid_lens, num_keys):
    first_pad = F.one_hot(valid_lens, num_keys)
    is_padding = first_pad.cumsum(dim=-1).bool()
    return (~is_padding).view(-1, 1, 1, num_keys)

# %% wrong: length-0-whole
def my_padding_mask(valid_lens, num_keys):
    triangle = torch.ones(num_keys, num_keys, dtype=torch.bool).tril()
    return triangle[valid_lens - 1][:, None, None, :]

# %% wrong: lengths-in-arange
# arange makes the positions up to each length
def my_padding_mask(valid_lens, num_keys):
    mask = torch.zeros(len(valid_lens), 1, 1, num_keys).bool()
    mask[..., torch.arange(valid_lens)] = True
    return mask

# %% wrong: lens-no-axis
def my_padding_mask(valid_lens, num_keys):
    return (torch.arange(num_keys) < valid_lens)[:, None, None]

# %% wrong: - "In your mask, `True` and `False` have changed places. Look f"
def my_padding_mask(valid_lens, num_keys):
    batch = valid_lens.shape[0]
    where = torch.arange(num_keys).expand(batch, num_keys)
    return (where >= valid_lens.view(batch, 1)).view(batch, 1, 1, num_keys)

# %% wrong: mask-off-by-one
def my_padding_mask(valid_lens, num_keys):
    positions = torch.arange(num_keys)
    return (positions <= valid_lens[:, None])[:, None, None, :]

# %% wrong: pad-in-front
def my_padding_mask(valid_lens, num_keys):
    positions = torch.arange(num_keys)
    return (positions >= num_keys - valid_lens[:, None])[:, None, None, :]

# %% wrong: pad-over-queries
def my_padding_mask(valid_lens, num_keys):
    real = torch.arange(num_keys)[None, :] < valid_lens[:, None]
    return real[:, None, :, None]

# %% wrong: slice-by-lens
def my_padding_mask(valid_lens, num_keys):
    mask = torch.zeros(len(valid_lens), 1, 1, num_keys, dtype=torch.bool)
    mask[..., :valid_lens] = True
    return mask
