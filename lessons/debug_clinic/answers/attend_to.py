# %% right
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    return attention.scaled_dot_product_attention(queries, keys, keys if values is None else values)

# %% right
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        return my_attend_to(queries, queries, values)
    if values is None:
        return my_attend_to(queries, keys, keys)
    weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    return torch.matmul(weights, values), weights

# %% right
def my_attend_to(queries, keys=None, values=None):
    answering = keys if keys is not None else queries
    delivering = values if values is not None else answering
    exps = torch.exp(torch.einsum("...qd,...kd->...qk", queries, answering) / queries.shape[-1] ** 0.5)
    return F.scaled_dot_product_attention(queries, answering, delivering), exps / exps.sum(-1, keepdim=True)

# %% right
def weights_by_identity(queries, keys):
    return F.scaled_dot_product_attention(queries, keys, torch.eye(keys.shape[-2], dtype=keys.dtype))
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = queries
    if values is None:
        values = keys
    weights = weights_by_identity(queries, keys)
    return F.scaled_dot_product_attention(queries, keys, values), weights

# %% wrong: - "The cell stops before it can be checked: NameError"
def my_attend_to(queries, keys=queries, values=keys):
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong: - "The context vecs should have the shape `(4, 3)`. Yours has `"
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = queries
    if values is None:
        values = keys
    weights = torch.softmax(torch.einsum("...kd,...qd->...kq", keys, queries) / keys.shape[-1] ** 0.5, dim=-2)
    return weights, weights.transpose(-2, -1) @ values
