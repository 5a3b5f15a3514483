# %% wrong batch: features-missing
# forgot the last axis: no place for the three numbers of a token
my_batch = torch.zeros(4, 5)

# %% wrong batch: seq-batch-swapped
# wrong order of the axes: tokens first, then texts
num_texts, num_tokens, width = 4, 5, 3
my_batch = torch.zeros(num_tokens, num_texts, width)

# %% wrong batch: shape-for-numbers
# takes the shape for the content: a tensor that holds the numbers 4, 5, 3
my_batch = torch.tensor([4, 5, 3])

# %% wrong batch: - "For the tensor, a list came back. `torch.tensor` makes one t"
# a nested Python list of the right form, not a tensor
my_batch = [[[0.0 for _ in range(3)] for _ in range(5)] for _ in range(4)]

# %% wrong batch: shape-returned
# hands in the shape of the tensor in place of the tensor
zeros = torch.zeros(4, 5, 3)
my_batch = zeros.shape

# %% wrong batch: one-table
# texts and tokens laid into one axis: (20, 3), 4 * 5 tokens one below the other
my_batch = torch.zeros(4 * 5, 3)

# %% right batch
# whole-number zeros: the prompt leaves the dtype open
my_batch = torch.zeros((4, 5, 3), dtype=torch.int64)

# %% right batch
# built text by text and stacked; minus a tensor from itself for the zeros
one_text = torch.stack([torch.ones(3) - torch.ones(3) for _ in range(5)])
my_batch = torch.stack([one_text] * 4)

# %% wrong means: mean-axis
# the mean of each column, shape (1, 3)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(dim=0, keepdim=True)

# %% wrong means: no-keepdim
# right numbers, but the axis is lost: shape (2,) in place of (2, 1)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = torch.mean(table, -1)

# %% wrong means: sum
# the sum of each row, not the mean: forgot to divide
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.sum(dim=-1, keepdim=True)

# %% wrong means: divided-by-rows
# divides the row sums by the number of rows (2) in place of the number of columns (3)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
row_sums = table.sum(dim=-1, keepdim=True)
my_means = row_sums / len(table)

# %% wrong means: laid-flat
# the new axis is put in front: a row (1, 2) in place of a column (2, 1)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
first, second = table
my_means = torch.stack([first.mean(), second.mean()]).unsqueeze(0)

# %% wrong means: - "The cell stops before it can be checked: RuntimeError"
# typed the table anew without decimal points: mean of whole numbers stops with an error
table = torch.tensor([[1, 2, 3], [4, 5, 6]])
my_means = table.mean(dim=-1, keepdim=True)

# %% right means
# a matrix product with a column of thirds
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table @ torch.full((3, 1), 1 / 3)

# %% right means
# a loop over the rows, plain numbers collected in a nested list
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
collected = []
for row in table.tolist():
    collected.append([sum(row) / len(row)])
my_means = torch.tensor(collected)

# %% wrong mix: - "The cell stops before it can be checked: RuntimeError"
# the vector stands on the wrong side: (3, 4) @ (3,) stops with an error
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = other @ weights

# %% wrong mix: view-no-transpose
# made (3, 4) into (4, 3) with view, not with transpose: right shape, wrong numbers
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = other.view(4, 3) @ weights

# %% wrong mix: products-not-summed
# the weighted rows are not added up: shape (3, 4)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = weights.unsqueeze(-1) * other

# %% wrong mix: sum-axis
# sums over the wrong axis: one number for each row, shape (3,)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
weighted_rows = weights[:, None] * other
my_mix = weighted_rows.sum(dim=-1)

# %% wrong mix: mean
# divides by the number of rows once more, though the weights add up to 1 already
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = (weights @ other) / 3

# %% wrong mix: extra-axis
# the weights as a table of one row: the result has shape (1, 4), not (4,)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([[0.5, 0.3, 0.2]])
my_mix = torch.matmul(weights, other)

# %% wrong mix: weights-misplaced
# the last two weights are exchanged when picking rows by hand
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = weights[0] * other[0] + weights[2] * other[1] + weights[1] * other[2]

# %% right mix
# transposed: the vector on the right, one number for each row of other transposed
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = other.transpose(0, 1) @ weights

# %% right mix
# a loop that adds up, in float64
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.zeros(4, dtype=torch.float64)
for w, r in zip(weights, other):
    my_mix += w * r

# %% wrong shares: softmax-all
# divides by the sum of the whole table: all six numbers add up to 1, not each row
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.sum()

# %% wrong shares: softmax-axis
# divides by the sums of the columns: each column adds up to 1
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.sum(dim=0)

# %% wrong shares: - "The cell stops before it can be checked: RuntimeError"
# forgot keepdim: (2, 3) / (2,) stops with an error
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
sums = table.sum(dim=-1)
my_shares = table / sums

# %% wrong shares: mean
# divides by the mean of the row (from the exercise before): rows add up to 3
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(dim=-1, keepdim=True)
my_shares = table / my_means

# %% wrong shares: softmax
# softmax in place of dividing by the sum: rows add up to 1, but the numbers are others
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table.softmax(dim=-1)

# %% wrong shares: turned
# turned the table so that the shapes fit, and did not turn it back: (3, 2)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table.T / table.sum(dim=-1)

# %% wrong shares: one-row-left
# the loop stops one row too early: the second row is still undivided
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table.clone()
for i in range(len(table) - 1):
    my_shares[i] = my_shares[i] / my_shares[i].sum()

# %% right shares
# PyTorch's own: normalize with p=1, as all numbers are positive
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = F.normalize(table, p=1, dim=-1)

# %% right shares
# a diagonal matrix of one over the row sums, from the left
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = torch.diag(1 / table.sum(1)) @ table

# %% wrong pieces: view-no-transpose
# view straight into the wanted shape: right shape, but piece 0 holds two pieces of the first token
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(3, 2, 2)

# %% wrong pieces: not-moved
# cut, but the pieces are not brought to the front: (2, 3, 2)
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
cut = two_tokens.view(2, 3, 2)
my_pieces = cut

# %% wrong pieces: wrong-cut
# two pieces of three in place of three pieces of two: (2, 2, 3)
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(2, 2, 3).transpose(0, 1)

# %% wrong pieces: full-turn
# transposes the table first and cuts then: right shape, inside each piece numbers and tokens are exchanged
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
columns = two_tokens.transpose(0, 1)
my_pieces = columns.reshape(3, 2, 2)

# %% wrong pieces: tuple-of-pieces
# a tuple of the three pieces, not stacked into one tensor
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.chunk(3, dim=1)

# %% wrong pieces: every-third
# takes every third number in place of two neighbours: piece 0 is 0 and 3, 6 and 9
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.stack([two_tokens[:, start::3] for start in range(3)])

# %% wrong pieces: last-axes-swapped
# exchanges the last two axes after the view: (2, 2, 3)
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(2, 3, 2).transpose(1, 2)

# %% right pieces
# slices of two neighbouring columns, stacked
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.stack([two_tokens[:, 2 * i : 2 * i + 2] for i in range(3)])

# %% right pieces
# unflatten and permute
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.unflatten(-1, (3, 2)).permute(1, 0, 2).contiguous()
