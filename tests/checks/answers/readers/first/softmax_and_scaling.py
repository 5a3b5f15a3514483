# %% wrong softmax: global-max
# one maximum for the whole table: a row far below it gets exponentials of 0, and 0 / 0
def my_softmax(scores):
    exps = torch.exp(scores - scores.max())
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: naive-overflow
# nothing is subtracted: breaks with large scores
def my_softmax(scores):
    numerator = torch.exp(scores)
    denominator = numerator.sum(-1).unsqueeze(-1)
    return numerator / denominator

# %% wrong softmax: - "`scores - highest` stops: `highest` is two tensors, the valu"
# max(dim=-1) gives values and indices: subtracting the pair stops with an error
def my_softmax(scores):
    highest = scores.max(dim=-1, keepdim=True)
    exps = torch.exp(scores - highest)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: ready-made
# calls naive_softmax, which the prompt forbids
def naive_softmax(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)


def my_softmax(scores):
    return naive_softmax(scores - scores.amax(dim=-1, keepdim=True))

# %% wrong softmax: divided-by-max
# divides by the largest score in place of subtracting it: other gaps, other weights
def my_softmax(scores):
    shrunk = scores / scores.amax(dim=-1, keepdim=True)
    e = torch.exp(shrunk)
    return e / e.sum(dim=-1, keepdim=True)

# %% wrong softmax: softmax-axis
# dim=1 is the last axis of a table only: wrong axis with three axes, an error with one
def my_softmax(scores):
    top = scores.amax(dim=1, keepdim=True)
    e = torch.exp(scores - top)
    return e / e.sum(dim=1, keepdim=True)

# %% wrong softmax: max-of-sizes
# the largest score without its sign: rows of large negative scores get exponentials of 0 only
def my_softmax(scores):
    size = scores.abs().amax(dim=-1, keepdim=True)
    exps = torch.exp(scores - size)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% right softmax
# e to the power of score minus log-sum-exp: no division at all
def my_softmax(scores):
    return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))

# %% right softmax
# row by row, over a flattened view, put back into shape
def my_softmax(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    done = []
    for row in rows:
        e = torch.exp(row - max(row.tolist()))
        done.append(e / e.sum())
    return torch.stack(done).reshape(scores.shape)

# %% wrong tempered_softmax: scale-inverted
# multiplies by the temperature: high becomes sharp, low flat
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}")
    return torch.softmax(scores * temperature, dim=-1)

# %% wrong tempered_softmax: scale-after
# divides after softmax: rows no longer add up to 1
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}")
    return attention.softmax(scores) / temperature

# %% wrong tempered_softmax: zero-allowed
# a temperature of exactly zero is let through
def my_tempered_softmax(scores, temperature):
    if temperature < 0:
        raise ValueError("negative temperature: " + str(temperature))
    tempered = scores / temperature
    return attention.softmax(tempered)

# %% wrong tempered_softmax: error-says-nothing
# the error does not say what was received
def my_tempered_softmax(scores, temperature):
    if not temperature > 0:
        raise ValueError("The temperature must be larger than zero.")
    return F.softmax(scores / temperature, dim=-1)

# %% wrong tempered_softmax: error-kind
# assert raises an AssertionError, not a ValueError
def my_tempered_softmax(scores, temperature):
    assert temperature > 0, f"temperature must be positive, got {temperature}"
    return torch.softmax(scores / temperature, -1)

# %% wrong tempered_softmax: small-refused
# refuses every temperature below 1, which the prompt allows
def my_tempered_softmax(scores, temperature):
    if temperature < 1:
        raise ValueError(f"got temperature {temperature}")
    return attention.softmax(scores / temperature)

# %% wrong tempered_softmax: error-returned
# the ValueError is returned, not raised
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        return ValueError(f"temperature was {temperature}")
    return torch.softmax(scores / temperature, dim=-1)

# %% right tempered_softmax
# a helper checks, own softmax in the body
def _positive(t):
    if t <= 0:
        raise ValueError("temperature has to be positive; received: {!r}".format(t))
    return t


def my_tempered_softmax(scores, temperature):
    cooled = scores * (1.0 / _positive(temperature))
    exps = torch.exp(cooled - cooled.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)

# %% right tempered_softmax
# log_softmax, then the exponential
def my_tempered_softmax(scores, temperature):
    if temperature > 0:
        return torch.log_softmax(scores / temperature, dim=-1).exp()
    raise ValueError(f"{temperature} is no temperature")

# %% wrong scaled_scores: no-scale
# forgot to divide
def my_scaled_scores(queries, keys):
    return queries @ keys.transpose(-2, -1)

# %% wrong scaled_scores: scale-no-root
# divides by head_dim, not by its root
def my_scaled_scores(queries, keys):
    head_dim = queries.shape[-1]
    scores = torch.einsum("...qd,...kd->...qk", queries, keys)
    return scores / head_dim

# %% wrong scaled_scores: scale-wrong-axis
# divides by the root of the number of keys, not of the width
def my_scaled_scores(queries, keys):
    num_keys = keys.shape[-2]
    return queries @ keys.mT / math.sqrt(num_keys)

# %% wrong scaled_scores: keys-full-turn
# .T turns the batch round as well: an error, or wrong numbers, with a batch
def my_scaled_scores(queries, keys):
    return queries @ keys.T / queries.shape[-1] ** 0.5

# %% wrong scaled_scores: keys-fixed-axes
# axes 1 and 2 are the last two only with one batch axis
def my_scaled_scores(queries, keys):
    root = queries.size(-1) ** 0.5
    return torch.matmul(queries, keys.transpose(1, 2)) / root

# %% wrong scaled_scores: fixed-width
# the root of 64 is written into the function: right for head_dim 64 only
def my_scaled_scores(queries, keys):
    raw_scores = queries @ keys.transpose(-2, -1)
    return raw_scores / 64**0.5

# %% wrong scaled_scores: root-of-scores
# the root is taken of the scores too (a slip with the brackets): nan where a score is negative
def my_scaled_scores(queries, keys):
    d = queries.shape[-1]
    return ((queries @ keys.transpose(-2, -1)) / d) ** 0.5

# %% right scaled_scores
# half of the root on either side, before the product
def my_scaled_scores(queries, keys):
    quarter = queries.shape[-1] ** 0.25
    return (queries / quarter) @ (keys / quarter).transpose(-1, -2)

# %% right scaled_scores
# einsum, then times rsqrt
def my_scaled_scores(queries, keys):
    width = torch.tensor(keys.shape[-1], dtype=queries.dtype)
    return torch.einsum("...id,...jd->...ij", queries, keys) * torch.rsqrt(width)

# %% wrong scaled_attention: naive-overflow
# not safe for large scores: no maximum subtracted
def my_scaled_attention(queries, keys, values):
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    exps = torch.exp(attn_scores)
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: scale-of-values
# divides by the root of the width of the values
def my_scaled_attention(queries, keys, values):
    d = values.shape[-1]
    s = queries @ keys.mT / math.sqrt(d)
    e = torch.exp(s - s.amax(-1, keepdim=True))
    w = e / e.sum(-1, keepdim=True)
    return w @ values, w

# %% wrong scaled_attention: ready-made
# uses torch.softmax, which the prompt forbids
def my_scaled_attention(queries, keys, values):
    attn_scores = torch.matmul(queries, keys.transpose(-2, -1)) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    context_vecs = attn_weights @ values
    return context_vecs, attn_weights

# %% wrong scaled_attention: outputs-swapped
# the two results in the wrong order: weights first
def my_scaled_attention(queries, keys, values):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) * queries.shape[-1] ** -0.5
    scores = scores - scores.amax(dim=-1, keepdim=True)
    attn_weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    return attn_weights, torch.einsum("...qk,...kv->...qv", attn_weights, values)

# %% wrong scaled_attention: softmax-axis
# softmax along the queries: columns add up to 1
def my_scaled_attention(queries, keys, values):
    def softmax(table):
        lowered = table - table.amax(dim=-2, keepdim=True)
        return lowered.exp() / lowered.exp().sum(dim=-2, keepdim=True)

    attn_weights = softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: keys-fixed-axes
# bmm takes exactly one batch axis: an error without a batch, and with two axes of batch
def my_scaled_attention(queries, keys, values):
    scores = torch.bmm(queries, keys.transpose(1, 2)) / queries.shape[2] ** 0.5
    exps = torch.exp(scores - scores.max(dim=2, keepdim=True).values)
    weights = exps / exps.sum(dim=2, keepdim=True)
    return torch.bmm(weights, values), weights

# %% wrong scaled_attention: max-of-raw
# the maximum is taken of the raw scores, but subtracted from the divided ones: with large scores only zeros are left
def my_scaled_attention(queries, keys, values):
    raw = queries @ keys.transpose(-2, -1)
    largest = raw.amax(dim=-1, keepdim=True)
    exps = torch.exp(raw / queries.shape[-1] ** 0.5 - largest)
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: global-max + no-scale
# two mistakes: no root at all, and one maximum for the whole table
def my_scaled_attention(queries, keys, values):
    dots = queries @ keys.transpose(-2, -1)
    dots = dots - dots.max()
    weights = torch.exp(dots)
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ values, weights

# %% right scaled_attention
# recursion over the batch axes
def my_scaled_attention(queries, keys, values):
    if queries.dim() > 2:
        parts = [my_scaled_attention(*sample) for sample in zip(queries, keys, values)]
        return torch.stack([vecs for vecs, _ in parts]), torch.stack([weights for _, weights in parts])
    scores = (queries * queries.shape[-1] ** -0.5) @ keys.T
    exps = torch.exp(scores - scores.amax(dim=1)[:, None])
    attn_weights = exps / exps.sum(dim=1)[:, None]
    return attn_weights @ values, attn_weights

# %% right scaled_attention
# einsum; the mix is made from the exponentials and divided afterwards
def my_scaled_attention(queries, keys, values):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(keys.size(-1))
    lowered = scores - torch.max(scores, dim=-1, keepdim=True)[0]
    exps = lowered.exp()
    totals = torch.einsum("...k->...", exps).unsqueeze(-1)
    return torch.einsum("...qk,...kv->...qv", exps, values) / totals, exps / totals
