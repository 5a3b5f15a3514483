# %% wrong stacked_heads: shared-heads
# a list times a number repeats one and the same head: all heads share their matrices
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        one = attention.CausalAttention(d_in, head_dim, context_length)
        self.heads = nn.ModuleList([one] * num_heads)

    def forward(self, x):
        notes, weights = zip(*[head(x) for head in self.heads])
        return torch.cat(notes, dim=-1), torch.stack(weights, dim=1)


# %% wrong stacked_heads: number-for-rate
# takes num_heads for a fourth argument of CausalAttention, which is the dropout rate: an error when it is made
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


# %% wrong stacked_heads: features-dealt-out
# stacks the notes on a new last axis and flattens: features take turns between heads, not note beside note
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(
            attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        notes, tables = [], []
        for head in self.heads:
            note, table = head(x)
            notes.append(note)
            tables.append(table)
        context_vecs = torch.stack(notes, dim=-1).flatten(-2)
        return context_vecs, torch.stack(tables, dim=1)


# %% wrong stacked_heads: view-no-transpose
# stacks the weights with the heads in front and then reshapes: the shape fits, texts and heads are mixed up
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


# %% wrong stacked_heads: heads-chained
# feeds one head's note into the next head, like layers: fails unless head_dim is d_in, and then is no side by side
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


# %% wrong stacked_heads: detached
# goes through numpy for the join: numbers are right, but no gradient reaches the heads any more
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


# %% wrong stacked_heads: names
# makes the heads in forward, anew in each call: two calls differ, and there is nothing to train before
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
