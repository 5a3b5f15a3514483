# %% right
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        for name, width in {"W_query": d_in, "W_key": kdim, "W_value": vdim}.items():
            self.add_module(name, nn.Linear(width, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.cut = (num_heads, d_out // num_heads)
    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        q, k, v = (f(x).unflatten(-1, self.cut)
                   for f, x in zip((self.W_query, self.W_key, self.W_value), (queries, keys, values)))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * self.cut[1] ** -0.5
        if valid_lens is not None:
            is_real = torch.arange(keys.shape[1])[None] < torch.as_tensor(valid_lens)[:, None]
            scores = scores + torch.log(is_real.float())[:, None, None]
        weights = attention.softmax(scores)
        return self.out_proj(torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(-2)), weights

# %% right
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.shape = (num_heads, d_out // num_heads)
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        q, k, v = (table.unflatten(-1, self.shape).permute(0, 2, 1, 3)
                   for table in (self.W_query(queries), self.W_key(keys), self.W_value(values)))
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, k.shape[-2])
        identity = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:2], -1, -1)
        notes = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        weights = F.scaled_dot_product_attention(q, k, identity, attn_mask=mask)
        return self.out_proj(notes.permute(0, 2, 1, 3).flatten(2)), weights

# %% right
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        widths = {"W_query": d_in, "W_key": kdim, "W_value": vdim}
        for name, width in widths.items():
            self.add_module(name, nn.Linear(width, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.n = num_heads
    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        if valid_lens is None:
            valid_lens = torch.full((keys.shape[0],), keys.shape[1])
        mask = attention.padding_mask(valid_lens, keys.shape[1])[:, 0]
        found = [
            attention.scaled_dot_product_attention(q, k, v, mask)
            for q, k, v in zip(
                self.W_query(queries).chunk(self.n, -1), self.W_key(keys).chunk(self.n, -1),
                self.W_value(values).chunk(self.n, -1),
            )
        ]
        vecs = torch.cat([pair[0] for pair in found], dim=-1)
        return self.out_proj(vecs), torch.stack([pair[1] for pair in found], dim=1)

# %% right
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        widths = {"query": d_in, "key": kdim, "value": vdim}
        self.layers = nn.ModuleDict({name: nn.Linear(width, d_out, bias=False) for name, width in widths.items()})
        self.layers["out"] = nn.Linear(d_out, d_out)
        self.W_query, self.W_key, self.W_value, self.out_proj = self.layers.values()
    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        heads = [
            attention.split_heads(layer(x), self.num_heads)
            for layer, x in zip(self.layers.values(), (queries, keys, values))
        ]
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, keys.shape[1])
        context_vecs, attn_weights = attention.scaled_dot_product_attention(*heads, mask)
        return self.layers["out"](attention.merge_heads(context_vecs)), attn_weights

# %% wrong: - "The layers have other names than those asked for, or were ne"
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.query, self.key, self.value = (nn.Linear(width, d_out, bias=False) for width in (d_in, kdim, vdim))
        self.out = nn.Linear(d_out, d_out)
    def forward(self, queries, keys, values=None, valid_lens=None):
        return queries, keys

# %% wrong: - "This is an object made from your class. The check makes its "
def folded_by_torch(queries, keys, values, valid_lens):
    lens = torch.repeat_interleave(valid_lens, len(queries) // len(valid_lens))
    mask = torch.arange(keys.shape[1]) < lens[:, None, None]
    _, weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask), weights
class Layers(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(width, d_out, bias=False) for width in (d_in, kdim, vdim))
        self.out_proj = nn.Linear(d_out, d_out)
    def project(self, queries, keys, values):
        return self.W_query(queries), self.W_key(keys), self.W_value(keys if values is None else values)
class Folded(Layers):
    def forward(self, queries, keys, values=None, valid_lens=None):
        heads = [attention.split_heads(x, self.num_heads).flatten(0, 1) for x in self.project(queries, keys, values)]
        lens = torch.full((len(queries),), keys.shape[1]) if valid_lens is None else valid_lens
        context_vecs, weights = folded_by_torch(*heads, lens)
        context_vecs, weights = (x.unflatten(0, (-1, self.num_heads)) for x in (context_vecs, weights))
        return [self.out_proj(attention.merge_heads(context_vecs)), weights]
MyCrossAttention = Folded(3, 4, 2, 3, 3)

# %% wrong: - "Your layers lie in a Python list or dict. PyTorch does not l"
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.layers = [nn.Linear(width, d_out, bias=False) for width in (d_in, kdim, vdim)]
    def forward(self, queries, keys, values=None, valid_lens=None):
        return queries, keys

# %% wrong: - "`SelfAttention.__init__` takes `d_in`, `d_out`, `qkv_bias`, "
MyCrossAttention = attention.SelfAttention
