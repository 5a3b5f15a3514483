# %% right
def my_half_split(weight, num_heads):
    return weight[torch.arange(weight.size(0)).view(num_heads, -1, 2).permute(0, 2, 1).reshape(-1)]

# %% right
def my_half_split(weight, num_heads):
    return torch.cat([torch.cat([head[::2], head[1::2]]) for head in weight.chunk(num_heads, dim=0)])

# %% right
def my_half_split(weight, num_heads):
    head_dim = weight.shape[0] // num_heads
    order = [*range(0, head_dim, 2), *range(1, head_dim, 2)]
    return torch.block_diag(*[torch.eye(head_dim, dtype=weight.dtype)[order]] * num_heads) @ weight

# %% right
def my_half_split(weight, num_heads):
    reordered, half = torch.empty_like(weight), len(weight) // num_heads // 2
    for row in range(len(weight)):
        head, within = divmod(row, 2 * half)
        pair, second = divmod(within, 2)
        reordered[head * 2 * half + second * half + pair] = weight[row]
    return reordered

# %% wrong: - "In your weight, the right numbers are all there, in the wron"
def my_half_split(weight, num_heads):
    heads = attention.split_heads(weight, num_heads)
    return torch.cat([heads[..., ::2], heads[..., 1::2]], -1)

# %% wrong: - "`weight.view(num_heads, d_out // num_heads, 2, d_in)` stops:"
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    return weight.view(num_heads, d_out // num_heads, 2, d_in).transpose(1, 2).reshape(d_out, d_in)
