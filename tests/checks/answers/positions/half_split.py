# %% right
def my_half_split(weight, num_heads):
    return weight[torch.arange(weight.size(0)).view(num_heads, -1, 2).permute(0, 2, 1).reshape(-1)]

# %% right
def my_half_split(weight, num_heads):
    return torch.cat([torch.cat([head[::2], head[1::2]]) for head in weight.chunk(num_heads, dim=0)])

# %% right
def my_half_split(weight, num_heads):
    order = torch.arange(len(weight)).reshape(num_heads, -1, 2).mT.flatten()
    return weight[order]

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

# %% right
def my_half_split(weight, num_heads):
    head_dim = len(weight) // num_heads
    new = torch.empty_like(weight)
    for head in range(num_heads):
        start = head * head_dim
        for i in range(head_dim // 2):
            new[start + i] = weight[start + 2 * i]
            new[start + head_dim // 2 + i] = weight[start + 2 * i + 1]
    return new

# %% wrong: - "In your weight, the right numbers are all there, in the wron"
def my_half_split(weight, num_heads):
    heads = attention.split_heads(weight, num_heads)
    return torch.cat([heads[..., ::2], heads[..., 1::2]], -1)

# %% wrong: - "`weight.view(num_heads, d_out // num_heads, 2, d_in)` stops:"
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    return weight.view(num_heads, d_out // num_heads, 2, d_in).transpose(1, 2).reshape(d_out, d_in)

# %% wrong: axes-swapped
def my_half_split(weight, num_heads):
    d_in, d_out = weight.shape
    return weight.view(num_heads, d_out // num_heads // 2, 2, d_in).transpose(1, 2).reshape(d_in, d_out)

# %% wrong: backwards
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    head_dim = d_out // num_heads
    return weight.view(num_heads, 2, head_dim // 2, d_in).transpose(1, 2).reshape(d_out, d_in)

# %% wrong: cat-side-by-side
def my_half_split(weight, num_heads):
    heads = weight.chunk(num_heads)
    return torch.cat([torch.cat([h[0::2], h[1::2]], dim=1) for h in heads])

# %% wrong: columns-moved
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    return weight.view(d_out, num_heads, -1, 2).transpose(-2, -1).reshape(d_out, d_in)

# %% wrong: halves-swapped
def my_half_split(weight, num_heads):
    heads = weight.chunk(num_heads)
    out = []
    for h in heads:
        half = len(h) // 2
        out.append(torch.cat([h[half:], h[:half]]))
    return torch.cat(out)

# %% wrong: head-size-typed
# a head has eight numbers
def my_half_split(weight, num_heads):
    order = torch.tensor([0, 2, 4, 6, 1, 3, 5, 7])
    heads = weight.view(num_heads, 8, -1)
    return heads[:, order].reshape(weight.shape)

# %% wrong: heads-dealt-out
def my_half_split(weight, num_heads):
    return torch.cat([weight[h::num_heads] for h in range(num_heads)])

# %% wrong: heads-ignored
def my_half_split(weight, num_heads):
    return torch.cat([weight[0::2], weight[1::2]])

# %% wrong: heads-thinned
def my_half_split(weight, num_heads):
    heads = weight.unflatten(0, (num_heads, -1))
    return torch.cat([heads[::2], heads[1::2]]).flatten(0, 1)

# %% wrong: neighbours-swapped
def my_half_split(weight, num_heads):
    return weight.view(-1, 2, weight.shape[1]).flip(1).reshape(weight.shape)

# %% wrong: not-contiguous
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    return weight.view(num_heads, -1, 2, d_in).transpose(1, 2).view(d_out, d_in)

# %% wrong: order-returned
def my_half_split(weight, num_heads):
    index = torch.arange(weight.shape[0]).view(num_heads, -1, 2)
    return index.transpose(1, 2).reshape(-1)

# %% wrong: pair-swapped
def my_half_split(weight, num_heads):
    blocks = weight.chunk(num_heads)
    return torch.cat([torch.cat([block[1::2], block[0::2]]) for block in blocks])

# %% wrong: read-after-writing
def my_half_split(weight, num_heads):
    head_dim = weight.shape[0] // num_heads
    for head in range(num_heads):
        for i in range(head_dim // 2):
            weight[head * head_dim + i] = weight[head * head_dim + 2 * i]
            weight[head * head_dim + head_dim // 2 + i] = weight[head * head_dim + 2 * i + 1]
    return weight

# %% wrong: seconds-in-halves
def my_half_split(weight, num_heads):
    head_dim = weight.shape[0] // num_heads
    heads = weight.view(num_heads, head_dim, -1)
    first, second = heads[:, 0::2], heads[:, head_dim // 2 :]
    return torch.cat([first, second], dim=1).reshape(weight.shape)

# %% wrong: shared-heads
def my_half_split(weight, num_heads):
    head_dim = weight.shape[0] // num_heads
    order = list(range(0, head_dim, 2)) + list(range(1, head_dim, 2))
    return weight[order * num_heads]

# %% wrong: sign-added
def my_half_split(weight, num_heads):
    heads = weight.unflatten(0, (num_heads, -1))
    return torch.cat([-heads[:, 1::2], heads[:, ::2]], dim=1).flatten(0, 1)

# %% wrong: sizes-swapped
def my_half_split(weight, num_heads):
    blocks = weight.split(num_heads)
    return torch.cat([torch.cat([block[0::2], block[1::2]]) for block in blocks])
