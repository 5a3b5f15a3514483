# %% wrong split_heads: view-no-transpose
# one view to the final shape, without a transpose: tokens are mixed between the heads
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    if d_out % num_heads != 0:
        raise ValueError("d_out must be divisible by num_heads")
    return x.view(batch, num_heads, num_tokens, d_out // num_heads)

# %% wrong split_heads: split-not-moved
# cuts the last axis but forgets to swap the axes: (batch, num_tokens, num_heads, head_dim)
def my_split_heads(x, num_heads):
    b, t, d = x.shape
    if d % num_heads:
        raise ValueError(f"{d} features cannot be shared by {num_heads} heads")
    head_dim = d // num_heads
    return x.reshape(b, t, num_heads, head_dim)

# %% wrong split_heads: not-divisible
# no ValueError of its own for the width (view raises a RuntimeError)
def my_split_heads(x, num_heads):
    batch, tokens, width = x.size()
    cut = x.view(batch, tokens, num_heads, width // num_heads)
    return cut.transpose(1, 2)

# %% wrong split_heads: features-dealt-out
# cuts the features as (head_dim, num_heads): head i gets every num_heads-th feature, not neighbours
def my_split_heads(x, num_heads):
    d_out = x.shape[-1]
    if d_out % num_heads:
        raise ValueError("does not fit")
    head_dim = d_out // num_heads
    x = x.unflatten(-1, (head_dim, num_heads))
    return x.permute(0, 3, 1, 2)

# %% wrong split_heads: check-wrong-axis
# torch.chunk takes the number of heads but the divisibility test is on the tokens in place of the features
def my_split_heads(x, num_heads):
    if x.shape[1] % num_heads != 0:
        raise ValueError("num_heads must divide the width")
    pieces = x.chunk(num_heads, dim=-1)
    return torch.stack(pieces, dim=1)

# %% wrong split_heads: sizes-swapped
# splits by num_heads in place of head_dim: torch.split takes the size of a piece, so there are head_dim heads
def my_split_heads(x, num_heads):
    if x.shape[-1] % num_heads > 0:
        raise ValueError("d_out % num_heads must be 0")
    return torch.stack(torch.split(x, num_heads, dim=-1), dim=1)

# %% wrong split_heads: float-size
# head_dim with / is a float: view refuses it (TypeError)
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    head_dim = d_out / num_heads
    if head_dim != int(head_dim):
        raise ValueError("num_heads has to divide d_out")
    return x.view(batch, num_tokens, num_heads, head_dim).transpose(1, 2)

# %% right split_heads
# slices in a loop, stacked on a new axis
def my_split_heads(x, num_heads):
    head_dim, rest = divmod(x.shape[-1], num_heads)
    if rest:
        raise ValueError("the heads must have equal shares")
    slices = []
    for i in range(num_heads):
        slices.append(x[..., i * head_dim:(i + 1) * head_dim])
    return torch.stack(slices, dim=1)

# %% right split_heads
# splits after a movement of the features to the front, and back; contiguous result
def my_split_heads(x, num_heads):
    d_out = x.shape[-1]
    if d_out % num_heads != 0:
        raise ValueError(f"d_out={d_out} is not divisible by num_heads={num_heads}")
    features_first = x.permute(0, 2, 1)
    per_head = features_first.reshape(x.shape[0], num_heads, d_out // num_heads, x.shape[1])
    return per_head.mT.contiguous()

# %% wrong head_weights: scale-model
# divides by the root of d_out, the whole width, in place of head_dim
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    scores = q @ k.transpose(2, 3) / queries.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1)

# %% wrong head_weights: no-scale
# forgets to divide by the root of head_dim
def my_head_weights(queries, keys, num_heads):
    queries = attention.split_heads(queries, num_heads)
    keys = attention.split_heads(keys, num_heads)
    attn_scores = torch.einsum("bhqd,bhkd->bhqk", queries, keys)
    return attention.softmax(attn_scores)

# %% wrong head_weights: softmax-axis
# softmax along the queries: columns sum to 1, not rows
def my_head_weights(queries, keys, num_heads):
    head_dim = queries.size(-1) // num_heads
    split_q, split_k = (attention.split_heads(t, num_heads) for t in (queries, keys))
    dots = torch.matmul(split_q, split_k.mT) * head_dim ** -0.5
    return F.softmax(dots, dim=-2)

# %% wrong head_weights: keys-full-turn
# transposes keys with .T, which turns all four axes round: the product fails or mixes heads and batch
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    s = q @ k.T
    s = s / math.sqrt(q.shape[-1])
    return s.softmax(-1)

# %% wrong head_weights: split-missing
# forgets to split the keys, and so the product of a head's queries with whole keys fails
def my_head_weights(queries, keys, num_heads):
    queries = attention.split_heads(queries, num_heads)
    scores = queries @ keys.transpose(-2, -1)
    scores = scores / queries.shape[-1] ** 0.5
    weights = attention.softmax(scores)
    return weights

# %% wrong head_weights: keys-cut-as-queries
# splits the keys with the number of queries: works for self-attention only, fails when there are more or fewer keys
def my_head_weights(queries, keys, num_heads):
    batch, num_tokens, d_out = queries.shape
    head_dim = d_out // num_heads
    q = queries.view(batch, num_tokens, num_heads, head_dim).transpose(1, 2)
    k = keys.view(batch, num_tokens, num_heads, head_dim).transpose(1, 2)
    return torch.softmax(q @ k.transpose(-2, -1) / head_dim**0.5, dim=-1)

# %% wrong head_weights: mask-unasked
# adds a causal mask although the prompt says without a mask (and it fits square tables only)
def my_head_weights(queries, keys, num_heads):
    q, k = attention.split_heads(queries, num_heads), attention.split_heads(keys, num_heads)
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    allowed = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril()
    scores = scores.masked_fill(~allowed, -torch.inf)
    return attention.softmax(scores)

# %% right head_weights
# a loop over heads with slices of the features
def my_head_weights(queries, keys, num_heads):
    size = queries.shape[-1] // num_heads
    tables = []
    for h in range(num_heads):
        part = slice(h * size, h * size + size)
        table = torch.bmm(queries[:, :, part], keys[:, :, part].transpose(1, 2)).div(math.sqrt(size))
        tables.append(table.softmax(dim=2))
    return torch.stack(tables, dim=1)

# %% right head_weights
# one einsum over unflattened tensors, no split_heads; log_softmax and exp
def my_head_weights(queries, keys, num_heads):
    q = queries.unflatten(-1, (num_heads, -1))
    k = keys.unflatten(-1, (num_heads, -1))
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
    return F.log_softmax(scores, dim=-1).exp()

# %% wrong merge_heads: merge-no-transpose
# reshape straight away, no transpose: rows hold several tokens' numbers
def my_merge_heads(x):
    batch, num_heads, num_tokens, head_dim = x.shape
    return x.reshape(batch, num_tokens, num_heads * head_dim)

# %% wrong merge_heads: not-contiguous
# view after transpose: RuntimeError, the numbers are not in the order of the axes
def my_merge_heads(x):
    b, h, t, d = x.shape
    turned = x.transpose(1, 2)
    return turned.view(b, t, h * d)

# %% wrong merge_heads: transpose-wrong-axes
# swaps tokens with features before the reshape: wrong pair of axes, content scrambled
def my_merge_heads(x):
    b, h, t, d = x.shape
    return x.transpose(2, 3).reshape(b, t, h * d)

# %% wrong merge_heads: features-dealt-out
# puts the heads' axis last: the features of the heads are interleaved
def my_merge_heads(x):
    moved = x.permute(0, 2, 3, 1)
    return moved.flatten(start_dim=2)

# %% wrong merge_heads: heads-summed
# adds the heads up in place of laying them side by side: only head_dim wide
def my_merge_heads(x):
    total = torch.zeros_like(x[:, 0])
    for head in range(x.shape[1]):
        total = total + x[:, head]
    return total

# %% wrong merge_heads: split-tokens
# flattens the wrong two axes after the transpose: heads are joined with the tokens, (batch, t * h, head_dim)
def my_merge_heads(x):
    x = x.transpose(1, 2)
    return x.flatten(1, 2)

# %% wrong merge_heads: batch-mixed
# cat of the heads along the batch axis: iterating over x walks through the texts, not the heads
def my_merge_heads(x):
    return torch.cat([head for head in x], dim=-1)

# %% right merge_heads
# cat of the heads' tables, taken apart with unbind
def my_merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)

# %% right merge_heads
# writes each head's features into an empty result
def my_merge_heads(x):
    batch, heads, tokens, width = x.shape
    merged = torch.empty(batch, tokens, heads * width, dtype=x.dtype, device=x.device)
    for i in range(heads):
        merged[..., i * width:(i + 1) * width] = x[:, i]
    return merged

# %% wrong attention_cost: out-proj-uncounted
# forgets out_proj: three projections only
def my_cost(num_tokens, d_out, num_heads):
    projections = 3 * num_tokens * d_out * d_out
    products = 2 * num_tokens * num_tokens * d_out
    weights = num_heads * num_tokens**2
    return projections, products, weights

# %% wrong attention_cost: cost-times-heads
# multiplies the products with num_heads without making the heads narrower
def my_cost(num_tokens, d_out, num_heads):
    one_projection = num_tokens * d_out**2
    one_product = num_tokens**2 * d_out
    return 4 * one_projection, 2 * one_product * num_heads, num_tokens**2 * num_heads

# %% wrong attention_cost: one-head-counted
# counts the products of one head only
def my_cost(num_tokens, d_out, num_heads):
    head_dim = d_out // num_heads
    scores = num_tokens * head_dim * num_tokens
    mixing = num_tokens * num_tokens * head_dim
    return 4 * num_tokens * d_out * d_out, scores + mixing, num_heads * num_tokens * num_tokens

# %% wrong attention_cost: mix-uncounted
# counts one of the two products: queries with keys, and forgets weights with values
def my_cost(num_tokens, d_out, num_heads):
    def matmul_cost(n, k, m):
        return n * k * m

    proj = sum(matmul_cost(num_tokens, d_out, d_out) for _ in range(4))
    attn = num_heads * matmul_cost(num_tokens, d_out // num_heads, num_tokens)
    return proj, attn, num_heads * num_tokens * num_tokens

# %% wrong attention_cost: heads-uncounted
# counts the weights of a single table, not of all heads
def my_cost(num_tokens, d_out, num_heads):
    n, d = num_tokens, d_out
    return 4 * n * d * d, 2 * n * n * d, n * n

# %% wrong attention_cost: parameters-kept
# thinks "weights" are the parameters: returns the numbers in the four matrices
def my_cost(num_tokens, d_out, num_heads):
    a = 4 * num_tokens * d_out**2
    b = 2 * num_tokens**2 * d_out
    c = 4 * d_out * d_out
    return a, b, c

# %% wrong attention_cost: float-size
# returns floats: head_dim comes from /, the prompt asks for whole numbers
def my_cost(num_tokens, d_out, num_heads):
    head_dim = d_out / num_heads
    projections = 4 * num_tokens * d_out * d_out
    products = num_heads * 2 * (num_tokens * head_dim * num_tokens)
    kept = num_heads * num_tokens * num_tokens
    return projections, products, kept

# %% wrong attention_cost: nothing-returned
# prints the three numbers and returns nothing
def my_cost(num_tokens, d_out, num_heads):
    print(4 * num_tokens * d_out**2, 2 * num_tokens**2 * d_out, num_heads * num_tokens**2)

# %% right attention_cost
# counts head by head and product by product in loops
def my_cost(num_tokens, d_out, num_heads):
    head_dim = d_out // num_heads
    projections = products = kept = 0
    for _ in ("query", "key", "value", "out"):
        projections += num_tokens * d_out * d_out
    for _ in range(num_heads):
        products += num_tokens * head_dim * num_tokens
        products += num_tokens * num_tokens * head_dim
        kept += num_tokens * num_tokens
    return projections, products, kept

# %% right attention_cost
# returns a list of ints, from the numel of shapes
def my_cost(num_tokens, d_out, num_heads):
    table = torch.Size([num_heads, num_tokens, num_tokens])
    square = num_tokens ** 2
    return [d_out * d_out * num_tokens * 4, square * d_out + d_out * square, table.numel()]

# %% wrong multi_head: scale-model
# divides by the root of d_out in place of head_dim
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / self.out_proj.in_features**0.5
        scores = scores.masked_fill(~self.mask[:t, :t], -torch.inf)
        weights = self.dropout(attention.softmax(scores))
        out = (weights @ v).transpose(1, 2).reshape(b, t, -1)
        return self.out_proj(out), weights

# %% wrong multi_head: mask-not-sliced
# the mask is not cut to the tokens there are: fails for every text shorter than context_length
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("cannot share out")
        self.heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal", torch.tril(torch.ones(context_length, context_length)).bool())

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        attn_scores = q @ k.mT / q.shape[-1] ** 0.5
        attn_scores = attn_scores.masked_fill(~self.causal, -torch.inf)
        attn_weights = self.dropout(attention.softmax(attn_scores))
        context = attn_weights @ v
        return self.out_proj(context.transpose(1, 2).flatten(2)), attn_weights

# %% wrong multi_head: no-out-proj
# makes out_proj and never uses it in forward
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        assert_ok = d_out % num_heads == 0
        if not assert_ok:
            raise ValueError("bad number of heads")
        self.n = num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        tokens = x.shape[1]
        q, k, v = (layer(x).chunk(self.n, dim=-1) for layer in (self.W_query, self.W_key, self.W_value))
        mask = attention.causal_mask(tokens)
        outs, tables = [], []
        for i in range(self.n):
            s = q[i] @ k[i].transpose(1, 2) / q[i].shape[-1] ** 0.5
            w = attention.softmax(s.masked_fill(mask.logical_not(), -torch.inf))
            w = self.dropout(w)
            outs.append(w @ v[i])
            tables.append(w)
        return torch.cat(outs, dim=-1), torch.stack(tables, dim=1)

# %% wrong multi_head: dropout-on-output
# returns the weights from before dropout: shows only in training
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"{d_out} is not divisible by {num_heads}")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        batch, num_tokens, _ = x.shape
        shape = (batch, num_tokens, self.num_heads, self.head_dim)
        queries = self.W_query(x).view(shape).permute(0, 2, 1, 3)
        keys = self.W_key(x).view(shape).permute(0, 2, 3, 1)
        values = self.W_value(x).view(shape).permute(0, 2, 1, 3)
        scores = (queries @ keys) / math.sqrt(self.head_dim)
        scores = torch.where(attention.causal_mask(num_tokens), scores, -torch.inf)
        weights = attention.softmax(scores)
        context = self.drop(weights) @ values
        merged = context.transpose(1, 2).contiguous().view(batch, num_tokens, -1)
        return self.out_proj(merged), weights

# %% wrong multi_head: merge-no-transpose
# merges without a transpose: right shape, tokens mixed
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out % num_heads must be 0")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        b, t, _ = x.size()
        # project and split
        q, k, v = [
            lin(x).reshape(b, t, self.num_heads, -1).transpose(1, 2) for lin in (self.W_query, self.W_key, self.W_value)
        ]
        # attend
        w = torch.einsum("bhqd,bhkd->bhqk", q, k) * q.shape[-1] ** -0.5
        w = w.masked_fill(~self.mask[:t, :t], float("-inf")).softmax(dim=-1)
        w = self.dropout(w)
        notes = torch.einsum("bhqk,bhkd->bhqd", w, v)
        # merge, project
        return self.out_proj(notes.reshape(b, t, -1)), w

# %% wrong multi_head: error-kind
# uses assert for a width that cannot be shared out: an AssertionError, not a ValueError
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("future", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def _heads(self, t):
        return t.view(t.shape[0], t.shape[1], self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x):
        n = x.shape[1]
        q = self._heads(self.W_query(x))
        k = self._heads(self.W_key(x))
        v = self._heads(self.W_value(x))
        scores = (q @ k.transpose(-1, -2)).div(self.head_dim**0.5)
        scores.masked_fill_(self.future[:n, :n], -torch.inf)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        together = (weights @ v).transpose(1, 2).flatten(start_dim=2)
        return self.out_proj(together), weights

# %% wrong multi_head: out-proj-bias
# two mistakes: out_proj has no bias, and W_query has the default bias
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out // num_heads * num_heads != d_out:
            raise ValueError("the heads need equal widths")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=False)
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, x):
        def cut(y):
            return torch.stack(y.chunk(self.h, dim=-1), dim=1)

        q, k, v = cut(self.W_query(x)), cut(self.W_key(x)), cut(self.W_value(x))
        scores = q @ k.transpose(2, 3) / q.size(-1) ** 0.5
        scores = scores.masked_fill(~attention.causal_mask(x.size(1)), -torch.inf)
        weights = self.dropout(attention.softmax(scores))
        return self.out_proj(torch.cat((weights @ v).unbind(1), dim=-1)), weights

# %% right multi_head
# everything head by head with slices; softmax written out; mask added as 0 / -inf, made anew
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest != 0:
            raise ValueError("no equal shares")
        self.num_heads = num_heads
        self.out_proj = nn.Linear(d_out, d_out)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.attn_drop = nn.Dropout(dropout)

    def one_head(self, q, k, v):
        t = q.shape[1]
        future = torch.full((t, t), -torch.inf, dtype=q.dtype, device=q.device).triu(1)
        scores = torch.baddbmm(future, q, k.transpose(1, 2), alpha=self.head_dim**-0.5)
        weights = self.attn_drop(scores.softmax(-1))
        return torch.bmm(weights, v), weights

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        notes, tables = [], []
        for start in range(0, q.shape[-1], self.head_dim):
            end = start + self.head_dim
            note, table = self.one_head(q[..., start:end], k[..., start:end], v[..., start:end])
            notes.append(note)
            tables.append(table)
        return self.out_proj(torch.cat(notes, dim=-1)), torch.stack(tables, dim=1)

# %% right multi_head
# einsum on (batch, tokens, heads, features) without any transpose; dropout through F.dropout with self.training
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"d_out {d_out}, num_heads {num_heads}")
        self.num_heads = num_heads
        self.p = dropout
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.register_buffer("allowed", attention.causal_mask(context_length), persistent=False)

    def forward(self, x):
        t = x.shape[1]
        q, k, v = (w(x).unflatten(2, (self.num_heads, -1)) for w in (self.W_query, self.W_key, self.W_value))
        scores = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(self.allowed[:t, :t].logical_not(), -torch.inf)
        weights = F.dropout(attention.softmax(scores), p=self.p, training=self.training)
        out = torch.einsum("bhij,bjhd->bihd", weights, v)
        return self.out_proj(out.flatten(2)), weights
