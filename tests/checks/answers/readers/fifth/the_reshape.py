# %% wrong split_heads: sizes-swapped
# torch.split wants the size of a piece, not how many: it makes head_dim heads of num_heads features
def my_split_heads(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        raise ValueError("cannot be shared out evenly")
    return torch.stack(torch.split(x, num_heads, dim=-1), dim=1)

# %% wrong split_heads: not-divisible
# no ValueError: what cannot be shared out is silently left off
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    head_dim = d_out // num_heads
    heads = [x[:, :, i * head_dim:(i + 1) * head_dim] for i in range(num_heads)]
    return torch.stack(heads, dim=1)

# %% wrong split_heads: features-dealt-out
# cuts the features as (head_dim, num_heads): every head gets each num_heads-th feature, not neighbouring ones
def my_split_heads(x, num_heads):
    b, t, d = x.shape
    if d % num_heads:
        raise ValueError(f"{d} features, {num_heads} heads")
    return x.view(b, t, d // num_heads, num_heads).permute(0, 3, 1, 2)

# %% wrong split_heads: moved-before-cut
# transposes before it cuts: the reshape then runs along the tokens, and features of several tokens get mixed
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.size()
    if d_out % num_heads > 0:
        raise ValueError("d_out must be divisible by num_heads")
    x = x.transpose(1, 2)
    return x.reshape(batch, num_heads, num_tokens, d_out // num_heads)

# %% wrong split_heads: split-not-moved
# forgets the second move: the axes are left as batch, tokens, heads, features
def my_split_heads(x, num_heads):
    head_dim, rest = divmod(x.shape[-1], num_heads)
    if rest:
        raise ValueError("not evenly")
    return x.unflatten(-1, (num_heads, head_dim))

# %% wrong split_heads: check-inverted
# the remainder is taken the wrong way round: num_heads % d_out refuses widths that can be shared out
def my_split_heads(x, num_heads):
    d_out = x.shape[2]
    if num_heads % d_out != 0:
        raise ValueError("heads do not divide the width")
    x = x.view(x.shape[0], x.shape[1], num_heads, d_out // num_heads)
    return x.transpose(1, 2)

# %% right split_heads
# unfold: windows of head_dim features, head_dim apart, then the axes in another order
def my_split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("the heads cannot get equal shares")
    width = x.shape[-1] // num_heads
    return x.unfold(-1, width, width).permute(0, 2, 1, 3)

# %% right split_heads
# four loops, one number after the other
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    if d_out != d_out // num_heads * num_heads:
        raise ValueError("uneven")
    head_dim = d_out // num_heads
    out = torch.zeros(batch, num_heads, num_tokens, head_dim, dtype=x.dtype, device=x.device)
    for text in range(batch):
        for token in range(num_tokens):
            for feature in range(d_out):
                out[text, feature // head_dim, token, feature % head_dim] = x[text, token, feature]
    return out

# %% wrong head_weights: keys-cut-as-queries
# cuts the keys with the number of queries: an error as soon as there are more or fewer keys than queries
def my_head_weights(queries, keys, num_heads):
    b, n, d = queries.shape
    q = queries.view(b, n, num_heads, d // num_heads).transpose(1, 2)
    k = keys.view(b, n, num_heads, d // num_heads).transpose(1, 2)
    return attention.softmax(q @ k.transpose(2, 3) / (d // num_heads) ** 0.5)

# %% wrong head_weights: scale-model
# divides by the root of d_out, not by that of one head's width
def my_head_weights(queries, keys, num_heads):
    d_k = queries.shape[-1]
    queries, keys = attention.split_heads(queries, num_heads), attention.split_heads(keys, num_heads)
    scores = torch.einsum("bhqd,bhkd->bhqk", queries, keys)
    return (scores / math.sqrt(d_k)).softmax(dim=-1)

# %% wrong head_weights: softmax-heads
# softmax over axis 1, the heads: the heads' weights for a key add up to 1, the rows do not
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    return F.softmax(scores, dim=1)

# %% wrong head_weights: qk-swapped
# keys times queries: a row for each key, turned round, (batch, num_heads, num_keys, num_queries)
def my_head_weights(queries, keys, num_heads):
    split_queries = attention.split_heads(queries, num_heads)
    split_keys = attention.split_heads(keys, num_heads)
    head_dim = split_keys.shape[-1]
    attn_scores = split_keys @ split_queries.transpose(-2, -1)
    return torch.softmax(attn_scores / head_dim**0.5, dim=-1)

# %% wrong head_weights: mask-unasked
# hides later tokens by a causal mask, although the prompt says without a mask
def my_head_weights(queries, keys, num_heads):
    q, k = (attention.split_heads(part, num_heads) for part in (queries, keys))
    may = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()
    _, weights = attention.scaled_dot_product_attention(q, k, k, may)
    return weights

# %% wrong head_weights: weights-averaged
# mean over the heads at the end: one table for each text, the axis of the heads is lost
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    tables = [attention.softmax(q[:, i] @ k[:, i].transpose(1, 2) / q.shape[-1] ** 0.5) for i in range(num_heads)]
    return sum(tables) / len(tables)

# %% right head_weights
# no split: view and einsum, with the heads' axis left behind the tokens until the product
def my_head_weights(queries, keys, num_heads):
    q = queries.unflatten(-1, (num_heads, -1))
    k = keys.unflatten(-1, (num_heads, -1))
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k)
    return torch.softmax(scores * q.shape[-1] ** -0.5, dim=3)

# %% right head_weights
# a loop over heads with slices; baddbmm with alpha does the scaling; exponentials by hand with the maximum subtracted
def my_head_weights(queries, keys, num_heads):
    width = queries.shape[-1] // num_heads
    tables = []
    for start in range(0, width * num_heads, width):
        q, k = queries[..., start:start + width], keys[..., start:start + width]
        nothing = q.new_zeros(q.shape[0], q.shape[1], k.shape[1])
        scores = torch.baddbmm(nothing, q, k.transpose(1, 2), beta=0, alpha=1 / math.sqrt(width))
        e = (scores - scores.max(dim=-1, keepdim=True).values).exp()
        tables.append(e / e.sum(dim=-1, keepdim=True))
    return torch.stack(tables, dim=1)

# %% wrong merge_heads: merge-no-transpose
# a reshape straight from the heads' tables, without the transpose: a row holds numbers of several tokens
def my_merge_heads(x):
    batch, num_heads, num_tokens, head_dim = x.shape
    d_out = num_heads * head_dim
    return x.contiguous().view(batch, num_tokens, d_out)

# %% wrong merge_heads: not-contiguous
# contiguous() before the transpose in place of after it: view stops with an error
def my_merge_heads(x):
    b, h, t, d = x.shape
    x = x.contiguous().transpose(1, 2)
    return x.view(b, t, h * d)

# %% wrong merge_heads: batch-mixed
# goes through x with a for: that takes the texts, not the heads, and lays texts side by side
def my_merge_heads(x):
    return torch.cat([head for head in x], dim=-1)

# %% wrong merge_heads: features-dealt-out
# the heads go behind the features before joining: features of the heads are interleaved
def my_merge_heads(x):
    turned = x.permute(0, 2, 3, 1)
    return turned.flatten(start_dim=2)

# %% wrong merge_heads: transpose-wrong-axes
# turns tokens and features (the last two axes) in place of heads and tokens
def my_merge_heads(x):
    b, num_heads, num_tokens, head_dim = x.size()
    x = x.transpose(2, 3)
    return x.reshape(b, num_tokens, num_heads * head_dim)

# %% wrong merge_heads: fixed-width
# joins only heads 0 and 1: right for two heads, further heads are lost
def my_merge_heads(x):
    first, second = x[:, 0], x[:, 1]
    return torch.cat((first, second), dim=-1)

# %% right merge_heads
# unbind gives a table for each head, cat lays them side by side
def my_merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)

# %% right merge_heads
# swapaxes and a list of rows, built token by token
def my_merge_heads(x):
    by_token = torch.swapaxes(x, 1, 2)
    rows = [by_token[:, token].flatten(1) for token in range(by_token.shape[1])]
    return torch.stack(rows, dim=1)

# %% wrong attention_cost: parameters-counted
# counts the parameters of the four projections, not the multiplications: num_tokens is missing there
def my_cost(num_tokens, d_out, num_heads):
    projections = 4 * d_out * d_out
    products = 2 * num_tokens * num_tokens * d_out
    kept = num_heads * num_tokens * num_tokens
    return projections, products, kept

# %% wrong attention_cost: nothing-returned
# prints the three numbers and returns nothing
def my_cost(num_tokens, d_out, num_heads):
    projections = 4 * num_tokens * d_out**2
    products = 2 * num_tokens**2 * d_out
    weights = num_heads * num_tokens**2
    print(projections, products, weights)

# %% wrong attention_cost: one-head-counted
# the two products of one head only: the sum over all heads is forgotten
def my_cost(num_tokens, d_out, num_heads):
    head_dim = d_out // num_heads
    scores = num_tokens * head_dim * num_tokens
    mixing = num_tokens * num_tokens * head_dim
    return 4 * num_tokens * d_out * d_out, scores + mixing, num_tokens * num_tokens * num_heads

# %% wrong attention_cost: parameters-kept
# takes "weights kept" for the numbers in the weight matrices of the layers, not the attention weights
def my_cost(num_tokens, d_out, num_heads):
    n, d = num_tokens, d_out
    return 4 * n * d * d, 2 * n * n * d, 4 * d * d

# %% wrong attention_cost: out-proj-uncounted
# three projections, out_proj is left out
def my_cost(num_tokens, d_out, num_heads):
    names = ["query", "key", "value"]
    in_projections = sum(num_tokens * d_out * d_out for _ in names)
    head_dim = d_out // num_heads
    in_products = sum(2 * num_tokens * head_dim * num_tokens for _ in range(num_heads))
    return in_projections, in_products, num_heads * num_tokens**2

# %% wrong attention_cost: causal-half
# counts only one weight for each key that a causal mask leaves open: the whole table is kept
def my_cost(num_tokens, d_out, num_heads):
    projections = num_tokens * d_out * d_out * 4
    products = num_tokens * num_tokens * d_out * 2
    table = sum(i + 1 for i in range(num_tokens))
    return projections, products, table * num_heads

# %% right attention_cost
# a helper for a product, called for every product there is, head by head
def my_cost(num_tokens, d_out, num_heads):
    def product(left, right):
        n, k = left
        _, m = right
        return n * k * m

    head_dim = d_out // num_heads
    projections = products = weights = 0
    for _ in ("query", "key", "value", "out"):
        projections += product((num_tokens, d_out), (d_out, d_out))
    for _ in range(num_heads):
        products += product((num_tokens, head_dim), (head_dim, num_tokens))
        products += product((num_tokens, num_tokens), (num_tokens, head_dim))
        weights += num_tokens * num_tokens
    return projections, products, weights

# %% right attention_cost
# returns a named tuple
def my_cost(num_tokens, d_out, num_heads):
    from collections import namedtuple
    Cost = namedtuple("Cost", ["projections", "products", "weights"])
    square = num_tokens * num_tokens
    return Cost(
        projections=(2 * d_out) ** 2 * num_tokens, products=square * (d_out + d_out), weights=square * num_heads)

# %% wrong multi_head: dropout-in-eval
# F.dropout without training=self.training: it drops in eval mode too
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads, self.p = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        scores = q @ k.transpose(2, 3) / q.shape[-1] ** 0.5
        scores = scores.masked_fill(~attention.causal_mask(x.shape[1]), -torch.inf)
        weights = F.dropout(attention.softmax(scores), self.p)
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2)), weights

# %% wrong multi_head: inputs-shared-out
# shares out d_in in place of d_out: check and head_dim are made from the width that comes in
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_in % num_heads != 0:
            raise ValueError("width cannot be shared out")
        self.h, self.head_dim = num_heads, d_in // num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.h, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.h, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.h, self.head_dim).transpose(1, 2)
        s = (q @ k.mT / math.sqrt(self.head_dim)).masked_fill(~self.mask[:t, :t], -torch.inf)
        w = self.dropout(torch.softmax(s, dim=-1))
        return self.out_proj((w @ v).transpose(1, 2).reshape(b, t, -1)), w

# %% wrong multi_head: mask-not-sliced
# the mask keeps its size context_length: a shorter text stops with an error
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("heads")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)
        self.dropout = nn.Dropout(dropout)
        future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()
        self.register_buffer("future", future)

    def forward(self, x):
        batch, num_tokens, _ = x.shape
        shape = (batch, num_tokens, self.num_heads, self.head_dim)
        queries, keys, values = (layer(x).view(shape).transpose(1, 2)
                                 for layer in (self.W_query, self.W_key, self.W_value))
        attn_scores = queries @ keys.transpose(-1, -2) / self.head_dim**0.5
        attn_scores = attn_scores.masked_fill(self.future, -torch.inf)
        attn_weights = self.dropout(attention.softmax(attn_scores))
        merged = (attn_weights @ values).transpose(1, 2).contiguous().view(batch, num_tokens, -1)
        return self.out_proj(merged), attn_weights

# %% wrong multi_head: mask-after-softmax
# softmax first, then the weights of the future times 0: the open rows do not sum to 1, and the future counts in the sum
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError(f"{d_out} / {num_heads} leaves {rest}")
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (f(x).unfold(-1, self.head_dim, self.head_dim).permute(0, 2, 1, 3)
                   for f in (self.W_query, self.W_key, self.W_value))
        weights = torch.softmax(torch.einsum("bhid,bhjd->bhij", q, k) / self.head_dim**0.5, dim=-1)
        weights = self.drop(weights * attention.causal_mask(x.shape[1]))
        notes = torch.einsum("bhij,bhjd->bihd", weights, v).flatten(2)
        return self.out_proj(notes), weights

# %% wrong multi_head: dropout-on-output
# dropout falls on the output of out_proj, not on the weights: the weights are never dropped
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out % num_heads")
        self.num_heads = num_heads
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, n, _ = x.shape
        parts = [getattr(self, "W_" + name)(x).reshape(b, n, self.num_heads, -1).swapaxes(1, 2)
                 for name in ("query", "key", "value")]
        context_vecs, attn_weights = attention.scaled_dot_product_attention(*parts, mask=attention.causal_mask(n))
        context_vecs = context_vecs.swapaxes(1, 2).reshape(b, n, -1)
        return self.dropout(self.out_proj(context_vecs)), attn_weights

# %% wrong multi_head: out-proj-bias
# two mistakes: scores divided by the root of d_out in place of head_dim, and out_proj made without its bias
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("not evenly")
        self.num_heads, self.d_out = num_heads, d_out
        self.W_query = nn.Linear(d_in, d_out, False)
        self.W_key = nn.Linear(d_in, d_out, False)
        self.W_value = nn.Linear(d_in, d_out, False)
        self.out_proj = nn.Linear(d_out, d_out, False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        def split(y):
            return torch.stack(y.chunk(self.num_heads, dim=-1), dim=1)

        q, k, v = split(self.W_query(x)), split(self.W_key(x)), split(self.W_value(x))
        scores = q @ k.transpose(-2, -1) / self.d_out**0.5
        closed = ~attention.causal_mask(x.size(1))
        weights = self.dropout(attention.softmax(scores.masked_fill(closed, -torch.inf)))
        notes = weights @ v
        return self.out_proj(torch.cat(notes.unbind(1), dim=-1)), weights

# %% right multi_head
# a loop over heads with slices of the projections; the mask is made anew; weights stacked, notes laid side by side
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("every head needs as many features")
        self.slices = [slice(i, i + d_out // num_heads) for i in range(0, d_out, d_out // num_heads)]
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.forget = nn.Dropout(dropout)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        open_ = torch.ones(x.shape[1], x.shape[1], device=x.device).tril() > 0
        notes, tables = [], []
        for mine in self.slices:
            q, k, v = queries[..., mine], keys[..., mine], values[..., mine]
            scores = torch.bmm(q, k.transpose(1, 2)) * q.shape[-1] ** -0.5
            tables.append(self.forget(scores.where(open_, torch.tensor(-torch.inf)).softmax(-1)))
            notes.append(torch.bmm(tables[-1], v))
        return self.out_proj(torch.cat(notes, -1)), torch.stack(tables, 1)

# %% right multi_head
# F.dropout with the mode handed on; einsum with the heads behind the tokens; the additive mask is a float buffer
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out // num_heads * num_heads != d_out:
            raise ValueError("no whole number of features for each head")
        self.num_heads, self.rate = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        future = torch.full((context_length, context_length), -torch.inf).triu(1)
        self.register_buffer("future", future, persistent=False)

    def forward(self, x):
        n = x.shape[1]
        q, k, v = (f(x).unflatten(2, (self.num_heads, -1)) for f in (self.W_query, self.W_key, self.W_value))
        scores = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(q.shape[-1]) + self.future[:n, :n]
        weights = F.dropout(torch.softmax(scores, -1), self.rate, training=self.training)
        return self.out_proj(torch.einsum("bhij,bjhd->bihd", weights, v).flatten(2)), weights
