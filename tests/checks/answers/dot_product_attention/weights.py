# %% right
def my_weights(scores):
    return torch.stack([row.exp() / row.exp().sum() for row in scores])

# %% right
my_weights = lambda scores: torch.exp(scores.double() - torch.logsumexp(scores, dim=-1, keepdim=True))

# %% right
def my_weights(scores):
    log_total = torch.log(torch.exp(scores).sum(dim=-1, keepdim=True))
    return torch.exp(scores - log_total)

# %% right
def my_weights(scores):
    lowered = scores.T - scores.amax(dim=1)
    exps = torch.exp(lowered)
    return (exps / exps.sum(dim=0)).T

# %% right
def my_weights(scores):
    gaps = scores[:, None, :] - scores[:, :, None]  # (num_queries, key j, key k): s_k - s_j
    return 1 / torch.exp(gaps).sum(dim=-1)

# %% right
def my_weights(scores):
    def one_row(row):
        exps = torch.exp(row)
        return exps / exps.sum()
    return torch.stack([one_row(row) for row in scores])

# %% right
def my_weights(scores):
    exps = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    ones = torch.ones(scores.shape[1], 1, dtype=exps.dtype)
    return exps / exps.matmul(ones)

# %% right
def my_weights(scores):
    result = torch.empty_like(scores)
    for i in range(scores.shape[0]):
        powers = torch.exp(scores[i])
        result[i] = powers / powers.sum()
    return result

# %% right
def my_weights(scores):
    weights = scores.clone()
    for i in range(len(weights)):
        exps = [score.exp() for score in scores[i]]
        weights[i] = torch.stack(exps) / sum(exps)
    return weights

# %% wrong: - "In line 3 of `my_weights`, `6` is typed in, and the inputs h"
def my_weights(scores):
    exps = torch.exp(scores)
    sums = exps.sum(dim=1).view(6, 1)
    return exps / sums

# %% wrong: - "In your weights, the rows are not divided by their own sums,"
def my_weights(scores):
    top = scores.max(dim=-1, keepdim=True).values
    numerator = torch.exp(scores - top)
    denominator = torch.exp(scores).sum(dim=-1, keepdim=True)
    return numerator / denominator

# %% wrong: - "It stops with `RuntimeError`: The expanded size of the tenso"
def my_weights(scores):
    out = torch.zeros(6, 6)
    for i in range(6):
        row = torch.exp(scores[i])
        out[i] = row / row.sum()
    return out

# %% wrong: - "The weights has the dtype `torch.int32` where `torch.float32"
my_weights = lambda scores: torch.softmax(scores, -1).int()

# %% wrong: - "`math.exp(scores)` stops: a single number is needed, and `sc"
def my_weights(scores):
    exps = math.exp(scores)
    return exps / sum(exps)

# %% wrong: - "`torch.sum(exps, keepdim=True)` stops: `keepdim` needs the a"
def my_weights(scores):
    exps = torch.exp(scores)
    return exps / torch.sum(exps, keepdim=True)

# %% wrong: e-rounded
# e is about 2.7
def my_weights(scores):
    powers = 2.7 ** scores
    return powers / powers.sum(dim=-1, keepdim=True)

# %% wrong: exp-of-sum
def my_weights(scores):
    top = torch.exp(scores)
    bottom = torch.exp(scores.sum(dim=-1, keepdim=True))
    return top / bottom

# %% wrong: exp-too-late
def my_weights(scores):
    shares = scores / scores.sum(dim=-1, keepdim=True)
    return torch.exp(shares)

# %% wrong: exp-twice
def my_weights(scores):
    exps = torch.exp(scores)
    return torch.exp(exps) / torch.exp(exps).sum(dim=-1, keepdim=True)

# %% wrong: multiplied
def my_weights(scores):
    e = scores.exp()
    return e * e.sum(-1, keepdim=True)

# %% wrong: no-exp
def my_weights(scores):
    shifted = scores - scores.min(dim=-1, keepdim=True).values
    return shifted / shifted.sum(dim=-1, keepdim=True)

# %% wrong: no-keepdim
def my_weights(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1)

# %% wrong: not-used
my_weights = lambda scores: math.e ** scores / (math.e ** scores).sum(1, keepdim=True)

# %% wrong: power-of-2
def my_weights(scores):
    powers = 2**scores
    return powers / powers.sum(dim=-1, keepdim=True)

# %% wrong: ready-made
my_weights = attention.softmax

# %% wrong: sign
def my_weights(scores):
    exps = torch.exp(-scores)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong: softmax-all
def my_weights(scores):
    return torch.softmax(scores.flatten(), dim=0).view(scores.shape)

# %% wrong: softmax-axis
def my_weights(scores):
    e = scores.exp()
    return e / e.sum(0, keepdim=True)

# %% wrong: sum-changes
def my_weights(scores):
    weights = torch.exp(scores)
    for i in range(len(weights)):
        for j in range(weights.shape[1]):
            weights[i, j] = weights[i, j] / weights[i].sum()
    return weights

# %% wrong: sum-normalise
def my_weights(scores):
    return scores / scores.sum(-1, keepdim=True)

# %% wrong: sum-of-scores
def my_weights(scores):
    return torch.exp(scores) / scores.sum(dim=-1, keepdim=True)
