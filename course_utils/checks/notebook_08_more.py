"""Further wrong answers to the exercises of notebook 08: mostly those that stop with an error."""

import torch
import torch.nn.functional as F

from .. import attention
from ..attention import split_heads
from . import notebook_08, notebook_08_cache, notebook_08_fused, notebook_08_layer
from .notebook_08 import copy_heads_
from .notebook_08_cache import attend
from .notebook_08_layer import calling

# ---- copy_heads


@notebook_08.copy_heads.mistake(
    "wrong-direction",
    "PyTorch's layer has none of your numbers. `a.copy_(b)` writes into `a`: the parameter of `theirs` stands in "
    "front, that of `ours` in the brackets.",
)
def _(ours, theirs):
    with torch.no_grad():
        ours.W_query.weight.copy_(theirs.in_proj_weight.chunk(3)[0])
        ours.out_proj.weight.copy_(theirs.out_proj.weight)


@notebook_08.copy_heads.mistake(
    "layers-for-weights", "You joined the layers themselves. Their numbers are tensors: `ours.W_query.weight`."
)
def _(ours, theirs):
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.W_query, ours.W_key, ours.W_value]))


@notebook_08.copy_heads.mistake(
    "names-of-ours",
    "PyTorch's layer has no `W_query`: the three matrices lie in `in_proj_weight`, one below the other.",
)
def _(ours, theirs):
    with torch.no_grad():
        theirs.W_query.weight.copy_(ours.W_query.weight)


@notebook_08.copy_heads.mistake(
    "fixed-width", "You wrote the width of this page's modules, 12. Other modules come, too: read it off the weights."
)
def _(ours, theirs):
    copy_heads_(ours, theirs)
    with torch.no_grad():
        theirs.in_proj_weight[:12] = ours.W_query.weight


# ---- causal_layer


@notebook_08_layer.causal_layer.mistake(
    "input-viewed",
    "`view` and `reshape` put the inputs into another shape in the order in which they lie: the texts get mixed. "
    "Exchange the axes: `transpose(0, 1)`.",
)
def _(layer, inputs):
    return calling(turn=lambda inputs: inputs.reshape(inputs.shape[1], inputs.shape[0], -1))(layer, inputs)


@notebook_08_layer.causal_layer.mistake(
    "inputs-once",
    "PyTorch's layer asks for queries, keys and values every time. In self-attention you give it the same three "
    "times: `layer(x, x, x, …)`.",
)
def _(layer, inputs):
    x = inputs.transpose(0, 1)
    return layer(x, attn_mask=~attention.causal_mask(len(x)), average_attn_weights=False)


@notebook_08_layer.causal_layer.mistake(
    "features-turned", "You exchanged tokens and features. The layer wants tokens and batch exchanged: axes 0 and 1."
)
def _(layer, inputs):
    x = inputs.transpose(1, 2)
    return layer(x, x, x, attn_mask=~attention.causal_mask(x.shape[1]), average_attn_weights=False)


# ---- fused_attention


@notebook_08_fused.fused_attention.mistake(
    "mask-axes-last",
    "The new axes stand behind the keys. Keys are on the last axis of the scores: put both in the middle, "
    "`[:, None, None, :]`.",
)
def _(queries, keys, values, key_padding_mask):
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=~key_padding_mask[..., None, None])


@notebook_08_fused.fused_attention.mistake(
    "mask-by-other-name", "SDPA has no `key_padding_mask`. It knows one mask, `attn_mask`, that fits the scores."
)
def _(queries, keys, values, key_padding_mask):
    return F.scaled_dot_product_attention(queries, keys, values, key_padding_mask=key_padding_mask)


@notebook_08_fused.fused_attention.mistake(
    "not-for-invert", "`not` asks for one True or False for the whole tensor. `~` turns each element round."
)
def _(queries, keys, values, key_padding_mask):
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=not key_padding_mask)


# ---- cached_step


def step(heads, token, cache, join, mix=attend, finish=lambda heads, vecs: heads.out_proj(attention.merge_heads(vecs))):
    """One step in which only joining, mixing or finishing goes wrong."""
    query, keys, values = (split_heads(W(token), heads.num_heads) for W in (heads.W_query, heads.W_key, heads.W_value))
    if cache is not None:
        keys, values = join(cache[0], keys), join(cache[1], values)
    return finish(heads, mix(query, keys, values)), (keys, values)


def behind(past, new):
    return torch.cat([past, new], dim=-2)


@notebook_08_cache.cached_step.mistake(
    "stack-for-cat",
    "`stack` makes a new axis. The new key and value go behind the old ones on the axis of the tokens: "
    "`torch.cat(…, dim=-2)`.",
)
def _(heads, token, cache):
    return step(heads, token, cache, lambda past, new: torch.stack([past, new], dim=-2))


@notebook_08_cache.cached_step.mistake(
    "heads-unmerged",
    "The heads reach `out_proj` one by one. Put them side by side first: `attention.merge_heads(…)`.",
)
def _(heads, token, cache):
    return step(heads, token, cache, behind, finish=lambda heads, vecs: heads.out_proj(vecs))


@notebook_08_cache.cached_step.mistake(
    "pair-for-vectors",
    "Our function returns a pair, context vectors and weights. Take it apart: `context_vecs, _ = …`.",
)
def _(heads, token, cache):
    return step(heads, token, cache, behind, mix=attention.scaled_dot_product_attention)
