# %% right
def my_softmax(scores):
    return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))

# %% right
def my_softmax(scores):
    gaps = scores - scores.sort(dim=-1).values[..., -1:]
    return torch.exp(gaps - gaps.exp().sum(dim=-1, keepdim=True).log())

# %% right
def my_softmax(scores):
    ordered, _ = torch.sort(scores, dim=-1, descending=True)
    exps = torch.exp(scores - ordered[..., :1])
    return exps / exps.cumsum(dim=-1)[..., -1:]

# %% right
def my_softmax(scores):
    if scores.dim() > 1:
        return torch.stack([my_softmax(part) for part in scores])
    exps = torch.exp(scores - scores.max())
    return exps / exps.sum()

# %% right
def my_softmax(scores):
    rows = [row - row.max() for row in scores.reshape(-1, scores.shape[-1])]
    return torch.stack([torch.exp(row) / torch.exp(row).sum() for row in rows]).view(scores.shape)

# %% right
def my_softmax(scores):
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        e = torch.exp(row - max(row.tolist()))
        rows.append(e / e.sum())
    return torch.stack(rows).reshape(scores.shape)

# %% right
def my_softmax(scores):
    columns = scores.unbind(dim=-1)
    top = columns[0]
    for column in columns[1:]:
        top = torch.maximum(top, column)
    exps = [torch.exp(column - top) for column in columns]
    total = sum(exps)
    return torch.stack([e / total for e in exps], dim=-1)

# %% wrong: - "In your weights, each number is the logarithm of the right o"
def my_softmax(scores):
    shifted = scores - scores.amax(-1, keepdim=True)
    return shifted - shifted.exp().sum(-1, keepdim=True).log()

# %% wrong: - "`scores - highest` stops: `highest` is two tensors, the valu"
def my_softmax(scores):
    highest = scores.max(dim=-1, keepdim=True)
    exps = torch.exp(scores - highest)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong: - "`scores - scores.max(dim=-1, keepdim=True)` stops: `scores.m"
def my_softmax(scores):
    exps = torch.exp(scores - scores.max(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong: clamped
def my_softmax(scores):
    exps = torch.exp(scores.clamp(max=80.0))
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong: divided-by-max
def my_softmax(scores):
    largest = scores.amax(dim=-1, keepdim=True)
    exps = torch.exp(scores / largest)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong: exp-only
def my_softmax(scores):
    return torch.exp(scores - scores.amax(dim=-1, keepdim=True))

# %% wrong: global-max
def my_softmax(scores):
    exps = torch.exp(scores - scores.max())
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong: max-axis
def my_softmax(scores):
    scores = scores - scores.amax(dim=0, keepdim=True)
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong: max-of-sizes
def my_softmax(scores):
    size = scores.abs().amax(dim=-1, keepdim=True)
    exps = torch.exp(scores - size)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong: measured
def my_softmax(scores):
    z = (scores - scores.mean(-1, keepdim=True)) / scores.std(-1, keepdim=True)
    return z.exp() / z.exp().sum(-1, keepdim=True)

# %% wrong: naive-overflow
def my_softmax(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong: nan-filled
def my_softmax(scores):
    exps = torch.exp(scores)
    weights = exps / exps.sum(dim=-1, keepdim=True)
    return torch.nan_to_num(weights, nan=0.0)

# %% wrong: not-the-max
def my_softmax(scores):
    centred = scores - scores.mean(dim=-1, keepdim=True)
    e = centred.exp()
    return e / e.sum(dim=-1, keepdim=True)

# %% wrong: ready-made
my_softmax = lambda scores: attention.softmax(scores)

# %% wrong: sign
def my_softmax(scores):
    gaps = scores.amax(dim=-1).unsqueeze(-1) - scores
    numerators = torch.exp(gaps)
    return torch.div(numerators, numerators.sum(-1, keepdim=True))

# %% wrong: softmax-all
def my_softmax(scores):
    return torch.softmax(scores.flatten(), dim=0).view(scores.shape)

# %% wrong: softmax-axis
def my_softmax(scores):
    return torch.softmax(scores, dim=1)

# %% wrong: sum-unshifted
def my_softmax(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / torch.exp(scores).sum(dim=-1, keepdim=True)

# %% wrong: tables-only
def my_softmax(scores):
    rows = []
    for row in scores:
        row = torch.exp(row - row.max())
        rows.append(row / row.sum())
    return torch.stack(rows)
