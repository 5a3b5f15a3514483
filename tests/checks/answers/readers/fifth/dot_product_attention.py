# %% wrong scores: products-not-summed
# Multiplies query and keys pair by pair and stops there: a table (num_keys, d_in), the sum is forgotten.
def my_scores(query, keys):
    return torch.mul(keys, query)

# %% wrong scores: keys-not-transposed
# query @ keys: the query stands on the left of (num_keys, d_in); the inner lengths do not agree, an error
# (or, for as many keys as numbers, the wrong sums).
def my_scores(query, keys):
    return query @ keys

# %% wrong scores: sum-axis
# Sums over dim=0, down the keys: one number for each of the d_in places, not one for each key.
def my_scores(query, keys):
    products = keys * query
    per_key = products.sum(dim=0)
    return per_key

# %% wrong scores: cosine
# Measures the cosine, which divides by both lengths: length no longer counts, as it does in the loop above.
def my_scores(query, keys):
    return F.cosine_similarity(query.unsqueeze(0), keys, dim=-1)

# %% wrong scores: global-leak
# Uses the page's six embeddings and not the keys that it was given.
_, inputs = data.load("six_tokens")


def my_scores(query, keys):
    return inputs @ query

# %% wrong scores: extra-axis
# Makes the query a column and forgets to take the last axis away again: (num_keys, 1).
def my_scores(query, keys):
    column = query[:, None]
    return keys @ column

# %% right scores
# einsum, with letters for the two axes.
def my_scores(query, keys):
    return torch.einsum("kd,d->k", keys, query)

# %% right scores
# F.linear: the keys stand as the weight matrix of a layer.
def my_scores(query, keys):
    return F.linear(query, keys)

# %% wrong weights: no-keepdim
# No keepdim: the sums (num_queries,) are lined up with the keys. An error if the table is not square, wrong if it is.
def my_weights(scores):
    powers = torch.exp(scores)
    return powers / torch.sum(powers, dim=-1)

# %% wrong weights: softmax-axis
# Sums along dim=0: each column adds up to 1, not each row.
def my_weights(scores):
    e = scores.exp()
    return e / e.sum(0, keepdim=True)

# %% wrong weights: softmax-all
# One sum for the whole table: all weights together make 1.
def my_weights(scores):
    exps = torch.exp(scores)
    result = torch.zeros_like(exps)
    for i in range(len(exps)):
        result[i] = exps[i] / exps.sum()
    return result

# %% wrong weights: sum-of-scores
# Divides the exponentials by the sum of the scores, not by the sum of the exponentials.
def my_weights(scores):
    return torch.exp(scores) / scores.sum(dim=-1, keepdim=True)

# %% wrong weights: exp-too-late
# Takes the exponential of the shares (first divide, then exp): not softmax, and rows do not add up to 1.
def my_weights(scores):
    shares = scores / scores.sum(dim=-1, keepdim=True)
    return shares.exp()

# %% wrong weights: ready-made
# Uses PyTorch's softmax under its other name, where the prompt wants exp and a sum.
def my_weights(scores):
    return F.softmax(scores, dim=-1)

# %% right weights
# Row by row in a loop, which this prompt does not forbid, and stacked.
def my_weights(scores):
    def one_row(row):
        exps = torch.exp(row)
        return exps / exps.sum()

    return torch.stack([one_row(row) for row in scores])

# %% right weights
# The sum is made with a matrix product by a column of ones, after the row's maximum has been taken off.
def my_weights(scores):
    exps = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    ones = torch.ones(scores.shape[1], 1, dtype=exps.dtype)
    return exps / exps.matmul(ones)

# %% wrong context_vector: weights-on-keys
# Mixes the keys and not the values: what the words answer, not what they give.
def my_context_vector(query, keys, values):
    weights = torch.softmax(keys @ query, dim=0)
    return weights @ keys

# %% wrong context_vector: no-softmax
# Forgot softmax: raw scores times values.
def my_context_vector(query, keys, values):
    attn_scores = torch.mv(keys, query)
    return attn_scores @ values

# %% wrong context_vector: query-on-values
# The query meets the values, and the keys are never used for the scores.
def my_context_vector(query, keys, values):
    attn_weights = F.softmax(values @ query, dim=-1)
    return attn_weights @ values

# %% wrong context_vector: best-only
# Takes the value of the best key alone (argmax), not a mix.
def my_context_vector(query, keys, values):
    scores = keys @ query
    best = torch.softmax(scores, dim=0).argmax()
    return values[best]

# %% right context_vector
# right all the same: a loop gives the right table, and the check gives a hint
# A loop, which the prompt forbids; the result is right for every input.
def my_context_vector(query, keys, values):
    attn_weights = torch.softmax(keys @ query, dim=0)
    context_vec = torch.zeros(values.shape[1])
    for weight, value in zip(attn_weights, values):
        context_vec += weight * value
    return context_vec

# %% wrong context_vector: column-missing
# Multiplies weights and values without a new axis: (num_keys,) against (num_keys, value_dim) lines up with the wrong
# axis; an error unless both lengths agree.
def my_context_vector(query, keys, values):
    attn_weights = torch.softmax(keys @ query, dim=-1)
    return (attn_weights * values).sum(dim=0)

# %% right context_vector
# Two einsums.
def my_context_vector(query, keys, values):
    w = torch.einsum("kd,d->k", keys, query).softmax(0)
    return torch.einsum("k,kv->v", w, values)

# %% right context_vector
# Scaled dot-product attention of PyTorch with scale=1.0 and a query of one row.
def my_context_vector(query, keys, values):
    return F.scaled_dot_product_attention(query[None], keys, values, scale=1.0)[0]

# %% wrong batch_attention: texts-turned
# transpose(0, 1) as on the page: exchanges texts and tokens, so the product has no meaning (mostly an error).
def my_batch_attention(inputs):
    attn_weights = torch.softmax(inputs @ inputs.transpose(0, 1), dim=-1)
    return attn_weights @ inputs

# %% wrong batch_attention: softmax-axis
# Softmax over dim=1: with a batch that is the queries, so the columns add up to 1 and not the rows.
def my_batch_attention(inputs):
    attn_scores = inputs @ inputs.mT
    return torch.softmax(attn_scores, dim=1) @ inputs

# %% wrong batch_attention: batch-mixed
# Flattens all texts into one long text: tokens of one text see the tokens of another.
def my_batch_attention(inputs):
    batch, num_tokens, d_in = inputs.shape
    rows = inputs.reshape(batch * num_tokens, d_in)
    mixed = (rows @ rows.T).softmax(dim=-1) @ rows
    return mixed.reshape(batch, num_tokens, d_in)

# %% wrong batch_attention: weights-as-well
# Returns the weights too, as the course's function does; the prompt wants only the context vectors.
def my_batch_attention(inputs):
    attn_weights = torch.einsum("bqd,bkd->bqk", inputs, inputs).softmax(dim=-1)
    return attn_weights @ inputs, attn_weights

# %% wrong batch_attention: scaled-too-early
# PyTorch's function without scale=1.0: it divides the scores by the root of the width, which this page does not.
def my_batch_attention(inputs):
    return F.scaled_dot_product_attention(inputs, inputs, inputs)

# %% right batch_attention
# right all the same: a loop gives the right table, and the check gives a hint
# A loop over the texts, which the prompt forbids; the numbers are right.
def my_batch_attention(inputs):
    context_vecs = []
    for text in inputs:
        attn_weights = torch.softmax(text @ text.T, dim=-1)
        context_vecs.append(attn_weights @ text)
    return torch.stack(context_vecs)

# %% right batch_attention
# bmm for both products, softmax by hand with the maximum taken off.
def my_batch_attention(inputs):
    scores = torch.bmm(inputs, inputs.permute(0, 2, 1))
    exps = (scores - scores.amax(-1, keepdim=True)).exp()
    return torch.bmm(exps / exps.sum(-1, keepdim=True), inputs)

# %% right batch_attention
# Everything by broadcasting: (batch, query, 1, d) times (batch, 1, key, d), summed; then the mix the same way.
def my_batch_attention(inputs):
    scores = (inputs[:, :, None, :] * inputs[:, None, :, :]).sum(dim=-1)
    shares = torch.softmax(scores, dim=2)
    return (shares[..., None] * inputs[:, None]).sum(dim=2)
