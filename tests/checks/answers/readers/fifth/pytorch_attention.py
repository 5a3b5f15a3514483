# %% wrong copy_heads: linear-layout + out-proj-turned
# copies the matrices turned round (.T), taking nn.Linear to keep them as (d_in, d_out): square, so nothing complains
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        tall = torch.cat([ours.W_query.weight.T, ours.W_key.weight.T, ours.W_value.weight.T])
        theirs.in_proj_weight.copy_(tall)
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.out_proj.weight.T)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)

# %% wrong copy_heads: in-proj-missing
# strict=False skips every name that does not fit: only out_proj is copied, in_proj_weight keeps its random numbers
def my_copy_heads(ours, theirs):
    theirs.load_state_dict(ours.state_dict(), strict=False)
    nn.init.zeros_(theirs.in_proj_bias)

# %% wrong copy_heads: in-proj-missing
# binds a local name to the new tensor in place of writing into the parameter: in_proj_weight is not filled
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        weight = theirs.in_proj_weight
        weight = torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight])
        theirs.in_proj_bias.fill_(0.0)
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)

# %% wrong copy_heads: by-head
# lays the rows head by head (query, key, value of head 0, then of head 1, ...), not all queries first
def my_copy_heads(ours, theirs):
    h = ours.num_heads
    stacked = torch.stack([layer.weight.unflatten(0, (h, -1)) for layer in (ours.W_query, ours.W_key, ours.W_value)])
    state = {
        "in_proj_weight": stacked.transpose(0, 1).flatten(0, 2).detach(),
        "in_proj_bias": torch.zeros(3 * ours.W_query.out_features),
        "out_proj.weight": ours.out_proj.weight.detach(),
        "out_proj.bias": ours.out_proj.bias.detach(),
    }
    theirs.load_state_dict(state)

# %% wrong copy_heads: - "`theirs.in_proj_weight[i * width:(i + 1) * width].copy_(laye"
# no torch.no_grad(): copy_ into a parameter that wants gradients stops with an error
def my_copy_heads(ours, theirs):
    width = ours.out_proj.weight.shape[0]
    for i, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
        theirs.in_proj_weight[i * width:(i + 1) * width].copy_(layer.weight)
    theirs.in_proj_bias.copy_(torch.zeros(3 * width))
    theirs.out_proj.weight.copy_(ours.out_proj.weight)
    theirs.out_proj.bias.copy_(ours.out_proj.bias)

# %% wrong copy_heads: bias-kept
# leaves in_proj_bias as it is: right for a fresh module (it starts at 0), wrong for one whose bias is not 0
def my_copy_heads(ours, theirs):
    theirs.in_proj_weight.data = torch.vstack([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight]).detach()
    theirs.out_proj.load_state_dict(ours.out_proj.state_dict())

# %% right copy_heads
# load_state_dict with a dictionary written by hand
def my_copy_heads(ours, theirs):
    state = {f"out_proj.{name}": tensor for name, tensor in ours.out_proj.state_dict().items()}
    state["in_proj_weight"] = torch.cat([getattr(ours, f"W_{n}").weight.detach() for n in ("query", "key", "value")])
    state["in_proj_bias"] = torch.zeros_like(theirs.in_proj_bias)
    theirs.load_state_dict(state)

# %% right copy_heads
# writes into the three parts that chunk shows of .data, row blocks in order; no no_grad needed
def my_copy_heads(ours, theirs):
    sources = (ours.W_query, ours.W_key, ours.W_value)
    for part, source in zip(theirs.in_proj_weight.data.chunk(3), sources):
        part[:] = source.weight.data
    theirs.in_proj_bias.data.mul_(0.0)
    for mine, other in zip(theirs.out_proj.parameters(), ours.out_proj.parameters()):
        mine.data[...] = other.data

# %% wrong causal_layer: input-viewed
# reshape in place of transpose, in and out: right shape, but the tokens of the texts are mixed
def my_causal_layer(layer, inputs):
    b, t, w = inputs.shape
    x = inputs.reshape(t, b, w)
    vecs, weights = layer(x, x, x, attn_mask=~attention.causal_mask(t), average_attn_weights=False)
    return vecs.reshape(b, t, w), weights

# %% wrong causal_layer: mask-of-the-batch
# mask of the wrong size: after turning, axis 1 is the batch
def my_causal_layer(layer, inputs):
    turned = inputs.transpose(0, 1)
    blocked = ~attention.causal_mask(turned.shape[1])
    vecs, weights = layer(turned, turned, turned, attn_mask=blocked, average_attn_weights=False)
    return vecs.transpose(0, 1), weights

# %% wrong causal_layer: mask-off-by-one
# triu with the diagonal blocks each token from itself too: the first row may see nothing and is nan
def my_causal_layer(layer, inputs):
    n = inputs.shape[1]
    x = inputs.permute(1, 0, 2)
    out, attn = layer(x, x, x, attn_mask=torch.ones(n, n).triu().bool(), average_attn_weights=False)
    return out.permute(1, 0, 2), attn

# %% wrong causal_layer: mask-added-01
# hands in a mask of floats 1 and 0: PyTorch adds these to the scores, so nothing is hidden
def my_causal_layer(layer, inputs):
    x = torch.swapaxes(inputs, 0, 1)
    may_not = (~attention.causal_mask(len(x))).float()
    out, weights = layer(query=x, key=x, value=x, attn_mask=may_not, need_weights=True, average_attn_weights=False)
    return torch.swapaxes(out, 0, 1), weights

# %% wrong causal_layer: weights-turned
# turns the weights as well, which already have the batch first: (num_heads, batch, ...)
def my_causal_layer(layer, inputs):
    def turn(z):
        return z.transpose(0, 1)

    x = turn(inputs)
    results = layer(x, x, x, attn_mask=~attention.causal_mask(inputs.shape[1]), average_attn_weights=False)
    return tuple(turn(result) for result in results)

# %% wrong causal_layer: weights-averaged
# does not ask for each head: the weights are the average, (batch, num_tokens, num_tokens)
def my_causal_layer(layer, inputs):
    num_tokens = inputs.size(1)
    x = inputs.transpose(1, 0)
    blocked = attention.causal_mask(num_tokens).logical_not()
    context_vecs, attn_weights = layer(x, x, x, attn_mask=blocked)
    return context_vecs.transpose(1, 0), attn_weights

# %% right causal_layer
# text by text: without a batch axis the layer takes (num_tokens, width), whatever its layout
def my_causal_layer(layer, inputs):
    blocked = torch.ones(inputs.shape[1], inputs.shape[1], dtype=torch.bool).triu(1)
    pairs = [layer(text, text, text, attn_mask=blocked, average_attn_weights=False) for text in inputs]
    return torch.stack([vecs for vecs, _ in pairs]), torch.stack([weights for _, weights in pairs])

# %% right causal_layer
# an added mask of 0 and -inf in place of a bool one; einsum turns the axes
def my_causal_layer(layer, inputs):
    x = torch.einsum("btw->tbw", inputs)
    added = torch.full((len(x), len(x)), -torch.inf, dtype=inputs.dtype).triu(diagonal=1)
    vecs, weights = layer(x, x, x, need_weights=True, attn_mask=added, average_attn_weights=False)
    return torch.einsum("tbw->btw", vecs), weights

# %% wrong fused_attention: mask-zero-fill
# sets the padded keys and values to 0 and uses no mask: a key of zeros has the score 0 and still gets weight
def my_fused_attention(queries, keys, values, key_padding_mask):
    padding = key_padding_mask[:, None, :, None]
    return F.scaled_dot_product_attention(queries, keys.masked_fill(padding, 0.0), values.masked_fill(padding, 0.0))

# %% wrong fused_attention: first-sample-only
# takes the padding of the first text for all texts
def my_fused_attention(queries, keys, values, key_padding_mask):
    real = key_padding_mask[0].logical_not()
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=real.view(1, 1, 1, -1))

# %% wrong fused_attention: mask-added-01
# turns the mask into floats 1 and 0: SDPA adds these to the scores, so padding is not hidden
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = 1.0 - key_padding_mask.float()
    mask = mask.unsqueeze(1).unsqueeze(2)
    return F.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong fused_attention: not-for-invert
# a minus in place of ~: PyTorch has no minus for bool and stops with an error
def my_fused_attention(queries, keys, values, key_padding_mask):
    may_attend = -key_padding_mask[:, None, None, :]
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=may_attend)

# %% wrong fused_attention: mask-three-axes
# one axis short, (batch, 1, num_keys): the batch stands where the heads are, an error or other heads' lengths
def my_fused_attention(queries, keys, values, key_padding_mask):
    attn_mask = ~key_padding_mask[:, None]
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask)

# %% wrong fused_attention: scale-no-root
# scales the queries itself, but SDPA does so too: the scores are divided twice by the root of head_dim
def my_fused_attention(queries, keys, values, key_padding_mask):
    d = queries.shape[-1]
    b, k = key_padding_mask.shape
    allowed = (key_padding_mask == False).reshape(b, 1, 1, k)  # noqa: E712
    return F.scaled_dot_product_attention(queries / d**0.5, keys, values, attn_mask=allowed)

# %% right fused_attention
# a full mask, expanded over heads and queries; called by keywords with the scale given
def my_fused_attention(queries, keys, values, key_padding_mask):
    batch, num_heads, num_queries, head_dim = queries.shape
    real = torch.logical_not(key_padding_mask).unsqueeze(1).unsqueeze(1)
    real = real.expand(batch, num_heads, num_queries, keys.shape[2]).contiguous()
    return F.scaled_dot_product_attention(
        query=queries, key=keys, value=values, attn_mask=real, dropout_p=0.0, scale=1 / math.sqrt(head_dim))

# %% right fused_attention
# calls SDPA for each text and head, through the name in torch.nn.functional, and stacks
def my_fused_attention(queries, keys, values, key_padding_mask):
    sdpa = torch.nn.functional.scaled_dot_product_attention
    texts = []
    for q, k, v, padding in zip(queries, keys, values, key_padding_mask):
        mask = (padding == 0).expand(q.shape[1], -1)
        texts.append(torch.stack([sdpa(q[h], k[h], v[h], attn_mask=mask) for h in range(len(q))]))
    return torch.stack(texts)

# %% wrong from_memory: dropout-rate
# nn.Dropout() without the rate: it drops half of the weights in training, whatever was asked for
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout()
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        n = x.shape[1]
        q, k, v = (attention.split_heads(f(x), self.num_heads) for f in (self.W_query, self.W_key, self.W_value))
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, self.mask[:n, :n], self.dropout)
        return self.out_proj(attention.merge_heads(vecs)), weights

# %% wrong from_memory: mask-zero-fill
# closed scores are set to 0, not to minus infinity: later tokens still get weight
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"{num_heads} heads, {d_out} features")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query, self.W_key, self.W_value = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("tri", torch.ones(context_length, context_length).tril())

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        scores = (q @ k.transpose(2, 3)) / self.head_dim**0.5 * self.tri[:t, :t]
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return self.out_proj((weights @ v).transpose(1, 2).reshape(b, t, -1)), weights

# %% wrong from_memory: softmax-axis
# softmax over dim=-2, the queries: the columns sum to 1, not the rows
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out")
        self.heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (torch.stack(f(x).chunk(self.heads, -1), 1) for f in (self.W_query, self.W_key, self.W_value))
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        s = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.shape[-1])
        w = self.drop(F.softmax(s.masked_fill(future, -torch.inf), dim=-2))
        return self.out_proj(torch.cat((w @ v).unbind(1), dim=-1)), w

# %% wrong from_memory: error-kind
# heads that do not divide d_out are refused by an assert: an AssertionError, not a ValueError
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        projected = (self.W_query(x), self.W_key(x), self.W_value(x))
        q, k, v = [p.unflatten(-1, (self.h, -1)).transpose(1, 2) for p in projected]
        scores = q @ k.mT * q.size(-1) ** -0.5
        scores = scores + torch.full(scores.shape[-2:], -torch.inf).triu(1)
        attn_weights = self.dropout(scores.softmax(-1))
        return self.out_proj((attn_weights @ v).transpose(1, 2).flatten(2)), attn_weights

# %% wrong from_memory: dropout-in-eval
# dropout_p is handed to SDPA without asking for the mode: it drops in eval mode too (weights by an identity as values)
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("uneven heads")
        self.num_heads, self.dropout = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        q, k, v = (attention.split_heads(f(x), self.num_heads) for f in (self.W_query, self.W_key, self.W_value))
        identity = torch.eye(x.shape[1]).expand(*k.shape[:3], -1)
        weights = F.scaled_dot_product_attention(q, k, identity, dropout_p=self.dropout, is_causal=True)
        return self.out_proj(attention.merge_heads(weights @ v)), weights

# %% wrong from_memory: names
# one layer qkv for three (as in other people's code): W_query, W_key and W_value, which the prompt names, are missing
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        parts = [attention.split_heads(part, self.num_heads) for part in self.qkv(x).chunk(3, dim=-1)]
        mask = attention.causal_mask(x.shape[1])
        vecs, weights = attention.scaled_dot_product_attention(*parts, mask=mask, dropout=self.dropout)
        return self.out_proj(attention.merge_heads(vecs)), weights

# %% right from_memory
# SDPA with an identity as values brings out the weights, in the right mode; they are then mixed by hand
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("uneven heads")
        self.num_heads, self.rate = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        q, k, v = (attention.split_heads(f(x), self.num_heads) for f in (self.W_query, self.W_key, self.W_value))
        identity = torch.eye(x.shape[1], dtype=x.dtype).expand(*k.shape[:3], -1)
        p = self.rate if self.training else 0.0
        weights = F.scaled_dot_product_attention(q, k, identity, dropout_p=p, is_causal=True)
        return self.out_proj(attention.merge_heads(weights @ v)), weights

# %% right from_memory
# texts and heads folded into one axis, baddbmm adds the mask to the scaled scores
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim, left_over = divmod(d_out, num_heads)
        if left_over != 0:
            raise ValueError(f"{left_over} features are left over")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.lose = nn.Dropout(dropout)
        self.register_buffer("added", torch.full((context_length, context_length), -torch.inf).triu(1))

    def _fold(self, x):
        b, t, _ = x.shape
        return x.reshape(b, t, self.num_heads, self.head_dim).permute(0, 2, 1, 3).reshape(-1, t, self.head_dim)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self._fold(self.W_query(x)), self._fold(self.W_key(x)), self._fold(self.W_value(x))
        scores = torch.baddbmm(self.added[:t, :t].expand(len(q), t, t), q, k.mT, alpha=self.head_dim**-0.5)
        weights = self.lose(torch.softmax(scores, dim=-1))
        vecs = torch.bmm(weights, v).view(b, self.num_heads, t, self.head_dim)
        return self.out_proj(vecs.transpose(1, 2).reshape(b, t, -1)), weights.view(b, self.num_heads, t, t)
