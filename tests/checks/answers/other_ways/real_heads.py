# %% wrong same_pattern: itself-marked
def my_same_pattern(tokens):
    return torch.tensor([[a == b for b in tokens] for a in tokens])

# %% wrong same_pattern: back-only
def same_by_loop(tokens):
    return torch.tensor([[a == b and i != j for j, b in enumerate(tokens)] for i, a in enumerate(tokens)])


def my_same_pattern(tokens):
    return same_by_loop(tokens).tril()

# %% wrong same_pattern: ahead-only
def same_by_loop(tokens):
    return torch.tensor([[a == b and i != j for j, b in enumerate(tokens)] for i, a in enumerate(tokens)])


def my_same_pattern(tokens):
    return same_by_loop(tokens).triu()

# %% wrong same_pattern: first-only
def my_same_pattern(tokens):
    pattern = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    for i, token in enumerate(tokens):
        pattern[i, tokens.index(token)] = tokens.index(token) != i
    return pattern

# %% wrong same_pattern: mask-inverted
def my_same_pattern(tokens):
    return torch.tensor([[a != b for b in tokens] for a in tokens])

# %% wrong same_pattern: diagonal-only
def my_same_pattern(tokens):
    return torch.eye(len(tokens)).bool()

# %% wrong pattern_scores: cells-mean
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell.")
    return attn_weights[..., pattern].mean(dim=-1)

# %% wrong pattern_scores: wrong-axes
def my_pattern_scores(attn_weights, pattern):
    return attn_weights[pattern].mean()

# %% wrong pattern_scores: no-mean
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell.")
    return (attn_weights * pattern).sum(dim=(-2, -1))

# %% wrong pattern_scores: weights-averaged
def scores_by_rows(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell: there is nothing to score.")
    on_marks = (attn_weights * pattern).sum(dim=-1)  # (layers, num_heads, num_tokens)
    return on_marks[..., pattern.any(dim=-1)].mean(dim=-1)  # (layers, num_heads)


def my_pattern_scores(attn_weights, pattern):
    return scores_by_rows(attn_weights, pattern).mean(dim=-1)

# %% wrong pattern_scores: first-head-only
def scores_by_rows(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell: there is nothing to score.")
    on_marks = (attn_weights * pattern).sum(dim=-1)  # (layers, num_heads, num_tokens)
    return on_marks[..., pattern.any(dim=-1)].mean(dim=-1)  # (layers, num_heads)


def my_pattern_scores(attn_weights, pattern):
    return scores_by_rows(attn_weights, pattern)[:1, :1].expand(attn_weights.shape[:2]).clone()

# %% wrong pattern_scores: argmax-hits
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell.")
    hits = pattern[torch.arange(len(pattern)), attn_weights.argmax(dim=-1)]
    return hits[..., pattern.any(dim=-1)].to(attn_weights.dtype).mean(dim=-1)

# %% wrong top_heads: worst-first
def top_by_flat_index(scores, count):
    best = scores.flatten().topk(count).indices  # (count,)
    return torch.stack([best // scores.shape[-1], best % scores.shape[-1]], dim=-1)  # (count, 2)


def my_top_heads(scores, count):
    return top_by_flat_index(scores, count).flip(0)

# %% wrong top_heads: flat-index
def my_top_heads(scores, count):
    return scores.flatten().topk(count).indices

# %% wrong top_heads: scores-returned
def my_top_heads(scores, count):
    return scores.flatten().topk(count).values

# %% wrong top_heads: per-layer
def my_top_heads(scores, count):
    return scores.topk(min(count, scores.shape[-1]), dim=-1).indices

# %% wrong top_heads: axes-joined
def top_by_flat_index(scores, count):
    best = scores.flatten().topk(count).indices  # (count,)
    return torch.stack([best // scores.shape[-1], best % scores.shape[-1]], dim=-1)  # (count, 2)


def my_top_heads(scores, count):
    return top_by_flat_index(scores, count).transpose(0, 1)

# %% wrong without_head: not-restored
def columns(attention, head, head_dim):
    return slice(None), slice(head * head_dim, (head + 1) * head_dim)


def my_without_head(attention, x, head):
    kept = attention.out_proj.weight.detach()
    head_dim = attention.out_proj.in_features // attention.num_heads
    with torch.no_grad():
        attention.out_proj.weight[columns(attention, head, head_dim)] = 0
        found = attention(x)[0]
        attention.out_proj.weight.copy_(kept)
    return found

# %% wrong without_head: query-zeroed
def my_without_head(attention, x, head):
    kept = {name: tensor.clone() for name, tensor in attention.state_dict().items()}
    head_dim = attention.out_proj.in_features // attention.num_heads
    rows = slice(head * head_dim, (head + 1) * head_dim)
    with torch.no_grad():
        attention.W_query.weight[rows], attention.W_query.bias[rows] = 0, 0
    found = attention(x)[0]
    attention.load_state_dict(kept)
    return found

# %% wrong without_head: head-count-dim + no-grad-missing
def my_without_head(attention, x, head):
    attention.out_proj.weight[:, :3] = 0
    return attention(x)[0]

# %% wrong without_head: frozen
def without(attention, x, head):
    kept = attention.out_proj.weight.detach().clone()
    head_dim = attention.out_proj.in_features // attention.num_heads
    try:
        with torch.no_grad():
            attention.out_proj.weight[:, head * head_dim : (head + 1) * head_dim] = 0
        return attention(x)[0]
    finally:
        with torch.no_grad():
            attention.out_proj.weight.copy_(kept)


def my_without_head(attention, x, head):
    found = without(attention, x, head)
    attention.requires_grad_(False)
    return found

# %% wrong without_head: output-columns
def my_without_head(attention, x, head):
    head_dim = attention.out_proj.in_features // attention.num_heads
    output = attention(x)[0].clone()
    output[..., head * head_dim : (head + 1) * head_dim] = 0
    return output
