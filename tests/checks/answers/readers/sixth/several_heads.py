# %% wrong stacked_heads: features-dealt-out
# the features of the heads take turns (0 of head 0, 0 of head 1, ...): stacked on a new last axis, then flattened
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(
            attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        vecs, weights = [], []
        for head in self.heads:
            v, w = head(x)
            vecs.append(v)
            weights.append(w)
        notes = torch.stack(vecs, dim=-1).flatten(2)
        return notes, torch.stack(weights, dim=1)


# %% wrong stacked_heads: shared-heads
# a list times a number repeats one and the same head: all heads share their matrices
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        head = attention.CausalAttention(d_in, head_dim, context_length=context_length)
        self.heads = nn.ModuleList([head] * num_heads)

    def forward(self, x):
        pairs = [h(x) for h in self.heads]
        return torch.cat([p[0] for p in pairs], dim=-1), torch.stack([p[1] for p in pairs], dim=1)


# %% wrong stacked_heads: view-no-transpose
# the tables are stacked in front, (num_heads, batch, ...), and only view-ed to (batch, num_heads, ...):
# right shape, but tables of texts and heads are mixed up
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.num_heads = num_heads
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(attention.CausalAttention(d_in, head_dim, context_length))

    def forward(self, x):
        batch, num_tokens, _ = x.shape
        outs = [head(x) for head in self.heads]
        context = torch.cat([o for o, _ in outs], dim=2)
        table = torch.stack([w for _, w in outs]).view(batch, self.num_heads, num_tokens, num_tokens)
        return context, table


# %% wrong stacked_heads: head-dim-divided
# thinks that head_dim is the total width: each head is made head_dim // num_heads wide, so the result is too narrow
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        width = head_dim // num_heads
        self.heads = nn.ModuleList([attention.CausalAttention(d_in, width, context_length) for i in range(num_heads)])

    def forward(self, x):
        context_vecs, attn_weights = zip(*[head(x) for head in self.heads])
        return torch.cat(context_vecs, dim=-1), torch.stack(attn_weights, dim=-3)


# %% wrong stacked_heads: first-head-only
# the return stands inside the loop: only the first head ever speaks
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(
            [attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)])

    def forward(self, x):
        notes = []
        tables = []
        for head in self.heads:
            note, table = head(x)
            notes.append(note)
            tables.append(table)
            return torch.cat(notes, dim=-1), torch.stack(tables, dim=1)


# %% wrong stacked_heads: cat-for-stack
# joins the tables with cat along the rows: (batch, num_heads * num_tokens, num_tokens), no axis for the heads
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length)
                                   for _ in range(num_heads))

    def forward(self, x):
        results = [head(x) for head in self.heads]
        side_by_side = torch.cat([vecs for vecs, _ in results], dim=-1)
        all_weights = torch.cat([weights for _, weights in results], dim=1)
        return side_by_side, all_weights


# %% right stacked_heads
# nn.Sequential as the container, never called as a chain; results written into tensors made beforehand
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.head_dim = head_dim
        self.heads = nn.Sequential(
            *(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)))

    def forward(self, x):
        batch, num_tokens, _ = x.shape
        notes = x.new_zeros(batch, num_tokens, len(self.heads) * self.head_dim)
        tables = x.new_zeros(batch, len(self.heads), num_tokens, num_tokens)
        for i, head in enumerate(self.heads):
            vecs, weights = head(x)
            notes[..., i * self.head_dim : (i + 1) * self.head_dim] = vecs
            tables[:, i] = weights
        return notes, tables


# %% right stacked_heads
# stacks both on axis 1, and brings the notes side by side by permute and reshape
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        make = attention.CausalAttention
        self.heads = nn.ModuleList([make(d_in, head_dim, context_length) for _ in range(num_heads)])

    def forward(self, x):
        vecs, weights = (torch.stack(part, dim=1) for part in zip(*(head(x) for head in self.heads)))
        b, h, t, d = vecs.shape
        return vecs.permute(0, 2, 1, 3).reshape(b, t, h * d), weights
