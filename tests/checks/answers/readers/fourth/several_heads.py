# %% wrong stacked_heads: heads-before-batch
# stack without a dim puts the heads' axis first: the weights are (num_heads, batch, num_tokens, num_tokens)
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            [attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)]
        )

    def forward(self, x):
        vecs, weights = [], []
        for head in self.heads:
            v, w = head(x)
            vecs.append(v)
            weights.append(w)
        return torch.cat(vecs, dim=-1), torch.stack(weights)


# %% wrong stacked_heads: shared-heads
# one head is made and put into the list num_heads times: all heads share the same three matrices
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        one = attention.CausalAttention(d_in, head_dim, context_length)
        self.heads = nn.ModuleList([one] * num_heads)

    def forward(self, x):
        pairs = [head(x) for head in self.heads]
        return torch.cat([pair[0] for pair in pairs], 2), torch.stack([pair[1] for pair in pairs], 1)


# %% wrong stacked_heads: features-dealt-out
# stacks the notes on a last axis and flattens: the features of the heads alternate, they do not lie side by side
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList()
        for i in range(num_heads):
            self.heads.append(attention.CausalAttention(d_in, head_dim, context_length))

    def forward(self, x):
        notes, tables = zip(*[head(x) for head in self.heads])
        return torch.stack(notes, dim=-1).flatten(2), torch.stack(tables, dim=1)


# %% wrong stacked_heads: inputs-shared-out
# cuts the inputs into slices and gives each head one of them: every head should read all d_in features
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.part = d_in // num_heads
        self.heads = nn.ModuleList(
            attention.CausalAttention(self.part, head_dim, context_length) for _ in range(num_heads)
        )

    def forward(self, x):
        vecs, weights = [], []
        for i, head in enumerate(self.heads):
            context, table = head(x[:, :, i * self.part : (i + 1) * self.part])
            vecs += [context]
            weights += [table]
        return torch.cat(vecs, dim=-1), torch.stack(weights, dim=1)


# %% wrong stacked_heads: heads-in-list
# the heads are in a Python tuple: PyTorch finds no parameters, so none would be trained
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = tuple(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        results = list(map(lambda head: head(x), self.heads))
        context_vecs = torch.cat([r[0] for r in results], dim=-1)
        attn_weights = torch.stack([r[1] for r in results], dim=-3)
        return context_vecs, attn_weights


# %% right stacked_heads
# nn.Sequential is used as the list; the weights are joined with cat along the queries, and that axis is cut again
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.heads = nn.Sequential(
            *[attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads)]
        )

    def forward(self, x):
        pairs = [head(x) for head in self.heads]
        tables = torch.cat([weights for _, weights in pairs], dim=1)  # (batch, num_heads * num_tokens, num_tokens)
        notes = torch.cat([vecs for vecs, _ in pairs], dim=2)
        return notes, tables.unflatten(1, (self.num_heads, x.shape[1]))


# %% right stacked_heads
# empty tensors of the final shape, filled head by head
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.width = head_dim
        self.heads = nn.ModuleList()
        while len(self.heads) < num_heads:
            self.heads.append(attention.CausalAttention(d_in, head_dim, context_length))

    def forward(self, x):
        batch, num_tokens, _ = x.shape
        notes = x.new_zeros(batch, num_tokens, self.width * len(self.heads))
        tables = x.new_zeros(batch, len(self.heads), num_tokens, num_tokens)
        for i, head in enumerate(self.heads):
            notes[:, :, i * self.width : (i + 1) * self.width], tables[:, i] = head(x)
        return notes, tables
