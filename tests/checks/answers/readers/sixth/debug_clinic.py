# %% wrong row_weights: softmax-half-repaired
# the half-repair dim=2: right for a batch, the queries' axis for heads, no such axis for a single text
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=2)

# %% wrong row_weights: renormalised
# leaves dim=1 and divides by the row sums: rows add up to 1, but the weights are still wrong
def my_row_weights(queries, keys):
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
    weights = scores.softmax(dim=1)
    return weights / weights.sum(dim=-1, keepdim=True)

# %% wrong row_weights: keys-fixed-axes
# transposes axes 1 and 2: stops for a single text, and mixes heads and tokens up where there are heads
def my_row_weights(queries, keys):
    attn_scores = torch.matmul(queries, keys.transpose(1, 2)) / keys.size(-1) ** 0.5
    return F.softmax(attn_scores, dim=-1)

# %% wrong row_weights: naive-overflow + no-scale
# the repair loses the scaling by the root of the head's width
def my_row_weights(queries, keys):
    exps = torch.exp(torch.einsum("...qd,...kd->...qk", queries, keys))
    return exps / exps.sum(-1, keepdim=True)

# %% wrong row_weights: scale-wrong-axis
# scales by the number of tokens (axis -2), not by the width
def my_row_weights(queries, keys):
    num_tokens = keys.shape[-2]
    return attention.softmax(queries @ keys.transpose(-2, -1) / num_tokens**0.5)

# %% wrong row_weights: softmax-axis
# counts the axes in a helper, and picks the queries' axis: dim() - 2 in place of dim() - 1, columns add up to 1
def last_axis(scores):
    return scores.dim() - 2


def my_row_weights(queries, keys):
    d_k = queries.shape[-1]
    attn_scores = queries @ keys.mT / d_k**0.5
    return torch.softmax(attn_scores, dim=last_axis(attn_scores))

# %% right row_weights
# recursion over the axes in front, one text at a time at the bottom
def my_row_weights(queries, keys):
    if queries.dim() > 2:
        return torch.stack([my_row_weights(q, k) for q, k in zip(queries, keys)])
    rows = [torch.softmax(keys @ query / keys.shape[-1] ** 0.5, dim=0) for query in queries]
    return torch.stack(rows)

# %% right row_weights
# PyTorch's own function with the identity as values gives the weights
def my_row_weights(queries, keys):
    identity = torch.eye(keys.shape[-2], dtype=keys.dtype).expand(*keys.shape[:-1], keys.shape[-2])
    return F.scaled_dot_product_attention(queries, keys, identity)

# %% wrong one_row: key-fixed
# the half-repair: both numbers stand still, so all scores and all weights are equal
def my_one_row(queries, keys, row):
    scores = []
    for j in range(len(keys)):
        scores.append(queries[row] @ keys[row])
    attn_scores = torch.stack(scores) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)

# %% wrong one_row: qk-swapped
# the key stands still and the queries run: a column of the table, not a row
def my_one_row(queries, keys, row):
    attn_scores = torch.stack([query @ keys[row] for query in queries])
    return torch.softmax(attn_scores / queries.shape[-1] ** 0.5, dim=0)

# %% wrong one_row: loop-over-queries
# the loop runs over the number of queries: right only where there are as many keys
def my_one_row(queries, keys, row):
    attn_scores = torch.empty(len(queries))
    for j in range(len(queries)):
        attn_scores[j] = torch.dot(queries[row], keys[j])
    return F.softmax(attn_scores / math.sqrt(keys.shape[-1]), dim=-1)

# %% wrong one_row: row-axis-kept
# cuts row:row+1, and so keeps an axis of 1: shape (1, num_keys) in place of (num_keys,)
def my_one_row(queries, keys, row):
    one = queries[row:row + 1]
    return attention.softmax(one @ keys.T / keys.shape[1] ** 0.5)

# %% wrong one_row: elementwise
# adds up over the keys (dim=0) in place of the features: no dot product, one number per feature
def my_one_row(queries, keys, row):
    products = queries[row] * keys
    attn_scores = products.sum(dim=0) / keys.shape[-1] ** 0.5
    return attn_scores.softmax(dim=0)

# %% wrong one_row: softmax-axis
# makes the whole table, and takes softmax down the columns before it picks the row: does not add up to 1
def my_one_row(queries, keys, row):
    table = torch.einsum("id,jd->ij", queries, keys) / keys.shape[-1] ** 0.5
    weights = torch.softmax(table, 0)
    return weights[row]

# %% right one_row
# dot products and softmax by hand, in plain numbers, with the highest score subtracted
def my_one_row(queries, keys, row):
    width = keys.shape[-1]
    scores = [sum(float(queries[row, f]) * float(keys[j, f]) for f in range(width)) / width**0.5
              for j in range(keys.shape[0])]
    exps = [math.exp(score - max(scores)) for score in scores]
    return torch.tensor([e / sum(exps) for e in exps])

# %% right one_row
# matrix times vector with addmv-like mv, the query scaled first
def my_one_row(queries, keys, row):
    query = queries.select(0, row) * keys.shape[-1] ** -0.5
    return keys.mv(query).log_softmax(dim=-1).exp()

# %% wrong causal_weights: divided-by-mask-sum
# the half-repair: divides the masked weights by the sums of the mask, so rows do not add up to 1
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    mask = torch.ones(queries.shape[-2], keys.shape[-2]).tril()
    masked = attn_weights * mask
    return masked / mask.sum(dim=-1, keepdim=True)

# %% wrong causal_weights: softmax-again
# a second softmax over the masked weights: exp(0) is 1, the future is open again
def my_causal_weights(queries, keys):
    scores = torch.einsum("...id,...jd->...ij", queries, keys) / math.sqrt(queries.shape[-1])
    masked = scores.softmax(-1).tril()
    return masked.softmax(-1)

# %% wrong causal_weights: mask-after-softmax
# erases the future and shares out nothing again: rows add up to less than 1
def my_causal_weights(queries, keys):
    attn_weights = attention.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5)
    return attn_weights.masked_fill(~causal_mask(keys.shape[-2]), 0.0)

# %% wrong causal_weights: mask-off-by-one
# tril(-1): a token may not attend to itself either, and the first row is nan (nothing open)
def my_causal_weights(queries, keys):
    num_tokens = queries.shape[-2]
    attn_scores = queries @ keys.transpose(-1, -2) / keys.size(-1) ** 0.5
    open_keys = torch.ones(num_tokens, num_tokens).tril(diagonal=-1)
    return attn_scores.masked_fill(open_keys == 0, -torch.inf).softmax(dim=-1)

# %% wrong causal_weights: keepdim-forgotten
# forgets keepdim: the sums lie along the keys, each column is divided by the sum of another row (or the shapes clash)
def my_causal_weights(queries, keys):
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    masked = attn_weights * torch.tril(torch.ones(keys.shape[-2], keys.shape[-2]))
    row_sums = masked.sum(dim=-1)
    return masked / row_sums

# %% wrong causal_weights: mask-lower
# the mask hides the past: triu keeps what comes later
def my_causal_weights(queries, keys):
    weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    upper = torch.ones_like(weights).triu()
    kept = weights * upper
    return kept / kept.sum(dim=-1, keepdim=True)

# %% right causal_weights
# each row on its own: softmax over the keys so far, then zeros behind it
def my_causal_weights(queries, keys):
    num_tokens, width = queries.shape[-2:]
    rows = []
    for i in range(num_tokens):
        so_far = keys[..., :i + 1, :]
        scores = (queries[..., i:i + 1, :] * so_far).sum(dim=-1) / width**0.5
        rows.append(F.pad(scores.softmax(dim=-1), (0, num_tokens - 1 - i)))
    return torch.stack(rows, dim=-2)

# %% right causal_weights
# adds a table of 0 and -inf to the scores, and takes the exponentials by hand
def my_causal_weights(queries, keys):
    n = queries.shape[-2]
    closed = torch.full((n, n), -torch.inf).triu(1)
    scores = (queries @ keys.transpose(-2, -1)).div(keys.shape[-1] ** 0.5) + closed
    return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% wrong projected_attention: keys-as-queries
# the half-repair: another name is put there, the keys are taken for the queries
def my_projected_attention(inputs, W_query, W_key, W_value):
    querys, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_scores = keys @ keys.transpose(-2, -1) / querys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong projected_attention: global-leak
# the queries are mended, but the new name for the values meets an old one: reads the page's values, not its own
values = torch.randn(2, 5, 3)


def my_projected_attention(inputs, W_query, W_key, W_value):
    q, k, v = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_weights = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong projected_attention: outputs-swapped
# the pair in the wrong order: weights first
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries = torch.matmul(inputs, W_query)
    keys = torch.matmul(inputs, W_key)
    values = torch.matmul(inputs, W_value)
    attn_weights = attention.softmax(torch.matmul(queries, keys.mT) / math.sqrt(keys.shape[-1]))
    context_vecs = torch.matmul(attn_weights, values)
    return attn_weights, context_vecs

# %% wrong projected_attention: - "`W_query(inputs)` stops: `W_query` is a tensor of shape (3, "
# takes the matrices for linear layers and calls them: a tensor is not callable, TypeError
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = W_query(inputs), W_key(inputs), W_value(inputs)
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong projected_attention: scale-model
# scales by the width of the inputs, d_in, not of the queries
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = (inputs @ W for W in (W_query, W_key, W_value))
    attn_scores = queries @ keys.transpose(-2, -1) / inputs.shape[-1] ** 0.5
    attn_weights = F.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong projected_attention: keys-fixed-axes
# transpose(1, 2) and dim=2: for a batch of exactly three axes only, though any axes may stand in front
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_scores = queries @ keys.transpose(1, 2) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=2)
    return torch.einsum("...qk,...kd->...qd", attn_weights, values), attn_weights

# %% right projected_attention
# the projections as F.linear with turned matrices, and the course's function
def my_projected_attention(inputs, W_query, W_key, W_value):
    parts = [F.linear(inputs, W.T) for W in (W_query, W_key, W_value)]
    return attention.scaled_dot_product_attention(*parts)

# %% right projected_attention
# folds queries and keys into one matrix first, and mixes the inputs before it projects the values
def my_projected_attention(inputs, W_query, W_key, W_value):
    asks = W_query @ W_key.T / math.sqrt(W_query.shape[1])
    attn_scores = torch.einsum("...id,de,...je->...ij", inputs, asks, inputs)
    attn_weights = attn_scores.softmax(dim=-1)
    return (attn_weights @ inputs) @ W_value, attn_weights

# %% wrong many_heads: merge-no-transpose
# splits rightly, but leaves the last line: reshape without turning the axes back mixes tokens and features
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    parts = [part.view(batch_size, part.shape[1], num_heads, -1).transpose(1, 2) for part in (queries, keys, values)]
    context_vecs, _ = attention.scaled_dot_product_attention(*parts)
    return context_vecs.reshape(batch_size, num_tokens, d_out)

# %% wrong many_heads: split-discarded
# `part = ...` renames part only: queries, keys and values stay as they were, one head of full width
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    for part in (queries, keys, values):
        part = part.view(batch_size, part.shape[1], num_heads, d_out // num_heads).transpose(1, 2)
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return context_vecs.reshape(batch_size, num_tokens, d_out)

# %% wrong many_heads: view-no-transpose
# view straight to (batch, heads, tokens, head_dim) without a transpose: a head gets pieces of other tokens
def my_many_heads(queries, keys, values, num_heads):
    b, t, d_out = queries.shape
    head_dim = d_out // num_heads
    q = queries.reshape(b, num_heads, t, head_dim)
    k = keys.reshape(b, num_heads, keys.shape[1], head_dim)
    v = values.reshape(b, num_heads, values.shape[1], head_dim)
    context_vecs = F.scaled_dot_product_attention(q, k, v)
    return context_vecs.transpose(1, 2).reshape(b, t, d_out)

# %% wrong many_heads: keys-as-long-as-queries
# splits keys and values by the number of queries: right only with as many keys
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape

    def split(part):
        return part.view(batch_size, num_tokens, num_heads, d_out // num_heads).transpose(1, 2)

    context_vecs, _ = attention.scaled_dot_product_attention(split(queries), split(keys), split(values))
    return context_vecs.transpose(1, 2).reshape(batch_size, num_tokens, d_out)

# %% wrong many_heads: head-count-dim
# tensor.split takes the size of a piece, not how many: gives d_out / num_heads heads, each num_heads wide
def my_many_heads(queries, keys, values, num_heads):
    outs = []
    for q, k, v in zip(queries.split(num_heads, -1), keys.split(num_heads, -1), values.split(num_heads, -1)):
        weights = torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, dim=-1)
        outs.append(weights @ v)
    return torch.cat(outs, dim=-1)

# %% wrong many_heads: not-contiguous
# transpose, and then view on memory that is no longer in order: stops with a RuntimeError
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_queries, d_out = queries.shape
    queries, keys, values = (split_heads(part, num_heads) for part in (queries, keys, values))
    attn_scores = queries @ keys.transpose(-2, -1) / (d_out // num_heads) ** 0.5
    context_vecs = torch.softmax(attn_scores, dim=-1) @ values
    return context_vecs.transpose(1, 2).view(batch_size, num_queries, d_out)

# %% right many_heads
# one head after another on slices of the features, written into a prepared tensor
def my_many_heads(queries, keys, values, num_heads):
    head_dim = queries.shape[-1] // num_heads
    out = values.new_empty(*queries.shape[:-1], values.shape[-1])
    for start in range(0, queries.shape[-1], head_dim):
        here = slice(start, start + head_dim)
        scores = torch.bmm(queries[..., here], keys[..., here].transpose(1, 2)) * head_dim**-0.5
        out[..., here] = torch.bmm(scores.softmax(dim=2), values[..., here])
    return out

# %% right many_heads
# einsum from end to end, the heads' axis never moved: (batch, tokens, heads, head_dim)
def my_many_heads(queries, keys, values, num_heads):
    q, k, v = (part.unflatten(-1, (num_heads, -1)) for part in (queries, keys, values))
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
    return torch.einsum("bhqk,bkhd->bqhd", scores.softmax(-1), v).flatten(2)

# %% wrong masked_attention: all-masked-uniform
# a large negative number in place of minus infinity: a query with nothing open attends evenly, and gets no zeros
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: nan-gradient
# nan_to_num on what is returned, after the values: looks right, but nan is left on the way back to the values
def my_masked_attention(queries, keys, values, mask):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(keys.shape[-1])
    weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
    context_vecs = weights @ values
    return torch.nan_to_num(context_vecs, 0.0), torch.nan_to_num(weights, 0.0)

# %% wrong masked_attention: all-masked-nan
# multiplies by the mask after softmax: 0 times nan is nan, the rows with nothing open stay nan
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.mT / keys.shape[-1] ** 0.5
    attn_scores = torch.where(mask, attn_scores, -torch.inf)
    attn_weights = torch.softmax(attn_scores, dim=-1) * mask
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: mask-inverted
# fills where the mask is True: the open keys are closed, and the closed ones open
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = attention.softmax(attn_scores.masked_fill(mask, -torch.inf))
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: - "In your attn weights, all is right but for places that shoul"
# looks for empty rows along the wrong axis: any(dim=-2) finds keys that nobody may see, their columns are put to zero
# and the empty rows are shared out evenly
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_scores = attn_scores.masked_fill(~mask, torch.finfo(attn_scores.dtype).min)
    nobody = ~mask.any(dim=-2, keepdim=True)
    attn_weights = torch.softmax(attn_scores, dim=-1).masked_fill(nobody, 0.0)
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: - "`attn_weights[~mask.any(dim=-1)] = 0.0` stops: a mask of sha"
# picks the empty rows with the mask as an index: right for a full mask, stops where the mask broadcasts
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    attn_weights = attn_weights.clone()
    attn_weights[~mask.any(dim=-1)] = 0.0
    return attn_weights @ values, attn_weights

# %% right masked_attention
# opens the empty rows for softmax, and closes everything closed afterwards: no nan ever comes up
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    empty = ~mask.any(dim=-1, keepdim=True)
    attn_weights = attn_scores.masked_fill(~(mask | empty), -torch.inf).softmax(dim=-1)
    attn_weights = torch.where(mask, attn_weights, 0.0)
    return attn_weights @ values, attn_weights

# %% right masked_attention
# the exponentials by hand: closed ones are multiplied by 0, a sum of 0 is replaced by 1
def my_masked_attention(queries, keys, values, mask):
    scores = torch.matmul(queries / keys.shape[-1] ** 0.5, keys.transpose(-2, -1))
    lowest = torch.finfo(scores.dtype).min
    highest = scores.masked_fill(~mask, lowest).amax(dim=-1, keepdim=True).detach().clamp(min=-1e30)
    exps = torch.exp(torch.where(mask, scores, highest) - highest) * mask
    total = exps.sum(-1, keepdim=True)
    weights = exps / torch.where(total > 0, total, torch.ones_like(total))
    return torch.matmul(weights, values), weights

# %% wrong attend_to: values-ignored
# always takes the keys as values: values of their own are thrown away
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: defaults-in-wrong-order
# fills in the values one line too early: with queries alone keys are still None, and so are the values
def my_attend_to(queries, keys=None, values=None):
    if values is None:
        values = keys
    if keys is None:
        keys = queries
    attn_weights = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: values-or-keys
# `keys or queries`: a tensor of several numbers is neither true nor false, RuntimeError as soon as keys are given
def my_attend_to(queries, keys=None, values=None):
    keys = keys or queries
    values = values or keys
    attn_scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
    attn_weights = attn_scores.softmax(dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: values-by-shape
# mends only the case that stops: takes the keys as values where the lengths differ, else still the queries
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    if values is None:
        values = queries if queries.shape[-2] == keys.shape[-2] else keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: - "The context vecs should have the shape `(4, 3)`. Yours has `"
# two mistakes: hands back the table of weights on its side (a row is a key, its columns add up to 1), and that first
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = queries
    if values is None:
        values = keys
    weights = torch.softmax(torch.einsum("...kd,...qd->...kq", keys, queries) / keys.shape[-1] ** 0.5, dim=-2)
    return weights, weights.transpose(-2, -1) @ values

# %% wrong attend_to: weights-missing
# returns the context vectors alone (PyTorch's function gives no weights)
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        return my_attend_to(queries, queries, values)
    if values is None:
        return my_attend_to(queries, keys, keys)
    return F.scaled_dot_product_attention(queries, keys, values)

# %% right attend_to
# a list of what was given: the last one stands in for what is missing
def my_attend_to(queries, keys=None, values=None):
    texts = [queries]
    for text in (keys, values):
        texts.append(texts[-1] if text is None else text)
    q, k, v = texts
    weights = F.softmax(torch.einsum("...qd,...kd->...qk", q, k) * k.shape[-1] ** -0.5, dim=-1)
    return torch.einsum("...qk,...kv->...qv", weights, v), weights

# %% right attend_to
# calls itself with what is missing filled in, and ends in the course's function
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        return my_attend_to(queries, queries, values)
    if values is None:
        return my_attend_to(queries, keys, keys)
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong any_width: global-leak
# mends d_out and leaves num_tokens, which is still the notebook's 5
num_tokens = 5


class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        layers = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.W_query, self.W_key, self.W_value = layers

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
        mask = attention.causal_mask(num_tokens)
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        return attn_weights @ values, attn_weights

# %% wrong any_width: width-fixed
# the number is typed in: scores are divided by the root of 12, whatever the width
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) / 12**0.5
        scores = scores.masked_fill(~causal_mask(x.shape[-2]), -torch.inf)
        attn_weights = scores.softmax(dim=-1)
        return attn_weights @ self.W_value(x), attn_weights

# %% wrong any_width: scale-model
# scales by the width of what comes in: x.shape[-1] is d_in
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))

    def forward(self, x):
        *_, num_tokens, width = x.shape
        queries, keys = self.W_query(x), self.W_key(x)
        future = torch.ones(num_tokens, num_tokens, dtype=torch.bool).triu(1)
        attn_weights = ((queries @ keys.mT) / width**0.5).masked_fill(future, -torch.inf).softmax(-1)
        return attn_weights @ self.W_value(x), attn_weights

# %% wrong any_width: extra-bias
# nn.Linear with its default bias, though the prompt says without: a random bias is left beside the copied weights
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out) for _ in range(3))

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / self.d_out**0.5
        mask = attention.causal_mask(x.shape[-2])
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        return attn_weights @ values, attn_weights

# %% wrong any_width: mask-kept
# makes the mask at the first call and keeps it: a text of another length meets the old mask
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.mask = None

    def forward(self, x):
        if self.mask is None:
            self.mask = causal_mask(x.shape[-2])
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        attn_weights = attention.softmax(attn_scores.masked_fill(~self.mask, -torch.inf))
        return attn_weights @ values, attn_weights

# %% wrong any_width: no-mask
# getting rid of num_tokens, it got rid of the mask: every token sees the future
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        layers = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.W_query, self.W_key, self.W_value = layers

    def forward(self, x):
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))

# %% right any_width
# inherits from the course's head without a mask, and writes forward anew
class MyAnyWidth(attention.SelfAttention):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out, qkv_bias=False)

    def forward(self, x):
        here = torch.arange(x.shape[-2])
        may_attend = here[:, None] >= here[None, :]
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x), may_attend)

# %% right any_width
# a helper method for the weights, with -inf added to the future; scale kept in __init__
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_value = nn.Linear(d_in, d_out, False)
        self.W_key = nn.Linear(d_in, d_out, False)
        self.W_query = nn.Linear(d_in, d_out, False)
        self.scale = 1 / math.sqrt(d_out)

    def weights(self, x):
        scores = torch.einsum("...qd,...kd->...qk", self.W_query(x) * self.scale, self.W_key(x))
        future = torch.full_like(scores, -torch.inf).triu(diagonal=1)
        return F.softmax(scores + future, dim=-1)

    def forward(self, x):
        attn_weights = self.weights(x)
        return attn_weights @ self.W_value(x), attn_weights

# %% wrong adopt: bias-swapped
# the half-repair: the weights are in the right order, the biases still in that of case 9
def my_adopt(ours, theirs):
    with torch.no_grad():
        for layer, weight in zip((ours.W_query, ours.W_key, ours.W_value), theirs.in_proj_weight.chunk(3)):
            layer.weight.copy_(weight)
        for layer, bias in zip((ours.W_key, ours.W_query, ours.W_value), theirs.in_proj_bias.chunk(3)):
            layer.bias.copy_(bias)
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong adopt: bias-forgotten
# forgets the biases of the three projections
def my_adopt(ours, theirs):
    q, k, v = theirs.in_proj_weight.detach().chunk(3)
    ours.W_query.weight.data.copy_(q)
    ours.W_key.weight.data.copy_(k)
    ours.W_value.weight.data.copy_(v)
    ours.out_proj.weight.data.copy_(theirs.out_proj.weight.data)
    ours.out_proj.bias.data.copy_(theirs.out_proj.bias.data)

# %% wrong adopt: out-proj-forgotten
# out_proj is left as it was
def my_adopt(ours, theirs):
    width = theirs.embed_dim
    with torch.no_grad():
        for number, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
            rows = slice(number * width, (number + 1) * width)
            layer.weight.copy_(theirs.in_proj_weight[rows])
            layer.bias.copy_(theirs.in_proj_bias[rows])

# %% wrong adopt: no-grad-missing
# copies without torch.no_grad(): copy_ into a parameter stops with a RuntimeError
def my_adopt(ours, theirs):
    layers = (ours.W_query, ours.W_key, ours.W_value)
    for layer, weight, bias in zip(layers, theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)):
        layer.weight.copy_(weight)
        layer.bias.copy_(bias)
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong adopt: linear-layout
# turns the matrices, in the belief that nn.Linear stores (d_in, d_out): they are square, so nothing stops
def my_adopt(ours, theirs):
    state = {}
    names = ("W_query", "W_key", "W_value")
    for name, weight, bias in zip(names, theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)):
        state[f"{name}.weight"] = weight.T
        state[f"{name}.bias"] = bias
    state["out_proj.weight"], state["out_proj.bias"] = theirs.out_proj.weight, theirs.out_proj.bias
    ours.load_state_dict(state)

# %% wrong adopt: names-differ
# loads by name with strict=False: only out_proj has the same name, the three projections are skipped in silence
def my_adopt(ours, theirs):
    ours.load_state_dict(theirs.state_dict(), strict=False)

# %% right adopt
# builds a whole state dict by tensor_split and loads it strictly
def my_adopt(ours, theirs):
    state = {f"out_proj.{name}": number for name, number in theirs.out_proj.state_dict().items()}
    for kind in ("weight", "bias"):
        stacked = getattr(theirs, f"in_proj_{kind}").detach()
        for name, part in zip(["W_query", "W_key", "W_value"], stacked.tensor_split(3)):
            state[f"{name}.{kind}"] = part
    ours.load_state_dict(state)

# %% right adopt
# new parameters with numbers of their own in place of copy_
def fresh(numbers):
    return nn.Parameter(numbers.detach().clone())


def my_adopt(ours, theirs):
    width = theirs.in_proj_weight.shape[0] // 3
    for at, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
        layer.weight = fresh(theirs.in_proj_weight[at * width:][:width])
        layer.bias = fresh(theirs.in_proj_bias[at * width:][:width])
    ours.out_proj.weight, ours.out_proj.bias = fresh(theirs.out_proj.weight), fresh(theirs.out_proj.bias)

# %% wrong same_outputs: one-only
# .eval() on one of the two: theirs goes on dropping if it came in training mode
def my_same_outputs(ours, theirs, inputs):
    modes = {part: part.training for part in ours.modules()}
    ours.eval()
    with torch.no_grad():
        same = torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)
    for part, mode in modes.items():
        part.training = mode
    return same

# %% wrong same_outputs: stays-in-eval
# both stay in eval mode: the modes are not put back
def my_same_outputs(ours, theirs, inputs):
    ours.eval()
    theirs.eval()
    with torch.no_grad():
        return torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)

# %% wrong same_outputs: parts-forgotten
# keeps the mode of the whole module only: train(mode) sets all parts alike, a part with a mode of its own loses it
def my_same_outputs(ours, theirs, inputs):
    before = [module.training for module in (ours, theirs)]
    with torch.no_grad():
        one, other = (module.eval()(inputs)[0] for module in (ours, theirs))
    for module, mode in zip((ours, theirs), before):
        module.train(mode)
    return bool((one - other).abs().max() < 1e-4)

# %% wrong same_outputs: dropout-left-on
# a seed before each call in place of eval: dropout still drops, and one that draws differently seems another
def my_same_outputs(ours, theirs, inputs):
    outputs = []
    for module in (ours, theirs):
        torch.manual_seed(0)
        with torch.no_grad():
            outputs.append(module(inputs)[0])
    return torch.allclose(*outputs, atol=1e-5)

# %% wrong same_outputs: exact
# torch.equal asks for the same to the last bit: rounding counts as a difference
import copy


def my_same_outputs(ours, theirs, inputs):
    mine, yours = copy.deepcopy(ours).eval(), copy.deepcopy(theirs).eval()
    with torch.no_grad():
        return torch.equal(mine(inputs)[0], yours(inputs)[0])

# %% wrong same_outputs: - "Afterwards, `ours` is in eval mode, and came in training mod"
# the modes of both are kept under the parts' names in one dict: where both have a part "dropout", the second overwrites
# the first, and ours gets back the modes of theirs
def my_same_outputs(ours, theirs, inputs):
    modes = {}
    for module in (ours, theirs):
        for name, part in module.named_modules():
            modes[name] = part.training
        module.eval()
    with torch.no_grad():
        difference = ours(inputs)[0] - theirs(inputs)[0]
    for module in (ours, theirs):
        for name, part in module.named_modules():
            part.training = modes[name]
    return bool(difference.abs().max() < 1e-4)

# %% right same_outputs
# a context manager that puts back every mode, even after an error, and assert_close as the judge
from contextlib import contextmanager


@contextmanager
def nothing_dropped(*modules):
    parts = [part for module in modules for part in module.modules()]
    modes = [part.training for part in parts]
    try:
        for module in modules:
            module.eval()
        yield
    finally:
        for part, mode in zip(parts, modes):
            part.training = mode


def my_same_outputs(ours, theirs, inputs):
    with nothing_dropped(ours, theirs), torch.no_grad():
        context_vecs, others = ours(inputs)[0], theirs(inputs)[0]
    try:
        torch.testing.assert_close(context_vecs, others, rtol=1e-4, atol=1e-4)
    except AssertionError:
        return False
    return True

# %% right same_outputs
# copies, and numpy's judgement turned into a plain bool
from copy import deepcopy


def outputs_of(module, inputs):
    return deepcopy(module).train(False)(inputs)[0].detach().numpy()


def my_same_outputs(ours, theirs, inputs):
    one, other = outputs_of(ours, inputs), outputs_of(theirs, inputs)
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=0, atol=2e-4))
