# %% wrong batch: axes-reversed
# the order of the three lengths is turned round: (3, 5, 4), as if the innermost axis were named first
my_batch = torch.zeros((3, 5, 4))

# %% wrong batch: ones
# thinks a token must have real numbers in it: they are drawn at random, not zeros
num_texts, num_tokens, width = 4, 5, 3
my_batch = torch.rand(num_texts, num_tokens, width)

# %% wrong batch: one-table
# lays the tokens of all four texts in one long table, (20, 3): the axis of texts is missing
my_batch = torch.cat([torch.zeros(5, 3) for text in range(4)])

# %% wrong batch: - "For the tensor, a list came back. `torch.stack` makes one te"
# a Python list of four tensors (5, 3): they are never put together into one tensor
my_batch = []
for text in range(4):
    my_batch.append(torch.zeros(5, 3))

# %% wrong batch: - "The tensor should have the shape `(4, 5, 3)`. Yours has `(3,"
# puts the three lengths into the tensor as its contents, and multiplies by 0: three zeros, shape (3,)
my_batch = torch.tensor([4.0, 5.0, 3.0]) * 0

# %% wrong batch: - "For the tensor, a NumPy array came back. Stay with torch all"
# makes it with numpy: the shape and the zeros are right, but it is an array and no tensor
my_batch = np.zeros(shape=(4, 5, 3))

# %% right batch
# nested lists handed to torch.tensor, so whole numbers (the dtype is left open)
my_batch = torch.tensor([[[0] * 3 for _ in range(5)] for _ in range(4)])

# %% right batch
# one zero, expanded to the shape: all cells share one place in memory
my_batch = torch.tensor(0.0).expand(4, 5, 3)

# %% wrong means: mean-axis
# means of the columns: dim=0 runs down, the result is (1, 3)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = torch.mean(table, 0, True)

# %% wrong means: no-keepdim
# forgot keepdim: the numbers 2 and 5 are right, but the shape is (2,)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(-1)

# %% wrong means: divided-by-rows
# divides the sum of each row by the number of rows (2), not by the 3 numbers that stand in a row
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
row_sums = table.sum(dim=1, keepdim=True)
my_means = row_sums / len(table)

# %% wrong means: laid-flat
# puts the lost axis back in the wrong place: [None] gives a row, (1, 2), where a column was asked for
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(dim=-1)[None]

# %% wrong means: rows-centred
# goes one move too far: takes the means off the rows, and hands in the difference, (2, 3)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
means = table.mean(dim=-1, keepdim=True)
my_means = table - means

# %% wrong means: mean-of-all
# one mean of the whole table, 3.5, written twice to get the shape
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = torch.full((2, 1), table.mean().item())

# %% right means
# the mean as a matrix product with three thirds
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table @ torch.full((3, 1), 1 / 3)

# %% right means
# row by row, with Python's own sum
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = torch.tensor([[sum(row) / len(row)] for row in table.tolist()])

# %% wrong mix: products-not-summed
# multiplies each row by its weight, but does not add the rows up: (3, 4)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = weights.unsqueeze(-1) * other

# %% wrong mix: weights-misplaced
# the weights are used in reverse: the last row gets .5, the first .2
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.zeros(4)
for i in range(3):
    my_mix += weights[-1 - i] * other[i]

# %% wrong mix: mean
# takes the mean of the weighted rows: a third of the weighted sum, although the weights add up to 1 already
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = (weights[:, None] * other).mean(dim=0)

# %% wrong mix: weights-on-columns
# gives the weights to the first three columns in place of the three rows, and sums along the rows: (3,)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = other[:, :3] @ weights

# %% wrong mix: extra-axis
# the right numbers, but the weights were made a matrix of one row first, so the shape is (1, 4)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([[0.5, 0.3, 0.2]])
my_mix = torch.mm(weights, other)

# %% wrong mix: row-left-out
# off by one: the loop ends before the last row, whose share of .2 is missing
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = sum(weights[i] * other[i] for i in range(len(weights) - 1))

# %% right mix
# tensordot over the axis of the rows
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.tensordot(weights, other, dims=1)

# %% right mix
# the columns as rows, times a vector on the right
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = other.T.mv(weights)

# %% wrong shares: softmax-all
# divides by the sum of the whole table, 21: all six numbers together add up to 1, not each row
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.sum()

# %% wrong shares: softmax-axis
# divides by the sums of the columns, so each column adds up to 1
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
column_sums = torch.einsum("rc->c", table)
my_shares = table / column_sums

# %% wrong shares: turned
# the table was turned to make the division fit, and not turned back: (3, 2), the shares stand in columns
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table.transpose(0, 1) / table.sum(dim=-1)

# %% wrong shares: divided-by-max
# divides by the largest number of each row in place of its sum
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.amax(dim=-1, keepdim=True)

# %% wrong shares: floor-division
# // is division that rounds down: every share becomes 0
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table // table.sum(dim=-1, keepdim=True)

# %% wrong shares: subtracted
# takes the sum off each row in place of dividing by it
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
totals = table.sum(dim=-1).view(2, 1)
my_shares = table - totals

# %% right shares
# normalize with the sum of absolute values (p=1): here all numbers are positive
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = F.normalize(table, p=1, dim=-1)

# %% right shares
# a diagonal matrix with one over each sum, times the table
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = torch.diag(1 / (table[:, 0] + table[:, 1] + table[:, 2])) @ table

# %% wrong pieces: view-no-transpose
# straight to the asked shape with one view: the first "piece" is 0 to 3, all from the first token
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.reshape(3, 2, -1)

# %% wrong pieces: every-third
# cuts into two pieces of three (2, 2, 3), then brings the axis of the single numbers to the front:
# the shape is (3, 2, 2), but my_pieces[0] holds 0, 3, 6, 9
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(2, 2, 3).permute(2, 0, 1)

# %% wrong pieces: not-moved
# the cut is made, but the pieces are not brought to the front: (2, 3, 2)
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.unflatten(-1, (3, 2))

# %% wrong pieces: full-turn
# pieces are in front, but within each, tokens and numbers have changed places:
# my_pieces[0] is [[0, 6], [1, 7]]
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.stack([piece.T for piece in two_tokens.split(2, dim=1)])

# %% wrong pieces: one-table
# after the transpose, glued to one long table of pieces, (6, 2)
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
cut = two_tokens.view(2, 3, 2).transpose(0, 1)
my_pieces = torch.cat(list(cut), dim=0)

# %% wrong pieces: one-piece
# hands in only the first piece of both tokens, shape (2, 2), as if that were the question
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
by_piece = two_tokens.view(2, 3, 2).transpose(0, 1)
my_pieces = by_piece[0]

# %% right pieces
# indexing with a table of places, no view and no transpose
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
first = torch.arange(0, 6, 2)
my_pieces = torch.stack([two_tokens[:, first], two_tokens[:, first + 1]], dim=-1).movedim(1, 0)

# %% right pieces
# unfold slides a window of 2 in steps of 2 along the last axis
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.unfold(1, 2, 2).permute(1, 0, 2).contiguous()
