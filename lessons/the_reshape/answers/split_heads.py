# %% right
my_split_heads = attention.split_heads

# %% right
def my_split_heads(x, num_heads):
    d_out = x.shape[-1]
    if d_out % num_heads:
        raise ValueError("no even share")
    head_dim = d_out // num_heads
    return x.unfold(2, head_dim, head_dim).movedim(2, 1)

# %% right
def refuse(d_out, num_heads):
    if d_out % num_heads != 0:
        raise ValueError(f"{d_out} features cannot be shared out among {num_heads} heads")
    return d_out // num_heads
def my_split_heads(x, num_heads):
    refuse(x.size(2), num_heads)
    return torch.stack(x.chunk(num_heads, dim=2)).permute(1, 0, 2, 3)

# %% right
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    head_dim = d_out // num_heads
    if head_dim * num_heads != d_out:
        raise ValueError(f"d_out = {d_out} is not a multiple of {num_heads}")
    result = torch.empty(batch, num_heads, num_tokens, head_dim, dtype=x.dtype)
    for head in range(num_heads):
        first = head * head_dim
        result[:, head] = x.narrow(-1, first, head_dim)
    return result

# %% wrong: - "It gives a tuple of 4 back. One thing is asked for: the head"
my_split_heads = lambda x, h: x.chunk(h, -1)
