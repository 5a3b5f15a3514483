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
