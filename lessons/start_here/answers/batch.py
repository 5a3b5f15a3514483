# %% right
my_batch = torch.zeros((4, 5, 3))

# %% right
my_batch = torch.rand(4, 5, 3) * 0

# %% right
my_batch = torch.tensor([[[0] * 3] * 5] * 4)

# %% right
one_text = torch.stack([torch.ones(3) - torch.ones(3) for _ in range(5)])
my_batch = torch.stack([one_text] * 4)

# %% wrong: - "For the tensor, a NumPy array came back. Stay with torch all"
my_batch = np.zeros((4, 5, 3))

# %% wrong: - "For the tensor, a list came back. One tensor is made of it b"
my_batch = [torch.zeros(5, 3) for text in range(4)]

# %% wrong: - "For the tensor, a list came back. `torch.tensor` makes one t"
my_batch = [[[0.0] * 3 for _ in range(5)] for _ in range(4)]

# %% wrong: - "The cell stops before it can be checked: TypeError"
my_batch = torch.zeros_like((4, 5, 3))

# %% wrong: - "The shape is right, and it holds other numbers than 0: zeros"
my_batch = torch.ones(4, 5, 3)

# %% wrong: - "The tensor should have the shape `(4, 5, 3)`. Yours has `(3,"
my_batch = torch.tensor([4.0, 5.0, 3.0]) * 0

# %% wrong: - "`my_batch` is `None`: what you call gives nothing back, as `"
my_batch = print(torch.zeros(4, 5, 3))
