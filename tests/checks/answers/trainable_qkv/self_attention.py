# %% right
MySelfAttention = attention.SelfAttention

# %% right
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for part in ("query", "key", "value"):
            self.add_module(f"W_{part}", nn.Linear(in_features=d_in, out_features=d_out, bias=False))
    def forward(self, x):
        return attention.scaled_dot_product_attention(*[layer(x) for layer in self.children()])

# %% right
class ThreeParts(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for part in ("query", "key", "value"):
            setattr(self, f"W_{part}", nn.Linear(d_in, d_out, bias=False))
class MySelfAttention(ThreeParts):
    def forward(self, x):
        parts = [getattr(self, f"W_{part}")(x) for part in ("query", "key", "value")]
        return attention.scaled_dot_product_attention(*parts)

# %% right
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_value, self.W_key, self.W_query = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.register_buffer("root", torch.tensor(float(d_out)).sqrt())
        self.dropout = nn.Dropout(0.0)
    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).mT / self.root
        weights = attention.softmax(scores)
        return [self.dropout(weights) @ self.W_value(x), weights]

# %% right
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_value", "W_key", "W_query"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.to_weights = nn.Softmax(dim=-1)
    def weights_of(self, x):
        q, k = self.W_query(x), self.W_key(x)
        return self.to_weights(torch.einsum("...qd,...kd->...qk", q, k).div(math.sqrt(q.size(-1))))
    def forward(self, x):
        w = self.weights_of(x)
        return w.matmul(self.W_value(x)), w

# %% wrong: - "A class is asked for: `class MySelfAttention(nn.Module):`."
MySelfAttention = lambda d_in, d_out: attention.SelfAttention(d_in, d_out)

# %% wrong: - "The layers have other names than those asked for, or were ne"
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.q_proj = nn.Linear(d_in, d_out, bias=False)
        self.k_proj = nn.Linear(d_in, d_out, bias=False)
        self.v_proj = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        return attention.scaled_dot_product_attention(self.q_proj(x), self.k_proj(x), self.v_proj(x))

# %% wrong: - "This is an object made from your class. The check makes its "
MySelfAttention = attention.SelfAttention(3, 2)

# %% wrong: - "`MySelfAttention` has no `forward` yet: look at its name and"
MySelfAttention = type('NoForward', (nn.Module,), {})

# %% wrong: - "`W_value.weight` has the shape `(3, 3)`, and needs `(2, 3)`."
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_in, bias=False)
    def forward(self, x):
        asks, answers, delivers = self.W_query(x), self.W_key(x), self.W_value(x)
        fit = asks @ answers.mT
        fit = fit / asks.shape[-1] ** 0.5
        share = fit.softmax(-1)
        return share @ delivers, share

# %% wrong: - "`self.W_query` is an `nn.Parameter`. A layer is asked for: `"
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.randn(d_in, d_out))
        self.W_key = nn.Parameter(torch.randn(d_in, d_out))
        self.W_value = nn.Parameter(torch.randn(d_in, d_out))
    def forward(self, x):
        return attention.scaled_dot_product_attention(x @ self.W_query, x @ self.W_key, x @ self.W_value)

# %% wrong: batch-required
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = F.softmax(att, dim=-1)
        return att @ v, att

# %% wrong: detached
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1)
        attn_weights = attention.softmax(scores / self.W_query.out_features ** 0.5).detach()
        return attn_weights @ self.W_value(x), attn_weights

# %% wrong: dropout-in-eval
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.sizes = (d_in, d_out)
        self.make_layers()
    def make_layers(self):
        self.W_query = nn.Linear(*self.sizes, bias=False)
        self.W_key = nn.Linear(*self.sizes, bias=False)
        self.W_value = nn.Linear(*self.sizes, bias=False)
    def forward(self, x):
        self.make_layers()
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))

# %% wrong: extra-bias
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out) for _ in range(3))
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        w = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
        return w @ v, w

# %% wrong: mask-unasked
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        attn_scores = attn_scores.masked_fill(~attention.causal_mask(x.shape[-2]), -torch.inf)
        attn_weights = torch.softmax(attn_scores, dim=-1)
        return attn_weights @ values, attn_weights

# %% wrong: no-scale
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out)
    def forward(self, x):
        attn_scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1)
        attn_weights = torch.softmax(attn_scores, dim=-1)
        return attn_weights @ self.W_value(x), attn_weights

# %% wrong: one-layer
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        layer = nn.Linear(d_in, d_out, bias=False)
        self.W_query = layer
        self.W_key = layer
        self.W_value = layer
    def forward(self, x):
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))

# %% wrong: qk-swapped
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.root = d_out**0.5
    def forward(self, x):
        scores = torch.einsum("...id,...jd->...ij", self.W_key(x), self.W_query(x)) / self.root
        weights = scores.softmax(-1)
        return weights @ self.W_value(x), weights

# %% wrong: scale-after
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_weights = torch.softmax(queries @ keys.transpose(-2, -1), dim=-1) / keys.shape[-1] ** 0.5
        return attn_weights @ values, attn_weights

# %% wrong: scale-model
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_in = d_in
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        attn_weights = attention.softmax(q @ k.mT / math.sqrt(self.d_in))
        return attn_weights @ v, attn_weights

# %% wrong: softmax-axis
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
    def forward(self, x):
        queries, keys = self.W_query(x), self.W_key(x)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        weights = torch.softmax(scores, dim=1)
        return weights @ self.W_value(x), weights

# %% wrong: softmax-axis + scale-model
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.scale = d_in**0.5
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        table = self.W_query(x) @ self.W_key(x).transpose(-1, -2)
        table = table / self.scale
        weights = table.softmax(dim=-2)
        return weights @ self.W_value(x), weights

# %% wrong: v-unprojected
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
    def forward(self, x):
        q, k = self.W_query(x), self.W_key(x)
        _, attn_weights = attention.scaled_dot_product_attention(q, k, k)
        return attn_weights @ x, attn_weights

# %% wrong: values-for-keys
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ values.transpose(-2, -1) / queries.shape[-1] ** 0.5
        attn_weights = torch.softmax(attn_scores, dim=-1)
        return attn_weights @ values, attn_weights

# %% wrong: weights-missing
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
    def forward(self, x):
        return F.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))
