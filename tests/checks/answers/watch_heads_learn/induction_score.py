# %% right
def my_induction_score(attn_weights, tokens):
    same = torch.eq(tokens[:, None], tokens[None]).tril(-1)
    on_marks = (attn_weights[..., 1:] * same[:, :-1]).sum(-1)
    return on_marks[..., same.any(1)].mean(-1)

# %% right
def my_induction_score(attn_weights, tokens):
    same = (tokens.unsqueeze(1) == tokens).to(attn_weights.dtype)
    marks = torch.zeros_like(same)
    marks[:, 1:] = same[:, :-1]
    marks = torch.tril(marks)
    return torch.einsum("...qk,qk->...", attn_weights, marks) / (marks.sum(dim=-1) > 0).sum()

# %% right
def my_induction_score(attn_weights, tokens):
    rows = []
    for query in range(len(tokens)):
        keys = [key for key in range(1, query + 1) if tokens[key - 1] == tokens[query]]
        if keys:
            rows.append(attn_weights[..., query, keys].sum(dim=-1))
    return torch.stack(rows).mean(dim=0)

# %% right
def my_induction_score(attn_weights, tokens):
    one_hot = F.one_hot(tokens).to(attn_weights.dtype)
    same = one_hot @ one_hot.T
    follows = F.pad(same[:, :-1], (1, 0)).tril()
    rows = follows.sum(dim=1) > 0
    mass = torch.einsum("...qk,qk->...q", attn_weights, follows)
    return (mass * rows).sum(dim=-1) / rows.sum()

# %% right
def my_induction_score(attn_weights, tokens):
    places, sums = {}, []
    for q, token in enumerate(tokens.tolist()):
        if token in places:
            after = [p + 1 for p in places[token]]
            sums.append(attn_weights[..., q, after].sum(-1))
        places.setdefault(token, []).append(q)
    return torch.stack(sums).mean(0)

# %% right
def my_induction_score(attn_weights, tokens):
    num_tokens = tokens.shape[0]
    before = torch.cat([torch.full((1,), -1, dtype=tokens.dtype), tokens[:-1]])  # -1 is no token
    table = ((before[None, :] == tokens[:, None]) & causal_mask(num_tokens)).to(attn_weights.dtype)
    return torch.einsum("...qk,qk->...", attn_weights, table) / table.amax(dim=1).sum()

# %% right
def my_induction_score(attn_weights, tokens):
    seen, total, count = {}, 0.0, 0
    for q, letter in enumerate(tokens.tolist()):
        earlier = seen.setdefault(letter, [])
        if earlier:
            for place in earlier:
                total = total + attn_weights[..., q, place + 1]
            count += 1
        earlier.append(q)
    return total / count

# %% right
def my_induction_score(attn_weights, tokens):
    followers, sums = {}, []
    letters_read = tokens.tolist()
    for q, token in enumerate(letters_read):
        if q > 0:
            followers.setdefault(letters_read[q - 1], []).append(q)
        if followers.get(token):
            sums.append(attn_weights[..., q, followers[token]].sum(dim=-1))
    return sum(sums) / len(sums)

# %% right
def my_induction_score(attn_weights, tokens):
    places, total, count = {}, torch.zeros(attn_weights.shape[:-2], dtype=attn_weights.dtype), 0
    for q, token in enumerate(tokens.tolist()):
        if token in places:
            count += 1
            for p in places[token]:
                total = total + attn_weights[..., q, p + 1]
        places.setdefault(token, []).append(q)
    return total / count

# %% right
def my_induction_score(attn_weights, tokens):
    followers, rows, previous = {}, [], None
    for q, token in enumerate(tokens.tolist()):
        if previous is not None:
            followers.setdefault(previous, []).append(q)
        if token in followers:
            rows.append(attn_weights[..., q, followers[token]].sum(dim=-1))
        previous = token
    return torch.stack(rows, dim=-1).mean(dim=-1)

# %% right
def my_induction_score(attn_weights, tokens):
    n = tokens.numel()
    names = torch.unique(tokens, return_inverse=True)[1]
    letters = F.one_hot(names).float()
    shift = torch.diag(torch.ones(n - 1), 1)  # moves a table one column to the right
    marks = torch.tril((letters @ letters.T) @ shift).to(attn_weights.dtype)
    weight_of_rows = (attn_weights * marks).sum(dim=(-2, -1))
    return weight_of_rows / (marks.sum(dim=1) > 0).sum()

# %% wrong: - "`(attn_weights * marks).sum(dim=-1)[rows]` stops: a mask of "
def my_induction_score(attn_weights, tokens):
    marks = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    same = tokens[:, None] == tokens
    marks[:, 1:] = same[:, :-1]
    marks = marks.tril()
    rows = marks.any(dim=-1)
    return (attn_weights * marks).sum(dim=-1)[rows].mean(dim=-1)

# %% wrong: - "`attn_weights[q, k]` stops: axis 0 of (2, 7, 7) has 2 places"
def my_induction_score(attn_weights, tokens):
    per_query = {}
    for q in range(len(tokens)):
        for k in range(1, q + 1):
            if int(tokens[k - 1]) == int(tokens[q]):
                per_query[q] = per_query.get(q, 0.0) + float(attn_weights[q, k])
    return torch.tensor(sum(per_query.values()) / len(per_query))

# %% wrong: all-added
def my_induction_score(attn_weights, tokens):
    total = 0
    count = 0
    for q in range(len(tokens)):
        for k in range(1, q + 1):
            if tokens[k - 1] == tokens[q]:
                total += attn_weights[..., q, k].sum()
                count += 1
    return total / count

# %% wrong: all-rows
def my_induction_score(attn_weights, tokens):
    n = len(tokens)
    total = torch.zeros(attn_weights.shape[:-2])
    for q in range(n):
        for k in range(1, q + 1):
            if tokens[k - 1] == tokens[q]:
                total += attn_weights[..., q, k]
    return total / n

# %% wrong: before-for-after
def my_induction_score(attn_weights, tokens):
    same = (tokens[:, None] == tokens).tril(-1)
    follows = torch.zeros_like(same)
    follows[:, :-1] = same[:, 1:]
    rows = same.any(dim=-1)
    on_keys = torch.einsum("...qk,qk->...q", attn_weights, follows.to(attn_weights.dtype))
    return on_keys[..., rows].mean(dim=-1)

# %% wrong: cells-mean
def my_induction_score(attn_weights, tokens):
    n = tokens.shape[0]
    shifted = F.pad(tokens[:, None].eq(tokens), (1, 0))[:, :n].tril()
    q, k = shifted.nonzero(as_tuple=True)
    return attn_weights[..., q, k].mean(dim=-1)

# %% wrong: cells-of-first-axes
def my_induction_score(attn_weights, tokens):
    sums = []
    for q in range(len(tokens)):
        keys = [k for k in range(1, q + 1) if tokens[k - 1] == tokens[q]]
        if keys:
            sums.append(attn_weights[q, keys].sum())
    return torch.stack(sums).mean()

# %% wrong: first-only
def my_induction_score(attn_weights, tokens):
    letters = tokens.tolist()
    found = []
    for q, letter in enumerate(letters):
        first = letters.index(letter)
        if first < q:
            found.append(attn_weights[..., q, first + 1])
    return torch.stack(found, dim=-1).mean(dim=-1)

# %% wrong: future-and-roll
def my_induction_score(attn_weights, tokens):
    same = tokens[:, None] == tokens
    moved = same.roll(1, dims=1)
    kept = moved.any(dim=1)
    return (attn_weights * moved).sum(dim=-1)[..., kept].mean(dim=-1)

# %% wrong: future-marked
def my_induction_score(attn_weights, tokens):
    same = tokens[:, None] == tokens[None, :]
    marks = F.pad(same, (1, -1), value=False)
    per_row = (attn_weights * marks).sum(-1)
    has_mark = marks.any(-1)
    return per_row[..., has_mark].mean(-1)

# %% wrong: last-only
def my_induction_score(attn_weights, tokens):
    scores = []
    seen = {}
    for q, token in enumerate(tokens.tolist()):
        if token in seen:
            scores.append(attn_weights[..., q, seen[token] + 1])
        seen[token] = q
    return torch.stack(scores, dim=-1).mean(dim=-1)

# %% wrong: max-for-sum
def my_induction_score(attn_weights, tokens):
    n = len(tokens)
    marks = torch.zeros(n, n, dtype=torch.bool)
    marks[:, 1:] = tokens[:, None] == tokens[None, :-1]
    marks = marks & torch.ones(n, n, dtype=torch.bool).tril()
    best = attn_weights.masked_fill(~marks, 0.0).amax(dim=-1)
    return best[..., marks.any(dim=-1)].mean(dim=-1)

# %% wrong: moved-down
def my_induction_score(attn_weights, tokens):
    same = (tokens[:, None] == tokens[None, :]).long()
    moved = torch.zeros_like(same)
    moved[1:] = same[:-1]
    marks = moved.tril(-1).bool()
    per_query = torch.einsum("...qk,qk->...q", attn_weights, marks.to(attn_weights.dtype))
    rows = marks.sum(dim=1).nonzero().flatten()
    return per_query.index_select(-1, rows).mean(dim=-1)

# %% wrong: neighbour-missed
def my_induction_score(attn_weights, tokens):
    rows = []
    for q in range(tokens.shape[0]):
        keys = [k for k in range(1, q) if tokens[k - 1] == tokens[q]]
        if keys:
            rows.append(attn_weights[..., q, keys].sum(dim=-1))
    return torch.stack(rows).mean(dim=0)

# %% wrong: qk-swapped
def my_induction_score(attn_weights, tokens):
    total, n = 0, 0
    length = tokens.numel()
    for q in range(length):
        row, found = 0, False
        for k in range(1, q + 1):
            if tokens[k - 1].item() == tokens[q].item():
                row = row + attn_weights[..., k, q]
                found = True
        if found:
            total = total + row
            n += 1
    return total / n

# %% wrong: row-mean
def my_induction_score(attn_weights, tokens):
    per_query = []
    for q in range(len(tokens)):
        hits = [attn_weights[..., q, k] for k in range(1, q + 1) if tokens[k - 1] == tokens[q]]
        if len(hits) > 0:
            per_query.append(sum(hits) / len(hits))
    return sum(per_query) / len(per_query)

# %% wrong: same-token
def my_induction_score(attn_weights, tokens):
    same = (tokens[:, None] == tokens[None, :]).tril(-1)
    has_any = same.any(dim=-1)
    return (attn_weights * same).sum(dim=-1)[..., has_any].mean(dim=-1)

# %% wrong: wraps-round
def my_induction_score(attn_weights, tokens):
    rows = []
    for query in range(len(tokens)):
        keys = [key for key in range(query + 1) if tokens[key - 1] == tokens[query]]
        if keys:
            rows.append(attn_weights[..., query, keys].sum(dim=-1))
    return torch.stack(rows).mean(dim=0)

# %% wrong: zeros-left-out
def my_induction_score(attn_weights, tokens):
    same = tokens[:, None] == tokens
    follows = F.pad(same, (1, 0))[:, :-1].tril()
    weight = (attn_weights * follows).sum(dim=-1)  # (..., num_tokens)
    return weight.sum(dim=-1) / (weight > 0).sum(dim=-1)
