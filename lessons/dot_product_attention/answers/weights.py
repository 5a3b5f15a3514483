# %% right
my_weights = lambda scores: torch.exp(scores.double() - torch.logsumexp(scores, dim=-1, keepdim=True))

# %% right
def my_weights(scores):
    lowered = scores.T - scores.amax(dim=1)
    exps = torch.exp(lowered)
    return (exps / exps.sum(dim=0)).T

# %% right
def my_weights(scores):
    exps = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    ones = torch.ones(scores.shape[1], 1, dtype=exps.dtype)
    return exps / exps.matmul(ones)

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
