# %% wrong batch: - "For the tensor, a list came back. `torch.stack` makes one te"
# Makes four separate texts in a Python list, each a tensor of zeros, and never puts them together into one tensor.
my_batch = [torch.zeros(5, 3) for text in range(4)]

# %% wrong batch: axes-mixed
# Read "five tokens, three numbers" as the first two axes and put the batch last: (5, 3, 4).
numbers_per_token, num_tokens, batch_size = 3, 5, 4
my_batch = torch.zeros(num_tokens, numbers_per_token, batch_size)

# %% wrong batch: shape-for-numbers
# Takes torch.tensor for a maker of shapes: this is a tensor that holds the three numbers 4, 5, 3.
my_batch = torch.tensor([4, 5, 3])

# %% wrong batch: one-table
# Leaves the texts and tokens flattened into one axis of 20 rows: (20, 3), two axes and not three.
my_batch = torch.zeros(4 * 5, 3)

# %% wrong batch: - "The cell stops before it can be checked: TypeError"
# zeros_like wants a tensor to imitate; handed the shape itself, a tuple, it stops with a TypeError.
my_batch = torch.zeros_like((4, 5, 3))

# %% wrong batch: shape-returned
# Copies the result of .shape, not the tensor: my_batch is a torch.Size.
my_batch = torch.zeros(4, 5, 3).shape

# %% right batch
# Builds it text by text and token by token, then stacks twice.
token = torch.tensor([0.0, 0.0, 0.0])
text = torch.stack([token] * 5)
my_batch = torch.stack([text for _ in range(4)])

# %% right batch
# From numpy, so the dtype is float64; the prompt leaves the dtype open.
my_batch = torch.from_numpy(np.zeros((4, 5, 3)))

# %% wrong means: mean-axis
# Took the columns: dim=0 runs down the rows; the result is (1, 3).
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = torch.mean(table, 0, keepdim=True)

# %% wrong means: no-keepdim
# keepdim forgotten: the right two means, but in shape (2,).
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = torch.stack([row.mean() for row in table])

# %% wrong means: divided-by-rows
# Divides the sum of the row by the number of rows (len(table) is 2), not by the 3 numbers in the row.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.sum(dim=-1, keepdim=True) / len(table)

# %% wrong means: laid-flat
# Puts the extra axis at the front: unsqueeze(0) gives (1, 2).
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(dim=-1).unsqueeze(0)

# %% wrong means: mean-of-all
# No dim at all: one mean of the whole table, repeated for both rows.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean().expand(2, 1)

# %% wrong means: rows-centred
# Subtracts the mean from each row and keeps the difference (centred rows), not the means themselves.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
row_means = table.mean(dim=1, keepdim=True)
my_means = table - row_means

# %% right means
# A matrix product with a column of thirds.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table @ torch.full((3, 1), 1 / 3)

# %% right means
# einsum for the sum, then a new last axis by indexing with None.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
sums = torch.einsum("rc->r", table)
my_means = (sums / table.size(1))[:, None]

# %% wrong mix: softmax
# Runs the three weights through softmax first; they are weights already, so the mix comes out too even.
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.softmax(weights, dim=0) @ other

# %% wrong mix: products-not-summed
# Multiplies each row by its weight but forgets to add the rows up: (3, 4).
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.stack([w * row for w, row in zip(weights, other)])

# %% wrong mix: sum-axis
# Adds along the wrong axis after weighting: one number for each row, (3,), not for each column.
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = (weights.view(3, 1) * other).sum(dim=1)

# %% wrong mix: extra-axis
# Makes the weights a one-row matrix, so the result is (1, 4), not (4,).
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([[0.5, 0.3, 0.2]])
my_mix = weights @ other

# %% wrong mix: mean
# Divides the weighted sum by 3 as well: an average of what was already weighted.
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = (weights[:, None] * other).mean(dim=0)

# %% wrong mix: - "The cell stops before it can be checked: RuntimeError"
# `other @ weights`: the table stands on the left, so (3, 4) meets (3,) and PyTorch stops with an error.
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = other @ weights

# %% right mix
# A running total, row after row.
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.zeros(4)
for i in range(3):
    my_mix += weights[i] * other[i]

# %% right mix
# The table turned round, with the weights as a vector on its right: torch.mv.
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.mv(other.T, weights)

# %% wrong shares: softmax-axis
# Divides by the sums of the columns (dim=0): the columns add up to 1, the rows do not.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.sum(dim=0, keepdim=True)

# %% wrong shares: softmax-all
# Divides the whole table by its total, 21: all six add up to 1, no row does.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
total = sum(float(x) for row in table for x in row)
my_shares = table / total

# %% wrong shares: - "The cell stops before it can be checked: RuntimeError"
# No keepdim: (2, 3) / (2,) does not broadcast, and stops with an error.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
row_sums = table.sum(dim=-1)
my_shares = table / row_sums

# %% wrong shares: softmax
# Softmax makes each row add up to 1 too, but it is not the row divided by its own sum.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table.softmax(dim=-1)

# %% wrong shares: divided-by-length
# F.normalize makes the length of each row 1 (root of the sum of squares), not its sum.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = F.normalize(table, dim=-1)

# %% wrong shares: floor-division
# Floor division // in place of /: every share becomes 0.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table // table.sum(dim=-1, keepdim=True)

# %% right shares
# F.normalize with p=1 does it: the sum of the sizes, and all numbers are positive.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = F.normalize(table, p=1, dim=1)

# %% right shares
# Turned on its side, divided, turned back.
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = (table.T / table.sum(dim=-1)).T

# %% wrong pieces: view-no-transpose
# Views straight into (3, 2, 2): the shape is right, but piece 0 holds four numbers of the first token.
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(3, 2, 2)

# %% wrong pieces: not-moved
# Cuts the tokens right but leaves the tokens in front: (2, 3, 2).
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.unflatten(-1, (3, 2))

# %% wrong pieces: every-third
# Cuts with (2, 2, 3), two pieces of three, and then sends the last axis to the front: right shape, wrong numbers
# (piece 0 is 0, 3 and 6, 9).
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(2, 2, 3).permute(2, 0, 1)

# %% wrong pieces: full-turn
# Also exchanges the last two axes: in each piece the tokens run down the columns and not down the rows.
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
cut = two_tokens.view(2, 3, 2)
my_pieces = cut.permute(1, 2, 0)

# %% wrong pieces: tuple-of-pieces
# torch.chunk returns a tuple of three pieces, which was not stacked into a tensor of shape (3, 2, 2).
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.chunk(3, dim=-1)

# %% wrong pieces: wrong-cut
# Split size and number of pieces mixed up: split(3) gives two pieces of three numbers each, stacked to (2, 2, 3).
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.stack(two_tokens.split(3, dim=1))

# %% right pieces
# Slices with a step of the loop, stacked at the front.
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.stack([two_tokens[:, start:start + 2] for start in (0, 2, 4)])

# %% right pieces
# Turns first, then views: six columns become rows, cut into 3 x 2, then the last two axes change places. A float too.
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.float().t().reshape(3, 2, 2).transpose(1, 2).contiguous()
