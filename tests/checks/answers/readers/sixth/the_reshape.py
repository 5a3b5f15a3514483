# %% wrong split_heads: sizes-swapped
# split takes the width of a piece, not the number of pieces: slices of num_heads features, d_out // num_heads of them
def my_split_heads(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        raise ValueError("d_out must be divisible by num_heads")
    pieces = x.split(num_heads, dim=-1)
    return torch.stack(pieces, dim=1)


# %% wrong split_heads: features-dealt-out
# cuts into (head_dim, num_heads): head i gets every num_heads-th feature, not a slice of neighbours
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    if d_out % num_heads:
        raise ValueError(f"{d_out} features cannot be shared by {num_heads} heads")
    head_dim = d_out // num_heads
    x = x.view(batch, num_tokens, head_dim, num_heads)
    return x.permute(0, 3, 1, 2)


# %% wrong split_heads: view-no-transpose
# one view straight to the shape that is wanted: rows hold numbers of other tokens
def my_split_heads(x, num_heads):
    b, t, d = x.size()
    if d % num_heads > 0:
        raise ValueError("uneven heads")
    return x.reshape(b, num_heads, t, d // num_heads)


# %% wrong split_heads: not-divisible
# no check: an uneven width stops with PyTorch's RuntimeError about shapes, not with a ValueError
def my_split_heads(x, num_heads):
    head_dim = x.shape[-1] // num_heads
    heads = x.view(x.shape[0], x.shape[1], num_heads, head_dim)
    return heads.transpose(1, 2)


# %% wrong split_heads: check-inverted
# the check is turned round (num_heads % d_out): it refuses nearly every width that is fine
def my_split_heads(x, num_heads):
    d_out = x.shape[-1]
    if num_heads % d_out != 0:
        raise ValueError("num_heads and d_out do not fit")
    return x.unflatten(-1, (num_heads, d_out // num_heads)).transpose(1, 2)


# %% wrong split_heads: split-not-moved
# stacks the slices on axis 2: (batch, num_tokens, num_heads, head_dim), heads and tokens have not changed places
def my_split_heads(x, num_heads):
    width, rest = divmod(x.shape[-1], num_heads)
    if rest:
        raise ValueError("d_out is not a multiple of num_heads")
    slices = []
    for head in range(num_heads):
        slices.append(x[:, :, head * width : (head + 1) * width])
    return torch.stack(slices, dim=2)


# %% right split_heads
# a table of feature numbers as an index
def my_split_heads(x, num_heads):
    d_out = x.shape[-1]
    if d_out % num_heads:
        raise ValueError("the features cannot be shared out evenly")
    owned = torch.arange(d_out).view(num_heads, -1)  # row i: the features of head i
    return x[:, :, owned].permute(0, 2, 1, 3)


# %% right split_heads
# writes into an empty tensor, head by head
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    head_dim = d_out // num_heads
    if head_dim * num_heads != d_out:
        raise ValueError(f"d_out = {d_out} is not a multiple of {num_heads}")
    result = torch.empty(batch, num_heads, num_tokens, head_dim, dtype=x.dtype)
    for head in range(num_heads):
        first = head * head_dim
        result[:, head] = x.narrow(-1, first, head_dim)
    return result


# %% wrong head_weights: scale-model
# divides by the root of d_out, the width of all heads together, in place of head_dim
def my_head_weights(queries, keys, num_heads):
    d_k = keys.shape[-1]
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    return attention.softmax(q @ k.transpose(-2, -1) / d_k**0.5)


# %% wrong head_weights: heads-mixed
# einsum with two letters for the heads: each head's queries meet the keys of all heads, summed up
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    scores = torch.einsum("bhqd,bgkd->bhqk", q, k)
    scores = scores / math.sqrt(q.shape[-1])
    return torch.softmax(scores, dim=-1)


# %% wrong head_weights: keys-cut-as-queries
# cuts the keys with the number of queries: stops where there are more or fewer keys than queries
def my_head_weights(queries, keys, num_heads):
    batch, num_tokens, d_out = queries.shape
    head_dim = d_out // num_heads
    q = queries.view(batch, num_tokens, num_heads, head_dim).transpose(1, 2)
    k = keys.view(batch, num_tokens, num_heads, head_dim).transpose(1, 2)
    scores = q.matmul(k.transpose(2, 3)) / head_dim**0.5
    return scores.softmax(dim=-1)


# %% wrong head_weights: softmax-axis
# softmax along axis 2, that of the queries: columns sum to 1, not rows
def my_head_weights(queries, keys, num_heads):
    split_q, split_k = (attention.split_heads(t, num_heads) for t in (queries, keys))
    scores = split_q @ split_k.mT
    scores = scores * split_q.shape[-1] ** -0.5
    return F.softmax(scores, dim=2)


# %% wrong head_weights: mask-unasked
# the causal mask of causal_masking is put in, though the prompt says without a mask
def my_head_weights(queries, keys, num_heads):
    q, k = attention.split_heads(queries, num_heads), attention.split_heads(keys, num_heads)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return attention.softmax(scores.masked_fill(future, -torch.inf))


# %% wrong head_weights: no-softmax
# hands back the scores: softmax was forgotten
def my_head_weights(queries, keys, num_heads):
    head_dim = queries.shape[-1] // num_heads
    per_head = []
    for i in range(num_heads):
        q = queries[..., i * head_dim : (i + 1) * head_dim]
        k = keys[..., i * head_dim : (i + 1) * head_dim]
        per_head.append(torch.bmm(q, k.transpose(1, 2)) / head_dim**0.5)
    return torch.stack(per_head, dim=1)


# %% right head_weights
# never splits the queries as such: baddbmm on texts and heads folded into one axis
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads).flatten(0, 1)
    k = attention.split_heads(keys, num_heads).flatten(0, 1)
    nothing = torch.zeros(len(q), q.shape[1], k.shape[1], dtype=q.dtype)
    scores = torch.baddbmm(nothing, q, k.transpose(1, 2), beta=0, alpha=q.shape[-1] ** -0.5)
    return torch.softmax(scores, dim=-1).unflatten(0, (queries.shape[0], num_heads))


# %% right head_weights
# chunks, a loop over the heads, and the course's attention function with the keys as values
def my_head_weights(queries, keys, num_heads):
    tables = []
    for q, k in zip(queries.chunk(num_heads, dim=-1), keys.chunk(num_heads, dim=-1)):
        _, weights = attention.scaled_dot_product_attention(q, k, k)
        tables.append(weights[:, None])
    return torch.cat(tables, dim=1)


# %% wrong merge_heads: merge-no-transpose
# reshape without the transpose: a row holds the numbers of several tokens
def my_merge_heads(x):
    batch, num_heads, num_tokens, head_dim = x.shape
    d_out = num_heads * head_dim
    return x.contiguous().view(batch, num_tokens, d_out)


# %% wrong merge_heads: not-contiguous
# view on what transpose gives: stops with "view size is not compatible", reshape or contiguous was needed
def my_merge_heads(x):
    b, h, t, d = x.shape
    x = x.transpose(1, 2)
    return x.view(b, t, h * d)


# %% wrong merge_heads: features-dealt-out
# the heads are put last before flattening: features of the heads take turns
def my_merge_heads(x):
    return x.permute(0, 2, 3, 1).flatten(start_dim=2)


# %% wrong merge_heads: split-tokens
# joins the heads along the tokens: (batch, num_heads * num_tokens, head_dim)
def my_merge_heads(x):
    tables = [x[:, head] for head in range(x.shape[1])]
    return torch.cat(tables, dim=1)


# %% wrong merge_heads: - "In your merged heads, an axis of length 1 is too many, and t"
# split keeps an axis of length 1 for the head: the result is (batch, 1, num_tokens, d_out), one axis too many
def my_merge_heads(x):
    notes = x.split(1, dim=1)
    return torch.cat(notes, dim=-1)


# %% wrong merge_heads: - "In your merged heads, the right numbers stand in the wrong p"
# squeeze at the end throws away every axis of length 1: with one text (or one token) the axis is gone
def my_merge_heads(x):
    merged = torch.cat([head for head in x.unbind(dim=1)], dim=-1)
    return merged.squeeze()


# %% right merge_heads
# token by token: the notes of all heads on one token, flattened
def my_merge_heads(x):
    rows = [x[:, :, token].reshape(x.shape[0], -1) for token in range(x.shape[2])]
    return torch.stack(rows, dim=1)


# %% right merge_heads
# each head is put into its place by pad, and all are added up
def my_merge_heads(x):
    num_heads, head_dim = x.shape[1], x.shape[3]
    merged = 0
    for i in range(num_heads):
        merged = merged + F.pad(x[:, i], (i * head_dim, (num_heads - 1 - i) * head_dim))
    return merged


# %% wrong attention_cost: xor-for-power
# ^ is not "to the power of" in Python but a bitwise xor
def my_cost(num_tokens, d_out, num_heads):
    projections = 4 * num_tokens * d_out ^ 2
    products = 2 * num_tokens**2 * d_out
    weights = num_heads * num_tokens**2
    return projections, products, weights


# %% wrong attention_cost: out-proj-uncounted
# three projections: out_proj is forgotten
def my_cost(num_tokens, d_out, num_heads):
    head_dim = d_out // num_heads
    one_projection = num_tokens * d_out * d_out
    one_product = num_tokens * head_dim * num_tokens
    return 3 * one_projection, num_heads * (one_product + one_product), num_heads * num_tokens * num_tokens


# %% wrong attention_cost: cost-times-heads
# every head is counted with the full width d_out, not with head_dim
def my_cost(num_tokens, d_out, num_heads):
    proj = 4 * num_tokens * d_out**2
    qk = num_tokens * d_out * num_tokens
    av = num_tokens * num_tokens * d_out
    return proj, num_heads * (qk + av), num_heads * num_tokens**2


# %% wrong attention_cost: parameters-kept
# takes "weights" for the parameters of the layer: 4 matrices, not the tables of attention weights
def my_cost(num_tokens, d_out, num_heads):
    parameters = 4 * d_out * d_out
    in_projections = num_tokens * parameters
    in_products = sum(2 * num_tokens * num_tokens * (d_out // num_heads) for _ in range(num_heads))
    return in_projections, in_products, parameters


# %% wrong attention_cost: float-size
# head_dim by / is a float, and so is the second number: not a whole number
def my_cost(num_tokens, d_out, num_heads):
    head_dim = d_out / num_heads
    projections = 4 * num_tokens * d_out * d_out
    products = num_heads * 2 * num_tokens * num_tokens * head_dim
    kept = num_heads * num_tokens**2
    return projections, products, kept


# %% wrong attention_cost: causal-half
# counts only the causal half of the table, n (n + 1) / 2 weights a head: all n * n are kept
def my_cost(num_tokens, d_out, num_heads):
    n, d = num_tokens, d_out
    return 4 * n * d * d, 2 * n * n * d, num_heads * (n * (n + 1) // 2)


# %% right attention_cost
# a helper for one matrix product, and a loop over the heads
def my_cost(num_tokens, d_out, num_heads):
    def product(n, k, m):
        return n * k * m

    projections = sum(product(num_tokens, d_out, d_out) for name in ("query", "key", "value", "out"))
    attending, kept = 0, 0
    for _ in range(num_heads):
        attending += product(num_tokens, d_out // num_heads, num_tokens)
        attending += product(num_tokens, num_tokens, d_out // num_heads)
        kept += num_tokens * num_tokens
    return projections, attending, kept


# %% right attention_cost
# factored in another way, and returned as a list
def my_cost(num_tokens, d_out, num_heads):
    square = pow(num_tokens, 2)
    area = num_tokens * d_out
    return [(area * d_out) << 2, (area * num_tokens) << 1, square * num_heads]


# %% wrong multi_head: dropout-on-output
# dropout falls on the mixed context vectors, not on the weights
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (layer(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
                   for layer in (self.W_query, self.W_key, self.W_value))
        scores = q @ k.transpose(2, 3) / self.head_dim**0.5
        weights = attention.softmax(scores.masked_fill(~self.mask[:t, :t], -torch.inf))
        vecs = self.dropout(weights @ v)
        return self.out_proj(vecs.transpose(1, 2).reshape(b, t, -1)), weights


# %% wrong multi_head: mask-shrinks
# the mask is made at the first call and kept: a later text of another length meets a mask that does not fit
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("heads do not divide the width")
        self.h = num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.mask = None

    def split(self, table):
        return table.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def forward(self, x):
        if self.mask is None:
            self.mask = attention.causal_mask(x.shape[1])
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.shape[-1])
        weights = self.dropout(attention.softmax(scores.masked_fill(~self.mask, -torch.inf)))
        mixed = torch.einsum("bhqk,bhkd->bqhd", weights, v)
        return self.out_proj(mixed.flatten(2)), weights


# %% wrong multi_head: check-wrong-axis
# the check looks at d_in, not at d_out: it refuses sizes that are fine and lets uneven heads through
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_in % num_heads != 0:
            raise ValueError("d_in must be divisible by num_heads")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        batch, num_tokens, _ = x.shape
        shape = (batch, num_tokens, self.num_heads, self.head_dim)
        queries = self.W_query(x).view(shape).transpose(1, 2)
        keys = self.W_key(x).view(shape).transpose(1, 2)
        values = self.W_value(x).view(shape).transpose(1, 2)
        scores = queries @ keys.transpose(2, 3) / self.head_dim**0.5
        scores = scores.masked_fill(~attention.causal_mask(num_tokens), -torch.inf)
        weights = self.dropout(attention.softmax(scores))
        merged = (weights @ values).transpose(1, 2).contiguous().view(batch, num_tokens, -1)
        return self.out_proj(merged), weights


# %% wrong multi_head: merge-no-transpose
# merges with a reshape alone, without turning heads and tokens back: rows hold numbers of other tokens
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError(f"{d_out} is not a multiple of {num_heads}")
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("allowed", torch.ones(context_length, context_length).tril().bool())

    def forward(self, x):
        B, T, _ = x.shape
        Q, K, V = (torch.stack(W(x).split(self.head_dim, dim=-1), dim=1)
                   for W in (self.W_query, self.W_key, self.W_value))
        S = (Q @ K.mT) / self.head_dim**0.5
        S = S.masked_fill(self.allowed[:T, :T].logical_not(), float("-inf"))
        A = self.drop(torch.softmax(S, dim=-1))
        notes = (A @ V).reshape(B, T, -1)
        return self.out_proj(notes), A


# %% wrong multi_head: dropout-in-eval
# F.dropout without training=self.training: it goes on dropping in eval mode
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads > 0:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        self.p = dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)

    def forward(self, x):
        def split(part):
            b, t, d = part.shape
            return part.reshape(b, t, self.num_heads, d // self.num_heads).permute(0, 2, 1, 3)

        q, k, v = split(self.W_query(x)), split(self.W_key(x)), split(self.W_value(x))
        scores = q @ k.permute(0, 1, 3, 2) * q.size(-1) ** -0.5
        mask = attention.causal_mask(x.size(1))
        weights = attention.softmax(torch.where(mask, scores, torch.tensor(-torch.inf)))
        weights = F.dropout(weights, self.p)
        context = (weights @ v).permute(0, 2, 1, 3).flatten(2)
        return self.out_proj(context), weights


# %% wrong multi_head: shared-projection
# the keys are projected with W_query: W_key is there, and never used
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("cannot share out")
        self.num_heads = num_heads
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        batch, num_tokens = x.shape[:2]
        q = self.W_query(x).view(batch, num_tokens, self.num_heads, -1).transpose(1, 2)
        k = self.W_query(x).view(batch, num_tokens, self.num_heads, -1).transpose(1, 2)
        v = self.W_value(x).view(batch, num_tokens, self.num_heads, -1).transpose(1, 2)
        s = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        w = self.dropout(attention.softmax(s.masked_fill(~attention.causal_mask(num_tokens), -torch.inf)))
        return self.out_proj((w @ v).transpose(1, 2).flatten(2)), w


# %% right multi_head
# head by head in a loop over slices; the mask is made anew for each call
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"d_out = {d_out}, num_heads = {num_heads}: the heads would be uneven")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop_some = nn.Dropout(dropout)

    def forward(self, x):
        future = ~attention.causal_mask(x.shape[1])
        parts = [layer(x).chunk(self.num_heads, dim=-1) for layer in (self.W_query, self.W_key, self.W_value)]
        notes, tables = [], []
        for q, k, v in zip(*parts):
            scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
            table = self.drop_some(torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1))
            tables.append(table)
            notes.append(torch.bmm(table, v))
        return self.out_proj(torch.cat(notes, dim=-1)), torch.stack(tables, dim=1)


# %% right multi_head
# tokens stay in front of heads; einsum does splitting's work, and a buffer of minus infinity is added
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be a multiple of num_heads")
        self.heads, self.width = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        wall = torch.full((context_length, context_length), -torch.inf).triu(1)
        self.register_buffer("wall", wall, persistent=False)

    def forward(self, x):
        n = x.shape[1]
        q = self.W_query(x).unflatten(-1, (self.heads, self.width)) / self.width**0.5
        k = self.W_key(x).unflatten(-1, (self.heads, self.width))
        v = self.W_value(x).unflatten(-1, (self.heads, self.width))
        weights = attention.softmax(torch.einsum("bqhd,bkhd->bhqk", q, k) + self.wall[:n, :n])
        weights = self.dropout(weights)
        notes = torch.einsum("bhqk,bkhd->bqhd", weights, v)
        return self.out_proj(notes.flatten(-2)), weights
