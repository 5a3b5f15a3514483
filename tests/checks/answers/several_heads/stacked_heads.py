# %% right
class MyStackedHeads(attention.StackedHeads):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__(d_in, head_dim, context_length, num_heads)

# %% right
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.Sequential(
            *(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)))
    def forward(self, x):
        both = [head(x) for head in self.heads]
        return torch.cat([b[0] for b in both], dim=-1), torch.cat([b[1].unsqueeze(1) for b in both], dim=1)

# %% right
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        make = attention.CausalAttention
        self.heads = nn.ModuleList([make(d_in, head_dim, context_length) for _ in range(num_heads)])
    def forward(self, x):
        vecs, weights = (torch.stack(part, dim=1) for part in zip(*(head(x) for head in self.heads)))
        b, h, t, d = vecs.shape
        return vecs.permute(0, 2, 1, 3).reshape(b, t, h * d), weights

# %% right
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(attention.CausalAttention(d_in, head_dim, context_length, dropout=0.0))
    def forward(self, x):
        all_vecs, all_weights = [], []
        for head in self.heads:
            context_vecs, attn_weights = head(x)
            all_vecs.append(context_vecs)
            all_weights.append(attn_weights)
        return torch.concat(all_vecs, 2), torch.stack(all_weights, -3)

# %% right
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList()
        while len(self.heads) < num_heads:
            self.heads.append(attention.CausalAttention(d_in, head_dim, context_length))
    def forward(self, x):
        context, weights = self.heads[0](x)
        weights = weights[:, None]
        for head in self.heads[1:]:
            more, w = head(x)
            context = torch.cat((context, more), dim=-1)
            weights = torch.cat((weights, w.unsqueeze(1)), dim=1)
        return context, weights

# %% wrong: - "`self.heads(x)` stops: it gets a tuple. Where a call gives s"
# Sequential holds modules, and calls them all
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.Sequential(
            *[attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)])

    def forward(self, x):
        notes, weights = self.heads(x)
        return torch.cat(notes, dim=-1), torch.stack(weights, dim=1)

# %% wrong: - "`torch.cat(outs, dim=-1)` stops: a list of tensors is needed"
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))
    def forward(self, x):
        outs = [head(x) for head in self.heads]
        context = torch.cat(outs, dim=-1)
        weights = torch.stack(outs, dim=1)
        return context, weights

# %% wrong: cat-for-stack
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(
            [attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)]
        )
    def forward(self, x):
        context_list, weight_list = [], []
        for h in self.heads:
            pair = h(x)
            context_list += [pair[0]]
            weight_list += [pair[1]]
        return torch.cat(context_list, dim=-1), torch.cat(weight_list, dim=1)

# %% wrong: cat-of-tokens
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        notes, weights = [], []
        for head in self.heads:
            note, weight = head(x)
            notes.append(note)
            weights.append(weight)
        return torch.cat(notes, dim=1), torch.stack(weights, dim=1)

# %% wrong: counts-swapped
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            attention.CausalAttention(d_in, head_dim, num_heads) for _ in range(context_length))

    def forward(self, x):
        results = [head(x) for head in self.heads]
        return torch.cat([v for v, _ in results], dim=-1), torch.stack([w for _, w in results], dim=1)

# %% wrong: detached
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList()
        for i in range(num_heads):
            self.heads.append(attention.CausalAttention(d_in, head_dim, context_length))
    def forward(self, x):
        vecs = [head(x)[0].detach().numpy() for head in self.heads]
        weights = [head(x)[1].detach().numpy() for head in self.heads]
        return torch.from_numpy(np.concatenate(vecs, axis=-1)), torch.from_numpy(np.stack(weights, axis=1))

# %% wrong: features-dealt-out
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))
    def forward(self, x):
        context, weights = zip(*[head(x) for head in self.heads])
        return torch.stack(context, dim=-1).flatten(-2), torch.stack(weights, dim=1)

# %% wrong: head-dim-divided
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        width = head_dim // num_heads
        self.heads = nn.ModuleList([attention.CausalAttention(d_in, width, context_length) for i in range(num_heads)])
    def forward(self, x):
        context_vecs, attn_weights = zip(*[head(x) for head in self.heads])
        return torch.cat(context_vecs, dim=-1), torch.stack(attn_weights, dim=-3)

# %% wrong: heads-chained
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(
            [attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)])
    def forward(self, x):
        notes, weights = [], []
        for head in self.heads:
            x, w = head(x)
            notes.append(x)
            weights.append(w)
        return torch.cat(notes, dim=-1), torch.stack(weights, dim=1)

# %% wrong: - "Your layers lie in a Python list or dict. PyTorch does not l"
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = []
        while len(self.heads) < num_heads:
            self.heads += [attention.CausalAttention(d_in, head_dim, context_length=context_length)]
    def forward(self, x):
        results = list(map(lambda head: head(x), self.heads))
        return torch.cat([r[0] for r in results], -1), torch.stack([r[1] for r in results], -3)

# %% wrong: heads-reversed
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        notes, weights = [], []
        for head in self.heads:
            note, weight = head(x)
            notes.insert(0, note)
            weights.append(weight)
        return torch.cat(notes, dim=-1), torch.stack(weights, dim=1)

# %% wrong: lists-returned
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        notes, weights = [], []
        for head in self.heads:
            note, weight = head(x)
            notes.append(note)
            weights.append(weight)
        return notes, weights

# %% wrong: names
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.sizes = (d_in, head_dim, context_length)
        self.num_heads = num_heads
        self.heads = nn.ModuleList()
    def forward(self, x):
        self.heads = nn.ModuleList(attention.CausalAttention(*self.sizes) for _ in range(self.num_heads))
        outs = [head(x) for head in self.heads]
        return torch.cat([o for o, _ in outs], dim=-1), torch.stack([w for _, w in outs], dim=1)

# %% wrong: not-causal
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(attention.SelfAttention(d_in, head_dim) for _ in range(num_heads))

    def forward(self, x):
        notes, weights = [], []
        for head in self.heads:
            note, weight = head(x)
            notes.append(note)
            weights.append(weight)
        return torch.cat(notes, dim=-1), torch.stack(weights, dim=1)

# %% wrong: number-for-rate
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(attention.CausalAttention(d_in, head_dim, context_length, num_heads))
    def forward(self, x):
        pairs = [head(x) for head in self.heads]
        vecs = torch.cat([p[0] for p in pairs], dim=2)
        return vecs, torch.stack([p[1] for p in pairs], dim=1)

# %% wrong: one-head-only
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        notes, weights = [], []
        for head in self.heads:
            head = self.heads[0]
            note, weight = head(x)
            notes.append(note)
            weights.append(weight)
        return torch.cat(notes, dim=-1), torch.stack(weights, dim=1)

# %% wrong: out-proj-added
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))
        self.out_proj = nn.Linear(num_heads * head_dim, num_heads * head_dim)

    def forward(self, x):
        notes, weights = [], []
        for head in self.heads:
            note, weight = head(x)
            notes.append(note)
            weights.append(weight)
        return self.out_proj(torch.cat(notes, dim=-1)), torch.stack(weights, dim=1)

# %% wrong: sizes-swapped
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList([])
        while len(self.heads) < num_heads:
            self.heads.append(attention.CausalAttention(d_in, context_length, head_dim))
    def forward(self, x):
        vecs = [head(x)[0] for head in self.heads]
        weights = [head(x)[1] for head in self.heads]
        return torch.cat(vecs, dim=-1), torch.stack(weights, dim=1)

# %% wrong: view-no-transpose
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.num_heads = num_heads
        self.heads = nn.ModuleList([attention.CausalAttention(d_in, head_dim, context_length)
                                    for _ in range(num_heads)])
    def forward(self, x):
        batch, num_tokens, _ = x.shape
        results = [head(x) for head in self.heads]
        out = torch.cat([r[0] for r in results], -1)
        weights = torch.stack([r[1] for r in results])
        return out, weights.reshape(batch, self.num_heads, num_tokens, num_tokens)

# %% wrong: weights-taken-for-vecs
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        notes, weights = [], []
        for head in self.heads:
            note = weight = head(x)[0]
            notes.append(note)
            weights.append(weight)
        return torch.cat(notes, dim=-1), torch.stack(weights, dim=1)
