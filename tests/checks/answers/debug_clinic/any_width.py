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
class MyAnyWidth(attention.SelfAttention):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
    def forward(self, x):
        ahead = torch.full((x.shape[-2], x.shape[-2]), -math.inf).triu(1)
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) / self.W_key.out_features**0.5
        attn_weights = torch.softmax(scores + ahead, dim=-1)
        return attn_weights @ self.W_value(x), attn_weights

# %% right
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).mT / self.d_out**0.5
        future = torch.ones(x.shape[-2], x.shape[-2]).triu(1).bool()
        weights = scores.masked_fill(future, -torch.inf).softmax(-1)
        return weights @ self.W_value(x), weights

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
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.register_buffer("factor", torch.tensor(d_out**-0.5), persistent=False)
    def forward(self, x):
        places = torch.arange(x.shape[-2])
        scores = torch.einsum("...qd,...kd->...qk", self.W_query(x) * self.factor, self.W_key(x))
        weights = torch.where(places[:, None] >= places, scores, -math.inf).softmax(-1)
        return weights @ self.W_value(x), weights

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

# %% right
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_value = nn.Linear(d_in, d_out, False)
        self.W_key = nn.Linear(d_in, d_out, False)
        self.W_query = nn.Linear(d_in, d_out, False)
        self.scale = 1 / math.sqrt(d_out)
    def weights(self, x):
        scores = torch.einsum("...qd,...kd->...qk", self.W_query(x) * self.scale, self.W_key(x))
        future = torch.full_like(scores, -torch.inf).triu(diagonal=1)
        return F.softmax(scores + future, dim=-1)
    def forward(self, x):
        attn_weights = self.weights(x)
        return attn_weights @ self.W_value(x), attn_weights

# %% right
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_value, self.W_key, self.W_query = [nn.Linear(d_in, d_out, bias=False) for _ in "vkq"]
        self.register_buffer("seen", torch.ones(0, 0, dtype=torch.bool), persistent=False)
    def _mask(self, length):
        if len(self.seen) < length:
            places = torch.arange(length)
            self.seen = places[:, None] >= places
        return self.seen[:length, :length]
    def forward(self, x):
        return attention.scaled_dot_product_attention(*self._project(x), mask=self._mask(x.size(-2)))
    def _project(self, x):
        return self.W_query(x), self.W_key(x), self.W_value(x)

# %% right
class KeepsItsWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).mT / self.d_out**0.5
        future = torch.ones(x.shape[-2], x.shape[-2]).triu(1).bool()
        weights = scores.masked_fill(future, -torch.inf).softmax(-1)
        return weights @ self.W_value(x), weights
class MyAnyWidth(KeepsItsWidth):
    def forward(self, x):
        parts = (layer(x) for layer in (self.W_query, self.W_key, self.W_value))
        return attention.scaled_dot_product_attention(*parts, attention.causal_mask(x.shape[-2]))

# %% right
class KeepsItsWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).mT / self.d_out**0.5
        future = torch.ones(x.shape[-2], x.shape[-2]).triu(1).bool()
        weights = scores.masked_fill(future, -torch.inf).softmax(-1)
        return weights @ self.W_value(x), weights
class MyAnyWidth(KeepsItsWidth):
    def forward(self, x):
        mask = torch.tril(torch.ones(x.size(-2), x.size(-2))) == 1
        scores = self.W_query(x) @ self.W_key(x).mT / math.sqrt(self.W_key.out_features)
        weights = attention.softmax(torch.where(mask, scores, -torch.inf))
        return [weights @ self.W_value(x), weights]

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

# %% wrong: extra-bias
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out)
    def forward(self, x):
        mask = attention.causal_mask(x.shape[-2])
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x), mask)

# %% wrong: global-leak
d_out = 12
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
    def forward(self, x):
        n = x.shape[-2]
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) / d_out**0.5
        scores = scores.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        return weights @ self.W_value(x), weights

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

# %% wrong: mask-after-softmax
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        attn_scores = torch.einsum("...qd,...kd->...qk", self.W_query(x), self.W_key(x))
        attn_weights = torch.softmax(attn_scores / self.d_out**0.5, dim=-1)
        attn_weights = attn_weights * attention.causal_mask(x.shape[-2])
        return attn_weights @ self.W_value(x), attn_weights

# %% wrong: mask-from-batch
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.root = d_out**0.5
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        mask = attention.causal_mask(len(x))
        attn_scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) / self.root
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        return attn_weights @ self.W_value(x), attn_weights

# %% wrong: mask-kept
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.scale, self.mask = d_out**-0.5, None
    def forward(self, x):
        if self.mask is None:
            self.mask = causal_mask(x.shape[-2])
        q, k, v = self.W_query(x) * self.scale, self.W_key(x), self.W_value(x)
        attn_weights = attention.softmax((q @ k.transpose(-2, -1)).masked_fill(~self.mask, -torch.inf))
        return attn_weights @ v, attn_weights

# %% wrong: mask-too-small
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        layers = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.W_query, self.W_key, self.W_value = layers
        self.register_buffer("mask", attention.causal_mask(1024))

    def forward(self, x):
        n = x.shape[-2]
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / self.d_out**0.5
        attn_weights = attention.softmax(attn_scores.masked_fill(~self.mask[:n, :n], -torch.inf))
        return attn_weights @ values, attn_weights

# %% wrong: names
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
    def forward(self, x):
        return x, x

# %% wrong: no-mask
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        layers = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.W_query, self.W_key, self.W_value = layers
    def forward(self, x):
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))

# %% wrong: one-layer
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = self.W_key = self.W_value = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        scores = scores.masked_fill(~causal_mask(scores.shape[-1]), -torch.inf)
        weights = attention.softmax(scores)
        return weights @ v, weights

# %% wrong: scale-model
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_in = d_in
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scale = 1 / math.sqrt(self.d_in)
        mask = attention.causal_mask(x.shape[-2])
        return attention.scaled_dot_product_attention(queries, keys, values, mask, scale=scale)

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

# %% wrong: width-fixed
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = q @ k.mT / 12**0.5
        weights = attention.softmax(scores.masked_fill(~attention.causal_mask(x.shape[-2]), -torch.inf))
        return weights @ v, weights
