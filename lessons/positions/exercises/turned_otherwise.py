"""Mistakes in two other ways to turn pairs: with a partner for each number, and with complex numbers."""

from .turns import ANGLES, BACK, HALF_SPLIT, JOINED, PUT_BACK, SINUSOIDS, TAKEN

BY_ROTATED_PAIRS = f"""{ANGLES}
{HALF_SPLIT}
    .repeat_interleave(2, dim=-1) -> .repeat(1, 2)
    torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2) ->
        torch.cat([-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]], dim=-1)
angles-in-halves: The angles run through all speeds twice. A pair is two neighbours: `repeat_interleave(2, dim=-1)`.
    .repeat_interleave(2, dim=-1) -> .repeat(1, 2)
partners-in-halves: A number's partner is taken from the other half of the head. It is its neighbour: 0 and 1, 2 and 3.
    torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2) ->
        torch.cat([-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]], dim=-1)
{BACK}
    -x[..., 1::2], x[..., 0::2] -> x[..., 1::2], -x[..., 0::2]
    or
    x * angles.cos() + across -> x * angles.cos() - across
no-turn: Lengths change, so this is no rotation: a sign is wrong. It is *x* cos − *y* sin, then *x* sin + *y* cos.
    -x[..., 1::2], x -> x[..., 1::2], x
"""
BY_COMPLEX = f"""{ANGLES}
{HALF_SPLIT}
    x.unflatten(-1, (-1, 2)) -> x.unflatten(-1, (2, -1)).transpose(-2, -1)
    torch.view_as_real(pairs * turns).flatten(-2) -> torch.view_as_real(pairs * turns).transpose(-2, -1).flatten(-2)
{TAKEN}
    x.unflatten(-1, (-1, 2)) -> x.unflatten(-1, (2, -1)).transpose(-2, -1)
{PUT_BACK}
    torch.view_as_real(pairs * turns).flatten(-2) -> torch.cat([(pairs * turns).real, (pairs * turns).imag], dim=-1)
{BACK}
    pairs * turns -> pairs * turns.conj()
polar-swapped: `torch.polar` takes length and angle, in this order. A rotation has length 1: `torch.ones_like(angles)`.
    torch.polar(torch.ones_like(angles), angles) -> torch.polar(angles, torch.ones_like(angles))
complex-returned: Complex numbers come back, one for each pair. Make two of each: `torch.view_as_real(…).flatten(-2)`.
    torch.view_as_real(pairs * turns).flatten(-2) -> pairs * turns
{JOINED}
    torch.view_as_real(pairs * turns).flatten(-2) -> torch.view_as_real(pairs * turns).flatten(2)
real-alone: Half of each pair is gone: `.real` keeps its first number alone. Keep both: `torch.view_as_real(…)`.
    torch.view_as_real(pairs * turns).flatten(-2) -> (pairs * turns).real
{SINUSOIDS}
    pairs * turns -> pairs + turns
"""
