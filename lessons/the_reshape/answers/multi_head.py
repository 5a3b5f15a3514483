# %% right
class MyMultiHeadAttention(attention.MultiHeadAttention):
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
class MyMultiHeadAttention(MultiHeadOfTheCourse):
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
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out // num_heads * num_heads != d_out:
            raise ValueError("no whole number of features for each head")
        self.num_heads, self.rate = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        future = torch.full((context_length, context_length), -torch.inf).triu(1)
        self.register_buffer("future", future, persistent=False)
    def forward(self, x):
        n = x.shape[1]
        q, k, v = (f(x).unflatten(2, (self.num_heads, -1)) for f in (self.W_query, self.W_key, self.W_value))
        scores = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(q.shape[-1]) + self.future[:n, :n]
        weights = F.dropout(torch.softmax(scores, -1), self.rate, training=self.training)
        return self.out_proj(torch.einsum("bhij,bjhd->bihd", weights, v).flatten(2)), weights

# %% right
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"d_out = {d_out}, num_heads = {num_heads}: the heads would be uneven")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop_some = nn.Dropout(dropout)
    def forward(self, x):
        future = ~attention.causal_mask(x.shape[1])
        parts = [layer(x).chunk(self.num_heads, dim=-1) for layer in (self.W_query, self.W_key, self.W_value)]
        notes, tables = [], []
        for q, k, v in zip(*parts):
            scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
            table = self.drop_some(torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1))
            tables.append(table)
            notes.append(torch.bmm(table, v))
        return self.out_proj(torch.cat(notes, dim=-1)), torch.stack(tables, dim=1)

# %% wrong: - "The attn weights should have the shape `(2, 4, 5, 5)`. Yours"
def refuse(d_out, num_heads):
    if d_out % num_heads != 0:
        raise ValueError(f"{d_out} features cannot be shared out among {num_heads} heads")
    return d_out // num_heads
class MultiHeadLoop(nn.Module):
    """Head by head, with slices; the mask made anew at each call."""
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim = refuse(d_out, num_heads)
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.p = dropout
    def forward(self, x):
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        notes, tables = [], []
        parts = (layer(x).split(self.head_dim, dim=-1) for layer in (self.W_query, self.W_key, self.W_value))
        for query, key, value in zip(*parts, strict=True):
            scores = (query @ key.mT / math.sqrt(self.head_dim)).masked_fill(mask, float("-inf"))
            weights = F.dropout(scores.softmax(dim=-1), self.p, self.training)
            notes.append(weights @ value)
            tables.append(weights)
        return self.out_proj(torch.cat(notes, dim=-1)), torch.stack(tables, dim=1)
class MyMultiHeadAttention(MultiHeadLoop):
    def forward(self, x):
        context_vecs, attn_weights = super().forward(x)
        return context_vecs, attn_weights[:, :, None]

# %% wrong: - "`out_proj.weight` has the shape `(8, 2)`, and needs `(8, 8)`"
def refuse(d_out, num_heads):
    if d_out % num_heads != 0:
        raise ValueError(f"{d_out} features cannot be shared out among {num_heads} heads")
    return d_out // num_heads
class MultiHeadLoop(nn.Module):
    """Head by head, with slices; the mask made anew at each call."""
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim = refuse(d_out, num_heads)
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.p = dropout
    def forward(self, x):
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        notes, tables = [], []
        parts = (layer(x).split(self.head_dim, dim=-1) for layer in (self.W_query, self.W_key, self.W_value))
        for query, key, value in zip(*parts, strict=True):
            scores = (query @ key.mT / math.sqrt(self.head_dim)).masked_fill(mask, float("-inf"))
            weights = F.dropout(scores.softmax(dim=-1), self.p, self.training)
            notes.append(weights @ value)
            tables.append(weights)
        return self.out_proj(torch.cat(notes, dim=-1)), torch.stack(tables, dim=1)
class MyMultiHeadAttention(MultiHeadLoop):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__(d_in, d_out, num_heads, context_length, dropout)
        self.out_proj = nn.Linear(self.head_dim, d_out)

# %% wrong: inputs-shared-out
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_in % num_heads != 0:
            raise ValueError("width cannot be shared out")
        self.h, self.head_dim = num_heads, d_in // num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))
    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.h, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.h, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.h, self.head_dim).transpose(1, 2)
        s = (q @ k.mT / math.sqrt(self.head_dim)).masked_fill(~self.mask[:t, :t], -torch.inf)
        w = self.dropout(torch.softmax(s, dim=-1))
        return self.out_proj((w @ v).transpose(1, 2).reshape(b, t, -1)), w

# %% wrong: - "The layers have other names than those asked for, or were ne"
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out % num_heads must be 0")
        self.num_heads, self.d_out = num_heads, d_out
        self.c_attn = nn.Linear(d_in, 3 * d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        B, T, _ = x.shape
        hs = self.d_out // self.num_heads
        q, k, v = self.c_attn(x).split(self.d_out, dim=2)
        q, k, v = (t.view(B, T, self.num_heads, hs).transpose(1, 2) for t in (q, k, v))
        att = q @ k.transpose(-2, -1) / math.sqrt(hs)
        att = att.masked_fill(~attention.causal_mask(T), float("-inf"))
        att = self.dropout(torch.softmax(att, dim=-1))
        y = (att @ v).transpose(1, 2).reshape(B, T, self.d_out)
        return self.out_proj(y), att

# %% wrong: ready-made
class MultiHeadOfTheCourse(attention.MultiHeadAttention):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__(d_in, d_out, num_heads, dropout=dropout, causal=True)
    def forward(self, x):
        return super().forward(x)
class MyMultiHeadAttention(MultiHeadOfTheCourse):
    def forward(self, x):
        _, attn_weights = super().forward(x)
        v = attention.split_heads(self.W_value(x), self.num_heads)
        return self.out_proj(attention.merge_heads(attn_weights @ v)), attn_weights
