# %% wrong scores: keys-not-transposed
# the vector on the wrong side: stops with an error unless there are d_in keys, and then the numbers are wrong
def my_scores(query, keys):
    return query @ keys

# %% wrong scores: products-not-summed
# multiplies, but does not add up: (num_keys, d_in)
def my_scores(query, keys):
    attn_scores = keys * query
    return attn_scores

# %% wrong scores: sum-axis
# adds up over the keys in place of over the numbers: (d_in,)
def my_scores(query, keys):
    products = query[None, :] * keys
    return products.sum(dim=0)

# %% right scores
# right all the same: a loop gives the right table, and the check gives a hint
# right numbers, but with the loop that the prompt forbids
def my_scores(query, keys):
    attn_scores = torch.zeros(len(keys))
    for i, key in enumerate(keys):
        attn_scores[i] = (key * query).sum()
    return attn_scores

# %% wrong scores: view-no-transpose
# view in place of transpose to make the shapes fit: right shape, wrong numbers
def my_scores(query, keys):
    num_keys, d_in = keys.shape
    return query @ keys.view(d_in, num_keys)

# %% wrong scores: cosine
# divides by both lengths: the cosine, not the dot product
def my_scores(query, keys):
    lengths = keys.norm(dim=-1) * query.norm()
    return (keys @ query) / lengths

# %% wrong scores: fixed-width
# works for six keys only: the 6 of the page is written into the function
def my_scores(query, keys):
    result = torch.zeros(6)
    result[:] = torch.matmul(keys, query)
    return result

# %% right scores
# einsum
def my_scores(query, keys):
    return torch.einsum("d,kd->k", query, keys)

# %% right scores
# F.linear: a layer whose weight is the table of keys
def my_scores(query, keys):
    return F.linear(query, weight=keys)

# %% wrong weights: softmax-all
# divides by the sum of the whole table: all weights together add up to 1
def my_weights(scores):
    exps = torch.exp(scores)
    return exps / exps.sum()

# %% wrong weights: softmax-axis
# softmax down the columns: each key's column adds up to 1
def my_weights(scores):
    e = scores.exp()
    column_sums = e.sum(dim=0, keepdim=True)
    return e / column_sums

# %% wrong weights: no-keepdim
# forgot keepdim: an error for most tables; for square ones each column is divided by another row's sum
def my_weights(scores):
    exps = torch.exp(scores)
    totals = torch.sum(exps, dim=-1)
    return exps / totals

# %% wrong weights: sum-normalise
# no exponential: the first try of the page, row by row
def my_weights(scores):
    return scores / scores.sum(-1, keepdim=True)

# %% wrong weights: sum-of-scores
# exponential on top only, divided by the sum of the raw scores: rows do not add up to 1
def my_weights(scores):
    total = scores.sum(dim=-1, keepdim=True)
    return torch.exp(scores) / total

# %% wrong weights: ready-made
# uses torch.softmax, which the prompt forbids
def my_weights(scores):
    rows = [torch.softmax(row, dim=0) for row in scores]
    return torch.stack(rows)

# %% wrong weights: - "`math.exp(scores)` stops: a single number is needed, and `sc"
# math.exp takes one number, not a table: stops with an error
def my_weights(scores):
    exps = math.exp(scores)
    return exps / sum(exps)

# %% right weights
# a loop over the rows
def my_weights(scores):
    result = torch.empty_like(scores)
    for i in range(scores.shape[0]):
        powers = torch.exp(scores[i])
        result[i] = powers / powers.sum()
    return result

# %% right weights
# turned on its side, divided, turned back; the row's maximum is taken off first
def my_weights(scores):
    lowered = scores.T - scores.amax(dim=1)
    exps = torch.exp(lowered)
    return (exps / exps.sum(dim=0)).T

# %% wrong context_vector: weights-on-keys
# mixes the keys in place of the values
def my_context_vector(query, keys, values):
    attn_weights = torch.softmax(keys @ query, dim=0)
    return attn_weights @ keys

# %% wrong context_vector: query-on-values
# the query meets the values, the keys are never used; an error where value_dim is not d_in
def my_context_vector(query, keys, values):
    shares = torch.softmax(values @ query, dim=-1)
    return shares @ values

# %% wrong context_vector: no-softmax
# no softmax: mixes with the raw scores
def my_context_vector(query, keys, values):
    scores = (keys * query).sum(dim=-1)
    return scores @ values

# %% wrong context_vector: values-on-the-left
# values on the left: an error unless value_dim equals num_keys
def my_context_vector(query, keys, values):
    scores = keys @ query
    weights = F.softmax(scores, dim=0)
    context = values @ weights
    return context

# %% wrong context_vector: not-summed
# each value times its weight, not added up: (num_keys, value_dim)
def my_context_vector(query, keys, values):
    w = torch.softmax(torch.mv(keys, query), 0)
    return w.unsqueeze(1) * values

# %% right context_vector
# right all the same: a loop gives the right table, and the check gives a hint
# with the loop that the prompt forbids
def my_context_vector(query, keys, values):
    attn_weights = torch.softmax(keys @ query, dim=0)
    context_vec = torch.zeros(values.shape[1])
    for weight, value in zip(attn_weights, values):
        context_vec += weight * value
    return context_vec

# %% wrong context_vector: weights-as-well
# returns the weights beside the context vector
def my_context_vector(query, keys, values):
    scores = torch.einsum("d,nd->n", query, keys)
    weights = torch.exp(scores) / torch.exp(scores).sum()
    return weights @ values, weights

# %% right context_vector
# PyTorch's ready-made attention with scale=1
def my_context_vector(query, keys, values):
    out = F.scaled_dot_product_attention(query.unsqueeze(0), keys, values, scale=1.0)
    return out.squeeze(0)

# %% right context_vector
# einsum for both products, a helper for softmax
def _shares(row):
    e = torch.exp(row - row.max())
    return e / e.sum()


def my_context_vector(query, keys, values):
    return torch.einsum("k,kv->v", _shares(torch.einsum("kd,d->k", keys, query)), values)

# %% wrong batch_attention: texts-turned
# transpose(0, 1) exchanges texts and tokens: an error unless there are as many texts as tokens
def my_batch_attention(inputs):
    attn_scores = inputs @ inputs.transpose(0, 1)
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ inputs

# %% wrong batch_attention: softmax-axis
# softmax along dim=1, the queries: each key's column adds up to 1
def my_batch_attention(inputs):
    scores = torch.bmm(inputs, inputs.transpose(1, 2))
    return torch.bmm(scores.softmax(dim=1), inputs)

# %% wrong batch_attention: batch-mixed
# all texts laid into one long text: texts see each other
def my_batch_attention(inputs):
    batch, num_tokens, d_in = inputs.shape
    flat = inputs.reshape(batch * num_tokens, d_in)
    flat_vecs = torch.softmax(flat @ flat.T, dim=-1) @ flat
    return flat_vecs.reshape(batch, num_tokens, d_in)

# %% wrong batch_attention: scaled-too-early
# PyTorch's function without scale=1.0: it divides the scores by the root of d_in
def my_batch_attention(inputs):
    return F.scaled_dot_product_attention(inputs, inputs, inputs)

# %% right batch_attention
# right all the same: a loop gives the right table, and the check gives a hint
# a loop over the texts, which the prompt forbids
def my_batch_attention(inputs):
    out = []
    for text in inputs:
        out.append(torch.softmax(text @ text.T, dim=-1) @ text)
    return torch.stack(out)

# %% wrong batch_attention: view-no-transpose
# keys turned with view, not transpose: shapes fit, scores are wrong
def my_batch_attention(inputs):
    b, t, d = inputs.shape
    keys_as_columns = inputs.view(b, d, t)
    weights = F.softmax(inputs @ keys_as_columns, dim=-1)
    return weights @ inputs

# %% wrong batch_attention: weights-as-well
# returns the weights too, though only the context vectors are asked for
def my_batch_attention(inputs):
    weights = torch.einsum("bqd,bkd->bqk", inputs, inputs).softmax(-1)
    return torch.einsum("bqk,bkd->bqd", weights, inputs), weights

# %% right batch_attention
# baddbmm for the scores, own softmax
def my_batch_attention(inputs):
    zero = inputs.new_zeros(inputs.shape[0], inputs.shape[1], inputs.shape[1])
    scores = torch.baddbmm(zero, inputs, inputs.mT)
    exps = torch.exp(scores - scores.amax(-1, keepdim=True))
    return (exps @ inputs) / exps.sum(-1, keepdim=True)

# %% right batch_attention
# the course's function, of which only the first result is returned
def my_batch_attention(inputs):
    context_vecs, _ = attention.scaled_dot_product_attention(inputs, inputs, inputs, scale=1.0)
    return context_vecs
