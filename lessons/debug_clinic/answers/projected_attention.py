# %% right
my_projected_attention = lambda x, *matrices: attention.scaled_dot_product_attention(*(x @ matrix for matrix in matrices))

# %% right
def weights_by_identity(queries, keys):
    return F.scaled_dot_product_attention(queries, keys, torch.eye(keys.shape[-2], dtype=keys.dtype))
my_projected_attention = lambda x, q, k, v: (F.scaled_dot_product_attention(x @ q, x @ k, x @ v), weights_by_identity(x @ q, x @ k))

# %% right
def my_projected_attention(inputs, W_query, W_key, W_value):
    def project(matrix):
        return F.linear(inputs, matrix.T)
    out = attention.scaled_dot_product_attention(project(W_query), project(W_key), project(W_value))
    context_vecs, attn_weights = out
    return context_vecs, attn_weights

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
