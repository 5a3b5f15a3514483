# %% wrong copy_heads: bias-kept
# forgets in_proj_bias: whatever was in it stays
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight]))
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)

# %% wrong copy_heads: qk-swapped
# wrong order: keys, queries, values
def my_copy_heads(ours, theirs):
    stacked = torch.cat((ours.W_key.weight, ours.W_query.weight, ours.W_value.weight), dim=0)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(stacked)
        theirs.in_proj_bias.zero_()
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())

# %% wrong copy_heads: linear-layout
# transposes the weights, as if they were stored (d_in, d_out)
def my_copy_heads(ours, theirs):
    width = ours.W_query.weight.shape[0]
    with torch.no_grad():
        for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
            theirs.in_proj_weight[i * width:(i + 1) * width] = layer.weight.T
        theirs.in_proj_bias.fill_(0)
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)

# %% wrong copy_heads: cat-side-by-side
# joins along dim=1: (12, 36) does not fit into (36, 12)
def my_copy_heads(ours, theirs):
    names = ["W_query", "W_key", "W_value"]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([getattr(ours, n).weight for n in names], dim=1))
        theirs.in_proj_bias.copy_(torch.zeros_like(theirs.in_proj_bias))
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)

# %% wrong copy_heads: no-grad-missing
# no torch.no_grad(): copy_ into a leaf that requires grad is an error
def my_copy_heads(ours, theirs):
    theirs.in_proj_weight.copy_(torch.vstack([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight]))
    theirs.in_proj_bias.copy_(torch.zeros(len(theirs.in_proj_bias)))
    theirs.out_proj.weight.copy_(ours.out_proj.weight)
    theirs.out_proj.bias.copy_(ours.out_proj.bias)

# %% wrong copy_heads: no-out-proj
# forgets out_proj altogether
def my_copy_heads(ours, theirs):
    q, k, v = ours.W_query.weight, ours.W_key.weight, ours.W_value.weight
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([q, k, v]))
        theirs.in_proj_bias.zero_()

# %% wrong copy_heads: out-bias-zeroed
# copies out_proj's weight and zeroes both biases: the bias of our out_proj is lost
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        in_weights = [layer.weight for layer in (ours.W_query, ours.W_key, ours.W_value)]
        theirs.in_proj_weight.copy_(torch.cat(in_weights))
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        for bias in (theirs.in_proj_bias, theirs.out_proj.bias):
            bias.zero_()

# %% right copy_heads
# through a state dict
def my_copy_heads(ours, theirs):
    state = ours.state_dict()
    weights = torch.cat([state["W_query.weight"], state["W_key.weight"], state["W_value.weight"]])
    theirs.load_state_dict({
        "in_proj_weight": weights,
        "in_proj_bias": torch.zeros(weights.shape[0]),
        "out_proj.weight": state["out_proj.weight"],
        "out_proj.bias": state["out_proj.bias"],
    })

# %% right copy_heads
# through chunks of the large tensor, written one by one, with .data in place of no_grad
def my_copy_heads(ours, theirs):
    sources = (ours.W_query, ours.W_key, ours.W_value)
    for piece, source in zip(theirs.in_proj_weight.data.chunk(3, dim=0), sources):
        piece[:] = source.weight.data
    theirs.in_proj_bias.data *= 0
    for name, parameter in theirs.out_proj.named_parameters():
        parameter.data.copy_(getattr(ours.out_proj, name).data)

# %% wrong causal_layer: seq-batch-swapped
# forgets that the layer wants tokens first: attends across the texts
def my_causal_layer(layer, inputs):
    mask = attention.causal_mask(inputs.shape[0])
    return layer(inputs, inputs, inputs, attn_mask=~mask, average_attn_weights=False)

# %% wrong causal_layer: sdpa-polarity
# does not turn the mask: True means blocked there, so every token sees later ones only
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    allowed = attention.causal_mask(x.shape[0])
    vecs, weights = layer(x, x, x, attn_mask=allowed, average_attn_weights=False)
    return vecs.transpose(0, 1), weights

# %% wrong causal_layer: weights-averaged
# forgets average_attn_weights=False: the heads are averaged away
def my_causal_layer(layer, inputs):
    turned = inputs.permute(1, 0, 2)
    blocked = torch.ones(turned.shape[0], turned.shape[0], dtype=torch.bool).triu(1)
    context_vecs, attn_weights = layer(turned, turned, turned, attn_mask=blocked)
    return context_vecs.permute(1, 0, 2), attn_weights

# %% wrong causal_layer: output-not-turned
# forgets to turn the context vectors back
def my_causal_layer(layer, inputs):
    tokens_first = torch.transpose(inputs, 0, 1)
    num_tokens = tokens_first.size(0)
    out = layer(
        tokens_first, tokens_first, tokens_first,
        attn_mask=torch.logical_not(attention.causal_mask(num_tokens)), average_attn_weights=False,
    )
    return out

# %% wrong causal_layer: weights-turned
# turns the weights as well: their batch was already first, so they come out (num_heads, batch, ...)
def my_causal_layer(layer, inputs):
    x = inputs.swapaxes(0, 1)
    results = layer(x, x, x, attn_mask=~attention.causal_mask(len(x)), average_attn_weights=False)
    return tuple(result.swapaxes(0, 1) for result in results)

# %% wrong causal_layer: mask-of-the-batch
# takes the number of tokens from the wrong axis after turning: the mask is (batch, batch)
def my_causal_layer(layer, inputs):
    inputs = inputs.transpose(0, 1)
    mask = attention.causal_mask(inputs.shape[1])
    vecs, weights = layer(inputs, inputs, inputs, attn_mask=~mask, average_attn_weights=False)
    return vecs.transpose(0, 1), weights

# %% wrong causal_layer: mask-missing
# no mask at all: everything else is right
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    vecs, weights = layer(x, x, x, need_weights=True, average_attn_weights=False)
    vecs = vecs.transpose(0, 1)
    return vecs, weights

# %% right causal_layer
# a float mask of 0 and -inf, is_causal=True beside it
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1).contiguous()
    float_mask = nn.Transformer.generate_square_subsequent_mask(inputs.shape[1])
    vecs, weights = layer(x, x, x, attn_mask=float_mask, is_causal=True, average_attn_weights=False)
    return vecs.transpose(0, 1).contiguous(), weights

# %% right causal_layer
# text by text with unbatched inputs, stacked afterwards
def my_causal_layer(layer, inputs):
    blocked = attention.causal_mask(inputs.shape[1]).logical_not()
    all_vecs, all_weights = [], []
    for text in inputs:
        vecs, weights = layer(text, text, text, attn_mask=blocked, average_attn_weights=False)
        all_vecs.append(vecs)
        all_weights.append(weights)
    return torch.stack(all_vecs), torch.stack(all_weights)

# %% wrong fused_attention: sdpa-polarity
# hands the mask on as it is: True = padding is read as True = may attend
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = key_padding_mask[:, None, None, :]
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)

# %% wrong fused_attention: mask-three-axes
# one axis too few: (batch, 1, num_keys) against (batch, num_heads, num_queries, num_keys)
def my_fused_attention(queries, keys, values, key_padding_mask):
    may_attend = ~key_padding_mask[:, None]
    return F.scaled_dot_product_attention(queries, keys, values, may_attend)

# %% wrong fused_attention: pad-over-queries
# keys' axis put on the queries: (batch, 1, num_keys, 1)
def my_fused_attention(queries, keys, values, key_padding_mask):
    real = torch.logical_not(key_padding_mask)
    real = real.unsqueeze(1).unsqueeze(-1)
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=real)

# %% wrong fused_attention: mask-added-01
# a float mask of 1 and 0: SDPA adds it to the scores and closes nothing
def my_fused_attention(queries, keys, values, key_padding_mask):
    keep = (~key_padding_mask).float()
    keep = keep[:, None, None, :]
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=keep)

# %% wrong fused_attention: causal-added
# adds is_causal=True beside the mask: nobody asked to hide the future (some kernels refuse both together)
def my_fused_attention(queries, keys, values, key_padding_mask):
    open_keys = ~key_padding_mask.view(key_padding_mask.shape[0], 1, 1, key_padding_mask.shape[1])
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=open_keys, is_causal=True)

# %% wrong fused_attention: mask-zero-fill
# zeroes the keys and values of the padding in place of a mask: a key of zeros still takes its share
def my_fused_attention(queries, keys, values, key_padding_mask):
    closed = key_padding_mask[:, None, :, None]
    keys = keys.masked_fill(closed, 0.0)
    values = values.masked_fill(closed, 0.0)
    return F.scaled_dot_product_attention(queries, keys, values)

# %% wrong fused_attention: mask-by-other-name
# uses the name key_padding_mask of nn.MultiheadAttention: SDPA does not know it (TypeError)
def my_fused_attention(queries, keys, values, key_padding_mask):
    return F.scaled_dot_product_attention(queries, keys, values, key_padding_mask=key_padding_mask)

# %% right fused_attention
# a float mask with 0 and -inf, fully expanded
def my_fused_attention(queries, keys, values, key_padding_mask):
    batch, heads, num_queries, _ = queries.shape
    bias = torch.zeros(batch, heads, num_queries, keys.shape[-2], dtype=queries.dtype)
    bias = bias.masked_fill(key_padding_mask[:, None, None, :], float("-inf"))
    return F.scaled_dot_product_attention(queries, keys, values, bias)

# %% right fused_attention
# one SDPA call for each text, with its own row of the mask
def my_fused_attention(queries, keys, values, key_padding_mask):
    rows = []
    for q, k, v, padding in zip(queries, keys, values, key_padding_mask):
        rows.append(F.scaled_dot_product_attention(q, k, v, attn_mask=padding.eq(False)[None, None]))
    return torch.stack(rows)

# %% wrong from_memory: no-scale
# forgets to divide by the root of head_dim
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        n = x.shape[1]
        q, k, v = (attention.split_heads(w(x), self.num_heads) for w in (self.W_query, self.W_key, self.W_value))
        scores = q @ k.transpose(-2, -1)
        weights = attention.softmax(scores.masked_fill(~self.mask[:n, :n], -torch.inf))
        weights = self.dropout(weights)
        return self.out_proj(attention.merge_heads(weights @ v)), weights

# %% wrong from_memory: mask-after-softmax
# masks after softmax by zeros: rows do not sum to 1
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads do not divide {d_out}")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.h, -1).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.h, -1).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.h, -1).transpose(1, 2)
        weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
        weights = self.drop(weights.tril())
        return self.out_proj((weights @ v).transpose(1, 2).reshape(b, t, -1)), weights

# %% wrong from_memory: dropout-in-eval
# F.dropout with its default training=True: drops in eval too
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("the heads must divide d_out")
        self.num_heads, self.p = num_heads, dropout
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        q, k, v = [w(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for w in (self.W_query, self.W_key, self.W_value)]
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
        weights = F.dropout(torch.softmax(scores, -1), self.p)
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2)), weights

# %% wrong from_memory: mask-off-by-one
# triu with diagonal 0: a token does not see itself, and the first row is nan
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads > 0:
            raise ValueError("d_out % num_heads != 0")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length)))

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        keys = self.W_key(x).view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        queries = self.W_query(x).view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        values = self.W_value(x).view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        attn_scores = queries @ keys.transpose(2, 3)
        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)
        context_vec = (attn_weights @ values).transpose(1, 2).contiguous().view(b, num_tokens, -1)
        return self.out_proj(context_vec), attn_weights

# %% wrong from_memory: weights-are-none
# SDPA gives context vectors alone, and so None is returned for the weights
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out has to be divisible by num_heads")
        self.num_heads = num_heads
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        split = lambda layer: attention.split_heads(layer(x), self.num_heads)
        p = self.dropout.p if self.training else 0.0
        vecs = F.scaled_dot_product_attention(
            split(self.W_query), split(self.W_key), split(self.W_value), is_causal=True, dropout_p=p
        )
        return self.out_proj(attention.merge_heads(vecs)), None

# %% wrong from_memory: view-no-transpose + merge-no-transpose
# splits with one view, without transpose (tokens mixed among heads), and merges the same way
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("not divisible")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (w(x).view(b, self.num_heads, t, self.head_dim) for w in (self.W_query, self.W_key, self.W_value))
        mask = attention.causal_mask(t)
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, mask, self.dropout)
        return self.out_proj(vecs.reshape(b, t, -1)), weights

# %% wrong from_memory: head-count-dim
# d_out is taken for the width of each head: the output is num_heads * d_out wide inside, and no ValueError
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        total = d_out * num_heads
        self.W_query = nn.Linear(d_in, total, bias=False)
        self.W_key = nn.Linear(d_in, total, bias=False)
        self.W_value = nn.Linear(d_in, total, bias=False)
        self.out_proj = nn.Linear(total, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = attention.split_heads(self.W_query(x), self.num_heads)
        k = attention.split_heads(self.W_key(x), self.num_heads)
        v = attention.split_heads(self.W_value(x), self.num_heads)
        vecs, w = attention.scaled_dot_product_attention(
            q, k, v, mask=attention.causal_mask(x.shape[1]), dropout=self.dropout
        )
        return self.out_proj(attention.merge_heads(vecs)), w

# %% right from_memory
# SDPA twice: once for the weights with the identity as values; values mixed with those weights
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"num_heads={num_heads} does not divide d_out={d_out}")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = dropout

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (attention.split_heads(w(x), self.num_heads) for w in (self.W_query, self.W_key, self.W_value))
        identity = torch.eye(t, dtype=x.dtype).expand(b, self.num_heads, t, t)
        p = self.dropout if self.training else 0.0
        weights = F.scaled_dot_product_attention(q, k, identity, is_causal=True, dropout_p=p)
        return self.out_proj(attention.merge_heads(weights @ v)), weights

# %% right from_memory
# heads folded into the batch, baddbmm adds the mask of 0 and -inf, which is kept as a buffer
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("heads must divide d_out")
        self.num_heads = num_heads
        self.scale = (d_out // num_heads) ** -0.5
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.attn_dropout = nn.Dropout(dropout)
        self.register_buffer("bias", torch.full((context_length, context_length), -torch.inf).triu(1))

    def fold(self, x):
        b, t, d = x.shape
        return x.view(b, t, self.num_heads, -1).permute(0, 2, 1, 3).reshape(b * self.num_heads, t, -1)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.fold(self.W_query(x)), self.fold(self.W_key(x)), self.fold(self.W_value(x))
        weights = torch.baddbmm(self.bias[:t, :t], q, k.mT, alpha=self.scale).softmax(dim=-1)
        weights = self.attn_dropout(weights)
        out = torch.bmm(weights, v).view(b, self.num_heads, t, -1).permute(0, 2, 1, 3).flatten(2)
        return self.out_proj(out), weights.view(b, self.num_heads, t, t)
