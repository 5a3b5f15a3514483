# %% wrong row_weights: - "`exps / exps.sum(dim=-1)` stops: (3, 4) meets (3,). Counted "
# the sum lost its axis (no keepdim): it is spread along the keys, so weights are divided by another row's sum (or stop)
def my_row_weights(queries, keys):
    scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    exps = torch.exp(scores - scores.max())
    return exps / exps.sum(dim=-1)

# %% wrong row_weights: letters-fixed
# the axes are named for a batch: one text or a batch with heads stops with an error
def my_row_weights(queries, keys):
    attn_scores = torch.einsum("bqd,bkd->bqk", queries, keys) / math.sqrt(keys.size(2))
    return F.softmax(attn_scores, dim=-1)

# %% wrong row_weights: softmax-axis
# counts the axis from the end, but takes the last but one, the queries' axis: columns add up to 1
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    axis = attn_scores.dim() - 2
    return torch.softmax(attn_scores, dim=axis)

# %% wrong row_weights: renormalised
# keeps softmax along dim=1 and divides by the row sums: rows add up to 1, the weights are still wrong
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=1)
    return attn_weights / attn_weights.sum(dim=-1, keepdim=True)

# %% wrong row_weights: softmax-all
# one softmax over the whole table of a text: all its cells together add up to 1, not each row
def my_row_weights(queries, keys):
    table = queries @ keys.mT / keys.shape[-1] ** 0.5
    return table.flatten(-2).softmax(dim=-1).view(table.shape)

# %% wrong row_weights: qk-swapped
# the keys ask the queries: rows and columns of the scores are swapped
def my_row_weights(queries, keys):
    scale = queries.shape[-1] ** -0.5
    attn_scores = torch.matmul(keys, queries.transpose(-1, -2)) * scale
    return attn_scores.softmax(-1)

# %% right row_weights
# recursion over the axes in front, down to one text
def my_row_weights(queries, keys):
    if queries.dim() > 2:
        return torch.stack([my_row_weights(q, k) for q, k in zip(queries, keys)])
    return torch.softmax(queries @ keys.T / math.sqrt(keys.shape[1]), dim=1)

# %% right row_weights
# broadcast products, summed; softmax by hand with logsumexp
def my_row_weights(queries, keys):
    scaled = queries / queries.shape[-1] ** 0.5
    scores = (scaled.unsqueeze(-2) * keys.unsqueeze(-3)).sum(dim=-1)
    return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

# %% wrong one_row: room-for-queries
# makes room for as many scores as there are queries: with more keys it stops, with fewer keys too many weights come out
def my_one_row(queries, keys, row):
    scores = torch.zeros(len(queries))
    for j in range(len(keys)):
        scores[j] = queries[row] @ keys[j]
    return torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)

# %% wrong one_row: softmax-axis
# softmax of the whole table runs down the columns (dim=0) before the row is taken: it does not add up to 1
def my_one_row(queries, keys, row):
    table = queries @ keys.T / keys.shape[-1] ** 0.5
    return torch.softmax(table, dim=0)[row]

# %% wrong one_row: row-axis-kept
# row:row + 1 keeps an axis: the shape is (1, num_keys), not (num_keys,)
def my_one_row(queries, keys, row):
    asked = queries[row:row + 1]
    return torch.softmax(asked @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)

# %% wrong one_row: row-off-by-one
# takes row as counted from 1: query row - 1 is asked (for row 0 the last one)
def my_one_row(queries, keys, row):
    query = queries[row - 1]
    scores = []
    for key in keys:
        scores.append((query * key).sum())
    return torch.softmax(torch.stack(scores) / keys.shape[-1] ** 0.5, dim=-1)

# %% wrong one_row: past-only
# looks only at the keys up to its own place, as if it were causal: later keys are missing
def my_one_row(queries, keys, row):
    q = queries[row]
    attn_scores = torch.stack([q @ keys[j] for j in range(row + 1)])
    return F.softmax(attn_scores / q.shape[0] ** 0.5, dim=0)

# %% wrong one_row: scale-wrong-axis
# divides by the root of the number of keys; it should be the width of a key
def my_one_row(queries, keys, row):
    d = len(keys)
    attn_scores = (keys * queries[row]).sum(dim=1) / d**0.5
    return attn_scores.softmax(dim=0)

# %% right one_row
# matrix times vector, course softmax
def my_one_row(queries, keys, row):
    return attention.softmax(keys.mv(queries[row]) / keys.shape[1] ** 0.5)

# %% right one_row
# PyTorch's function with the identity as values delivers the weights themselves
def my_one_row(queries, keys, row):
    identity = torch.eye(keys.shape[0], dtype=keys.dtype)
    return F.scaled_dot_product_attention(queries[None, row, None], keys[None], identity[None])[0, 0]

# %% wrong causal_weights: mask-zero-fill
# typed 1e-9 for -1e9: the future gets a score of nearly 0 and is still attended to
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = torch.ones(queries.shape[-2], keys.shape[-2]).tril()
    return torch.softmax(attn_scores.masked_fill(mask == 0, 1e-9), dim=-1)

# %% wrong causal_weights: sum-down-columns
# shares out over the queries (dim=-2): the columns add up to 1, not the rows
def my_causal_weights(queries, keys):
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    masked = attn_weights.tril()
    return masked / masked.sum(dim=-2, keepdim=True)

# %% wrong causal_weights: keepdim-forgotten
# keepdim is missing: the row sums are laid along the keys, each column is divided by another row's sum (or it stops)
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    masked = attn_weights * torch.ones(queries.shape[-2], keys.shape[-2]).tril()
    row_sums = masked.sum(dim=-1)
    return masked / row_sums

# %% wrong causal_weights: mask-zero-fill
# multiplies the SCORES by the mask: a hidden score of 0 is no closed one, so softmax gives the future weight
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = causal_mask(queries.shape[-2])
    return torch.softmax(attn_scores * mask, dim=-1)

# %% wrong causal_weights: mask-after-softmax
# erases the future and leaves it at that: the rows no longer add up to 1
def my_causal_weights(queries, keys):
    n = queries.shape[-2]
    attn_weights = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
    masked = attn_weights * torch.ones(n, n).tril()
    return masked

# %% wrong causal_weights: tokens-axis
# reads the number of tokens from axis 1: right for a batch, with one text or with heads the mask has another size
def my_causal_weights(queries, keys):
    num_tokens = queries.shape[1]
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    future = torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()
    return torch.softmax(attn_scores.masked_fill(future, -torch.inf), dim=-1)

# %% right causal_weights
# row by row: softmax over the past alone, zeros behind it
def my_causal_weights(queries, keys):
    n, rows = queries.shape[-2], []
    for i in range(n):
        past = (queries[..., i:i + 1, :] * keys[..., :i + 1, :]).sum(-1) / keys.shape[-1] ** 0.5
        rows.append(F.pad(past.softmax(-1), (0, n - 1 - i)))
    return torch.stack(rows, dim=-2)

# %% right causal_weights
# PyTorch's function, causal, with the identity as values
def my_causal_weights(queries, keys):
    n = keys.shape[-2]
    values = torch.eye(n, dtype=keys.dtype).expand(*keys.shape[:-2], n, n)
    return F.scaled_dot_product_attention(queries, keys, values, is_causal=True)

# %% wrong projected_attention: - "`W_query(inputs)` stops: `W_query` is a tensor of shape (3, "
# W_query is a matrix, not a layer: calling it like one stops with a TypeError
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = W_query(inputs), W_key(inputs), W_value(inputs)
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong projected_attention: scale-model
# scales by the width of the inputs (d_in), not by that of the queries
def my_projected_attention(inputs, W_query, W_key, W_value):
    q, k, v = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_scores = q @ k.transpose(-2, -1) / inputs.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ v, attn_weights

# %% wrong projected_attention: outputs-swapped
# returns the pair in the other order: weights first
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = [inputs @ W for W in (W_query, W_key, W_value)]
    attn_weights = torch.softmax(queries @ keys.mT / queries.shape[-1] ** 0.5, dim=-1)
    context_vecs = attn_weights @ values
    return attn_weights, context_vecs

# %% wrong projected_attention: v-unprojected
# mixes the raw inputs and never uses W_value
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries = inputs @ W_query
    keys = inputs @ W_key
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ inputs, attn_weights

# %% wrong projected_attention: three-axes-only
# bmm takes exactly three axes: a single text, or more axes in front, stops with an error
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_weights = torch.bmm(queries, keys.transpose(1, 2)).div(queries.shape[-1] ** 0.5).softmax(-1)
    return torch.bmm(attn_weights, values), attn_weights

# %% wrong projected_attention: global-leak
# mended for the queries, and now the values are misspelt: the notebook's old `values` are mixed
values = torch.randn(2, 5, 3)

def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, vals = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% right projected_attention
# F.linear with transposed matrices and the course's function
def my_projected_attention(inputs, W_query, W_key, W_value):
    projected = [F.linear(inputs, weight.T) for weight in (W_query, W_key, W_value)]
    return attention.scaled_dot_product_attention(*projected)

# %% right projected_attention
# einsum, the two matrices for the scores multiplied first
def my_projected_attention(inputs, W_query, W_key, W_value):
    bilinear = W_query @ W_key.T / W_query.shape[1] ** 0.5
    scores = torch.einsum("...qi,ij,...kj->...qk", inputs, bilinear, inputs)
    weights = scores.softmax(dim=-1)
    return torch.einsum("...qk,...ki,iv->...qv", weights, inputs, W_value), weights

# %% wrong many_heads: not-contiguous
# view after transpose: the memory is no longer in order, and view stops with an error
def my_many_heads(queries, keys, values, num_heads):
    batch, num_queries, d_out = queries.shape
    q, k, v = (part.view(batch, part.shape[1], num_heads, -1).transpose(1, 2) for part in (queries, keys, values))
    context_vecs = torch.softmax(q @ k.transpose(-2, -1) / (d_out // num_heads) ** 0.5, dim=-1) @ v
    return context_vecs.transpose(1, 2).view(batch, num_queries, d_out)

# %% wrong many_heads: features-dealt-out
# view(..., head_dim, num_heads): a head gets every num_heads-th feature in place of a block side by side
def my_many_heads(queries, keys, values, num_heads):
    def cut(x):
        return x.reshape(*x.shape[:2], x.shape[2] // num_heads, num_heads).permute(0, 3, 1, 2)

    context_vecs, _ = attention.scaled_dot_product_attention(cut(queries), cut(keys), cut(values))
    return context_vecs.permute(0, 2, 3, 1).flatten(2)

# %% wrong many_heads: scale-model
# scales by the root of d_out, all heads together, where each head is only d_out // num_heads wide
def my_many_heads(queries, keys, values, num_heads):
    scale = queries.shape[-1] ** -0.5
    heads = zip(queries.chunk(num_heads, -1), keys.chunk(num_heads, -1), values.chunk(num_heads, -1))
    return torch.cat([torch.softmax(q @ k.mT * scale, dim=-1) @ v for q, k, v in heads], dim=-1)

# %% wrong many_heads: keys-as-long-as-queries
# uses the number of queries for the keys and values too: with more keys than queries view stops
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    shape = (batch_size, num_tokens, num_heads, d_out // num_heads)
    queries = queries.view(shape).transpose(1, 2)
    keys = keys.view(shape).transpose(1, 2)
    values = values.view(shape).transpose(1, 2)
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return context_vecs.transpose(1, 2).reshape(batch_size, num_tokens, d_out)

# %% wrong many_heads: view-no-transpose
# views straight to (batch, heads, tokens, head_dim) without transpose: tokens and features are mixed up
def my_many_heads(queries, keys, values, num_heads):
    b, t, d = queries.shape
    parts = [part.view(b, num_heads, part.shape[1], d // num_heads) for part in (queries, keys, values)]
    context_vecs = F.scaled_dot_product_attention(*parts)
    return context_vecs.view(b, t, d)

# %% wrong many_heads: features-dealt-out
# puts the heads together on a new LAST axis and flattens: their features are interleaved, not side by side
def my_many_heads(queries, keys, values, num_heads):
    size = queries.shape[-1] // num_heads
    outs = []
    for h in range(num_heads):
        cols = slice(h * size, (h + 1) * size)
        outs.append(attention.scaled_dot_product_attention(queries[..., cols], keys[..., cols], values[..., cols])[0])
    return torch.stack(outs, dim=-1).flatten(-2)

# %% right many_heads
# heads become part of the batch, bmm and baddbmm with three axes
def my_many_heads(queries, keys, values, num_heads):
    batch, num_queries, d_out = queries.shape
    size = d_out // num_heads

    def fold(x):
        return x.unflatten(-1, (num_heads, size)).transpose(1, 2).flatten(0, 1)

    q, k, v = fold(queries), fold(keys), fold(values)
    scores = torch.baddbmm(q.new_zeros(len(q), q.shape[1], k.shape[1]), q, k.transpose(1, 2), alpha=size**-0.5)
    mixed = torch.bmm(scores.softmax(-1), v).unflatten(0, (batch, num_heads))
    return mixed.permute(0, 2, 1, 3).reshape(batch, num_queries, d_out)

# %% right many_heads
# writes each head's block into an empty result, text by text
def my_many_heads(queries, keys, values, num_heads):
    result = torch.zeros_like(queries)
    width = queries.shape[2] // num_heads
    for text in range(len(queries)):
        for left in range(0, queries.shape[2], width):
            q, k, v = (x[text, :, left:left + width] for x in (queries, keys, values))
            result[text, :, left:left + width] = torch.softmax(q @ k.T / width**0.5, dim=1) @ v
    return result

# %% wrong masked_attention: nan-gradient
# minus infinity is ADDED, and the weights' nan replaced by 0: forwards all is well, on the way back the gradients of
# queries and keys are nan
def my_masked_attention(queries, keys, values, mask):
    bias = torch.zeros(mask.shape, dtype=queries.dtype).masked_fill(~mask, -torch.inf)
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5 + bias
    attn_weights = torch.softmax(attn_scores, dim=-1).nan_to_num(0.0)
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: mask-as-index
# scores[~mask] = ... wants a mask of the same shape: one that has to broadcast stops with an error
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_scores[~mask] = -torch.inf
    attn_weights = attention.softmax(attn_scores)
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: all-masked-uniform
# the smallest float in place of minus infinity: a query with nothing open attends evenly to all, no zeros
def my_masked_attention(queries, keys, values, mask):
    attn_scores = torch.einsum("...qd,...kd->...qk", queries, keys) / keys.shape[-1] ** 0.5
    lowest = torch.finfo(attn_scores.dtype).min
    attn_weights = torch.where(mask, attn_scores, lowest).softmax(dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: first-key-opened
# opens the first key for a query that has none: no nan, but that query gets weight 1 on padding and not zeros
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = mask.expand(attn_scores.shape).clone()
    mask[..., 0] |= ~mask.any(dim=-1)
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: empty-whole
# empties the whole text as soon as one of its queries has nothing open; the other queries lose their weights
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = mask.expand(attn_scores.shape)
    usable = mask.any(dim=-1).all(dim=-1)[..., None, None]
    attn_weights = attention.softmax(attn_scores.masked_fill(~(mask & usable), -torch.inf))
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: nan-in-weights
# mends what it delivers and hands back the weights as they were, with nan in the rows with nothing open
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    mended = attn_weights.masked_fill(~mask, 0.0)
    return mended @ values, attn_weights

# %% right masked_attention
# a large negative number is fine here, since the closed weights are multiplied by 0 afterwards
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1) * mask
    return attn_weights @ values, attn_weights

# %% right masked_attention
# exponentials by hand, erased with the mask; the sum of an empty row is set to 1
def my_masked_attention(queries, keys, values, mask):
    scores = (queries @ keys.mT / keys.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    top = scores.detach().amax(-1, keepdim=True).clamp(min=-1e30)
    exps = torch.exp(scores - top)
    sums = exps.sum(-1, keepdim=True)
    weights = exps / torch.where(sums > 0, sums, torch.ones_like(sums))
    return torch.matmul(weights, values), weights

# %% wrong attend_to: values-or-keys
# "or" asks whether a tensor is true, which is ambiguous: it stops with an error as soon as keys are given
def my_attend_to(queries, keys=None, values=None):
    keys = keys or queries
    values = values or keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: defaults-in-wrong-order
# elif: with queries alone only the keys are filled in, values stays None and the product stops
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = queries
    elif values is None:
        values = keys
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong attend_to: defaults-in-wrong-order
# fills in the values one line too early, when keys may still be None: queries alone stops
def my_attend_to(queries, keys=None, values=None):
    values = keys if values is None else values
    keys = queries if keys is None else keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: two-calls-only
# without values it goes back to self-attention altogether: the keys that were given are thrown away
def my_attend_to(queries, keys=None, values=None):
    if values is None:
        keys = values = queries
    elif keys is None:
        keys = queries
    attn_weights = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: values-by-shape
# takes the keys as values only where the lengths differ (the error went away); two texts of the same length still
# get the queries delivered
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    if values is None:
        values = queries if keys.shape == queries.shape else keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: qk-swapped
# the text that is given asks, and the queries answer: the scores are the wrong way round
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = queries
    if values is None:
        values = keys
    scores = keys @ queries.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = attention.softmax(scores)
    return attn_weights @ values, attn_weights

# %% right attend_to
# calls itself with what is missing filled in
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        return my_attend_to(queries, queries, values)
    if values is None:
        return my_attend_to(queries, keys, keys)
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% right attend_to
# next() picks the first that is given; einsum
def my_attend_to(queries, keys=None, values=None):
    answering = next(x for x in (keys, queries) if x is not None)
    delivered = next(x for x in (values, answering) if x is not None)
    scores = torch.einsum("...qd,...kd->...qk", queries, answering) / queries.shape[-1] ** 0.5
    weights = torch.softmax(scores, -1)
    return torch.einsum("...qk,...kv->...qv", weights, delivered), weights

# %% wrong any_width: mask-kept
# the mask is made at the first call and kept: a later text of another length meets a mask of the wrong size
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.scale, self.mask = d_out**0.5, None

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        if self.mask is None:
            self.mask = attention.causal_mask(x.shape[-2])
        attn_scores = queries @ keys.transpose(-2, -1) / self.scale
        attn_weights = attention.softmax(attn_scores.masked_fill(~self.mask, -torch.inf))
        return attn_weights @ values, attn_weights

# %% wrong any_width: one-layer
# [layer] * 3 is three times the same layer: queries, keys and values share one matrix
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = [nn.Linear(d_in, d_out, bias=False)] * 3

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        attn_weights = attention.softmax(attn_scores.masked_fill(~causal_mask(x.shape[-2]), -torch.inf))
        return attn_weights @ values, attn_weights

# %% wrong any_width: super-forgotten
# super().__init__() is missing: assigning a layer stops with an error
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        mask = attention.causal_mask(x.shape[-2])
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x), mask)

# %% wrong any_width: scale-model
# reads the width off x: that is d_in, and the scores are scaled by the wrong root
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        layers = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.W_query, self.W_key, self.W_value = layers

    def forward(self, x):
        num_tokens, width = x.shape[-2:]
        scores = self.W_query(x) @ self.W_key(x).mT / width**0.5
        weights = torch.softmax(scores.masked_fill(~attention.causal_mask(num_tokens), -torch.inf), dim=-1)
        return weights @ self.W_value(x), weights

# %% wrong any_width: heads-in-list
# the layers lie in a plain dictionary, so PyTorch does not know them: no weights can be copied in by name
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.parts = {name: nn.Linear(d_in, d_out, bias=False) for name in ("W_query", "W_key", "W_value")}

    def forward(self, x):
        q, k, v = (layer(x) for layer in self.parts.values())
        scores = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
        weights = attention.softmax(scores.masked_fill(~causal_mask(x.shape[-2]), -torch.inf))
        return weights @ v, weights

# %% wrong any_width: mask-from-batch
# len(x) is the number of texts, not of tokens: the mask has the wrong size
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        mask = attention.causal_mask(len(x))
        attn_scores = queries @ keys.transpose(-2, -1) / self.d_out**0.5
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        return attn_weights @ values, attn_weights

# %% right any_width
# built on the course's class without a mask, which is put on top
class MyAnyWidth(attention.SelfAttention):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out, qkv_bias=False)

    def forward(self, x):
        return self._attend(x, mask=attention.causal_mask(x.size(-2)))

# %% right any_width
# setattr in a loop, an extra buffer that is not stored, the mask by comparing places
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.register_buffer("factor", torch.tensor(d_out**-0.5), persistent=False)

    def forward(self, x):
        places = torch.arange(x.shape[-2])
        scores = torch.einsum("...qd,...kd->...qk", self.W_query(x) * self.factor, self.W_key(x))
        weights = torch.where(places[:, None] >= places, scores, -math.inf).softmax(-1)
        return weights @ self.W_value(x), weights

# %% wrong adopt: names-differ
# load_state_dict(strict=False) skips every name that does not fit: only out_proj arrives, queries, keys and values not
def my_adopt(ours, theirs):
    ours.load_state_dict(theirs.state_dict(), strict=False)

# %% wrong adopt: no-grad-missing
# copies into parameters without torch.no_grad(): PyTorch stops, a leaf that needs a gradient may not change in place
def my_adopt(ours, theirs):
    q_w, k_w, v_w = theirs.in_proj_weight.chunk(3)
    q_b, k_b, v_b = theirs.in_proj_bias.chunk(3)
    ours.W_query.weight.copy_(q_w)
    ours.W_key.weight.copy_(k_w)
    ours.W_value.weight.copy_(v_w)
    ours.W_query.bias.copy_(q_b)
    ours.W_key.bias.copy_(k_b)
    ours.W_value.bias.copy_(v_b)
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong adopt: linear-layout
# transposes the matrices, as if they were (d_in, d_out): they are square, so nothing stops
@torch.no_grad()
def my_adopt(ours, theirs):
    for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
        layer.weight.copy_(theirs.in_proj_weight.chunk(3)[i].T)
        layer.bias.copy_(theirs.in_proj_bias.chunk(3)[i])
    ours.out_proj.weight.copy_(theirs.out_proj.weight)
    ours.out_proj.bias.copy_(theirs.out_proj.bias)

# %% wrong adopt: wrong-direction
# the wrong direction: fills theirs with the numbers of ours, which stays as it was
def my_adopt(ours, theirs):
    layers = (ours.W_query, ours.W_key, ours.W_value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())

# %% wrong adopt: chunk-axis
# cuts the stacked matrix along its columns (dim=1): (3 * width, width / 3) pieces do not fit, copy_ stops
def my_adopt(ours, theirs):
    with torch.no_grad():
        pieces = zip((ours.W_query, ours.W_key, ours.W_value),
                     theirs.in_proj_weight.chunk(3, dim=1), theirs.in_proj_bias.chunk(3))
        for layer, weight, bias in pieces:
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong adopt: out-bias-forgotten
# out_proj gets its weight and not its bias: on a fresh layer nobody sees it, since that bias starts at 0
def my_adopt(ours, theirs):
    d = theirs.embed_dim
    with torch.no_grad():
        for start, layer in zip((0, d, 2 * d), (ours.W_query, ours.W_key, ours.W_value)):
            layer.weight[:] = theirs.in_proj_weight[start:start + d]
            layer.bias[:] = theirs.in_proj_bias[start:start + d]
        ours.out_proj.weight[:] = theirs.out_proj.weight

# %% right adopt
# builds a whole state_dict and loads it strictly
def my_adopt(ours, theirs):
    state = {f"out_proj.{name}": value for name, value in theirs.out_proj.state_dict().items()}
    for kind, stacked in (("weight", theirs.in_proj_weight), ("bias", theirs.in_proj_bias)):
        for name, piece in zip(["W_query", "W_key", "W_value"], stacked.detach().split(stacked.shape[0] // 3)):
            state[f"{name}.{kind}"] = piece
    ours.load_state_dict(state)

# %% right adopt
# new parameters made from clones in place of copy_
def my_adopt(ours, theirs):
    def fresh(tensor):
        return nn.Parameter(tensor.detach().clone())

    weights = theirs.in_proj_weight.unflatten(0, (3, -1))
    biases = theirs.in_proj_bias.view(3, -1)
    for i, name in enumerate(("W_query", "W_key", "W_value")):
        layer = getattr(ours, name)
        layer.weight, layer.bias = fresh(weights[i]), fresh(biases[i])
    ours.out_proj.weight, ours.out_proj.bias = fresh(theirs.out_proj.weight), fresh(theirs.out_proj.bias)

# %% wrong same_outputs: outside-only
# sets .training of the two outer modules by hand: the dropout inside keeps its own mode and goes on dropping
def my_same_outputs(ours, theirs, inputs):
    modes = ours.training, theirs.training
    ours.training = theirs.training = False
    with torch.no_grad():
        same = torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)
    ours.training, theirs.training = modes
    return same

# %% wrong same_outputs: means-compared
# compares the mean of all numbers: outputs that differ everywhere may have the same mean (the tokens shuffled, say)
def my_same_outputs(ours, theirs, inputs):
    import copy
    means = []
    for module in (ours, theirs):
        twin = copy.deepcopy(module).eval()
        means.append(twin(inputs)[0].detach().mean())
    return abs(means[0] - means[1]).item() < 1e-5

# %% wrong same_outputs: exact
# torch.equal allows no rounding: modules that compute the same in another order are called different
def my_same_outputs(ours, theirs, inputs):
    import copy
    a, b = copy.deepcopy(ours).eval(), copy.deepcopy(theirs).eval()
    with torch.no_grad():
        return torch.equal(a(inputs)[0], b(inputs)[0])

# %% wrong same_outputs: stays-in-eval
# keeps the modes after .eval(), when all are False already: in the end every part stays in eval mode
def my_same_outputs(ours, theirs, inputs):
    ours.eval()
    theirs.eval()
    modes = [(part, part.training) for module in (ours, theirs) for part in module.modules()]
    with torch.no_grad():
        result = torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)
    for part, mode in modes:
        part.training = mode
    return result

# %% wrong same_outputs: parts-forgotten
# puts only the outer module's mode back, with train(mode), which carries it into all parts: a part with a mode
# of its own loses it
def my_same_outputs(ours, theirs, inputs):
    was_ours, was_theirs = ours.training, theirs.training
    with torch.no_grad():
        close = torch.allclose(ours.eval()(inputs)[0], theirs.eval()(inputs)[0], atol=1e-5)
    ours.train(was_ours)
    theirs.train(was_theirs)
    return close

# %% wrong same_outputs: dropout-left-on
# the same seed before each call, dropout still on: where the two drop differently the answer is False for equal modules
def my_same_outputs(ours, theirs, inputs):
    outputs = []
    for module in [ours, theirs]:
        torch.manual_seed(0)
        with torch.no_grad():
            outputs.append(module(inputs)[0])
    return torch.allclose(*outputs, atol=1e-5)

# %% right same_outputs
# a context manager that remembers the mode of every part
def my_same_outputs(ours, theirs, inputs):
    from contextlib import contextmanager

    @contextmanager
    def quiet(module):
        modes = {part: part.training for part in module.modules()}
        module.eval()
        try:
            yield module
        finally:
            for part, mode in modes.items():
                part.training = mode

    def output(module):
        with quiet(module), torch.no_grad():
            return module(inputs)[0]

    return bool((output(ours) - output(theirs)).abs().max() < 1e-4)

# %% right same_outputs
# copies; assert_close and its error make the answer
def my_same_outputs(ours, theirs, inputs):
    from copy import deepcopy
    vecs = [deepcopy(module).eval()(inputs)[0].detach() for module in (ours, theirs)]
    try:
        torch.testing.assert_close(vecs[0], vecs[1], atol=1e-5, rtol=1e-5)
    except AssertionError:
        return False
    return True
