"""Put a learner's own attention into the layers of a model, and say in words what does not fit."""

import inspect
from functools import cache

import torch
from torch import nn


def exchanged(make, layers, width: int) -> list[nn.Module]:
    """Return new attention layers to put in place of those of a model, frozen, in eval mode, and sharing its weights.

    make: a function without arguments that builds a new layer. layers: the model's, each a MultiHeadAttention. width:
    of their inputs. Errors: ValueError, which names what does not fit: a parameter that is missing, has another shape
    or is not in the model, an output of another form, or one layer in two places.
    """
    with torch.random.fork_rng(devices=[]):  # random initial weights must not advance the caller's generator
        new = [_made(make) for _ in layers]
    if len(set(map(id, new))) < len(new):
        raise ValueError(f"make must build a new layer each time, and {len(new)} calls returned one of them twice.")
    for layer, old in zip(new, layers, strict=True):
        weights = dict(old.named_parameters())
        _check_parameters(layer, old, weights)
        layer.load_state_dict(weights, strict=False, assign=True)  # not strict, since a mask may be stored as well
        layer.eval().requires_grad_(False)
    _check_output(new[0], layers[0].num_heads, width)
    return new


@cache
def takes(kind: type, name: str) -> bool:
    """Return whether the forward of a class of modules takes an argument `name`, also as **kwargs; cached."""
    parameters = inspect.signature(kind.forward).parameters
    return name in parameters or any(each.kind is each.VAR_KEYWORD for each in parameters.values())


def check_takes_cache(layer) -> None:
    """Check that the forward of an attention layer takes a cache. Errors: ValueError if not."""
    if not takes(type(layer), "cache"):
        raise ValueError(
            f"the forward of {type(layer).__name__} takes no cache: give it an argument cache=None, a KeyValueCache to "
            "which it adds its keys and values, or write with cache=False."
        )


def check_added(layer, cache, num_tokens: int) -> None:
    """Check that a layer has added its tokens to a cache, which then holds num_tokens. Errors: ValueError if not."""
    if cache.num_tokens != num_tokens:
        raise ValueError(
            f"{type(layer).__name__} was given a cache, which should now hold {num_tokens} tokens and holds "
            f"{cache.num_tokens}: if cache is not None, its forward needs keys, values = cache.add(keys, values), once."
        )


def _made(make) -> nn.Module:
    """Return the layer that `make` builds. Errors: ValueError if it needs arguments, or builds no nn.Module."""
    try:
        layer = make()
    except TypeError as error:
        raise ValueError(
            "make must be a function without arguments that builds a layer, such as lambda: MyAttention(576, 576, 9); "
            f"to call it failed: {error}"
        ) from error
    if not isinstance(layer, nn.Module):
        raise ValueError(f"make must build a layer, an nn.Module, got {type(layer).__name__}.")
    return layer


def _check_parameters(layer: nn.Module, old: nn.Module, weights: dict) -> None:
    """Check that a new layer has the parameters of an old one, with their shapes. Errors: ValueError if not."""
    shapes = {name: tuple(parameter.shape) for name, parameter in layer.named_parameters()}
    problems = []
    for name, weight in weights.items():
        needed = tuple(weight.shape)
        if name not in shapes:
            problems.append(f"{name} is missing, an nn.Linear's of shape {needed}.")
        elif shapes[name] != needed:
            shared = f" ({old.num_heads} heads share {old.key_heads} heads of keys and values)"
            is_shared = old.key_heads < old.num_heads and name.startswith(("W_key", "W_value"))
            problems.append(
                f"{name} has shape {shapes[name]}, and the model's is {needed}{shared if is_shared else ''}."
            )
    for name in shapes.keys() - weights.keys():
        reason = "build that layer with bias=False" if name.endswith(".bias") else "leave it out"
        problems.append(f"{name} is not in the model: {reason}.")
    if problems:
        raise ValueError(f"{type(layer).__name__} does not fit into the model. " + " ".join(sorted(problems)))


@torch.no_grad()
def _check_output(layer: nn.Module, num_heads: int, width: int) -> None:
    """Check what a layer returns for (1, 3, width) zeros. Errors: ValueError if it does not fit, or cannot be had."""
    name, x = type(layer).__name__, torch.zeros(1, 3, width)
    try:
        output = layer(x)
    except Exception as error:
        raise ValueError(
            f"{name} failed on inputs of shape {tuple(x.shape)}: {type(error).__name__}: {error}"
        ) from error
    needed = {"context_vecs": (1, 3, width), "attn_weights": (1, num_heads, 3, 3)}
    if not isinstance(output, tuple) or len(output) != 2 or not all(map(torch.is_tensor, output)):
        raise ValueError(f"{name} must return a pair of tensors, (context_vecs, attn_weights).")
    for (part, shape), tensor in zip(needed.items(), output, strict=True):
        if tuple(tensor.shape) != shape:
            raise ValueError(f"{name} returns {part} of shape {tuple(tensor.shape)} for 3 tokens, and not {shape}.")
