# %% right
my_projected_attention = lambda x, *matrices: attention.scaled_dot_product_attention(*(x @ matrix for matrix in matrices))

# %% right
def my_projected_attention(inputs, W_query, W_key, W_value):
    projected = [F.linear(inputs, W.T) for W in (W_query, W_key, W_value)]
    return attention.scaled_dot_product_attention(*projected)

# %% right
def my_projected_attention(inputs, W_query, W_key, W_value):
    scores = torch.einsum("...qi,id,jd,...kj->...qk", inputs, W_query, W_key, inputs)
    weights = attention.softmax(scores / W_query.shape[1] ** 0.5)
    return weights @ inputs @ W_value, weights

# %% right
def weights_by_identity(queries, keys):
    return F.scaled_dot_product_attention(queries, keys, torch.eye(keys.shape[-2], dtype=keys.dtype))
my_projected_attention = lambda x, q, k, v: (F.scaled_dot_product_attention(x @ q, x @ k, x @ v), weights_by_identity(x @ q, x @ k))

# %% right
def my_projected_attention(inputs, W_query, W_key, W_value):
    q, k, v = (torch.einsum("...td,de->...te", inputs, matrix) for matrix in (W_query, W_key, W_value))
    weights = torch.einsum("...qe,...ke->...qk", q, k).div(W_query.shape[1] ** 0.5).softmax(dim=-1)
    return weights @ v, weights

# %% right
def my_projected_attention(inputs, W_query, W_key, W_value):
    def project(matrix):
        return F.linear(inputs, matrix.T)
    out = attention.scaled_dot_product_attention(project(W_query), project(W_key), project(W_value))
    context_vecs, attn_weights = out
    return context_vecs, attn_weights

# %% right
def my_projected_attention(inputs, W_query, W_key, W_value):
    asks = W_query @ W_key.T / math.sqrt(W_query.shape[1])
    attn_scores = torch.einsum("...id,de,...je->...ij", inputs, asks, inputs)
    attn_weights = attn_scores.softmax(dim=-1)
    return (attn_weights @ inputs) @ W_value, attn_weights

# %% right
def my_projected_attention(inputs, W_query, W_key, W_value):
    bilinear = W_query @ W_key.T / math.sqrt(W_query.shape[1])
    attn_weights = torch.softmax(inputs @ bilinear @ inputs.transpose(-1, -2), dim=-1)
    return torch.einsum("...qk,...kd,de->...qe", attn_weights, inputs, W_value), attn_weights

# %% right
def my_projected_attention(inputs, W_query, W_key, W_value):
    together = torch.cat([W_query, W_key, W_value], dim=1)
    widths = [W_query.shape[1], W_key.shape[1], W_value.shape[1]]
    q, k, v = (inputs @ together).split(widths, dim=-1)
    attn_weights = attention.softmax((q / widths[0] ** 0.5) @ k.mT)
    return attn_weights @ v, attn_weights

# %% right
def my_projected_attention(inputs, W_query, W_key, W_value):
    sizes = [W.shape[1] for W in (W_query, W_key, W_value)]
    q, k, v = (inputs @ torch.cat([W_query, W_key, W_value], dim=1)).split(sizes, dim=-1)
    scores = torch.einsum("...qd,...kd->...qk", q, k).mul(sizes[0] ** -0.5)
    attn_weights = scores.softmax(-1)
    return torch.einsum("...qk,...kd->...qd", attn_weights, v), attn_weights

# %% wrong: - "`W_query(inputs)` stops: `W_query` is a tensor of shape (3, "
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = W_query(inputs), W_key(inputs), W_value(inputs)
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong: global-leak
torch.manual_seed(5)
queries = torch.randn(2, 5, 3)
def my_projected_attention(inputs, W_query, W_key, W_value):
    keys, values = inputs @ W_key, inputs @ W_value
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong: inputs-overwritten
def my_projected_attention(inputs, W_query, W_key, W_value):
    x = inputs
    x = queries = x @ W_query
    keys = x @ W_key
    values = x @ W_value
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong: keys-as-queries
def my_projected_attention(inputs, W_query, W_key, W_value):
    querys, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_scores = keys @ keys.transpose(-2, -1) / querys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong: keys-fixed-axes
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries = inputs @ W_query
    keys = inputs @ W_key
    values = inputs @ W_value
    attn_weights = torch.softmax(queries @ keys.transpose(1, 2) / queries.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong: keys-full-turn
def my_projected_attention(inputs, W_query, W_key, W_value):
    q = inputs @ W_query
    k = inputs @ W_key
    v = inputs @ W_value
    weights = torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights

# %% wrong: kv-swapped
def my_projected_attention(inputs, W_query, W_key, W_value):
    return attention.scaled_dot_product_attention(inputs @ W_query, inputs @ W_value, inputs @ W_key)

# %% wrong: linear-layout
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries = F.linear(inputs, W_query)
    keys = F.linear(inputs, W_key)
    values = F.linear(inputs, W_value)
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong: other-weights
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries = inputs @ W_query
    keys = inputs @ W_key
    values = inputs @ W_value
    context_vecs = F.scaled_dot_product_attention(queries, keys, values)
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)
    return context_vecs, attn_weights

# %% wrong: outputs-swapped
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = (inputs @ W for W in (W_query, W_key, W_value))
    vecs, weights = attention.scaled_dot_product_attention(queries, keys, values)
    return weights, vecs

# %% wrong: random
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    attn_weights = F.dropout(attn_weights, p=0.1)
    return attn_weights @ values, attn_weights

# %% wrong: raw-scores
def my_projected_attention(inputs, W_query, W_key, W_value):
    attn_scores = inputs @ inputs.transpose(-2, -1) / inputs.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ (inputs @ W_value), attn_weights

# %% wrong: scale-model
def my_projected_attention(inputs, W_query, W_key, W_value):
    d = inputs.shape[-1]
    q = torch.matmul(inputs, W_query)
    k = torch.matmul(inputs, W_key)
    v = torch.matmul(inputs, W_value)
    w = F.softmax(q @ k.mT / d**0.5, dim=-1)
    return w @ v, w

# %% wrong: three-axes-only
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_weights = torch.bmm(queries, keys.transpose(1, 2)).div(queries.shape[-1] ** 0.5).softmax(-1)
    return torch.bmm(attn_weights, values), attn_weights

# %% wrong: v-unprojected
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries = inputs @ W_query
    keys = inputs @ W_key
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ inputs, attn_weights

# %% wrong: weights-transposed
def my_projected_attention(inputs, W_query, W_key, W_value):
    queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    scale = queries.shape[-1] ** -0.5
    attn_weights = (scale * torch.einsum("...qd,...kd->...qk", queries, keys)).softmax(dim=-1)
    context_vecs = torch.einsum("...qk,...qv->...kv", attn_weights, values)
    return context_vecs, attn_weights
