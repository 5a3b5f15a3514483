# %% wrong copy_heads: by-name
# strict=False takes over only what has the same name (out_proj) and is silent on the rest: in_proj is left as it was
def my_copy_heads(ours, theirs):
    theirs.load_state_dict(ours.state_dict(), strict=False)


# %% wrong copy_heads: by-head
# lays query, key and value of head 0 below one another, then those of head 1, ...: wanted is all queries first
def my_copy_heads(ours, theirs):
    q, k, v = (m.weight.chunk(ours.num_heads) for m in (ours.W_query, ours.W_key, ours.W_value))
    rows = []
    for head in range(ours.num_heads):
        rows += [q[head], k[head], v[head]]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat(rows))
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)


# %% wrong copy_heads: in-proj-missing
# fills the parts of a clone, which is thrown away: in_proj_weight itself gets nothing
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        w_query, w_key, w_value = theirs.in_proj_weight.clone().chunk(3)
        w_query.copy_(ours.W_query.weight)
        w_key.copy_(ours.W_key.weight)
        w_value.copy_(ours.W_value.weight)
        theirs.in_proj_bias.fill_(0.0)
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())


# %% wrong copy_heads: frozen
# switches gradients off for theirs in place of torch.no_grad(), and never on again: theirs cannot be trained any more
def my_copy_heads(ours, theirs):
    theirs.requires_grad_(False)
    theirs.in_proj_weight.copy_(torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight]).detach())
    theirs.in_proj_bias.copy_(torch.zeros_like(theirs.in_proj_bias))
    theirs.out_proj.weight.copy_(ours.out_proj.weight.detach())
    theirs.out_proj.bias.copy_(ours.out_proj.bias.detach())


# %% wrong copy_heads: fixed-width
# the width 12 of the page is written in: an error, or rows left as they were, for any other width
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        theirs.in_proj_weight[0:12] = ours.W_query.weight
        theirs.in_proj_weight[12:24] = ours.W_key.weight
        theirs.in_proj_weight[24:36] = ours.W_value.weight
        theirs.in_proj_bias[:] = 0
        theirs.out_proj.weight[:] = ours.out_proj.weight
        theirs.out_proj.bias[:] = ours.out_proj.bias


# %% wrong copy_heads: out-proj-turned
# turns the weight of out_proj, as if PyTorch's were stored the other way round: the square hides it
def my_copy_heads(ours, theirs):
    stacked = torch.vstack((ours.W_query.weight, ours.W_key.weight, ours.W_value.weight))
    with torch.no_grad():
        theirs.in_proj_weight.copy_(stacked)
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.out_proj.weight.T)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)


# %% wrong copy_heads: wrong-direction
# copies the wrong way: ours is filled with the weights of theirs
def my_copy_heads(ours, theirs):
    w_q, w_k, w_v = theirs.in_proj_weight.detach().chunk(3, dim=0)
    with torch.no_grad():
        for layer, weight in zip((ours.W_query, ours.W_key, ours.W_value), (w_q, w_k, w_v)):
            layer.weight.copy_(weight)
        ours.out_proj.weight.copy_(theirs.out_proj.weight)
        ours.out_proj.bias.copy_(theirs.out_proj.bias)
        theirs.in_proj_bias.zero_()


# %% wrong causal_layer: mask-added-01
# hands over the blocked mask as float: PyTorch adds 1 to closed scores, they are not closed
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    blocked = (~attention.causal_mask(x.shape[0])).float()
    vecs, weights = layer(x, x, x, attn_mask=blocked, average_attn_weights=False)
    return vecs.transpose(0, 1), weights


# %% wrong causal_layer: is-causal-alone
# is_causal=True without attn_mask: to nn.MultiheadAttention that is only a hint, and an error when no mask is there
def my_causal_layer(layer, inputs):
    x = inputs.permute(1, 0, 2)
    context_vecs, attn_weights = layer(x, x, x, is_causal=True, average_attn_weights=False)
    return context_vecs.permute(1, 0, 2), attn_weights


# %% wrong causal_layer: input-viewed
# reshapes to tokens first in place of transposing: the shape fits, tokens of different texts are mixed
def my_causal_layer(layer, inputs):
    batch, num_tokens, width = inputs.shape
    x = inputs.reshape(num_tokens, batch, width)
    mask = ~attention.causal_mask(num_tokens)
    out, weights = layer(x, x, x, attn_mask=mask, average_attn_weights=False)
    return out.reshape(batch, num_tokens, width), weights


# %% wrong causal_layer: mask-of-the-batch
# reads the number of tokens from axis 1 after the turn, where the batch is: fits only when the two are equal
def my_causal_layer(layer, inputs):
    turned = inputs.transpose(0, 1)
    num_tokens = turned.shape[1]
    future = torch.triu(torch.ones(num_tokens, num_tokens, dtype=torch.bool), diagonal=1)
    vecs, weights = layer(turned, turned, turned, attn_mask=future, average_attn_weights=False)
    return vecs.transpose(0, 1), weights


# %% wrong causal_layer: weights-turned
# turns the weights on the way out as well: they come with the batch first already, and get the heads first
def my_causal_layer(layer, inputs):
    x = inputs.swapaxes(0, 1)
    results = layer(x, x, x, attn_mask=~attention.causal_mask(len(x)), average_attn_weights=False)
    context_vecs, attn_weights = [r.swapaxes(0, 1) for r in results]
    return context_vecs, attn_weights


# %% wrong causal_layer: weights-averaged
# makes the missing axis of the heads by repeating the average: the shape fits, every head has the same table
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    blocked = ~attention.causal_mask(inputs.shape[1])
    vecs, mean_weights = layer(x, x, x, attn_mask=blocked)
    weights = mean_weights[:, None].repeat(1, layer.num_heads, 1, 1)
    return vecs.transpose(0, 1), weights


# %% wrong causal_layer: not-all-turned
# turns the queries only, keys and values are handed over as they are: an error, or other texts' tokens
def my_causal_layer(layer, inputs):
    queries = inputs.transpose(0, 1)
    mask = attention.causal_mask(inputs.shape[1]).logical_not()
    vecs, weights = layer(queries, inputs, inputs, attn_mask=mask, average_attn_weights=False)
    return vecs.transpose(0, 1), weights


# %% wrong fused_attention: zero-times-inf
# makes a mask to be added by a product: 0 times minus infinity is nan, so all results are nan
def my_fused_attention(queries, keys, values, key_padding_mask):
    to_add = key_padding_mask.to(queries.dtype) * -torch.inf
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=to_add[:, None, None, :])


# %% wrong fused_attention: scale-no-root
# divides the queries by the root of head_dim first, and SDPA does it again: scaled twice
def my_fused_attention(queries, keys, values, key_padding_mask):
    open_keys = key_padding_mask.logical_not()[:, None, None]
    scaled = queries / math.sqrt(queries.shape[-1])
    return F.scaled_dot_product_attention(scaled, keys, values, open_keys)


# %% wrong fused_attention: first-of-pair
# unpacks a pair, as from the course's function: SDPA returns one tensor, so an error, or text 0 for a batch of 2
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = ~key_padding_mask[:, None, None, :]
    context_vecs, _ = F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
    return context_vecs


# %% wrong fused_attention: keys-infinite
# fills padded keys (not their scores) with minus infinity and hands over no mask: scores come out as inf or nan
def my_fused_attention(queries, keys, values, key_padding_mask):
    closed_keys = keys.masked_fill(key_padding_mask[:, None, :, None], -torch.inf)
    return F.scaled_dot_product_attention(queries, closed_keys, values)


# %% wrong fused_attention: padding-of-any
# cuts off every key that is padding in any of the texts: longer texts lose real keys
def my_fused_attention(queries, keys, values, key_padding_mask):
    padded_somewhere = key_padding_mask.any(dim=0)
    keys = keys[:, :, ~padded_somewhere]
    values = values[:, :, ~padded_somewhere]
    return F.scaled_dot_product_attention(queries, keys, values)


# %% wrong fused_attention: not-for-invert
# turns the meaning of True by 1 - mask: PyTorch refuses to subtract a bool tensor, an error
def my_fused_attention(queries, keys, values, key_padding_mask):
    may_attend = 1 - key_padding_mask
    may_attend = may_attend.unsqueeze(1).unsqueeze(1).bool()
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=may_attend)


# %% wrong fused_attention: mask-two-axes
# puts both new axes in front: the batch of the mask stands on the axis of the queries
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = ~key_padding_mask[None, None]
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)


# %% wrong from_memory: names
# one projection for three, as in other people's code: W_query, W_key and W_value are not there
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out % num_heads")
        self.num_heads = num_heads
        self.c_attn = nn.Linear(d_in, 3 * d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("bias", torch.tril(torch.ones(context_length, context_length)).bool())

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.c_attn(x).chunk(3, dim=-1)
        q, k, v = (t.view(B, T, self.num_heads, -1).transpose(1, 2) for t in (q, k, v))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(~self.bias[:T, :T], float("-inf"))
        att = self.dropout(F.softmax(att, dim=-1))
        y = (att @ v).transpose(1, 2).contiguous().flatten(2)
        return self.out_proj(y), att


# %% wrong from_memory: check-wrong-axis
# checks d_in in place of d_out: refuses what is allowed, and lets uneven heads through to a later error
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_in % num_heads != 0:
            raise ValueError("d_in must be divisible by num_heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q = split_heads(self.W_query(x), self.num_heads)
        k = split_heads(self.W_key(x), self.num_heads)
        v = split_heads(self.W_value(x), self.num_heads)
        mask = causal_mask(x.shape[-2])
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, mask, self.dropout)
        return self.out_proj(merge_heads(vecs)), weights


# %% wrong from_memory: mask-off-by-one
# triu without diagonal=1 closes the diagonal too: no token sees itself, and the first row is nan
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("heads do not divide d_out")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length)))

    def forward(self, x):
        b, n, _ = x.shape

        def split(t):
            return t.view(b, n, self.num_heads, self.head_dim).transpose(1, 2)

        q, k, v = map(split, (self.W_query(x), self.W_key(x), self.W_value(x)))
        scores = q @ k.transpose(2, 3)
        scores.masked_fill_(self.mask.bool()[:n, :n], -torch.inf)
        weights = torch.softmax(scores / self.head_dim**0.5, dim=-1)
        weights = self.dropout(weights)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(b, n, -1)), weights


# %% wrong from_memory: dropout-before-softmax
# dropout falls on the inputs, as on embeddings in other code: asked is dropout on the weights (shows in training only)
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError
        self.n_heads = num_heads
        self.drop = nn.Dropout(dropout)
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        x = self.drop(x)
        q, k, v = (split_heads(w(x), self.n_heads) for w in (self.W_query, self.W_key, self.W_value))
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / q.shape[-1] ** 0.5
        weights = attention.softmax(scores.masked_fill(~causal_mask(x.shape[1]), -torch.inf))
        return self.out_proj(merge_heads(torch.einsum("bhij,bhjd->bhid", weights, v))), weights


# %% wrong from_memory: residual-added
# adds the inputs to the output, like a block of a transformer: nobody asked, and an error where d_in is not d_out
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be a multiple of num_heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))

    def forward(self, x):
        n = x.shape[1]
        heads = [split_heads(layer(x), self.num_heads) for layer in (self.W_query, self.W_key, self.W_value)]
        vecs, weights = attention.scaled_dot_product_attention(*heads, self.mask[:n, :n], self.dropout)
        return x + self.out_proj(merge_heads(vecs)), weights


# %% wrong from_memory: mask-shrinks
# makes the mask at the first call and keeps it: a text of another length later is an error
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError(f"{rest} features are left over")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.mask = None

    def forward(self, x):
        batch, num_tokens, _ = x.shape
        if self.mask is None:
            self.mask = torch.ones(num_tokens, num_tokens).tril().bool()
        shape = batch, num_tokens, self.num_heads, self.head_dim
        q = self.W_query(x).reshape(shape).permute(0, 2, 1, 3)
        k_t = self.W_key(x).reshape(shape).permute(0, 2, 3, 1)
        v = self.W_value(x).reshape(shape).permute(0, 2, 1, 3)
        scores = (q @ k_t) / math.sqrt(self.head_dim)
        weights = torch.softmax(scores.masked_fill(self.mask == 0, -torch.inf), -1)
        weights = self.dropout(weights)
        out = (weights @ v).permute(0, 2, 1, 3).flatten(2)
        return self.out_proj(out), weights


# %% wrong from_memory: weights-averaged
# two mistakes: the three projections have a bias (nn.Linear's default), and the weights are averaged over the heads
class MyFromMemory(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if num_heads * (d_out // num_heads) != d_out:
            raise ValueError("uneven heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal", causal_mask(context_length))

    def forward(self, x):
        n = x.size(1)
        q, k, v = (split_heads(f(x), self.num_heads) for f in (self.W_query, self.W_key, self.W_value))
        w = (q / q.size(-1) ** 0.5) @ k.mT
        w = attention.softmax(w.masked_fill(~self.causal[:n, :n], -torch.inf))
        w = self.dropout(w)
        return self.out_proj(merge_heads(w @ v)), w.mean(dim=1)
