# %% right
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    block = (repeated - control)[..., n:, 1 : n + 1]
    return torch.einsum("lhii->lh", block) / n

# %% right
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    second = (repeated - control)[..., n:, :]
    return second.diagonal(1, dim1=-2, dim2=-1)[..., :n].mean(dim=-1)

# %% right
def my_copying_scores(repeated, control):
    n = len(repeated[0, 0]) // 2
    table = [[sum((r[i, i - n + 1] - c[i, i - n + 1]).item() for i in range(n, 2 * n)) / n for r, c in zip(rs, cs)] for rs, cs in zip(repeated, control)]
    return torch.tensor(table)

# %% right
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    keys = torch.arange(1, n + 1).expand(*repeated.shape[:2], n)[..., None]
    score = repeated[:, :, n:].gather(-1, keys).squeeze(-1).mean(-1)
    return score - control[:, :, n:].gather(-1, keys).squeeze(-1).mean(-1)

# %% wrong: - "In the scores, the first difference is at `[0, 0]`: it shoul"
def my_copying_scores(repeated, control):
    n = 4
    rows = torch.arange(n, 2 * n)
    return (repeated - control)[..., rows, rows - n + 1].mean(-1)

# %% wrong: - "In your scores, the mean of all columns came back. A `mean` "
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return (line(repeated) - line(control)).mean(dim=1)

# %% wrong: - "The scores should have the shape `(2, 3)`. Yours has `(4, 2)"
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    difference = repeated - control
    return torch.stack([difference[:, :, i, i - n + 1] for i in range(n, 2 * n)]).mean(dim=-1)

# %% wrong: - "`repeated[layer, head, i, i - n + 1]` stops: axis 1 of (2, 3"
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    score = torch.zeros(12, 12)
    for layer in range(12):
        for head in range(12):
            for i in range(n, 2 * n):
                score[layer, head] += repeated[layer, head, i, i - n + 1] - control[layer, head, i, i - n + 1]
    return score / n

# %% wrong: - "In your scores, every sign is turned around. Look for a minu"
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return line(control) - line(repeated)

# %% wrong: qk-swapped
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    second = (repeated - control)[..., n:, n:]
    return second.diagonal(1, dim1=-2, dim2=-1).mean(dim=-1)
