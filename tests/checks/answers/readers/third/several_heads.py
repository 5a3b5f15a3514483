# %% wrong stacked_heads: heads-in-list
# keeps the heads in a plain Python list: right numbers, but no parameters are registered, nothing would be trained
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = []
        for _ in range(num_heads):
            self.heads.append(attention.CausalAttention(d_in, head_dim, context_length))

    def forward(self, x):
        vecs, weights = [], []
        for head in self.heads:
            v, w = head(x)
            vecs.append(v)
            weights.append(w)
        return torch.cat(vecs, dim=2), torch.stack(weights, dim=1)


# %% wrong stacked_heads: shared-heads
# makes one head and repeats it: all entries of the ModuleList are the same object, so the heads share their matrices
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        one_head = attention.CausalAttention(d_in, head_dim, context_length=context_length)
        self.heads = nn.ModuleList([one_head] * num_heads)

    def forward(self, x):
        results = [head(x) for head in self.heads]
        return torch.cat([r[0] for r in results], dim=-1), torch.stack([r[1] for r in results], dim=1)


# %% wrong stacked_heads: features-dealt-out
# stacks the notes on a new last axis and flattens: right shape, but the features of the heads alternate in place of
# standing side by side
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        context, weights = zip(*[head(x) for head in self.heads])
        return torch.stack(context, dim=-1).flatten(-2), torch.stack(weights, dim=1)


# %% wrong stacked_heads: head-dim-divided
# takes head_dim for the total width and shares it out: every head is only head_dim // num_heads wide
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        width = max(1, head_dim // num_heads)
        self.heads = nn.ModuleList(
            [attention.CausalAttention(d_in, width, context_length) for i in range(num_heads)]
        )

    def forward(self, x):
        pairs = [h(x) for h in self.heads]
        notes = torch.cat([a for a, _ in pairs], dim=-1)
        tables = torch.stack([b for _, b in pairs], dim=1)
        return notes, tables


# %% wrong stacked_heads: heads-before-batch
# stacks the weights without a dim: the heads' axis comes first, (num_heads, batch, num_tokens, num_tokens)
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(attention.CausalAttention(d_in, head_dim, context_length))

    def forward(self, x):
        notes = []
        tables = []
        for head in self.heads:
            note, table = head(x)
            notes += [note]
            tables += [table]
        return torch.cat(notes, -1), torch.stack(tables)


# %% wrong stacked_heads: pairs-joined
# forgets that a head gives back a pair: torch.cat gets a list of tuples and stops with a TypeError
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        outs = [head(x) for head in self.heads]
        context = torch.cat(outs, dim=-1)
        weights = torch.stack(outs, dim=1)
        return context, weights


# %% wrong stacked_heads: heads-chained
# chains the heads: each head reads the note of the head before it and not the inputs (stops with an error
# when d_in is not head_dim, wrong numbers when it is)
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        all_x, all_w = [], []
        for head in self.heads:
            x, w = head(x)
            all_x.append(x)
            all_w.append(w)
        return torch.cat(all_x, dim=-1), torch.stack(all_w, dim=1)


# %% right stacked_heads
# keeps the heads in an nn.Sequential (never called as a whole), fills tensors that were made beforehand
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.Sequential(
            *(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))
        )
        self.head_dim = head_dim

    def forward(self, x):
        batch, n, _ = x.shape
        vecs = x.new_zeros(batch, n, len(self.heads) * self.head_dim)
        weights = x.new_zeros(batch, len(self.heads), n, n)
        for i, head in enumerate(self.heads):
            vecs[:, :, i * self.head_dim : (i + 1) * self.head_dim], weights[:, i] = head(x)
        return vecs, weights


# %% right stacked_heads
# grows both results head by head, unsqueeze and cat in place of stack
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
