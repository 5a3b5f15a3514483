# %% wrong softmax: global-max
# one maximum for the whole table: a row of small scores beside a row of huge ones becomes 0 / 0
def my_softmax(scores):
    moved = scores - torch.max(scores)
    exps = torch.exp(moved)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: - "`scores - highest` stops: `highest` is two tensors, the valu"
# max with dim returns values and places together; the pair is taken off the scores: a TypeError
def my_softmax(scores):
    highest = scores.max(dim=-1, keepdim=True)
    exps = torch.exp(scores - highest)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: clamped
# cuts scores at 80 so that nothing overflows: all scores above 80 become equal
def my_softmax(scores):
    safe = torch.clamp(scores, max=80.0)
    e = torch.exp(safe)
    return e / e.sum(-1, keepdim=True)

# %% wrong softmax: divided-by-max
# divides the scores by the row's largest in place of subtracting it: the gaps shrink, the weights change
def my_softmax(scores):
    scaled = scores / scores.amax(dim=-1, keepdim=True)
    exps = scaled.exp()
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals

# %% wrong softmax: softmax-axis
# dim=1 in place of the last axis: right for a table, but an error for a single row, and the wrong axis for a batch
def my_softmax(scores):
    exps = torch.exp(scores - scores.amax(dim=1, keepdim=True))
    return exps / exps.sum(dim=1, keepdim=True)

# %% wrong softmax: ready-made
# calls log_softmax, a softmax that is there already, which the prompt forbids
def my_softmax(scores):
    log_weights = F.log_softmax(scores, dim=-1)
    return torch.exp(log_weights)

# %% right softmax
# works row by row on a flat table, and restores the shape
def my_softmax(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    done = []
    for row in rows:
        e = torch.exp(row - row.max())
        done.append(e / e.sum())
    return torch.stack(done).reshape(scores.shape)

# %% right softmax
# logsumexp: the gaps to it are the logarithms of the weights
def my_softmax(scores):
    return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))

# %% wrong tempered_softmax: scale-inverted
# multiplies by the temperature: low becomes flat, high becomes sharp
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}")
    return attention.softmax(temperature * scores)

# %% wrong tempered_softmax: zero-allowed
# lets zero through: the test is for less than zero only, and dividing by 0 gives nan
def my_tempered_softmax(scores, temperature):
    if temperature < 0:
        raise ValueError("a negative temperature makes no sense, got " + str(temperature))
    return torch.softmax(scores / temperature, dim=-1)

# %% wrong tempered_softmax: error-returned
# returns the error as a value in place of raising it
def my_tempered_softmax(scores, temperature):
    if not temperature > 0:
        return ValueError(f"temperature {temperature} is not above zero")
    return attention.softmax(scores / temperature)

# %% wrong tempered_softmax: error-says-nothing
# the message does not say what was received
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError("The temperature must be larger than zero.")
    tempered = scores / temperature
    return attention.softmax(tempered)

# %% wrong tempered_softmax: error-kind
# an assert raises an AssertionError, not a ValueError
def my_tempered_softmax(scores, temperature):
    assert temperature > 0, f"temperature must be positive, got {temperature}"
    return attention.softmax(scores / temperature, dim=-1)

# %% wrong tempered_softmax: scale-after
# divides after softmax: the weights no longer add up to 1
def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"got temperature {temperature}, need more than 0")
    attn_weights = attention.softmax(scores)
    return attn_weights / temperature

# %% right tempered_softmax
# another way: weights to the power of 1 / temperature, in logarithms, then shared out again
def my_tempered_softmax(scores, temperature):
    if temperature > 0:
        logs = torch.log_softmax(scores, dim=-1) * (1 / temperature)
        return torch.exp(logs - logs.logsumexp(-1, keepdim=True))
    raise ValueError("temperature has to be positive: received %r" % (temperature,))

# %% right tempered_softmax
# a helper does the check, the message holds the number in a sentence
def require_positive(number, name):
    if number <= 0:
        raise ValueError(name + " = " + str(number) + " is zero or less")
    return number


def my_tempered_softmax(scores, temperature):
    scores = torch.div(scores, require_positive(temperature, "temperature"))
    highest, _ = scores.max(dim=-1, keepdim=True)
    e = (scores - highest).exp()
    return e / e.sum(dim=-1, keepdim=True)

# %% wrong scaled_scores: scale-no-root
# divides by head_dim, not by its root
def my_scaled_scores(queries, keys):
    head_dim = queries.size(-1)
    return torch.einsum("...qd,...kd->...qk", queries, keys) / head_dim

# %% wrong scaled_scores: keys-full-turn
# .T turns all axes round, the batch too: an error for most batches
def my_scaled_scores(queries, keys):
    return (queries @ keys.T) / math.sqrt(queries.shape[-1])

# %% wrong scaled_scores: scale-wrong-axis
# the root of the number of keys in place of the root of the width
def my_scaled_scores(queries, keys):
    num_keys, head_dim = keys.shape[-2:]
    scores = torch.matmul(queries, keys.transpose(-1, -2))
    return scores * num_keys ** -0.5

# %% wrong scaled_scores: scale-no-root
# both queries and keys are divided by the root, so the scores are divided by head_dim
def my_scaled_scores(queries, keys):
    root = queries.shape[-1] ** 0.5
    queries, keys = queries / root, keys / root
    return queries @ keys.mT

# %% wrong scaled_scores: root-precedence
# operator slip: ** 1/2 is (** 1) / 2, so it divides by half of head_dim
def my_scaled_scores(queries, keys):
    d = queries.shape[-1]
    return queries @ keys.transpose(-2, -1) / (d ** 1 / 2)

# %% wrong scaled_scores: fixed-width
# the root was made for width 64 as in the page: 8, whatever the width
def my_scaled_scores(queries, keys):
    scores = queries @ keys.swapaxes(-2, -1)
    return scores / 8.0

# %% right scaled_scores
# the fourth root taken off each side
def my_scaled_scores(queries, keys):
    quarter = queries.shape[-1] ** 0.25
    return torch.matmul(queries / quarter, (keys / quarter).transpose(-2, -1))

# %% right scaled_scores
# broadcasting and a sum, no matrix product
def my_scaled_scores(queries, keys):
    products = queries.unsqueeze(-2) * keys.unsqueeze(-3)
    return products.sum(dim=-1) / math.sqrt(keys.size(-1))

# %% wrong scaled_attention: ready-made
# torch.softmax is forbidden here
def my_scaled_attention(queries, keys, values):
    scale = 1 / math.sqrt(queries.shape[-1])
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) * scale, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: naive-overflow
# no maximum is taken off: the exponentials of large scores overflow to inf, and the weights are nan
def my_scaled_attention(queries, keys, values):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / queries.shape[-1] ** 0.5
    exps = scores.exp()
    weights = exps / exps.sum(dim=-1, keepdim=True)
    return weights @ values, weights

# %% wrong scaled_attention: scale-of-values
# the root of the width of the values in place of that of the queries
def my_scaled_attention(queries, keys, values):
    value_dim = values.shape[-1]
    scores = queries @ keys.transpose(-2, -1) / value_dim**0.5
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    return attn_weights @ values, attn_weights

# %% wrong scaled_attention: no-scale
# the scores are scaled after the maximum was taken off and e to the power was made: the root divides the
# exponentials, cancels out, and the weights are those without a root
def my_scaled_attention(queries, keys, values):
    raw = queries @ keys.transpose(-2, -1)
    exps = torch.exp(raw - raw.amax(dim=-1, keepdim=True)) / math.sqrt(queries.shape[-1])
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    context_vecs = attn_weights @ values
    return context_vecs, attn_weights

# %% wrong scaled_attention: keys-fixed-axes
# bmm needs exactly three axes: two axes or four stop with an error, though any number of batch axes was asked for
def my_scaled_attention(queries, keys, values):
    def soft(s):
        e = torch.exp(s - s.amax(dim=2, keepdim=True))
        return e / e.sum(dim=2, keepdim=True)

    weights = soft(torch.bmm(queries, keys.transpose(1, 2)) / queries.shape[2] ** 0.5)
    return torch.bmm(weights, values), weights

# %% wrong scaled_attention: outputs-swapped
# returns the two results in the wrong order: weights first
def my_scaled_attention(queries, keys, values):
    s = (queries / queries.shape[-1] ** 0.5).matmul(keys.mT)
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
    w = e / e.sum(-1, keepdim=True)
    return w, w.matmul(values)

# %% right scaled_attention
# mixes with the exponentials first, and divides weights and mix by the sums afterwards
def my_scaled_attention(queries, keys, values):
    scores = queries.matmul(keys.transpose(-2, -1)).mul(queries.shape[-1] ** -0.5)
    top = scores.max(dim=-1, keepdim=True)[0]
    unnormalised = torch.exp(scores - top)
    share = unnormalised.sum(dim=-1, keepdim=True).reciprocal()
    return (unnormalised @ values) * share, unnormalised * share

# %% right scaled_attention
# recursion over the batch axes: a batch is a stack of smaller ones
def my_scaled_attention(queries, keys, values):
    if queries.dim() > 2:
        pairs = [my_scaled_attention(*sample) for sample in zip(queries, keys, values)]
        return torch.stack([pair[0] for pair in pairs]), torch.stack([pair[1] for pair in pairs])
    scores = queries @ keys.t() / queries.shape[1] ** 0.5
    scores = scores - scores.amax(dim=1, keepdim=True)
    exps = scores.exp()
    attn_weights = exps / exps.sum(dim=1, keepdim=True)
    return attn_weights @ values, attn_weights
