"""Right answers to the exercises of *PyTorch's attention*, and wrong ones with the words they hear."""

import torch
import torch.nn.functional as F
from answers import the_reshape
from torch import nn

from course_utils import attention


def copy_by_slices(ours, theirs):
    width = ours.W_query.out_features
    with torch.no_grad():
        for place, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
            theirs.in_proj_weight[place * width : (place + 1) * width] = layer.weight
        theirs.in_proj_bias[:] = 0
    theirs.out_proj.load_state_dict(ours.out_proj.state_dict())


def copy_by_data(ours, theirs):
    theirs.in_proj_weight.data.copy_(torch.vstack((ours.W_query.weight, ours.W_key.weight, ours.W_value.weight)))
    nn.init.zeros_(theirs.in_proj_bias)
    for ours_part, theirs_part in zip(ours.out_proj.parameters(), theirs.out_proj.parameters(), strict=True):
        theirs_part.data.copy_(ours_part.data)


def copy_by_state(ours, theirs):
    state = ours.state_dict()
    weight = torch.cat([state[f"W_{name}.weight"] for name in ("query", "key", "value")], dim=0)
    out = {name: value.clone() for name, value in state.items() if name.startswith("out_proj")}
    theirs.load_state_dict({"in_proj_weight": weight, "in_proj_bias": torch.zeros(len(weight)), **out})


def copy_by_parameter(ours, theirs):
    theirs.in_proj_weight = nn.Parameter(torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight]))
    theirs.in_proj_bias = nn.Parameter(torch.zeros_like(theirs.in_proj_bias))
    theirs.out_proj.weight = nn.Parameter(ours.out_proj.weight.clone())
    theirs.out_proj.bias = nn.Parameter(ours.out_proj.bias.clone())


def layer_by_float_mask(layer, inputs):
    x = inputs.permute(1, 0, 2)
    mask = nn.Transformer.generate_square_subsequent_mask(x.size(0))
    out, weights = layer(x, x, x, attn_mask=mask, is_causal=True, need_weights=True, average_attn_weights=False)
    return out.permute(1, 0, 2), weights


def layer_by_loop(layer, inputs):
    results = []
    for text in inputs:
        later = torch.ones(len(text), len(text)).triu(diagonal=1).bool()
        results.append(layer(text, text, text, attn_mask=later, average_attn_weights=False))
    return tuple(torch.stack(parts) for parts in zip(*results, strict=True))


def layer_put_back(layer, inputs):
    layer.batch_first = True
    blocked = torch.ones(inputs.shape[1], inputs.shape[1]).triu(1).bool()
    results = layer(inputs, inputs, inputs, attn_mask=blocked, average_attn_weights=False)
    layer.batch_first = False
    return results


def layer_by_ours(layer, inputs):
    width = inputs.shape[-1]
    queries, keys, values = (
        attention.split_heads(part, layer.num_heads)
        for part in F.linear(inputs, layer.in_proj_weight, layer.in_proj_bias).split(width, dim=-1)
    )
    mask = attention.causal_mask(inputs.shape[1])
    context_vecs, weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return layer.out_proj(attention.merge_heads(context_vecs)), weights


def fused_by_ours(queries, keys, values, key_padding_mask):
    mask = key_padding_mask.logical_not().unsqueeze(1).unsqueeze(2)
    return attention.scaled_dot_product_attention(queries, keys, values, mask)[0]


def fused_expanded(queries, keys, values, key_padding_mask):
    batch, heads, num_queries, _ = queries.shape
    mask = (key_padding_mask == 0).view(batch, 1, 1, -1).expand(batch, heads, num_queries, -1)
    return F.scaled_dot_product_attention(queries, keys, values, mask, 0.0)


def fused_by_minus_infinity(queries, keys, values, key_padding_mask):
    mask = torch.zeros(key_padding_mask.shape, dtype=queries.dtype).masked_fill(key_padding_mask, -torch.inf)
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask[:, None, None])


def fused_by_loop(queries, keys, values, key_padding_mask):
    texts = []
    for query, key, value, padding in zip(queries, keys, values, key_padding_mask, strict=True):
        texts.append(F.scaled_dot_product_attention(query, key[:, ~padding], value[:, ~padding]))
    return torch.stack(texts)


def split_one(x, num_heads):
    return x.view(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)


class WithPyTorchsFunction(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("the heads do not divide d_out")
        self.num_heads = num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        parts = (split_one(layer(x), self.num_heads) for layer in (self.W_query, self.W_key, self.W_value))
        mask = attention.causal_mask(x.shape[1])
        context_vecs, weights = attention.scaled_dot_product_attention(*parts, mask, self.dropout)
        return self.out_proj(attention.merge_heads(context_vecs)), weights


def copies_after_a_spell_of_training(ours, theirs):
    copy_by_slices(ours, theirs)
    theirs.in_proj_bias.data.add_(0.1)


def changes_a_setting(layer, inputs):
    layer.batch_first = True
    later = ~attention.causal_mask(inputs.shape[1])
    return layer(inputs, inputs, inputs, attn_mask=later, average_attn_weights=False)


RIGHT = {
    "copy_heads": [copy_by_slices, copy_by_data, copy_by_state, copy_by_parameter],
    "causal_layer": [layer_by_float_mask, layer_by_loop, layer_by_ours, layer_put_back],
    "fused_attention": [fused_by_ours, fused_expanded, fused_by_minus_infinity, fused_by_loop],
    "from_memory": [WithPyTorchsFunction, *the_reshape.RIGHT["multi_head"]],
}


SAID = [
    ("copy_heads", copies_after_a_spell_of_training, "In the in proj bias"),
    ("causal_layer", changes_a_setting, "sets the layer's `batch_first`"),
    ("causal_layer", lambda layer, x: layer(x, x, x)[0], "return context_vecs, attn_weights"),
    (
        "fused_attention",
        lambda *qkv: attention.scaled_dot_product_attention(*qkv[:3]),
        "A pair came back. The context vectors alone are asked for",
    ),
]
