# %% right
def my_causal_layer(layer, inputs):
    layer.batch_first = True
    blocked = torch.ones(inputs.shape[1], inputs.shape[1]).triu(1).bool()
    results = layer(inputs, inputs, inputs, attn_mask=blocked, average_attn_weights=False)
    layer.batch_first = False
    return results

# %% right
def my_causal_layer(layer, inputs):
    x = inputs.permute(1, 0, 2)
    mask = nn.Transformer.generate_square_subsequent_mask(x.size(0))
    out, weights = layer(x, x, x, attn_mask=mask, is_causal=True, need_weights=True, average_attn_weights=False)
    return out.permute(1, 0, 2), weights

# %% right
def my_causal_layer(layer, inputs):
    x = torch.einsum("btw->tbw", inputs)
    added = torch.full((len(x), len(x)), -torch.inf, dtype=inputs.dtype).triu(diagonal=1)
    vecs, weights = layer(x, x, x, need_weights=True, attn_mask=added, average_attn_weights=False)
    return torch.einsum("tbw->btw", vecs), weights

# %% right
def my_causal_layer(layer, inputs):
    results = []
    for text in inputs:
        later = torch.ones(len(text), len(text)).triu(diagonal=1).bool()
        results.append(layer(text, text, text, attn_mask=later, average_attn_weights=False))
    return tuple(torch.stack(parts) for parts in zip(*results, strict=True))

# %% right
def my_causal_layer(layer, inputs):
    n = inputs.shape[1]
    added = torch.full((n, n), -torch.inf, dtype=inputs.dtype).triu(diagonal=1)
    pairs = [layer(text, text, text, attn_mask=added, average_attn_weights=False) for text in inputs]
    vecs, weights = zip(*pairs)
    return torch.stack(vecs), torch.stack(weights)

# %% right
def my_causal_layer(layer, inputs):
    blocked = torch.ones(inputs.shape[1], inputs.shape[1], dtype=torch.bool).triu(1)
    pairs = [layer(text, text, text, attn_mask=blocked, average_attn_weights=False) for text in inputs]
    return torch.stack([vecs for vecs, _ in pairs]), torch.stack([weights for _, weights in pairs])

# %% right
def my_causal_layer(layer, inputs):
    batch, n, _ = inputs.shape
    place = torch.arange(n)
    blocked = (place[:, None] < place).repeat(batch * layer.num_heads, 1, 1)
    turned = torch.einsum("bnd->nbd", inputs)
    vecs, weights = layer(turned, turned, turned, attn_mask=blocked, average_attn_weights=False)
    return torch.einsum("nbd->bnd", vecs), weights

# %% right
def my_causal_layer(layer, inputs):
    blocked = attention.causal_mask(inputs.shape[1]).logical_not()
    all_vecs, all_weights = [], []
    for text in inputs:
        vecs, weights = layer(text, text, text, attn_mask=blocked, average_attn_weights=False)
        all_vecs.append(vecs)
        all_weights.append(weights)
    return torch.stack(all_vecs), torch.stack(all_weights)

# %% right
def my_causal_layer(layer, inputs):
    def drop(weights):
        return F.dropout(weights, layer.dropout, layer.training)
    projected = F.linear(inputs, layer.in_proj_weight, layer.in_proj_bias)
    q, k, v = (split_heads(part, layer.num_heads) for part in projected.chunk(3, dim=-1))
    mixed, weights = attention.scaled_dot_product_attention(q, k, v, causal_mask(inputs.shape[1]), drop)
    return layer.out_proj(merge_heads(mixed)), weights

# %% right
def my_causal_layer(layer, inputs):
    width = inputs.shape[-1]
    queries, keys, values = (
        attention.split_heads(part, layer.num_heads)
        for part in F.linear(inputs, layer.in_proj_weight, layer.in_proj_bias).split(width, dim=-1)
    )
    mask = attention.causal_mask(inputs.shape[1])
    context_vecs, weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return layer.out_proj(attention.merge_heads(context_vecs)), weights

# %% wrong: - "Two things are asked for, in this order: `return context_vec"
my_causal_layer = lambda layer, x: layer(x, x, x)[0]

# %% wrong: - "`layer(x, x, x, attn_mask=blocked, average_attn_weights=Fals"
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    blocked = ~attention.causal_mask(x.shape[1])
    context_vecs, attn_weights = layer(x, x, x, attn_mask=blocked, average_attn_weights=False)
    return context_vecs.transpose(0, 1), attn_weights

# %% wrong: - "`layer(x, x, x, is_causal=True, average_attn_weights=False)`"
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    vecs, weights = layer(x, x, x, is_causal=True, average_attn_weights=False)
    return vecs.transpose(0, 1), weights

# %% wrong: as-it-comes
def my_causal_layer(layer, inputs):
    return layer(inputs, inputs, inputs)

# %% wrong: batch-first-set
def my_causal_layer(layer, inputs):
    layer.batch_first = True
    later = ~attention.causal_mask(inputs.shape[1])
    return layer(inputs, inputs, inputs, attn_mask=later, average_attn_weights=False)

# %% wrong: input-viewed
def my_causal_layer(layer, inputs):
    b, t, w = inputs.shape
    x = inputs.reshape(t, b, w)
    vecs, weights = layer(x, x, x, attn_mask=~attention.causal_mask(t), average_attn_weights=False)
    return vecs.reshape(b, t, w), weights

# %% wrong: inputs-once
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    return layer(x, attn_mask=~attention.causal_mask(len(x)), average_attn_weights=False)

# %% wrong: mask-added-01
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    blocked = (~attention.causal_mask(x.shape[0])).float()
    vecs, weights = layer(x, x, x, attn_mask=blocked, average_attn_weights=False)
    return vecs.transpose(0, 1), weights

# %% wrong: mask-missing
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    vecs, weights = layer(x, x, x, need_weights=True, average_attn_weights=False)
    vecs = vecs.transpose(0, 1)
    return vecs, weights

# %% wrong: mask-off-by-one
def my_causal_layer(layer, inputs):
    n = inputs.shape[1]
    x = inputs.permute(1, 0, 2)
    out, attn = layer(x, x, x, attn_mask=torch.ones(n, n).triu().bool(), average_attn_weights=False)
    return out.permute(1, 0, 2), attn

# %% wrong: not-all-turned
def my_causal_layer(layer, inputs):
    queries = inputs.transpose(0, 1)
    mask = attention.causal_mask(inputs.shape[1]).logical_not()
    vecs, weights = layer(queries, inputs, inputs, attn_mask=mask, average_attn_weights=False)
    return vecs.transpose(0, 1), weights

# %% wrong: sdpa-polarity
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    allowed = attention.causal_mask(x.shape[0])
    vecs, weights = layer(x, x, x, attn_mask=allowed, average_attn_weights=False)
    return vecs.transpose(0, 1), weights

# %% wrong: sdpa-polarity + weights-turned
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    mask = attention.causal_mask(x.shape[0])
    vecs, weights = layer(x, x, x, attn_mask=mask, average_attn_weights=False)
    return vecs.transpose(0, 1), weights.transpose(0, 1)

# %% wrong: seq-batch-swapped
def my_causal_layer(layer, inputs):
    mask = attention.causal_mask(inputs.shape[0])
    return layer(inputs, inputs, inputs, attn_mask=~mask, average_attn_weights=False)

# %% wrong: weights-averaged
def my_causal_layer(layer, inputs):
    turned = inputs.permute(1, 0, 2)
    blocked = torch.ones(turned.shape[0], turned.shape[0], dtype=torch.bool).triu(1)
    context_vecs, attn_weights = layer(turned, turned, turned, attn_mask=blocked)
    return context_vecs.permute(1, 0, 2), attn_weights
