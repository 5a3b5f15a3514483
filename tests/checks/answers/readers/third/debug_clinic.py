# %% wrong row_weights: softmax-half-repaired
# the half-repair: dim=2 is right for a batch, stops for one text, and is the queries' axis for heads
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=2)

# %% wrong row_weights: renormalised
# keeps the softmax over dim=1 and hides it behind a division by the row sums
def my_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    weights = torch.softmax(attn_scores, dim=1)
    return weights / weights.sum(dim=-1, keepdim=True)

# %% wrong row_weights: softmax-no-dim
# F.softmax without dim: PyTorch picks axis 0 or 1 by itself, not the keys'
def my_row_weights(queries, keys):
    dot_products = torch.matmul(queries, keys.mT)
    scaled = dot_products / math.sqrt(queries.size(-1))
    return F.softmax(scaled)

# %% wrong row_weights: - "`scores.softmax(dim=last)` stops: (3, 4) has 2 axes, 0 to 1 "
# off by one: the last axis has number dim() - 1, so dim=dim() stops with an error
def my_row_weights(queries, keys):
    scores = torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5
    last = scores.dim()
    return scores.softmax(dim=last)

# %% wrong row_weights: keys-fixed-axes
# softmax mended, but keys.transpose(1, 2) counts from the front: error for one text, wrong axes for heads
def my_row_weights(queries, keys):
    d_k = keys.shape[-1]
    attn_scores = queries @ keys.transpose(1, 2)
    return torch.softmax(attn_scores / d_k**0.5, dim=-1)

# %% wrong row_weights: naive-overflow + scale-wrong-axis
# scales by the number of keys (axis -2) in place of head_dim
def my_row_weights(queries, keys):
    num_keys = keys.shape[-2]
    exps = torch.exp(queries @ keys.transpose(-1, -2) / num_keys**0.5)
    return exps / exps.sum(-1, keepdim=True)

# %% right row_weights
# flattens all axes in front and uses baddbmm
def my_row_weights(queries, keys):
    *front, n, d = queries.shape
    q, k = queries.reshape(-1, n, d), keys.reshape(-1, keys.shape[-2], d)
    zeros = torch.zeros(len(q), n, k.shape[1], dtype=q.dtype)
    scores = torch.baddbmm(zeros, q, k.transpose(1, 2), alpha=d**-0.5)
    return scores.softmax(2).reshape(*front, n, k.shape[1])

# %% right row_weights
# PyTorch's attention with a unit matrix for the values: what comes out are the weights
def my_row_weights(queries, keys):
    unit = torch.eye(keys.shape[-2], dtype=keys.dtype).expand(*keys.shape[:-1], keys.shape[-2])
    return F.scaled_dot_product_attention(queries, keys, unit)

# %% wrong one_row: key-fixed
# the half-repair: both numbers stand still, every score is q_row . k_row
def my_one_row(queries, keys, row):
    scores = []
    for j in range(len(keys)):
        scores.append(queries[row] @ keys[row])
    return torch.softmax(torch.stack(scores) / keys.shape[-1] ** 0.5, dim=-1)

# %% wrong one_row: loop-over-queries
# the loop runs over the queries' length: error or too short where there are more or fewer keys
def my_one_row(queries, keys, row):
    q = queries[row]
    scores = torch.zeros(len(queries))
    for j in range(len(queries)):
        scores[j] = (q * keys[j]).sum()
    return F.softmax(scores / keys.shape[-1] ** 0.5, dim=0)

# %% wrong one_row: qk-swapped
# roles swapped: the key stands still and the queries pass by
def my_one_row(queries, keys, row):
    attn_scores = torch.stack([query @ keys[row] for query in queries]) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)

# %% wrong one_row: softmax-axis
# softmax of the whole table along the queries (dim=0), then the row is picked
def my_one_row(queries, keys, row):
    table = queries @ keys.T / math.sqrt(keys.shape[1])
    return table.softmax(dim=0)[row]

# %% wrong one_row: row-axis-kept
# a slice row:row + 1 keeps an axis: shape (1, num_keys) in place of (num_keys,)
def my_one_row(queries, keys, row):
    one_query = queries[row:row + 1]
    attn_scores = one_query @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)

# %% wrong one_row: row-off-by-one + naive-overflow
# counts rows from 1: row 1 gives the first query, row 0 the last
def my_one_row(queries, keys, row):
    query = queries[row - 1]
    exps = [torch.exp(query.dot(key) / len(query) ** 0.5) for key in keys]
    return torch.stack([e / sum(exps) for e in exps])

# %% right one_row
# matrix times vector
def my_one_row(queries, keys, row):
    return torch.mv(keys, queries[row]).div(keys.shape[1] ** 0.5).softmax(0)

# %% right one_row
# plain Python numbers in two loops, softmax by hand with the largest score taken off
def my_one_row(queries, keys, row):
    query, scores = queries[row].tolist(), []
    for key in keys.tolist():
        total = 0.0
        for a, b in zip(query, key):
            total += a * b
        scores.append(total / math.sqrt(len(query)))
    top = max(scores)
    exps = [math.exp(s - top) for s in scores]
    return torch.tensor([e / sum(exps) for e in exps], dtype=queries.dtype)

# %% wrong causal_weights: divided-by-mask-sum
# the half-repair: divides the masked weights by the mask's sums, so the rows do not add up to 1
def my_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    mask = torch.ones(queries.shape[-2], keys.shape[-2]).tril()
    masked = attn_weights * mask
    return masked / mask.sum(dim=-1, keepdim=True)

# %% wrong causal_weights: softmax-again
# a second softmax in place of the division: the zeros become weights again, the future is open
def my_causal_weights(queries, keys):
    attn_weights = (queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5).softmax(dim=-1)
    masked = torch.tril(attn_weights)
    return torch.softmax(masked, dim=-1)

# %% wrong causal_weights: keepdim-forgotten
# keepdim forgotten: the sums do not stand beside their rows (error in a batch, columns divided for one text)
def my_causal_weights(queries, keys):
    weights = F.softmax(queries @ keys.mT / keys.size(-1) ** 0.5, dim=-1)
    open_weights = weights * torch.ones_like(weights).tril()
    return open_weights / open_weights.sum(dim=-1)

# %% wrong causal_weights: zero-times-inf
# published-code pattern with (1 - mask) * -inf: 0 times infinity is nan, so everything is nan
def my_causal_weights(queries, keys):
    n = queries.shape[-2]
    bias = (1.0 - torch.tril(torch.ones(n, n))) * float("-inf")
    scores = torch.matmul(queries, keys.transpose(-1, -2)) / math.sqrt(queries.shape[-1])
    return torch.softmax(scores + bias, dim=-1)

# %% wrong causal_weights: mask-off-by-one
# the mask hides the token itself too (diagonal=0 in triu): the first row has nothing open and is nan
def my_causal_weights(queries, keys):
    length = queries.shape[-2]
    hidden = torch.triu(torch.ones(length, length, dtype=torch.bool), diagonal=0)
    scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    scores = scores.masked_fill(hidden, -torch.inf)
    return scores.softmax(-1)

# %% wrong causal_weights: mask-after-softmax
# erases the future and forgets to share out again: rows add up to less than 1
def my_causal_weights(queries, keys):
    attn_scores = torch.einsum("...qd,...kd->...qk", queries, keys) / keys.shape[-1] ** 0.5
    attn_weights = attention.softmax(attn_scores)
    for q in range(attn_weights.shape[-2]):
        attn_weights[..., q, q + 1:] = 0
    return attn_weights

# %% right causal_weights
# row by row: softmax over the past alone, the rest stays 0
def my_causal_weights(queries, keys):
    n, d = queries.shape[-2:]
    rows = []
    for i in range(n):
        past = (keys[..., :i + 1, :] * queries[..., i:i + 1, :]).sum(dim=-1) / d**0.5
        rows.append(F.pad(past.softmax(dim=-1), (0, n - i - 1)))
    return torch.stack(rows, dim=-2)

# %% right causal_weights
# the repaired two lines, with a boolean mask and nn.functional.normalize (p=1) for sharing out
def my_causal_weights(queries, keys):
    weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    masked = torch.where(causal_mask(queries.shape[-2]), weights, 0.0)
    return F.normalize(masked, p=1, dim=-1)

# %% wrong projected_attention: keys-as-queries
# the half-repair: puts the keys where the stale queries stood; the keys ask themselves
def my_projected_attention(inputs, W_query, W_key, W_value):
    querys, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_scores = keys @ keys.transpose(-2, -1) / querys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong projected_attention: global-leak
# copied the page, changed only the scale's spelling: the scores still read the notebook's old `queries`
inputs = torch.randn(2, 5, 4)
W_query, W_key, W_value = (torch.randn(4, 3) for _ in range(3))
queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value


def my_projected_attention(inputs, W_query, W_key, W_value):
    querys, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong projected_attention: keys-full-turn
# keys.T turns round all axes: stops for a batch (right for one text only)
def my_projected_attention(inputs, W_query, W_key, W_value):
    q = inputs @ W_query
    k = inputs @ W_key
    v = inputs @ W_value
    weights = torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights

# %% wrong projected_attention: scale-model
# scales by the width of the inputs (d_in), not by that of the queries
def my_projected_attention(inputs, W_query, W_key, W_value):
    d = inputs.shape[-1]
    queries, keys, values = (inputs @ W for W in (W_query, W_key, W_value))
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) * d**-0.5)
    return attn_weights @ values, attn_weights

# %% wrong projected_attention: outputs-swapped
# returns the pair in the wrong order: weights first
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights, attn_weights @ values

# %% wrong projected_attention: v-unprojected
# mixes the inputs and forgets W_value: the context vectors are not projected
def my_projected_attention(inputs, W_query, W_key, W_value):
    attn_scores = (inputs @ W_query) @ (inputs @ W_key).transpose(-2, -1)
    attn_weights = torch.softmax(attn_scores / W_query.shape[1] ** 0.5, dim=-1)
    context_vecs = attn_weights @ inputs
    return context_vecs, attn_weights

# %% right projected_attention
# the three matrices side by side in one product, then split; einsum for the rest
def my_projected_attention(inputs, W_query, W_key, W_value):
    sizes = [W.shape[1] for W in (W_query, W_key, W_value)]
    q, k, v = (inputs @ torch.cat([W_query, W_key, W_value], dim=1)).split(sizes, dim=-1)
    scores = torch.einsum("...qd,...kd->...qk", q, k).mul(sizes[0] ** -0.5)
    attn_weights = scores.softmax(-1)
    return torch.einsum("...qk,...kd->...qd", attn_weights, v), attn_weights

# %% right projected_attention
# hands the projected tensors to the course's own function
def my_projected_attention(inputs, W_query, W_key, W_value):
    projected = [F.linear(inputs, W.T) for W in (W_query, W_key, W_value)]
    return attention.scaled_dot_product_attention(*projected)

# %% wrong many_heads: merge-no-transpose
# heads are really split now, but the old last line stays: reshape without swapping heads and tokens back
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    head_dim = d_out // num_heads
    queries, keys, values = (part.view(batch_size, part.shape[1], num_heads, head_dim).transpose(1, 2)
                             for part in (queries, keys, values))
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return context_vecs.reshape(batch_size, num_tokens, d_out)

# %% wrong many_heads: split-discarded
# `part = ...` in the loop renames only: queries, keys and values stay unsplit, one head for any num_heads
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    for part in (queries, keys, values):
        part = part.view(batch_size, part.shape[1], num_heads, d_out // num_heads).transpose(1, 2)
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return context_vecs.reshape(batch_size, num_tokens, d_out)

# %% wrong many_heads: view-no-transpose
# view straight to (batch, num_heads, tokens, head_dim): the heads are pieces of the text, not of the features
def my_many_heads(queries, keys, values, num_heads):
    b, t, d = queries.shape
    hd = d // num_heads
    q = queries.view(b, num_heads, t, hd)
    k = keys.view(b, num_heads, -1, hd)
    v = values.view(b, num_heads, -1, hd)
    out = F.scaled_dot_product_attention(q, k, v)
    return out.transpose(1, 2).contiguous().view(b, t, d)

# %% wrong many_heads: keys-as-long-as-queries
# uses the queries' number of tokens for the keys too: stops when there are more keys
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape

    def split(x):
        return x.view(batch_size, num_tokens, num_heads, d_out // num_heads).permute(0, 2, 1, 3)

    context_vecs, _ = attention.scaled_dot_product_attention(split(queries), split(keys), split(values))
    return merge_heads(context_vecs)

# %% wrong many_heads: scale-model
# scales by the root of d_out in place of head_dim
def my_many_heads(queries, keys, values, num_heads):
    q, k, v = [split_heads(x, num_heads) for x in (queries, keys, values)]
    scores = q @ k.transpose(-2, -1) / queries.shape[-1] ** 0.5
    heads = scores.softmax(dim=-1) @ v
    return merge_heads(heads)

# %% wrong many_heads: head-count-dim
# split(num_heads) makes pieces that are num_heads wide in place of num_heads pieces
def my_many_heads(queries, keys, values, num_heads):
    heads = []
    for q, k, v in zip(*(part.split(num_heads, dim=-1) for part in (queries, keys, values))):
        context, _ = attention.scaled_dot_product_attention(q, k, v)
        heads.append(context)
    return torch.cat(heads, dim=-1)

# %% wrong many_heads: features-dealt-out
# features interleaved: the heads' outputs are stacked on the last axis, so each head's numbers lie num_heads apart
def my_many_heads(queries, keys, values, num_heads):
    outputs = []
    size = queries.shape[-1] // num_heads
    for h in range(num_heads):
        cut = slice(h * size, (h + 1) * size)
        outputs.append(F.scaled_dot_product_attention(queries[..., cut], keys[..., cut], values[..., cut]))
    return torch.stack(outputs, dim=-1).flatten(-2)

# %% right many_heads
# a loop over heads with chunk and cat
def my_many_heads(queries, keys, values, num_heads):
    qs, ks, vs = (part.chunk(num_heads, dim=-1) for part in (queries, keys, values))
    return torch.cat([attention.scaled_dot_product_attention(*qkv)[0] for qkv in zip(qs, ks, vs)], dim=-1)

# %% right many_heads
# reshape to five-letter einsum, heads never moved in front of the tokens
def my_many_heads(queries, keys, values, num_heads):
    q, k, v = [part.reshape(*part.shape[:2], num_heads, -1) for part in (queries, keys, values)]
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
    mixed = torch.einsum("bhqk,bkhd->bqhd", scores.softmax(-1), v)
    return mixed.reshape(queries.shape[0], queries.shape[1], -1)

# %% wrong masked_attention: all-masked-uniform
# the half-repair: a large negative number in place of -inf; a closed row is then shared out evenly
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: nan-in-weights
# the half-repair: nan_to_num on the context vectors; the weights stay nan, and the gradient of the values too
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    context_vecs = torch.nan_to_num(attn_weights @ values)
    return context_vecs, attn_weights

# %% wrong masked_attention: all-masked-nan
# multiplies the nan weights by 0: 0 times nan is nan, so nothing is mended
def my_masked_attention(queries, keys, values, mask):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(queries.size(-1))
    scores = torch.where(mask, scores, float("-inf"))
    has_open = mask.any(dim=-1, keepdim=True)
    weights = scores.softmax(-1) * has_open
    return weights @ values, weights

# %% wrong masked_attention: empty-whole
# looks for a wholly closed mask only: a batch with one closed row among open ones is still nan
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    if not mask.any():
        attn_weights = torch.zeros_like(attn_scores)
    else:
        attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: mask-after-softmax
# softmax over all keys, closed weights set to 0 afterwards and not shared out again: rows add up to less than 1
def my_masked_attention(queries, keys, values, mask):
    all_weights = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
    attn_weights = all_weights.masked_fill(mask.logical_not(), 0.0)
    return attn_weights @ values, attn_weights

# %% wrong masked_attention: mask-inverted
# fills where the mask is True: takes True for "hidden" (the zeros for closed rows are turned round as well)
def my_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = attention.softmax(attn_scores.masked_fill(mask, -torch.inf))
    context_vecs = attn_weights @ values
    return context_vecs, attn_weights

# %% right masked_attention
# hint 3: closed weights are filled with 0 after PyTorch's softmax, before they meet the values
def my_masked_attention(queries, keys, values, mask):
    scores = (queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    attn_weights = scores.softmax(dim=-1).masked_fill(~mask, 0.0)
    return attn_weights @ values, attn_weights

# %% right masked_attention
# opens closed rows for the softmax, then sets their weights to 0: no nan is ever made
def my_masked_attention(queries, keys, values, mask):
    closed = ~mask.any(dim=-1, keepdim=True)
    raw = torch.matmul(queries * queries.shape[-1] ** -0.5, keys.mT)
    safe = torch.where(mask | closed, raw, torch.full_like(raw, -math.inf))
    attn_weights = torch.where(closed, torch.zeros_like(raw), F.softmax(safe, dim=-1))
    return attn_weights.matmul(values), attn_weights

# %% wrong attend_to: values-ignored
# the half-repair: the keys are always the values, also where values of their own are given
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: defaults-in-wrong-order
# the half-repair: values are filled in one line too early, when keys may still be None; stops with queries alone
def my_attend_to(queries, keys=None, values=None):
    values = keys if values is None else values
    keys = queries if keys is None else keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: values-or-keys
# `keys or queries`: a tensor of many numbers has no truth value, stops as soon as keys are given
def my_attend_to(queries, keys=None, values=None):
    keys = keys or queries
    values = values or keys
    scale = math.sqrt(queries.shape[-1])
    attn_weights = torch.softmax(queries @ keys.mT / scale, dim=-1)
    return attn_weights.matmul(values), attn_weights

# %% wrong attend_to: - "The cell stops before it can be checked: NameError"
# defaults that name another parameter: Python knows no `queries` when it reads the def line, NameError
def my_attend_to(queries, keys=queries, values=keys):
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong attend_to: own-tokens-added
# the other text is hung behind the own one: each text reads both, not only the one that answers
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = queries
    else:
        keys = torch.cat([queries, keys], dim=-2)
    if values is None:
        values = keys
    elif values.shape[-2] != keys.shape[-2]:
        values = torch.cat([queries, values], dim=-2)
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong attend_to: qk-swapped
# who asks and who answers turned round in the scores: keys @ queries^T (weights are (num_keys, num_queries))
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = queries
    if values is None:
        values = keys
    scores = torch.matmul(keys, queries.transpose(-2, -1)) / queries.size(-1) ** 0.5
    weights = F.softmax(scores, dim=-1)
    return weights @ values, weights

# %% right attend_to
# calls itself with what is missing, and hands over to the course's function at last
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        return my_attend_to(queries, queries, values)
    if values is None:
        return my_attend_to(queries, keys, keys)
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% right attend_to
# context from PyTorch's ready-made function, weights beside it from a softmax by hand
def my_attend_to(queries, keys=None, values=None):
    answering = keys if keys is not None else queries
    delivering = values if values is not None else answering
    exps = torch.exp(torch.einsum("...qd,...kd->...qk", queries, answering) / queries.shape[-1] ** 0.5)
    return F.scaled_dot_product_attention(queries, answering, delivering), exps / exps.sum(-1, keepdim=True)

# %% wrong any_width: global-leak
# the half-repair: d_out is kept on the object, num_tokens is still the notebook's 5
num_tokens = 5


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

# %% wrong any_width: no-mask
# got rid of num_tokens by leaving the mask out: the head is no longer causal
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))

# %% wrong any_width: - "`batch, num_tokens, d = x.shape` stops: `x.shape` is (4, 3),"
# scales by the width of x (d_in) in place of d_out (and takes batches of three axes only)
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))

    def forward(self, x):
        batch, num_tokens, d = x.shape
        scores = torch.bmm(self.W_query(x), self.W_key(x).transpose(1, 2)) / d**0.5
        future = torch.ones(num_tokens, num_tokens).triu(1).bool()
        weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
        return torch.bmm(weights, self.W_value(x)), weights

# %% wrong any_width: mask-kept
# remembers the mask of the first text it reads: stops on a text of another length afterwards
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.scale, self.mask = d_out**-0.5, None

    def forward(self, x):
        if self.mask is None:
            self.mask = causal_mask(x.shape[-2])
        q, k, v = self.W_query(x) * self.scale, self.W_key(x), self.W_value(x)
        attn_weights = attention.softmax((q @ k.transpose(-2, -1)).masked_fill(~self.mask, -torch.inf))
        return attn_weights @ v, attn_weights

# %% wrong any_width: weights-missing
# two mistakes: the projections have a bias (nn.Linear's default), and only the context vectors are returned
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out)

    def forward(self, x):
        return F.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x), is_causal=True)

# %% wrong any_width: - "`self.W_query` is an `nn.Parameter`. A layer is asked for: `"
# the weights are bare parameters (d_in, d_out), not nn.Linear: nothing of the name W_query.weight to copy into
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.randn(d_in, d_out))
        self.W_key = nn.Parameter(torch.randn(d_in, d_out))
        self.W_value = nn.Parameter(torch.randn(d_in, d_out))

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return attention.scaled_dot_product_attention(q, k, v, causal_mask(x.shape[-2]))

# %% right any_width
# inherits from the course's SelfAttention, and adds a table of 0 and -inf to the scores
class MyAnyWidth(attention.SelfAttention):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)

    def forward(self, x):
        ahead = torch.full((x.shape[-2], x.shape[-2]), -math.inf).triu(1)
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) / self.W_key.out_features**0.5
        attn_weights = torch.softmax(scores + ahead, dim=-1)
        return attn_weights @ self.W_value(x), attn_weights

# %% right any_width
# a growing mask kept as a buffer that is not stored, and helper methods
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_value, self.W_key, self.W_query = [nn.Linear(d_in, d_out, bias=False) for _ in "vkq"]
        self.register_buffer("seen", torch.ones(0, 0, dtype=torch.bool), persistent=False)

    def _mask(self, length):
        if len(self.seen) < length:
            places = torch.arange(length)
            self.seen = places[:, None] >= places
        return self.seen[:length, :length]

    def forward(self, x):
        return attention.scaled_dot_product_attention(*self._project(x), mask=self._mask(x.size(-2)))

    def _project(self, x):
        return self.W_query(x), self.W_key(x), self.W_value(x)

# %% wrong adopt: bias-swapped
# the half-repair: the weights go to the right layers, the biases still to key, query, value
def my_adopt(ours, theirs):
    with torch.no_grad():
        for layer, weight in zip((ours.W_query, ours.W_key, ours.W_value), theirs.in_proj_weight.chunk(3)):
            layer.weight.copy_(weight)
        for layer, bias in zip((ours.W_key, ours.W_query, ours.W_value), theirs.in_proj_bias.chunk(3)):
            layer.bias.copy_(bias)
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong adopt: bias-forgotten + out-bias-forgotten
# weights only, no bias anywhere: agrees with a fresh layer, whose biases are 0
def my_adopt(ours, theirs):
    w_q, w_k, w_v = theirs.in_proj_weight.detach().chunk(3, dim=0)
    ours.W_query.weight.data = w_q.clone()
    ours.W_key.weight.data = w_k.clone()
    ours.W_value.weight.data = w_v.clone()
    ours.out_proj.weight.data = theirs.out_proj.weight.detach().clone()

# %% wrong adopt: names-differ
# load_state_dict with strict=False: the names of the three projections do not fit and are skipped in silence
def my_adopt(ours, theirs):
    ours.load_state_dict(theirs.state_dict(), strict=False)

# %% wrong adopt: out-proj-forgotten
# forgot out_proj: only the three projections are filled
def my_adopt(ours, theirs):
    width = theirs.embed_dim
    with torch.no_grad():
        for number, name in enumerate(["W_query", "W_key", "W_value"]):
            layer = getattr(ours, name)
            layer.weight.copy_(theirs.in_proj_weight[number * width:(number + 1) * width])
            layer.bias.copy_(theirs.in_proj_bias[number * width:(number + 1) * width])

# %% wrong adopt: no-grad-missing
# without torch.no_grad(): copy_ into a parameter that needs a gradient stops with a RuntimeError
def my_adopt(ours, theirs):
    weights, biases = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
    for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
        layer.weight.copy_(weights[i])
        layer.bias.copy_(biases[i])
    ours.out_proj.weight.copy_(theirs.out_proj.weight)
    ours.out_proj.bias.copy_(theirs.out_proj.bias)

# %% wrong adopt: linear-layout + out-weight-turned
# transposes the matrices, as if nn.Linear stored (d_in, d_out)
def my_adopt(ours, theirs):
    with torch.no_grad():
        for layer, matrix, shift in zip((ours.W_query, ours.W_key, ours.W_value),
                                        theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)):
            layer.weight.copy_(matrix.T)
            layer.bias.copy_(shift)
        ours.out_proj.weight.copy_(theirs.out_proj.weight.T)
        ours.out_proj.bias.copy_(theirs.out_proj.bias)

# %% right adopt
# builds a state dict with the names of ours and loads it strictly
def my_adopt(ours, theirs):
    state = {f"out_proj.{kind}": value for kind, value in theirs.out_proj.state_dict().items()}
    for kind in ("weight", "bias"):
        parts = getattr(theirs, f"in_proj_{kind}").detach().chunk(3)
        state |= {f"{name}.{kind}": part for name, part in zip(("W_query", "W_key", "W_value"), parts)}
    ours.load_state_dict(state)

# %% right adopt
# writes through .data, value first and query last, rows taken by view
def my_adopt(ours, theirs):
    width = theirs.out_proj.in_features
    weights = theirs.in_proj_weight.data.view(3, width, width)
    biases = theirs.in_proj_bias.data.reshape(3, -1)
    for place, layer in [(2, ours.W_value), (1, ours.W_key), (0, ours.W_query)]:
        layer.weight.data[:] = weights[place]
        layer.bias.data[:] = biases[place]
    ours.out_proj.weight.data[...] = theirs.out_proj.weight.data
    ours.out_proj.bias.data[...] = theirs.out_proj.bias.data

# %% wrong same_outputs: stays-in-eval
# eval on both, and left so: the modes are not restored
def my_same_outputs(ours, theirs, inputs):
    ours.eval()
    theirs.eval()
    with torch.no_grad():
        return torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)

# %% wrong same_outputs: one-only
# the half-repair: eval on one of the two only, theirs goes on dropping
def my_same_outputs(ours, theirs, inputs):
    modes = {part: part.training for part in ours.modules()}
    ours.eval()
    with torch.no_grad():
        result = torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)
    for part, mode in modes.items():
        part.training = mode
    return result

# %% wrong same_outputs: parts-forgotten
# restores with .train(mode) of the whole: a part that had a mode of its own gets the whole's
def my_same_outputs(ours, theirs, inputs):
    was_ours, was_theirs = ours.training, theirs.training
    ours.eval(), theirs.eval()
    with torch.no_grad():
        a, _ = ours(inputs)
        b, _ = theirs(inputs)
    ours.train(was_ours)
    theirs.train(was_theirs)
    return torch.allclose(a, b, atol=1e-5)

# %% wrong same_outputs: dropout-left-on
# a seed before each call in place of eval: things are still dropped, and different draws tell two equal modules apart
def my_same_outputs(ours, theirs, inputs):
    outputs = []
    for module in (ours, theirs):
        torch.manual_seed(0)
        with torch.no_grad():
            outputs.append(module(inputs)[0])
    return torch.allclose(outputs[0], outputs[1], atol=1e-5)

# %% wrong same_outputs: tolerance-wide
# tolerance so wide that differences of a hundredth pass (atol=0.1)
def my_same_outputs(ours, theirs, inputs):
    import copy
    one, two = copy.deepcopy(ours).eval(), copy.deepcopy(theirs).eval()
    with torch.no_grad():
        return torch.allclose(one(inputs)[0], two(inputs)[0], rtol=0, atol=0.1)

# %% wrong same_outputs: exact
# torch.equal: a difference by rounding counts as a difference
from copy import deepcopy


def my_same_outputs(ours, theirs, inputs):
    results = [deepcopy(module).eval()(inputs)[0] for module in (ours, theirs)]
    return torch.equal(*results)

# %% wrong same_outputs: means-compared
# compares the mean of the differences, where plus and minus cancel: many different outputs count as the same
import copy


@torch.no_grad()
def my_same_outputs(ours, theirs, inputs):
    calm_ours = copy.deepcopy(ours)
    calm_theirs = copy.deepcopy(theirs)
    calm_ours.eval()
    calm_theirs.eval()
    gap = calm_ours(inputs)[0] - calm_theirs(inputs)[0]
    return abs(gap.mean().item()) < 1e-3

# %% right same_outputs
# a context manager that keeps the mode of every part and gives it back, also after an error
from contextlib import contextmanager


@contextmanager
def calm(*modules):
    modes = [(part, part.training) for module in modules for part in module.modules()]
    try:
        for part, _ in modes:
            part.training = False
        yield
    finally:
        for part, mode in modes:
            part.training = mode


def my_same_outputs(ours, theirs, inputs):
    with calm(ours, theirs), torch.no_grad():
        gap = (ours(inputs)[0] - theirs(inputs)[0]).abs().max()
    return gap.item() < 1e-4

# %% right same_outputs
# copies in eval mode, torch.testing.assert_close in a try
import copy


def my_same_outputs(ours, theirs, inputs):
    context = [copy.deepcopy(module).train(False)(inputs)[0].detach() for module in (ours, theirs)]
    try:
        torch.testing.assert_close(*context, rtol=1e-4, atol=1e-4)
    except AssertionError:
        return False
    return True
