# %% wrong scores: - "`torch.dot(query, keys)` stops: (3,) meets (4, 3). `dot` tak"
# torch.dot takes two vectors only; with a table of keys it stops with a RuntimeError
def my_scores(query, keys):
    return torch.dot(query, keys)

# %% wrong scores: sum-axis
# adds up down the columns: dim=0 in place of dim=-1, the result has shape (d_in,)
def my_scores(query, keys):
    products = keys * query
    return products.sum(dim=0)

# %% right scores
# right all the same: a loop gives the right table, and the check gives a hint
# right numbers, but with a loop, which the prompt forbids
def my_scores(query, keys):
    result = torch.zeros(keys.shape[0])
    for i in range(keys.shape[0]):
        result[i] = keys[i] @ query
    return result

# %% wrong scores: extra-axis
# the query is made a column, so the result is (num_keys, 1) and not (num_keys,)
def my_scores(query, keys):
    column = query.reshape(-1, 1)
    return keys @ column

# %% wrong scores: cosine
# the cosine, not the dot product: lengths are divided out
def my_scores(query, keys):
    return F.cosine_similarity(query[None, :], keys, dim=-1)

# %% wrong scores: - "It ran to its end and gave nothing back: the last line needs"
# prints the scores and returns nothing
def my_scores(query, keys):
    scores = torch.matmul(keys, query)
    print(scores)

# %% right scores
# a linear layer's function whose weight is the table of keys
def my_scores(query, keys):
    return F.linear(query, keys)

# %% right scores
# multiply with broadcasting, and sum along each row
def my_scores(query, keys):
    return query.unsqueeze(0).mul(keys).sum(-1)

# %% wrong weights: no-keepdim
# keepdim forgotten: stops with an error, or, in a square table, divides column j by the sum of row j
def my_weights(scores):
    e = torch.exp(scores)
    return e / e.sum(dim=-1)

# %% wrong weights: softmax-axis
# wrong axis: each column adds up to 1
def my_weights(scores):
    exps = scores.exp()
    columns = []
    for j in range(scores.shape[1]):
        columns.append(exps[:, j] / exps[:, j].sum())
    return torch.stack(columns, dim=1)

# %% wrong weights: - "`math.exp(scores)` stops: a single number is needed, and `sc"
# math.exp takes one number, not a tensor: error for a table of scores
def my_weights(scores):
    exps = math.exp(scores)
    return exps / torch.sum(exps, dim=-1, keepdim=True)

# %% wrong weights: ready-made
# a ready-made softmax under another name, which is what the prompt rules out
def my_weights(scores):
    normalize_rows = nn.Softmax(dim=1)
    return normalize_rows(scores)

# %% wrong weights: exp-too-late
# wrong order: shares of the raw scores first, and the exponential afterwards: rows do not add up to 1
def my_weights(scores):
    shares = scores / scores.sum(dim=-1, keepdim=True)
    return torch.exp(shares)

# %% wrong weights: - "It stops with `RuntimeError`: The expanded size of the tenso"
# six rows and six columns of the page's text are written into the function: fails or leaves rows out for other sizes
def my_weights(scores):
    out = torch.zeros(6, 6)
    for i in range(6):
        row = torch.exp(scores[i])
        out[i] = row / row.sum()
    return out

# %% right weights
# a loop over rows, with the exponentials of each
def my_weights(scores):
    rows = [torch.exp(row) for row in scores]
    return torch.stack([row / row.sum() for row in rows])

# %% right weights
# 1 over the sum of e to the gaps, which is the same thing
def my_weights(scores):
    gaps = scores[:, None, :] - scores[:, :, None]  # (num_queries, key j, key k): s_k - s_j
    return 1 / torch.exp(gaps).sum(dim=-1)

# %% wrong context_vector: query-on-values
# the query meets the values in place of the keys: an error where value_dim is not d_in, wrong weights where it is
def my_context_vector(query, keys, values):
    scores = values @ query
    weights = torch.softmax(scores, dim=0)
    return weights @ values

# %% wrong context_vector: weights-on-keys
# mixes the keys, not the values
def my_context_vector(query, keys, values):
    attn_weights = torch.softmax(query @ keys.T, dim=-1)
    return attn_weights @ keys

# %% wrong context_vector: scaled-too-early
# PyTorch's function without scale=1.0: it divides the scores by the root of d_in, which nobody asked for here
def my_context_vector(query, keys, values):
    out = F.scaled_dot_product_attention(query.unsqueeze(0), keys, values)
    return out.squeeze(0)

# %% wrong context_vector: mean
# the mean of the weighted values in place of their sum: everything is num_keys times too small
def my_context_vector(query, keys, values):
    w = (keys * query).sum(-1).softmax(0)
    weighted = w[:, None] * values
    return weighted.mean(dim=0)

# %% right context_vector
# right all the same: a loop gives the right table, and the check gives a hint
# right numbers, but a loop over the values, which the prompt forbids
def my_context_vector(query, keys, values):
    attn_weights = torch.softmax(keys @ query, dim=0)
    context = torch.zeros(values.shape[1])
    for weight, value in zip(attn_weights, values):
        context += weight * value
    return context

# %% wrong context_vector: no-softmax
# the scores are mixed as they are: softmax was forgotten
def my_context_vector(query, keys, values):
    attn_scores = torch.einsum("d,kd->k", query, keys)
    return torch.einsum("k,kv->v", attn_scores, values)

# %% right context_vector
# PyTorch's ready-made function with scale=1.0, and the query's row taken off again
def my_context_vector(query, keys, values):
    return F.scaled_dot_product_attention(query[None], keys, values, scale=1.0)[0]

# %% right context_vector
# exponentials by hand: mix first, divide by the total at the end
def my_context_vector(query, keys, values):
    scores = torch.mv(keys, query)
    exps = torch.exp(scores - scores.max())
    return values.T.mv(exps) / exps.sum()

# %% wrong batch_attention: texts-turned
# transpose(0, 1) exchanges texts and tokens: an error for most shapes, nonsense for the others
def my_batch_attention(inputs):
    attn_scores = inputs @ inputs.transpose(0, 1)
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ inputs

# %% wrong batch_attention: softmax-axis
# softmax along dim=1: with a batch, that is the axis of queries, so columns add up to 1
def my_batch_attention(inputs):
    scores = torch.bmm(inputs, inputs.permute(0, 2, 1))
    weights = scores.softmax(dim=1)
    return torch.bmm(weights, inputs)

# %% wrong batch_attention: batch-mixed
# all texts are laid end to end into one long text: tokens see the tokens of other texts
def my_batch_attention(inputs):
    batch, num_tokens, d_in = inputs.shape
    flat = inputs.reshape(batch * num_tokens, d_in)
    mixed = torch.softmax(flat @ flat.T, dim=-1) @ flat
    return mixed.reshape(batch, num_tokens, d_in)

# %% right batch_attention
# right all the same: a loop gives the right table, and the check gives a hint
# right numbers, but with a loop over the texts, which the prompt forbids
def my_batch_attention(inputs):
    return torch.stack([torch.softmax(text @ text.T, dim=-1) @ text for text in inputs])

# %% wrong batch_attention: scaled-too-early
# divides by the root of d_in, as published code does: this page sets the factor to 1
def my_batch_attention(inputs):
    q = k = v = inputs
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    att = F.softmax(att, dim=-1)
    return att @ v

# %% wrong batch_attention: weights-as-well
# returns a pair of context vectors and weights: the prompt says only the context vectors
def my_batch_attention(inputs):
    attn_weights = (inputs @ inputs.mT).softmax(-1)
    context_vecs = attn_weights @ inputs
    return context_vecs, attn_weights

# %% right batch_attention
# two einsums
def my_batch_attention(inputs):
    scores = torch.einsum("bqd,bkd->bqk", inputs, inputs)
    return torch.einsum("bqk,bkd->bqd", scores.softmax(-1), inputs)

# %% right batch_attention
# PyTorch's own function with scale=1
def my_batch_attention(inputs):
    return F.scaled_dot_product_attention(inputs, inputs, inputs, scale=1)
