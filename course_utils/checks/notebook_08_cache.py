"""The exercise of notebook 08 on a key-value cache: one step of causal attention, one token at a time."""

import torch
import torch.nn.functional as F

from .. import attention
from ..attention import merge_heads, split_heads
from . import outcome
from .behaviours import repeats
from .legacy import Exercise
from .notebook_08 import filled, made


def cached_step_(heads, token, cache):
    query = split_heads(heads.W_query(token), heads.num_heads)  # (batch, num_heads, 1, head_dim)
    keys = split_heads(heads.W_key(token), heads.num_heads)
    values = split_heads(heads.W_value(token), heads.num_heads)
    if cache is not None:
        keys = torch.cat([cache[0], keys], dim=-2)  # (batch, num_heads, num_past + 1, head_dim)
        values = torch.cat([cache[1], values], dim=-2)
    context_vec = F.scaled_dot_product_attention(query, keys, values)
    return heads.out_proj(merge_heads(context_vec)), (keys, values)


def extend(cache, keys, values):
    if cache is None:
        return keys, values
    return torch.cat([cache[0], keys], dim=-2), torch.cat([cache[1], values], dim=-2)


def attend(query, keys, values):
    return torch.softmax(query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5, dim=-1) @ values


def stepping(
    project=lambda heads, token: (heads.W_query(token), heads.W_key(token), heads.W_value(token)),
    join=extend,
    mix=attend,
    keep=lambda keys, values, cache: (keys, values),
    finish=lambda heads, context_vecs: heads.out_proj(merge_heads(context_vecs)),
):
    """An answer with some of its steps replaced."""

    def answer(heads, token, cache):
        query, key, value = (split_heads(part, heads.num_heads) for part in project(heads, token))
        keys, values = join(cache, key, value)
        return finish(heads, mix(query, keys, values)), keep(keys, values, cache)

    return answer


def layer(width, d_out, num_heads, weights, dtype):
    heads = made(attention.MultiHeadAttention, width, d_out, num_heads, causal=True)
    return filled(heads, weights, 0.7).to(dtype)


def one_step(answer, heads, token, cache):
    """Returns what comes out and the cache to go on with. Errors: Refused, in words, for anything but a pair."""
    result = answer(heads, token, cache)
    if result is None:
        raise outcome.Refused("It ran to its end and gave nothing back: the last line needs a `return`.")
    if not isinstance(result, tuple | list) or len(result) != 2:
        raise outcome.Refused("Two things are asked for, in this order: `return context_vec, cache`.")
    if not torch.is_tensor(result[0]) and torch.is_tensor(result[1]):
        raise outcome.Refused("The two have changed places: the context vector comes first, then the cache.")
    context_vec = outcome.as_tensors(result[0], ("context_vec",))[0]
    if context_vec.shape != (token.shape[0], 1, heads.out_proj.out_features):
        wanted = f"(batch, 1, d_out) = {(token.shape[0], 1, heads.out_proj.out_features)}"
        raise outcome.Refused(f"`context_vec` needs the shape `{wanted}`, and has `{tuple(context_vec.shape)}`.")
    return context_vec, result[1]


def run_steps(answer, d_out, num_heads, inputs, weights):
    heads = layer(inputs.shape[-1], d_out, num_heads, weights, inputs.dtype)
    cache, context_vecs = None, []
    for at in range(inputs.shape[1]):
        context_vec, cache = one_step(answer, heads, inputs[:, at : at + 1], cache)
        context_vecs.append(context_vec)
    return torch.cat(context_vecs, dim=1)


def cache_cases(draw):
    for label, d_out, num_heads, inputs in (
        ("2 texts of 5 tokens, 6 wide to 12, 3 heads", 12, 3, draw(2, 5, 6)),
        ("3 texts of 4 tokens, 8 wide to 8, 2 heads", 8, 2, draw(3, 4, 8)),
        ("one head", 5, 1, draw(2, 6, 3)),
        ("a batch of one", 6, 2, draw(1, 7, 4)),
        ("a single token", 8, 4, draw(3, 1, 5)),
        ("float64", 6, 3, draw(2, 4, 5, dtype=torch.float64)),
    ):
        yield label, d_out, num_heads, inputs, type(draw)(seed=d_out)


def projects_each_token_once(exercise, answer):
    """What a cache is for: keys and values of the past are not made again."""
    d_out, num_heads, inputs, weights = exercise.cases()[0].args
    heads, seen = layer(inputs.shape[-1], d_out, num_heads, weights, inputs.dtype), []
    for name in ("W_key", "W_value"):
        heads.get_submodule(name).register_forward_hook(lambda module, args, result: seen.append(args[0].shape[-2]))
    cache = None
    for at in range(inputs.shape[1]):
        _, cache = one_step(answer, heads, inputs[:, at : at + 1], cache)
    if sum(seen) > 2 * inputs.shape[1]:
        yield (
            "recomputed",
            "The numbers are right, but each step makes the keys and values of all the past again, which is what the "
            "cache should save. Keep keys and values in it, not inputs, and project the new token alone.",
        )


def leaves_the_old_cache(exercise, answer):
    """Two continuations of one beginning can share its cache."""
    d_out, num_heads, inputs, weights = exercise.cases()[0].args
    heads = layer(inputs.shape[-1], d_out, num_heads, weights, inputs.dtype)
    _, beginning = one_step(answer, heads, inputs[:, :1], None)
    first, _ = one_step(answer, heads, inputs[:, 1:2], beginning)
    again, _ = one_step(answer, heads, inputs[:, 1:2], beginning)
    if not outcome.close(first.detach(), again.detach()):
        yield (
            "cache-in-place",
            "Your code changes the cache that it was given. Two continuations of one beginning could not share it: "
            "make new tensors with `torch.cat`, and return those.",
        )


cached_step = Exercise(
    "cached_step", cached_step_, cache_cases, outputs=("context_vecs",), observe=run_steps, make=stepping,
    behaviours=(leaves_the_old_cache, projects_each_token_once, repeats),
)  # fmt: skip
