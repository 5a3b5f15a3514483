# %% wrong stacked_heads: shared-heads
# one head, put into the list num_heads times: all places share the same matrices
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        head = attention.CausalAttention(d_in, head_dim, context_length)
        self.heads = nn.ModuleList([head] * num_heads)

    def forward(self, x):
        pairs = [head(x) for head in self.heads]
        return torch.cat([vecs for vecs, _ in pairs], dim=-1), torch.stack([w for _, w in pairs], dim=1)

# %% wrong stacked_heads: features-dealt-out
# stacks the notes on a last axis and flattens: right shape, but the heads' features are interleaved, not side by side
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(attention.CausalAttention(d_in, head_dim, context_length))

    def forward(self, x):
        notes, tables = [], []
        for head in self.heads:
            note, table = head(x)
            notes.append(note)
            tables.append(table)
        notes = torch.stack(notes, dim=-1).flatten(-2)
        return notes, torch.stack(tables, dim=1)

# %% wrong stacked_heads: heads-before-batch
# stack without a dim puts the heads' axis first: (num_heads, batch, ...) in place of (batch, num_heads, ...)
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for i in range(num_heads))

    def forward(self, x):
        vecs, weights = zip(*[h(x) for h in self.heads])
        return torch.cat(vecs, -1), torch.stack(weights)

# %% wrong stacked_heads: sizes-swapped
# hands num_heads to CausalAttention where it wants context_length: texts longer than num_heads stop with an error
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        make = lambda: attention.CausalAttention(d_in, head_dim, num_heads)
        self.heads = nn.ModuleList([make() for _ in range(num_heads)])

    def forward(self, x):
        outputs = [head(x) for head in self.heads]
        context_vecs = torch.cat([out[0] for out in outputs], dim=2)
        attn_weights = torch.stack([out[1] for out in outputs], dim=1)
        return context_vecs, attn_weights

# %% wrong stacked_heads: heads-in-list
# the heads are in a Python list: the module has no parameters, so none would be trained
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = []
        while len(self.heads) < num_heads:
            self.heads += [attention.CausalAttention(d_in, head_dim, context_length=context_length)]

    def forward(self, x):
        results = list(map(lambda head: head(x), self.heads))
        return torch.cat([r[0] for r in results], -1), torch.stack([r[1] for r in results], -3)

# %% wrong stacked_heads: cat-for-stack
# joins the weights with cat on axis 1: (batch, num_heads * num_tokens, num_tokens), no axis for the heads
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(
            [attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)])

    def forward(self, x):
        context_vecs, attn_weights = self.heads[0](x)
        for head in self.heads[1:]:
            more_vecs, more_weights = head(x)
            context_vecs = torch.cat([context_vecs, more_vecs], dim=-1)
            attn_weights = torch.cat([attn_weights, more_weights], dim=1)
        return context_vecs, attn_weights

# %% right stacked_heads
# the heads are kept in an nn.Sequential and only gone through, never called as a chain; cat of unsqueezed weights
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.Sequential(
            *(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)))

    def forward(self, x):
        both = [head(x) for head in self.heads]
        return torch.cat([b[0] for b in both], dim=-1), torch.cat([b[1].unsqueeze(1) for b in both], dim=1)

# %% right stacked_heads
# writes each head's results into large empty tensors, slice by slice
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.width = head_dim
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        batch, num_tokens, _ = x.shape
        vecs = x.new_zeros(batch, num_tokens, len(self.heads) * self.width)
        weights = x.new_zeros(batch, len(self.heads), num_tokens, num_tokens)
        for i, head in enumerate(self.heads):
            vecs[:, :, i * self.width:(i + 1) * self.width], weights[:, i] = head(x)
        return vecs, weights
