# %% wrong copy_heads: no-grad-missing
def stacked(ours, order="query key value", turned=False):
    weights = [getattr(ours, f"W_{name}").weight for name in order.split()]
    return torch.cat([weight.transpose(0, 1) if turned else weight for weight in weights])


def my_copy_heads(ours, theirs):
    theirs.in_proj_weight.copy_(stacked(ours))

# %% wrong copy_heads: tensor-for-parameter
def stacked(ours, order="query key value", turned=False):
    weights = [getattr(ours, f"W_{name}").weight for name in order.split()]
    return torch.cat([weight.transpose(0, 1) if turned else weight for weight in weights])


def my_copy_heads(ours, theirs):
    theirs.in_proj_weight = stacked(ours)

# %% wrong copy_heads: by-name
def my_copy_heads(ours, theirs):
    theirs.load_state_dict(ours.state_dict())

# %% wrong copy_heads: shared-memory
def copy_heads_(ours, theirs):
    layers = (ours.W_query, ours.W_key, ours.W_value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)


def my_copy_heads(ours, theirs):
    copy_heads_(ours, theirs)
    theirs.out_proj = ours.out_proj

# %% wrong copy_heads: frozen
def copy_heads_(ours, theirs):
    layers = (ours.W_query, ours.W_key, ours.W_value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)


def my_copy_heads(ours, theirs):
    copy_heads_(ours, theirs)
    theirs.requires_grad_(False)

# %% wrong copy_heads: wrong-direction
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        ours.W_query.weight.copy_(theirs.in_proj_weight.chunk(3)[0])
        ours.out_proj.weight.copy_(theirs.out_proj.weight)

# %% wrong causal_layer: as-it-comes
def my_causal_layer(layer, inputs):
    return layer(inputs, inputs, inputs)

# %% wrong causal_layer: mask-of-the-batch
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    blocked = ~attention.causal_mask(x.shape[1])
    context_vecs, attn_weights = layer(x, x, x, attn_mask=blocked, average_attn_weights=False)
    return context_vecs.transpose(0, 1), attn_weights

# %% wrong causal_layer: batch-first-set
def my_causal_layer(layer, inputs):
    layer.batch_first = True
    blocked = ~attention.causal_mask(inputs.shape[1])
    return layer(inputs, inputs, inputs, attn_mask=blocked, average_attn_weights=False)

# %% wrong causal_layer: input-viewed
def calling(
    turn=lambda inputs: inputs.transpose(0, 1),
    mask=lambda num_tokens: ~attention.causal_mask(num_tokens),
    call=lambda layer, x, blocked: layer(x, x, x, attn_mask=blocked, average_attn_weights=False),
    back=lambda context_vecs, attn_weights: (context_vecs.transpose(0, 1), attn_weights),
):
    """An answer with some of its steps replaced."""

    def answer(layer, inputs):
        x = turn(inputs)
        return back(*call(layer, x, mask(len(x))))

    return answer


def my_causal_layer(layer, inputs):
    return calling(turn=lambda inputs: inputs.reshape(inputs.shape[1], inputs.shape[0], -1))(layer, inputs)

# %% wrong causal_layer: inputs-once
def my_causal_layer(layer, inputs):
    x = inputs.transpose(0, 1)
    return layer(x, attn_mask=~attention.causal_mask(len(x)), average_attn_weights=False)

# %% wrong causal_layer: features-turned
def my_causal_layer(layer, inputs):
    x = inputs.transpose(1, 2)
    return layer(x, x, x, attn_mask=~attention.causal_mask(x.shape[1]), average_attn_weights=False)

# %% wrong fused_attention: mask-axes-last
def my_fused_attention(queries, keys, values, key_padding_mask):
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=~key_padding_mask[..., None, None])

# %% wrong fused_attention: mask-by-other-name
def my_fused_attention(queries, keys, values, key_padding_mask):
    return F.scaled_dot_product_attention(queries, keys, values, key_padding_mask=key_padding_mask)

# %% wrong fused_attention: not-for-invert
def my_fused_attention(queries, keys, values, key_padding_mask):
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=not key_padding_mask)

