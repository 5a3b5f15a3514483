# %% right
def my_previous_score(attn_weights):
    return torch.einsum("...ii->...", attn_weights[..., 1:, :-1]) / (attn_weights.shape[-1] - 1)

# %% right
def my_previous_score(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])
    return attn_weights[..., rows, rows - 1].mean(-1)

# %% right
def my_previous_score(attn_weights):
    found = [attn_weights[..., query, query - 1] for query in range(1, attn_weights.shape[-2])]
    return torch.stack(found, dim=-1).mean(dim=-1)

# %% right
def my_previous_score(attn_weights):
    total = 0
    for row in range(1, attn_weights.shape[-2]):
        total = total + attn_weights[..., row, row - 1]
    return total / (attn_weights.shape[-2] - 1)

# %% right
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    marks = torch.diag(torch.ones(n - 1, dtype=attn_weights.dtype), -1)
    return torch.einsum("...qk,qk->...", attn_weights, marks) / (n - 1)

# %% right
def my_previous_score(attn_weights):
    *front, num_tokens, _ = attn_weights.shape
    tables = attn_weights[..., 1:, :-1].reshape(-1, num_tokens - 1, num_tokens - 1)
    scores = [table.trace() / (num_tokens - 1) for table in tables]
    return torch.stack(scores).reshape(front)

# %% right
def my_previous_score(attn_weights):
    *front, n, _ = attn_weights.shape
    tables = attn_weights.reshape(-1, n, n)
    scores = []
    for table in tables:
        total = 0.0
        for q in range(1, n):
            total = total + table[q, q - 1]
        scores.append(total / (n - 1))
    return torch.stack(scores).reshape(front)

# %% wrong: - "`num_layers, num_heads, num_tokens, _ = attn_weights.shape` "
def my_previous_score(attn_weights):
    num_layers, num_heads, num_tokens, _ = attn_weights.shape
    scores = torch.zeros(num_layers, num_heads)
    for layer in range(num_layers):
        for head in range(num_heads):
            picked = [attn_weights[layer, head, q, q - 1] for q in range(1, num_tokens)]
            scores[layer, head] = sum(picked) / len(picked)
    return scores

# %% wrong: all-averaged
def my_previous_score(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])
    on_previous = attn_weights[..., rows, rows - 1]
    return on_previous.mean()

# %% wrong: all-before
def my_previous_score(attn_weights):
    earlier = attn_weights.tril(-1).sum(dim=-1)  # (..., num_tokens)
    return earlier[..., 1:].mean(dim=-1)

# %% wrong: all-cells
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    marks = torch.cat([torch.zeros(1, n), torch.eye(n)[:-1]])
    return (attn_weights * marks).mean(dim=(-2, -1))

# %% wrong: argmax-hits
def my_previous_score(attn_weights):
    strongest = attn_weights.argmax(dim=-1)[..., 1:]
    before = torch.arange(attn_weights.shape[-1] - 1)
    return (strongest == before).float().mean(dim=-1)

# %% wrong: block-mean
def my_previous_score(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])
    return attn_weights[..., rows, :][..., rows - 1].mean(dim=(-2, -1))

# %% wrong: cells-of-first-axes
def my_previous_score(attn_weights):
    """Cells read as if there were no axes in front."""
    return sum(attn_weights[row, row - 1] for row in range(1, len(attn_weights))) / (len(attn_weights) - 1)

# %% wrong: first-row-wraps
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    return sum(attn_weights[..., i, i - 1] for i in range(n)) / (n - 1)

# %% wrong: flat-start
def my_previous_score(attn_weights):
    n = attn_weights.size(-1)
    cells = attn_weights.flatten(-2)[..., n - 1::n + 1]
    return cells.mean(-1)

# %% wrong: itself-for-previous
def my_previous_score(attn_weights):
    return torch.einsum("...ii->...i", attn_weights).mean(dim=-1)

# %% wrong: last-row-missing
def my_previous_score(attn_weights):
    num_tokens = attn_weights.shape[-1]
    total, count = 0.0, 0
    for q in range(1, num_tokens - 1):
        total = total + attn_weights[..., q, q - 1]
        count += 1
    return total / count

# %% wrong: mean-over-all-rows
def my_previous_score(attn_weights):
    rows = torch.arange(attn_weights.size(-1))
    return attn_weights[..., rows, rows - 1].mean(dim=-1)

# %% wrong: mean-over-all-rows + all-averaged
def my_previous_score(attn_weights):
    rows = torch.arange(attn_weights.size(-2))
    before = attn_weights[..., rows, rows - 1]
    return torch.mean(before)

# %% wrong: next-for-previous
def my_previous_score(attn_weights):
    return attn_weights.diagonal(offset=1, dim1=-2, dim2=-1).mean(dim=-1)

# %% wrong: no-mean
def my_previous_score(attn_weights):
    t = attn_weights.shape[-1]
    cells = torch.diag(torch.ones(t - 1), diagonal=-1)
    return (attn_weights * cells).sum(dim=(-2, -1))

# %% wrong: return-in-loop
def my_previous_score(attn_weights):
    num_tokens = attn_weights.shape[-1]
    total = 0
    for query in range(1, num_tokens):
        total = total + attn_weights[..., query, query - 1]
        return total / (num_tokens - 1)

# %% wrong: row-of-each
def my_previous_score(attn_weights, offset=-1):
    return attn_weights.diagonal(offset=offset, dim1=-2, dim2=-1)

# %% wrong: wrong-axes
def my_previous_score(attn_weights):
    return attn_weights.diagonal(offset=-1).mean(dim=-1)

# %% wrong: zeros-left-out
def my_previous_score(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])
    weights = attn_weights[..., rows, rows - 1]
    has_one = weights > 0
    return (weights * has_one).sum(dim=-1) / has_one.sum(dim=-1)
