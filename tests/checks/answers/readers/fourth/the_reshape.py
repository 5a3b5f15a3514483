# %% wrong split_heads: sizes-swapped
# split takes the size of a piece, not the number of pieces: pieces of num_heads features each, so the axes of heads
# and features are swapped in size (it fits only where head_dim equals num_heads)
def my_split_heads(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        raise ValueError("d_out must be divisible by num_heads")
    pieces = x.split(num_heads, dim=-1)
    return torch.stack(pieces, dim=1)


# %% wrong split_heads: features-dealt-out
# head i gets every num_heads-th feature, starting at i, not a slice of neighbours
def my_split_heads(x, num_heads):
    d_out = x.size(2)
    if d_out % num_heads:
        raise ValueError(f"{d_out} features, {num_heads} heads")
    heads = [x[:, :, i::num_heads] for i in range(num_heads)]
    return torch.stack(heads, dim=1)


# %% wrong split_heads: check-wrong-axis
# looks at the wrong axis for the ValueError: asks whether the tokens can be shared out, not the features
def my_split_heads(x, num_heads):
    b, t, d = x.shape
    if t % num_heads > 0:
        raise ValueError("cannot be shared out evenly")
    return x.view(b, t, num_heads, d // num_heads).transpose(1, 2)


# %% wrong split_heads: moved-before-cut
# transposes first and cuts afterwards: the shape is right, but tokens and features are mixed up
def my_split_heads(x, num_heads):
    batch, num_tokens, d_out = x.shape
    head_dim, rest = divmod(d_out, num_heads)
    if rest != 0:
        raise ValueError("heads need equal shares")
    turned = x.transpose(1, 2)
    return turned.reshape(batch, num_heads, num_tokens, head_dim)


# %% wrong split_heads: heads-before-batch
# permute with the wrong order of axes: heads are moved to the front, before the batch
def my_split_heads(x, num_heads):
    if x.shape[-1] / num_heads != x.shape[-1] // num_heads:
        raise ValueError("uneven")
    cut = x.unflatten(-1, (num_heads, -1))
    return cut.permute(2, 0, 1, 3)


# %% right split_heads
# unfold slides a window of head_dim over the features, in steps of head_dim
def my_split_heads(x, num_heads):
    d_out = x.shape[-1]
    if d_out % num_heads:
        raise ValueError("no even share")
    head_dim = d_out // num_heads
    return x.unfold(2, head_dim, head_dim).movedim(2, 1)


# %% right split_heads
# an einsum with rows of the identity matrix picks the features of each head
def my_split_heads(x, num_heads):
    d_out = x.shape[2]
    head_dim = d_out // num_heads
    if head_dim * num_heads != d_out:
        raise ValueError(f"{d_out} cannot be cut into {num_heads} equal parts")
    pick = torch.eye(d_out, dtype=x.dtype).view(num_heads, head_dim, d_out)
    return torch.einsum("btd,hed->bhte", x, pick)


# %% wrong head_weights: split-missing
# scores over the full width, then the same table copied for every head: no head has questions of its own
def my_head_weights(queries, keys, num_heads):
    scores = queries @ keys.transpose(1, 2)
    scores = scores / (queries.shape[-1] // num_heads) ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return weights.unsqueeze(1).repeat(1, num_heads, 1, 1)


# %% wrong head_weights: softmax-heads
# softmax along axis 1, as if there were no axis for the heads: it shares out among the heads, not among the keys
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    k = attention.split_heads(keys, num_heads)
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.shape[-1])
    return attention.softmax(scores, dim=1)


# %% wrong head_weights: scale-after
# divides after softmax: the scores go in unscaled, and the rows no longer sum to 1
def my_head_weights(queries, keys, num_heads):
    queries, keys = split_heads(queries, num_heads), split_heads(keys, num_heads)
    attn_scores = queries @ keys.transpose(-2, -1)
    attn_weights = F.softmax(attn_scores, dim=-1) / queries.shape[-1] ** 0.5
    return attn_weights


# %% wrong head_weights: keys-cut-as-queries
# cuts the keys with the number of tokens of the queries: stops with an error where there are more or fewer keys
def my_head_weights(queries, keys, num_heads):
    batch, num_tokens, d_out = queries.shape
    head_dim = d_out // num_heads
    q = queries.view(batch, num_tokens, num_heads, head_dim).transpose(1, 2)
    k = keys.view(batch, num_tokens, num_heads, head_dim).transpose(1, 2)
    return torch.softmax(q @ k.mT / head_dim**0.5, dim=-1)


# %% wrong head_weights: heads-before-batch + scale-model
# two mistakes: divides by the root of d_out, not of head_dim; and stacks the heads on axis 0, before the batch
def my_head_weights(queries, keys, num_heads):
    d_out = queries.shape[-1]
    w = d_out // num_heads
    tables = []
    for h in range(num_heads):
        q, k = queries[..., h * w : h * w + w], keys[..., h * w : h * w + w]
        tables.append(torch.softmax(torch.bmm(q, k.transpose(1, 2)) / d_out**0.5, dim=2))
    return torch.stack(tables)


# %% right head_weights
# heads stay on axis 2; one einsum; softmax written out, with the largest score taken off
def my_head_weights(queries, keys, num_heads):
    q = queries.unflatten(2, (num_heads, -1))
    k = keys.unflatten(2, (num_heads, -1))
    scores = torch.einsum("bqhd,bkhd->bhqk", q * q.shape[-1] ** -0.5, k)
    exps = (scores - scores.amax(-1, keepdim=True)).exp()
    return exps / exps.sum(-1, keepdim=True)


# %% right head_weights
# texts and heads folded into one axis, baddbmm with beta=0, unfolded again
def my_head_weights(queries, keys, num_heads):
    q = attention.split_heads(queries, num_heads)
    batch, _, num_queries, head_dim = q.shape
    q = q.reshape(-1, num_queries, head_dim)
    k = attention.split_heads(keys, num_heads).flatten(0, 1)
    nothing = torch.zeros(1, dtype=q.dtype)
    scores = torch.baddbmm(nothing, q, k.transpose(1, 2), beta=0, alpha=1 / math.sqrt(head_dim))
    return scores.softmax(-1).unflatten(0, (batch, num_heads))


# %% wrong merge_heads: not-contiguous
# contiguous() before the transpose, where it does nothing: view stops with an error
def my_merge_heads(x):
    batch, num_heads, num_tokens, head_dim = x.shape
    x = x.contiguous().transpose(1, 2)
    return x.view(batch, num_tokens, num_heads * head_dim)


# %% wrong merge_heads: features-dealt-out
# the heads' axis goes last before joining: the features of the heads alternate
def my_merge_heads(x):
    together = x.permute(0, 2, 3, 1)  # (batch, num_tokens, head_dim, num_heads)
    return together.flatten(start_dim=2)


# %% wrong merge_heads: merge-no-transpose
# joins the heads along the tokens, and forces the shape: rows hold numbers of several tokens of one head
def my_merge_heads(x):
    b, h, t, d = x.shape
    one_below_the_other = torch.cat([x[:, i] for i in range(h)], dim=1)  # (b, h * t, d)
    return one_below_the_other.reshape(b, t, h * d)


# %% wrong merge_heads: fixed-width
# the four heads of the page are written into it: fewer heads are an error, more heads are lost
def my_merge_heads(x):
    return torch.cat((x[:, 0], x[:, 1], x[:, 2], x[:, 3]), dim=-1)


# %% wrong merge_heads: weights-averaged
# takes "merge" as adding up: the heads are averaged, (batch, num_tokens, head_dim)
def my_merge_heads(x):
    return x.mean(dim=1)


# %% right merge_heads
# the slices of the heads' axis, joined two by two
def my_merge_heads(x):
    first, *others = x.unbind(1)
    for other in others:
        first = torch.cat([first, other], dim=-1)
    return first


# %% right merge_heads
# looks up each feature on its own: feature f is number f % head_dim of head f // head_dim
def my_merge_heads(x):
    head_dim = x.shape[3]
    features = torch.arange(x.shape[1] * head_dim)
    picked = x[:, features // head_dim, :, features % head_dim]  # the index axis comes first: (features, batch, tokens)
    return picked.permute(1, 2, 0)


# %% wrong attention_cost: out-proj-uncounted
# counts three projections: out_proj is forgotten
def my_cost(num_tokens, d_out, num_heads):
    head_dim = d_out // num_heads
    projections = 3 * num_tokens * d_out * d_out
    products = num_heads * 2 * (num_tokens * head_dim * num_tokens)
    return projections, products, num_heads * num_tokens**2


# %% wrong attention_cost: cost-times-heads
# gives each head the full width d_out in the two products: they grow with the number of heads
def my_cost(num_tokens, d_out, num_heads):
    proj = 4 * num_tokens * d_out**2
    scores = num_tokens * d_out * num_tokens
    mixing = num_tokens * num_tokens * d_out
    return proj, (scores + mixing) * num_heads, num_heads * num_tokens * num_tokens


# %% wrong attention_cost: parameters-counted
# counts the parameters of the projections, not their multiplications: the number of tokens is missing
def my_cost(n, d, h):
    return 4 * d * d, 2 * n * n * d, h * n * n


# %% wrong attention_cost: heads-uncounted
# the weights of one head only, not of all heads together
def my_cost(num_tokens, d_out, num_heads):
    def product(n, k, m):
        return n * k * m

    first = sum(product(num_tokens, d_out, d_out) for _ in range(4))
    second = 0
    for _ in range(num_heads):
        second += product(num_tokens, d_out // num_heads, num_tokens)
        second += product(num_tokens, num_tokens, d_out // num_heads)
    third = len(range(num_tokens)) * num_tokens
    return first, second, third


# %% wrong attention_cost: causal-half
# counts only the weights on and below the diagonal, as if a causal mask left the others out of the table
def my_cost(num_tokens, d_out, num_heads):
    kept = num_heads * num_tokens * (num_tokens + 1) // 2
    return num_tokens * d_out * d_out * 4, num_tokens**2 * d_out * 2, kept


# %% right attention_cost
# a named tuple, filled from the shapes with a helper
from collections import namedtuple

Cost = namedtuple("Cost", "projections products weights")


def my_cost(num_tokens, d_out, num_heads):
    wide, narrow = (num_tokens, d_out), (num_tokens, d_out // num_heads)
    each = math.prod((*wide, d_out))
    per_head = math.prod((*narrow, num_tokens)) + math.prod((num_tokens, *narrow))
    return Cost(projections=each * 4, products=per_head * num_heads, weights=num_heads * num_tokens * num_tokens)


# %% right attention_cost
# adds up head by head, and makes each projection out of the shares of the heads; returns a list
def my_cost(num_tokens, d_out, num_heads):
    totals = [0, 0, 0]
    head_dim = d_out // num_heads
    for head in range(num_heads):
        for matrix in ("W_query", "W_key", "W_value", "out_proj"):
            totals[0] += num_tokens * d_out * head_dim
        for _ in range(num_tokens):  # one query after the other
            totals[1] += head_dim * num_tokens
            totals[1] += num_tokens * head_dim
            totals[2] += num_tokens
    return totals


# %% wrong multi_head: merge-no-transpose
# merges without the transpose: the shape is right, but each row holds several tokens' numbers of one head
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
        q = self.W_query(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / self.head_dim**0.5
        scores = scores.masked_fill(~self.mask[:t, :t], -torch.inf)
        weights = self.dropout(attention.softmax(scores))
        context = (weights @ v).reshape(b, t, self.num_heads * self.head_dim)
        return self.out_proj(context), weights


# %% wrong multi_head: dropout-in-eval
# F.dropout without training=self.training: it drops in eval mode as well
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.h = num_heads
        self.p = dropout
        if d_out % num_heads:
            raise ValueError(f"{d_out=} {num_heads=}")
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)

    def split(self, features):
        return features.unflatten(-1, (self.h, -1)).permute(0, 2, 1, 3)

    def forward(self, x):
        q, k, v = [self.split(layer(x)) for layer in (self.W_query, self.W_key, self.W_value)]
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * q.shape[-1] ** -0.5
        future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(diagonal=1)
        weights = F.dropout(scores.masked_fill(future, float("-inf")).softmax(-1), self.p)
        notes = torch.einsum("bhqk,bhkd->bqhd", weights, v)
        return self.out_proj(notes.flatten(2)), weights


# %% wrong multi_head: inputs-shared-out
# takes head_dim from d_in, not from d_out: fits only where the two are equal, and stops with an error elsewhere
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads > 0:
            raise ValueError("The width cannot be shared out.")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_in // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        batch, num_tokens, d_in = x.shape
        shape = (batch, num_tokens, self.num_heads, self.head_dim)
        queries = self.W_query(x).view(shape).transpose(1, 2)
        keys = self.W_key(x).view(shape).transpose(1, 2)
        values = self.W_value(x).view(shape).transpose(1, 2)
        attn_scores = queries @ keys.mT
        attn_scores = attn_scores.masked_fill(~attention.causal_mask(num_tokens), -torch.inf)
        attn_weights = self.dropout(torch.softmax(attn_scores / self.head_dim**0.5, dim=-1))
        context_vecs = (attn_weights @ values).transpose(1, 2).contiguous().view(batch, num_tokens, self.d_out)
        return self.out_proj(context_vecs), attn_weights


# %% wrong multi_head: shared-projection
# a slip of copying: the keys are made with W_query, and W_key is never used
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError("d_out, num_heads")
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out, bias=True)
        self.dropout = nn.Dropout(p=dropout)
        closed = torch.full((context_length, context_length), -torch.inf).triu(1)
        self.register_buffer("closed", closed)

    def forward(self, x):
        n = x.shape[1]
        q = torch.stack(self.W_query(x).split(self.head_dim, dim=-1), dim=1)
        k = torch.stack(self.W_query(x).split(self.head_dim, dim=-1), dim=1)
        v = torch.stack(self.W_value(x).split(self.head_dim, dim=-1), dim=1)
        w = self.dropout(attention.softmax(q @ k.transpose(-1, -2) / math.sqrt(self.head_dim) + self.closed[:n, :n]))
        vecs = torch.cat((w @ v).unbind(dim=1), dim=-1)
        return self.out_proj(vecs), w


# %% wrong multi_head: dropout-on-output
# drops the weights on their way to the values, and returns the weights from before dropout
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if (d_out // num_heads) * num_heads != d_out:
            raise ValueError("no equal shares")
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.num_heads = num_heads
        self.register_buffer("causal", attention.causal_mask(context_length), persistent=False)

    def forward(self, x):
        def cut(y):
            return y.reshape(*y.shape[:2], self.num_heads, -1).transpose(1, 2)

        q, k, v = cut(self.W_query(x)), cut(self.W_key(x)), cut(self.W_value(x))
        seen = self.causal[: x.shape[1], : x.shape[1]]
        scores = torch.where(seen, q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, -torch.inf)
        weights = attention.softmax(scores)
        output = self.out_proj((self.drop(weights) @ v).transpose(1, 2).flatten(2))
        return output, weights


# %% right multi_head
# a loop over the heads with slices of the projections; F.dropout with the module's mode, drawn head by head
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("every head needs the same width")
        self.num_heads, self.width, self.rate = num_heads, d_out // num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def one_head(self, q, k, v):
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.width)
        place = torch.arange(q.shape[1])
        scores = scores.masked_fill(place[:, None] < place[None, :], -math.inf)
        weights = F.dropout(torch.softmax(scores, 2), self.rate, training=self.training)
        return torch.bmm(weights, v), weights

    def forward(self, x):
        parts = [layer(x).split(self.width, dim=2) for layer in (self.W_query, self.W_key, self.W_value)]
        notes, tables = zip(*(self.one_head(q, k, v) for q, k, v in zip(*parts)))
        return self.out_proj(torch.cat(notes, 2)), torch.stack(tables, 1)


# %% right multi_head
# einsum with the heads on axis 2; the three layers are called at once through their weights laid below each other;
# the mask is a float buffer that is added, and dropout is a table of ones that goes through nn.Dropout
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        if d_out % num_heads != 0:
            raise ValueError(f"{d_out} features cannot be shared out among {num_heads} heads")
        super().__init__()
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.cutter = nn.Dropout(dropout)
        self.cut = (num_heads, d_out // num_heads)
        future = torch.zeros(context_length, context_length).masked_fill(~causal_mask(context_length), -torch.inf)
        self.register_buffer("future", future)

    def forward(self, x):
        n = x.size(1)
        stacked = torch.cat([self.W_query.weight, self.W_key.weight, self.W_value.weight])
        q, k, v = F.linear(x, stacked).unflatten(-1, (3, *self.cut)).unbind(2)
        scores = torch.einsum("bihd,bjhd->bhij", q, k) / self.cut[1] ** 0.5 + self.future[:n, :n]
        table = torch.softmax(scores, dim=3)
        table = table * self.cutter(torch.ones_like(table))
        notes = torch.einsum("bhij,bjhd->bihd", table, v).flatten(2)
        return self.out_proj(notes), table
