# %% wrong copy_heads: by-name
# load_state_dict by name with strict=False: only out_proj has the same name in both, the rest is silently left out
def my_copy_heads(ours, theirs):
    theirs.load_state_dict(ours.state_dict(), strict=False)


# %% wrong copy_heads: nothing-filled
# gives the local names new values: the parameters of theirs are never touched
def my_copy_heads(ours, theirs):
    in_weight, in_bias = theirs.in_proj_weight, theirs.in_proj_bias
    out_weight, out_bias = theirs.out_proj.weight, theirs.out_proj.bias
    with torch.no_grad():
        in_weight = torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight])
        in_bias = torch.zeros(len(in_weight))
        out_weight = ours.out_proj.weight.clone()
        out_bias = ours.out_proj.bias.clone()


# %% wrong copy_heads: bias-kept
# in_proj_bias is left as it was, since ours has none: it must be filled with zeros
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        tall = torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight], dim=0)
        theirs.in_proj_weight.copy_(tall)
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)


# %% wrong copy_heads: linear-layout
# turns each matrix: nn.Linear and in_proj_weight both store (d_out, d_in), nothing has to be turned
def my_copy_heads(ours, theirs):
    d = ours.out_proj.out_features
    with torch.no_grad():
        for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
            theirs.in_proj_weight[i * d : (i + 1) * d] = layer.weight.T
        theirs.in_proj_bias.zero_()
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())


# %% wrong copy_heads: tensor-for-parameter
# a plain tensor cannot be put in the place of a parameter: stops with a TypeError
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        theirs.in_proj_weight = torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight])
        theirs.in_proj_bias = torch.zeros(theirs.in_proj_weight.shape[0])
        theirs.out_proj.weight = ours.out_proj.weight.clone()
        theirs.out_proj.bias = ours.out_proj.bias.clone()


# %% wrong copy_heads: by-head
# lays the matrices head by head (query, key and value of head 0, then of head 1, ...):
# PyTorch wants all queries, then all keys, then all values
def my_copy_heads(ours, theirs):
    rows = []
    three = [layer.weight.chunk(ours.num_heads) for layer in (ours.W_query, ours.W_key, ours.W_value)]
    for head in range(ours.num_heads):
        for chunks in three:
            rows.append(chunks[head])
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat(rows))
        theirs.in_proj_bias.fill_(0)
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)


# %% right copy_heads
# load_state_dict with a dictionary put together for theirs
def my_copy_heads(ours, theirs):
    stacked = torch.cat([getattr(ours, name).weight.detach() for name in ("W_query", "W_key", "W_value")])
    state = {
        "in_proj_weight": stacked,
        "in_proj_bias": torch.zeros_like(stacked[:, 0]),
        "out_proj.weight": ours.out_proj.weight.detach(),
        "out_proj.bias": ours.out_proj.bias.detach(),
    }
    theirs.load_state_dict(state)


# %% right copy_heads
# through .data and chunks, which are views of the tall tensor
def my_copy_heads(ours, theirs):
    for part, layer in zip(theirs.in_proj_weight.data.chunk(3), (ours.W_query, ours.W_key, ours.W_value)):
        part[:] = layer.weight.data
    nn.init.zeros_(theirs.in_proj_bias)
    for mine, yours in zip(theirs.out_proj.parameters(), ours.out_proj.parameters()):
        mine.data[...] = yours.data


# %% wrong causal_layer: sdpa-polarity
# the mask is handed over as it is, True = may attend, where nn.MultiheadAttention reads True as blocked
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    mask = attention.causal_mask(len(x))
    vecs, weights = layer(x, x, x, attn_mask=mask, average_attn_weights=False)
    return vecs.transpose(0, 1), weights


# %% wrong causal_layer: seq-batch-swapped
# takes the layer for batch_first: the inputs are not turned, so tokens look across at other texts
# (and the mask has the length of the tokens, which fits only if there are as many texts)
def my_causal_layer(layer, inputs):
    blocked = ~attention.causal_mask(inputs.shape[1])
    return layer(inputs, inputs, inputs, attn_mask=blocked, average_attn_weights=False)


# %% wrong causal_layer: mask-added-01
# a triangle of ones as a float mask: floats are added to the scores, so the future gains 1 and is not closed
def my_causal_layer(layer, inputs):
    num_tokens = inputs.shape[1]
    turned = inputs.permute(1, 0, 2)
    ahead = torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1)
    context, weights = layer(turned, turned, turned, attn_mask=ahead, average_attn_weights=False)
    return context.permute(1, 0, 2), weights


# %% wrong causal_layer: weights-averaged
# averages over the heads (the default), and copies the average for each head to get the shape
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    mask = ~attention.causal_mask(x.shape[0])
    vecs, weights = layer(x, x, x, attn_mask=mask)
    weights = weights.unsqueeze(1).expand(-1, layer.num_heads, -1, -1)
    return vecs.transpose(0, 1), weights


# %% wrong causal_layer: input-viewed
# the inputs get the shape (num_tokens, batch, width) by a reshape, not by a transpose: texts and tokens are mixed up
def my_causal_layer(layer, inputs):
    b, t, d = inputs.shape
    x = inputs.reshape(t, b, d)
    out, w = layer(x, x, x, attn_mask=torch.logical_not(attention.causal_mask(t)), average_attn_weights=False)
    return out.reshape(b, t, d), w


# %% wrong causal_layer: weights-turned
# turns the weights too, which have the batch first whatever the layout: (num_heads, batch, ...) comes out
def my_causal_layer(layer, inputs):
    x = torch.swapaxes(inputs, 0, 1)
    future = torch.ones(x.shape[0], x.shape[0], dtype=torch.bool).triu(1)
    results = layer(x, x, x, attn_mask=future, need_weights=True, average_attn_weights=False)
    return tuple(torch.swapaxes(result, 0, 1) for result in results)


# %% right causal_layer
# text by text: without a batch axis the layout does not matter
def my_causal_layer(layer, inputs):
    blocked = ~attention.causal_mask(inputs.shape[1])
    vecs, weights = [], []
    for text in inputs:
        v, w = layer(text, text, text, attn_mask=blocked, average_attn_weights=False)
        vecs.append(v)
        weights.append(w)
    return torch.stack(vecs), torch.stack(weights)


# %% right causal_layer
# a float mask of 0 and minus infinity, and is_causal as a hint beside it
def my_causal_layer(layer, inputs):
    x = inputs.movedim(1, 0)
    wall = nn.Transformer.generate_square_subsequent_mask(len(x)).to(inputs.dtype)
    out, per_head = layer(query=x, key=x, value=x, attn_mask=wall, is_causal=True, average_attn_weights=False)
    return out.movedim(0, 1), per_head


# %% wrong fused_attention: sdpa-polarity
# the mask is not turned round: SDPA reads True as may attend, so everybody attends to padding only
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = key_padding_mask[:, None, None, :]
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)


# %% wrong fused_attention: zero-times-inf
# False times minus infinity is 0 times inf, which is nan: everything becomes nan
def my_fused_attention(queries, keys, values, key_padding_mask):
    bias = key_padding_mask.to(queries.dtype) * float("-inf")
    bias = bias.view(bias.shape[0], 1, 1, bias.shape[1])
    return F.scaled_dot_product_attention(queries, keys, values, bias)


# %% wrong fused_attention: mask-zero-fill
# fills padded keys with zeros in place of masking them: a score of 0 still gets weight
def my_fused_attention(queries, keys, values, key_padding_mask):
    padded = key_padding_mask[:, None, :, None]
    return F.scaled_dot_product_attention(queries, keys.masked_fill(padded, 0.0), values)


# %% wrong fused_attention: mask-three-axes
# one axis is missing: (batch, 1, num_keys) lines up its batch with the heads
def my_fused_attention(queries, keys, values, key_padding_mask):
    may_attend = ~key_padding_mask
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=may_attend[:, None])


# %% wrong fused_attention: pad-over-queries
# the new axes stand behind: (batch, 1, num_keys, 1) closes queries, not keys
def my_fused_attention(queries, keys, values, key_padding_mask):
    real = key_padding_mask.logical_not()
    real = real.unsqueeze(1).unsqueeze(-1)
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=real)


# %% wrong fused_attention: causal-added
# closes the future as well, which nobody asked for: every query may see all real keys
def my_fused_attention(queries, keys, values, key_padding_mask):
    triangle = torch.ones(queries.shape[-2], keys.shape[-2], dtype=torch.bool).tril()
    mask = ~key_padding_mask[:, None, None] & triangle
    return F.scaled_dot_product_attention(queries, keys, values, mask)


# %% right fused_attention
# a table of 0 and minus infinity, expanded to all heads and queries, and added by SDPA
def my_fused_attention(queries, keys, values, key_padding_mask):
    shape = (*queries.shape[:-1], keys.shape[-2])
    wall = torch.zeros(key_padding_mask.shape, dtype=queries.dtype)
    wall = wall.masked_fill(key_padding_mask, -torch.inf)
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=wall[:, None, None].expand(shape))


# %% right fused_attention
# one call for each text, with a mask of one axis for its keys
def my_fused_attention(queries, keys, values, key_padding_mask):
    texts = []
    for q, k, v, padded in zip(queries, keys, values, key_padding_mask):
        open_keys = (padded == 0).expand(q.shape[-2], -1)
        texts.append(F.scaled_dot_product_attention(q, k, v, attn_mask=open_keys))
    return torch.stack(texts)


# %% wrong from_memory: mask-not-sliced
# the mask of context_length is not cut to the tokens: shorter texts stop with an error
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out % num_heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        q = split_heads(self.W_query(x), self.num_heads)
        k = split_heads(self.W_key(x), self.num_heads)
        v = split_heads(self.W_value(x), self.num_heads)
        scores = q @ k.transpose(2, 3) / q.shape[-1] ** 0.5
        scores = scores.masked_fill(self.mask, -torch.inf)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return self.out_proj(merge_heads(weights @ v)), weights


# %% wrong from_memory: dropout-before-softmax
# dropout falls on the scores before softmax: cut scores of 0 get weight like others
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads must divide d_out")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query, self.W_key, self.W_value = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        batch, num_tokens, _ = x.shape
        q, k, v = (W(x).view(batch, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
                   for W in (self.W_query, self.W_key, self.W_value))
        scores = self.drop(q @ k.transpose(-2, -1) / math.sqrt(self.head_dim))
        scores = scores.masked_fill(~attention.causal_mask(num_tokens), -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        vecs = (weights @ v).transpose(1, 2).reshape(batch, num_tokens, -1)
        return self.out_proj(vecs), weights


# %% wrong from_memory: scale-heads
# divides by the root of num_heads in place of the root of head_dim
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{d_out} features, {num_heads} heads")
        self.n = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("past", attention.causal_mask(context_length))

    def forward(self, x):
        t = x.shape[1]
        q, k, v = (part.unflatten(-1, (self.n, -1)) for part in (self.W_query(x), self.W_key(x), self.W_value(x)))
        s = torch.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-2] ** 0.5
        w = self.dropout(s.masked_fill(~self.past[:t, :t], -torch.inf).softmax(-1))
        return self.out_proj(torch.einsum("bhqk,bkhd->bqhd", w, v).flatten(2)), w


# %% wrong from_memory: not-divisible
# no ValueError: an uneven number of heads is made without a word, and fails only when a text goes through
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        mask = torch.tril(torch.ones(context_length, context_length))
        self.register_buffer("mask", mask)

    def forward(self, x):
        b, t, _ = x.shape
        queries = self.W_query(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        keys = self.W_key(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        values = self.W_value(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        scores = queries @ keys.transpose(2, 3) / self.head_dim**0.5
        scores = scores.masked_fill(self.mask[:t, :t] == 0, -torch.inf)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        context = (weights @ values).transpose(1, 2).contiguous().view(b, t, -1)
        return self.out_proj(context), weights


# %% wrong from_memory: dropout-in-eval
# PyTorch's function is given dropout_p in every mode: it drops after .eval() too
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("heads do not divide d_out")
        self.num_heads, self.dropout = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        q, k, v = (split_heads(W(x), self.num_heads) for W in (self.W_query, self.W_key, self.W_value))
        identity = torch.eye(x.shape[1]).expand(*q.shape[:2], -1, -1)
        both = torch.cat([v, identity], dim=-1)  # values and identity at once, so that both get the same draw
        out = F.scaled_dot_product_attention(q, k, both, dropout_p=self.dropout, is_causal=True)
        vecs, weights = out.split([v.shape[-1], x.shape[1]], dim=-1)
        return self.out_proj(merge_heads(vecs)), weights


# %% wrong from_memory: mask-after-softmax
# softmax first, mask afterwards with zeros: rows no longer sum to 1, and later tokens still have a say in the sums
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads > 0:
            raise ValueError("uneven")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("tril", torch.ones(context_length, context_length).tril())

    def forward(self, x):
        n = x.size(1)
        q = split_heads(self.W_query(x), self.num_heads)
        k = split_heads(self.W_key(x), self.num_heads)
        v = split_heads(self.W_value(x), self.num_heads)
        weights = F.softmax(q @ k.mT / math.sqrt(q.size(-1)), dim=-1)
        weights = self.dropout(weights * self.tril[:n, :n])
        return self.out_proj(merge_heads(weights @ v)), weights


# %% right from_memory
# SDPA with values and identity side by side: one draw of dropout for vectors and weights, and none in eval mode
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features evenly")
        self.num_heads, self.p = num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        q, k, v = (split_heads(W(x), self.num_heads) for W in (self.W_query, self.W_key, self.W_value))
        num_tokens, head_dim = v.shape[-2:]
        rows = torch.eye(num_tokens, dtype=x.dtype).expand(*v.shape[:2], -1, -1)
        out = F.scaled_dot_product_attention(q, k, torch.cat([v, rows], dim=-1), is_causal=True,
                                             dropout_p=self.p if self.training else 0.0)
        return self.out_proj(merge_heads(out[..., :head_dim])), out[..., head_dim:]


# %% right from_memory
# the course's function on split heads, the mask as a buffer of its own name
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim, left_over = divmod(d_out, num_heads)
        if left_over != 0:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        for name in ("query", "key", "value"):
            self.add_module(f"W_{name}", nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.cut_connections = nn.Dropout(dropout)
        self.register_buffer("may_see", causal_mask(context_length), persistent=False)

    def per_head(self, table):
        return torch.stack(table.split(self.head_dim, dim=-1), dim=1)

    def forward(self, x):
        n = x.shape[1]
        notes, weights = attention.scaled_dot_product_attention(
            self.per_head(self.W_query(x)), self.per_head(self.W_key(x)), self.per_head(self.W_value(x)),
            self.may_see[:n, :n], self.cut_connections)
        return self.out_proj(torch.cat(notes.unbind(dim=1), dim=-1)), weights
