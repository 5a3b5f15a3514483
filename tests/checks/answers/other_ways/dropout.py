# %% wrong dropout: keep-rate
def refuse_rate(p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")


def my_dropout(x, noise, p):
    refuse_rate(p)
    return x * (noise < p) / p

# %% wrong dropout: noise-multiplied
def refuse_rate(p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")


def my_dropout(x, noise, p):
    refuse_rate(p)
    return x * noise / (1 - p)

# %% wrong dropout: x-compared
def refuse_rate(p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")


def my_dropout(x, noise, p):
    refuse_rate(p)
    return x * (x >= p) / (1 - p)

# %% wrong dropout: if-on-table
def refuse_rate(p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")


def my_dropout(x, noise, p):
    refuse_rate(p)
    return x * 0 if noise < p else x / (1 - p)

# %% wrong dropout: random
def refuse_rate(p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")


def my_dropout(x, noise, p):
    refuse_rate(p)
    return x * (torch.rand_like(x) >= p) / (1 - p)

# %% wrong dropped_attention: mask-normalised
def shared_out(attn_weights):
    return attn_weights / attn_weights.sum(dim=-1, keepdim=True)


def my_dropped_attention(queries, keys, values, mask, drop):
    share = shared_out(mask.to(values.dtype)).expand(*queries.shape[:-1], keys.shape[-2])
    attn_weights = drop(share)
    return attn_weights @ values, attn_weights

# %% wrong evaluate: no-eval
def my_evaluate(model, x):
    with torch.no_grad():
        return model(x)

# %% wrong evaluate: stays-in-eval
def my_evaluate(model, x):
    return model.eval()(x)

# %% wrong evaluate: always-train
def my_evaluate(model, x):
    try:
        return model.eval()(x)
    finally:
        model.train()

# %% wrong evaluate: always-train
def my_evaluate(model, x):
    result = model.eval()(x)
    model.train()
    return result

# %% wrong evaluate: parts-forgotten
def my_evaluate(model, x):
    training = model.training
    try:
        return model.eval()(x)
    finally:
        model.train(training)

# %% wrong evaluate: parts-forgotten
def my_evaluate(model, x):
    training = model.training
    result = model.eval()(x)
    model.train(training)
    return result
