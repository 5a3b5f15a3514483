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
def my_split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("the heads cannot get equal shares")
    width = x.shape[-1] // num_heads
    return x.unfold(-1, width, width).permute(0, 2, 1, 3)

# %% right
def my_split_heads(x, num_heads):
    d_out = x.shape[-1]
    if d_out % num_heads:
        raise ValueError(f"d_out = {d_out} is no multiple of num_heads = {num_heads}")
    places = torch.arange(d_out).reshape(num_heads, -1)
    return x[..., places].movedim(2, 1)

# %% right
def my_split_heads(x, num_heads):
    head_dim, rest = divmod(x.shape[-1], num_heads)
    if rest:
        raise ValueError("the heads must have equal shares")
    slices = []
    for i in range(num_heads):
        slices.append(x[..., i * head_dim:(i + 1) * head_dim])
    return torch.stack(slices, dim=1)

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
    d_out = x.shape[2]
    head_dim = d_out // num_heads
    if head_dim * num_heads != d_out:
        raise ValueError(f"{d_out} cannot be cut into {num_heads} equal parts")
    pick = torch.eye(d_out, dtype=x.dtype).view(num_heads, head_dim, d_out)
    return torch.einsum("btd,hed->bhte", x, pick)

# %% right
def my_split_heads(x, num_heads):
    d_out = x.shape[-1]
    if d_out % num_heads != 0:
        raise ValueError(f"d_out={d_out} is not divisible by num_heads={num_heads}")
    features_first = x.permute(0, 2, 1)
    per_head = features_first.reshape(x.shape[0], num_heads, d_out // num_heads, x.shape[1])
    return per_head.mT.contiguous()

# %% right
def refuse(d_out, num_heads):
    if d_out % num_heads != 0:
        raise ValueError(f"{d_out} features cannot be shared out among {num_heads} heads")
    return d_out // num_heads
def my_split_heads(x, num_heads):
    head_dim = refuse(x.shape[-1], num_heads)
    return torch.stack([x[:, :, i * head_dim : (i + 1) * head_dim] for i in range(num_heads)], dim=1)

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

# %% right
def refuse(d_out, num_heads):
    if d_out % num_heads != 0:
        raise ValueError(f"{d_out} features cannot be shared out among {num_heads} heads")
    return d_out // num_heads
def my_split_heads(x, num_heads):
    head_dim = refuse(x.shape[-1], num_heads)
    heads = x.new_zeros(x.shape[0], num_heads, x.shape[1], head_dim)
    for head in range(num_heads):
        for feature in range(head_dim):
            heads[:, head, :, feature] = x[:, :, head * head_dim + feature]
    return heads

# %% right
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    if d_out != d_out // num_heads * num_heads:
        raise ValueError("uneven")
    head_dim = d_out // num_heads
    out = torch.zeros(batch, num_heads, num_tokens, head_dim, dtype=x.dtype, device=x.device)
    for text in range(batch):
        for token in range(num_tokens):
            for feature in range(d_out):
                out[text, feature // head_dim, token, feature % head_dim] = x[text, token, feature]
    return out

# %% wrong: - "It gives a tuple of 4 back. One thing is asked for: the head"
my_split_heads = lambda x, h: x.chunk(h, -1)

# %% wrong: check-inverted
def my_split_heads(x, num_heads):
    d_out = x.shape[-1]
    if num_heads % d_out != 0:
        raise ValueError("num_heads and d_out do not fit")
    return x.unflatten(-1, (num_heads, d_out // num_heads)).transpose(1, 2)

# %% wrong: check-wrong-axis
def my_split_heads(x, num_heads):
    b, t, d = x.shape
    if t % num_heads > 0:
        raise ValueError("cannot be shared out evenly")
    return x.view(b, t, num_heads, d // num_heads).transpose(1, 2)

# %% wrong: error-kind
def split(x, num_heads):
    batch_size, num_tokens, d_out = x.shape
    check_divisible(d_out, num_heads)
    return x.view(batch_size, num_tokens, num_heads, d_out // num_heads).transpose(1, 2)
def check_divisible(d_out, num_heads):
    if d_out % num_heads:
        raise ValueError(f"d_out = {d_out} is not divisible by num_heads = {num_heads}.")
def my_split_heads(x, num_heads):
    assert x.shape[-1] % num_heads == 0, "d_out must be divisible"
    return split(x, num_heads)

# %% wrong: error-returned
def my_split_heads(x, num_heads):
    d_out = x.shape[2]
    if d_out % num_heads > 0:
        return ValueError("d_out cannot be shared out evenly")
    head_dim = d_out // num_heads
    return x.view(x.shape[0], x.shape[1], num_heads, head_dim).transpose(1, 2)

# %% wrong: features-dealt-out
def my_split_heads(x, num_heads):
    b, t, d = x.shape
    if d % num_heads != 0:
        raise ValueError(f"{d} features, {num_heads} heads")
    return x.view(b, t, d // num_heads, num_heads).permute(0, 3, 1, 2)

# %% wrong: heads-overlap
def my_split_heads(x, num_heads):
    d_out = x.shape[-1]
    if d_out % num_heads:
        raise ValueError("cannot share out")
    head_dim = d_out // num_heads
    return torch.stack([x[..., i : i + head_dim] for i in range(num_heads)], dim=1)

# %% wrong: moved-before-cut
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    if d_out % num_heads:
        raise ValueError("uneven heads")
    head_dim = d_out // num_heads
    return x.transpose(1, 2).reshape(batch, num_heads, num_tokens, head_dim)

# %% wrong: not-cut
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    if d_out % num_heads:
        raise ValueError("no")
    return x.unsqueeze(1).expand(batch, num_heads, num_tokens, d_out)

# %% wrong: not-divisible
def my_split_heads(x, num_heads):
    return x.view(*x.shape[:2], num_heads, x.shape[-1] // num_heads).transpose(1, 2)

# %% wrong: sizes-swapped
def my_split_heads(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        raise ValueError("cannot be shared out evenly")
    return torch.stack(torch.split(x, num_heads, dim=-1), dim=1)

# %% wrong: slices-late
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    if d_out % num_heads:
        raise ValueError("no")
    head_dim = d_out // num_heads
    return torch.stack([x[..., i * head_dim + 1 : (i + 1) * head_dim + 1] for i in range(num_heads)], dim=1)

# %% wrong: tokens-shared-out
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    if d_out % num_heads:
        raise ValueError("cannot share out")
    return torch.stack(x.chunk(num_heads, dim=1), dim=1)

# %% wrong: view-no-transpose
def my_split_heads(x, num_heads):
    b, t, d = x.size()
    if d % num_heads > 0:
        raise ValueError("uneven heads")
    return x.reshape(b, num_heads, t, d // num_heads)
