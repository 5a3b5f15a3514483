# %% right
my_means = torch.tensor([[2.0], [5.0]])

# %% right
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table @ torch.full((3, 1), 1 / 3)

# %% right
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = torch.tensor([[sum(row) / len(row)] for row in table.tolist()])

# %% right
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
sums = torch.einsum("rc->r", table)
my_means = (sums / table.size(1))[:, None]

# %% right
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
collected = []
for row in table.tolist():
    collected.append([sum(row) / len(row)])
my_means = torch.tensor(collected)

# %% wrong: - "For the tensor, a list came back. `torch.tensor` makes one t"
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = []
for row in table:
    my_means.append([row.mean().item()])

# %% wrong: divided-by-rows
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.sum(dim=-1, keepdim=True) / len(table)

# %% wrong: first-only
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = torch.stack([table[0].mean(), table[0].mean()]).view(2, 1)

# %% wrong: mean-axis
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(dim=0, keepdim=True)

# %% wrong: mean-of-all
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean().expand(2, 1)

# %% wrong: no-keepdim
my_means = torch.tensor([2.0, 5.0])

# %% wrong: repeated
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = torch.ones_like(table) * table.mean(dim=-1, keepdim=True)

# %% wrong: rows-centred
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
means = table.mean(dim=-1, keepdim=True)
my_means = table - means

# %% wrong: sum
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.sum(dim=-1, keepdim=True)

# %% wrong: view-no-transpose
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.view(3, 2).mean(dim=-1, keepdim=True)
