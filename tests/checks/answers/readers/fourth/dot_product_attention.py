# %% wrong scores: keys-not-transposed
# query to the left of keys, nothing transposed: an error where num_keys is not d_in,
# and with a square table each column, not each key, meets the query
def my_scores(query, keys):
    attn_scores = query @ keys
    return attn_scores

# %% right scores
# right all the same: a loop gives the right table, and the check gives a hint
# the numbers are right, but a list comprehension is a loop, and the prompt says: no loop
def my_scores(query, keys):
    return torch.stack([torch.dot(query, key) for key in keys])

# %% wrong scores: cosine
# the cosine in place of the dot product: divides by both lengths, so length no longer counts
def my_scores(query, keys):
    return F.cosine_similarity(keys, query.unsqueeze(0), dim=-1)

# %% wrong scores: global-leak
# reads the page's own inputs and ignores the argument keys: right for the six words only
tokens, inputs = data.load("six_tokens")


def my_scores(query, keys):
    return inputs @ query

# %% wrong scores: extra-axis
# the query made a column of shape (d_in, 1), and the axis never taken away: the result is (num_keys, 1)
def my_scores(query, keys):
    column = query.view(-1, 1)
    product = torch.matmul(keys, column)
    return product

# %% right scores
# F.linear: the keys play the table of a linear layer
def my_scores(query, keys):
    return F.linear(query, keys)

# %% right scores
# bmm with a batch of one, the two extra axes taken off by index
def my_scores(query, keys):
    as_row = query[None, None, :]
    as_columns = keys.T[None]
    return torch.bmm(as_row, as_columns)[0, 0]

# %% wrong weights: no-keepdim
# the row sums have lost their axis (no keepdim): an error for a table that is not square,
# and in a square one column j is divided by the sum of row j
def my_weights(scores):
    e = torch.exp(scores)
    row_sums = torch.einsum("qk->q", e)
    return e / row_sums

# %% wrong weights: ready-made
# F.softmax is torch.softmax by another name: the prompt wants torch.exp and a sum, without softmax
def my_weights(scores):
    return F.softmax(scores, dim=-1)

# %% wrong weights: - "In your weights, the rows are not divided by their own sums,"
# takes the largest score off in the numerator only (a half-remembered trick): the rows do not add up to 1
def my_weights(scores):
    top = scores.max(dim=-1, keepdim=True).values
    numerator = torch.exp(scores - top)
    denominator = torch.exp(scores).sum(dim=-1, keepdim=True)
    return numerator / denominator

# %% wrong weights: exp-too-late
# wrong order: divides the scores by their row sum first, and raises e to that: the rows do not add up to 1
def my_weights(scores):
    shares = scores / scores.sum(dim=-1, keepdim=True)
    return torch.exp(shares)

# %% wrong weights: - "In line 3 of `my_weights`, `6` is typed in, and the inputs h"
# the sums are brought into shape (6, 1) by hand: an error for any table that has not six queries
def my_weights(scores):
    exps = torch.exp(scores)
    sums = exps.sum(dim=1).view(6, 1)
    return exps / sums

# %% right weights
# goes through the logarithm of the sum; row maxima taken off before, against overflow
def my_weights(scores):
    shifted = scores - scores.amax(dim=-1, keepdim=True)
    log_sums = torch.log(torch.exp(shifted).sum(dim=-1, keepdim=True))
    return torch.exp(shifted - log_sums)

# %% right weights
# a loop over the rows (no loop is forbidden here), with a helper for one row
def my_weights(scores):
    def one_row(row):
        exps = torch.exp(row)
        return exps / torch.sum(exps)

    return torch.stack([one_row(row) for row in scores])

# %% wrong context_vector: weights-on-keys
# mixes the keys in place of the values: right only where both are the same table
def my_context_vector(query, keys, values):
    attn_weights = torch.softmax(keys @ query, dim=0)
    return attn_weights @ keys

# %% wrong context_vector: no-weights
# the query was made a row (1, d_in), so softmax over dim=0 runs over a single number each time:
# all weights are 1, and the result is the plain sum of the values
def my_context_vector(query, keys, values):
    scores = query.unsqueeze(0) @ keys.transpose(0, 1)
    weights = torch.softmax(scores, dim=0)
    return (weights @ values).squeeze(0)

# %% wrong context_vector: scaled-too-early
# PyTorch's function without scale=1.0: its default divides the scores by the root of d_in
def my_context_vector(query, keys, values):
    result = F.scaled_dot_product_attention(query[None, :], keys, values)
    return result[0]

# %% wrong context_vector: best-only
# takes the value of the best key alone (argmax): no weights, no mix
def my_context_vector(query, keys, values):
    scores = torch.mv(keys, query)
    best = scores.argmax()
    return values[best]

# %% wrong context_vector: values-on-the-left
# values on the left of the weights, not transposed: an error where num_keys is not value_dim,
# and with a square table each value's numbers are added up along its own row
def my_context_vector(query, keys, values):
    w = torch.softmax(torch.einsum("kd,d->k", keys, query), dim=-1)
    return values @ w

# %% right context_vector
# PyTorch's function with scale=1.0, query as a table of one row
def my_context_vector(query, keys, values):
    row = query.reshape(1, -1)
    return F.scaled_dot_product_attention(row, keys, values, scale=1.0).reshape(-1)

# %% right context_vector
# divides by the sum last, after mixing, and has no softmax: e to the score as unfinished weight
def my_context_vector(query, keys, values):
    scores = (query * keys).sum(-1)
    heavy = (scores - scores.max()).exp()
    return torch.einsum("k,kv->v", heavy, values) / heavy.sum()

# %% wrong batch_attention: softmax-first-axis
# F.softmax without dim: on three axes it takes dim 0 (with a warning), so the shares run over the texts of the batch
def my_batch_attention(inputs):
    scores = inputs @ inputs.transpose(-2, -1)
    return F.softmax(scores) @ inputs

# %% wrong batch_attention: batch-mixed
# lays all texts end to end in one long text: the tokens see the tokens of the other texts
def my_batch_attention(inputs):
    batch, num_tokens, d_in = inputs.shape
    long_text = inputs.reshape(batch * num_tokens, d_in)
    attn = torch.softmax(long_text @ long_text.T, dim=-1)
    return (attn @ long_text).reshape(batch, num_tokens, d_in)

# %% wrong batch_attention: weights-as-well
# the course's function returns context vectors AND weights: the pair is handed on, the prompt wants the vectors only
def my_batch_attention(inputs):
    return attention.scaled_dot_product_attention(inputs, inputs, inputs, scale=1.0)

# %% wrong batch_attention: softmax-axis
# the mix adds up over the queries, not over the keys: the weights are used transposed
def my_batch_attention(inputs):
    scores = torch.einsum("bqd,bkd->bqk", inputs, inputs)
    weights = scores.softmax(dim=-1)
    return torch.einsum("bqk,bqd->bkd", weights, inputs)

# %% wrong batch_attention: squeezed
# squeeze at the end: with a batch of one text (or texts of one token) an axis is lost, not the same shape any more
def my_batch_attention(inputs):
    keys = inputs.permute(0, 2, 1)
    weights = torch.softmax(torch.bmm(inputs, keys), dim=2)
    context = torch.bmm(weights, inputs)
    return context.squeeze()

# %% right batch_attention
# vmap: attention written for a single text, lifted to the batch without a loop
def my_batch_attention(inputs):
    def one_text(x):
        return torch.softmax(x @ x.T, dim=-1) @ x

    return torch.vmap(one_text)(inputs)

# %% right batch_attention
# broadcasting alone: no @, no bmm, no transpose; products in shape (batch, queries, keys, d_in)
def my_batch_attention(inputs):
    asked = inputs.unsqueeze(2)
    answers = inputs.unsqueeze(1)
    scores = (asked * answers).sum(dim=-1)
    weights = scores.softmax(dim=-1)
    return (weights.unsqueeze(-1) * answers).sum(dim=2)

