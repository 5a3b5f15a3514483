# %% wrong scores: sum-axis
# expands the query to the keys' shape, multiplies, and sums over dim=0: sums over the keys, one number per width
def my_scores(query, keys):
    query_rows = query.expand_as(keys)
    products = query_rows * keys
    return products.sum(dim=0)

# %% wrong scores: cosine
# cosine_similarity exists and compares row by row, but it divides by both lengths: length no longer counts
def my_scores(query, keys):
    return F.cosine_similarity(keys, query.unsqueeze(0), dim=-1)

# %% wrong scores: mean
# the mean of the products in place of their sum: all scores are too small by the factor d_in
def my_scores(query, keys):
    return (keys * query).mean(dim=-1)

# %% wrong scores: extra-axis
# turns query into a row and never drops that axis: shape (1, num_keys)
def my_scores(query, keys):
    q = query.view(1, -1)
    return torch.mm(q, keys.t())

# %% wrong scores: distance
# the distance to each key (nearest-neighbour code of another course), not the dot product
def my_scores(query, keys):
    diff = keys - query
    return (diff ** 2).sum(dim=-1)

# %% wrong scores: divided-too-early
# goes on to what comes later in the page: the shares of the scores, in place of the scores
def my_scores(query, keys):
    raw = keys @ query
    return raw / raw.sum()

# %% wrong scores: global-leak
# reads the page's inputs where keys should stand: right for the six words, wrong for any other keys
tokens, inputs = data.load("six_tokens")
def my_scores(query, keys):
    return torch.matmul(inputs, query)

# %% wrong weights: exp-too-late
# takes exp and sum right, but divides first and raises e to the power of the quotient afterwards
def my_weights(scores):
    shares = scores / scores.sum(dim=-1, keepdim=True)
    return torch.exp(shares)

# %% wrong weights: multiplied
# multiplies by the sum in place of dividing: the rows do not add up to 1
def my_weights(scores):
    e = scores.exp()
    return e * e.sum(-1, keepdim=True)

# %% wrong weights: softmax-axis
# transposes the table to be able to divide by the flat sum, but takes the sum over the rows of the turned table:
# columns of the scores add up to 1, not rows
def my_weights(scores):
    turned = torch.exp(scores).t()
    return (turned / turned.sum(1)[:, None]).t()

# %% wrong weights: sum-of-scores
# the sum is that of the scores, not of the exponentials
def my_weights(scores):
    total = torch.sum(scores, dim=1, keepdim=True)
    return torch.exp(scores) / total

# %% wrong weights: power-of-2
# base 2 in place of e: positive, rows add up to 1, but the weights are not softmax
def my_weights(scores):
    powers = 2 ** scores
    return powers / powers.sum(dim=-1, keepdim=True)

# %% wrong weights: - "`torch.sum(exps, keepdim=True)` stops: `keepdim` needs the a"
# keepdim is there but dim is not: the call sums nothing by axis and stops with a TypeError
def my_weights(scores):
    exps = torch.exp(scores)
    return exps / torch.sum(exps, keepdim=True)

# %% wrong weights: ready-made
# uses F.softmax, which is the ready-made softmax under another name, where torch.exp and a sum were demanded
def my_weights(scores):
    return F.softmax(scores, dim=-1)

# %% wrong context_vector: softmax-too-late
# takes softmax after the mix: the raw scores mix the values, and softmax runs over value_dim
def my_context_vector(query, keys, values):
    mixed = (keys @ query) @ values
    return torch.softmax(mixed, dim=-1)

# %% wrong context_vector: not-summed
# no sum at the end: each value times its weight, shape (num_keys, value_dim)
def my_context_vector(query, keys, values):
    scores = torch.einsum("d,kd->k", query, keys)
    weights = torch.softmax(scores, dim=0)
    return weights.unsqueeze(-1) * values

# %% wrong context_vector: best-only
# hard choice: gives the one value with the best key, not a mix
def my_context_vector(query, keys, values):
    weights = torch.softmax(keys @ query, dim=0)
    return values[weights.argmax()]

# %% wrong context_vector: no-weights
# softmax over the wrong axis of a (1, num_keys) row: dim=0 has length 1, so every weight is 1 (a plain sum of values)
def my_context_vector(query, keys, values):
    scores = query[None, :] @ keys.T
    w = torch.softmax(scores, dim=0)
    return (w @ values).squeeze(0)

# %% wrong context_vector: no-softmax
# result of softmax is thrown away: the line stands alone, the raw scores mix the values
def my_context_vector(query, keys, values):
    attn = keys @ query
    torch.softmax(attn, dim=0)
    return attn @ values

# %% wrong context_vector: mean
# weights also shared out a second time by the number of keys (mean in place of sum)
def my_context_vector(query, keys, values):
    attn = torch.softmax(torch.mv(keys, query), dim=0)
    return (attn.reshape(-1, 1) * values).mean(dim=0)

# %% wrong context_vector: query-added
# adds the query back at the end, as residual connections do: only values should be mixed
# (and it stops where value_dim is not d_in)
def my_context_vector(query, keys, values):
    weights = torch.softmax(keys @ query, dim=-1)
    return query + weights @ values

# %% wrong batch_attention: softmax-axis
# softmax over dim=1, which is the last axis for one text but the axis of queries in a batch: columns add up to 1
def my_batch_attention(inputs):
    attn_scores = inputs @ inputs.transpose(1, 2)
    attn_weights = torch.softmax(attn_scores, dim=1)
    return attn_weights @ inputs

# %% wrong batch_attention: columns-compared
# mT on the wrong factor: (d_in, d_in) scores; attends among the numbers of a token, not among tokens. Same shape out
def my_batch_attention(inputs):
    attn_scores = inputs.mT @ inputs
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return inputs @ attn_weights

# %% wrong batch_attention: batch-mixed
# flattens the batch to one long text and puts the axis back afterwards: texts see each other
def my_batch_attention(inputs):
    b, n, d = inputs.shape
    flat = inputs.reshape(b * n, d)
    weights = torch.softmax(flat @ flat.T, dim=-1)
    return (weights @ flat).reshape(b, n, d)

# %% wrong batch_attention: scaled-too-early
# PyTorch's function, but without scale=1.0: the scores are divided by the root of d_in, which this page does not do
def my_batch_attention(inputs):
    return F.scaled_dot_product_attention(inputs, inputs, inputs)

# %% wrong batch_attention: weights-as-well
# the course's function returns a pair, and the pair is handed on: context vectors and weights
def my_batch_attention(inputs):
    return attention.scaled_dot_product_attention(inputs, inputs, inputs, scale=1.0)

# %% wrong batch_attention: no-softmax
# baddbmm / bmm in place: softmax is left out, raw scores times inputs
def my_batch_attention(inputs):
    keys = inputs.permute(0, 2, 1)
    attn = torch.bmm(inputs, keys)
    return torch.bmm(attn, inputs)

# %% wrong batch_attention: softmax-axis
# einsum letters wrong in the mix: the weights are summed over the queries (transposed weights times values)
def my_batch_attention(inputs):
    w = torch.einsum("bqd,bkd->bqk", inputs, inputs).softmax(-1)
    return torch.einsum("bqk,bqd->bkd", w, inputs)
