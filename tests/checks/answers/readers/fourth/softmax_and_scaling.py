# %% wrong softmax: clamped
# to be safe it cuts all scores down to at most 80 and never subtracts the row's maximum: 1000, 999, 998 become
# three times 80, so the gaps are lost and the weights equal
def my_softmax(scores):
    safe = scores.clamp(max=80.0)
    exps = torch.exp(safe)
    total = exps.sum(dim=-1, keepdim=True)
    return exps / total

# %% wrong softmax: - "`scores - highest` stops: `highest` is two tensors, the valu"
# scores.max(dim=...) gives a pair (values, indices), not a tensor: stops with a TypeError at the subtraction
def my_softmax(scores):
    highest = scores.max(dim=-1, keepdim=True)
    e = torch.exp(scores - highest)
    return e / e.sum(dim=-1, keepdim=True)

# %% wrong softmax: ready-made
# the numbers are right, but it hands the shifted scores to naive_softmax, which the prompt forbids
def naive_softmax(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)


def my_softmax(scores):
    return naive_softmax(scores - scores.amax(dim=-1, keepdim=True))

# %% wrong softmax: sign
# subtracts the wrong way round (maximum minus score): the smallest score gets the largest weight, and overflows
def my_softmax(scores):
    gaps = scores.amax(dim=-1).unsqueeze(-1) - scores
    numerators = torch.exp(gaps)
    return torch.div(numerators, numerators.sum(-1, keepdim=True))

# %% wrong softmax: tables-only
# goes through "for row in scores", so it is made for a table of two axes only: with three axes a "row" is a whole
# table that shares one maximum and one sum (and one row alone falls apart into single numbers)
def my_softmax(scores):
    rows = []
    for row in scores:
        row = torch.exp(row - row.max())
        rows.append(row / row.sum())
    return torch.stack(rows)

# %% right softmax
# the maximum by sorting, then the logarithm of the sum is subtracted: torch.exp comes last, and nothing is divided
def my_softmax(scores):
    gaps = scores - scores.sort(dim=-1).values[..., -1:]
    return torch.exp(gaps - gaps.exp().sum(dim=-1, keepdim=True).log())

# %% right softmax
# takes the table apart into one tensor for each key, with a running maximum and Python's sum
def my_softmax(scores):
    columns = scores.unbind(dim=-1)
    top = columns[0]
    for column in columns[1:]:
        top = torch.maximum(top, column)
    exps = [torch.exp(column - top) for column in columns]
    total = sum(exps)
    return torch.stack([e / total for e in exps], dim=-1)

# %% wrong tempered_softmax: error-says-nothing
# the f in front of the message is missing, so it says literally "{temperature}" and not what was received
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError("temperature must be positive, got {temperature}")
    return attention.softmax(scores / temperature)

# %% wrong tempered_softmax: floor-division
# // in place of /: rounds every divided score down to a whole number, so small gaps vanish
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}")
    cooled = scores // temperature
    return torch.softmax(cooled, dim=-1)

# %% wrong tempered_softmax: naive-overflow
# own softmax without subtracting the maximum: low temperatures make large scores, and they overflow to nan
def my_tempered_softmax(scores, temperature):
    if not temperature > 0:
        raise ValueError(f"bad temperature: {temperature}")
    exps = torch.exp(scores / temperature)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong tempered_softmax: scale-inverted
# softmax first, then weights to the power of the temperature, shared out again: the power should be 1 / temperature,
# so high temperatures sharpen and low ones flatten
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature has to be > 0, not {temperature}")
    w = attention.softmax(scores) ** temperature
    return w / w.sum(dim=-1, keepdim=True)

# %% wrong tempered_softmax: error-returned
# the ValueError is made and returned, not raised
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        return ValueError(f"temperature must be greater than zero, got {temperature}")
    else:
        return attention.softmax(scores / temperature)

# %% right tempered_softmax
# an error class of its own (a subclass of ValueError), raised by a helper; multiplies by 1 / temperature
class TemperatureError(ValueError):
    pass


def checked(temperature):
    if temperature > 0:
        return temperature
    raise TemperatureError(f"the temperature must be larger than zero; received {temperature!r}")


def my_tempered_softmax(scores, temperature):
    return F.softmax(scores * (1 / checked(temperature)), dim=-1)

# %% right tempered_softmax
# subtracts each row's maximum first, then divides the gaps by the temperature; own softmax in one go
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError("temperature must be positive, but got " + str(temperature))
    exps = torch.exp((scores - scores.amax(dim=-1, keepdim=True)) / temperature)
    return F.normalize(exps, p=1, dim=-1)

# %% wrong scaled_scores: root-precedence
# head_dim ** 1/2 is (head_dim ** 1) / 2, and dividing by it from left to right divides by head_dim and again by 2
def my_scaled_scores(queries, keys):
    head_dim = queries.shape[-1]
    return queries @ keys.transpose(-2, -1) / head_dim ** 1/2

# %% wrong scaled_scores: root-cut
# math.isqrt rounds the root down to a whole number: right for widths of 4, 16, 64, wrong for 8
def my_scaled_scores(queries, keys):
    root = math.isqrt(keys.size(-1))
    dots = torch.matmul(queries, keys.mT)
    return dots / root

# %% wrong scaled_scores: batch-required
# the einsum has exactly one batch axis: stops with an error for tables without a batch, or with two batch axes
def my_scaled_scores(queries, keys):
    scores = torch.einsum("bqd,bkd->bqk", queries, keys)
    return scores / math.sqrt(queries.shape[-1])

# %% wrong scaled_scores: scale-no-root
# divides the queries by the root and the keys by the root as well: together that divides by head_dim
def my_scaled_scores(queries, keys):
    root = queries.shape[-1] ** 0.5
    queries = queries / root
    keys = keys / root
    return queries @ keys.transpose(-2, -1)

# %% wrong scaled_scores: view-no-transpose
# reshapes the keys to (..., head_dim, num_keys) in place of swapping the two axes: the shape is right, the numbers
# are cut up differently
def my_scaled_scores(queries, keys):
    *batch, num_keys, head_dim = keys.shape
    turned = keys.reshape(*batch, head_dim, num_keys)
    return (queries @ turned) / head_dim**0.5

# %% right scaled_scores
# no matrix product: every query times every key by broadcasting, then the sum over the width
def my_scaled_scores(queries, keys):
    products = queries.unsqueeze(-2) * keys.unsqueeze(-3)
    return products.sum(dim=-1).div(math.sqrt(products.shape[-1]))

# %% right scaled_scores
# the fourth root on both sides, and einsum with the axes in the other order
def my_scaled_scores(queries, keys):
    share = queries.shape[-1] ** -0.25
    return torch.einsum("...kd,...qd->...qk", keys * share, queries * share)

# %% wrong scaled_attention: scale-of-values
# divides by the root of the width of the values, not of the queries: goes unnoticed only where the two are equal
def my_scaled_attention(queries, keys, values):
    d_k = values.shape[-1]
    scores = queries @ keys.transpose(-2, -1) / d_k**0.5
    scores = scores - scores.amax(dim=-1, keepdim=True)
    weights = torch.exp(scores)
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ values, weights

# %% wrong scaled_attention: global-max
# subtracts one maximum per sample (over queries and keys), not each row's: a row far below it gets 0 / 0
def my_scaled_attention(queries, keys, values):
    def soft(s):
        e = torch.exp(s - s.amax(dim=(-2, -1), keepdim=True))
        return e / e.sum(dim=-1, keepdim=True)

    attn_weights = soft(torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(queries.shape[-1]))
    context_vecs = torch.einsum("...qk,...kv->...qv", attn_weights, values)
    return context_vecs, attn_weights

# %% wrong scaled_attention: mix-of-exps
# mixes the values with the exponentials before they are divided by their sum; the returned weights are right,
# the context vectors are too large
def my_scaled_attention(queries, keys, values):
    attn_scores = (queries / queries.shape[-1] ** 0.5) @ keys.mT
    exps = (attn_scores - attn_scores.max(dim=-1, keepdim=True).values).exp()
    context_vecs = exps @ values
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    return context_vecs, attn_weights

# %% wrong scaled_attention: ready-made
# right numbers, but with the course's softmax, and the prompt says no function of the course
def my_scaled_attention(queries, keys, values):
    head_dim = queries.shape[-1]
    attn_scores = queries @ keys.transpose(-2, -1) / head_dim**0.5
    attn_weights = attention.softmax(attn_scores)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: outputs-swapped + naive-overflow
# two mistakes: returns the weights first and the context vectors second, and takes exp of the scores as they are
# (no maximum subtracted), so large scores give nan
def my_scaled_attention(queries, keys, values):
    width = keys.size(-1)
    e = torch.exp(torch.matmul(queries, keys.transpose(-1, -2)) / math.sqrt(width))
    a = e / e.sum(-1, keepdim=True)
    return a, torch.matmul(a, values)

# %% right scaled_attention
# recursion: takes off one batch axis after the other, and works on plain tables
def my_scaled_attention(queries, keys, values):
    if queries.dim() > 2:
        parts = [my_scaled_attention(q, k, v) for q, k, v in zip(queries, keys, values)]
        return torch.stack([part[0] for part in parts]), torch.stack([part[1] for part in parts])
    rows = []
    for query in queries:
        scores = (keys @ query) / query.numel() ** 0.5
        exps = torch.exp(scores - scores.max())
        rows.append(exps / exps.sum())
    attn_weights = torch.stack(rows)
    return attn_weights @ values, attn_weights

# %% right scaled_attention
# subtracts the maximum of the raw scores before dividing by the root, and divides by the sum last, after mixing
def my_scaled_attention(queries, keys, values):
    raw = torch.einsum("...id,...jd->...ij", queries, keys)
    gaps = (raw - raw.amax(-1, keepdim=True)) / queries.shape[-1] ** 0.5
    exps = torch.exp(gaps)
    one_over_sum = exps.sum(-1, keepdim=True).reciprocal()
    return (exps @ values) * one_over_sum, exps * one_over_sum

