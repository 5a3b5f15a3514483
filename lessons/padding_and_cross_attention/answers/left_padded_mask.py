# %% right
def my_left_padded_mask(valid_lens, num_tokens):
    real = attention.padding_mask(valid_lens, num_tokens).flip(-1)
    return real * torch.ones(num_tokens, num_tokens).tril().bool()

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
