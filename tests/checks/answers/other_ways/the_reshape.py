# %% wrong split_heads: not-divisible
def split(x, num_heads):
    batch_size, num_tokens, d_out = x.shape
    check_divisible(d_out, num_heads)
    return x.view(batch_size, num_tokens, num_heads, d_out // num_heads).transpose(1, 2)


def check_divisible(d_out, num_heads):
    if d_out % num_heads:
        raise ValueError(f"d_out = {d_out} is not divisible by num_heads = {num_heads}.")


def my_split_heads(x, num_heads):
    head_dim = x.shape[-1] // num_heads
    return split(x[..., : num_heads * head_dim], num_heads)

# %% wrong split_heads: not-divisible
def my_split_heads(x, num_heads):
    return x.view(*x.shape[:2], num_heads, x.shape[-1] // num_heads).transpose(1, 2)

# %% wrong split_heads: float-size
def check_divisible(d_out, num_heads):
    if d_out % num_heads:
        raise ValueError(f"d_out = {d_out} is not divisible by num_heads = {num_heads}.")


def my_split_heads(x, num_heads):
    check_divisible(x.shape[-1], num_heads)
    return x.view(*x.shape[:2], num_heads, x.shape[-1] / num_heads).transpose(1, 2)

# %% wrong split_heads: error-kind
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

# %% wrong merge_heads: batch-mixed
def my_merge_heads(x):
    return torch.cat(list(x), dim=-1)
