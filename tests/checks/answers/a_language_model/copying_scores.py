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
    n = repeated.shape[2] // 2
    difference = repeated - control
    return torch.stack([difference[:, :, i, i - n + 1] for i in range(n, 2 * n)]).mean(dim=0)

# %% right
def my_copying_scores(repeated, control):
    n = len(repeated[0, 0]) // 2
    table = [[sum((r[i, i - n + 1] - c[i, i - n + 1]).item() for i in range(n, 2 * n)) / n for r, c in zip(rs, cs)] for rs, cs in zip(repeated, control)]
    return torch.tensor(table)

# %% right
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    marks = torch.zeros(2 * n, 2 * n, dtype=repeated.dtype)
    marks[torch.arange(n, 2 * n), torch.arange(1, n + 1)] = 1 / n
    return (repeated * marks).sum(dim=(-2, -1)) - (control * marks).sum(dim=(-2, -1))

# %% right
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    keys = torch.arange(1, n + 1).expand(*repeated.shape[:2], n)[..., None]
    score = repeated[:, :, n:].gather(-1, keys).squeeze(-1).mean(-1)
    return score - control[:, :, n:].gather(-1, keys).squeeze(-1).mean(-1)

# %% right
def my_copying_scores(repeated, control):
    layers, num_heads, num_tokens, _ = repeated.shape
    n = num_tokens // 2
    table = torch.zeros(layers, num_heads)
    for layer in range(layers):
        for head in range(num_heads):
            for i in range(n, 2 * n):
                table[layer, head] += repeated[layer, head, i, i - n + 1] - control[layer, head, i, i - n + 1]
    return table / n

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

# %% wrong: all-averaged
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].mean()
    return line(repeated) - line(control)

# %% wrong: all-rows
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(2 * n)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return line(repeated) - line(control)

# %% wrong: argmax-hits
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    hits = lambda w: (w.argmax(dim=-1)[..., n:] == torch.arange(1, n + 1)).float().mean(dim=-1)
    return hits(repeated) - hits(control)

# %% wrong: block-mean
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    line = lambda w: w[..., n:, 1 : n + 1].mean(dim=(-2, -1))
    return line(repeated) - line(control)

# %% wrong: cells-of-first-axes
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    total = 0
    for i in range(n, 2 * n):
        total = total + repeated[i, i - n + 1] - control[i, i - n + 1]
    return total / n

# %% wrong: clamped
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return (line(repeated) - line(control)).clamp(min=0)

# %% wrong: control-added
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return line(repeated) + line(control)

# %% wrong: control-divides
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return line(repeated) / line(control)

# %% wrong: control-elsewhere
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    return repeated[..., rows, rows - n + 1].mean(dim=-1) - control[..., n:, :].mean(dim=(-2, -1))

# %% wrong: - "In your scores, every sign is turned around. Look for a minu"
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return line(control) - line(repeated)

# %% wrong: control-ignored
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    return repeated[..., rows, rows - n + 1].mean(dim=-1)

# %% wrong: first-cell-kept
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    line = (repeated - control).diagonal(-n + 1, dim1=-2, dim2=-1)
    return line.sum(dim=-1) / n

# %% wrong: first-half
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return line(repeated) - line(control)

# %% wrong: first-row-missing
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n + 1, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return line(repeated) - line(control)

# %% wrong: input-changed
def my_copying_scores(repeated, control):
    repeated -= control
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    return repeated[..., rows, rows - n + 1].mean(dim=-1)

# %% wrong: last-row-missing
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n - 1)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return line(repeated) - line(control)

# %% wrong: max-for-mean
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].amax(dim=-1)
    return line(repeated) - line(control)

# %% wrong: n-a-float
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] / 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return line(repeated) - line(control)

# %% wrong: n-is-half
def my_copying_scores(repeated, control):
    n = repeated.shape[-1]
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return line(repeated) - line(control)

# %% wrong: n-of-other-axis
def my_copying_scores(repeated, control):
    n = repeated.shape[0] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].mean(dim=-1)
    return line(repeated) - line(control)

# %% wrong: no-mean
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1].sum(dim=-1)
    return line(repeated) - line(control)

# %% wrong: one-before
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    line = (repeated - control).diagonal(-(n + 1), dim1=-2, dim2=-1)
    return line.sum(dim=-1) / n

# %% wrong: one-key
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, 1 - n].mean(dim=-1)
    return line(repeated) - line(control)

# %% wrong: one-row-only
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    for i in range(n, 2 * n):
        return (repeated[:, :, i, i - n + 1] - control[:, :, i, i - n + 1]) / n

# %% wrong: one-too-late
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 2].mean(dim=-1)
    return line(repeated) - line(control)

# %% wrong: qk-swapped
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    second = (repeated - control)[..., n:, n:]
    return second.diagonal(1, dim1=-2, dim2=-1).mean(dim=-1)

# %% wrong: row-of-each
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    line = lambda w: w[..., rows, rows - n + 1]
    return line(repeated) - line(control)

# %% wrong: same-token
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    d = repeated - control
    return sum(d[:, :, i, i - n] for i in range(n, 2 * n)) / n

# %% wrong: same-token + first-row-missing
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(1, n)
    d = repeated - control
    return d[..., n + rows, rows].mean(dim=-1)

# %% wrong: sign-lost
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    return (repeated - control)[:, :, rows, rows - n + 1].abs().mean(dim=-1)

# %% wrong: wrong-axes
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    line = lambda w: w.diagonal(1 - n)[..., 1:].mean(dim=-1)
    return line(repeated) - line(control)

# %% wrong: wrong-count
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    line = lambda w: w.diagonal(1 - n, dim1=-2, dim2=-1)[..., 1:].sum(dim=-1) / (n + 1)
    return line(repeated) - line(control)

# %% wrong: wrong-end-cut
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    line = lambda w: w.diagonal(1 - n, dim1=-2, dim2=-1)[..., :-1].mean(dim=-1)
    return line(repeated) - line(control)

# %% wrong: wrong-end-cut + qk-swapped
def my_copying_scores(repeated, control):
    n = repeated.shape[-1] // 2
    total = 0
    for i in range(n):
        total = total + repeated[:, :, i, i + n - 1] - control[:, :, i, i + n - 1]
    return total / n
