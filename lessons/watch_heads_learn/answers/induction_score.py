# %% right
def my_induction_score(attn_weights, tokens):
    same = torch.eq(tokens[:, None], tokens[None]).tril(-1)
    on_marks = (attn_weights[..., 1:] * same[:, :-1]).sum(-1)
    return on_marks[..., same.any(1)].mean(-1)

# %% right
def my_induction_score(attn_weights, tokens):
    num_tokens = tokens.shape[0]
    before = torch.cat([torch.full((1,), -1, dtype=tokens.dtype), tokens[:-1]])  # -1 is no token
    table = ((before[None, :] == tokens[:, None]) & causal_mask(num_tokens)).to(attn_weights.dtype)
    return torch.einsum("...qk,qk->...", attn_weights, table) / table.amax(dim=1).sum()

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
