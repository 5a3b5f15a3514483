# %% wrong batch: texts-missing
# builds one text of five tokens only: the axis of the four texts is forgotten, shape (5, 3)
num_tokens, width = 5, 3
my_batch = torch.zeros((num_tokens, width))

# %% wrong batch: shape-for-numbers
# puts the three sizes into a tensor as its numbers: a vector holding 4, 5 and 3, not a table of that shape
my_batch = torch.tensor([4, 5, 3])

# %% wrong batch: axes-mixed
# four texts are stacked along a new LAST axis in place of a new first one: shape (5, 3, 4)
texts = []
for _ in range(4):
    texts.append(torch.zeros(5, 3))
my_batch = torch.stack(texts, dim=-1)

# %% wrong batch: - "For the tensor, a NumPy array came back. Stay with torch all"
# made with NumPy: shape and zeros are right, but it is an array, no tensor
my_batch = np.zeros((4, 5, 3))

# %% wrong batch: - "For the tensor, a list came back. `torch.stack` makes one te"
# a Python list of four tensors of shape (5, 3), never put together into one tensor
my_batch = [torch.zeros(5, 3) for text in range(4)]

# %% right batch
# whole numbers, written as nested lists; the prompt asks for no dtype
my_batch = torch.tensor([[[0] * 3] * 5] * 4)

# %% right batch
# one zero, repeated by expand (memory is shared, and it is float64)
zero = torch.tensor(0.0, dtype=torch.float64)
my_batch = zero.expand(4, 5, 3)

# %% wrong means: divided-by-rows
# the sum of each row is divided by the number of rows (len of the table is 2), not by the 3 numbers in a row
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
row_sums = table.sum(dim=-1, keepdim=True)
my_means = row_sums / len(table)

# %% wrong means: laid-flat
# the means of the rows are right, but the length-1 axis is put back in front: shape (1, 2) in place of (2, 1)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(dim=1).unsqueeze(0)

# %% wrong means: mean-axis
# two mistakes: dim=0 (means of the columns, in place of the rows), and no keepdim; shape (3,)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(dim=0)

# %% wrong means: mean-of-all
# one mean over the whole table, 3.5, repeated for both rows: shape (2, 1), but not the mean of each row
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
overall = table.sum() / table.numel()
my_means = overall.repeat(2, 1)

# %% wrong means: sum
# forgot to divide by the number of columns: these are the sums of the rows, in the right shape
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
collected = torch.zeros(2, 1)
for column in range(3):
    collected += table[:, column:column + 1]
my_means = collected

# %% right means
# a matrix product with a column of thirds
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
thirds = torch.full((3, 1), 1 / 3)
my_means = table @ thirds

# %% right means
# Python's own sum over lists, then a tensor of shape (2, 1) in float64
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = torch.tensor([[sum(row) / len(row)] for row in table.tolist()], dtype=torch.float64)

# %% wrong mix: extra-axis
# the weights are made a (1, 3) matrix first, so the result has shape (1, 4) in place of (4,)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = weights.reshape(1, 3) @ other

# %% wrong mix: mean
# each row gets its weight, but the mean over the rows is taken in place of the sum: everything divided by 3
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
weighted_rows = weights.unsqueeze(-1) * other
my_mix = weighted_rows.mean(dim=0)

# %% wrong mix: last-only
# the loop overwrites in place of adding up (= where += was needed): only the last row, times .2, is left
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.zeros(4)
for w, row in zip(weights, other):
    my_mix = w * row

# %% wrong mix: weights-on-columns
# vector put on the right of @; to stop the error of the lengths the last column of other was cut off.
# So the weights go to the columns, not to the rows: shape (3,)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = other[:, :3] @ weights

# %% wrong mix: products-not-summed
# stops after multiplying: the weighted rows are never added up, shape (3, 4)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.einsum("r,rc->rc", weights, other)

# %% right mix
# the table on the left, transposed: (4, 3) @ (3,)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = other.T @ weights

# %% right mix
# NumPy's weighted average (the weights add up to 1), turned into a tensor: float64 may come out
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.from_numpy(np.average(other.double().numpy(), axis=0, weights=weights.double().numpy()))

# %% wrong shares: softmax-axis
# divides by the sums of the columns (dim=0, which fits without an error): the columns add up to 1, not the rows
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.sum(dim=0)

# %% wrong shares: softmax-all
# divides by the sum of the whole table: all six numbers together make 1, not each row
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
total = 0.0
for row in table:
    for number in row:
        total += number
my_shares = table / total

# %% wrong shares: softmax
# softmax: rows add up to 1, but they are shares of the exponentials, not each row divided by its own sum
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = F.softmax(table, dim=1)

# %% wrong shares: - "In the tensor, the first difference is at `[0, 1]`: it shoul"
# divides in place and asks for the row's sum anew at every step: after the first division the sum has changed
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table.clone()
for i in range(2):
    for j in range(3):
        my_shares[i, j] /= my_shares[i].sum()

# %% wrong shares: turned
# transposed so that the sums of shape (2,) fit, and never transposed back: shape (3, 2), shares stand in columns
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
sums = table.sum(dim=-1)
my_shares = table.transpose(0, 1) / sums

# %% right shares
# F.normalize with p=1: divides each row by the sum of its absolute values, here its sum
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = F.normalize(table, p=1, dim=-1)

# %% right shares
# a diagonal matrix of 1 / sum from the left
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
inverse_sums = 1 / torch.einsum("rc->r", table)
my_shares = torch.diag(inverse_sums) @ table

# %% wrong pieces: view-no-transpose
# one view straight into the wanted shape: my_pieces[0] holds 0 1 2 3, two pieces of the first token
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(3, 2, 2)

# %% wrong pieces: full-turn
# transposes the table first, then reshapes: shape (3, 2, 2), but the last two axes are exchanged,
# my_pieces[0] is [[0, 6], [1, 7]]: its rows are positions, not tokens
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
flipped = two_tokens.transpose(0, 1)
my_pieces = flipped.reshape(3, 2, 2)

# %% wrong pieces: pieces-overlap
# the window moves on by 1 and not by 2, so the pieces overlap: columns 0-1, 1-2, 2-3
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
collected = []
for start in range(3):
    collected.append(two_tokens[:, start:start + 2])
my_pieces = torch.stack(collected)

# %% wrong pieces: not-moved
# cuts, but forgets to bring the pieces to the front (transpose is not in place, its result is thrown away): (2, 3, 2)
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(2, 3, 2)
my_pieces.transpose(0, 1)

# %% wrong pieces: every-third
# takes every third number, not two neighbours: my_pieces[0] is [[0, 3], [6, 9]]
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.stack([two_tokens[:, p::3] for p in range(3)])

# %% right pieces
# split along the columns, then stacked: no view and no transpose
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.stack(two_tokens.split(2, dim=1), dim=0)

# %% right pieces
# filled number by number in loops into a float table
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.zeros(3, 2, 2)
for token in range(2):
    for position in range(6):
        my_pieces[position // 2, token, position % 2] = two_tokens[token, position]

