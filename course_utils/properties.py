"""What must hold of any attention, whatever its weights are: four properties to test yours by, and one of positions.

Most take `attend`, a function or a module that turns inputs of shape (batch, num_tokens, d_in) into context vectors of
shape (batch, num_tokens, d_out), alone or first in a tuple. Modules are tried in eval mode, since dropout draws anew at
every call, and are given back as they were. Outputs without a single finite number are refused with a ValueError: nan
stays nan whatever changes, so nothing could be told from them. Derived in causal_masking, the last one in positions.
"""

import contextlib

import torch


def rows_sum_to_one(attn_weights):
    """Whether every row of weights adds up to 1 and holds nothing negative.

    attn_weights: (..., num_queries, num_keys). Rows of zeros, of a query with nothing to attend to, are allowed.
    """
    sums = attn_weights.sum(dim=-1)  # (..., num_queries)
    nothing = (attn_weights == 0).all(dim=-1)
    right = (sums - 1).abs() < 1e-4
    return bool((right | nothing).all() and (attn_weights >= 0).all())


def no_leak(attend, inputs):
    """The leak test: whether no output changes when a later token does.

    inputs: (batch, num_tokens, d_in), at least 2 tokens. Every token from the second on is changed in turn.
    """
    _check(inputs, axis=1, least=2, what="tokens")
    before = _telling_outputs(attend, inputs)
    for at in range(1, inputs.shape[1]):
        after = _outputs(attend, _changed(inputs, (slice(None), at)))
        if not _same(after[:, :at], before[:, :at]):
            return False
    return True


def samples_independent(attend, inputs):
    """Whether no sample's output changes when another sample of the batch does.

    inputs: (batch, num_tokens, d_in), at least 2 samples. Every sample is changed in turn.
    """
    _check(inputs, axis=0, least=2, what="samples")
    before = _telling_outputs(attend, inputs)
    for at in range(inputs.shape[0]):
        others = [sample for sample in range(inputs.shape[0]) if sample != at]
        after = _outputs(attend, _changed(inputs, (at,)))
        if not _same(after[others], before[others]):
            return False
    return True


def permutation_equivariant(attend, inputs):
    """Whether shuffled tokens give the same outputs, shuffled the same way: true of self-attention without a mask.

    inputs: (batch, num_tokens, d_in), at least 2 tokens. They are turned around, and moved on by one place.
    """
    _check(inputs, axis=1, least=2, what="tokens")
    before = _telling_outputs(attend, inputs)
    order = torch.arange(inputs.shape[1], device=inputs.device)
    return all(
        _same(_outputs(attend, inputs[:, shuffled]), before[:, shuffled]) for shuffled in (order.flip(0), order.roll(1))
    )


def distance_alone(scores_at, num_tokens, shifts=(1, 10, 100)):
    """Whether the scores of the same queries and keys stay when the whole text moves on: only distances count.

    scores_at: a function that takes places, (num_tokens,) whole numbers, and gives the scores of the queries and keys
    with the tokens at these places, (..., num_tokens, num_tokens). shifts: how far the text moves; a table of vectors
    has rows for the first places alone. True of turned queries and keys, of a penalty on distance, and of no places.
    Errors: ValueError for scores of another shape, or without a finite number.
    """
    with torch.no_grad():
        before, *moved = (scores_at(torch.arange(num_tokens) + shift) for shift in (0, *shifts))
    if before.shape[-2:] != (num_tokens, num_tokens):
        raise ValueError(
            f"scores_at gave a shape of {tuple(before.shape)}; needed is (..., {num_tokens}, {num_tokens}), a row for "
            "each query."
        )
    _check_finite(before, "scores")
    size = before[before.isfinite()].abs().max().item()  # angles of far places are rounded: small scores suffer most
    return all(torch.isclose(after, before, rtol=0, atol=1e-3 * size, equal_nan=True).all() for after in moved)


def _telling_outputs(attend, inputs):
    """The context vectors, with at least one finite number among them."""
    outputs = _outputs(attend, inputs)
    _check_finite(outputs, "outputs")
    return outputs


def _outputs(attend, inputs):
    """The context vectors, which come alone or first in a tuple."""
    with torch.no_grad(), _in_eval(attend):
        result = attend(inputs)
    return result[0] if isinstance(result, tuple) else result


@contextlib.contextmanager
def _in_eval(attend):
    """Put a module into eval mode for a while; its parts get back the mode each had."""
    modules = list(attend.modules()) if isinstance(attend, torch.nn.Module) else []
    modes = [module.training for module in modules]
    for module in modules:
        module.training = False
    try:
        yield
    finally:
        for module, mode in zip(modules, modes, strict=True):
            module.training = mode


def _changed(inputs, place):
    """A copy with other numbers at one place: not a multiple of the old ones, which a norm would undo."""
    others = inputs.clone()
    size = others[place].shape[-1]
    others[place] = others[place].flip(-1) + torch.linspace(1, 2, size, dtype=inputs.dtype, device=inputs.device)
    return others


def _same(ours, theirs):
    """Equal but for rounding; what is nan in both counts as unchanged."""
    return bool(torch.isclose(ours, theirs, rtol=1e-4, atol=1e-5, equal_nan=True).all())


def _check_finite(numbers, what):
    if not numbers.isfinite().any():
        raise ValueError(
            f"none of the {numbers.numel()} {what} is finite, so no change could be seen in them: ask each step for "
            ".isfinite().all() first."
        )


def _check(inputs, axis, least, what):
    if inputs.ndim != 3 or inputs.shape[axis] < least:
        raise ValueError(
            f"inputs have shape {tuple(inputs.shape)}; needed is (batch, num_tokens, d_in), with at least {least} "
            f"{what}, since one is changed and the others watched."
        )
