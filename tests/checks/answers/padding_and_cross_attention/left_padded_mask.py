# %% right
def my_left_padded_mask(valid_lens, num_tokens):
    real = attention.padding_mask(valid_lens, num_tokens).flip(-1)
    return real * torch.ones(num_tokens, num_tokens).tril().bool()

# %% right
def my_left_padded_mask(valid_lens, num_tokens):
    place = torch.arange(num_tokens)
    real = place >= num_tokens - valid_lens[:, None]
    return (real[:, None] & (place <= place[:, None]))[:, None]

# %% right
def my_left_padded_mask(valid_lens, num_tokens):
    real = torch.arange(num_tokens).flip(0) < valid_lens[:, None]
    square = torch.einsum("bq,bk->bqk", real.float(), real.float())
    return square.tril().bool().unsqueeze(1)

# %% right
def my_left_padded_mask(valid_lens, num_tokens):
    from_the_back = torch.arange(num_tokens, 0, -1)
    real = from_the_back <= valid_lens[:, None]
    square = real[:, :, None] & real[:, None, :]
    triangle = torch.eye(num_tokens).cumsum(dim=0) > 0
    return torch.stack([square & triangle], dim=1)

# %% right
def my_left_padded_mask(valid_lens, num_tokens):
    mask = torch.zeros(len(valid_lens), 1, num_tokens, num_tokens, dtype=torch.bool)
    for i, length in enumerate(valid_lens.tolist()):
        for query in range(num_tokens):
            mask[i, 0, query, num_tokens - length : query + 1] = True
    return mask

# %% right
def my_left_padded_mask(valid_lens, num_tokens):
    cells = []
    for length in valid_lens:
        begin = num_tokens - int(length)
        cells.append([[[begin <= key <= query for key in range(num_tokens)] for query in range(num_tokens)]])
    return torch.tensor(cells, dtype=torch.bool).reshape(len(valid_lens), 1, num_tokens, num_tokens)

# %% wrong: - "In your mask, only the first text came back. Look for the in"
def left_by_loop(valid_lens, num_tokens):
    mask = torch.zeros(len(valid_lens), 1, num_tokens, num_tokens, dtype=torch.bool)
    for i, length in enumerate(valid_lens.tolist()):
        for query in range(num_tokens):
            mask[i, 0, query, num_tokens - length : query + 1] = True
    return mask
my_left_padded_mask = lambda lens, n: left_by_loop(lens, n)[:1]

# %% wrong: - "In your mask, the axes stand in another order. `.transpose(0"
def left_by_loop(valid_lens, num_tokens):
    mask = torch.zeros(len(valid_lens), 1, num_tokens, num_tokens, dtype=torch.bool)
    for i, length in enumerate(valid_lens.tolist()):
        for query in range(num_tokens):
            mask[i, 0, query, num_tokens - length : query + 1] = True
    return mask
my_left_padded_mask = lambda lens, n: left_by_loop(lens, n).transpose(0, 1)

# %% wrong: diagonal-open
def my_left_padded_mask(valid_lens, num_tokens):
    positions = torch.arange(num_tokens)
    real = positions >= num_tokens - valid_lens[:, None]
    mask = real[:, None, None, :] & attention.causal_mask(num_tokens)
    # every token may at least look at itself, so that no row is empty
    return mask | torch.eye(num_tokens, dtype=torch.bool)

# %% wrong: flipped-together
def my_left_padded_mask(valid_lens, num_tokens):
    padding = attention.padding_mask(valid_lens, num_tokens)
    both = padding & attention.causal_mask(num_tokens)
    return both.flip(-1)

# %% wrong: length-0-whole
def my_left_padded_mask(valid_lens, num_tokens):
    real = torch.zeros(len(valid_lens), num_tokens, dtype=torch.bool)
    for i, n in enumerate(valid_lens):
        real[i, -int(n):] = True
    return real[:, None, None, :] & attention.causal_mask(num_tokens)

# %% wrong: lens-as-start
def my_left_padded_mask(valid_lens, num_tokens):
    positions = torch.arange(num_tokens)
    not_padding = positions[None, :] >= valid_lens[:, None]
    causal = attention.causal_mask(num_tokens)
    return not_padding[:, None, None, :] & causal[None, None]

# %% wrong: mask-lower
def my_left_padded_mask(valid_lens, num_tokens):
    right = attention.padding_mask(valid_lens, num_tokens) & attention.causal_mask(num_tokens)
    return right.flip(dims=(-2, -1))

# %% wrong: masks-ored
def my_left_padded_mask(valid_lens, num_tokens):
    start = num_tokens - valid_lens
    real = torch.arange(num_tokens) >= start[:, None]
    return real[:, None, None, :] | attention.causal_mask(num_tokens)

# %% wrong: moved-together
def my_left_padded_mask(valid_lens, num_tokens):
    mask = attention.padding_mask(valid_lens, num_tokens)
    shift = int(num_tokens - valid_lens.max())
    mask = mask.roll(shift, dims=-1)
    return mask & attention.causal_mask(num_tokens)[None, None]

# %% wrong: pad-at-end
def my_left_padded_mask(valid_lens, num_tokens):
    return attention.padding_mask(valid_lens, num_tokens) & attention.causal_mask(num_tokens)

# %% wrong: pad-off-by-one
def my_left_padded_mask(valid_lens, num_tokens):
    begins = (num_tokens - valid_lens).view(-1, 1, 1, 1)
    keys = torch.arange(num_tokens)
    return (keys > begins) & (keys[None, :] <= keys[:, None])

# %% wrong: pad-over-queries
def my_left_padded_mask(valid_lens, num_tokens):
    first_real = (num_tokens - valid_lens).view(-1, 1, 1, 1)
    queries = torch.arange(num_tokens).view(1, 1, -1, 1)
    return (queries >= first_real) & attention.causal_mask(num_tokens)

# %% wrong: padding-only
def my_left_padded_mask(valid_lens, num_tokens):
    mask = attention.padding_mask(valid_lens, num_tokens)
    return mask.flip(-1)
