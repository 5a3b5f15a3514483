# %% right
my_means = torch.tensor([[2.0], [5.0]])

# %% right
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table @ torch.full((3, 1), 1 / 3)

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
