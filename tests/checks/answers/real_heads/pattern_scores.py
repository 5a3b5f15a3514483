# %% right
def my_pattern_scores(attn_weights, pattern):
    if pattern.sum() == 0:
        raise ValueError(pattern)
    marked = attn_weights.masked_fill(~pattern, 0).sum((-1, -2))
    return marked / torch.count_nonzero(pattern.any(dim=1))

# %% right
def my_pattern_scores(attn_weights, pattern):
    num_rows = int(pattern.any(dim=1).sum())
    if num_rows < 1:
        raise ValueError("mark something")
    return attn_weights.flatten(2) @ pattern.flatten().to(attn_weights.dtype) / num_rows

# %% right
def my_pattern_scores(attn_weights, pattern):
    num_rows = pattern.any(-1).sum()
    if num_rows == 0:
        raise ValueError("an empty pattern")
    return torch.einsum("lhqk,qk->lh", attn_weights, pattern.to(attn_weights.dtype)) / num_rows

# %% right
def my_pattern_scores(attn_weights, pattern):
    number = pattern.any(dim=-1).sum()
    if number == 0:
        raise ValueError("nothing is marked")
    share = pattern.double() / number
    return torch.tensordot(attn_weights.double(), share, dims=2).to(attn_weights.dtype)

# %% right
def my_pattern_scores(attn_weights, pattern):
    num_rows = torch.count_nonzero(torch.count_nonzero(pattern, dim=1))
    if num_rows == 0:
        raise ValueError("the pattern marks nothing")
    share = pattern.to(attn_weights.dtype) / num_rows
    return attn_weights.flatten(-2) @ share.flatten()

# %% right
def my_pattern_scores(attn_weights, pattern):
    total, count = 0, 0
    for row, marks in enumerate(pattern):
        if marks.any():
            total = total + attn_weights[..., row, marks].sum(dim=-1)
            count += 1
    if count == 0:
        raise ValueError("the pattern has no mark")
    return total / count

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
    rows = [i for i in range(len(pattern)) if pattern[i].any()]
    if not rows:
        raise ValueError("nothing is marked")
    scores = torch.zeros(attn_weights.shape[:2], dtype=attn_weights.dtype)
    for layer in range(attn_weights.shape[0]):
        for head in range(attn_weights.shape[1]):
            for row in rows:
                scores[layer, head] += attn_weights[layer, head, row][pattern[row]].sum() / len(rows)
    return scores

# %% right
def my_pattern_scores(attn_weights, pattern):
    rows = pattern.any(dim=1).nonzero().flatten().tolist()
    if len(rows) == 0:
        raise ValueError("a pattern needs at least one mark")
    layers, heads = attn_weights.shape[:2]
    scores = torch.zeros(layers, heads)
    for layer in range(layers):
        for head in range(heads):
            found = [attn_weights[layer, head, row, pattern[row]].sum().item() for row in rows]
            scores[layer, head] = sum(found) / len(found)
    return scores

# %% right
def my_pattern_scores(attn_weights, pattern):
    rows = [row for row in range(len(pattern)) if pattern[row].any()]
    if not rows:
        raise ValueError("the pattern marks nothing")
    num_layers, num_heads = attn_weights.shape[:2]
    scores = torch.zeros(num_layers, num_heads)
    for layer in range(num_layers):
        for head in range(num_heads):
            on_marks = [attn_weights[layer, head, row][pattern[row]].sum() for row in rows]
            scores[layer, head] = torch.stack(on_marks).mean()
    return scores

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

# %% wrong: all-added
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError
    rows = [r for r in range(len(pattern)) if pattern[r].any()]
    total = 0
    for r in rows:
        total += attn_weights[..., r, pattern[r]].sum()
    return total / len(rows)

# %% wrong: all-rows
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern has no mark")
    return (attn_weights * pattern).sum(dim=-1).mean(dim=-1)

# %% wrong: argmax-hits
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell.")
    hits = pattern[torch.arange(len(pattern)), attn_weights.argmax(dim=-1)]
    return hits[..., pattern.any(dim=-1)].to(attn_weights.dtype).mean(dim=-1)

# %% wrong: cells-mean
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell.")
    return attn_weights[..., pattern].mean(dim=-1)

# %% wrong: check-all
def my_pattern_scores(attn_weights, pattern):
    has_mark = pattern.any(dim=-1)
    if not has_mark.all():
        raise ValueError("every row needs a mark")
    return (attn_weights * pattern).sum(-1)[..., has_mark].mean(-1)

# %% wrong: columns-summed
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("mark something")
    marks = attn_weights * pattern
    chosen = pattern.any(dim=0)
    return marks.sum(dim=-2)[..., chosen].mean(dim=-1)

# %% wrong: error-kind
def my_pattern_scores(attn_weights, pattern):
    assert pattern.any(), "the pattern has no mark"
    on_marks = (attn_weights * pattern).sum(dim=-1)
    return on_marks[..., pattern.any(dim=-1)].mean(dim=-1)

# %% wrong: error-returned
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        return ValueError("a pattern without any mark")
    keep = pattern.any(dim=1)
    return (attn_weights[..., keep, :] * pattern[keep]).sum(-1).mean(-1)

# %% wrong: first-head-only
def scores_by_rows(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell: there is nothing to score.")
    on_marks = (attn_weights * pattern).sum(dim=-1)  # (layers, num_heads, num_tokens)
    return on_marks[..., pattern.any(dim=-1)].mean(dim=-1)  # (layers, num_heads)
def my_pattern_scores(attn_weights, pattern):
    return scores_by_rows(attn_weights, pattern)[:1, :1].expand(attn_weights.shape[:2]).clone()

# %% wrong: input-changed
def my_pattern_scores(attn_weights, pattern):
    with_mark = [q for q in range(pattern.shape[0]) if bool(pattern[q].any())]
    if len(with_mark) == 0:
        raise ValueError("This pattern marks nothing.")
    attn_weights.masked_fill_(~pattern, 0)
    return attn_weights[:, :, with_mark].sum(dim=3).mean(dim=2)

# %% wrong: max-for-sum
def my_pattern_scores(attn_weights, pattern):
    if pattern.sum() < 1:
        raise ValueError("nothing is marked")
    best, _ = torch.where(pattern, attn_weights, 0.0).max(dim=-1)
    return best[..., pattern.any(dim=1)].mean(dim=-1)

# %% wrong: no-check
def my_pattern_scores(attn_weights, pattern):
    has_mark = pattern.any(dim=-1)
    on_marks = (attn_weights * pattern).sum(-1)[..., has_mark]
    return on_marks.mean(-1)

# %% wrong: no-mean
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell.")
    return (attn_weights * pattern).sum(dim=(-2, -1))

# %% wrong: rows-of-columns
def my_pattern_scores(attn_weights, pattern):
    chosen = pattern.any(dim=0)
    if not chosen.any():
        raise ValueError("empty pattern")
    on_marks = (pattern * attn_weights).sum(dim=-1)
    return on_marks[:, :, chosen].mean(dim=-1)

# %% wrong: shared-out-anew
def my_pattern_scores(attn_weights, pattern):
    marked_rows = pattern.any(dim=-1)
    if not marked_rows.any():
        raise ValueError("The pattern is empty.")
    only = attn_weights.masked_fill(~pattern, -torch.inf)
    again = attention.softmax(only)
    return (again * pattern).sum(dim=-1)[:, :, marked_rows].mean(dim=-1)

# %% wrong: sizes-fixed
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("a pattern needs at least one mark")
    rows = [r for r in range(len(pattern)) if pattern[r].any()]
    scores = torch.zeros(6, 12)
    for layer in range(6):
        for head in range(12):
            sums = [attn_weights[layer, head, r][pattern[r]].sum() for r in rows]
            scores[layer, head] = torch.stack(sums).mean()
    return scores

# %% wrong: total-not-reset
def my_pattern_scores(attn_weights, pattern):
    rows = [q for q in range(len(pattern)) if pattern[q].any()]
    if not rows:
        raise ValueError("nothing is marked")
    scores = torch.empty(attn_weights.shape[:2])
    for layer in range(attn_weights.shape[0]):
        total = 0.0
        for head in range(attn_weights.shape[1]):
            for q in rows:
                total = total + attn_weights[layer, head, q][pattern[q]].sum()
            scores[layer, head] = total / len(rows)
    return scores

# %% wrong: wrong-axes
def my_pattern_scores(attn_weights, pattern):
    return attn_weights[pattern].mean()

# %% wrong: zeros-left-out
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("no mark in the pattern")
    layers, heads = attn_weights.shape[:2]
    result = torch.zeros(layers, heads)
    for a in range(layers):
        for b in range(heads):
            rows = (attn_weights[a, b] * pattern).sum(dim=1)
            result[a, b] = rows[rows > 0].mean()
    return result
