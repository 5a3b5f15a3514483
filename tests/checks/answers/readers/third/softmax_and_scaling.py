# %% wrong softmax: - "`scores - scores.max(dim=-1, keepdim=True)` stops: `scores.m"
# max(dim=...) gives a pair of values and indices, which cannot be subtracted: TypeError
def my_softmax(scores):
    exps = torch.exp(scores - scores.max(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: not-the-max
# subtracts the mean in place of the maximum: scores 0 and 1000 become -500 and 500, and still overflow
def my_softmax(scores):
    centred = scores - scores.mean(dim=-1, keepdim=True)
    e = centred.exp()
    return e / e.sum(dim=-1, keepdim=True)

# %% wrong softmax: softmax-axis
# the axis is written as 1: an error for one row of scores, the wrong axis for three axes or more
def my_softmax(scores):
    biggest = scores.amax(dim=1, keepdim=True)
    numerator = torch.exp(scores - biggest)
    return numerator / numerator.sum(dim=1, keepdim=True)

# %% wrong softmax: global-max
# the maximum of the whole table: a row of small scores beside a row of huge ones becomes 0 / 0, nan
def my_softmax(scores):
    highest = scores.flatten().max()
    weights = torch.exp(scores - highest)
    totals = weights.sum(-1).unsqueeze(-1)
    return weights / totals

# %% wrong softmax: ready-made
# calls the page's naive_softmax, which the prompt rules out
def naive_softmax(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)


def my_softmax(scores):
    return naive_softmax(scores - scores.amax(dim=-1, keepdim=True))

# %% wrong softmax: naive-overflow
# takes float64 in place of subtracting the maximum: e to the power of 1000 does not fit into that either
def my_softmax(scores):
    wide = torch.exp(scores.double())
    return (wide / wide.sum(dim=-1, keepdim=True)).to(scores.dtype)

# %% right softmax
# the logarithm of the sum is taken off before torch.exp, so nothing is divided; the row's maximum goes first
def my_softmax(scores):
    lowered = scores - scores.max(dim=-1, keepdim=True)[0]
    return torch.exp(lowered - lowered.exp().sum(dim=-1, keepdim=True).log())

# %% right softmax
# flattens to a list of rows, a loop over them, and back to the shape
def my_softmax(scores):
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        e = torch.exp(row - max(row.tolist()))
        rows.append(e / e.sum())
    return torch.stack(rows).reshape(scores.shape)

# %% wrong tempered_softmax: scale-inverted
# multiplies by the temperature: low becomes flat and high becomes sharp
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}")
    return attention.softmax(scores * temperature)

# %% wrong tempered_softmax: powers
# takes the weights to the power 1 / temperature, and does not divide by the sum again: rows do not add up to 1
def my_tempered_softmax(scores, temperature):
    if not temperature > 0:
        raise ValueError(f"temperature was {temperature}, should be positive")
    p = torch.softmax(scores, dim=-1)
    return p ** (1 / temperature)

# %% wrong tempered_softmax: zero-allowed
# refuses temperatures below zero only: zero itself passes, and gives nan
def my_tempered_softmax(scores, temperature):
    if temperature < 0:
        raise ValueError(f"got temperature {temperature}")
    return attention.softmax(scores / temperature)

# %% wrong tempered_softmax: error-says-nothing
# the message of the error does not say what was received
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError("The temperature must be greater than zero.")
    tempered = scores.div(temperature)
    return tempered.softmax(dim=-1)

# %% wrong tempered_softmax: error-returned
# returns the ValueError as a value: nothing is raised
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        return ValueError(f"temperature must be positive, not {temperature}")
    else:
        return attention.softmax(scores / temperature)

# %% wrong tempered_softmax: softmax-first-axis
# softmax along the first axis in place of the last: right for one row only
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"bad temperature: {temperature}")
    return F.softmax(scores / temperature, dim=0)

# %% right tempered_softmax
# softmax of the tempered log-softmax: the same weights; the value received is the second argument of the error
def my_tempered_softmax(scores, temperature):
    if temperature > 0:
        return (F.log_softmax(scores, dim=-1) / temperature).softmax(dim=-1)
    raise ValueError("temperature must be positive, received", temperature)

# %% right tempered_softmax
# all by hand, with a helper that checks, and the maximum taken off after dividing
def positive(number):
    if number <= 0:
        raise ValueError(f"expected a temperature above zero and received {number!r}")
    return number


def my_tempered_softmax(scores, temperature):
    tempered = scores / positive(temperature)
    top, _ = tempered.max(-1, keepdim=True)
    e = torch.exp(tempered - top)
    return e / e.sum(-1, keepdim=True)

# %% wrong scaled_scores: scale-wrong-axis
# divides by the root of the number of keys, not of the width
def my_scaled_scores(queries, keys):
    num_keys, head_dim = keys.shape[-2:]
    return queries @ keys.transpose(-2, -1) / num_keys**0.5

# %% wrong scaled_scores: scale-inverted
# divides by head_dim to the power of -0.5, which multiplies by the root
def my_scaled_scores(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1)
    return attn_scores / queries.shape[-1] ** -0.5

# %% wrong scaled_scores: - "`torch.sqrt(d_k)` stops: `sqrt` takes a tensor, and `d_k` is"
# torch.sqrt needs a tensor, and the width is a plain whole number: TypeError
def my_scaled_scores(queries, keys):
    d_k = queries.size(-1)
    return torch.matmul(queries, keys.mT) / torch.sqrt(d_k)

# %% wrong scaled_scores: batch-required
# the einsum is written for exactly one batch axis: an error without a batch, and with two batch axes
def my_scaled_scores(queries, keys):
    return torch.einsum("bqd,bkd->bqk", queries, keys) / math.sqrt(queries.shape[2])

# %% wrong scaled_scores: scale-no-root
# divides queries and keys by the root each, so the scores are divided by head_dim
def my_scaled_scores(queries, keys):
    root = queries.shape[-1] ** 0.5
    q = queries / root
    k = keys / root
    return q @ k.transpose(-1, -2)

# %% wrong scaled_scores: qk-swapped
# the keys stand on the left: rows belong to keys, the table is turned on its side
def my_scaled_scores(queries, keys):
    scale = math.sqrt(keys.shape[-1])
    return (keys @ queries.transpose(-2, -1)) / scale

# %% right scaled_scores
# an einsum for any batch axes
def my_scaled_scores(queries, keys):
    return torch.einsum("...qd,...kd->...qk", queries, keys) * queries.size(-1) ** -0.5

# %% right scaled_scores
# each query beside each key by broadcasting; the fourth root taken off both sides
def my_scaled_scores(queries, keys):
    fourth_root = keys.shape[-1] ** 0.25
    q = (queries / fourth_root).unsqueeze(-2)
    k = (keys / fourth_root).unsqueeze(-3)
    return (q * k).sum(dim=-1)

# %% wrong scaled_attention: scale-of-values
# takes the width of the values for the root: right only where it equals that of the queries
def my_scaled_attention(queries, keys, values):
    head_dim = values.shape[-1]
    scores = queries @ keys.transpose(-2, -1) / head_dim**0.5
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: no-scale
# divides the exponentials by the root, not the scores: it cancels in the sum, and nothing is scaled
def my_scaled_attention(queries, keys, values):
    raw = queries @ keys.mT
    e = (raw - raw.amax(-1, keepdim=True)).exp() / math.sqrt(queries.shape[-1])
    w = e / e.sum(-1, keepdim=True)
    return w @ values, w

# %% wrong scaled_attention: exps-returned
# context vectors are right, but what is returned as weights are the exponentials before they were divided
def my_scaled_attention(queries, keys, values):
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = torch.exp(attn_scores - attn_scores.max(dim=-1, keepdim=True).values)
    totals = attn_weights.sum(dim=-1, keepdim=True)
    context_vecs = (attn_weights @ values) / totals
    return context_vecs, attn_weights

# %% wrong scaled_attention: keys-fixed-axes
# torch.bmm takes exactly three axes: an error without a batch, and with two batch axes
def my_scaled_attention(queries, keys, values):
    scores = torch.bmm(queries, keys.transpose(1, 2)).div(queries.shape[-1] ** 0.5)
    scores = scores - scores.amax(2, keepdim=True)
    weights = scores.exp() / scores.exp().sum(2, keepdim=True)
    return torch.bmm(weights, values), weights

# %% wrong scaled_attention: ready-made
# a ready-made softmax, as a method of the tensor: the prompt wants nothing ready-made
def my_scaled_attention(queries, keys, values):
    scale = 1 / math.sqrt(queries.size(-1))
    att = (queries @ keys.transpose(-2, -1) * scale).softmax(dim=-1)
    return att @ values, att

# %% wrong scaled_attention: softmax-axis
# softmax along the queries (dim=-2): columns add up to 1, not rows
def my_scaled_attention(queries, keys, values):
    def soft(table):
        e = torch.exp(table - table.amax(dim=-2, keepdim=True))
        return e / e.sum(dim=-2, keepdim=True)

    attn_weights = soft(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: outputs-swapped + naive-overflow
# two mistakes: the maximum is not subtracted, so large scores give nan, and the pair is returned in the other order
def my_scaled_attention(queries, keys, values):
    d_k = queries.shape[-1]
    exps = torch.exp(torch.matmul(queries, torch.transpose(keys, -2, -1)) / d_k**0.5)
    weights = exps / torch.sum(exps, dim=-1, keepdim=True)
    return weights, torch.matmul(weights, values)

# %% right scaled_attention
# recursion over the batch axes, and a loop over the queries at the bottom
def my_scaled_attention(queries, keys, values):
    if queries.dim() > 2:
        pairs = [my_scaled_attention(q, k, v) for q, k, v in zip(queries, keys, values)]
        return torch.stack([vecs for vecs, _ in pairs]), torch.stack([weights for _, weights in pairs])
    weights = []
    for query in queries:
        row = keys @ query / len(query) ** 0.5
        row = torch.exp(row - row.max())
        weights.append(row / row.sum())
    weights = torch.stack(weights)
    return weights @ values, weights

# %% right scaled_attention
# einsums, the queries scaled before the product; e to the power by torch.pow, the parts kept in a dict
def my_scaled_attention(queries, keys, values):
    small = queries / math.sqrt(queries.shape[-1])
    scores = torch.einsum("...id,...jd->...ij", small, keys)
    top = torch.max(scores, dim=-1, keepdim=True)[0]
    e = torch.pow(math.e, scores - top)
    parts = {"weights": e / torch.einsum("...ij->...i", e)[..., None]}
    parts["vecs"] = torch.einsum("...ij,...jv->...iv", parts["weights"], values)
    return parts["vecs"], parts["weights"]
