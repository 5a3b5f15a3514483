# %% right
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(p)
    return torch.where(noise < p, torch.zeros_like(x), x / (1 - p))

# %% right
def my_dropout(x, noise, p):
    if p not in (0,) and not 0 < p < 1:
        raise ValueError(p)
    return x.masked_fill(noise < p, 0.0).div(1 - p)

# %% right
def my_dropout(x, noise, p):
    if 0 <= p < 1:
        return (x / (1 - p)).masked_fill(noise < p, 0)
    raise ValueError(f"dropout rate out of range: {p}")

# %% right
def my_dropout(x, noise, p):
    keep_share = 1 - p
    if keep_share <= 0 or keep_share > 1:
        raise ValueError(f"rate {p} is not in [0, 1)")
    return x.div(keep_share).masked_fill(noise.lt(p), 0)

# %% right
def my_dropout(x, noise, p):
    if not (p >= 0 and p < 1):
        raise ValueError("0 <= p < 1, please")
    bigger = x.clone()
    bigger[noise < p] = 0
    bigger[noise >= p] *= 1 / (1 - p)
    return bigger

# %% right
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"got {p}")
    larger = x.clone()
    if p == 0:
        return larger
    larger = larger / (1 - p)
    larger[torch.lt(noise, p)] = 0.0
    return larger

# %% right
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"no rate: {p}")
    cells = [0 * a if b < p else a / (1 - p) for a, b in zip(x.flatten(), noise.flatten(), strict=True)]
    return torch.stack(cells).view(x.shape)

# %% right
def my_dropout(x, noise, p):
    if p < 0:
        raise ValueError("negative rate")
    if p >= 1:
        raise ValueError("a rate of 1 or more drops everything")
    kept = torch.heaviside(noise - p, noise.new_ones(()))
    return x.mul(kept).div(1 - p)

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
    if p < 0 or p >= 1:
        raise ValueError(f"a rate of {p} makes no sense")
    result = []
    for number, drawn in zip(x.reshape(-1), noise.reshape(-1)):
        result.append(number * 0 if drawn < p else number / (1 - p))
    if not result:
        return x.clone()
    return torch.stack(result).reshape(x.shape)

# %% right
def check_rate(rate):
    if rate < 0:
        raise ValueError("a rate below 0")
    if rate >= 1:
        raise ValueError("a rate of 1 or more drops everything")
    return 1 / (1 - rate)
def my_dropout(x, noise, p):
    factor = check_rate(p)
    result = torch.zeros_like(x)
    kept = ~(noise < p)
    result[kept] = x[kept] * factor
    return result

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

# %% wrong: dropout-inverted
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"got p = {p}")
    keep = noise < p
    return x * keep / (1 - p)

# %% wrong: dropout-missing
def my_dropout(x, noise, p):
    if p < 0.0:
        raise ValueError("negative rate")
    if p >= 1.0:
        raise ValueError("nothing would be kept")
    result = x.clone()
    result.masked_fill(noise < p, 0.0)
    result = result / (1.0 - p)
    return result

# %% wrong: dropout-no-rescale
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"p must be in [0, 1), got {p}")
    return x * (noise >= p)

# %% wrong: edge-dropped
def my_dropout(x, noise, p):
    if not (0 <= p < 1):
        raise ValueError(f"p = {p}")
    return x * (noise > p) / (1 - p)

# %% wrong: error-kind
def my_dropout(x, noise, p):
    assert 0 <= p < 1, ValueError("p must be at least 0 and below 1")
    return x.masked_fill(noise < p, 0.0) / (1.0 - p)

# %% wrong: error-returned
def my_dropout(x, noise, p):
    if p >= 1 or p < 0:
        return ValueError("p is no share")
    mask = torch.ones_like(x)
    mask[noise < p] = 0
    return mask * x / (1 - p)

# %% wrong: half-rate
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("p")
    zeros_and_ones = noise.round()
    return x * zeros_and_ones / (1 - p)

# %% wrong: input-changed
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"a rate is a share from 0 to 1, got {p}")
    x[noise < p] = 0.0
    return x / (1 - p)

# %% wrong: keep-rate
def refuse_rate(p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")
def my_dropout(x, noise, p):
    refuse_rate(p)
    return x * (noise < p) / p

# %% wrong: noise-multiplied
def refuse_rate(p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")
def my_dropout(x, noise, p):
    refuse_rate(p)
    return x * noise / (1 - p)

# %% wrong: one-row-only
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"bad rate: {p}")
    after = []
    for number, drawn in zip(x.tolist(), noise.tolist()):
        after.append(0.0 if drawn < p else number / (1 - p))
    return torch.tensor(after)

# %% wrong: random
def refuse_rate(p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")
def my_dropout(x, noise, p):
    refuse_rate(p)
    return x * (torch.rand_like(x) >= p) / (1 - p)

# %% wrong: range-one
def my_dropout(x, noise, p):
    if p < 0 or p > 1:
        raise ValueError(f"p must lie between 0 and 1, not {p}")
    keep = (noise >= p).float()
    return x * keep / (1 - p)

# %% wrong: range-zero
def my_dropout(x, noise, p):
    if p <= 0 or p >= 1:
        raise ValueError(f"p must lie between 0 and 1, but is {p}")
    return (x / (1 - p)).masked_fill(noise < p, 0.0)

# %% wrong: rescale-added
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"p = {p}")
    return x * (noise >= p) * (1 + p)

# %% wrong: rescale-by-count
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"p is {p}")
    kept = noise >= p
    return x * kept / kept.float().mean()

# %% wrong: rescale-multiplied
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"rate {p} makes no sense")
    kept = torch.where(noise < p, 0.0, x)
    return kept * (1 - p)

# %% wrong: shared-out
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"p = {p}")
    kept = x * (noise >= p)
    return kept / kept.sum(dim=-1, keepdim=True)

# %% wrong: survivors-only
def my_dropout(x, noise, p):
    if p >= 1 or p < 0:
        raise ValueError("a rate is a share")
    kept = x[noise >= p]
    return kept / (1 - p)

# %% wrong: x-compared
def refuse_rate(p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")
def my_dropout(x, noise, p):
    refuse_rate(p)
    return x * (x >= p) / (1 - p)
