"""Right answers to the exercises of *Fast and long*, and wrong ones with the words they hear."""

import math

import torch
import torch.nn.functional as F

from course_utils import attention


def split_one(x, num_heads):
    return x.view(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)


def step_by_dict(heads, token, cache):
    new = {name: split_one(heads.get_submodule(f"W_{name}")(token), heads.num_heads) for name in ("key", "value")}
    if cache:
        new = {name: torch.cat((cache[name], part), 2) for name, part in new.items()}
    query = split_one(heads.W_query(token), heads.num_heads)
    weights = (query @ new["key"].mT / math.sqrt(query.size(-1))).softmax(-1)
    out = (weights @ new["value"]).transpose(1, 2).reshape(token.shape[0], 1, -1)
    return heads.out_proj(out), new


def step_before_the_split(heads, token, cache):
    """The cache holds keys and values with all heads side by side."""
    keys, values = heads.W_key(token), heads.W_value(token)
    if cache is not None:
        keys, values = torch.cat([cache[0], keys], dim=1), torch.cat([cache[1], values], dim=1)
    parts = (attention.split_heads(part, heads.num_heads) for part in (heads.W_query(token), keys, values))
    return heads.out_proj(attention.merge_heads(attention.scaled_dot_product_attention(*parts)[0])), [keys, values]


def step_newest_first(heads, token, cache):
    """Attention does not mind the order of its keys, as long as the values stand in the same."""
    query, key, value = (
        split_one(layer(token), heads.num_heads) for layer in (heads.W_query, heads.W_key, heads.W_value)
    )
    past = cache if cache is not None else (key[:, :, :0], value[:, :, :0])
    keys, values = torch.cat([key, past[0]], dim=-2), torch.cat([value, past[1]], dim=-2)
    return heads.out_proj(attention.merge_heads(F.scaled_dot_product_attention(query, keys, values))), (keys, values)


@torch.no_grad()
def step_without_gradients(heads, token, cache):
    return step_before_the_split(heads, token, cache)


RIGHT = {
    "cached_step": [step_by_dict, step_before_the_split, step_newest_first, step_without_gradients],
}


SAID = [
    ("cached_step", lambda heads, token, cache: heads(token)[0], "return context_vec, cache"),
    (
        "cached_step",
        lambda heads, token, cache: (step_by_dict(heads, token, cache)[0][:, 0], cache),
        "`context_vec` is `(batch, 1, d_out)`",
    ),
    ("cached_step", lambda heads, token, cache: heads(token), "sees itself alone"),
]
