# %% wrong copy_heads: bias-kept
# leaves in_proj_bias as it is: right for a fresh module (zeros there), wrong when theirs has been trained
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight]))
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)


# %% wrong copy_heads: by-head
# lays the rows head by head (query, key, value of head 0, then of head 1, ...), as some published fused qkv layers do;
# PyTorch wants all queries, then all keys, then all values
def my_copy_heads(ours, theirs):
    h = ours.num_heads
    layers = (ours.W_query, ours.W_key, ours.W_value)
    per_head = torch.stack([layer.weight.detach().unflatten(0, (h, -1)) for layer in layers], dim=1)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(per_head.flatten(0, 2))
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)


# %% wrong copy_heads: wrong-direction
# copies in the wrong direction: ours gets the weights of theirs, theirs stays as it was
@torch.no_grad()
def my_copy_heads(ours, theirs):
    q, k, v = theirs.in_proj_weight.chunk(3)
    for layer, weight in [(ours.W_query, q), (ours.W_key, k), (ours.W_value, v)]:
        layer.weight.copy_(weight)
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict())


# %% wrong copy_heads: bias-not-zero
# fills in_proj_bias with three copies of the bias of out_proj; ours adds nothing to queries, keys and values
def my_copy_heads(ours, theirs):
    stacked = torch.vstack((ours.W_query.weight, ours.W_key.weight, ours.W_value.weight))
    with torch.no_grad():
        theirs.in_proj_weight[:] = stacked
        theirs.in_proj_bias[:] = ours.out_proj.bias.repeat(3)
        theirs.out_proj.weight[:] = ours.out_proj.weight
        theirs.out_proj.bias[:] = ours.out_proj.bias


# %% wrong copy_heads: by-name
# gives local names to the new tensors in place of copying into the parameters: in_proj_weight and in_proj_bias keep
# their old numbers
def my_copy_heads(ours, theirs):
    in_proj_weight, in_proj_bias = theirs.in_proj_weight, theirs.in_proj_bias
    in_proj_weight = torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight], dim=0)
    in_proj_bias = torch.zeros(in_proj_weight.shape[0])
    theirs.out_proj.load_state_dict(ours.out_proj.state_dict())


# %% wrong copy_heads: - "`theirs.in_proj_weight[i * width : (i + 1) * width].copy_(la"
# no torch.no_grad(): copy_ into a parameter that requires a gradient is a RuntimeError
def my_copy_heads(ours, theirs):
    width = ours.W_query.weight.shape[0]
    for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
        theirs.in_proj_weight[i * width : (i + 1) * width].copy_(layer.weight)
    theirs.in_proj_bias.fill_(0.0)
    theirs.out_proj.weight.copy_(ours.out_proj.weight)
    theirs.out_proj.bias.copy_(ours.out_proj.bias)


# %% right copy_heads
# builds a state dict and loads it, no copy_ and no no_grad
def my_copy_heads(ours, theirs):
    from_ours = ours.state_dict()
    parts = [from_ours[f"W_{name}.weight"] for name in ("query", "key", "value")]
    theirs.load_state_dict({
        "in_proj_weight": torch.cat(parts),
        "in_proj_bias": torch.zeros(3 * parts[0].shape[0]),
        "out_proj.weight": from_ours["out_proj.weight"],
        "out_proj.bias": from_ours["out_proj.bias"],
    })


# %% right copy_heads
# writes through .data, slice by slice, row by row for the bias
def my_copy_heads(ours, theirs):
    thirds = theirs.in_proj_weight.data.chunk(3, dim=0)
    for third, layer in zip(thirds, (ours.W_query, ours.W_key, ours.W_value)):
        third.copy_(layer.weight.data)
    nn.init.zeros_(theirs.in_proj_bias)
    for mine, yours in zip(ours.out_proj.parameters(), theirs.out_proj.parameters()):
        yours.data = mine.data.clone()


# %% wrong causal_layer: input-viewed
# reshapes to (num_tokens, batch, width) and back in place of transposing: the numbers of texts and tokens are mixed up
def my_causal_layer(layer, inputs):
    b, n, d = inputs.shape
    x = inputs.reshape(n, b, d)
    vecs, weights = layer(x, x, x, attn_mask=~attention.causal_mask(n), average_attn_weights=False)
    return vecs.reshape(b, n, d), weights


# %% wrong causal_layer: mask-added-01
# hands over the blocked places as a float table of 0 and 1: a float mask is added to the scores, nothing is blocked
def my_causal_layer(layer, inputs):
    num_tokens = inputs.shape[1]
    mask = torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1)
    turned = inputs.transpose(0, 1)
    out, attn = layer(turned, turned, turned, attn_mask=mask, average_attn_weights=False)
    return out.transpose(0, 1), attn


# %% wrong causal_layer: mask-of-the-batch
# reads the number of tokens from axis 1 after the turn, where the batch is: the mask has the wrong size
def my_causal_layer(layer, inputs):
    inputs = inputs.permute(1, 0, 2)
    blocked = attention.causal_mask(inputs.shape[1]).logical_not()
    context_vecs, attn_weights = layer(
        inputs, inputs, inputs, attn_mask=blocked, need_weights=True, average_attn_weights=False
    )
    return context_vecs.permute(1, 0, 2), attn_weights


# %% wrong causal_layer: weights-turned
# turns the weights too, which have the batch first already: (num_heads, batch, num_tokens, num_tokens)
def my_causal_layer(layer, inputs):
    def turn(t):
        return t.transpose(0, 1)

    x = turn(inputs)
    results = layer(x, x, x, attn_mask=~attention.causal_mask(len(x)), average_attn_weights=False)
    return tuple(turn(result) for result in results)


# %% wrong causal_layer: is-causal-alone
# asks for is_causal=True without a mask: the layer takes it as a hint only and stops with an error
def my_causal_layer(layer, inputs):
    x = torch.swapaxes(inputs, 0, 1)
    vecs, weights = layer(x, x, x, is_causal=True, average_attn_weights=False)
    return torch.swapaxes(vecs, 0, 1), weights


# %% wrong causal_layer: weights-averaged
# leaves the average on and copies it for every head, to get the shape that is asked for
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    n = inputs.shape[1]
    future = torch.ones(n, n, dtype=torch.bool).triu(1)
    vecs, mean_weights = layer(query=x, key=x, value=x, attn_mask=future)
    weights = mean_weights[:, None].expand(-1, layer.num_heads, -1, -1)
    return vecs.transpose(0, 1), weights


# %% right causal_layer
# text by text, without a batch axis: then there is no layout to turn; a float mask of 0 and -inf
def my_causal_layer(layer, inputs):
    n = inputs.shape[1]
    closing = torch.full((n, n), -torch.inf, dtype=inputs.dtype).triu(diagonal=1)
    vecs, weights = [], []
    for text in inputs:
        v, w = layer(text, text, text, attn_mask=closing, average_attn_weights=False)
        vecs.append(v)
        weights.append(w)
    return torch.stack(vecs), torch.stack(weights)


# %% right causal_layer
# a mask for every text and head, (batch * num_heads, n, n), and einsum to turn the axes
def my_causal_layer(layer, inputs):
    batch, n, _ = inputs.shape
    place = torch.arange(n)
    blocked = (place[:, None] < place).repeat(batch * layer.num_heads, 1, 1)
    turned = torch.einsum("bnd->nbd", inputs)
    vecs, weights = layer(turned, turned, turned, attn_mask=blocked, average_attn_weights=False)
    return torch.einsum("nbd->bnd", vecs), weights


# %% wrong fused_attention: mask-three-axes
# adds one axis only, (batch, 1, num_keys): the batch of the mask meets the heads of the scores. An error, or the wrong
# lengths where there are as many heads as texts
def my_fused_attention(queries, keys, values, key_padding_mask):
    allowed = ~key_padding_mask
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=allowed[:, None])


# %% wrong fused_attention: first-of-pair
# unpacks a pair, but SDPA returns context vectors alone: with two texts the tensor is taken apart and only the first
# text is returned, with another number of texts it stops
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = key_padding_mask.logical_not()[:, None, None, :]
    context_vecs, _ = F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
    return context_vecs


# %% wrong fused_attention: zero-times-inf
# makes a table to be added by multiplying with minus infinity: 0 times -inf is nan, so every result is nan
def my_fused_attention(queries, keys, values, key_padding_mask):
    table = key_padding_mask.to(queries.dtype) * float("-inf")
    table = table.unsqueeze(1).unsqueeze(2)
    return F.scaled_dot_product_attention(queries, keys, values, table)


# %% wrong fused_attention: mask-zero-fill
# sets keys and values of the padding to 0 and passes no mask: a score of 0 still takes its share of the attention
def my_fused_attention(queries, keys, values, key_padding_mask):
    padding = key_padding_mask[:, None, :, None]
    clean_keys = torch.where(padding, 0.0, keys)
    clean_values = torch.where(padding, 0.0, values)
    return F.scaled_dot_product_attention(queries, clean_keys, clean_values)


# %% wrong fused_attention: not-used
# never calls SDPA, as the prompt demands: scores, softmax and mix by its own steps
def my_fused_attention(queries, keys, values, key_padding_mask):
    scores = torch.einsum("bhqd,bhkd->bhqk", queries, keys) / math.sqrt(queries.shape[-1])
    scores = scores.masked_fill(key_padding_mask[:, None, None], -torch.inf)
    return torch.einsum("bhqk,bhkd->bhqd", attention.softmax(scores), values)


# %% wrong fused_attention: sdpa-polarity + causal-added
# two mistakes: the mask is not turned round (True stays padding), and is_causal=True is passed by habit
def my_fused_attention(queries, keys, values, key_padding_mask):
    b, n = key_padding_mask.shape
    mask = key_padding_mask.view(b, 1, 1, n)
    y = torch.nn.functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, is_causal=True)
    return y


# %% right fused_attention
# one call for each text, with its mask as a column of keys on two axes
def my_fused_attention(queries, keys, values, key_padding_mask):
    results = []
    for q, k, v, padding in zip(queries, keys, values, key_padding_mask):
        may_attend = (padding == False).expand(q.shape[-2], -1)  # noqa: E712
        results.append(F.scaled_dot_product_attention(q, k, v, attn_mask=may_attend))
    return torch.stack(results)


# %% right fused_attention
# spreads the mask over all heads and queries to the full shape of the scores, xor in place of ~
def my_fused_attention(queries, keys, values, key_padding_mask):
    *front, num_queries, _ = queries.shape
    full = key_padding_mask.reshape(len(key_padding_mask), 1, 1, -1)
    full = (full ^ True).expand(*front, num_queries, keys.shape[-2]).contiguous()
    sdpa = F.scaled_dot_product_attention
    return sdpa(query=queries, key=keys, value=values, attn_mask=full, dropout_p=0.0)


# %% wrong from_memory: - "`self.W_query` and `self.W_key` are one and the same layer. "
# one assignment to three names makes one layer: queries, keys and values share the same matrix
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.W_query = self.W_key = self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        n = x.shape[1]
        q, k, v = (attention.split_heads(W(x), self.num_heads) for W in (self.W_query, self.W_key, self.W_value))
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, self.mask[:n, :n], self.dropout)
        return self.out_proj(attention.merge_heads(vecs)), weights


# %% wrong from_memory: no-mask
# calls masked_fill without the underscore and does not keep the result: nothing is masked, the future shows
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"{num_heads} heads do not divide {d_out}")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        b, num_tokens, _ = x.shape
        queries = self.W_query(x).view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        keys = self.W_key(x).view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        values = self.W_value(x).view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        attn_scores = queries @ keys.transpose(2, 3)
        attn_scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)
        context_vec = (attn_weights @ values).transpose(1, 2)
        context_vec = context_vec.contiguous().view(b, num_tokens, self.num_heads * self.head_dim)
        return self.out_proj(context_vec), attn_weights


# %% wrong from_memory: dropout-in-eval
# makes a new nn.Dropout in each call: a fresh module is in training mode, so eval() does not stop it
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("uneven heads")
        self.num_heads, self.drop_rate = num_heads, dropout
        self.W_query, self.W_key, self.W_value = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        mask = attention.causal_mask(x.shape[1])
        q = attention.split_heads(self.W_query(x), self.num_heads)
        k = attention.split_heads(self.W_key(x), self.num_heads)
        v = attention.split_heads(self.W_value(x), self.num_heads)
        scores = torch.where(mask, q @ k.mT, -torch.inf)
        weights = F.softmax(scores * q.shape[-1] ** -0.5, dim=-1)
        weights = nn.Dropout(self.drop_rate)(weights)
        return self.out_proj(attention.merge_heads(weights @ v)), weights


# %% wrong from_memory: check-wrong-axis
# tests whether the heads divide d_in, not d_out: refuses good sizes and lets bad ones through
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_in % num_heads != 0:
            raise ValueError("the width must be divisible by the number of heads")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (layer(x).view(b, t, self.h, -1) for layer in (self.W_query, self.W_key, self.W_value))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.size(-1))
        future = torch.ones(t, t, dtype=torch.bool).triu(1)
        weights = self.drop(scores.masked_fill(future, -torch.inf).softmax(dim=-1))
        return self.out_proj(torch.einsum("bhqk,bkhd->bqhd", weights, v).reshape(b, t, -1)), weights


# %% wrong from_memory: mask-zero-fill
# torch.tril on the scores: the future gets the score 0 and not minus infinity, softmax still gives it weight
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads > 0:
            raise ValueError("num_heads must divide d_out")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def split(self, y):
        return torch.stack(y.chunk(self.num_heads, dim=-1), dim=1)

    def forward(self, x):
        q, k, v = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        scores = torch.tril(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return self.out_proj(torch.cat((weights @ v).unbind(dim=1), dim=-1)), weights


# %% wrong from_memory: qk-swapped
# keys times queries: the table of scores lies on its side, rows are keys
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out and num_heads do not fit")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        n = x.shape[1]
        q = attention.split_heads(self.W_query(x), self.num_heads)
        k = attention.split_heads(self.W_key(x), self.num_heads)
        v = attention.split_heads(self.W_value(x), self.num_heads)
        scores = torch.matmul(k, q.transpose(-2, -1)) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~self.mask[:n, :n], -torch.inf)
        weights = self.dropout(attention.softmax(scores))
        return self.out_proj(attention.merge_heads(weights @ v)), weights


# %% wrong from_memory: names
# wraps nn.MultiheadAttention: there is no W_query, W_key, W_value, and its weights are fused with d_out as input width
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads must divide d_out")
        self.mha = nn.MultiheadAttention(d_out, num_heads, dropout=dropout, bias=False, batch_first=True)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        blocked = ~attention.causal_mask(x.shape[1])
        vecs, weights = self.mha(x, x, x, attn_mask=blocked, average_attn_weights=False)
        return self.out_proj(vecs), weights


# %% right from_memory
# PyTorch's function, called once: an identity matrix laid beside the values brings out the weights, after dropout,
# together with the context vectors
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if num_heads * (d_out // num_heads) != d_out:
            raise ValueError(f"d_out={d_out} cannot be shared out among {num_heads} heads")
        self.num_heads, self.head_dim, self.p = num_heads, d_out // num_heads, dropout
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        identity = torch.eye(n, dtype=v.dtype).expand(b, self.num_heads, n, n)
        both = F.scaled_dot_product_attention(
            q, k, torch.cat([v, identity], dim=-1), dropout_p=self.p if self.training else 0.0, is_causal=True
        )
        vecs, weights = both.split([self.head_dim, n], dim=-1)
        return self.out_proj(vecs.transpose(1, 2).flatten(2)), weights


# %% right from_memory
# query by query: each meets the keys up to its own place, the row is filled up with zeros; no mask at all
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be a multiple of num_heads")
        self.num_heads = num_heads
        self.projections = nn.ModuleList(nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.W_query, self.W_key, self.W_value = self.projections
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        n = x.size(1)
        q, k, v = (attention.split_heads(layer(x), self.num_heads) for layer in self.projections)
        rows = []
        for t in range(n):
            scores = torch.einsum("bhd,bhkd->bhk", q[:, :, t], k[:, :, : t + 1]) / q.size(-1) ** 0.5
            rows.append(F.pad(torch.softmax(scores, dim=-1), (0, n - 1 - t)))
        weights = self.drop(torch.stack(rows, dim=2))
        return self.out_proj(attention.merge_heads(weights @ v)), weights
