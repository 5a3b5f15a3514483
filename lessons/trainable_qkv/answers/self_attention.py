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

# %% wrong: - "`self.W_query` and `self.W_key` are one and the same layer. "
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = self.W_key = self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))

# %% wrong: - "`self.W_query` is an `nn.Parameter`. A layer is asked for: `"
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.randn(d_in, d_out))
        self.W_key = nn.Parameter(torch.randn(d_in, d_out))
        self.W_value = nn.Parameter(torch.randn(d_in, d_out))
    def forward(self, x):
        return attention.scaled_dot_product_attention(x @ self.W_query, x @ self.W_key, x @ self.W_value)

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
