# %% wrong batch: features-swapped
# the last two axes are exchanged: three tokens of five numbers each
my_batch = torch.zeros(4, 3, 5)

# %% wrong batch: shape-for-numbers
# thinks that torch.tensor takes the shape: this is a tensor that holds the three numbers 4, 5, 3
my_batch = torch.tensor([4, 5, 3])

# %% wrong batch: one-table
# all tokens of the four texts in one long list: the axis of texts is missing, shape (20, 3)
texts, tokens_per_text, width = 4, 5, 3
my_batch = torch.zeros(texts * tokens_per_text, width)

# %% wrong batch: - "For the tensor, a NumPy array came back. Stay with torch all"
# a NumPy array, not a tensor
my_batch = np.zeros((4, 5, 3))

# %% wrong batch: shape-returned
# hands in the shape of the tensor, not the tensor itself
my_batch = torch.zeros((4, 5, 3)).shape

# %% wrong batch: ones
# random numbers in place of zeros (took over the habit of making test inputs with randn)
torch.manual_seed(123)
my_batch = torch.randn(4, 5, 3)

# %% right batch
# built from nested lists, so the zeros are whole numbers; the prompt leaves the dtype open
one_token = [0, 0, 0]
one_text = [one_token] * 5
my_batch = torch.tensor([one_text] * 4)

# %% right batch
# a stack of four texts, in float64
my_batch = torch.stack([torch.zeros(5, 3, dtype=torch.float64) for _ in range(4)])

# %% wrong means: mean-axis
# wrong axis: the mean of each column, shape (1, 3)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(dim=0, keepdim=True)

# %% wrong means: no-keepdim
# the numbers are right, but the axis is lost: shape (2,)
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(dim=-1)

# %% wrong means: divided-by-rows
# divides the sum of a row by the number of rows (len of a tensor) in place of the number of columns
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
row_sums = table.sum(dim=-1, keepdim=True)
my_means = row_sums / len(table)

# %% wrong means: laid-flat
# the new axis is put in front: a row of shape (1, 2) in place of a column
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(1).unsqueeze(0)

# %% wrong means: - "For the tensor, a list came back. `torch.tensor` makes one t"
# a list of lists made by a loop, not a tensor
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = []
for row in table:
    my_means.append([row.mean().item()])

# %% wrong means: - "The cell stops before it can be checked: TypeError"
# keepdim without dim: which axis to average is not said, and PyTorch stops with a TypeError
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table.mean(keepdim=True)

# %% right means
# a matrix product with a column of thirds
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = table @ torch.full((3, 1), 1 / 3)

# %% right means
# a loop over rows with Python's own sum, then a tensor of one-number rows
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_means = torch.tensor([[sum(row) / len(row)] for row in table.tolist()])

# %% wrong mix: - "The cell stops before it can be checked: RuntimeError"
# the star in place of the matrix product: (3,) and (3, 4) do not fit, RuntimeError
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = (weights * other).sum(dim=0)

# %% wrong mix: products-not-summed
# each row is weighted, but the rows are not added up: shape (3, 4)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = weights.view(3, 1) * other

# %% wrong mix: sum-axis
# adds up along each row in place of down the columns: shape (3,)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.einsum("i,ij->i", weights, other)

# %% wrong mix: last-only
# the loop overwrites the result each time, so only the last row is left, times .2
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.zeros(4)
for w, r in zip(weights, other):
    my_mix = w * r

# %% wrong mix: extra-axis
# weights made into a matrix of one row first, so the result has shape (1, 4)
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = torch.matmul(weights[None, :], other)

# %% wrong mix: softmax
# takes the weights for scores and puts them through softmax first
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
probs = torch.softmax(weights, dim=0)
my_mix = probs @ other

# %% right mix
# the transposed table times the vector
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = other.T @ weights

# %% right mix
# a loop that adds up
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = sum(float(weights[i]) * other[i] for i in range(3))

# %% wrong shares: softmax-all
# divides by the sum of the whole table: all six numbers add up to 1, not each row
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.sum()

# %% wrong shares: softmax-axis
# wrong axis: divides by the sums of the columns
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
column_sums = table.sum(0)
my_shares = table / column_sums

# %% wrong shares: softmax
# softmax: its rows add up to 1 as well, but the prompt says divide by the sum
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = torch.nn.functional.softmax(table, dim=1)

# %% wrong shares: - "The cell stops before it can be checked: RuntimeError"
# keepdim forgotten: (2, 3) / (2,) does not fit, RuntimeError
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = table / table.sum(dim=-1)

# %% wrong shares: divided-by-length
# F.normalize divides by the length of the row (root of the sum of squares), not by its sum
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = F.normalize(table, dim=-1)

# %% wrong shares: turned
# turns the table so that the division fits, and forgets to turn it back: shape (3, 2), the columns add up to 1
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
row_sums = table.sum(dim=1)
turned = table.transpose(0, 1)
my_shares = turned / row_sums

# %% right shares
# F.normalize with p=1, which divides by the sum of absolute values: here all numbers are positive
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = F.normalize(table, p=1, dim=1)

# %% right shares
# a diagonal matrix of reciprocals from the left
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
my_shares = torch.diag(1 / table.sum(dim=1)) @ table

# %% wrong pieces: view-no-transpose
# one view straight to the wanted shape: pieces[0] holds the first two pieces of the first token
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(3, 2, 2)

# %% wrong pieces: every-third
# takes every third number of a token for one piece (0 and 3), in place of neighbours (0 and 1)
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.stack([two_tokens[:, start::3] for start in range(3)])

# %% wrong pieces: full-turn
# transposes first and reshapes afterwards: within a piece, tokens and numbers have changed places
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.transpose(0, 1).reshape(3, 2, 2)

# %% wrong pieces: tuple-of-pieces
# a tuple of three tensors: chunk has cut rightly, but they were not stacked into one tensor
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.chunk(3, dim=1)

# %% wrong pieces: wrong-cut
# split(3) makes pieces of length three, not three pieces: shape (2, 2, 3)
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.stack(two_tokens.split(3, dim=-1), dim=0)

# %% wrong pieces: - "The cell stops before it can be checked: RuntimeError"
# the view forgets the axis of tokens: twelve numbers do not fit into (3, 2), RuntimeError
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
cut = two_tokens.view(3, 2)
my_pieces = torch.stack([cut, cut], dim=1)

# %% right pieces
# chunk along the last axis, then a stack
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.stack(torch.chunk(two_tokens, 3, dim=-1))

# %% right pieces
# plain Python lists and slices
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = torch.tensor([[token[2 * k : 2 * k + 2] for token in two_tokens.tolist()] for k in range(3)])
