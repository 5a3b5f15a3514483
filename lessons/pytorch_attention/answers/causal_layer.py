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
    def drop(weights):
        return F.dropout(weights, layer.dropout, layer.training)
    projected = F.linear(inputs, layer.in_proj_weight, layer.in_proj_bias)
    q, k, v = (split_heads(part, layer.num_heads) for part in projected.chunk(3, dim=-1))
    mixed, weights = attention.scaled_dot_product_attention(q, k, v, causal_mask(inputs.shape[1]), drop)
    return layer.out_proj(merge_heads(mixed)), weights

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
