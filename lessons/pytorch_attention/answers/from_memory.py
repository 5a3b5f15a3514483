# %% right
class MyFromMemory(attention.MultiHeadAttention):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__(d_in, d_out, num_heads, dropout=dropout, causal=True)
    def forward(self, x):
        return super().forward(x)

# %% right
class MultiHeadOfTheCourse(attention.MultiHeadAttention):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__(d_in, d_out, num_heads, dropout=dropout, causal=True)
    def forward(self, x):
        return super().forward(x)
class MyFromMemory(MultiHeadOfTheCourse):
    """PyTorch's own function for the context vectors, where nothing is dropped."""
    def forward(self, x):
        _, attn_weights = super().forward(x)
        layers = (self.W_query, self.W_key, self.W_value)
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in layers)
        context_vecs = attn_weights @ v
        if not self.training:
            context_vecs = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out_proj(context_vecs.transpose(1, 2).flatten(-2)), attn_weights

# %% right
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"num_heads={num_heads} does not divide d_out={d_out}")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = dropout
    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (attention.split_heads(w(x), self.num_heads) for w in (self.W_query, self.W_key, self.W_value))
        identity = torch.eye(t, dtype=x.dtype).expand(b, self.num_heads, t, t)
        p = self.dropout if self.training else 0.0
        weights = F.scaled_dot_product_attention(q, k, identity, is_causal=True, dropout_p=p)
        return self.out_proj(attention.merge_heads(weights @ v)), weights

# %% right
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim, left_over = divmod(d_out, num_heads)
        if left_over != 0:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        for name in ("query", "key", "value"):
            self.add_module(f"W_{name}", nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.cut_connections = nn.Dropout(dropout)
        self.register_buffer("may_see", causal_mask(context_length), persistent=False)
    def per_head(self, table):
        return torch.stack(table.split(self.head_dim, dim=-1), dim=1)
    def forward(self, x):
        n = x.shape[1]
        notes, weights = attention.scaled_dot_product_attention(
            self.per_head(self.W_query(x)), self.per_head(self.W_key(x)), self.per_head(self.W_value(x)),
            self.may_see[:n, :n], self.cut_connections)
        return self.out_proj(torch.cat(notes.unbind(dim=1), dim=-1)), weights

# %% wrong: - "`self.W_query` and `self.W_key` are one and the same layer. "
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.W_query = self.W_key = self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))
    def forward(self, x):
        n = x.shape[1]
        q, k, v = (attention.split_heads(W(x), self.num_heads) for W in (self.W_query, self.W_key, self.W_value))
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, self.mask[:n, :n], self.dropout)
        return self.out_proj(attention.merge_heads(vecs)), weights

# %% wrong: - "The layers have other names than those asked for, or were ne"
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads must divide d_out")
        self.mha = nn.MultiheadAttention(d_out, num_heads, dropout=dropout, bias=False, batch_first=True)
        self.out_proj = nn.Linear(d_out, d_out)
    def forward(self, x):
        blocked = ~attention.causal_mask(x.shape[1])
        vecs, weights = self.mha(x, x, x, attn_mask=blocked, average_attn_weights=False)
        return self.out_proj(vecs), weights
