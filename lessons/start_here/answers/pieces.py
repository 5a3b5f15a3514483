# %% right
my_pieces = torch.arange(12).view(2, 3, 2).permute(1, 0, 2)

# %% right
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.stack(two_tokens.split(2, dim=1), dim=0)

# %% right
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.tensor([[token[2 * k : 2 * k + 2] for token in two_tokens.tolist()] for k in range(3)])

# %% right
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.zeros(3, 2, 2)
for token in range(2):
    for position in range(6):
        my_pieces[position // 2, token, position % 2] = two_tokens[token, position]

# %% wrong: - "The cell stops before it can be checked: RuntimeError"
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
cut = two_tokens.view(3, 2)
my_pieces = torch.stack([cut, cut], dim=1)
