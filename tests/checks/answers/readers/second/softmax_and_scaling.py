# %% wrong softmax: not-the-max
# subtracts the minimum of each row, not the maximum: the gaps stay, the largest exponential still overflows
def my_softmax(scores):
    low = scores.amin(dim=-1, keepdim=True)
    exps = torch.exp(scores - low)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: divided-by-max
# divides by the row's maximum to make the scores small: that is a temperature, the gaps change
def my_softmax(scores):
    small = scores / scores.amax(dim=-1, keepdim=True)
    return torch.exp(small) / torch.exp(small).sum(dim=-1, keepdim=True)

# %% wrong softmax: - "`scores - scores.max(dim=-1, keepdim=True)` stops: `scores.m"
# max(dim=...) gives a pair of values and places; the pair is subtracted, which stops with a TypeError
def my_softmax(scores):
    shifted = scores - scores.max(dim=-1, keepdim=True)
    exps = torch.exp(shifted)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: sum-unshifted
# the exponentials are of the moved scores, the sum is of the unmoved ones: does not add up to 1, inf for large scores
def my_softmax(scores):
    peak = torch.amax(scores, -1, keepdim=True)
    numerator = torch.exp(scores - peak)
    denominator = torch.sum(torch.exp(scores), -1, keepdim=True)
    return numerator / denominator

# %% wrong softmax: clamped
# clamps large scores so that exp does not overflow: 1000 and 999 become equal
def my_softmax(scores):
    exps = torch.exp(scores.clamp(max=80.0))
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: max-axis
# max over dim 0: each column's maximum is subtracted, so every score of a row moves by another amount
def my_softmax(scores):
    scores = scores - scores.amax(dim=0, keepdim=True)
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: nan-filled
# nan_to_num over naive softmax hides the break: large scores give zeros, not weights
def my_softmax(scores):
    exps = torch.exp(scores)
    weights = exps / exps.sum(dim=-1, keepdim=True)
    return torch.nan_to_num(weights, nan=0.0)

# %% wrong tempered_softmax: negative-allowed
# tests for zero only: a negative temperature passes and turns the order of the weights round
def my_tempered_softmax(scores, temperature):
    if not temperature:
        raise ValueError(f"temperature must not be zero, got {temperature}")
    return torch.softmax(scores / temperature, dim=-1)

# %% wrong tempered_softmax: error-says-nothing
# the ValueError comes, but its message does not say what was received
# (the division before it is done for nothing: dividing a tensor by 0 stops nowhere)
def my_tempered_softmax(scores, temperature):
    cooled = scores / temperature
    if temperature <= 0:
        raise ValueError("temperature must be greater than zero")
    return attention.softmax(cooled)

# %% wrong tempered_softmax: no-check
# repairs a bad temperature in silence (takes 1) where a ValueError was asked for
def my_tempered_softmax(scores, temperature):
    t = temperature if temperature > 0 else 1.0
    return attention.softmax(scores / t)

# %% wrong tempered_softmax: error-kind
# raises the wrong kind of error: assert gives an AssertionError
def my_tempered_softmax(scores, temperature):
    assert temperature > 0, f"temperature must be positive, got {temperature}"
    return attention.softmax(scores / temperature)

# %% wrong tempered_softmax: error-returned
# returns the ValueError in place of raising it
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        return ValueError(f"temperature must be positive, got {temperature}")
    return attention.softmax(scores / temperature)

# %% wrong tempered_softmax: scale-inverted
# thinks that a higher temperature is hotter and so sharper: weights raised to the power of the temperature, shared out
# again. The same as multiplying the scores
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"got temperature {temperature}, needs more than 0")
    weights = torch.softmax(scores, dim=-1) ** temperature
    return weights / weights.sum(dim=-1, keepdim=True)

# %% wrong tempered_softmax: small-refused
# refuses temperatures below 1 as well (an off-by-one reading of "zero or less")
def my_tempered_softmax(scores, temperature):
    if temperature < 1:
        raise ValueError(f"temperature must be at least 1, got {temperature}")
    return attention.softmax(scores / temperature)

# %% wrong scaled_scores: root-cut
# int() of the root (math.isqrt): right for widths 4, 16, 64 and too small a divisor for 8 or 6
def my_scaled_scores(queries, keys):
    root = math.isqrt(queries.shape[-1])
    return queries @ keys.transpose(-2, -1) / root

# %% wrong scaled_scores: scale-no-root
# divides both tables by the root before the product: divides twice, that is by head_dim
def my_scaled_scores(queries, keys):
    root = queries.size(-1) ** 0.5
    return (queries / root) @ (keys / root).transpose(-2, -1)

# %% wrong scaled_scores: scale-wrong-axis
# the root is that of the number of keys (shape[-2] of the keys)
def my_scaled_scores(queries, keys):
    *_, num_keys, width = keys.shape
    return torch.matmul(queries, keys.mT) / math.sqrt(num_keys)

# %% wrong scaled_scores: qk-swapped
# einsum with the result's letters turned: (..., num_keys, num_queries)
def my_scaled_scores(queries, keys):
    scores = torch.einsum("...qd,...kd->...kq", queries, keys)
    return scores / queries.shape[-1] ** 0.5

# %% wrong scaled_scores: root-precedence
# operator precedence: ** binds before the unary and the slash, here width ** 1 / 2 is width / 2, not the root
def my_scaled_scores(queries, keys):
    width = queries.shape[-1]
    return queries @ keys.transpose(-2, -1) / (width ** 1 / 2)

# %% wrong scaled_scores: measured
# standardises the scores with their own deviation (variance 1 as in the experiment) in place of the root of the width
def my_scaled_scores(queries, keys):
    scores = queries @ keys.transpose(-2, -1)
    return scores / scores.std()

# %% wrong scaled_scores: no-scale
# the scaling is a line of its own, whose result is thrown away: raw scores come back
def my_scaled_scores(queries, keys):
    scores = queries @ keys.transpose(-2, -1)
    scores.div(math.sqrt(keys.shape[-1]))
    return scores

# %% wrong scaled_attention: no-scale
# the root divides after the maximum is gone and after exp: it cancels in the quotient, the weights are unscaled
def my_scaled_attention(queries, keys, values):
    scores = queries @ keys.transpose(-2, -1)
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True)) / queries.shape[-1] ** 0.5
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: scale-after
# divides the context vectors by the root in place of the scores
def my_scaled_attention(queries, keys, values):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys)
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    w = e / e.sum(-1, keepdim=True)
    return (w @ values) / math.sqrt(queries.shape[-1]), w

# %% wrong scaled_attention: ready-made
# the tensor's own method .softmax is ready-made too; "nothing ready-made" is broken. The numbers are right
def my_scaled_attention(queries, keys, values):
    attn_scores = queries @ keys.mT / queries.size(-1) ** 0.5
    attn_weights = attn_scores.softmax(dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: global-max
# one maximum for the whole batch of scores: rows far below it have exponentials of 0, and 0 / 0
def my_scaled_attention(queries, keys, values):
    s = queries @ keys.transpose(-1, -2) / math.sqrt(keys.size(-1))
    s = s - torch.max(s)
    p = torch.exp(s)
    p = p / p.sum(-1, keepdim=True)
    return p @ values, p

# %% wrong scaled_attention: keys-fixed-axes
# torch.bmm wants exactly three axes: stops with one text or with (batch, heads, tokens, width)
def my_scaled_attention(queries, keys, values):
    def safe(x):
        x = x - x.amax(dim=-1, keepdim=True)
        return torch.exp(x) / torch.exp(x).sum(dim=-1, keepdim=True)
    weights = safe(torch.bmm(queries, keys.transpose(1, 2)) / queries.shape[2] ** 0.5)
    return torch.bmm(weights, values), weights

# %% wrong scaled_attention: softmax-twice
# softmax twice: the helper's result goes through the helper once more, the weights come out nearly even
def my_scaled_attention(queries, keys, values):
    def shares(table):
        e = torch.exp(table - table.amax(dim=-1, keepdim=True))
        return e / e.sum(dim=-1, keepdim=True)

    attn_scores = shares(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
    attn_weights = shares(attn_scores)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: scale-of-values
# reads the width off the values, not off the queries: right only where both are equally wide
def my_scaled_attention(queries, keys, values):
    value_dim = values.shape[-1]
    scaled = queries @ keys.transpose(-2, -1) * value_dim ** -0.5
    top, _ = scaled.max(dim=-1, keepdim=True)
    e = torch.exp(scaled - top)
    attn_weights = e / e.sum(dim=-1, keepdim=True)
    context_vecs = attn_weights @ values
    return context_vecs, attn_weights
