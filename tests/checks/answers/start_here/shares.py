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

# %% right
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
inverse_sums = 1 / torch.einsum("rc->r", table)
my_shares = torch.diag(inverse_sums) @ table

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

# %% wrong: divided-by-length
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = F.normalize(table, dim=-1)

# %% wrong: divided-by-max
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.amax(dim=-1, keepdim=True)

# %% wrong: first-only
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table[0] / table[0].sum()

# %% wrong: floor-division
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table // table.sum(dim=-1, keepdim=True)

# %% wrong: last-only
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
for row in table:
    my_shares = row / row.sum()

# %% wrong: mean
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(dim=-1, keepdim=True)
my_shares = table / my_means

# %% wrong: one-row-left
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table.clone()
for i in range(len(table) - 1):
    my_shares[i] = my_shares[i] / my_shares[i].sum()

# %% wrong: rounded
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = (table / table.sum(dim=-1, keepdim=True)).round(decimals=1)

# %% wrong: softmax
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table.softmax(dim=-1)

# %% wrong: subtracted
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
totals = table.sum(dim=-1).view(2, 1)
my_shares = table - totals

# %% wrong: taken-off
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table - (table.sum(dim=-1, keepdim=True) - 1) / 3
