# %% right
class MyRotaryAttention(attention.MultiHeadAttention):
    def __init__(self, d_in, d_out, num_heads, key_heads, rotate):
        super().__init__(d_in, d_out, num_heads, key_heads=key_heads, causal=True, out_bias=False, rotate=rotate)

    def forward(self, x, cache=None):
        return super().forward(x, cache=cache)

# %% right
class MyRotaryAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, key_heads, rotate):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.h, self.kh, self.rotate = num_heads, key_heads, rotate
        d = d_out // num_heads
        self.W_query = nn.Linear(d_in, num_heads * d, bias=False)
        self.W_key = nn.Linear(d_in, key_heads * d, bias=False)
        self.W_value = nn.Linear(d_in, key_heads * d, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=False)

    def forward(self, x, cache=None):
        past = cache.num_tokens if cache else 0
        new = x.shape[1]
        places = past + torch.arange(new)
        q = self.rotate(attention.split_heads(self.W_query(x), self.h), places)
        k = self.rotate(attention.split_heads(self.W_key(x), self.kh), places)
        v = attention.split_heads(self.W_value(x), self.kh)
        if cache:
            k, v = cache.add(k, v)
        k, v = (p.repeat_interleave(self.h // self.kh, 1) for p in (k, v))
        queries, keys = torch.arange(past, past + new)[:, None], torch.arange(past + new)
        out, w = attention.scaled_dot_product_attention(q, k, v, keys <= queries)
        return self.out_proj(attention.merge_heads(out)), w

# %% right
class MyRotaryAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, key_heads, rotate):
        super().__init__()
        self.num_heads, self.key_heads, self.rotate = num_heads, key_heads, rotate
        width = d_out // num_heads
        self.W_query, self.out_proj = nn.Linear(d_in, d_out, bias=False), nn.Linear(d_out, d_out, bias=False)
        self.W_key, self.W_value = (nn.Linear(d_in, width * key_heads, bias=False) for _ in range(2))

    def forward(self, x, cache=None):
        first = 0 if cache is None else cache.num_tokens
        places = torch.arange(first, first + x.size(1))
        cut = lambda y, n: y.unflatten(-1, (n, -1)).transpose(1, 2)
        q, k, v = cut(self.W_query(x), self.num_heads), cut(self.W_key(x), self.key_heads), cut(self.W_value(x), self.key_heads)
        q, k = self.rotate(q, places), self.rotate(k, places)
        if cache is not None:
            k, v = cache.add(k, v)
        group = self.num_heads // self.key_heads
        tables, outs = [], []
        for h in range(self.num_heads):
            s = q[:, h] @ k[:, h // group].mT / q.shape[-1] ** 0.5
            closed = torch.ones(s.shape[-2:]).triu(first + 1).bool()
            tables.append(s.masked_fill(closed, float("-inf")).softmax(-1))
            outs.append(tables[-1] @ v[:, h // group])
        return self.out_proj(torch.cat(outs, dim=-1)), torch.stack(tables, dim=1)

# %% right
class MyRotaryAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, key_heads, rotate):
        super().__init__()
        self.num_heads = num_heads
        self.key_heads = key_heads
        self.head_dim = d_out // num_heads
        self.rotate = rotate
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, self.head_dim * key_heads, bias=False)
        self.W_value = nn.Linear(d_in, self.head_dim * key_heads, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=False)

    def forward(self, x, cache=None):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.key_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.key_heads, self.head_dim).transpose(1, 2)
        past = cache.num_tokens if cache is not None else 0
        places = torch.arange(t) + past
        q = self.rotate(q, places)
        k = self.rotate(k, places)
        if cache is not None:
            k, v = cache.add(k, v)
        q = q.unflatten(1, (self.key_heads, -1))
        scores = torch.einsum('bkgtd,bksd->bkgts', q, k).flatten(1, 2) / math.sqrt(self.head_dim)
        mask = torch.ones(t, k.shape[2], dtype=torch.bool).tril(past)
        weights = attention.softmax(scores.masked_fill(~mask, -torch.inf))
        out = torch.einsum('bkgts,bksd->btkgd', weights.unflatten(1, (self.key_heads, -1)), v).flatten(2)
        return self.out_proj(out), weights

# %% wrong: - "The cache should now hold 2 tokens, and holds 0. If there is"
class MyRotaryAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, key_heads, rotate):
        super().__init__()
        self.num_heads = num_heads
        self.key_heads = key_heads
        self.head_dim = d_out // num_heads
        self.rotate = rotate
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, key_heads * self.head_dim, bias=False)
        self.W_value = nn.Linear(d_in, key_heads * self.head_dim, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=False)

    def forward(self, x, cache=None):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.key_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.key_heads, self.head_dim).transpose(1, 2)
        start = cache.num_tokens if cache is not None else 0
        places = torch.arange(start, start + t)
        q = self.rotate(q, places)
        k = self.rotate(k, places)
        group = self.num_heads // self.key_heads
        k = k.repeat_interleave(group, dim=1)
        v = v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
        mask = torch.tril(torch.ones(t, start + t, dtype=torch.bool), diagonal=start)
        scores = scores.masked_fill(~mask, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ v).transpose(1, 2).reshape(b, t, -1)
        return self.out_proj(out), weights

# %% wrong: - "Two things are asked for, in this order: `return context_vec"
class MyRotaryAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, key_heads, rotate):
        super().__init__()
        self.num_heads = num_heads
        self.key_heads = key_heads
        self.head_dim = d_out // num_heads
        self.rotate = rotate
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, key_heads * self.head_dim, bias=False)
        self.W_value = nn.Linear(d_in, key_heads * self.head_dim, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=False)

    def forward(self, x, cache=None):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.key_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.key_heads, self.head_dim).transpose(1, 2)
        start = cache.num_tokens if cache is not None else 0
        places = torch.arange(start, start + t)
        q = self.rotate(q, places)
        k = self.rotate(k, places)
        if cache is not None:
            k, v = cache.add(k, v)
        group = self.num_heads // self.key_heads
        k = k.repeat_interleave(group, dim=1)
        v = v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
        mask = torch.tril(torch.ones(t, start + t, dtype=torch.bool), diagonal=start)
        scores = scores.masked_fill(~mask, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ v).transpose(1, 2).reshape(b, t, -1)
        return self.out_proj(out)

# %% wrong: - "With a cache the weights need the shape `(batch, num_heads, "
class MyRotaryAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, key_heads, rotate):
        super().__init__()
        self.num_heads = num_heads
        self.key_heads = key_heads
        self.head_dim = d_out // num_heads
        self.rotate = rotate
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, self.head_dim * key_heads, bias=False)
        self.W_value = nn.Linear(d_in, self.head_dim * key_heads, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=False)

    def forward(self, x, cache=None):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.key_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.key_heads, self.head_dim).transpose(1, 2)
        past = cache.num_tokens if cache is not None else 0
        places = torch.arange(t) + past
        q = self.rotate(q, places)
        k = self.rotate(k, places)
        if cache is not None:
            k, v = cache.add(k, v)
        group = self.num_heads // self.key_heads
        k = k.repeat_interleave(group, dim=1)
        v = v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        mask = attention.causal_mask(k.shape[2])
        weights = attention.softmax(scores.masked_fill(~mask, -torch.inf))
        out = (weights @ v).transpose(1, 2).flatten(2)
        return self.out_proj(out), weights

# %% wrong: - "`MyRotaryAttention.forward` takes `x`, `kv`, and no `cache`."
class MyRotaryAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, key_heads, rotate):
        super().__init__()
        self.num_heads = num_heads
        self.key_heads = key_heads
        self.head_dim = d_out // num_heads
        self.rotate = rotate
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, self.head_dim * key_heads, bias=False)
        self.W_value = nn.Linear(d_in, self.head_dim * key_heads, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=False)

    def forward(self, x, kv=None):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.key_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.key_heads, self.head_dim).transpose(1, 2)
        past = kv.num_tokens if kv is not None else 0
        places = torch.arange(t) + past
        q = self.rotate(q, places)
        k = self.rotate(k, places)
        if kv is not None:
            k, v = kv.add(k, v)
        group = self.num_heads // self.key_heads
        k = k.repeat_interleave(group, dim=1)
        v = v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        mask = torch.ones(t, k.shape[2], dtype=torch.bool).tril(past)
        weights = attention.softmax(scores.masked_fill(~mask, -torch.inf))
        out = (weights @ v).transpose(1, 2).flatten(2)
        return self.out_proj(out), weights

# %% wrong: - "`rotate(attention.split_heads(self.W_query(x), self.num_head"
rotate = None
class MyRotaryAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, key_heads, rotate):
        super().__init__()
        self.num_heads, self.rotate = num_heads, rotate
        self.W_query, self.out_proj = nn.Linear(d_in, d_out, bias=False), nn.Linear(d_out, d_out, bias=False)
        wide = d_out // num_heads * key_heads
        self.W_key, self.W_value = (nn.Linear(d_in, wide, bias=False) for _ in range(2))
    def forward(self, x, cache=None):
        places = torch.arange(x.shape[1]) + (0 if cache is None else cache.num_tokens)
        queries = rotate(attention.split_heads(self.W_query(x), self.num_heads), places)
        return queries, queries
