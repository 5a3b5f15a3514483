# %% right
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    return attention.scaled_dot_product_attention(queries, keys, keys if values is None else values)

# %% right
def my_attend_to(*texts):
    texts = [text for text in texts if text is not None]
    queries, keys, values = texts[0], texts[min(1, len(texts) - 1)], texts[-1]
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% right
def my_attend_to(queries, keys=None, values=None):
    given = [queries]
    for tensor in (keys, values):
        given.append(given[-1] if tensor is None else tensor)
    vecs, weights = attention.scaled_dot_product_attention(*given)
    return vecs, weights

# %% right
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        return my_attend_to(queries, queries, values)
    if values is None:
        return my_attend_to(queries, keys, keys)
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% right
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        return my_attend_to(queries, queries, values)
    if values is None:
        return my_attend_to(queries, keys, keys)
    weights = (queries @ keys.mT / math.sqrt(keys.shape[-1])).softmax(-1)
    return weights @ values, weights

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
    texts = [queries]
    for text in (keys, values):
        texts.append(texts[-1] if text is None else text)
    q, k, v = texts
    weights = F.softmax(torch.einsum("...qd,...kd->...qk", q, k) * k.shape[-1] ** -0.5, dim=-1)
    return torch.einsum("...qk,...kv->...qv", weights, v), weights

# %% right
def my_attend_to(*texts):
    queries = texts[0]
    keys = texts[1] if len(texts) > 1 else queries
    values = texts[2] if len(texts) > 2 else keys
    attn_scores = torch.einsum("...qd,...kd->...qk", queries, keys) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% right
def my_attend_to(queries, keys=None, values=None):
    answering = keys if keys is not None else queries
    delivering = values if values is not None else answering
    exps = torch.exp(torch.einsum("...qd,...kd->...qk", queries, answering) / queries.shape[-1] ** 0.5)
    return F.scaled_dot_product_attention(queries, answering, delivering), exps / exps.sum(-1, keepdim=True)

# %% right
def my_attend_to(queries, keys=None, values=None):
    values = values if values is not None else keys if keys is not None else queries
    keys = queries if keys is None else keys
    log_weights = F.log_softmax(torch.einsum("...qd,...kd->...qk", queries / keys.shape[-1] ** 0.5, keys), dim=-1)
    return F.scaled_dot_product_attention(queries, keys, values), log_weights.exp()

# %% right
def my_attend_to(queries, keys=None, values=None):
    answering = next(x for x in (keys, queries) if x is not None)
    delivered = next(x for x in (values, answering) if x is not None)
    scores = torch.einsum("...qd,...kd->...qk", queries, answering) / queries.shape[-1] ** 0.5
    weights = torch.softmax(scores, -1)
    return torch.einsum("...qk,...kv->...qv", weights, delivered), weights

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

# %% wrong: defaults-in-wrong-order
def my_attend_to(queries, keys=None, values=None):
    values = keys if values is None else values
    keys = queries if keys is None else keys
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong: own-tokens-added
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

# %% wrong: qk-swapped
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = queries
    if values is None:
        values = keys
    scores = keys @ queries.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = attention.softmax(scores)
    return attn_weights @ values, attn_weights

# %% wrong: queries-overwritten
def my_attend_to(queries, keys=None, values=None):
    if values is None:
        if keys is None:
            keys = queries
        values = queries
        queries = keys
    w = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, -1)
    return w @ values, w

# %% wrong: scale-wrong-width
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = keys if values is None else values
    scale = math.sqrt(values.shape[-1])
    attn_weights = torch.softmax(torch.einsum("...qd,...kd->...qk", queries, keys) / scale, dim=-1)
    return torch.einsum("...qk,...kd->...qd", attn_weights, values), attn_weights

# %% wrong: scores-from-values
def my_attend_to(queries, keys=None, values=None):
    others = queries if keys is None else keys
    delivered = others if values is None else values
    scores = queries @ delivered.transpose(-2, -1) / queries.shape[-1] ** 0.5
    weights = attention.softmax(scores)
    return weights @ delivered, weights

# %% wrong: two-calls-only
def my_attend_to(queries, keys=None, values=None):
    if values is None:
        keys = values = queries
    elif keys is None:
        keys = queries
    attn_weights = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong: values-by-shape
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    if values is None:
        values = queries if queries.shape[-2] == keys.shape[-2] else keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong: values-from-queries
def my_attend_to(queries, keys=None, values=None):
    if keys is None:
        keys = values = queries
    else:
        values = queries if values is None else values
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong: values-ignored
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = keys
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong: values-only-with-keys
def my_attend_to(queries, keys=None, values=None):
    if keys is None and values is None:
        keys, values = queries, queries
    attn_scores = queries @ keys.transpose(-2, -1)
    attn_weights = attention.softmax(attn_scores / queries.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong: values-required
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong: weights-missing
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = keys if values is None else values
    return F.scaled_dot_product_attention(queries, keys, values)
