# %% wrong batch: shape-for-numbers
# hands the numbers to torch.tensor: a vector that holds 4, 5, 3, not zeros in that shape
my_batch = torch.tensor([4.0, 5.0, 3.0])

# %% wrong batch: axes-reversed
# stacks the sizes upside down: three numbers first, then tokens, then texts (3, 5, 4)
num_texts, num_tokens, width = 4, 5, 3
my_batch = torch.zeros(width, num_tokens, num_texts)

# %% wrong batch: one-table
# lays the tokens of all texts one below the other: (20, 3), a table in place of three axes
my_batch = torch.zeros(4 * 5, 3)

# %% wrong batch: ones
# torch.empty reserves the shape but writes no zeros; here the ones the machine left there (made visible with fill_)
my_batch = torch.empty(4, 5, 3).fill_(1.0)

# %% wrong batch: - "For the tensor, a list came back. `torch.tensor` makes one t"
# nested lists of the right lengths, never made into a tensor
my_batch = [[[0.0] * 3 for _ in range(5)] for _ in range(4)]

# %% wrong means: mean-axis
# takes the mean over dim=0 and turns the result upright: the means of the three columns, shape (3, 1)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(dim=0, keepdim=True).T

# %% wrong means: divided-by-rows
# divides the row sums by the number of rows (len(table) is 2), not by the three numbers in a row
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.sum(dim=-1, keepdim=True) / len(table)

# %% wrong means: laid-flat
# unsqueezes at the front: the right means in a row, shape (1, 2)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(dim=1).unsqueeze(0)

# %% wrong means: mean-of-all
# one mean of the whole table, repeated for each row
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean().expand(2, 1)

# %% wrong means: rows-centred
# subtracts the mean from the table (half-remembered normalising): gives the deviations, shape (2, 3)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
row_means = table.mean(dim=-1, keepdim=True)
my_means = table - row_means

# %% wrong mix: products-not-summed
# scales each row by its weight and stops there: (3, 4), the rows are never added
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = weights[:, None] * other

# %% wrong mix: mean
# a right weighted sum, then divided by three as if it were still a mean to take
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = (weights.unsqueeze(1) * other).mean(dim=0)

# %% wrong mix: extra-axis
# makes the weights a row matrix first, the result keeps that axis: shape (1, 4)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = weights.view(1, 3) @ other

# %% wrong mix: softmax
# puts the weights through softmax first, as if they were not shares yet
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.softmax(weights, dim=0) @ other

# %% wrong mix: last-only
# loop with = in place of +=: only the last row, times its weight, is left
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.zeros(4)
for w, row in zip(weights, other):
    my_mix = w * row

# %% wrong shares: divided-by-max
# divides by the largest number of each row: every row ends in 1 and does not add up to 1
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.max(dim=-1, keepdim=True).values

# %% wrong shares: divided-by-length
# F.normalize without p=1: divides by the length (root of the squares), not by the sum
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = F.normalize(table, dim=-1)

# %% wrong shares: turned
# turns the table so that the sums fit, and forgets to turn the result back: shape (3, 2), columns add up to 1
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table.T / table.sum(dim=-1)

# %% wrong shares: inverted
# the fraction upside down: sums divided by the table
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table.sum(dim=1, keepdim=True) / table

# %% wrong shares: floor-division
# integer division: all shares are rounded down to 0
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
sums = table.sum(dim=-1, keepdim=True)
my_shares = table // sums

# %% wrong pieces: one-table
# chunk cuts the rows right, but cat glues the pieces below each other: (6, 2), the axis of pieces is lost
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.cat(two_tokens.chunk(3, dim=-1), dim=0)

# %% wrong pieces: full-turn
# cuts to (2, 3, 2) and exchanges the first two axes, then a transpose too many: the last two axes are exchanged
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(2, 3, 2).permute(1, 2, 0)

# %% wrong pieces: wrong-cut
# two pieces of three in place of three of two: (2, 2, 3)
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(2, 2, 3).transpose(0, 1)

# %% wrong pieces: every-third
# stacks strided slices: piece 0 holds the numbers 0 and 3 of each token, not 0 and 1
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.stack([two_tokens[:, i::3] for i in range(3)])

# %% wrong pieces: one-piece
# keeps only the first piece of both tokens (2, 2), because the prompt's last words name my_pieces[0]
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(2, 3, 2).transpose(0, 1)[0]
