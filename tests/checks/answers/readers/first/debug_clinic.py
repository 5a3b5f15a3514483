# %% wrong row_weights: softmax-half-repaired
# half-repair: dim=2 cures the batch and breaks one text (an error) and heads
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=2)

# %% wrong row_weights: renormalised
# keeps dim=1 and divides by the row sums afterwards: rows sum to 1, weights are still wrong
def my_row_weights(queries, keys):
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.size(-1))
    weights = F.softmax(scores, dim=1)
    return weights / weights.sum(dim=-1, keepdim=True)

# %% wrong row_weights: softmax-axis
# counts from the end, but takes the axis of the queries
def my_row_weights(queries, keys):
    root = keys.shape[-1] ** 0.5
    scores = torch.matmul(queries, keys.mT) / root
    exps = torch.exp(scores - scores.amax(-2, keepdim=True))
    return exps / exps.sum(-2, keepdim=True)

# %% wrong row_weights: no-scale
# drops the scale while copying
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1)
    return attention.softmax(attn_scores, dim=-1)

# %% wrong row_weights: keys-fixed-axes
# transposes axes 0 and 1 of the keys: right for one text only
def my_row_weights(queries, keys):
    dots = queries @ keys.transpose(0, 1)
    return torch.softmax(dots / keys.shape[-1] ** 0.5, dim=-1)

# %% wrong row_weights: softmax-by-cases
# treats three axes and two, and takes four for three: the heads' tables are normalised along the queries
def my_row_weights(queries, keys):
    scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    axis = 1 if scores.dim() == 2 else 2
    return scores.softmax(dim=axis)

# %% right row_weights
# logsumexp, and the scale put on the queries
def my_row_weights(queries, keys):
    scores = torch.einsum("...qd,...kd->...qk", queries * keys.shape[-1] ** -0.5, keys)
    return torch.exp(scores - scores.logsumexp(dim=-1, keepdim=True))

# %% right row_weights
# PyTorch's ready-made attention with the identity as values
def my_row_weights(queries, keys):
    n = keys.shape[-2]
    identity = torch.eye(n, dtype=keys.dtype).expand(*keys.shape[:-2], n, n)
    return F.scaled_dot_product_attention(queries, keys, identity)

# %% wrong one_row: key-fixed
# half-repair: both numbers stand still, all weights are equal
def my_one_row(queries, keys, row):
    scores = []
    for j in range(len(keys)):
        scores.append(queries[row] @ keys[row])
    attn_scores = torch.stack(scores) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)

# %% wrong one_row: qk-swapped
# the key stands still and the queries run: a column, not a row
def my_one_row(queries, keys, row):
    scores = torch.stack([q @ keys[row] for q in queries])
    return torch.softmax(scores / queries.shape[-1] ** 0.5, dim=0)

# %% wrong one_row: loop-over-queries
# the loop runs over the queries: wrong length when there are more or fewer keys
def my_one_row(queries, keys, row):
    values = torch.empty(len(queries))
    for j in range(len(queries)):
        values[j] = torch.dot(queries[row], keys[j])
    values = values / math.sqrt(queries.shape[1])
    return values.softmax(0)

# %% wrong one_row: all-rows
# returns a whole table, (num_queries, num_keys), and not the row
def my_one_row(queries, keys, row):
    scores = queries @ keys.T / keys.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1)

# %% wrong one_row: scale-wrong-axis
# divides by the root of the number of keys, not of the width
def my_one_row(queries, keys, row):
    query = queries[row]
    scores = keys @ query
    return torch.softmax(scores / len(keys) ** 0.5, dim=-1)

# %% wrong one_row: row-axis-kept
# keeps the row's axis: queries[row:row + 1] gives (1, num_keys)
def my_one_row(queries, keys, row):
    one = queries[row:row + 1]
    scores = one @ keys.transpose(0, 1) * keys.shape[-1] ** -0.5
    return attention.softmax(scores)

# %% right one_row
# a loop over keys and features, with math.exp
def my_one_row(queries, keys, row):
    q = queries[row].tolist()
    root = math.sqrt(len(q))
    scores = [sum(a * b for a, b in zip(q, key.tolist())) / root for key in keys]
    top = max(scores)
    exps = [math.exp(s - top) for s in scores]
    return torch.tensor([e / sum(exps) for e in exps])

# %% right one_row
# the table of all rows, and one picked from it
def my_one_row(queries, keys, row):
    table = torch.softmax(queries.matmul(keys.t()).div(keys.shape[-1] ** 0.5), dim=1)
    return table.index_select(0, torch.tensor([row])).squeeze(0)

# %% wrong causal_weights: divided-by-mask-sum
# half-repair: divides the masked weights by the sums of the mask
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    mask = torch.ones(queries.shape[-2], keys.shape[-2]).tril()
    masked = attn_weights * mask
    return masked / mask.sum(dim=-1, keepdim=True)

# %% wrong causal_weights: softmax-again
# half-repair: a second softmax, which opens the future again (exp(0) is 1)
def my_causal_weights(queries, keys):
    scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1).tril()
    return torch.softmax(weights, dim=-1)

# %% wrong causal_weights: mask-after-softmax
# stops after the mask: rows do not sum to 1
def my_causal_weights(queries, keys):
    n = queries.shape[-2]
    weights = attention.softmax(torch.einsum("...qd,...kd->...qk", queries, keys) / queries.shape[-1] ** 0.5)
    return weights * attention.causal_mask(n)

# %% wrong causal_weights: mask-lower
# triu: each token sees itself and later ones
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.mT * keys.shape[-1] ** -0.5
    mask = torch.triu(torch.ones(attn_scores.shape[-2:], dtype=torch.bool))
    return torch.softmax(attn_scores.masked_fill(~mask, float("-inf")), dim=-1)

# %% wrong causal_weights: sum-down-columns
# sums over the queries (dim=-2) when sharing out again: columns add up to 1
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    erased = torch.softmax(attn_scores, dim=-1).tril()
    total = erased.sum(dim=-2, keepdim=True)
    return erased / total

# %% wrong causal_weights: keepdim-forgotten
# keepdim forgotten: the sums of the rows are laid along the keys (or do not fit)
def my_causal_weights(queries, keys):
    scores = queries @ keys.transpose(-1, -2) / math.sqrt(keys.shape[-1])
    masked = attention.softmax(scores) * attention.causal_mask(scores.shape[-1])
    return masked / masked.sum(dim=-1)

# %% right causal_weights
# minus infinity before softmax, mask by comparing positions
def my_causal_weights(queries, keys):
    places = torch.arange(queries.shape[-2])
    allowed = places[:, None] >= places
    scores = torch.where(allowed, queries @ keys.mT / queries.shape[-1] ** 0.5, -torch.inf)
    return scores.softmax(dim=-1)

# %% right causal_weights
# row by row, each with the keys it may see; zeros elsewhere
def my_causal_weights(queries, keys):
    n, width = queries.shape[-2:]
    weights = torch.zeros(*queries.shape[:-1], n)
    for i in range(n):
        scores = (queries[..., i:i + 1, :] * keys[..., :i + 1, :]).sum(-1) / width**0.5
        weights[..., i, :i + 1] = torch.softmax(scores, dim=-1)
    return weights

# %% wrong projected_attention: global-leak
# still reads the notebook's queries: a stale tensor
torch.manual_seed(5)
queries = torch.randn(2, 5, 3)

def my_projected_attention(inputs, W_query, W_key, W_value):
    keys, values = inputs @ W_key, inputs @ W_value
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong projected_attention: keys-as-queries
# half-repair: another name is put in, and the keys ask themselves
def my_projected_attention(inputs, W_query, W_key, W_value):
    querys, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_scores = keys @ keys.transpose(-2, -1) / querys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong projected_attention: scale-model
# divides by the root of d_in (width of the inputs), not that of the queries
def my_projected_attention(inputs, W_query, W_key, W_value):
    d = inputs.shape[-1]
    q = torch.matmul(inputs, W_query)
    k = torch.matmul(inputs, W_key)
    v = torch.matmul(inputs, W_value)
    w = F.softmax(q @ k.mT / d**0.5, dim=-1)
    return w @ v, w

# %% wrong projected_attention: outputs-swapped
# returns the pair in the other order
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = (inputs @ W for W in (W_query, W_key, W_value))
    vecs, weights = attention.scaled_dot_product_attention(queries, keys, values)
    return weights, vecs

# %% wrong projected_attention: v-unprojected
# takes the last weights times the inputs, and never projects the values
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys = inputs @ W_query, inputs @ W_key
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    context_vecs = attn_weights @ inputs
    return context_vecs, attn_weights

# %% wrong projected_attention: keys-fixed-axes
# transposes axes 1 and 2 by number: fails for a single text (num_tokens, d_in)
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries = inputs @ W_query
    keys = inputs @ W_key
    values = inputs @ W_value
    attn_weights = torch.softmax(queries @ keys.transpose(1, 2) / queries.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights

# %% right projected_attention
# everything in one einsum for the scores, no projected queries or keys kept
def my_projected_attention(inputs, W_query, W_key, W_value):
    scores = torch.einsum("...qi,id,jd,...kj->...qk", inputs, W_query, W_key, inputs)
    weights = attention.softmax(scores / W_query.shape[1] ** 0.5)
    return weights @ inputs @ W_value, weights

# %% right projected_attention
# F.linear with transposed matrices and a helper
def my_projected_attention(inputs, W_query, W_key, W_value):
    def project(matrix):
        return F.linear(inputs, matrix.T)

    out = attention.scaled_dot_product_attention(project(W_query), project(W_key), project(W_value))
    context_vecs, attn_weights = out
    return context_vecs, attn_weights

# %% wrong many_heads: split-discarded
# renames part inside the loop: queries, keys and values are never split
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    for part in (queries, keys, values):
        part = part.view(batch_size, part.shape[1], num_heads, d_out // num_heads).transpose(1, 2)
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return context_vecs.reshape(batch_size, num_tokens, d_out)

# %% wrong many_heads: merge-no-transpose
# splits rightly, and leaves the last reshape without a transpose: tokens are mixed
def my_many_heads(queries, keys, values, num_heads):
    b, n, d_out = queries.shape
    split = [p.view(b, p.shape[1], num_heads, d_out // num_heads).transpose(1, 2) for p in (queries, keys, values)]
    context_vecs, _ = attention.scaled_dot_product_attention(*split)
    return context_vecs.reshape(b, n, d_out)

# %% wrong many_heads: keys-as-long-as-queries
# uses the number of queries for keys and values: fails with more keys than queries
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape

    def split(x):
        return x.view(batch_size, num_tokens, num_heads, d_out // num_heads).transpose(1, 2)

    vecs = F.scaled_dot_product_attention(split(queries), split(keys), split(values))
    return vecs.transpose(1, 2).reshape(batch_size, num_tokens, d_out)

# %% wrong many_heads: view-no-transpose
# one view to (batch, heads, tokens, head_dim) without transpose, and back the same way
def my_many_heads(queries, keys, values, num_heads):
    batch, _, d_out = queries.shape
    parts = [x.reshape(batch, num_heads, x.size(1), d_out // num_heads) for x in (queries, keys, values)]
    vecs, _ = attention.scaled_dot_product_attention(*parts)
    return vecs.reshape(queries.shape)

# %% wrong many_heads: values-unsplit
# forgets to split the values: each head mixes all features
def my_many_heads(queries, keys, values, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    weights = attention.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)
    context_vecs = weights @ values[:, None]
    return attention.merge_heads(context_vecs)

# %% wrong many_heads: merge-discarded
# returns the heads unmerged: (batch, num_heads, num_queries, head_dim)
def my_many_heads(queries, keys, values, num_heads):
    queries, keys, values = (attention.split_heads(x, num_heads) for x in (queries, keys, values))
    vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return vecs

# %% wrong many_heads: scale-model
# scales by the root of the whole width, d_out, in place of head_dim
def my_many_heads(queries, keys, values, num_heads):
    d_out = queries.shape[-1]
    heads = [t.unflatten(-1, (num_heads, -1)).transpose(1, 2) for t in (queries, keys, values)]
    scores = heads[0] @ heads[1].mT / d_out**0.5
    vecs = torch.softmax(scores, dim=-1) @ heads[2]
    return vecs.transpose(1, 2).flatten(2)

# %% right many_heads
# chunk and a loop over heads, cat at the end
def my_many_heads(queries, keys, values, num_heads):
    parts = zip(*(x.chunk(num_heads, dim=-1) for x in (queries, keys, values)))
    return torch.cat([F.scaled_dot_product_attention(q, k, v) for q, k, v in parts], dim=-1)

# %% right many_heads
# einsum over (batch, tokens, heads, features); nothing is transposed
def my_many_heads(queries, keys, values, num_heads):
    q, k, v = (x.unflatten(-1, (num_heads, x.shape[-1] // num_heads)) for x in (queries, keys, values))
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
    mixed = torch.einsum("bhqk,bkhd->bqhd", scores.softmax(-1), v)
    return mixed.reshape(queries.shape[0], queries.shape[1], -1)

# %% wrong masked_attention: all-masked-uniform
# half-repair: -1e9, so that a row with nothing open is shared out evenly
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: nan-in-weights
# half-repair: nan_to_num on the context vectors only; the weights and the gradient keep nan
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    return (attn_weights @ values).nan_to_num(0.0), attn_weights

# %% wrong masked_attention: nan-gradient
# mends both results at the end: numbers are right, but the values met nan weights, so their gradient is nan
def my_masked_attention(queries, keys, values, mask):
    d = queries.shape[-1]
    scores = torch.where(mask, queries @ keys.mT / d**0.5, -torch.inf)
    weights = F.softmax(scores, dim=-1)
    vecs = weights @ values
    return torch.nan_to_num(vecs), torch.nan_to_num(weights)

# %% wrong masked_attention: mask-inverted
# the mask read the other way: True = closed
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = attention.softmax(attn_scores.masked_fill(mask, -torch.inf))
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: mask-zero-fill
# fills the closed scores with 0: softmax gives them a share
def my_masked_attention(queries, keys, values, mask):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(keys.shape[-1])
    scores = scores * mask
    weights = attention.softmax(scores)
    return weights @ values, weights

# %% wrong masked_attention: mask-after-softmax
# zeros after a softmax over all keys: no nan, but the open rows do not sum to 1
def my_masked_attention(queries, keys, values, mask):
    weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    weights = weights.masked_fill(~mask, 0.0)
    return weights @ values, weights

# %% wrong masked_attention: first-key-opened
# opens key 0 in an empty row to avoid nan, and never closes it again
def my_masked_attention(queries, keys, values, mask):
    empty = ~mask.any(dim=-1, keepdim=True)
    first = torch.arange(keys.shape[-2]) == 0
    mask = mask | (empty & first)
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% right masked_attention
# torch.softmax, and nan filled with 0 in the weights before they are applied
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    attn_weights = attn_weights.masked_fill(~mask, 0.0)
    return attn_weights @ values, attn_weights

# %% right masked_attention
# a large negative number in place of -inf, and zeros afterwards
def my_masked_attention(queries, keys, values, mask):
    root = queries.shape[-1] ** 0.5
    scores = torch.where(mask, torch.matmul(queries, keys.mT) / root, torch.finfo(queries.dtype).min)
    weights = torch.where(mask, scores.softmax(dim=-1), 0.0)
    context = torch.einsum("...qk,...kd->...qd", weights, values)
    return context, weights

# %% wrong attend_to: values-ignored
# half-repair: always takes the keys as values, also where values are given
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: defaults-in-wrong-order
# half-repair: fills in the values one line too early; with queries alone, values are None
def my_attend_to(queries, keys=None, values=None):
    values = keys if values is None else values
    keys = queries if keys is None else keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: values-from-queries
# with keys and without values, the queries deliver; and values given without keys are thrown away
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = values = queries
    else:
        values = queries if values is None else values
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong attend_to: values-or-keys
# "keys or queries": the truth value of a tensor is an error
def my_attend_to(queries, keys=None, values=None):
    keys = keys or queries
    values = values or keys
    weights = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
    return weights @ values, weights

# %% wrong attend_to: weights-missing
# returns the context vectors alone
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = keys if values is None else values
    return F.scaled_dot_product_attention(queries, keys, values)

# %% wrong attend_to: scores-from-values
# the scores are made with the values in place of the keys: shows only when three tensors are given
def my_attend_to(queries, keys=None, values=None):
    others = queries if keys is None else keys
    delivered = others if values is None else values
    scores = queries @ delivered.transpose(-2, -1) / queries.shape[-1] ** 0.5
    weights = attention.softmax(scores)
    return weights @ delivered, weights

# %% right attend_to
# recursion: a call with fewer tensors calls itself with three
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        return my_attend_to(queries, queries, values)
    if values is None:
        return my_attend_to(queries, keys, keys)
    weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    return torch.matmul(weights, values), weights

# %% right attend_to
# a list of what was given, filled up with its last one
def my_attend_to(queries, keys=None, values=None):
    given = [queries]
    for tensor in (keys, values):
        given.append(given[-1] if tensor is None else tensor)
    vecs, weights = attention.scaled_dot_product_attention(*given)
    return vecs, weights

# %% wrong any_width: global-leak
# half-repair: mends d_out, and leaves num_tokens to the notebook
num_tokens = 5

class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        layers = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.W_query, self.W_key, self.W_value = layers

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        mask = attention.causal_mask(num_tokens)
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        return attn_weights @ values, attn_weights

# %% wrong any_width: width-fixed
# types the number in: 12 for every width
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = q @ k.mT / 12**0.5
        weights = attention.softmax(scores.masked_fill(~attention.causal_mask(x.shape[-2]), -torch.inf))
        return weights @ v, weights

# %% wrong any_width: global-leak
# d_out still belongs to the notebook; the number of tokens is mended
d_out = 12

class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))

    def forward(self, x):
        n = x.shape[-2]
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) / d_out**0.5
        scores = scores.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        return weights @ self.W_value(x), weights

# %% wrong any_width: mask-from-batch
# takes the number of tokens from axis 0, which is the batch
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.root = d_out**0.5
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        mask = attention.causal_mask(len(x))
        attn_scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) / self.root
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        return attn_weights @ self.W_value(x), attn_weights

# %% wrong any_width: scale-model
# divides by the root of d_in
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_in = d_in
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scale = 1 / math.sqrt(self.d_in)
        mask = attention.causal_mask(x.shape[-2])
        return attention.scaled_dot_product_attention(queries, keys, values, mask, scale=scale)

# %% wrong any_width: extra-bias
# layers with a bias (nn.Linear's default): weights copied in by name leave a random bias
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out)

    def forward(self, x):
        q, k, v = (layer(x) for layer in (self.W_query, self.W_key, self.W_value))
        return attention.scaled_dot_product_attention(q, k, v, attention.causal_mask(x.shape[-2]))

# %% wrong any_width: no-mask
# the mask is lost with the numbers: attention over all tokens
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries = self.W_query(x)
        keys = self.W_key(x)
        weights = torch.softmax(queries @ keys.mT * queries.shape[-1] ** -0.5, dim=-1)
        return weights @ self.W_value(x), weights

# %% right any_width
# inherits from the course's SelfAttention and adds the mask
class MyAnyWidth(attention.SelfAttention):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        places = torch.arange(x.shape[-2], device=x.device)
        return attention.scaled_dot_product_attention(q, k, v, mask=places[:, None] >= places[None, :])

# %% right any_width
# row by row over the past; sizes read off the shapes
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        make = lambda: nn.Linear(in_features=d_in, out_features=d_out, bias=False)
        self.W_value, self.W_key, self.W_query = make(), make(), make()

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        n = x.shape[-2]
        rows = []
        for t in range(n):
            scores = (k[..., :t + 1, :] @ q[..., t, :, None])[..., 0] / q.shape[-1] ** 0.5
            rows.append(F.pad(scores.softmax(dim=-1), (0, n - t - 1)))
        weights = torch.stack(rows, dim=-2)
        return weights @ v, weights

# %% wrong adopt: bias-forgotten
# half-repair: the order is right, the biases are left out
def my_adopt(ours, theirs):
    with torch.no_grad():
        for layer, weight in zip((ours.W_query, ours.W_key, ours.W_value), theirs.in_proj_weight.chunk(3)):
            layer.weight.copy_(weight)
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong adopt: bias-swapped
# weights in the right order, biases still in the old one
def my_adopt(ours, theirs):
    with torch.no_grad():
        q, k, v = theirs.in_proj_weight.chunk(3)
        ours.W_query.weight.copy_(q)
        ours.W_key.weight.copy_(k)
        ours.W_value.weight.copy_(v)
        for layer, bias in zip((ours.W_key, ours.W_query, ours.W_value), theirs.in_proj_bias.chunk(3)):
            layer.bias.copy_(bias)
        ours.out_proj.weight.copy_(theirs.out_proj.weight)
        ours.out_proj.bias.copy_(theirs.out_proj.bias)

# %% wrong adopt: out-proj-forgotten
# forgets out_proj
def my_adopt(ours, theirs):
    layers = [ours.W_query, ours.W_key, ours.W_value]
    weights = theirs.in_proj_weight.detach().chunk(3)
    biases = theirs.in_proj_bias.detach().chunk(3)
    for i in range(3):
        layers[i].weight.data.copy_(weights[i])
        layers[i].bias.data.copy_(biases[i])

# %% wrong adopt: linear-layout
# transposes the matrices on the way
def my_adopt(ours, theirs):
    width = theirs.embed_dim
    with torch.no_grad():
        for i, name in enumerate(["W_query", "W_key", "W_value"]):
            part = slice(i * width, (i + 1) * width)
            getattr(ours, name).weight.copy_(theirs.in_proj_weight[part].T)
            getattr(ours, name).bias.copy_(theirs.in_proj_bias[part])
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong adopt: chunk-axis
# chunk along dim=1 cuts columns: (36, 4) does not fit
def my_adopt(ours, theirs):
    with torch.no_grad():
        pieces = zip(theirs.in_proj_weight.chunk(3, dim=1), theirs.in_proj_bias.chunk(3))
        for layer, (weight, bias) in zip((ours.W_query, ours.W_key, ours.W_value), pieces):
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong adopt: out-bias-forgotten
# copies out_proj's weight without its bias
def my_adopt(ours, theirs):
    state = ours.state_dict()
    weights, biases = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
    for name, weight, bias in zip(("W_query", "W_key", "W_value"), weights, biases):
        state[name + ".weight"] = weight
        state[name + ".bias"] = bias
    state["out_proj.weight"] = theirs.out_proj.weight
    ours.load_state_dict(state)

# %% wrong adopt: wrong-direction
# copies the wrong way: theirs is filled with ours
def my_adopt(ours, theirs):
    with torch.no_grad():
        layers = (ours.W_query, ours.W_key, ours.W_value)
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())

# %% right adopt
# builds a whole state dict and loads it
def my_adopt(ours, theirs):
    source = theirs.state_dict()
    d = theirs.embed_dim
    state = {f"out_proj.{kind}": source[f"out_proj.{kind}"] for kind in ("weight", "bias")}
    for start, name in zip((0, d, 2 * d), ("W_query", "W_key", "W_value")):
        state[f"{name}.weight"] = source["in_proj_weight"][start:start + d]
        state[f"{name}.bias"] = source["in_proj_bias"][start:start + d]
    ours.load_state_dict(state)

# %% right adopt
# unflatten in place of chunk, row of weights and bias at once through .data
def my_adopt(ours, theirs):
    weights = theirs.in_proj_weight.data.unflatten(0, (3, -1))
    biases = theirs.in_proj_bias.data.view(3, -1)
    for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
        layer.weight.data = weights[i].clone()
        layer.bias.data = biases[i].clone()
    ours.out_proj.weight.data[:] = theirs.out_proj.weight.data
    ours.out_proj.bias.data[:] = theirs.out_proj.bias.data

# %% wrong same_outputs: one-only
# eval on one of the two only
def my_same_outputs(ours, theirs, inputs):
    modes = [(part, part.training) for part in ours.modules()]
    ours.eval()
    with torch.no_grad():
        same = torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)
    for part, mode in modes:
        part.training = mode
    return same

# %% wrong same_outputs: stays-in-eval
# both to eval, and never back
def my_same_outputs(ours, theirs, inputs):
    ours.eval()
    theirs.eval()
    with torch.no_grad():
        return torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)

# %% wrong same_outputs: always-train
# puts both into training mode in the end, whatever they were
def my_same_outputs(ours, theirs, inputs):
    first = ours.eval()(inputs)[0]
    second = theirs.eval()(inputs)[0]
    result = torch.allclose(first, second, rtol=1e-4, atol=1e-5)
    ours.train()
    theirs.train()
    return result

# %% wrong same_outputs: parts-forgotten
# keeps the mode of the whole module only: a part with a mode of its own loses it
def my_same_outputs(ours, theirs, inputs):
    ours_mode, theirs_mode = ours.training, theirs.training
    ours.eval(), theirs.eval()
    try:
        with torch.no_grad():
            difference = (ours(inputs)[0] - theirs(inputs)[0]).abs().max().item()
    finally:
        ours.train(ours_mode)
        theirs.train(theirs_mode)
    return difference < 1e-4

# %% wrong same_outputs: dropout-left-on
# a seed before each call: dropout stays on, and the two may draw differently
def my_same_outputs(ours, theirs, inputs):
    with torch.no_grad():
        torch.manual_seed(0)
        a, _ = ours(inputs)
        torch.manual_seed(0)
        b, _ = theirs(inputs)
    return torch.allclose(a, b, atol=1e-5)

# %% wrong same_outputs: tolerance-wide
# a tolerance so wide that the test hardly fails
def my_same_outputs(ours, theirs, inputs):
    import copy
    first, second = copy.deepcopy(ours).eval(), copy.deepcopy(theirs).eval()
    return torch.allclose(first(inputs)[0], second(inputs)[0], atol=0.5)

# %% wrong same_outputs: exact
# torch.equal: rounding counts as a difference
def my_same_outputs(ours, theirs, inputs):
    from copy import deepcopy
    with torch.no_grad():
        outputs = [deepcopy(module).eval()(inputs)[0] for module in (ours, theirs)]
    return torch.equal(*outputs)

# %% right same_outputs
# copies; the largest difference against a thousandth
def my_same_outputs(ours, theirs, inputs):
    import copy

    def context(module):
        with torch.no_grad():
            return copy.deepcopy(module).eval()(inputs)[0]

    a, b = context(ours), context(theirs)
    if a.shape != b.shape:
        return False
    return (a - b).abs().max().item() < 1e-3

# %% right same_outputs
# a context manager that keeps every part's mode, with assert_close in place of allclose
def my_same_outputs(ours, theirs, inputs):
    from contextlib import contextmanager

    @contextmanager
    def quiet(*modules):
        kept = {part: part.training for module in modules for part in module.modules()}
        try:
            for module in modules:
                module.eval()
            yield
        finally:
            for part, mode in kept.items():
                part.training = mode

    with quiet(ours, theirs), torch.no_grad():
        first, second = ours(inputs)[0], theirs(inputs)[0]
    try:
        torch.testing.assert_close(first, second, rtol=1e-4, atol=1e-4)
    except AssertionError:
        return False
    return True
