# %% right
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("a rate is at least 0 and less than 1")
        self.p = p
    @torch.no_grad()
    def forward(self, x):
        if not self.training:
            return x
        mask = (torch.rand_like(x) > self.p).float()
        return mask * x / (1.0 - self.p)

# %% right
class MyDropout(nn.Module):
    """The layer with `if`, comparing the other way round."""
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("p")
        self.p = p
    def forward(self, x):
        if self.training and self.p > 0:
            keep = (torch.rand(x.shape) < 1 - self.p).to(x.dtype)
            return keep * x / (1 - self.p)
        return x

# %% right
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not (p >= 0 and p < 1):
            raise ValueError(f"MyDropout: {p!r} is no rate")
        self.keep = 1.0 - p
    def forward(self, x):
        if not self.training or self.keep == 1.0:
            return x
        ones_and_zeros = torch.floor(torch.rand_like(x) + self.keep)
        return x.div(self.keep) * ones_and_zeros

# %% right
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("the rate is a share below 1")
        self.kept = 1.0 - p
    def forward(self, x):
        if not self.training or self.kept == 1.0:
            return x
        switches = torch.floor(torch.rand(x.shape, device=x.device, dtype=x.dtype) + self.kept).clamp(0, 1)
        return x * switches / self.kept

# %% right
def checked(rate):
    if 0 <= rate < 1:
        return rate
    raise ValueError(f"rate out of range: {rate}")
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.rate = checked(p)
    def forward(self, x):
        return self._dropped(x) if self.training else x
    def _dropped(self, x):
        larger = x * (1 / (1 - self.rate))
        larger[torch.rand(x.shape, device=x.device) < self.rate] = 0
        return larger

# %% wrong: - "The numbers are right at first. In a further test, a second "
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError(f"p must be at least 0 and below 1, got {p}")
    def forward(self, x):
        if self.training:
            keep = torch.rand(x.shape) >= p
            return x * keep / (1 - p)
        return x

# %% wrong: columns-together
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not (0 <= p < 1):
            raise ValueError(f"{p} is not a share")
        self.p = p
    def forward(self, x):
        if not self.training:
            return x
        noise = torch.rand(x.shape[-1])
        return x * (noise >= self.p) / (1 - self.p)

# %% wrong: dropout-in-eval
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError(f"p must be in [0, 1), got {p}")
        self.p = p
    def forward(self, x):
        keep = torch.rand_like(x) >= self.p
        return x * keep / (1 - self.p)

# %% wrong: dropped-again
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(p)
        self.p = p

    def forward(self, x):
        if self.training:
            for row in range(len(x)):
                x = x * (torch.rand_like(x) >= self.p) / (1 - self.p)
        return x

# %% wrong: eval-scaled
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"got {p}")
        self.p = p
    def forward(self, x):
        if self.training:
            return x * (torch.rand(x.shape) >= self.p)
        return x * (1 - self.p)

# %% wrong: mode-called
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError(f"not a rate: {p}")
        self.p = p
        self.train = True
    def forward(self, x):
        if self.train:
            return x * (torch.rand_like(x) >= self.p) / (1 - self.p)
        return x

# %% wrong: mode-overridden
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("p must be in [0, 1)")
        self.p = p
        self.active = True
    def eval(self):
        self.active = False
        return super().eval()
    def forward(self, x):
        if not self.active:
            return x
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)

# %% wrong: no-range-check
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p
    def keep(self, x):
        if self.p < 0 or self.p >= 1:
            raise ValueError(f"dropout rate {self.p}")
        return (torch.rand(x.size()) >= self.p).to(x.dtype)
    def forward(self, x):
        if not self.training:
            return x
        return self.keep(x).mul(x).div(1 - self.p)

# %% wrong: randn-for-rand
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p >= 1 or p < 0:
            raise ValueError("rate must be at least 0 and below 1, got " + repr(p))
        self.rate = p
    def forward(self, x):
        if self.training:
            drawn = torch.randn_like(x)
            x = x.masked_fill(drawn < self.rate, 0.0) / (1 - self.rate)
        return x

# %% wrong: range-late
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p
    def forward(self, x):
        if self.p < 0 or self.p >= 1:
            raise ValueError(f"rate {self.p}")
        if self.training:
            noise = torch.rand(*x.shape)
            return (noise >= self.p) * x / (1 - self.p)
        return x

# %% wrong: range-one
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0.0 or p > 1.0:
            raise ValueError("dropout probability has to be between 0 and 1, but got {}".format(p))
        self.p = p
        self.scale = lambda kept: kept / (1 - self.p)
    def forward(self, x):
        if not self.training:
            return x
        mask = torch.rand(*x.shape) >= self.p
        return self.scale(x * mask)

# %% wrong: ready-made
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError(f"p out of range: {p}")
        self.p = p
    def forward(self, x):
        return F.dropout(x, self.p, training=self.training)

# %% wrong: rescale-wrong
class ByNoise(nn.Module):
    """The layer with `if`, comparing the other way round."""
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("p")
        self.p = p
    def forward(self, x):
        if self.training and self.p > 0:
            keep = (torch.rand(x.shape) < 1 - self.p).to(x.dtype)
            return keep * x / (1 - self.p)
        return x
class MyDropout(ByNoise):
    def forward(self, x):
        return x * (torch.rand_like(x) >= self.p) * 1.2 if self.training else x

# %% wrong: same-draw
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p >= 1 or p < 0:
            raise ValueError("bad p")
        self.p = p
    def forward(self, x):
        if not self.training:
            return x
        torch.manual_seed(123)
        mask = torch.rand(x.shape) >= self.p
        return mask * x * (1 / (1 - self.p))

# %% wrong: zeros-in-eval
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"p must be in [0, 1), got {p}")
        self.p = p

    def forward(self, x):
        if not self.training:
            return torch.zeros_like(x)
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)
