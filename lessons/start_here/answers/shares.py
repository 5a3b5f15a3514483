# %% right
my_shares = torch.tensor([[1 / 6, 1 / 3, 0.5], [4 / 15, 1 / 3, 0.4]])

# %% right
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = (table.T / table.sum(dim=-1)).T

# %% right
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = torch.diag(1 / table.sum(dim=1)) @ table

# %% right
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = torch.diag(1 / (table[:, 0] + table[:, 1] + table[:, 2])) @ table

# %% wrong: - "In the tensor, the first difference is at `[0, 1]`: it shoul"
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table.clone()
for i in range(2):
    for j in range(3):
        my_shares[i, j] /= my_shares[i].sum()

# %% wrong: - "In your tensor, all numbers of a table together add up to 1."
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.sum()

# %% wrong: - "In your tensor, each number is 1 over the right one. Somethi"
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table.sum(dim=1, keepdim=True) / table

# %% wrong: - "In your tensor, the columns add up to 1, and the rows do not"
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.sum(dim=0)

# %% wrong: - "The cell stops before it can be checked: RuntimeError"
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.sum(dim=-1)
