"""Mistakes where queries and keys are turned: in the angles, and in sines and cosines."""

ANGLES = """
places-ignored: Your tokens stand at 0, 1, 2 …, wherever the text stands. Take `places[:, None] * speeds`.
    places[:, None] -> torch.arange(x.shape[-2])[:, None]
one-angle: All tokens are rotated by the same angles. Each is rotated by its own: `places[:, None] * speeds`.
    places[:, None] * speeds -> speeds[None]
speeds-made-anew: The speeds are made anew, and those handed in are not used. Take the argument: `speeds`.
    places[:, None] * speeds -> places[:, None] * 10000.0 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
in-degrees: The angles are in radians already. Leave `deg2rad`, or pi and 180, out.
    places[:, None] * speeds -> torch.deg2rad(places[:, None] * speeds)
angles-divided: Your angles are divided by a size of the head. Position times speed is the whole angle.
    places[:, None] * speeds -> places[:, None] * speeds / x.shape[-1]
angles-no-axis: Positions and speeds meet one by one. Each position should meet each speed: `places[:, None] * speeds`.
    places[:, None] * speeds -> places * speeds
angles-turned: Your angles have a row for each pair. They need one for each token: `places[:, None] * speeds`.
    places[:, None] * speeds -> speeds[:, None] * places
heads-for-tokens: The angles go along the heads. Tokens are the last axis but one: no new axis is needed.
    places[:, None] * speeds -> (places[:, None] * speeds)[:, None]
heads-for-tokens: The angles go along the texts. Tokens are the last axis but one: no new axis is needed.
    places[:, None] * speeds -> (places[:, None] * speeds)[:, None, None]
"""
HALF_SPLIT = """half-split: You pair number *i* with the one half the width further on. Here neighbours are pairs, 0 and
    1, 2 and 3, and stay neighbours: take `x[..., 0::2]` and `x[..., 1::2]`, and put them back alternating."""
TAKEN = """taken-in-halves: The halves of a head are paired, and the results alternate. Pairs are neighbours,
    numbers 0 and 1, 2 and 3: take `x[..., 0::2]` and `x[..., 1::2]`."""
PUT_BACK = """put-back-in-halves: The numbers are rotated, and come back in another order: all first ones, then all
    second ones. They belong where they were, alternating: stack them with `dim=-1`, then `.flatten(-2)`."""
BACK = """turned-back: The rotation goes the other way. Look at the signs, and which number is the first of its pair:
    *x* cos − *y* sin, then *x* sin + *y* cos."""
JOINED = """heads-joined: More than the last two axes are joined, as by a `flatten` that counts from the left. Join each
    pair's two numbers with the pairs: `.flatten(-2)`."""
SINUSOIDS = """sinusoids-added: You add sines and cosines to `x`, as sinusoidal positions do. Here the arrows in `x` are
    rotated, and the two are multiplied: *x* cos − *y* sin, then *x* sin + *y* cos."""
BY_HAND = f"""{ANGLES}
{HALF_SPLIT}
    x[..., 0::2], x[..., 1::2] -> x.chunk(2, dim=-1)
    torch.stack(…, dim=-1).flatten(-2) -> torch.cat(…, dim=-1)
{PUT_BACK}
    torch.stack(…, dim=-1).flatten(-2) -> torch.cat(…, dim=-1)
    or
    dim=-1).flatten(-2) -> dim=-2).flatten(-2)
{TAKEN}
    x[..., 0::2], x[..., 1::2] -> x.chunk(2, dim=-1)
{BACK}
    angles.cos() - second -> angles.cos() + second
    turned_second = first * angles.sin() + second -> turned_second = -first * angles.sin() + second
no-turn: Lengths change, so this is no rotation: a sign is wrong. It is *x* cos − *y* sin, then *x* sin + *y* cos.
    first * angles.sin() + second -> first * angles.sin() - second
sin-cos-swapped: Sine and cosine are swapped. It is *x* cos − *y* sin, then *x* sin + *y* cos.
    turned_first = first * angles.cos() - second * angles.sin() ->
        turned_first = first * angles.sin() - second * angles.cos()
    turned_second = first * angles.sin() + second * angles.cos() ->
        turned_second = first * angles.cos() + second * angles.sin()
already-turned: The second number is made with the first one after its rotation. Keep the pair as it was.
    turned_second = first * angles.sin() -> turned_second = turned_first * angles.sin()
{JOINED}
    dim=-1).flatten(-2) -> dim=-1).flatten()
    or
    dim=-1).flatten(-2) -> dim=-1).flatten(1)
    or
    dim=-1).flatten(-2) -> dim=-1).flatten(2)
firsts-twice: You took one number of each pair twice. They are `x[..., 0::2]` and `x[..., 1::2]`.
    x[..., 1::2] -> x[..., 0::2]
first-head-only: Only the first head is rotated. Each one is: no index on axis 1, and no `return` within a loop.
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ->
        turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ⏎
        return torch.cat([turned[:, :1], x[:, 1:]], dim=1)
first-text-only: Only the first text is rotated. Each one is: no index on axis 0, and no `return` within a loop.
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ->
        turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ⏎
        return torch.cat([turned[:1], x[1:]])
first-text-only: One head of one text comes back. All are rotated, and alike: `x[..., 0::2]` takes them all.
    return torch.stack(…).flatten(-2) -> return torch.stack([turned_first, turned_second], dim=-1).flatten(-2)[0, 0]
{SINUSOIDS}
    return torch.stack(…).flatten(-2) -> return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
    or
    return torch.stack(…).flatten(-2) -> return x + torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(-2)
pairs-overlap: Your pairs overlap, 0 and 1, 1 and 2. Neighbours are paired once, 0 and 1, 2 and 3: at `2 * i`.
    return torch.stack(…).flatten(-2) -> turned = x.clone() ⏎ for i, angle in enumerate(angles.T):
        ⏎     first, second = x[..., i], x[..., i + 1]
        ⏎     turned[..., i] = first * angle.cos() - second * angle.sin()
        ⏎     turned[..., i + 1] = first * angle.sin() + second * angle.cos() ⏎ return turned
angles-cut: Your angles are cut to whole numbers, as in a tensor of type `long`. Keep the floats that the product gives.
    places[:, None] * speeds -> (places[:, None] * speeds).long()
"""
