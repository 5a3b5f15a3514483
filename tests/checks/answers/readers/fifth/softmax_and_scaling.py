# %% wrong softmax: global-max
# Subtracts the maximum of the whole table: rows far below the largest score underflow to 0 / 0.
def my_softmax(scores):
    exps = torch.exp(scores - torch.max(scores))
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: naive-overflow
# No maximum taken off: overflows to nan for large scores.
def my_softmax(scores):
    exps = scores.exp()
    return exps / exps.sum(-1).unsqueeze(-1)

# %% wrong softmax: - "`scores - highest` stops: `highest` is two tensors, the valu"
# scores.max(dim=-1, keepdim=True) gives values AND indices, and a tensor minus this pair stops with a TypeError.
def my_softmax(scores):
    highest = scores.max(dim=-1, keepdim=True)
    exps = torch.exp(scores - highest)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: softmax-axis
# dim=1 for "the rows": right for a table, but not the last axis of a score table with a batch in front.
def my_softmax(scores):
    shifted = scores - scores.amax(dim=1, keepdim=True)
    exps = torch.exp(shifted)
    return exps / exps.sum(dim=1, keepdim=True)

# %% wrong softmax: divided-by-max
# Divides by the maximum in place of subtracting it: gaps change with it.
def my_softmax(scores):
    largest = scores.amax(dim=-1, keepdim=True)
    exps = torch.exp(scores / largest)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: clamped
# Clips large scores at 80 so that exp does not overflow: 1000, 999 and 998 all become 80 and get the same weight.
def my_softmax(scores):
    exps = torch.exp(scores.clamp(max=80.0))
    return exps / exps.sum(dim=-1, keepdim=True)

# %% right softmax
# The largest score is found by sorting, and the sum is the last entry of a running sum.
def my_softmax(scores):
    ordered, _ = torch.sort(scores, dim=-1, descending=True)
    exps = torch.exp(scores - ordered[..., :1])
    return exps / exps.cumsum(dim=-1)[..., -1:]

# %% right softmax
# Recursion over the axes in front, down to one row.
def my_softmax(scores):
    if scores.dim() > 1:
        return torch.stack([my_softmax(part) for part in scores])
    exps = torch.exp(scores - scores.max())
    return exps / exps.sum()

# %% wrong tempered_softmax: scale-inverted
# Multiplies by the temperature in place of dividing: low becomes flat and high becomes sharp.
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above zero, got {temperature}.")
    return attention.softmax(scores * temperature)

# %% wrong tempered_softmax: zero-allowed
# Checks for < 0 only: a temperature of exactly zero goes through.
def my_tempered_softmax(scores, temperature):
    if temperature < 0:
        raise ValueError(f"temperature must be positive, got {temperature}")
    hot = scores / temperature
    return torch.softmax(hot, dim=-1)

# %% wrong tempered_softmax: error-says-nothing
# The message does not say what was received.
def my_tempered_softmax(scores, temperature):
    if not temperature > 0:
        raise ValueError("the temperature must be larger than zero")
    return F.softmax(scores / temperature, dim=-1)

# %% wrong tempered_softmax: error-returned
# Returns the error in place of raising it.
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        return ValueError(f"got temperature {temperature}, it must be > 0")
    return attention.softmax(scores / temperature)

# %% wrong tempered_softmax: error-says-nothing
# Forgot the f before the string: the message holds the word {temperature} and not the number.
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError("temperature must be greater than 0, received {temperature}")
    gaps = scores - scores.amax(dim=-1, keepdim=True)
    exps = torch.exp(gaps / temperature)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong tempered_softmax: scale-after
# Divides only after softmax: the weights add up to 1 / temperature.
def my_tempered_softmax(scores, temperature):
    if temperature <= 0.0:
        raise ValueError(f"Temperature {temperature!r} makes no sense: it must be above 0.")
    weights = attention.softmax(scores)
    return weights / temperature

# %% right tempered_softmax
# Flattens all axes in front to one, takes the rows one by one, and restores the shape at the end.
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"got {temperature}")
    rows = (scores / temperature).reshape(-1, scores.shape[-1])
    return torch.stack([torch.softmax(row, dim=0) for row in rows]).reshape(scores.shape)

# %% right tempered_softmax
# The good case comes first and returns early; the error stands at the end, its message built with format().
def my_tempered_softmax(scores, temperature):
    if temperature > 0:
        return torch.nn.Softmax(dim=-1)(torch.div(scores, temperature))
    raise ValueError("temperature has to be more than 0 but was {}".format(temperature))

# %% wrong scaled_scores: scale-no-root
# Divides by head_dim itself and not by its root.
def my_scaled_scores(queries, keys):
    head_dim = queries.size(-1)
    return torch.matmul(queries, keys.transpose(-2, -1)) / head_dim

# %% wrong scaled_scores: scale-wrong-axis
# Takes the root of the number of keys (the axis before the last) and not of the width.
def my_scaled_scores(queries, keys):
    scores = queries @ keys.transpose(-2, -1)
    return scores / scores.shape[-1] ** 0.5

# %% wrong scaled_scores: scale-times-width
# Precedence: -0.5 was meant as a power; the code multiplies by width * -0.5.
def my_scaled_scores(queries, keys):
    width = queries.shape[-1]
    return queries @ keys.transpose(-2, -1) * (width * -0.5)

# %% wrong scaled_scores: keys-full-turn
# keys.T turns all axes round: an error (or nonsense) with a batch; right for two axes only.
def my_scaled_scores(queries, keys):
    return queries @ keys.T / math.sqrt(keys.shape[-1])

# %% wrong scaled_scores: scale-no-root
# Divides both queries and keys by the root, so that the scores are divided twice.
def my_scaled_scores(queries, keys):
    root = queries.shape[-1] ** 0.5
    queries, keys = queries / root, keys / root
    return torch.einsum("...qd,...kd->...qk", queries, keys)

# %% wrong scaled_scores: softmax-too-early
# Goes one step too far: returns the weights after softmax, where the scores were asked for.
def my_scaled_scores(queries, keys):
    head_dim = keys.shape[-1]
    attn_scores = queries @ keys.mT / head_dim**0.5
    return attention.softmax(attn_scores)

# %% right scaled_scores
# The fourth root on each side, then einsum.
def my_scaled_scores(queries, keys):
    fourth_root = queries.shape[-1] ** 0.25
    return torch.einsum("...qd,...kd->...qk", queries / fourth_root, keys / fourth_root)

# %% right scaled_scores
# By broadcasting, without a matrix product.
def my_scaled_scores(queries, keys):
    products = queries.unsqueeze(-2) * keys.unsqueeze(-3)
    return products.sum(-1).mul(1 / math.sqrt(products.shape[-1]))

# %% wrong scaled_attention: naive-overflow
# No maximum taken off before torch.exp: nan for large scores.
def my_scaled_attention(queries, keys, values):
    exps = torch.exp(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: outputs-swapped
# Returns the two results in the other order: weights first.
def my_scaled_attention(queries, keys, values):
    logits = queries @ keys.transpose(-1, -2) / queries.shape[-1] ** 0.5
    e = (logits - logits.amax(-1, keepdim=True)).exp()
    A = e / e.sum(-1, keepdim=True)
    Z = A @ values
    return A, Z

# %% wrong scaled_attention: scale-of-values
# The root of the width of the values: the same only while values are as wide as queries.
def my_scaled_attention(queries, keys, values):
    d = values.shape[-1]
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(d)
    scores = scores - scores.max(dim=-1, keepdim=True)[0]
    attn_weights = torch.exp(scores)
    attn_weights = attn_weights / attn_weights.sum(dim=-1, keepdim=True)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: ready-made
# Uses F.softmax, which the prompt forbids ("nothing ready-made"); the numbers are right.
def my_scaled_attention(queries, keys, values):
    root = queries.shape[-1] ** 0.5
    attn_weights = F.softmax(queries @ keys.transpose(-2, -1) / root, dim=-1)
    context_vecs = attn_weights @ values
    return context_vecs, attn_weights

# %% wrong scaled_attention: softmax-axis
# Softmax along dim=-2, the queries: each column adds up to 1.
def my_scaled_attention(queries, keys, values):
    def shares(table, dim):
        exps = torch.exp(table - table.amax(dim=dim, keepdim=True))
        return exps / exps.sum(dim=dim, keepdim=True)

    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = shares(attn_scores, dim=-2)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: batch-required
# Works for one batch axis only: bmm and permute(0, 2, 1) stop with an error without a batch or with two batch axes.
def my_scaled_attention(queries, keys, values):
    scaled = torch.bmm(queries, keys.permute(0, 2, 1)) / math.sqrt(queries.shape[2])
    exps = torch.exp(scaled - scaled.max(dim=2, keepdim=True).values)
    attn_weights = exps / exps.sum(dim=2, keepdim=True)
    return torch.bmm(attn_weights, values), attn_weights

# %% right scaled_attention
# The queries are scaled first; numerator and denominator are kept apart until the end.
def my_scaled_attention(queries, keys, values):
    logits = (queries * queries.shape[-1] ** -0.5) @ keys.mT
    top, _ = logits.max(dim=-1, keepdim=True)
    numerators = torch.exp(logits - top)
    totals = numerators.sum(dim=-1, keepdim=True)
    return (numerators @ values) / totals, numerators / totals

# %% right scaled_attention
# A loop over the queries, each with its own row of scores, weights and context vector.
def my_scaled_attention(queries, keys, values):
    contexts, rows = [], []
    for i in range(queries.shape[-2]):
        q = queries[..., i, :].unsqueeze(-2)
        row = (q * keys).sum(dim=-1) / keys.shape[-1] ** 0.5
        row = torch.exp(row - row.amax(dim=-1, keepdim=True))
        row = row / row.sum(dim=-1, keepdim=True)
        rows.append(row)
        contexts.append((row.unsqueeze(-1) * values).sum(dim=-2))
    return torch.stack(contexts, dim=-2), torch.stack(rows, dim=-2)
