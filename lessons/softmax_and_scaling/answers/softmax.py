# %% right
def my_softmax(scores):
    return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))

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
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        e = torch.exp(row - max(row.tolist()))
        rows.append(e / e.sum())
    return torch.stack(rows).reshape(scores.shape)

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
