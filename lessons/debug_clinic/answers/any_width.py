# %% right
class MyAnyWidth(attention.SelfAttention):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out, qkv_bias=False)
    def forward(self, x):
        return self._attend(x, mask=attention.causal_mask(x.size(-2)))

# %% right
class MyAnyWidth(attention.SelfAttention):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
    def forward(self, x):
        n = x.shape[-2]
        past = torch.arange(n)[:, None] >= torch.arange(n)
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x), past)

# %% right
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for role in ("query", "key", "value"):
            self.add_module(f"W_{role}", nn.Linear(d_in, d_out, bias=False))
        self.shrink = math.sqrt(d_out)
    def _share(self, q, k):
        scores = torch.matmul(q, k.mT) / self.shrink
        shut = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return scores.masked_fill(shut, -math.inf).softmax(-1).tril()
    def forward(self, x):
        w = self._share(self.W_query(x), self.W_key(x))
        return w @ self.W_value(x), w

# %% right
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        make = lambda: nn.Linear(in_features=d_in, out_features=d_out, bias=False)
        self.W_value, self.W_key, self.W_query = make(), make(), make()
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        n = x.shape[-2]
        rows = []
        for t in range(n):
            scores = (k[..., :t + 1, :] @ q[..., t, :, None])[..., 0] / q.shape[-1] ** 0.5
            rows.append(F.pad(scores.softmax(dim=-1), (0, n - t - 1)))
        weights = torch.stack(rows, dim=-2)
        return weights @ v, weights

# %% wrong: - "Your layers lie in a Python list or dict. PyTorch does not l"
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.parts = {name: nn.Linear(d_in, d_out, bias=False) for name in ("W_query", "W_key", "W_value")}
    def forward(self, x):
        q, k, v = (layer(x) for layer in self.parts.values())
        scores = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
        weights = attention.softmax(scores.masked_fill(~causal_mask(x.shape[-2]), -torch.inf))
        return weights @ v, weights

# %% wrong: - "`batch, num_tokens, d = x.shape` stops: `x.shape` is (4, 3),"
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
    def forward(self, x):
        batch, num_tokens, d = x.shape
        scores = torch.bmm(self.W_query(x), self.W_key(x).transpose(1, 2)) / d**0.5
        future = torch.ones(num_tokens, num_tokens).triu(1).bool()
        weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
        return torch.bmm(weights, self.W_value(x)), weights

# %% wrong: - "`self.W_query` and `self.W_key` are one and the same layer. "
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = self.W_key = self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return x, x

# %% wrong: - "`self.W_query` is an `nn.Parameter`. A layer is asked for: `"
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.randn(d_in, d_out))
        self.W_key = nn.Parameter(torch.randn(d_in, d_out))
        self.W_value = nn.Parameter(torch.randn(d_in, d_out))
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return attention.scaled_dot_product_attention(q, k, v, causal_mask(x.shape[-2]))

# %% wrong: - "`super().__init__()` is missing: it must be the first line o"
class MyAnyWidth(torch.nn.Module):
    def __init__(self, d_in, d_out):
        self.W_query = torch.nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        return x, x

# %% wrong: tokens-from-width
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.scale = d_out**-0.5
        self.mask = attention.causal_mask(d_in)
    def forward(self, x):
        attn_scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) * self.scale
        attn_weights = attention.softmax(attn_scores.masked_fill(~self.mask, -torch.inf))
        return attn_weights @ self.W_value(x), attn_weights
