# %% wrong previous_score: row-of-each
def my_previous_score(attn_weights, offset=-1):
    return attn_weights.diagonal(offset=offset, dim1=-2, dim2=-1)

# %% wrong previous_score: cells-of-first-axes
def my_previous_score(attn_weights):
    """Cells read as if there were no axes in front."""
    return sum(attn_weights[row, row - 1] for row in range(1, len(attn_weights))) / (len(attn_weights) - 1)

# %% wrong previous_score: one-axis-in-front
def my_previous_score(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])
    return attn_weights[:, rows, rows - 1].mean(dim=-1)

# %% wrong induction_score: cells-of-first-axes
def followed(tokens):
    """True where the key comes right after an earlier place of the query's token; (num_tokens, num_tokens)."""
    same = tokens[:, None] == tokens[None, :]  # (num_queries, num_keys)
    return torch.nn.functional.pad(same, (1, 0))[:, :-1].tril()  # one to the right, and nothing ahead of the query


def my_induction_score(attn_weights, tokens):
    keys = [(row, marks.nonzero().flatten()) for row, marks in enumerate(followed(tokens)) if marks.any()]
    return torch.stack([attn_weights[row, some].sum(dim=-1) for row, some in keys]).mean(dim=0)

# %% wrong measure_without: function-stored
def my_measure_without(layers, measure):
    table = torch.zeros(len(layers), layers[0].attention.num_heads)
    table[0, 0] = measure
