# %% right
my_batch = torch.zeros((4, 5, 3))

# %% right
my_batch = torch.rand(4, 5, 3) * 0

# %% right
my_batch = torch.tensor([[[0] * 3] * 5] * 4)

# %% right
my_batch = torch.tensor([[[0] * 3 for _ in range(5)] for _ in range(4)])

# %% right
my_batch = torch.stack([torch.zeros(5, 3, dtype=torch.float64) for _ in range(4)])

# %% right
one_text = torch.stack([torch.ones(3) - torch.ones(3) for _ in range(5)])
my_batch = torch.stack([one_text] * 4)

# %% right
token = torch.tensor([0.0, 0.0, 0.0])
text = torch.stack([token] * 5)
my_batch = torch.stack([text for _ in range(4)])

# %% wrong: - "For the tensor, a NumPy array came back. Stay with torch all"
my_batch = np.zeros((4, 5, 3))

# %% wrong: - "For the tensor, a list came back. One tensor is made of it b"
my_batch = [torch.zeros(5, 3) for text in range(4)]

# %% wrong: - "For the tensor, a list came back. `torch.tensor` makes one t"
my_batch = [[[0.0] * 3 for _ in range(5)] for _ in range(4)]

# %% wrong: - "The cell stops before it can be checked: TypeError"
my_batch = torch.zeros_like((4, 5, 3))

# %% wrong: - "The tensor should have the shape `(4, 5, 3)`. Yours has `(3,"
my_batch = torch.tensor([4.0, 5.0, 3.0]) * 0

# %% wrong: - "`my_batch` is `None`: what you call gives nothing back, as `"
my_batch = print(torch.zeros(4, 5, 3))

# %% wrong: axes-mixed
texts = []
for _ in range(4):
    texts.append(torch.zeros(5, 3))
my_batch = torch.stack(texts, dim=-1)

# %% wrong: axes-reversed
my_batch = torch.zeros((3, 5, 4))

# %% wrong: features-missing
my_batch = torch.zeros(4, 5)

# %% wrong: features-swapped
my_batch = torch.zeros(4, 3, 5)

# %% wrong: numbers-as-axes
my_batch = torch.zeros(4, 5, 1, 1, 1)

# %% wrong: one-axis
# as many zeros as are needed in all
my_batch = torch.zeros(4 * 5 * 3)

# %% wrong: one-table
my_batch = torch.zeros(4 * 5, 3)

# %% wrong: ones
torch.manual_seed(123)
my_batch = torch.randn(4, 5, 3)

# %% wrong: seq-batch-swapped
num_texts, num_tokens, width = 4, 5, 3
my_batch = torch.zeros(num_tokens, num_texts, width)

# %% wrong: shape-for-numbers
my_batch = torch.tensor([4, 5, 3])

# %% wrong: texts-missing
num_tokens, width = 5, 3
my_batch = torch.zeros((num_tokens, width))
