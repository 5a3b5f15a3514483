# %% wrong split_heads: view-no-transpose
# one view straight to the target shape: head 0 gets the first tokens, not its slice of the features
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    if d_out % num_heads != 0:
        raise ValueError("d_out must be divisible by num_heads")
    return x.reshape(batch, num_heads, num_tokens, d_out // num_heads)


# %% wrong split_heads: features-dealt-out
# cuts the features as (head_dim, num_heads): a head gets every num_heads-th feature, not neighbours
def my_split_heads(x, num_heads):
    b, t, d = x.size()
    head_dim, rest = divmod(d, num_heads)
    if rest:
        raise ValueError(f"{d} features for {num_heads} heads")
    return x.view(b, t, head_dim, num_heads).permute(0, 3, 1, 2)


# %% wrong split_heads: sizes-swapped
# takes the number in torch.split for the number of pieces: it is the size of a piece, so there come
# d_out / num_heads heads, each num_heads wide
def my_split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("cannot share out the features")
    pieces = torch.split(x, num_heads, dim=-1)
    return torch.stack(pieces, dim=1)


# %% wrong split_heads: error-returned
# returns the ValueError in place of raising it
def my_split_heads(x, num_heads):
    d_out = x.shape[2]
    if d_out % num_heads > 0:
        return ValueError("d_out cannot be shared out evenly")
    head_dim = d_out // num_heads
    return x.view(x.shape[0], x.shape[1], num_heads, head_dim).transpose(1, 2)


# %% wrong split_heads: heads-before-batch
# stacks the slices on axis 0: (num_heads, batch, num_tokens, head_dim)
def my_split_heads(x, num_heads):
    width = x.shape[-1]
    if width % num_heads != 0:
        raise ValueError("width must be a multiple of num_heads")
    head_dim = width // num_heads
    slices = []
    for i in range(num_heads):
        slices.append(x[:, :, i * head_dim : (i + 1) * head_dim])
    return torch.stack(slices)


# %% wrong split_heads: not-divisible
# no ValueError for an uneven width: rounds head_dim down and silently drops the features that are left over
def my_split_heads(x, num_heads):
    head_dim = x.shape[-1] // num_heads
    heads = [x[..., k * head_dim : (k + 1) * head_dim] for k in range(num_heads)]
    return torch.stack(heads, dim=-3)


# %% right split_heads
# picks the features with a table of indices, one row a head
def my_split_heads(x, num_heads):
    d_out = x.shape[-1]
    if d_out % num_heads:
        raise ValueError(f"d_out = {d_out} is no multiple of num_heads = {num_heads}")
    places = torch.arange(d_out).reshape(num_heads, -1)
    return x[..., places].movedim(2, 1)


# %% right split_heads
# three nested loops, number rows copied one by one; the check of the width is a comparison of products
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    head_dim = d_out // num_heads
    if head_dim * num_heads != d_out:
        raise ValueError("uneven heads")
    result = torch.empty(batch, num_heads, num_tokens, head_dim, dtype=x.dtype)
    for b in range(batch):
        for h in range(num_heads):
            for t in range(num_tokens):
                result[b, h, t] = x[b, t, h * head_dim : (h + 1) * head_dim]
    return result


# %% wrong head_weights: scale-model
# divides by the root of d_out, the width of all heads, in place of the root of head_dim
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    scores = q @ k.transpose(-2, -1)
    return torch.softmax(scores / queries.shape[-1] ** 0.5, dim=-1)


# %% wrong head_weights: softmax-heads
# softmax along dim=1, as on three axes: with the heads' axis at 1, the weights of the heads sum to 1, not the rows
def my_head_weights(queries, keys, num_heads):
    queries = attention.split_heads(queries, num_heads)
    keys = attention.split_heads(keys, num_heads)
    scores = torch.matmul(queries, keys.permute(0, 1, 3, 2)) / math.sqrt(queries.size(-1))
    return F.softmax(scores, dim=1)


# %% wrong head_weights: keys-cut-as-queries
# reads the number of tokens from the queries and uses it for the keys too: stops unless there are as many keys
def my_head_weights(queries, keys, num_heads):
    B, T, C = queries.shape
    q = queries.view(B, T, num_heads, C // num_heads).transpose(1, 2)
    k = keys.view(B, T, num_heads, C // num_heads).transpose(1, 2)
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    return F.softmax(att, dim=-1)


# %% wrong head_weights: split-missing
# does not split at all: one table of weights from the whole width, copied for every head
def my_head_weights(queries, keys, num_heads):
    head_dim = queries.shape[-1] // num_heads
    scores = torch.bmm(queries, keys.transpose(1, 2)) / head_dim**0.5
    weights = attention.softmax(scores)
    return weights[:, None].repeat(1, num_heads, 1, 1)


# %% wrong head_weights: scale-after
# divides after the softmax and not before: the rows no longer sum to 1
def my_head_weights(queries, keys, num_heads):
    q, k = (attention.split_heads(t, num_heads) for t in (queries, keys))
    raw = torch.einsum("bhqd,bhkd->bhqk", q, k)
    return raw.softmax(-1) / q.shape[-1] ** 0.5


# %% wrong head_weights: mask-unasked
# puts a causal mask in by habit, although the prompt says without a mask
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    num_queries, num_keys = scores.shape[-2:]
    future = torch.triu(torch.ones(num_queries, num_keys), diagonal=1).bool()
    scores.masked_fill_(future, float("-inf"))
    return torch.softmax(scores, dim=-1)


# %% right head_weights
# no split: a loop over slices of the features, softmax written out
def my_head_weights(queries, keys, num_heads):
    head_dim = queries.shape[-1] // num_heads
    tables = []
    for q, k in zip(queries.split(head_dim, dim=-1), keys.split(head_dim, dim=-1)):
        scores = (q[:, :, None, :] * k[:, None, :, :]).sum(dim=-1) / math.sqrt(head_dim)
        exps = (scores - scores.amax(dim=-1, keepdim=True)).exp()
        tables.append(exps / exps.sum(dim=-1, keepdim=True))
    return torch.stack(tables, dim=1)


# %% right head_weights
# hands the split queries and keys to the course's own attention, with the keys as values, and keeps the weights only
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    _, weights = attention.scaled_dot_product_attention(q, k, k)
    return weights


# %% wrong merge_heads: merge-no-transpose
# reshape straight away, without turning the axes back: each row holds several tokens' numbers of one head
def my_merge_heads(x):
    batch, num_heads, num_tokens, head_dim = x.shape
    return x.reshape(batch, num_tokens, num_heads * head_dim)


# %% wrong merge_heads: not-contiguous
# calls contiguous() but throws its result away (it does not work in place): view stops with the RuntimeError
def my_merge_heads(x):
    b, h, t, d = x.shape
    y = x.transpose(1, 2)
    y.contiguous()
    return y.view(b, t, h * d)


# %% wrong merge_heads: features-dealt-out
# moves the heads behind the features: the features of the heads alternate in place of standing side by side
def my_merge_heads(x):
    return x.permute(0, 2, 3, 1).flatten(start_dim=2)


# %% wrong merge_heads: split-tokens
# joins the heads along the tokens' axis: (batch, num_heads * num_tokens, head_dim)
def my_merge_heads(x):
    notes = [x[:, i] for i in range(x.shape[1])]
    return torch.cat(notes, dim=1)


# %% wrong merge_heads: batch-mixed
# forgets the batch in the last reshape: all texts below each other, (batch * num_tokens, d_out)
def my_merge_heads(x):
    _, num_heads, _, head_dim = x.shape
    turned = torch.transpose(x, 1, 2).contiguous()
    return turned.reshape(-1, num_heads * head_dim)


# %% wrong merge_heads: transpose-wrong-axes
# transposes the last two axes (tokens and features) and not heads and tokens: right shape, mixed content
def my_merge_heads(x):
    batch, num_heads, num_tokens, head_dim = x.shape
    x = x.transpose(-2, -1).contiguous()
    return x.view(batch, num_tokens, num_heads * head_dim)


# %% right merge_heads
# lays the heads side by side with cat, no transpose and no view
def my_merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)


# %% right merge_heads
# swapaxes and -1 for the width, worked out by reshape
def my_merge_heads(x):
    side_by_side = torch.swapaxes(x, 2, 1)
    new_shape = list(side_by_side.shape[:2]) + [-1]
    return side_by_side.reshape(new_shape)


# %% wrong attention_cost: xor-for-power
# writes ^ for the power: in Python that is a bitwise exclusive or, the numbers are wrong
def my_cost(num_tokens, d_out, num_heads):
    projections = 4 * num_tokens * d_out ^ 2
    products = 2 * num_tokens ^ 2 * d_out
    weights = num_heads * num_tokens ^ 2
    return projections, products, weights


# %% wrong attention_cost: parameters-kept
# takes "weights" for the parameters of the layer: 4 · d² in place of the attention weights h · n²
def my_cost(num_tokens, d_out, num_heads):
    projections = 4 * num_tokens * d_out * d_out
    products = 2 * num_tokens * num_tokens * d_out
    kept = 4 * d_out**2
    return projections, products, kept


# %% wrong attention_cost: out-proj-uncounted
# counts three projections: forgets out_proj, which the prompt includes
def my_cost(num_tokens, d_out, num_heads):
    one_projection = num_tokens * d_out * d_out
    head_dim = d_out // num_heads
    one_head = num_tokens * head_dim * num_tokens + num_tokens * num_tokens * head_dim
    return 3 * one_projection, num_heads * one_head, num_heads * num_tokens**2


# %% wrong attention_cost: cost-times-heads
# uses the full d_out in every head's products, so the products grow with the number of heads
def my_cost(num_tokens, d_out, num_heads):
    proj = 4 * (num_tokens * d_out**2)
    scores = num_tokens * d_out * num_tokens
    mix = num_tokens * num_tokens * d_out
    return proj, num_heads * (scores + mix), num_heads * num_tokens * num_tokens


# %% wrong attention_cost: nothing-returned
# prints the three numbers and returns nothing
def my_cost(num_tokens, d_out, num_heads):
    n, d, h = num_tokens, d_out, num_heads
    print(4 * n * d**2, 2 * n**2 * d, h * n**2)


# %% wrong attention_cost: heads-uncounted
# keeps one table of weights for all heads: n² in place of h · n²
def my_cost(num_tokens, d_out, num_heads):
    def product(n, k, m):
        return n * k * m

    projections = sum(product(num_tokens, d_out, d_out) for _ in ("query", "key", "value", "out"))
    products = product(num_tokens, d_out, num_tokens) + product(num_tokens, num_tokens, d_out)
    return projections, products, num_tokens * num_tokens


# %% right attention_cost
# counts head by head in a loop, with a helper for one product
def my_cost(num_tokens, d_out, num_heads):
    def mults(left, right):
        assert left[1] == right[0]
        return math.prod(left) * right[1]

    head_dim = d_out // num_heads
    projections = products = kept = 0
    for _ in range(4):
        projections += mults((num_tokens, d_out), (d_out, d_out))
    for _ in range(num_heads):
        products += mults((num_tokens, head_dim), (head_dim, num_tokens))
        products += mults((num_tokens, num_tokens), (num_tokens, head_dim))
        kept += num_tokens**2
    return projections, products, kept


# %% right attention_cost
# returns a list in place of a tuple, with the terms factored in another way
def my_cost(num_tokens, d_out, num_heads):
    features = num_tokens * d_out
    pairs = num_tokens * num_tokens
    return [(features * d_out) << 2, (features * num_tokens) << 1, pairs * num_heads]


# %% wrong multi_head: dropout-not-applied
# GPT pattern with two dropouts: drops the output too, not only the weights (shows only in training)
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
        self.attn_dropout = nn.Dropout(dropout)
        self.resid_dropout = nn.Dropout(dropout)
        self.register_buffer("bias", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        B, T, _ = x.size()
        q = self.W_query(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(self.head_dim))
        att = att.masked_fill(self.bias[:T, :T] == 0, float("-inf"))
        att = self.attn_dropout(F.softmax(att, dim=-1))
        y = (att @ v).transpose(1, 2).contiguous().view(B, T, -1)
        return self.resid_dropout(self.out_proj(y)), att


# %% wrong multi_head: mask-shrinks
# makes the mask on the first call and keeps it: a second call with another number of tokens does not fit (stateful)
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError(f"{d_out} features cannot be shared out among {num_heads} heads")
        self.num_heads = num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.mask = None

    def _split(self, x):
        return x.unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)

    def forward(self, x):
        if self.mask is None:
            self.mask = attention.causal_mask(x.shape[1])
        queries, keys, values = (self._split(layer(x)) for layer in (self.W_query, self.W_key, self.W_value))
        scores = queries @ keys.transpose(2, 3) / self.head_dim**0.5
        weights = self.dropout(attention.softmax(scores.masked_fill(~self.mask, -torch.inf)))
        return self.out_proj((weights @ values).transpose(1, 2).flatten(2)), weights


# %% wrong multi_head: names
# one fused layer for queries, keys and values, as in GPT code: W_query, W_key and W_value are missing
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out % num_heads must be 0")
        self.num_heads, self.d_out = num_heads, d_out
        self.c_attn = nn.Linear(d_in, 3 * d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.shape
        hs = self.d_out // self.num_heads
        q, k, v = self.c_attn(x).split(self.d_out, dim=2)
        q, k, v = (t.view(B, T, self.num_heads, hs).transpose(1, 2) for t in (q, k, v))
        att = q @ k.transpose(-2, -1) / math.sqrt(hs)
        att = att.masked_fill(~attention.causal_mask(T), float("-inf"))
        att = self.dropout(torch.softmax(att, dim=-1))
        y = (att @ v).transpose(1, 2).reshape(B, T, self.d_out)
        return self.out_proj(y), att


# %% wrong multi_head: mask-zero-fill
# fills the hidden scores with 1e-9 (a typing slip for -1e9): they are nearly 0, not minus infinity, so the future shows
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(p=dropout)
        self.register_buffer("future", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        batch, n, _ = x.shape
        q = self.W_query(x).reshape(batch, n, self.h, -1).permute(0, 2, 1, 3)
        k = self.W_key(x).reshape(batch, n, self.h, -1).permute(0, 2, 3, 1)
        v = self.W_value(x).reshape(batch, n, self.h, -1).permute(0, 2, 1, 3)
        scores = torch.matmul(q, k) / q.shape[-1] ** 0.5
        scores = scores.masked_fill(self.future[:n, :n], 1e-9)
        weights = self.drop(scores.softmax(dim=-1))
        mixed = torch.matmul(weights, v).permute(0, 2, 1, 3).reshape(batch, n, -1)
        return self.out_proj(mixed), weights


# %% wrong multi_head: dropout-in-eval
# F.dropout without training=self.training: its default is True, so it drops weights after eval() too
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("heads must divide d_out")
        self.num_heads = num_heads
        self.p = dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        b, t, _ = x.shape
        cut = lambda y: y.view(b, t, self.num_heads, -1).transpose(1, 2)
        q, k, v = cut(self.W_query(x)), cut(self.W_key(x)), cut(self.W_value(x))
        scores = torch.einsum("bhid,bhjd->bhij", q, k) * q.size(-1) ** -0.5
        scores[..., ~attention.causal_mask(t)] = -torch.inf
        weights = F.dropout(attention.softmax(scores), self.p)
        out = torch.einsum("bhij,bhjd->bihd", weights, v).reshape(b, t, -1)
        return self.out_proj(out), weights


# %% wrong multi_head: extra-bias
# two mistakes: the projections keep their default bias, and the weights are returned as they were before dropout
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("bad num_heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        # project
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        # split
        head_dim = q.shape[-1] // self.num_heads
        q = torch.stack(q.split(head_dim, dim=-1), dim=1)
        k = torch.stack(k.split(head_dim, dim=-1), dim=1)
        v = torch.stack(v.split(head_dim, dim=-1), dim=1)
        # attend
        n = x.shape[1]
        scores = q @ k.transpose(-2, -1) / math.sqrt(head_dim)
        scores = scores.masked_fill(~self.mask[:n, :n], -torch.inf)
        weights = attention.softmax(scores)
        notes = self.dropout(weights) @ v
        # merge
        merged = torch.cat([notes[:, i] for i in range(self.num_heads)], dim=-1)
        # project
        return self.out_proj(merged), weights


# %% wrong multi_head: head-count-dim
# takes d_out for the width of one head: the projections are num_heads * d_out wide, nothing is shared out
# (and so there is no ValueError either)
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_out
        total = num_heads * d_out
        self.W_query = nn.Linear(d_in, total, bias=False)
        self.W_key = nn.Linear(d_in, total, bias=False)
        self.W_value = nn.Linear(d_in, total, bias=False)
        self.out_proj = nn.Linear(total, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, t, _ = x.shape
        shape = (b, t, self.num_heads, self.head_dim)
        q = self.W_query(x).view(shape).transpose(1, 2)
        k = self.W_key(x).view(shape).transpose(1, 2)
        v = self.W_value(x).view(shape).transpose(1, 2)
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(self.head_dim)
        scores = torch.where(attention.causal_mask(t), scores, -torch.inf)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return self.out_proj((weights @ v).transpose(1, 2).reshape(b, t, -1)), weights


# %% right multi_head
# a loop over heads with slices of the features, no split and no merge helper; mask made anew with arange
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"d_out={d_out} is not divisible by num_heads={num_heads}")
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.weights_dropout = nn.Dropout(dropout)

    def forward(self, x):
        place = torch.arange(x.shape[1], device=x.device)
        hidden = place[None, :] > place[:, None]
        parts = [layer(x).split(self.head_dim, dim=-1) for layer in (self.W_query, self.W_key, self.W_value)]
        notes, tables = [], []
        for q, k, v in zip(*parts):
            scores = torch.bmm(q, k.transpose(1, 2)) / self.head_dim**0.5
            table = self.weights_dropout(F.softmax(scores.masked_fill(hidden, -torch.inf), dim=-1))
            notes.append(torch.bmm(table, v))
            tables.append(table)
        return self.out_proj(torch.cat(notes, dim=-1)), torch.stack(tables, dim=1)


# %% right multi_head
# texts and heads folded on one axis, baddbmm with a float mask added, functional dropout with the training flag
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be a multiple of num_heads")
        self.num_heads, self.p = num_heads, dropout
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out, bias=True)
        above = torch.full((context_length, context_length), -torch.inf).triu(1)
        self.register_buffer("above", above, persistent=False)

    def fold(self, x):
        b, t, d = x.shape
        return x.reshape(b, t, self.num_heads, d // self.num_heads).permute(0, 2, 1, 3).flatten(0, 1)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = map(self.fold, (self.W_query(x), self.W_key(x), self.W_value(x)))
        scores = torch.baddbmm(self.above[:t, :t], q, k.mT, alpha=1 / math.sqrt(q.shape[-1]))
        weights = F.dropout(scores.softmax(-1), p=self.p, training=self.training)
        notes = (weights @ v).unflatten(0, (b, self.num_heads))
        merged = notes.permute(0, 2, 1, 3).reshape(b, t, -1)
        return self.out_proj(merged), weights.unflatten(0, (b, self.num_heads))
