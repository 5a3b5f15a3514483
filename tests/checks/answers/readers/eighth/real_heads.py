# %% wrong pattern_scores: - "`attn_weights[chosen]` stops: a mask of shape (4,) picks fro"
# rows by index
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("no mark")
    chosen = pattern.any(dim=-1)
    return (attn_weights[chosen] * pattern[chosen]).sum(dim=-1).mean(dim=-1)

# %% wrong same_pattern: - "`return torch.tensor([[tokens[I] == tokens[j] and I != j for"
# In
def my_same_pattern(tokens):
    n = len(tokens)
    return torch.tensor([[tokens[I] == tokens[j] and I != j for j in range(n)] for i in range(n)])
