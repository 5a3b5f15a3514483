# %% right
my_merge_heads = attention.merge_heads

# %% right
my_merge_heads = lambda x: torch.einsum('bhtd->bthd', x).flatten(2)

# %% right
def my_merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)

# %% right
def my_merge_heads(x):
    batch, heads, tokens, width = x.shape
    merged = torch.empty(batch, tokens, heads * width, dtype=x.dtype, device=x.device)
    for i in range(heads):
        merged[..., i * width:(i + 1) * width] = x[:, i]
    return merged

# %% wrong: - "In your merged heads, an axis of length 1 is too many, and t"
def my_merge_heads(x):
    notes = x.split(1, dim=1)
    return torch.cat(notes, dim=-1)

# %% wrong: - "The merged heads should have the shape `(1, 4, 6)`. Yours ha"
def my_merge_heads(x):
    merged = torch.cat([head for head in x.unbind(dim=1)], dim=-1)
    return merged.squeeze()
