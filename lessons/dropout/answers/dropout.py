# %% right
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(p)
    return torch.where(noise < p, torch.zeros_like(x), x / (1 - p))

# %% right
def my_dropout(x, noise, p):
    keep_share = 1 - p
    if keep_share <= 0 or keep_share > 1:
        raise ValueError(f"rate {p} is not in [0, 1)")
    return x.div(keep_share).masked_fill(noise.lt(p), 0)

# %% right
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("rate must be at least 0 and below 1")
    if x.dim() == 0:
        return x * 0 if noise < p else x / (1 - p)
    if len(x) == 0:
        return x.clone()
    return torch.stack([my_dropout(part, drawn, p) for part, drawn in zip(x, noise)])

# %% right
def my_dropout(x, noise, p):
    if p < 0:
        raise ValueError(f"rate below 0: {p}")
    if p >= 1:
        raise ValueError(f"rate of 1 or more: {p}")
    numbers = []
    for number, drawn in zip(x.flatten().tolist(), noise.flatten().tolist()):
        numbers.append(0.0 if drawn < p else number / (1 - p))
    return torch.tensor(numbers, dtype=x.dtype).reshape(x.shape)

# %% wrong: - "For the result, a NumPy array came back. Stay with torch all"
my_dropout = lambda x, noise, p: (x * (noise >= p)).numpy()

# %% wrong: - "In the result, the first difference is at `[0, 0]`: it shoul"
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"p = {p}")
    kept = noise >= p
    share = kept.float().mean()
    return torch.where(kept, x / share, torch.zeros_like(x))

# %% wrong: - "The result has the dtype `torch.bool` where `torch.float32` "
my_dropout = lambda x, noise, p: noise >= p
