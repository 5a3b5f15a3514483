# %% wrong induction_score: - "`(attn_weights * marks).sum(dim=-1)[rows]` stops: a mask of "
# rows
def my_induction_score(attn_weights, tokens):
    marks = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    same = tokens[:, None] == tokens
    marks[:, 1:] = same[:, :-1]
    marks = marks.tril()
    rows = marks.any(dim=-1)
    return (attn_weights * marks).sum(dim=-1)[rows].mean(dim=-1)

# %% wrong previous_score: first-row-wraps
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    return sum(attn_weights[..., i, i - 1] for i in range(n)) / (n - 1)
