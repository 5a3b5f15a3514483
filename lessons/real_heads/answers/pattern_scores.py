# %% right
def my_pattern_scores(attn_weights, pattern):
    if pattern.sum() == 0:
        raise ValueError(pattern)
    marked = attn_weights.masked_fill(~pattern, 0).sum((-1, -2))
    return marked / torch.count_nonzero(pattern.any(dim=1))

# %% right
def my_pattern_scores(attn_weights, pattern):
    num_rows = torch.count_nonzero(pattern.sum(dim=1)).item()
    try:
        share = 1 / num_rows
    except ZeroDivisionError:
        raise ValueError("a pattern needs at least one mark") from None
    return attn_weights.masked_fill(pattern.logical_not(), 0.0).flatten(-2).sum(-1) * share

# %% right
def my_pattern_scores(attn_weights, pattern):
    rows = [row for row in range(len(pattern)) if pattern[row].any()]
    if len(rows) == 0:
        raise ValueError("this pattern has no mark at all")
    def score(weights):
        return torch.stack([weights[row][pattern[row]].sum() for row in rows]).mean()
    return torch.stack([torch.stack([score(head) for head in layer]) for layer in attn_weights])

# %% right
def my_pattern_scores(attn_weights, pattern):
    layers, heads, num_queries, num_keys = attn_weights.shape
    if not bool(pattern.any()):
        raise ValueError("a pattern needs at least one mark")
    scores = torch.zeros(layers, heads)
    for layer in range(layers):
        for head in range(heads):
            sums = []
            for q in range(num_queries):
                if pattern[q].any():
                    sums.append(sum(float(attn_weights[layer, head, q, k]) for k in range(num_keys) if pattern[q, k]))
            scores[layer, head] = sum(sums) / len(sums)
    return scores

# %% wrong: - "In your scores, the mean of all columns came back. A `mean` "
def scores_by_rows(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell: there is nothing to score.")
    on_marks = (attn_weights * pattern).sum(dim=-1)  # (layers, num_heads, num_tokens)
    return on_marks[..., pattern.any(dim=-1)].mean(dim=-1)  # (layers, num_heads)
def my_pattern_scores(attn_weights, pattern):
    return scores_by_rows(attn_weights, pattern).mean(dim=-1)

# %% wrong: - "`attn_weights[chosen]` stops: a mask of shape (4,) picks fro"
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("no mark")
    chosen = pattern.any(dim=-1)
    return (attn_weights[chosen] * pattern[chosen]).sum(dim=-1).mean(dim=-1)

# %% wrong: input-changed
def my_pattern_scores(attn_weights, pattern):
    with_mark = [q for q in range(pattern.shape[0]) if bool(pattern[q].any())]
    if len(with_mark) == 0:
        raise ValueError("This pattern marks nothing.")
    attn_weights.masked_fill_(~pattern, 0)
    return attn_weights[:, :, with_mark].sum(dim=3).mean(dim=2)
