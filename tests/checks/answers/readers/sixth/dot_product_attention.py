# %% right scores
# right all the same: a loop gives the right table, and the check gives a hint
# loops over the keys, in a list comprehension: the prompt says no loop
def my_scores(query, keys):
    return torch.stack([torch.dot(query, key) for key in keys])

# %% wrong scores: products-not-summed
# multiplies number by number and never adds up: (num_keys, d_in)
def my_scores(query, keys):
    products = torch.einsum("d,kd->kd", query, keys)
    return products

# %% wrong scores: extra-axis
# the query as a column, and the extra axis is left in: (num_keys, 1)
def my_scores(query, keys):
    column = query.reshape(-1, 1)
    return keys.matmul(column)

# %% wrong scores: cosine
# the wrong idea of a score: cosine similarity, so the lengths no longer count
def my_scores(query, keys):
    return F.cosine_similarity(keys, query.unsqueeze(0), dim=-1)

# %% wrong scores: - "`torch.dot(keys, query)` stops: (4, 3) meets (3,). `dot` tak"
# torch.dot takes two vectors only, and keys is a table: it stops with an error
def my_scores(query, keys):
    attn_scores = torch.dot(keys, query)
    return attn_scores

# %% wrong scores: fixed-width
# does not read the argument but builds six cells: works for six keys only
def my_scores(query, keys):
    out = torch.empty(6)
    out[:] = keys @ query
    return out

# %% right scores
# the query meets the transposed keys, as a layer without bias would do it
def my_scores(query, keys):
    return F.linear(query, keys)

# %% right scores
# numpy's inner product under a torch name
def my_scores(query, keys):
    attn_scores = torch.inner(keys, query)
    return attn_scores

# %% wrong weights: softmax-axis
# softmax down the columns: sum(dim=0), so each column adds up to 1
def my_weights(scores):
    e = scores.exp()
    return e / torch.sum(e, 0)

# %% wrong weights: exp-of-sum
# exponentials divided by the exponential of the sum of scores, not by the sum of the exponentials
def my_weights(scores):
    top = torch.exp(scores)
    bottom = torch.exp(scores.sum(dim=-1, keepdim=True))
    return top / bottom

# %% wrong weights: ready-made
# uses PyTorch's softmax as a layer, where the prompt asks for torch.exp and a sum
def my_weights(scores):
    layer = nn.Softmax(dim=1)
    return layer(scores)

# %% wrong weights: - "In your weights, the rows are not divided by their own sums,"
# a loop over the rows that adds to the same total and never sets it back to 0:
# only the first row adds up to 1
def my_weights(scores):
    rows = []
    total = 0.0
    for row in scores:
        exps = torch.exp(row)
        total = total + exps.sum()
        rows.append(exps / total)
    return torch.stack(rows)

# %% wrong weights: exp-too-late
# first divides the scores by their sum, as in the first try, then takes the exponential: rows do not add up to 1
def my_weights(scores):
    shares = scores / scores.sum(dim=-1, keepdim=True)
    return torch.exp(shares)

# %% wrong weights: no-keepdim
# loses the axis and puts it back as a row, [None, :], so each column is divided by another row's sum;
# for a table that is not square it stops with an error
def my_weights(scores):
    exps = torch.exp(scores)
    sums = exps.sum(dim=1)
    return exps / sums[None, :]

# %% right weights
# subtracts the logarithm of the sum in the exponent
def my_weights(scores):
    log_total = torch.log(torch.exp(scores).sum(dim=-1, keepdim=True))
    return torch.exp(scores - log_total)

# %% right weights
# a loop over rows, no keepdim needed
def my_weights(scores):
    result = torch.empty_like(scores)
    for i in range(scores.shape[0]):
        e = torch.exp(scores[i] - scores[i].max())
        result[i] = e / sum(e)
    return result

# %% wrong context_vector: weights-on-keys
# mixes the keys in place of the values: (d_in,)
def my_context_vector(query, keys, values):
    w = torch.softmax(keys @ query, dim=-1)
    return w @ keys

# %% wrong context_vector: no-softmax
# no softmax: the raw scores are the weights
def my_context_vector(query, keys, values):
    weights = torch.einsum("d,nd->n", query, keys)
    return torch.einsum("n,nv->v", weights, values)

# %% wrong context_vector: values-from-keys
# the parts of key and value are swapped: scores with the values, mix of the keys
# (stops with an error where value_dim is not d_in)
def my_context_vector(query, keys, values):
    scores = values @ query
    return torch.softmax(scores, dim=0) @ keys

# %% wrong context_vector: not-summed
# weights each value row but forgets the sum: (num_keys, value_dim)
def my_context_vector(query, keys, values):
    attn_weights = (keys * query).sum(dim=1).softmax(dim=0)
    parts = attn_weights[:, None] * values
    return parts

# %% wrong context_vector: values-on-the-left
# values @ weights: the inner lengths are value_dim and num_keys, an error (or the wrong numbers if they are equal)
def my_context_vector(query, keys, values):
    attn_scores = keys @ query
    attn_weights = F.softmax(attn_scores, dim=-1)
    return torch.matmul(values, attn_weights)

# %% wrong context_vector: softmax-too-late
# softmax of the mix in place of softmax of the scores: the result adds up to 1
def my_context_vector(query, keys, values):
    mix = (keys @ query) @ values
    return torch.softmax(mix, dim=-1)

# %% right context_vector
# PyTorch's own attention, with an axis for the single query and scale 1
def my_context_vector(query, keys, values):
    vec = F.scaled_dot_product_attention(query[None, None], keys[None], values[None], scale=1.0)
    return vec[0, 0]

# %% right context_vector
# softmax written out, division at the very end
def my_context_vector(query, keys, values):
    scores = torch.mv(keys, query)
    exps = torch.exp(scores - scores.max())
    return torch.mv(values.T, exps) / exps.sum()

# %% wrong batch_attention: batch-mixed
# all texts laid in one long text: every token sees the tokens of the other texts too
def my_batch_attention(inputs):
    flat = inputs.flatten(0, 1)
    weights = torch.softmax(flat @ flat.transpose(0, 1), dim=-1)
    return (weights @ flat).view(inputs.shape)

# %% wrong batch_attention: softmax-axis
# softmax along the queries (dim=1) and not along the keys: rows do not add up to 1
def my_batch_attention(inputs):
    scores = torch.bmm(inputs, inputs.transpose(1, 2))
    weights = scores.softmax(dim=1)
    return torch.bmm(weights, inputs)

# %% right batch_attention
# right all the same: a loop gives the right table, and the check gives a hint
# goes through the texts one after the other: the prompt says no loop
def my_batch_attention(inputs):
    vecs = []
    for text in inputs:
        vecs.append(torch.softmax(text @ text.T, dim=-1) @ text)
    return torch.stack(vecs)

# %% wrong batch_attention: scaled-too-early
# PyTorch's function without scale=1.0: it divides the scores by the root of d_in, and this page does not
def my_batch_attention(inputs):
    return F.scaled_dot_product_attention(inputs, inputs, inputs)

# %% wrong batch_attention: columns-compared
# .mT is taken of the wrong partner: inputs.mT @ inputs scores numbers of the embedding with each other,
# (batch, d_in, d_in), and mixes those
def my_batch_attention(inputs):
    scores = inputs.mT @ inputs
    return inputs @ torch.softmax(scores, dim=-1)

# %% wrong batch_attention: weights-as-well
# returns the weights along with the context vectors, where only the vectors are asked for
def my_batch_attention(inputs):
    attn_weights = torch.softmax(torch.einsum("bqd,bkd->bqk", inputs, inputs), dim=-1)
    context_vecs = torch.einsum("bqk,bkd->bqd", attn_weights, inputs)
    return context_vecs, attn_weights

# %% right batch_attention
# baddbmm with beta 0 for the scores, movedim for the transpose
def my_batch_attention(inputs):
    b, n, _ = inputs.shape
    scores = torch.baddbmm(inputs.new_zeros(b, n, n), inputs, inputs.movedim(-1, -2), beta=0)
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps.bmm(inputs) / exps.sum(dim=-1, keepdim=True)

# %% right batch_attention
# broadcasting in place of a matrix product: every pair of tokens, multiplied and summed
def my_batch_attention(inputs):
    pairs = inputs[:, :, None, :] * inputs[:, None, :, :]
    weights = F.softmax(pairs.sum(dim=-1), dim=-1)
    return (weights[..., None] * inputs[:, None]).sum(dim=2)
