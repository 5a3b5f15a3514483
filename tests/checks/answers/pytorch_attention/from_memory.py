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
def split_one(x, num_heads):
    return x.view(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("the heads do not divide d_out")
        self.num_heads = num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        parts = (split_one(layer(x), self.num_heads) for layer in (self.W_query, self.W_key, self.W_value))
        mask = attention.causal_mask(x.shape[1])
        context_vecs, weights = attention.scaled_dot_product_attention(*parts, mask, self.dropout)
        return self.out_proj(attention.merge_heads(context_vecs)), weights

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

# %% wrong: check-wrong-axis
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_in % num_heads != 0:
            raise ValueError("d_in must be divisible by num_heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        q = split_heads(self.W_query(x), self.num_heads)
        k = split_heads(self.W_key(x), self.num_heads)
        v = split_heads(self.W_value(x), self.num_heads)
        mask = causal_mask(x.shape[-2])
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, mask, self.dropout)
        return self.out_proj(merge_heads(vecs)), weights

# %% wrong: dropout-before-softmax
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError
        self.n_heads = num_heads
        self.drop = nn.Dropout(dropout)
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
    def forward(self, x):
        x = self.drop(x)
        q, k, v = (split_heads(w(x), self.n_heads) for w in (self.W_query, self.W_key, self.W_value))
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / q.shape[-1] ** 0.5
        weights = attention.softmax(scores.masked_fill(~causal_mask(x.shape[1]), -torch.inf))
        return self.out_proj(merge_heads(torch.einsum("bhij,bhjd->bhid", weights, v))), weights

# %% wrong: dropout-in-eval
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("the heads must divide d_out")
        self.num_heads, self.p = num_heads, dropout
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
    def forward(self, x):
        q, k, v = [w(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for w in (self.W_query, self.W_key, self.W_value)]
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
        weights = F.dropout(torch.softmax(scores, -1), self.p)
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2)), weights

# %% wrong: dropout-rate
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout()
        self.register_buffer("mask", attention.causal_mask(context_length))
    def forward(self, x):
        n = x.shape[1]
        q, k, v = (attention.split_heads(f(x), self.num_heads) for f in (self.W_query, self.W_key, self.W_value))
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, self.mask[:n, :n], self.dropout)
        return self.out_proj(attention.merge_heads(vecs)), weights

# %% wrong: features-dealt-out
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("heads do not divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def split(self, x):
        b, t, d = x.shape
        return x.view(b, t, d // self.num_heads, self.num_heads).permute(0, 3, 1, 2)

    def forward(self, x):
        t = x.shape[1]
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        scores = scores.masked_fill(~self.mask[:t, :t], -torch.inf)
        weights = self.dropout(attention.softmax(scores))
        out = (weights @ v).permute(0, 2, 3, 1).flatten(2)
        return self.out_proj(out), weights

# %% wrong: features-dealt-out + scale-model
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"d_out {d_out} is not divisible by {num_heads}")
        self.nh, self.hd = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("bias_table", torch.full((context_length, context_length), -torch.inf).triu(1))
    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.nh, self.hd)
        k = self.W_key(x).view(b, t, self.nh, self.hd)
        v = self.W_value(x).view(b, t, self.nh, self.hd)
        s = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(self.nh * self.hd) + self.bias_table[:t, :t]
        w = self.dropout(s.softmax(dim=-1))
        z = torch.einsum("bhij,bjhd->bidh", w, v).reshape(b, t, -1)
        return self.out_proj(z), w

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

# %% wrong: residual-added
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be a multiple of num_heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))
    def forward(self, x):
        n = x.shape[1]
        heads = [split_heads(layer(x), self.num_heads) for layer in (self.W_query, self.W_key, self.W_value)]
        vecs, weights = attention.scaled_dot_product_attention(*heads, self.mask[:n, :n], self.dropout)
        return x + self.out_proj(merge_heads(vecs)), weights

# %% wrong: softmax-axis
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out")
        self.heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = (torch.stack(f(x).chunk(self.heads, -1), 1) for f in (self.W_query, self.W_key, self.W_value))
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        s = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.shape[-1])
        w = self.drop(F.softmax(s.masked_fill(future, -torch.inf), dim=-2))
        return self.out_proj(torch.cat((w @ v).unbind(1), dim=-1)), w

# %% wrong: view-no-transpose + merge-no-transpose
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("not divisible")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (w(x).view(b, self.num_heads, t, self.head_dim) for w in (self.W_query, self.W_key, self.W_value))
        mask = attention.causal_mask(t)
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, mask, self.dropout)
        return self.out_proj(vecs.reshape(b, t, -1)), weights

# %% wrong: weights-are-none
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out has to be divisible by num_heads")
        self.num_heads = num_heads
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        split = lambda layer: attention.split_heads(layer(x), self.num_heads)
        p = self.dropout.p if self.training else 0.0
        vecs = F.scaled_dot_product_attention(
            split(self.W_query), split(self.W_key), split(self.W_value), is_causal=True, dropout_p=p
        )
        return self.out_proj(attention.merge_heads(vecs)), None

# %% wrong: weights-unmasked
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out % num_heads must be 0")
        self.h, self.p = num_heads, dropout
        self.W_query, self.W_key, self.W_value = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.out_proj = nn.Linear(d_out, d_out)
    def forward(self, x):
        q, k, v = [split_heads(layer(x), self.h) for layer in (self.W_query, self.W_key, self.W_value)]
        p = self.p if self.training else 0.0
        vecs = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=p)
        weights = (q @ k.mT / math.sqrt(q.size(-1))).softmax(-1)
        return self.out_proj(merge_heads(vecs)), weights
