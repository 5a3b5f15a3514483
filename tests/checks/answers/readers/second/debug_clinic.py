# %% wrong row_weights: softmax-no-dim
# softmax without dim: PyTorch then chooses the axis itself, the last for one text but the first for three axes (and
# axis 1 for four)
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    return F.softmax(attn_scores)


# %% wrong row_weights: three-axes-only
# torch.bmm wants exactly three axes: one text is wrapped into a batch, but four axes (heads) stop with an error
def my_row_weights(queries, keys):
    if queries.dim() == 2:
        return my_row_weights(queries[None], keys[None])[0]
    scores = torch.bmm(queries, keys.transpose(1, 2)).div(queries.shape[2] ** 0.5)
    return scores.softmax(dim=2)


# %% wrong row_weights: squeezed
# squeeze() throws away every axis of length 1: a batch of one text, one head or one token loses its axis
def my_row_weights(queries, keys):
    while queries.dim() < 4:
        queries, keys = queries.unsqueeze(0), keys.unsqueeze(0)
    attn_scores = torch.einsum("bhqd,bhkd->bhqk", queries, keys) / math.sqrt(keys.size(-1))
    return torch.softmax(attn_scores, dim=-1).squeeze()


# %% wrong row_weights: naive-overflow + scale-wrong-axis
# divides by the root of the number of keys, not of the width
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1)
    attn_scores = attn_scores / attn_scores.shape[-1] ** 0.5
    exps = attn_scores.exp()
    return exps / exps.sum(dim=-1, keepdim=True)


# %% wrong row_weights: scale-after
# the scaling comes after softmax: it shrinks the weights, and the rows add up to less than 1
def my_row_weights(queries, keys):
    root = queries.shape[-1] ** 0.5
    weights = nn.Softmax(dim=-1)(queries @ keys.mT)
    return weights / root


# %% wrong row_weights: qk-swapped
# the output of einsum names the keys first: rows are keys and softmax runs over the queries
def my_row_weights(queries, keys):
    scaled = queries / keys.shape[-1] ** 0.5
    return torch.einsum("...qd,...kd->...kq", scaled, keys).softmax(-1)


# %% wrong row_weights: softmax-all
# divides the exponentials by the sum of the whole table: all weights of a text together add up to 1, not each row
def my_row_weights(queries, keys):
    scores = queries @ keys.transpose(-1, -2) / queries.size(-1) ** 0.5
    biggest = scores.amax(dim=(-2, -1), keepdim=True)
    exps = torch.exp(scores - biggest)
    return exps / exps.sum(dim=(-2, -1), keepdim=True)


# %% wrong one_row: return-in-loop
# the empty list is made inside the loop: only the last score is left, and its softmax is a single 1
def my_one_row(queries, keys, row):
    query = queries[row]
    for key in keys:
        scores = []
        scores.append(query @ key)
    attn_scores = torch.stack(scores) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)


# %% wrong one_row: past-only
# stops the loop at the row, as a causal mask would: only the keys up to `row` are asked
def my_one_row(queries, keys, row):
    scores = [torch.dot(queries[row], keys[j]) for j in range(row + 1)]
    return torch.softmax(torch.stack(scores) / math.sqrt(keys.shape[-1]), dim=0)


# %% wrong one_row: loop-over-queries
# the loop counts the queries, not the keys: with more keys than queries some are left out, with fewer it stops
def my_one_row(queries, keys, row):
    num_tokens = len(queries)
    attn_scores = torch.zeros(num_tokens)
    for j in range(num_tokens):
        attn_scores[j] = queries[row] @ keys[j]
    return attention.softmax(attn_scores / queries.shape[-1] ** 0.5)


# %% wrong one_row: softmax-axis
# makes the whole table with softmax down the columns, and picks the row afterwards: the row does not add up to 1
def my_one_row(queries, keys, row):
    table = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=0)
    return table[row]


# %% wrong one_row: elementwise
# sums the products over the keys' axis in place of the features': one number a feature, shape (head_dim,)
def my_one_row(queries, keys, row):
    products = queries[row] * keys  # (num_keys, head_dim)
    attn_scores = products.sum(dim=0) / keys.shape[1] ** 0.5
    return F.softmax(attn_scores, dim=0)


# %% wrong one_row: cosine
# cosine similarity in place of the dot product: the lengths of the vectors no longer count
def my_one_row(queries, keys, row):
    similar = F.cosine_similarity(queries[row].unsqueeze(0), keys, dim=-1)
    return (similar / keys.shape[-1] ** 0.5).softmax(dim=-1)


# %% wrong one_row: row-off-by-one
# counts rows from 1, as the page's q1 and k1 read: takes the query before, and for row 0 the last one
def my_one_row(queries, keys, row):
    asked = queries[row - 1]
    scores = keys @ asked * keys.shape[-1] ** -0.5
    return torch.softmax(scores, -1)


# %% wrong causal_weights: normalize-for-sum
# F.normalize divides by the Euclidean length (p=2), not by the sum: the rows do not add up to 1
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    masked = torch.softmax(attn_scores, dim=-1).tril()
    return F.normalize(masked, dim=-1)


# %% wrong causal_weights: tokens-axis
# reads the number of tokens from axis 1: right for a batch, but for one text that is the width, for heads their number
def my_causal_weights(queries, keys):
    mask = causal_mask(queries.shape[1])
    attn_scores = (queries @ keys.transpose(-2, -1)) / queries.shape[-1] ** 0.5
    return attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))


# %% wrong causal_weights: no-mask
# half-remembered trick with a typo: -1e-9 where -1e9 is meant. Next to nothing is added, and the future stays open
def my_causal_weights(queries, keys):
    num_tokens = queries.shape[-2]
    hidden = torch.ones(num_tokens, num_tokens).triu(1)
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores + hidden * -1e-9, dim=-1)


# %% wrong causal_weights: keepdim-forgotten
# sum without keepdim: the sums of the rows are laid over the columns (or do not fit, in a batch)
def my_causal_weights(queries, keys):
    width = keys.shape[-1]
    weights = torch.softmax(queries @ keys.transpose(-2, -1) / width**0.5, dim=-1)
    past = weights * torch.ones_like(weights).tril()
    return past / past.sum(dim=-1)


# %% wrong causal_weights: softmax-twice
# a second softmax, though with minus infinity on the future: nothing leaks, rows add up to 1, but the weights are
# flattened by the exponential of weights
def my_causal_weights(queries, keys):
    attn_scores = torch.einsum("...id,...jd->...ij", queries, keys) / queries.shape[-1] ** 0.5
    first = torch.softmax(attn_scores, dim=-1)
    closed = torch.ones(first.shape[-2:], dtype=torch.bool).triu(diagonal=1)
    return torch.softmax(first.masked_fill(closed, float("-inf")), dim=-1)


# %% wrong causal_weights: times-minus-inf
# multiplies the scores with minus infinity in place of filling it in: a negative score becomes plus infinity, and the
# row nan
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
    n = attn_scores.shape[-1]
    factor = torch.where(causal_mask(n), 1.0, -torch.inf)
    return torch.softmax(attn_scores * factor, dim=-1)


# %% wrong causal_weights: no-mask
# tril on a line of its own, its result thrown away: the future is not erased, and sharing out again changes nothing
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    attn_weights.tril()
    return attn_weights / attn_weights.sum(dim=-1, keepdim=True)


# %% wrong projected_attention: linear-layout
# F.linear expects (d_out, d_in), the matrices here are (d_in, d_out): an error, or silently the transpose if square
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = [F.linear(inputs, W) for W in (W_query, W_key, W_value)]
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights


# %% wrong projected_attention: scale-model
# scales with the width of the inputs (d_in), not with that of the queries
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    d_in = inputs.shape[-1]
    weights = F.softmax(queries @ keys.mT / d_in**0.5, dim=-1)
    return weights @ values, weights


# %% wrong projected_attention: other-weights
# context vectors from PyTorch's function, right; the weights made beside it without the scaling: they are not those
# that were applied
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries = inputs @ W_query
    keys = inputs @ W_key
    values = inputs @ W_value
    context_vecs = F.scaled_dot_product_attention(queries, keys, values)
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)
    return context_vecs, attn_weights


# %% wrong projected_attention: global-leak
# queries mended, but a new slip: the local name is `key`, and `keys` is the page's old tensor again
inputs = torch.randn(2, 5, 4)
W_query, W_key, W_value = (torch.randn(4, 3) for _ in range(3))
queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value


def my_projected_attention(inputs, W_query, W_key, W_value):
    query, key, value = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_scores = query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ value, attn_weights


# %% wrong projected_attention: random
# adds dropout as in another course: F.dropout drops by default (training=True), so every call gives another result
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    attn_weights = F.dropout(attn_weights, p=0.1)
    return attn_weights @ values, attn_weights


# %% wrong projected_attention: inputs-overwritten
# x is overwritten by the queries before keys and values are made: they are projected twice (an error, unless square)
def my_projected_attention(inputs, W_query, W_key, W_value):
    x = inputs
    x = queries = x @ W_query
    keys = x @ W_key
    values = x @ W_value
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights


# %% wrong projected_attention: weights-transposed
# the weights are applied on their side: each token collects by its column in place of its row
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    scale = queries.shape[-1] ** -0.5
    attn_weights = (scale * torch.einsum("...qd,...kd->...qk", queries, keys)).softmax(dim=-1)
    context_vecs = torch.einsum("...qk,...qv->...kv", attn_weights, values)
    return context_vecs, attn_weights


# %% wrong many_heads: split-not-turned
# splits, and forgets to bring the heads' axis forward: at each token the heads attend to each other, tokens never mix
# (and with more keys than queries it stops)
def my_many_heads(queries, keys, values, num_heads):
    queries, keys, values = (part.unflatten(-1, (num_heads, -1)) for part in (queries, keys, values))
    context_vecs = F.scaled_dot_product_attention(queries, keys, values)
    return context_vecs.flatten(-2)


# %% wrong many_heads: heads-stacked
# lays the heads' results one below the other (dim=1, the tokens' axis) where they belong side by side
def my_many_heads(queries, keys, values, num_heads):
    parts = zip(*(part.chunk(num_heads, dim=-1) for part in (queries, keys, values)))
    heads = [attention.scaled_dot_product_attention(q, k, v)[0] for q, k, v in parts]
    return torch.cat(heads, dim=1)


# %% wrong many_heads: features-dealt-out
# gives each head every num_heads-th feature (0, 4, 8 ...) in place of a slice of neighbouring ones
def my_many_heads(queries, keys, values, num_heads):
    outputs = []
    for h in range(num_heads):
        q, k, v = queries[..., h::num_heads], keys[..., h::num_heads], values[..., h::num_heads]
        weights = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
        outputs.append(weights @ v)
    return torch.cat(outputs, dim=-1)


# %% wrong many_heads: scale-model
# scales with the root of d_out, the width of all heads together, read off before the split
def my_many_heads(queries, keys, values, num_heads):
    d_out = queries.shape[-1]
    queries, keys, values = (split_heads(part, num_heads) for part in (queries, keys, values))
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / d_out**0.5, dim=-1)
    return merge_heads(attn_weights @ values)


# %% wrong many_heads: random
# PyTorch's module brings projections of its own, drawn at random: the inputs, projected already, are projected again
def my_many_heads(queries, keys, values, num_heads):
    module = nn.MultiheadAttention(queries.shape[-1], num_heads, batch_first=True)
    context_vecs, _ = module(queries, keys, values)
    return context_vecs


# %% wrong many_heads: first-keys-for-all
# only the queries have heads; keys and values stay one set, the slice of the first head, for all
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_queries, d_out = queries.shape
    head_dim = d_out // num_heads
    queries = queries.view(batch_size, num_queries, num_heads, head_dim).transpose(1, 2)
    keys, values = keys[:, None, :, :head_dim], values[:, None, :, :head_dim]
    weights = attention.softmax(queries @ keys.transpose(-2, -1) / head_dim**0.5)
    return (weights @ values).transpose(1, 2).reshape(batch_size, num_queries, d_out)


# %% wrong many_heads: not-contiguous
# view after transpose: the memory is no longer in order, PyTorch stops and asks for contiguous or reshape
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_queries, d_out = queries.shape
    split = []
    for part in (queries, keys, values):
        split.append(part.view(batch_size, part.shape[1], num_heads, d_out // num_heads).transpose(1, 2))
    context_vecs, _ = attention.scaled_dot_product_attention(*split)
    return context_vecs.transpose(1, 2).view(batch_size, num_queries, d_out)


# %% wrong masked_attention: all-masked-nan
# multiplies the weights with the mask to erase empty rows: 0 times nan is nan
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    attn_weights = attn_weights * mask
    return attn_weights @ values, attn_weights


# %% wrong masked_attention: empty-whole
# asks whether the whole mask is empty, not whether a row is: a single empty row still gives nan
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    if not mask.any():
        attn_weights = torch.zeros_like(attn_scores)
    else:
        attn_weights = F.softmax(attn_scores.masked_fill(mask == 0, float("-inf")), dim=-1)
    return torch.matmul(attn_weights, values), attn_weights


# %% wrong masked_attention: repair-in-place
# writes into the result of softmax in place, which softmax needs on the way back: forward is right, backward() stops
# with a RuntimeError
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = mask.expand_as(attn_scores)
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    attn_weights[~mask.any(dim=-1)] = 0.0
    return attn_weights @ values, attn_weights


# %% wrong masked_attention: detached
# keeps nan out of the gradient by making the weights without any: under no_grad queries and keys are never trained
def my_masked_attention(queries, keys, values, mask):
    with torch.no_grad():
        attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
        attn_scores = torch.where(mask, attn_scores, -torch.inf)
        attn_weights = attention.softmax(attn_scores)
    return attn_weights @ values, attn_weights


# %% wrong masked_attention: empty-weights-left
# opens empty rows entirely and sets only their context vectors to 0: the weights that come back are uniform there
def my_masked_attention(queries, keys, values, mask):
    empty = ~mask.any(dim=-1, keepdim=True)
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~(mask | empty), -torch.inf), dim=-1)
    context_vecs = (attn_weights @ values).masked_fill(empty, 0.0)
    return context_vecs, attn_weights


# %% wrong masked_attention: columns-asked
# wrong axis: looks for keys that nobody may see (columns with nothing open), so empty rows stay nan
def my_masked_attention(queries, keys, values, mask):
    nobody = ~mask.any(dim=-2, keepdim=True)
    attn_scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(keys.shape[-1])
    attn_weights = attn_scores.masked_fill(~mask, -torch.inf).softmax(dim=-1).masked_fill(nobody, 0.0)
    return attn_weights @ values, attn_weights


# %% wrong masked_attention: all-masked-nan
# compares with nan: nan is not equal to itself, so nothing is ever replaced
def my_masked_attention(queries, keys, values, mask):
    attn_scores = (queries @ keys.transpose(-2, -1)).div(keys.shape[-1] ** 0.5)
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf)
    attn_weights = torch.softmax(attn_scores, dim=-1)
    attn_weights = torch.where(attn_weights == torch.nan, 0.0, attn_weights)
    return attn_weights @ values, attn_weights


# %% wrong attend_to: values-or-keys
# `or` asks a tensor for its truth: "Boolean value of Tensor ... is ambiguous", stops as soon as keys are given
def my_attend_to(queries, keys=None, values=None):
    keys = keys or queries
    values = values or keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights


# %% right attend_to
# right all the same, by the words of the prompt
# without keys, values of their own are overwritten: my_attend_to(queries, values=v) delivers the queries
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = values = queries
    elif values is None:
        values = keys
    return attention.scaled_dot_product_attention(queries, keys, values)


# %% wrong attend_to: two-calls-only
# knows two calls only, with one and with three tensors: with two, the keys are thrown away and the text asks itself
def my_attend_to(queries, keys=None, values=None):
    if keys is not None and values is not None:
        asked, delivered = keys, values
    else:
        asked = delivered = queries
    weights = torch.softmax(queries @ asked.mT / queries.shape[-1] ** 0.5, dim=-1)
    return weights @ delivered, weights


# %% wrong attend_to: weights-missing
# PyTorch's function gives the context vectors alone: None stands where the weights should be
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = keys if values is None else values
    return F.scaled_dot_product_attention(queries, keys, values), None


# %% wrong attend_to: own-tokens-added
# wrong idea of one text asking another: puts the asker's own tokens in front of the other text's, so it asks both
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = queries
        values = queries if values is None else values
    else:
        values = keys if values is None else values
        keys = torch.cat([queries, keys], dim=-2)
        values = torch.cat([queries, values], dim=-2)
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights


# %% right attend_to
# right all the same, by the words of the prompt
# collects the tensors with *texts: called by name, keys=... or values=..., it stops with a TypeError
def my_attend_to(*texts):
    queries = texts[0]
    keys = texts[1] if len(texts) > 1 else queries
    values = texts[2] if len(texts) > 2 else keys
    attn_scores = torch.einsum("...qd,...kd->...qk", queries, keys) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights


# %% wrong attend_to: scores-from-values
# reads "who answers also delivers" the other way round: when values are given they also answer, and the keys are unused
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = queries
    if values is None:
        values = keys
    else:
        keys = values
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights


# %% wrong any_width: mask-kept
# the mask is made at the first call and kept: a text of another length, later, gets the old mask and stops
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.mask = None

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        if self.mask is None:
            self.mask = attention.causal_mask(x.shape[-2])
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        attn_weights = attention.softmax(attn_scores.masked_fill(~self.mask, -torch.inf))
        return attn_weights @ values, attn_weights


# %% wrong any_width: scale-model
# reads the width off the inputs: divides by the root of d_in, not of d_out
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        num_tokens, width = x.shape[-2:]
        attn_scores = self.W_query(x) @ self.W_key(x).mT / width**0.5
        closed = torch.ones(num_tokens, num_tokens, dtype=torch.bool).triu(1)
        attn_weights = torch.softmax(attn_scores.masked_fill(closed, -torch.inf), dim=-1)
        return attn_weights @ self.W_value(x), attn_weights


# %% wrong any_width: - "`self.W_query` is an `nn.Parameter`. A layer is asked for: `"
# bare parameters (d_in, d_out) in place of linear layers: the stored names are W_query, not W_query.weight, and the
# shape is turned, so the weights cannot be copied in
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Parameter(torch.randn(d_in, d_out) / d_in**0.5))

    def forward(self, x):
        mask = attention.causal_mask(x.shape[-2])
        return attention.scaled_dot_product_attention(x @ self.W_query, x @ self.W_key, x @ self.W_value, mask)


# %% wrong any_width: one-layer
# one chained assignment: the three names are one and the same layer, so queries, keys and values are equal
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = self.W_key = self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        scores = scores.masked_fill(~causal_mask(scores.shape[-1]), -torch.inf)
        weights = attention.softmax(scores)
        return weights @ v, weights


# %% wrong any_width: tokens-from-width
# takes d_in for the number of tokens: the mask made in __init__ fits only texts of exactly d_in tokens
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.scale = d_out**-0.5
        self.mask = attention.causal_mask(d_in)

    def forward(self, x):
        attn_scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) * self.scale
        attn_weights = attention.softmax(attn_scores.masked_fill(~self.mask, -torch.inf))
        return attn_weights @ self.W_value(x), attn_weights


# %% wrong any_width: super-forgotten
# super().__init__() is missing: the first layer cannot be assigned, making an object stops with an AttributeError
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        mask = attention.causal_mask(x.shape[-2])
        return attention.scaled_dot_product_attention(queries, keys, values, mask)


# %% wrong any_width: mask-after-softmax
# erases the future after softmax and does not share out again: all rows but the last add up to less than 1
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        attn_scores = torch.einsum("...qd,...kd->...qk", self.W_query(x), self.W_key(x))
        attn_weights = torch.softmax(attn_scores / self.d_out**0.5, dim=-1)
        attn_weights = attn_weights * attention.causal_mask(x.shape[-2])
        return attn_weights @ self.W_value(x), attn_weights


# %% wrong adopt: linear-layout
# turns the matrices, in the belief that one of the two stores them the other way round: square, so nothing clashes
def my_adopt(ours, theirs):
    layers = (ours.W_query, ours.W_key, ours.W_value)
    with torch.no_grad():
        for layer, weight, bias in zip(layers, theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)):
            layer.weight.copy_(weight.T)
            layer.bias.copy_(bias)
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())


# %% wrong adopt: wrong-direction
# copies the wrong way: theirs, the trained layer, is overwritten by ours
def my_adopt(ours, theirs):
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight]))
        theirs.in_proj_bias.copy_(torch.cat([ours.W_query.bias, ours.W_key.bias, ours.W_value.bias]))
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)


# %% wrong adopt: not-filled
# fills a copy: `ours` is given a new object inside the function, and the caller's module stays as it was
def my_adopt(ours, theirs):
    import copy
    ours = copy.deepcopy(ours)
    q, k, v = theirs.in_proj_weight.detach().chunk(3)
    bq, bk, bv = theirs.in_proj_bias.detach().chunk(3)
    ours.load_state_dict({
        "W_query.weight": q, "W_query.bias": bq, "W_key.weight": k, "W_key.bias": bk,
        "W_value.weight": v, "W_value.bias": bv,
        "out_proj.weight": theirs.out_proj.weight.detach(), "out_proj.bias": theirs.out_proj.bias.detach(),
    })


# %% wrong adopt: names-differ
# strict=False keeps quiet about names that do not fit: only out_proj is copied, the three projections stay random
def my_adopt(ours, theirs):
    ours.load_state_dict(theirs.state_dict(), strict=False)


# %% wrong adopt: rows-by-head
# takes the stack for ordered by heads (query, key, value of head 0, then of head 1 ...), as some other models store it
def my_adopt(ours, theirs):
    heads = theirs.num_heads
    weight = theirs.in_proj_weight.detach().unflatten(0, (heads, 3, -1))  # (heads, 3, head_dim, width)
    bias = theirs.in_proj_bias.detach().unflatten(0, (heads, 3, -1))
    with torch.no_grad():
        for i, name in enumerate(["W_query", "W_key", "W_value"]):
            layer = getattr(ours, name)
            layer.weight.copy_(weight[:, i].flatten(0, 1))
            layer.bias.copy_(bias[:, i].flatten())
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict())


# %% wrong adopt: bias-first-third
# the slice of the bias does not move on with the loop: keys and values get the queries' bias as well
def my_adopt(ours, theirs):
    width = theirs.embed_dim
    for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
        layer.weight.data.copy_(theirs.in_proj_weight[i * width:(i + 1) * width])
        layer.bias.data.copy_(theirs.in_proj_bias[:width])
    ours.out_proj.weight.data.copy_(theirs.out_proj.weight)
    ours.out_proj.bias.data.copy_(theirs.out_proj.bias)


# %% wrong adopt: out-bias-forgotten
# the three projections with weights and biases, out_proj with its weight only: its bias stays what it was in ours
def my_adopt(ours, theirs):
    names = ["W_query", "W_key", "W_value"]
    weights = dict(zip(names, theirs.in_proj_weight.chunk(3, dim=0)))
    biases = dict(zip(names, theirs.in_proj_bias.chunk(3, dim=0)))
    with torch.no_grad():
        for name in names:
            getattr(ours, name).weight.copy_(weights[name])
            getattr(ours, name).bias.copy_(biases[name])
        ours.out_proj.weight.copy_(theirs.out_proj.weight)


# %% wrong same_outputs: dropout-left-on
# makes copies and puts them into eval mode, and then calls the originals: dropout is still on
def my_same_outputs(ours, theirs, inputs):
    import copy
    a, b = copy.deepcopy(ours).eval(), copy.deepcopy(theirs).eval()
    assert not a.training and not b.training
    with torch.no_grad():
        return torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)


# %% wrong same_outputs: rate-of-copies
# sets p of every nn.Dropout in the copies to 0 and leaves them in training mode: dropout applied by F.dropout with
# self.training is not found
def my_same_outputs(ours, theirs, inputs):
    import copy
    outputs = []
    for module in (ours, theirs):
        twin = copy.deepcopy(module)
        for part in twin.modules():
            if isinstance(part, nn.Dropout):
                part.p = 0.0
        with torch.no_grad():
            outputs.append(twin(inputs)[0])
    return torch.allclose(*outputs, atol=1e-5)


# %% wrong same_outputs: assertion-raised
# assert_close does not answer False but raises: two different modules stop the function with an AssertionError
def my_same_outputs(ours, theirs, inputs):
    import copy
    ours, theirs = (copy.deepcopy(module).eval() for module in (ours, theirs))
    with torch.no_grad():
        torch.testing.assert_close(ours(inputs)[0], theirs(inputs)[0], atol=1e-5, rtol=1e-5)
    return True


# %% wrong same_outputs: means-compared
# takes the mean of the differences with their signs: plus and minus cancel, and differing outputs may pass
def my_same_outputs(ours, theirs, inputs):
    import copy
    first = copy.deepcopy(ours).eval()(inputs)[0]
    second = copy.deepcopy(theirs).eval()(inputs)[0]
    return abs((first - second).mean().item()) < 1e-4


# %% wrong same_outputs: stays-in-eval
# the modes are kept in a generator, which looks only when it is asked, after eval(): all parts stay in eval mode
def my_same_outputs(ours, theirs, inputs):
    parts = [*ours.modules(), *theirs.modules()]
    modes = (part.training for part in parts)
    ours.eval()
    theirs.eval()
    with torch.no_grad():
        same = torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)
    for part, mode in zip(parts, modes):
        part.training = mode
    return same


# %% wrong same_outputs: modes-noted-late
# notes the modes of the second module when the first is in eval already, and puts back in that order: parts that both
# share (or a module compared with itself) end in eval mode
def my_same_outputs(ours, theirs, inputs):
    our_modes = {part: part.training for part in ours.modules()}
    ours.eval()
    our_vecs, _ = ours(inputs)
    their_modes = {part: part.training for part in theirs.modules()}
    theirs.eval()
    their_vecs, _ = theirs(inputs)
    for modes in (our_modes, their_modes):
        for part, mode in modes.items():
            part.training = mode
    return torch.allclose(our_vecs, their_vecs, atol=1e-5)


# %% wrong same_outputs: parameters-compared
# compares the stored weights, not what comes out: False for two modules that compute the same with other names or
# other weights, and True for two with the same weights that compute differently
def my_same_outputs(ours, theirs, inputs):
    mine, yours = ours.state_dict(), theirs.state_dict()
    if mine.keys() != yours.keys():
        return False
    return all(mine[k].shape == yours[k].shape and torch.allclose(mine[k], yours[k], atol=1e-5) for k in mine)


