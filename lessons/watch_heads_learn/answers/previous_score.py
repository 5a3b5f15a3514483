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
