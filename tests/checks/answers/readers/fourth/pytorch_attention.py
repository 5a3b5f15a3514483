# %% wrong copy_heads: no-grad-missing
# forgot torch.no_grad(): copy_ on a parameter that needs a gradient stops with a RuntimeError
def my_copy_heads(ours, theirs):
    theirs.in_proj_weight.copy_(torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight]))
    theirs.in_proj_bias.zero_()
    theirs.out_proj.weight.copy_(ours.out_proj.weight)
    theirs.out_proj.bias.copy_(ours.out_proj.bias)

# %% wrong copy_heads: nothing-filled
# makes a new nn.MultiheadAttention under the name theirs and fills that one: the caller's module stays as it was
def my_copy_heads(ours, theirs):
    width = ours.W_query.in_features
    theirs = nn.MultiheadAttention(width, ours.num_heads, batch_first=True)
    stacked = torch.vstack((ours.W_query.weight, ours.W_key.weight, ours.W_value.weight))
    with torch.no_grad():
        theirs.in_proj_weight[:] = stacked
        theirs.in_proj_bias.fill_(0)
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())

# %% wrong copy_heads: bias-kept
# forgot in_proj_bias: it is 0 in a fresh module, but in a trained one the old numbers stay and are added
def my_copy_heads(ours, theirs):
    width = theirs.embed_dim
    with torch.no_grad():
        for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
            theirs.in_proj_weight[i * width : (i + 1) * width].copy_(layer.weight)
        for name in ("weight", "bias"):
            getattr(theirs.out_proj, name).copy_(getattr(ours.out_proj, name))

# %% wrong copy_heads: wrong-direction
# the wrong direction: theirs is copied into ours
@torch.no_grad()
def my_copy_heads(ours, theirs):
    w_q, w_k, w_v = theirs.in_proj_weight.chunk(3)
    ours.W_query.weight.copy_(w_q)
    ours.W_key.weight.copy_(w_k)
    ours.W_value.weight.copy_(w_v)
    ours.out_proj.weight.copy_(theirs.out_proj.weight)
    ours.out_proj.bias.copy_(theirs.out_proj.bias)
    theirs.in_proj_bias.zero_()

# %% wrong copy_heads: linear-layout
# transposes the three matrices, in the belief that PyTorch's layer multiplies from the other side; out_proj is right
def my_copy_heads(ours, theirs):
    parts = []
    for name in ["W_query", "W_key", "W_value"]:
        parts.append(getattr(ours, name).weight.detach().t())
    theirs.in_proj_weight.data = torch.cat(parts, dim=0).contiguous()
    theirs.in_proj_bias.data = torch.zeros(len(theirs.in_proj_bias))
    theirs.out_proj.weight.data = ours.out_proj.weight.data.clone()
    theirs.out_proj.bias.data = ours.out_proj.bias.data.clone()

# %% right copy_heads
# by load_state_dict with a dict of four tensors
def my_copy_heads(ours, theirs):
    mine = ours.state_dict()
    big = torch.cat([mine[f"W_{part}.weight"] for part in ("query", "key", "value")])
    theirs.load_state_dict({
        "in_proj_weight": big,
        "in_proj_bias": torch.zeros(big.shape[0]),
        "out_proj.weight": mine["out_proj.weight"],
        "out_proj.bias": mine["out_proj.bias"],
    })

# %% right copy_heads
# no cat: chunk gives views of the stacked matrix, and each view is filled; nn.init.zeros_ for the bias
def my_copy_heads(ours, theirs):
    def fill(target, source):
        target.detach().copy_(source.detach())

    layers = (ours.W_query, ours.W_key, ours.W_value)
    for view, layer in zip(theirs.in_proj_weight.detach().chunk(3), layers):
        fill(view, layer.weight)
    nn.init.zeros_(theirs.in_proj_bias)
    fill(theirs.out_proj.weight, ours.out_proj.weight)
    fill(theirs.out_proj.bias, ours.out_proj.bias)

# %% wrong causal_layer: is-causal-alone
# hands over is_causal=True without a mask: nn.MultiheadAttention stops with an error (Need attn_mask if ...)
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    vecs, weights = layer(x, x, x, is_causal=True, average_attn_weights=False)
    return vecs.transpose(0, 1), weights

# %% wrong causal_layer: input-viewed
# reshape in place of transpose: the shape is tokens first, but the tokens of different texts are mixed
def my_causal_layer(layer, inputs):
    batch, num_tokens, width = inputs.shape
    tokens_first = inputs.reshape(num_tokens, batch, width)
    blocked = ~causal_mask(num_tokens)
    out, w = layer(tokens_first, tokens_first, tokens_first, attn_mask=blocked, average_attn_weights=False)
    return out.reshape(batch, num_tokens, width), w

# %% wrong causal_layer: weights-turned
# turns the weights too, though they come with the batch first: (num_heads, batch, num_tokens, num_tokens)
def my_causal_layer(layer, inputs):
    turned = inputs.permute(1, 0, 2)
    mask = torch.triu(torch.ones(len(turned), len(turned)), diagonal=1).bool()
    results = layer(turned, turned, turned, attn_mask=mask, average_attn_weights=False)
    return tuple(result.transpose(0, 1) for result in results)

# %% wrong causal_layer: mask-off-by-one
# blocks the diagonal as well (triu without diagonal=1): no token sees itself, and the first row is nan
def my_causal_layer(layer, inputs):
    num_tokens = inputs.size(1)
    blocked = torch.ones((num_tokens, num_tokens), dtype=torch.bool).triu()
    x = torch.swapaxes(inputs, 0, 1)
    context, attn = layer(query=x, key=x, value=x, attn_mask=blocked, average_attn_weights=False)
    return torch.swapaxes(context, 0, 1), attn

# %% wrong causal_layer: weights-averaged
# leaves the average on and repeats it for every head: the shape is right, but all heads show the average
def my_causal_layer(layer, inputs):
    x = inputs.transpose(1, 0)
    context_vecs, average = layer(x, x, x, attn_mask=~causal_mask(x.shape[0]))
    attn_weights = average.unsqueeze(1).repeat(1, layer.num_heads, 1, 1)
    return context_vecs.transpose(1, 0), attn_weights

# %% right causal_layer
# text by text, as inputs without a batch axis, which the layer takes too; a float mask of 0 and -inf
def my_causal_layer(layer, inputs):
    n = inputs.shape[1]
    added = torch.full((n, n), -torch.inf, dtype=inputs.dtype).triu(diagonal=1)
    pairs = [layer(text, text, text, attn_mask=added, average_attn_weights=False) for text in inputs]
    vecs, weights = zip(*pairs)
    return torch.stack(vecs), torch.stack(weights)

# %% right causal_layer
# does not call the layer: takes its parameters and does the steps with the functions of the course
def my_causal_layer(layer, inputs):
    def drop(weights):
        return F.dropout(weights, layer.dropout, layer.training)

    projected = F.linear(inputs, layer.in_proj_weight, layer.in_proj_bias)
    q, k, v = (split_heads(part, layer.num_heads) for part in projected.chunk(3, dim=-1))
    mixed, weights = attention.scaled_dot_product_attention(q, k, v, causal_mask(inputs.shape[1]), drop)
    return layer.out_proj(merge_heads(mixed)), weights

# %% wrong fused_attention: mask-added-01
# turns the mask into numbers, 1 = may attend: SDPA adds a float mask to the scores, so padding is not blocked
def my_fused_attention(queries, keys, values, key_padding_mask):
    may_attend = 1.0 - key_padding_mask.to(queries.dtype)
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=may_attend[:, None, None, :])

# %% wrong fused_attention: first-of-pair
# unpacks the result as if SDPA returned weights too: an error, or with 2 texts silently the first text alone
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = ~key_padding_mask[:, None, None]
    context_vecs, _ = F.scaled_dot_product_attention(queries, keys, values, mask)
    return context_vecs

# %% wrong fused_attention: first-sample-only
# cuts the padding off, but by the mask of text 0 for all texts: right for a batch of one or equal lengths only
def my_fused_attention(queries, keys, values, key_padding_mask):
    real = torch.logical_not(key_padding_mask[0])
    real_keys = keys[:, :, real]
    real_values = values[:, :, real]
    return F.scaled_dot_product_attention(queries, real_keys, real_values)

# %% wrong fused_attention: mask-zero-fill
# sets keys and values of padding to zero in place of a mask: a zero key has the score 0 and still takes weight
def my_fused_attention(queries, keys, values, key_padding_mask):
    is_padding = key_padding_mask.view(keys.size(0), 1, keys.size(2), 1)
    k = torch.where(is_padding, 0.0, keys)
    v = torch.where(is_padding, 0.0, values)
    return F.scaled_dot_product_attention(query=queries, key=k, value=v)

# %% wrong fused_attention: mask-three-axes
# puts in one axis only: (batch, 1, num_keys) lines up from the right, so the batch meets the heads; an error,
# or, with as many texts as heads, each head gets the mask of a text
def my_fused_attention(queries, keys, values, key_padding_mask):
    attn_mask = (key_padding_mask == False)[:, None]  # noqa: E712
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=attn_mask, dropout_p=0.0)

# %% right fused_attention
# a float mask of 0 and -inf, as wide as the scores, made with torch.where
def my_fused_attention(queries, keys, values, key_padding_mask):
    batch, heads, num_queries, _ = queries.shape
    zero, minus = queries.new_zeros(()), queries.new_full((), -torch.inf)
    added = torch.where(key_padding_mask, minus, zero)[:, None, None, :]
    added = added.expand(batch, heads, num_queries, keys.shape[2])
    return F.scaled_dot_product_attention(queries, keys, values, added)

# %% right fused_attention
# no mask at all: SDPA text by text, on the real keys and values alone (with no real key it gives zeros)
def my_fused_attention(queries, keys, values, key_padding_mask):
    done = []
    for q, k, v, padded in zip(queries, keys, values, key_padding_mask):
        open_places = torch.nonzero(~padded).flatten()
        if len(open_places) == 0:
            done.append(q.new_zeros(*q.shape[:-1], v.shape[-1]))
            continue
        done.append(F.scaled_dot_product_attention(q, k[:, open_places], v[:, open_places]))
    return torch.stack(done)

# %% wrong from_memory: dropout-in-eval
# F.dropout without training=self.training: it drops in eval mode as well
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads must divide d_out")
        self.num_heads, self.dropout = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        n = x.shape[1]
        q, k, v = (split_heads(w(x), self.num_heads) for w in (self.W_query, self.W_key, self.W_value))
        scores = q @ k.transpose(2, 3) / k.shape[-1] ** 0.5
        weights = torch.softmax(scores.masked_fill(self.mask[:n, :n], -torch.inf), dim=-1)
        weights = F.dropout(weights, self.dropout)
        return self.out_proj(merge_heads(weights @ v)), weights

# %% right from_memory
# right all the same, by the words of the prompt
# makes the ValueError but does not raise it: a number of heads that does not divide d_out is accepted
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            ValueError(f"{num_heads} heads do not divide {d_out}")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("causal", causal_mask(context_length))

    def forward(self, x):
        t = x.shape[-2]
        context_vecs, attn_weights = attention.scaled_dot_product_attention(
            split_heads(self.W_query(x), self.num_heads),
            split_heads(self.W_key(x), self.num_heads),
            split_heads(self.W_value(x), self.num_heads),
            self.causal[:t, :t], self.drop,
        )
        return self.out_proj(merge_heads(context_vecs)), attn_weights

# %% wrong from_memory: weights-unmasked
# SDPA makes right context vectors, but the weights are computed beside it without the mask: they show the future
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out % num_heads must be 0")
        self.h, self.p = num_heads, dropout
        self.W_query, self.W_key, self.W_value = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        q, k, v = [split_heads(layer(x), self.h) for layer in (self.W_query, self.W_key, self.W_value)]
        p = self.p if self.training else 0.0
        vecs = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=p)
        weights = (q @ k.mT / math.sqrt(q.size(-1))).softmax(-1)
        return self.out_proj(merge_heads(vecs)), weights

# %% wrong from_memory: features-dealt-out + scale-model
# two mistakes: the heads' numbers are interleaved at the end (d before h), and the scores are divided by the root
# of d_out in place of head_dim
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"d_out {d_out} is not divisible by {num_heads}")
        self.nh, self.hd = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("bias_table", torch.full((context_length, context_length), -torch.inf).triu(1))

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.nh, self.hd)
        k = self.W_key(x).view(b, t, self.nh, self.hd)
        v = self.W_value(x).view(b, t, self.nh, self.hd)
        s = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(self.nh * self.hd) + self.bias_table[:t, :t]
        w = self.dropout(s.softmax(dim=-1))
        z = torch.einsum("bhij,bjhd->bidh", w, v).reshape(b, t, -1)
        return self.out_proj(z), w

# %% wrong from_memory: mask-not-sliced
# the mask is as large as context_length and is not cut: fewer tokens stop with an error
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("heads must divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("future", ~causal_mask(context_length))

    def forward(self, x):
        queries = split_heads(self.W_query(x), self.num_heads)
        keys = split_heads(self.W_key(x), self.num_heads)
        values = split_heads(self.W_value(x), self.num_heads)
        scores = torch.matmul(queries, keys.transpose(-1, -2))
        scores = scores.masked_fill(self.future, float("-inf")) / keys.shape[-1] ** 0.5
        attn_weights = self.dropout(F.softmax(scores, dim=-1))
        return self.out_proj(merge_heads(attn_weights @ values)), attn_weights

# %% right from_memory
# PyTorch's function with the identity as values gives the weights, dropped ones in training; no buffer, no nn.Dropout
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads, self.p = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        q, k, v = (split_heads(f(x), self.num_heads) for f in (self.W_query, self.W_key, self.W_value))
        eye = torch.eye(x.shape[1], dtype=q.dtype, device=q.device).expand(*q.shape[:2], -1, -1)
        p = self.p if self.training else 0.0
        weights = F.scaled_dot_product_attention(q, k, eye, dropout_p=p, is_causal=True)
        return self.out_proj(merge_heads(weights @ v)), weights

# %% right from_memory
# a loop over heads with a small helper class; each head gets its slice of the features, the causal row is additive
class OneHead(nn.Module):
    def __init__(self, drop):
        super().__init__()
        self.drop = nn.Dropout(drop)

    def forward(self, q, k, v, added):
        scores = torch.baddbmm(added.expand(len(q), -1, -1), q, k.transpose(1, 2), alpha=q.shape[-1] ** -0.5)
        weights = self.drop(torch.softmax(scores, dim=-1))
        return torch.bmm(weights, v), weights


class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError(f"{d_out} features cannot be shared by {num_heads} heads")
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.heads = nn.ModuleList([OneHead(dropout) for _ in range(num_heads)])
        self.out_proj = nn.Linear(d_out, d_out)
        table = torch.zeros(context_length, context_length).masked_fill(~causal_mask(context_length), -torch.inf)
        self.register_buffer("added", table, persistent=False)

    def forward(self, x):
        added = self.added[: x.shape[1], : x.shape[1]]
        parts = [f(x).split(self.head_dim, dim=-1) for f in (self.W_query, self.W_key, self.W_value)]
        results = [head(*qkv, added) for head, *qkv in zip(self.heads, *parts)]
        vecs, weights = zip(*results)
        return self.out_proj(torch.cat(vecs, dim=-1)), torch.stack(weights, dim=1)

