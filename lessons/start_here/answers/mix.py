# %% right
my_mix = torch.tensor([0.7, 0.5, 1.6, 5.0])

# %% right
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = other.T @ weights

# %% right
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = sum(float(weights[i]) * other[i] for i in range(3))

# %% right
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.from_numpy(np.average(other.double().numpy(), axis=0, weights=weights.double().numpy()))

# %% wrong: - "A function was handed in. A tensor is asked for: add the bra"
my_mix = torch.sum

# %% wrong: - "The cell stops before it can be checked: RuntimeError"
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = other @ weights
