# %% wrong split_heads: sizes-swapped
# split takes the size of a piece, not the number of pieces: right only when num_heads equals head_dim
def my_split_heads(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        raise ValueError("d_out must be divisible by num_heads")
    pieces = x.split(num_heads, dim=-1)
    return torch.stack(pieces, dim=1)


# %% wrong split_heads: moved-before-cut
# brings the features to the front first and then reshapes: right shape, numbers of tokens and features mixed
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    if d_out % num_heads:
        raise ValueError("uneven heads")
    head_dim = d_out // num_heads
    return x.transpose(1, 2).reshape(batch, num_heads, num_tokens, head_dim)


# %% wrong split_heads: features-dealt-out
# cuts as (head_dim, num_heads): head i gets every num_heads-th feature, not neighbours
def my_split_heads(x, num_heads):
    b, t, d = x.shape
    if d % num_heads != 0:
        raise ValueError(f"{d} features, {num_heads} heads")
    return x.view(b, t, d // num_heads, num_heads).permute(0, 3, 1, 2)


# %% wrong split_heads: check-inverted
# the modulo is turned round (num_heads % d_out): refuses nearly everything that is allowed
def my_split_heads(x, num_heads):
    b, t, d_out = x.size()
    if num_heads % d_out != 0:
        raise ValueError("d_out cannot be shared out evenly")
    x = x.view(b, t, num_heads, d_out // num_heads)
    return x.transpose(1, 2)


# %% wrong split_heads: not-divisible
# where the width cannot be shared out, the rest of the features is left away without a word: no ValueError
def my_split_heads(x, num_heads):
    head_dim = int(x.shape[-1] / num_heads)
    heads = []
    for h in range(num_heads):
        heads.append(x[:, :, h * head_dim:(h + 1) * head_dim])
    return torch.stack(heads, dim=1)


# %% wrong split_heads: heads-before-batch
# the heads' axis is moved to the very front: (num_heads, batch, num_tokens, head_dim)
def my_split_heads(x, num_heads):
    if x.shape[2] % num_heads:
        raise ValueError("num_heads")
    cut = x.unflatten(-1, (num_heads, -1))
    return cut.movedim(2, 0)


# %% wrong split_heads: lists-returned
# returns a Python list of the heads' slices, not one tensor with an axis for the heads
def my_split_heads(x, num_heads):
    d_out = x.shape[-1]
    if d_out % num_heads > 0:
        raise ValueError("num_heads must divide d_out")
    return [part for part in x.chunk(num_heads, dim=-1)]


# %% wrong head_weights: split-missing
# one table from all features together, repeated for every head: the heads are not split at all
def my_head_weights(queries, keys, num_heads):
    head_dim = queries.shape[-1] // num_heads
    scores = queries @ keys.transpose(1, 2) / head_dim**0.5
    weights = torch.softmax(scores, dim=-1)
    return weights.unsqueeze(1).repeat(1, num_heads, 1, 1)


# %% wrong head_weights: scale-heads
# reads the width from axis 1 after the split, which is num_heads: divides by the root of num_heads
def my_head_weights(queries, keys, num_heads):
    queries = attention.split_heads(queries, num_heads)
    keys = attention.split_heads(keys, num_heads)
    d_k = keys.shape[1]
    return attention.softmax(queries @ keys.transpose(-2, -1) / math.sqrt(d_k))


# %% wrong head_weights: softmax-heads
# softmax over the heads' axis (dim=1): the heads share out each pair of tokens, rows do not sum to 1
def my_head_weights(queries, keys, num_heads):
    q, k = (attention.split_heads(t, num_heads) for t in (queries, keys))
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / q.size(-1) ** 0.5
    return F.softmax(scores, dim=1)


# %% wrong head_weights: turned-before-split
# turns the keys before the split: so the tokens are cut among the heads, not the features (mostly an error)
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k_t = attention.split_heads(keys.transpose(1, 2), num_heads)
    scores = q @ k_t / q.shape[-1] ** 0.5
    return scores.softmax(-1)


# %% wrong head_weights: mask-unasked
# adds a causal mask, from habit: the prompt says without a mask
def my_head_weights(queries, keys, num_heads):
    queries, keys = attention.split_heads(queries, num_heads), attention.split_heads(keys, num_heads)
    attn_scores = queries @ keys.mT / queries.shape[-1] ** 0.5
    future = torch.triu(torch.ones_like(attn_scores), diagonal=1).bool()
    attn_scores = attn_scores.masked_fill(future, -torch.inf)
    return torch.softmax(attn_scores, dim=-1)


# %% wrong head_weights: scale-no-root
# scales twice: the queries are divided by the root, and the course's function divides again
def my_head_weights(queries, keys, num_heads):
    head_dim = queries.shape[-1] // num_heads
    q = attention.split_heads(queries, num_heads) / head_dim**0.5
    k = attention.split_heads(keys, num_heads)
    _, weights = attention.scaled_dot_product_attention(q, k, k)
    return weights


# %% wrong head_weights: keys-reshaped
# gets the keys into (head_dim, num_keys) by reshape in place of transpose: the shape fits, the numbers are scrambled
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    batch, heads, num_keys, head_dim = k.shape
    k = k.reshape(batch, heads, head_dim, num_keys)
    scores = torch.matmul(q, k) * head_dim ** -0.5
    return torch.softmax(scores, dim=-1)


# %% wrong merge_heads: not-contiguous
# the result of contiguous() is thrown away, so view still complains: an error
def my_merge_heads(x):
    b, h, t, d = x.shape
    x = x.transpose(1, 2)
    x.contiguous()
    return x.view(b, t, h * d)


# %% wrong merge_heads: features-dealt-out
# moves the heads' axis to the very end before the join: the heads' features take turns
def my_merge_heads(x):
    batch, num_heads, num_tokens, head_dim = x.shape
    return x.permute(0, 2, 3, 1).reshape(batch, num_tokens, num_heads * head_dim)


# %% wrong merge_heads: merge-no-transpose
# transposes back and forth: two transposes undo each other, what is left is the bare reshape
def my_merge_heads(x):
    b, h, t, hd = x.shape
    x = x.transpose(1, 2)
    x = x.transpose(2, 1)
    return x.reshape(b, t, h * hd)


# %% wrong merge_heads: batch-mixed
# a loop over a tensor goes over axis 0, the texts, not the heads: texts are laid side by side
def my_merge_heads(x):
    return torch.cat([head for head in x], dim=-1)


# %% wrong merge_heads: split-tokens
# torch.hstack joins along axis 1, the tokens: the heads come one after the other, (batch, heads * tokens, head_dim)
def my_merge_heads(x):
    notes = [x[:, i] for i in range(x.shape[1])]
    return torch.hstack(notes)


# %% wrong merge_heads: all-flattened
# joins one axis too many: (batch, num_tokens * num_heads * head_dim), one row for a whole text
def my_merge_heads(x):
    turned = x.swapaxes(1, 2)
    return turned.flatten(start_dim=1)


# %% wrong merge_heads: fixed-width
# writes out four heads, as on the page: works for num_heads = 4 only (more are lost, fewer are an error)
def my_merge_heads(x):
    return torch.cat((x[:, 0], x[:, 1], x[:, 2], x[:, 3]), dim=2)


# %% wrong attention_cost: parameters-kept
# takes "weights kept" for the parameters of the layer: four matrices of d_out by d_out
def my_cost(num_tokens, d_out, num_heads):
    projections = 4 * num_tokens * d_out**2
    products = 2 * num_tokens**2 * d_out
    weights = 4 * d_out * d_out
    return projections, products, weights


# %% wrong attention_cost: additions-counted
# counts multiplications and additions (FLOPs): the first two numbers are twice too large
def my_cost(num_tokens, d_out, num_heads):
    def matmul(n, k, m):
        return 2 * n * k * m

    proj = 4 * matmul(num_tokens, d_out, d_out)
    hd = d_out // num_heads
    att = num_heads * (matmul(num_tokens, hd, num_tokens) + matmul(num_tokens, num_tokens, hd))
    return proj, att, num_heads * num_tokens**2


# %% wrong attention_cost: float-size
# divides with / : the second of the three is a float, not a whole number
def my_cost(num_tokens, d_out, num_heads):
    head_dim = d_out / num_heads
    one_head = num_tokens * head_dim * num_tokens + num_tokens * num_tokens * head_dim
    return 4 * num_tokens * d_out * d_out, num_heads * one_head, num_heads * num_tokens * num_tokens


# %% wrong attention_cost: causal-half
# counts only the lower triangle of the tables, as if the weights above it were not kept (nothing causal was said)
def my_cost(num_tokens, d_out, num_heads):
    triangle = num_tokens * (num_tokens + 1) // 2
    projections = 3 * num_tokens * d_out * d_out + num_tokens * d_out * d_out
    return projections, 2 * num_tokens * num_tokens * d_out, num_heads * triangle


# %% wrong attention_cost: projections-times-heads
# counts out_proj once for each head: there is one for all
def my_cost(num_tokens, d_out, num_heads):
    qkv = 3 * num_tokens * d_out**2
    out = 0
    for head in range(num_heads):
        out += num_tokens * d_out * d_out
    head_dim = d_out // num_heads
    products = num_heads * 2 * num_tokens * num_tokens * head_dim
    return qkv + out, products, num_heads * num_tokens**2


# %% wrong attention_cost: nothing-returned
# prints the three numbers and returns nothing
def my_cost(num_tokens, d_out, num_heads):
    a = 4 * num_tokens * d_out**2
    b = 2 * num_tokens**2 * d_out
    c = num_heads * num_tokens**2
    print(a, b, c)


# %% wrong attention_cost: product-as-projection
# the second product, weights with values, is taken as (n, d) with (d, d) like a projection
def my_cost(num_tokens, d_out, num_heads):
    n, d, h = num_tokens, d_out, num_heads
    scores = n * d * n
    mix = n * d * d
    return 4 * n * d * d, scores + mix, h * n * n


# %% wrong multi_head: mask-zero-fill
# closed scores get 1e-9, not minus infinity: nearly 0, a score like others, so the future is seen
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
        b, n, _ = x.shape
        q = self.W_query(x).view(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, n, self.num_heads, self.head_dim).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / self.head_dim**0.5
        scores = scores.masked_fill(self.mask[:n, :n] == 0, 1e-9)
        w = self.dropout(attention.softmax(scores))
        out = (w @ v).transpose(1, 2).reshape(b, n, -1)
        return self.out_proj(out), w


# %% wrong multi_head: dropout-on-output
# returns the weights as they were before dropout: asked are those after it (shows in training mode only)
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        self.num_heads = num_heads
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def split(self, t):
        return t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        scores = scores.masked_fill(~attention.causal_mask(x.shape[1]), -torch.inf)
        attn_weights = attention.softmax(scores)
        context = self.dropout(attn_weights) @ v
        return self.out_proj(context.transpose(1, 2).flatten(2)), attn_weights


# %% wrong multi_head: dropout-in-eval
# F.dropout without training=self.training: goes on dropping in eval mode
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("heads must divide the width")
        self.h, self.p = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        future = torch.ones(context_length, context_length).triu(1).bool()
        self.register_buffer("future", future, persistent=False)

    def forward(self, x):
        B, T, _ = x.shape
        heads = [layer(x).reshape(B, T, self.h, -1).permute(0, 2, 1, 3)
                 for layer in (self.W_query, self.W_key, self.W_value)]
        q, k, v = heads
        att = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.size(-1))
        att = att.masked_fill(self.future[:T, :T], float("-inf")).softmax(-1)
        att = F.dropout(att, self.p)
        y = torch.einsum("bhqk,bhkd->bqhd", att, v).reshape(B, T, -1)
        return self.out_proj(y), att


# %% wrong multi_head: weights-on-keys
# copied the line of the keys for the values: W_value is there, but never used
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        if self.head_dim * num_heads != d_out:
            raise ValueError("d_out is not a multiple of num_heads")
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, t = x.shape[:2]
        # project and split
        queries = self.W_query(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        keys = self.W_key(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        values = self.W_key(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        # attend
        scores = queries @ keys.transpose(-2, -1) / self.head_dim**0.5
        weights = attention.softmax(scores.masked_fill(~attention.causal_mask(t), -torch.inf))
        weights = self.dropout(weights)
        # merge and project
        merged = (weights @ values).transpose(1, 2).contiguous().view(b, t, -1)
        return self.out_proj(merged), weights


# %% wrong multi_head: head-count-dim
# takes d_out for the width of each head: projections to num_heads * d_out, where d_out is to be the total
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("cannot be shared out")
        self.num_heads, self.head_dim = num_heads, d_out
        total = num_heads * d_out
        self.W_query = nn.Linear(d_in, total, bias=False)
        self.W_key = nn.Linear(d_in, total, bias=False)
        self.W_value = nn.Linear(d_in, total, bias=False)
        self.out_proj = nn.Linear(total, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("causal", attention.causal_mask(context_length))

    def forward(self, x):
        b, n, _ = x.shape

        def heads(t):
            return t.view(b, n, self.num_heads, self.head_dim).transpose(1, 2)

        q, k, v = heads(self.W_query(x)), heads(self.W_key(x)), heads(self.W_value(x))
        s = q @ k.transpose(-1, -2) / self.head_dim**0.5
        w = self.drop(attention.softmax(s.masked_fill(~self.causal[:n, :n], -torch.inf)))
        return self.out_proj((w @ v).transpose(1, 2).reshape(b, n, -1)), w


# %% wrong multi_head: dropout-not-applied
# dropout twice: on the weights, as asked, and on the output as well (shows in training mode only)
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.attn_dropout = nn.Dropout(dropout)
        self.resid_dropout = nn.Dropout(dropout)

    def forward(self, x):
        def split(t):
            return torch.stack(t.chunk(self.num_heads, dim=-1), dim=1)

        q, k, v = split(self.W_query(x)), split(self.W_key(x)), split(self.W_value(x))
        attn = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
        attn = attn.masked_fill(~attention.causal_mask(x.shape[1]), -torch.inf)
        attn = self.attn_dropout(attention.softmax(attn))
        y = torch.cat((attn @ v).unbind(dim=1), dim=-1)
        return self.resid_dropout(self.out_proj(y)), attn


# %% wrong multi_head: mask-not-sliced
# the mask is cut in its rows only: fits just for texts of exactly context_length tokens, else an error
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads")
        self.num_heads = num_heads
        self.d_k = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length, dtype=torch.bool)))

    def forward(self, x):
        batch, tokens, _ = x.shape
        shape = (batch, tokens, self.num_heads, self.d_k)
        q = self.W_query(x).view(shape).transpose(1, 2)
        k = self.W_key(x).view(shape).transpose(1, 2)
        v = self.W_value(x).view(shape).transpose(1, 2)
        scores = (q @ k.transpose(2, 3)) / self.d_k**0.5
        scores = torch.where(self.mask[:tokens], scores, -torch.inf)
        weights = self.dropout(attention.softmax(scores))
        vecs = (weights @ v).transpose(1, 2).reshape(batch, tokens, self.num_heads * self.d_k)
        return self.out_proj(vecs), weights
