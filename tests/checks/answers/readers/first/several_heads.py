# %% wrong stacked_heads: heads-in-list
# keeps the heads in a plain Python list: no parameters are registered, so nothing would be trained
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = [attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)]

    def forward(self, x):
        contexts, weights = [], []
        for head in self.heads:
            context, weight = head(x)
            contexts.append(context)
            weights.append(weight)
        return torch.cat(contexts, dim=-1), torch.stack(weights, dim=1)

# %% wrong stacked_heads: heads-before-batch
# stacks the weights without a dim: the heads' axis stands in front of the batch, (num_heads, batch, t, t)
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(attention.CausalAttention(d_in, head_dim, context_length=context_length))

    def forward(self, x):
        results = [h(x) for h in self.heads]
        vecs = torch.cat([r[0] for r in results], dim=-1)
        return vecs, torch.stack([r[1] for r in results])

# %% wrong stacked_heads: shared-heads
# makes one head and repeats it: all entries of the list are the same module, so all heads share their matrices
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        head = attention.CausalAttention(d_in, head_dim, context_length)
        self.heads = nn.ModuleList([head] * num_heads)

    def forward(self, x):
        pairs = [head(x) for head in self.heads]
        c, w = zip(*pairs)
        return torch.cat(c, -1), torch.stack(w, 1)

# %% wrong stacked_heads: head-dim-divided
# takes head_dim for the total width and divides it among the heads: result is only head_dim wide
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        width = head_dim // num_heads
        self.heads = nn.ModuleList(
            [attention.CausalAttention(d_in, width, context_length) for i in range(num_heads)]
        )

    def forward(self, x):
        all_vecs = []
        all_weights = []
        for i in range(len(self.heads)):
            v, w = self.heads[i](x)
            all_vecs.append(v)
            all_weights.append(w)
        return torch.cat(all_vecs, dim=2), torch.stack(all_weights, dim=1)

# %% wrong stacked_heads: features-dealt-out
# stacks the notes on a last axis and flattens: the features of the heads are interleaved, not side by side
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.heads = nn.ModuleList(
            attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)
        )

    def forward(self, x):
        notes, tables = zip(*[head(x) for head in self.heads])
        together = torch.stack(notes, dim=-1).flatten(-2)
        return together, torch.stack(tables, dim=-3)

# %% wrong stacked_heads: sizes-swapped
# hands context_length and head_dim to CausalAttention in the wrong order, so the head is context_length wide
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

# %% wrong stacked_heads: cat-for-stack
# joins the weights with cat on dim 1 too: no axis for the heads, (batch, num_heads * t, t)
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

# %% right stacked_heads
# writes into tensors made beforehand, head by head; heads added one at a time to an empty ModuleList
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        self.head_dim = head_dim
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(attention.CausalAttention(d_in, head_dim, context_length))

    def forward(self, x):
        batch, tokens, _ = x.shape
        n = len(self.heads)
        out = x.new_zeros(batch, tokens, n * self.head_dim)
        weights = x.new_zeros(batch, n, tokens, tokens)
        for i, head in enumerate(self.heads):
            out[:, :, i * self.head_dim:(i + 1) * self.head_dim], weights[:, i] = head(x)
        return out, weights

# %% right stacked_heads
# heads in an nn.Sequential used as a list; results grown with cat, one head after the other
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, num_heads, context_length):
        super().__init__()
        make = lambda: attention.CausalAttention(d_in, head_dim, context_length, dropout=0.0)
        self.heads = nn.Sequential(*[make() for _ in range(num_heads)])

    def forward(self, x):
        vecs, tables = self.heads[0](x)
        tables = tables.unsqueeze(1)
        for head in self.heads[1:]:
            more_vecs, more_tables = head(x)
            vecs = torch.cat((vecs, more_vecs), dim=2)
            tables = torch.cat((tables, more_tables[:, None]), dim=1)
        return vecs, tables
