# %% right
my_padding_mask = attention.padding_mask

# %% right
def my_padding_mask(valid_lens, num_keys):
    table = torch.ones(num_keys + 1, num_keys).tril(diagonal=-1).bool()
    return table[valid_lens][:, None, None]

# %% right
def my_padding_mask(valid_lens, num_keys):
    ends = F.one_hot(valid_lens.long(), num_keys + 1)
    ended = ends.cumsum(dim=-1)[:, :num_keys]
    return ended.eq(0)[:, None, None]

# %% right
def my_padding_mask(valid_lens, num_keys):
    rows = [torch.tensor([key < length for key in range(num_keys)]) for length in valid_lens.tolist()]
    return torch.stack(rows).view(-1, 1, 1, num_keys)

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

# %% wrong: - "In your mask, `True` and `False` have changed places. Look f"
def my_padding_mask(valid_lens, num_keys):
    batch = valid_lens.shape[0]
    where = torch.arange(num_keys).expand(batch, num_keys)
    return (where >= valid_lens.view(batch, 1)).view(batch, 1, 1, num_keys)
