# %% wrong row_weights: softmax-by-cases
# if/else on the number of axes: one text and a batch are right, but with heads the batch's dim=2 is the queries' axis
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    if queries.dim() == 2:
        return torch.softmax(attn_scores, dim=1)
    return torch.softmax(attn_scores, dim=2)

# %% wrong row_weights: renormalised
# leaves softmax over dim=1 and divides by the row sums afterwards: the rows add up to 1, the weights are still wrong
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    weights = torch.softmax(attn_scores, dim=1)
    row_sums = weights.sum(dim=-1, keepdim=True)
    return weights / row_sums

# %% wrong row_weights: keys-fixed-axes
# mends the softmax, but transposes the keys by axes 1 and 2 counted from the front: one text has no axis 2 (error),
# and with heads it swaps heads and tokens
def my_row_weights(queries, keys):
    head_dim = queries.shape[-1]
    scaled = queries.matmul(keys.transpose(1, 2)) / head_dim**0.5
    return scaled.softmax(dim=-1)

# %% wrong row_weights: no-scale
# forgets the scaling by the root of head_dim when it rewrites the scores with einsum
def my_row_weights(queries, keys):
    return attention.softmax(torch.einsum("...qd,...kd->...qk", queries, keys))

# %% wrong row_weights: - "`e / e.sum(dim=-1)` stops: (3, 4) meets (3,). Counted from t"
# softmax by hand; the sum lacks keepdim=True, so for one text it divides along the columns, and in a batch the shapes
# do not fit (error) or fit in the wrong way
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-1, -2) * keys.shape[-1] ** -0.5
    attn_scores = attn_scores - attn_scores.amax(dim=-1, keepdim=True)
    e = torch.exp(attn_scores)
    return e / e.sum(dim=-1)

# %% right row_weights
# recursion: peels off leading axes until one text is left, which the old dim=1 handles rightly
def my_row_weights(queries, keys):
    if queries.dim() > 2:
        return torch.stack([my_row_weights(q, k) for q, k in zip(queries, keys)])
    attn_scores = queries @ keys.T / math.sqrt(keys.shape[1])
    return torch.softmax(attn_scores, dim=1)

# %% right row_weights
# einsum, and softmax as the exponential of scores minus their logsumexp; the queries are scaled, not the scores
def my_row_weights(queries, keys):
    q = queries / queries.size(-1) ** 0.5
    s = torch.einsum("...id,...jd->...ij", q, keys)
    return (s - s.logsumexp(dim=-1, keepdim=True)).exp()

# %% wrong one_row: key-fixed
# holds both numbers still: query row with key row every time, so all scores are equal and the weights even
def my_one_row(queries, keys, row):
    scores = []
    for j in range(len(keys)):
        scores.append(queries[row] @ keys[row])
    attn_scores = torch.stack(scores) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)


# %% wrong one_row: loop-over-queries
# the query stands still, but the loop runs over the number of queries: too few weights with more keys, and an
# IndexError with fewer
def my_one_row(queries, keys, row):
    q = queries[row]
    scores = torch.stack([q @ keys[j] for j in range(queries.shape[0])])
    return torch.softmax(scores / q.shape[0] ** 0.5, dim=0)

# %% wrong one_row: softmax-axis
# makes the whole table and takes its row, but softmax ran over dim=0, down the columns
def my_one_row(queries, keys, row):
    table = queries @ keys.T / keys.shape[-1] ** 0.5
    table = torch.softmax(table, dim=0)
    return table[row]

# %% wrong one_row: row-axis-kept
# slices the query out as row:row + 1 and keeps the axis: the result is (1, num_keys) in place of (num_keys,)
def my_one_row(queries, keys, row):
    query = queries[row : row + 1]
    attn_scores = query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5
    return attention.softmax(attn_scores)

# %% wrong one_row: past-only
# thinks of causal attention: the loop stops at the query's own position, so only the first row + 1 keys get a weight
def my_one_row(queries, keys, row):
    scores = []
    for j in range(row + 1):
        scores.append(torch.dot(queries[row], keys[j]))
    scores = torch.stack(scores) / math.sqrt(keys.shape[-1])
    return torch.softmax(scores, dim=-1)

# %% right one_row
# no loop: multiplies the one query with all keys elementwise and sums over the features
def my_one_row(queries, keys, row):
    products = keys * queries[row]
    logits = products.sum(dim=1).div(products.shape[1] ** 0.5)
    e = (logits - logits.max()).exp()
    return e / e.sum()

# %% right one_row
# PyTorch's function with the unit matrix as values delivers the weights themselves
def my_one_row(queries, keys, row):
    unit = torch.eye(len(keys), dtype=keys.dtype)
    return F.scaled_dot_product_attention(queries[row][None, None], keys[None], unit[None])[0, 0]

# %% wrong causal_weights: divided-by-mask-sum
# divides the right thing, the masked weights, but by the mask's sums: the rows do not add up to 1
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    mask = torch.ones(queries.shape[-2], keys.shape[-2]).tril()
    masked = attn_weights * mask
    return masked / mask.sum(dim=-1, keepdim=True)

# %% wrong causal_weights: softmax-again
# a second softmax after erasing: the erased zeros count as exp(0) = 1, and the future is open again
def my_causal_weights(queries, keys):
    n = queries.shape[-2]
    weights = F.softmax(torch.matmul(queries, keys.mT) / math.sqrt(queries.shape[-1]), dim=-1)
    erased = torch.tril(weights)
    assert erased.shape[-1] == n
    return F.softmax(erased, dim=-1)


# %% wrong causal_weights: no-mask
# masked_fill on a line of its own: it returns a new tensor, which is thrown away, so nothing is masked at all
def my_causal_weights(queries, keys):
    attn_scores = torch.einsum("...id,...jd->...ij", queries, keys) * keys.shape[-1] ** -0.5
    mask = causal_mask(keys.shape[-2])
    attn_scores.masked_fill(~mask, -torch.inf)
    return attention.softmax(attn_scores)

# %% wrong causal_weights: - "`~mask` stops: a mask of True and False is needed, and `mask"
# turns a mask of floats around with ~, which is for bool and whole numbers only: stops with a TypeError
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = torch.ones(queries.shape[-2], keys.shape[-2]).tril()
    attn_scores = attn_scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(attn_scores, dim=-1)

# %% wrong causal_weights: sum-down-columns
# shares the masked weights out again over the wrong axis: the columns add up to 1, not the rows
def my_causal_weights(queries, keys):
    def share_out(w):
        return w / w.sum(dim=-2, keepdim=True)

    full = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    return share_out(full * torch.ones_like(full).tril())

# %% right causal_weights
# a loop over rows: softmax over the first i + 1 scores only, filled up with zeros behind
def my_causal_weights(queries, keys):
    num_tokens = queries.shape[-2]
    rows = []
    for i in range(num_tokens):
        past = keys[..., : i + 1, :]
        s = (past @ queries[..., i, :, None]).squeeze(-1) / math.sqrt(keys.shape[-1])
        rows.append(F.pad(s.softmax(dim=-1), (0, num_tokens - 1 - i)))
    return torch.stack(rows, dim=-2)

# %% right causal_weights
# adds a table of minus infinities above the diagonal to the scores, in place of filling
def my_causal_weights(queries, keys):
    n, width = queries.shape[-2:]
    wall = torch.full((n, n), -math.inf, dtype=queries.dtype).triu(1)
    return F.softmax(queries @ keys.mT / width**0.5 + wall, dim=-1)

# %% wrong projected_attention: keys-as-queries
# replaces the stale name by another one: the keys are taken for the queries and ask themselves
def my_projected_attention(inputs, W_query, W_key, W_value):
    querys, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_scores = keys @ keys.transpose(-2, -1) / querys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong projected_attention: global-leak
# renames everything to short names, and overlooks the last line: `values` is the notebook's old tensor
inputs, W_value = torch.randn(2, 5, 4), torch.randn(4, 3)
values = inputs @ W_value


def my_projected_attention(inputs, W_query, W_key, W_value):
    q = inputs @ W_query
    k = inputs @ W_key
    v = inputs @ W_value
    w = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    return w @ values, w

# %% wrong projected_attention: scale-model
# scales by the root of the inputs' width d_in in place of the queries' width
def my_projected_attention(inputs, W_query, W_key, W_value):
    d = inputs.shape[-1]
    queries = torch.matmul(inputs, W_query)
    keys = torch.matmul(inputs, W_key)
    attn_weights = attention.softmax(queries @ keys.mT / d**0.5)
    return attn_weights @ (inputs @ W_value), attn_weights


# %% wrong projected_attention: outputs-swapped
# returns the pair in the wrong order, the weights first
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = [inputs @ W for W in (W_query, W_key, W_value)]
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    context_vecs = attn_weights @ values
    return attn_weights, context_vecs

# %% wrong projected_attention: linear-layout
# projects with F.linear, which wants (d_out, d_in) and transposes: an error for (d_in, d_out), and with a square
# matrix a wrong projection
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries = F.linear(inputs, W_query)
    keys = F.linear(inputs, W_key)
    values = F.linear(inputs, W_value)
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% right projected_attention
# never makes the queries: the scores come from inputs @ (W_query @ W_key.T) @ inputs^T; context by einsum
def my_projected_attention(inputs, W_query, W_key, W_value):
    bilinear = W_query @ W_key.T / math.sqrt(W_query.shape[1])
    attn_weights = torch.softmax(inputs @ bilinear @ inputs.transpose(-1, -2), dim=-1)
    return torch.einsum("...qk,...kd,de->...qe", attn_weights, inputs, W_value), attn_weights

# %% right projected_attention
# one wide projection with the three matrices side by side, split afterwards; the widths may differ
def my_projected_attention(inputs, W_query, W_key, W_value):
    together = torch.cat([W_query, W_key, W_value], dim=1)
    widths = [W_query.shape[1], W_key.shape[1], W_value.shape[1]]
    q, k, v = (inputs @ together).split(widths, dim=-1)
    attn_weights = attention.softmax((q / widths[0] ** 0.5) @ k.mT)
    return attn_weights @ v, attn_weights

# %% wrong many_heads: merge-no-transpose
# the split is kept now, but the last line still reshapes with the heads' axis before the tokens': tokens and features
# are mixed
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    queries, keys, values = [
        part.view(batch_size, part.shape[1], num_heads, d_out // num_heads).transpose(1, 2)
        for part in (queries, keys, values)
    ]
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return context_vecs.reshape(batch_size, num_tokens, d_out)

# %% wrong many_heads: split-discarded
# `part = ...` inside the loop: only the loop's name gets the split, queries, keys and values stay whole, so it is one
# head for every num_heads
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    for part in (queries, keys, values):
        part = part.view(batch_size, part.shape[1], num_heads, d_out // num_heads)
        part = part.transpose(1, 2)
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return context_vecs.reshape(batch_size, num_tokens, d_out)

# %% wrong many_heads: view-no-transpose
# views straight to (batch, num_heads, num_tokens, head_dim) without transpose: each head gets a stretch of tokens in
# place of a slice of features
def my_many_heads(queries, keys, values, num_heads):
    def split(t):
        b, n, d = t.shape
        return t.reshape(b, num_heads, n, d // num_heads)

    out = F.scaled_dot_product_attention(split(queries), split(keys), split(values))
    return out.reshape(queries.shape)

# %% wrong many_heads: scale-model
# scales the heads' scores by the root of the full width d_out, not of head_dim
def my_many_heads(queries, keys, values, num_heads):
    d_out = queries.shape[-1]
    q, k, v = (split_heads(t, num_heads) for t in (queries, keys, values))
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / d_out**0.5
    return merge_heads(scores.softmax(dim=-1) @ v)


# %% wrong many_heads: not-contiguous
# merges with transpose and then view: the transposed tensor is not contiguous, so view stops with a RuntimeError
def my_many_heads(queries, keys, values, num_heads):
    b, num_queries, d_out = queries.shape
    head_dim = d_out // num_heads
    q = queries.view(b, num_queries, num_heads, head_dim).transpose(1, 2)
    k = keys.view(b, keys.shape[1], num_heads, head_dim).transpose(1, 2)
    v = values.view(b, values.shape[1], num_heads, head_dim).transpose(1, 2)
    attn_weights = torch.softmax(q @ k.transpose(2, 3) / head_dim**0.5, dim=-1)
    context_vecs = attn_weights @ v
    return context_vecs.transpose(1, 2).view(b, num_queries, d_out)

# %% right many_heads
# a loop over heads: chunks of the features, each attended alone, laid side by side with cat
def my_many_heads(queries, keys, values, num_heads):
    parts = zip(*(t.chunk(num_heads, dim=-1) for t in (queries, keys, values)))
    return torch.cat([attention.scaled_dot_product_attention(q, k, v)[0] for q, k, v in parts], dim=-1)

# %% right many_heads
# folds the heads into the batch axis, so that three axes and bmm are enough
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_queries, d_out = queries.shape
    head_dim = d_out // num_heads

    def fold(x):
        x = x.reshape(batch_size, -1, num_heads, head_dim).permute(0, 2, 1, 3)
        return x.reshape(batch_size * num_heads, -1, head_dim)

    q, k, v = fold(queries), fold(keys), fold(values)
    w = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / math.sqrt(head_dim), dim=2)
    out = torch.bmm(w, v).unflatten(0, (batch_size, num_heads))
    return torch.cat(out.unbind(1), dim=2)

# %% wrong masked_attention: all-masked-uniform
# a very negative number in place of minus infinity: no nan, but an empty row spreads its weights evenly over what is
# closed, in place of zeros
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_scores = attn_scores.masked_fill(~mask, torch.finfo(attn_scores.dtype).min)
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: nan-in-weights
# mends the context vectors with nan_to_num after the weights were applied: the weights returned are nan, and so is
# the gradient of the values
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    context_vecs = torch.nan_to_num(attn_weights @ values, nan=0.0)
    return context_vecs, attn_weights

# %% wrong masked_attention: nan-gradient
# adds minus infinities rather than filling, then cleans the weights: forward all is right, but on the way back
# softmax's nan goes through the addition into the gradients of queries and keys
def my_masked_attention(queries, keys, values, mask):
    bias = torch.zeros(mask.shape).masked_fill(mask.logical_not(), float("-inf"))
    scores = torch.matmul(queries, keys.mT) / math.sqrt(queries.shape[-1]) + bias
    weights = F.softmax(scores, dim=-1).nan_to_num(0.0)
    return torch.matmul(weights, values), weights

# %% wrong masked_attention: repair-in-place
# writes the zeros into softmax's result in place: right forward, but backward stops with an error, since softmax
# needs its result unchanged (only where the queries or keys have a gradient)
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    attn_weights[attn_weights.isnan()] = 0
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: empty-whole
# asks whether anything is open in the whole mask, not in each row: single empty rows still become nan
def my_masked_attention(queries, keys, values, mask):
    d_k = keys.size(-1)
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / d_k**0.5
    if not mask.any():
        nothing = torch.zeros_like(scores)
        return nothing @ values, nothing
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights @ values, weights


# %% right masked_attention
# opens the empty rows for softmax, so that no nan ever arises, and closes them afterwards by torch.where
def my_masked_attention(queries, keys, values, mask):
    anything = mask.any(dim=-1, keepdim=True)
    scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
    weights = scores.masked_fill(~mask & anything, -math.inf).softmax(dim=-1)
    weights = torch.where(mask, weights, torch.zeros_like(weights))
    return weights @ values, weights

# %% right masked_attention
# softmax by hand: exponentials of masked scores, and a divisor of 1 where the sum is 0
def my_masked_attention(queries, keys, values, mask):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) * keys.shape[-1] ** -0.5
    lowest = torch.finfo(scores.dtype).min
    scores = scores.masked_fill(~mask, lowest)
    top = scores.detach().amax(dim=-1, keepdim=True)
    exps = (scores - top).exp().masked_fill(~mask, 0.0)
    total = exps.sum(-1, keepdim=True)
    weights = exps / (total + (total == 0))
    return weights @ values, weights

# %% wrong attend_to: values-ignored
# the keys always deliver: values of their own, where given, are ignored
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: values-or-keys
# `keys or queries`, as for plain Python values: a tensor with more than one number has no truth value, so every call
# with keys or values stops with an error (with queries alone too, in the second line)
def my_attend_to(queries, keys=None, values=None):
    keys = keys or queries
    values = values or keys
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong attend_to: values-by-shape
# mends only what stopped: the keys deliver if their number differs from the queries', but with as many keys as
# queries still the queries deliver
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = queries
    if values is None:
        values = queries if keys.shape[-2] == queries.shape[-2] else keys
    attn_weights = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: scale-wrong-width
# scales by the width of the values: seen only where values of another width are given
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = keys if values is None else values
    scale = math.sqrt(values.shape[-1])
    attn_weights = torch.softmax(torch.einsum("...qd,...kd->...qk", queries, keys) / scale, dim=-1)
    return torch.einsum("...qk,...kd->...qd", attn_weights, values), attn_weights

# %% wrong attend_to: values-only-with-keys
# thinks of one and three tensors, not of two: with queries and keys alone, values stays None and the product stops
def my_attend_to(queries, keys=None, values=None):
    if keys is None and values is None:
        keys, values = queries, queries
    attn_scores = queries @ keys.transpose(-2, -1)
    attn_weights = attention.softmax(attn_scores / queries.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights


# %% right attend_to
# recursion: what is missing is filled in, and the function called again, until all three are there
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        return my_attend_to(queries, queries, values)
    if values is None:
        return my_attend_to(queries, keys, keys)
    weights = (queries @ keys.mT / math.sqrt(keys.shape[-1])).softmax(-1)
    return weights @ values, weights

# %% right attend_to
# values first, by a nested choice, and the keys after: the other order of lines, and right all the same;
# context by PyTorch's function
def my_attend_to(queries, keys=None, values=None):
    values = values if values is not None else keys if keys is not None else queries
    keys = queries if keys is None else keys
    log_weights = F.log_softmax(torch.einsum("...qd,...kd->...qk", queries / keys.shape[-1] ** 0.5, keys), dim=-1)
    return F.scaled_dot_product_attention(queries, keys, values), log_weights.exp()

# %% wrong any_width: global-leak
# mends d_out, which shows, and leaves num_tokens to the notebook: stops on a text of another length than 5
d_in, d_out, num_tokens = 4, 12, 5


class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        layers = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.W_query, self.W_key, self.W_value = layers

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / self.d_out**0.5
        mask = attention.causal_mask(num_tokens)
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        return attn_weights @ values, attn_weights

# %% wrong any_width: - "`self.W_query` is an `nn.Parameter`. A layer is asked for: `"
# plain nn.Parameter matrices in place of nn.Linear: they are called W_query, not W_query.weight, and lie on their
# side (d_in, d_out), so weights copied in by name do not arrive
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.randn(d_in, d_out))
        self.W_key = nn.Parameter(torch.randn(d_in, d_out))
        self.W_value = nn.Parameter(torch.randn(d_in, d_out))

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        weights = scores.masked_fill(~causal_mask(x.shape[-2]), -torch.inf).softmax(dim=-1)
        return weights @ v, weights

# %% wrong any_width: mask-kept
# keeps the mask of the first text it sees: a second text of another length stops (or, after a text of one token,
# sees the future)
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.hidden = None

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        if self.hidden is None:
            self.hidden = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool).triu(1)
        scores = torch.einsum("...qd,...kd->...qk", queries, keys) / keys.shape[-1] ** 0.5
        weights = torch.softmax(scores.masked_fill(self.hidden, -torch.inf), dim=-1)
        return weights @ values, weights

# %% wrong any_width: mask-from-batch
# reads the number of tokens off the first axis with len(x), which in a batch is the number of texts
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.scale = d_out**-0.5

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        mask = attention.causal_mask(len(x))
        attn_scores = (queries @ keys.transpose(-2, -1) * self.scale).masked_fill(~mask, -torch.inf)
        attn_weights = attention.softmax(attn_scores)
        return attn_weights @ values, attn_weights


# %% wrong any_width: extra-bias
# leaves nn.Linear's bias in, by default True: after the weights are copied by name, random biases remain
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out)

    def forward(self, x):
        mask = attention.causal_mask(x.shape[-2])
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x), mask)

# %% right any_width
# inherits the layers from the course's SelfAttention, and adds the mask in forward
class MyAnyWidth(attention.SelfAttention):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)

    def forward(self, x):
        n = x.shape[-2]
        past = torch.arange(n)[:, None] >= torch.arange(n)
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x), past)

# %% right any_width
# layers made by add_module in a loop, other helper names, softmax and then tril and share out again
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for role in ("query", "key", "value"):
            self.add_module(f"W_{role}", nn.Linear(d_in, d_out, bias=False))
        self.shrink = math.sqrt(d_out)

    def _share(self, q, k):
        scores = torch.matmul(q, k.mT) / self.shrink
        shut = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return scores.masked_fill(shut, -math.inf).softmax(-1).tril()

    def forward(self, x):
        w = self._share(self.W_query(x), self.W_key(x))
        return w @ self.W_value(x), w

# %% wrong adopt: bias-swapped
# the order is mended for the weights alone: the biases of queries and keys are still exchanged
def my_adopt(ours, theirs):
    with torch.no_grad():
        for layer, weight in zip((ours.W_query, ours.W_key, ours.W_value), theirs.in_proj_weight.chunk(3)):
            layer.weight.copy_(weight)
        for layer, bias in zip((ours.W_key, ours.W_query, ours.W_value), theirs.in_proj_bias.chunk(3)):
            layer.bias.copy_(bias)
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong adopt: out-bias-forgotten
# of out_proj only the weight is copied, its bias is forgotten
def my_adopt(ours, theirs):
    wq, wk, wv = theirs.in_proj_weight.detach().chunk(3)
    bq, bk, bv = theirs.in_proj_bias.detach().chunk(3)
    ours.W_query.weight.data.copy_(wq)
    ours.W_key.weight.data.copy_(wk)
    ours.W_value.weight.data.copy_(wv)
    ours.W_query.bias.data.copy_(bq)
    ours.W_key.bias.data.copy_(bk)
    ours.W_value.bias.data.copy_(bv)
    ours.out_proj.weight.data.copy_(theirs.out_proj.weight.data)

# %% wrong adopt: rows-interleaved
# takes the three matrices as woven, row by row q, k, v, q, k, v: every third row in place of three blocks; the biases
# too
def my_adopt(ours, theirs):
    with torch.no_grad():
        for start, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
            layer.weight.copy_(theirs.in_proj_weight[start::3])
            layer.bias.copy_(theirs.in_proj_bias[start::3])
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong adopt: no-grad-missing
# forgets torch.no_grad(): copy_ into a parameter that wants a gradient stops with a RuntimeError
def my_adopt(ours, theirs):
    layers = [ours.W_query, ours.W_key, ours.W_value]
    weights, biases = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
    for i in range(3):
        layers[i].weight.copy_(weights[i])
        layers[i].bias.copy_(biases[i])
    ours.out_proj.weight.copy_(theirs.out_proj.weight)
    ours.out_proj.bias.copy_(theirs.out_proj.bias)


# %% wrong adopt: width-fixed
# cuts at 12 and 24, the width of this notebook's layers: stops for any other width
def my_adopt(ours, theirs):
    w, b = theirs.in_proj_weight, theirs.in_proj_bias
    with torch.no_grad():
        ours.W_query.weight.copy_(w[:12])
        ours.W_query.bias.copy_(b[:12])
        ours.W_key.weight.copy_(w[12:24])
        ours.W_key.bias.copy_(b[12:24])
        ours.W_value.weight.copy_(w[24:])
        ours.W_value.bias.copy_(b[24:])
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% right adopt
# builds a whole state_dict under our names, and loads it in one go
def my_adopt(ours, theirs):
    state = {f"out_proj.{name}": number for name, number in theirs.out_proj.state_dict().items()}
    for kind in ("weight", "bias"):
        blocks = getattr(theirs, f"in_proj_{kind}").detach().chunk(3)
        for role, block in zip(("query", "key", "value"), blocks):
            state[f"W_{role}.{kind}"] = block
    ours.load_state_dict(state)

# %% right adopt
# unflatten to (3, width, width) and index, writing into .data with slices
def my_adopt(ours, theirs):
    stacked_w = theirs.in_proj_weight.data.unflatten(0, (3, -1))
    stacked_b = theirs.in_proj_bias.data.reshape(3, -1)
    for i, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
        layer.weight.data[:] = stacked_w[i]
        layer.bias.data[:] = stacked_b[i]
    for mine, yours in zip(ours.out_proj.parameters(), theirs.out_proj.parameters()):
        mine.data[:] = yours.data

# %% wrong same_outputs: copies-shallow
# a shallow copy.copy in place of deepcopy: the parts are shared, so eval() changes the mode of the parts handed in
import copy


def my_same_outputs(ours, theirs, inputs):
    first, second = copy.copy(ours).eval(), copy.copy(theirs).eval()
    with torch.no_grad():
        return torch.allclose(first(inputs)[0], second(inputs)[0], atol=1e-5)

# %% wrong same_outputs: parts-forgotten
# remembers only the mode of the whole module: train(was) sets all parts alike, so a part with its own mode loses it
def my_same_outputs(ours, theirs, inputs):
    ours_was, theirs_was = ours.training, theirs.training
    ours.eval()
    theirs.eval()
    with torch.no_grad():
        same = torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)
    ours.train(ours_was)
    theirs.train(theirs_was)
    return same

# %% wrong same_outputs: signed-difference
# takes the largest difference with its sign: where ours is far below theirs everywhere, it says True
from copy import deepcopy


def my_same_outputs(ours, theirs, inputs):
    outputs = []
    for module in (ours, theirs):
        module = deepcopy(module)
        module.eval()
        with torch.no_grad():
            outputs.append(module(inputs)[0])
    difference = outputs[0] - outputs[1]
    return difference.max().item() < 1e-5

# %% wrong same_outputs: rate-zeroed
# two mistakes: turns dropout off by p = 0 in each nn.Dropout, so dropout done by F.dropout or nn.MultiheadAttention
# goes on in training mode; and never puts the old p back, so the modules do not drop anything any more
def my_same_outputs(ours, theirs, inputs):
    for module in (ours, theirs):
        for part in module.modules():
            if isinstance(part, nn.Dropout):
                part.p = 0.0
    with torch.no_grad():
        return torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)


# %% wrong same_outputs: exact
# modes are kept rightly, but it asks for equality to the last bit with torch.equal: rounding counts as a difference
def my_same_outputs(ours, theirs, inputs):
    modes = [(part, part.training) for module in (ours, theirs) for part in module.modules()]
    ours.eval()
    theirs.eval()
    with torch.no_grad():
        result = torch.equal(ours(inputs)[0], theirs(inputs)[0])
    for part, mode in modes:
        part.training = mode
    return result

# %% right same_outputs
# a context manager of its own that sets .training part by part and puts it back, and assert_close caught
from contextlib import contextmanager

from torch.testing import assert_close


@contextmanager
def quiet(*modules):
    parts = {part: part.training for module in modules for part in module.modules()}
    try:
        for part in parts:
            part.training = False
        yield
    finally:
        for part, mode in parts.items():
            part.training = mode


def my_same_outputs(ours, theirs, inputs):
    with quiet(ours, theirs), torch.inference_mode():
        a, b = ours(inputs)[0], theirs(inputs)[0]
    try:
        assert_close(a, b, atol=1e-4, rtol=1e-5)
    except AssertionError:
        return False
    return True

# %% right same_outputs
# deep copies, and the largest absolute difference against a thousandth, as a plain bool
import copy


def my_same_outputs(ours, theirs, inputs):
    def outputs(module):
        twin = copy.deepcopy(module).train(False)
        return twin(inputs)[0].detach()

    return bool((outputs(ours) - outputs(theirs)).abs().max() < 1e-3)

