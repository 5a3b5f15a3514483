"""Property tests for attention: four properties that hold whatever the weights are, and one of position encodings.

Most tests take `attend`, a function or a module that turns inputs of shape (batch, num_tokens, d_in) into context
vectors of shape (batch, num_tokens, d_out), and returns them alone or first in a tuple. A module is run in eval mode,
because dropout draws new random numbers at every call; its training mode is restored afterwards. Outputs without a
single finite number raise a ValueError: nan stays nan whatever changes, so they prove nothing.
The notebook causal_masking derives the first four properties, and the notebook positions derives distance_alone.
"""

import contextlib

import torch


def rows_sum_to_one(attn_weights):
    """Return whether every row of weights sums to 1, up to 1e-4, and has no negative entry.

    attn_weights: a tensor (..., num_queries, num_keys). A row of zeros is allowed: its query has nothing to attend to.
    """
    sums = attn_weights.sum(dim=-1)  # (..., num_queries)
    nothing = (attn_weights == 0).all(dim=-1)
    right = (sums - 1).abs() < 1e-4
    return bool((right | nothing).all() and (attn_weights >= 0).all())


def no_leak(attend, inputs):
    """Return whether no output changes when a later token changes: the leak test of causal attention.

    attend: a function or module from inputs to context vectors (batch, num_tokens, d_out), alone or first in a tuple; a
    module is run in eval mode. inputs: (batch, num_tokens, d_in), at least 2 tokens. Every token from the second on is
    changed in turn, in a copy. Errors: ValueError for inputs of another shape, and if no output is finite.
    """
    _check(inputs, axis=1, what="tokens")
    before = _telling_outputs(attend, inputs)
    changes = ((at, _outputs(attend, _changed(inputs, (slice(None), at)))) for at in range(1, inputs.shape[1]))
    return all(_same(after[:, :at], before[:, :at]) for at, after in changes)


def samples_independent(attend, inputs):
    """Return whether no sample's output changes when another sample of the batch changes.

    attend: as for no_leak, a function or module from inputs to context vectors. inputs: (batch, num_tokens, d_in), at
    least 2 samples. Every sample is changed in turn, in a copy.
    Errors: ValueError for inputs of another shape, and if no output is finite.
    """
    _check(inputs, axis=0, what="samples")
    before = _telling_outputs(attend, inputs)
    samples = torch.arange(inputs.shape[0])
    changes = ((samples != at, _outputs(attend, _changed(inputs, (at,)))) for at in range(inputs.shape[0]))
    return all(_same(after[others], before[others]) for others, after in changes)


def permutation_equivariant(attend, inputs):
    """Return whether permuted tokens give the same outputs in the new order: true of self-attention without a mask.

    attend: as for no_leak, a function or module from inputs to context vectors. inputs: (batch, num_tokens, d_in), at
    least 2 tokens. Two permutations are tried, from which every other can be composed: the first two tokens exchanged,
    and the tokens rotated by one place.
    Errors: ValueError for inputs of another shape, and if no output is finite.
    """
    _check(inputs, axis=1, what="tokens")
    before = _telling_outputs(attend, inputs)
    order = torch.arange(inputs.shape[1], device=inputs.device)
    exchanged = torch.cat([order[:2].flip(0), order[2:]])
    return all(_same(_outputs(attend, inputs[:, order]), before[:, order]) for order in (exchanged, order.roll(1)))


def distance_alone(scores_at, num_tokens, shifts=(1, 10, 100)):
    """Return whether no score changes, by over 1e-3 of the largest, when all tokens move on by the same distance.

    scores_at: a function that takes positions, a tensor (num_tokens,) of whole numbers, and returns the scores
    (..., num_tokens, num_tokens) of the same queries and keys with the tokens at these positions.
    shifts: the distances to move by; where position vectors come from a table, no position may exceed its last row.
    The property holds for rotary positions, for a penalty on distance, and without any positions.
    Errors: ValueError if the scores have another shape, or if none of them is finite.
    """
    with torch.no_grad():
        before, *moved = (scores_at(torch.arange(num_tokens) + shift) for shift in (0, *shifts))
    if before.shape[-2:] != (num_tokens, num_tokens):
        raise ValueError(
            f"scores_at gave a shape of {tuple(before.shape)}; needed is (..., {num_tokens}, {num_tokens}), a row for "
            "each query."
        )
    _check_finite(before, "scores")
    # Angles at far positions carry rounding errors, which weigh most on small scores: so the tolerance is absolute.
    size = before[before.isfinite()].abs().max().item()
    return all(torch.isclose(after, before, rtol=0, atol=1e-3 * size, equal_nan=True).all() for after in moved)


def _telling_outputs(attend, inputs):
    outputs = _outputs(attend, inputs)
    _check_finite(outputs, "outputs")
    return outputs


def _outputs(attend, inputs):
    with torch.no_grad(), _in_eval(attend):
        result = attend(inputs)
    return result[0] if isinstance(result, tuple) else result


@contextlib.contextmanager
def _in_eval(attend):
    """Return a context manager in which a module is in eval mode; its parts regain their modes."""
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
    """Return a copy of a tensor in which the vectors at the index `place` are reversed and raised by 1 to 2."""
    others = inputs.clone()  # a layer norm would undo a change to a multiple of a vector: so it becomes no multiple
    size = others[place].shape[-1]
    others[place] = others[place].flip(-1) + torch.linspace(1, 2, size, dtype=inputs.dtype, device=inputs.device)
    return others


def _same(ours, theirs):
    return bool(torch.isclose(ours, theirs, rtol=1e-4, atol=1e-5, equal_nan=True).all())


def _check_finite(numbers, what):
    """Check that a tensor has a finite number. what: a plural for the error message, "outputs". Errors: ValueError."""
    if not numbers.isfinite().any():
        raise ValueError(
            f"none of the {numbers.numel()} {what} is finite, so no change could be seen in them: ask each step for "
            ".isfinite().all() first."
        )


def _check(inputs, axis, what):
    """Check that inputs have three axes, and two entries or more along `axis`, called `what`. Errors: ValueError."""
    if inputs.ndim != 3 or inputs.shape[axis] < 2:
        raise ValueError(
            f"inputs have shape {tuple(inputs.shape)}; needed is (batch, num_tokens, d_in), with at least 2 {what}, "
            "since one is changed and the others watched."
        )
