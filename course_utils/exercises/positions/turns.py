"""Mistakes where queries and keys are turned: in the angles, and in sines and cosines."""

ANGLES = """
places-ignored: Your tokens stand at 0, 1, 2 and so on, wherever the text stands. Take the places that were handed in:
    `places[:, None] * speeds`.
    places[:, None] -> torch.arange(x.shape[-2])[:, None]
places-ignored: All tokens are turned alike, by the speeds. A turn is place times speed: `places[:, None] * speeds`.
    places[:, None] * speeds -> speeds[None]
    or
    places[:, None] * speeds -> speeds[None].expand(x.shape[-2], -1)
places-in-a-row: You count on from the first place. The places need not follow one another: use all of `places`.
    places[:, None] -> (places[0] + torch.arange(x.shape[-2]))[:, None]
one-place: All tokens are turned by one place. Each has its own: `places[:, None] * speeds`.
    places[:, None] -> places[:1, None]
    or
    places[:, None] -> places[-1:, None]
off-by-one: Each token is turned by one place too far. The first place may be 0: take `places` as they are.
    places[:, None] -> (places[:, None] + 1)
speeds-ignored: All pairs are turned equally far. Each has a speed of its own: `places[:, None] * speeds`.
    places[:, None] * speeds -> places[:, None] * speeds[0].expand(len(speeds))
    or
    places[:, None] * speeds -> places[:, None] * torch.ones_like(speeds)
    or
    places[:, None] * speeds -> places[:, None] * speeds.mean().expand(len(speeds))
speeds-turned: The slowest pair turns fastest: the speeds are in another order. Take them as they come.
    places[:, None] * speeds -> places[:, None] * speeds.flip(0)
divided: The places are divided by the speeds. A speed says how far a pair turns at each token: multiply.
    places[:, None] * speeds -> places[:, None] / speeds
added: Place and speed are added. A speed says how far a pair turns at each token: multiply.
    places[:, None] * speeds -> places[:, None] + speeds
own-speeds: The speeds are made anew, and those handed in are not used. Take the argument: `places[:, None] * speeds`.
    places[:, None] * speeds ->
        places[:, None] * 10000 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
degrees: Your angles are taken for degrees, and become small. `sin` and `cos` count in radians, and so does a speed:
    leave that out.
    places[:, None] * speeds -> torch.deg2rad(places[:, None] * speeds)
degrees: Your angles are turned into degrees. `sin` and `cos` count in radians, and so does a speed: leave that out.
    places[:, None] * speeds -> torch.rad2deg(places[:, None] * speeds)
times-pi: Your angles have a factor of π that nobody asked for. A speed is an angle for each token: place times speed.
    places[:, None] * speeds -> places[:, None] * speeds * torch.pi
    or
    places[:, None] * speeds -> places[:, None] * speeds * torch.pi * 2
angles-divided: Your angles are divided by a size of the head. Place times speed is the whole angle.
    places[:, None] * speeds -> places[:, None] * speeds / x.shape[-1]
    or
    places[:, None] * speeds -> places[:, None] * speeds / len(speeds)
    or
    places[:, None] * speeds -> places[:, None] * speeds / x.shape[-1] ** 0.5
twice: Every pair is turned twice as far. Place times speed is the whole angle.
    places[:, None] * speeds -> places[:, None] * speeds * 2
angles-no-axis: Places and speeds meet one by one. Each place should meet each speed: `places[:, None] * speeds`.
    places[:, None] * speeds -> places * speeds
angles-turned: Your angles have a row for each pair. They need one for each token: `places[:, None] * speeds`.
    places[:, None] * speeds -> speeds[:, None] * places
    or
    places[:, None] * speeds -> places * speeds[:, None]
heads-for-tokens: The angles go along the heads, as if axis 1 were the tokens. Here tokens are the last axis but one,
    and `(num_tokens, head_dim / 2)` fits by itself.
    places[:, None] * speeds -> (places[:, None] * speeds)[:, None]
heads-for-tokens: The angles go along the texts, as if axis 0 were the tokens. Here tokens are the last axis but one,
    and `(num_tokens, head_dim / 2)` fits by itself.
    places[:, None] * speeds -> (places[:, None] * speeds)[:, None, None]
"""
HALF_SPLIT = """half-split: You pair number *i* with the one half the width further on. Here neighbours are pairs, 0 and
    1, 2 and 3, and stay neighbours: take `x[..., 0::2]` and `x[..., 1::2]`, and put them back by turns."""
TAKEN = """taken-in-halves: The halves of a head are paired, and the results put down by turns. Pairs are neighbours,
    numbers 0 and 1, 2 and 3: take `x[..., 0::2]` and `x[..., 1::2]`."""
PUT_BACK = """put-back-in-halves: The numbers are turned, and come back in another order: all first ones, then all
    second ones. They belong where they were, by turns: stack them with `dim=-1`, then `.flatten(-2)`."""
BACK = """turned-back: The turn goes the other way round. Look at the signs, and which number is the first of its pair:
    *x* cos − *y* sin, then *x* sin + *y* cos."""
JOINED = """heads-joined: More than the last two axes are joined, as by a `flatten` that counts from the left. Join each
    pair's two numbers with the pairs: `.flatten(-2)`."""
SINUSOIDS = """sinusoids-added: You add sines and cosines to `x`, as sinusoidal positions do. Here the arrows in `x` are
    turned, and the two are multiplied: *x* cos − *y* sin, then *x* sin + *y* cos."""
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
no-turn: Lengths change, so this is no turn: a sign is wrong. It is *x* cos − *y* sin, then *x* sin + *y* cos.
    angles.cos() - second -> angles.cos() + second
    or
    first * angles.sin() + second -> first * angles.sin() - second
    or
    first * angles.sin() + second -> -first * angles.sin() + second
sin-cos-swapped: Sine and cosine have changed places: at place 0, where nothing turns, something does. It is *x* cos −
    *y* sin, then *x* sin + *y* cos.
    turned_first = first * angles.cos() - second * angles.sin() ->
        turned_first = first * angles.sin() - second * angles.cos()
    turned_second = first * angles.sin() + second * angles.cos() ->
        turned_second = first * angles.cos() + second * angles.sin()
    or
    turned_second = first * angles.sin() + second * angles.cos() ->
        turned_second = first * angles.cos() + second * angles.sin()
    or
    turned_first = first * angles.cos() - second * angles.sin() ->
        turned_first = first * angles.sin() - second * angles.cos()
already-turned: The second number of a pair is made with the first one after its turn. Both need the pair as it was:
    keep it in variables of its own.
    turned_second = first * angles.sin() -> turned_second = turned_first * angles.sin()
already-turned: The first number of a pair is made with the second one after its turn. Both need the pair as it was:
    keep it in variables of its own.
    turned_first = first * angles.cos() - second * angles.sin() ->
        turned_first = first * angles.cos() - (first * angles.sin() + second * angles.cos()) * angles.sin()
one-of-two: Only the first number of each pair is turned. A turn changes both: the second becomes *x* sin + *y* cos.
    turned_first, turned_second] -> turned_first, second]
one-of-two: Only the second number of each pair is turned. A turn changes both: the first becomes *x* cos − *y* sin.
    turned_first, turned_second] -> first, turned_second]
pair-swapped: The two numbers of each pair have changed places. The first stays the first, *x* cos − *y* sin.
    turned_first, turned_second] -> turned_second, turned_first]
pair-swapped: You took the second number of each pair for the first. The first is `x[..., 0::2]`.
    x[..., 0::2], x[..., 1::2] -> x[..., 1::2], x[..., 0::2]
pairs-apart: Each pair has an axis of its own still. Put the numbers side by side: end with `.flatten(-2)`.
    dim=-1).flatten(-2) -> dim=-1)
    or
    dim=-1).flatten(-2) -> dim=-2)
    or
    dim=-1).flatten(-2) -> dim=0)
{JOINED}
    dim=-1).flatten(-2) -> dim=-1).flatten()
    or
    dim=-1).flatten(-2) -> dim=-1).flatten(1)
    or
    dim=-1).flatten(-2) -> dim=-1).flatten(2)
cut-as-tokens: The numbers come back in another order, as after a `view` or `reshape` of an axis that was not last.
    Stack with `dim=-1`, then `.flatten(-2)`.
    dim=-1).flatten(-2) -> dim=0).reshape(x.shape)
    or
    dim=-1).flatten(-2) -> dim=1).reshape(x.shape)
    or
    dim=-1).flatten(-2) -> dim=2).reshape(x.shape)
stack-no-dim: `stack` without a `dim` puts the new axis in front. It belongs behind the pairs, `dim=-1`; after that
    comes `.flatten(-2)`.
    dim=-1).flatten(-2) -> dim=0).flatten(-2)
firsts-twice: You took the same number of each pair for both. The first ones are `x[..., 0::2]`, the second ones `x[...,
    1::2]`.
    x[..., 1::2] -> x[..., 0::2]
    or
    x[..., 0::2] -> x[..., 1::2]
tokens-paired: Neighbouring tokens are paired. A pair lies in one token, along the last axis: `x[..., 0::2]`.
    x[..., 0::2], x[..., 1::2] -> x[:, :, 0::2], x[:, :, 1::2]
tokens-paired: Neighbouring heads are paired. A pair lies in one token, along the last axis: `x[..., 0::2]`.
    x[..., 0::2], x[..., 1::2] -> x[:, 0::2], x[:, 1::2]
tokens-paired: Neighbouring texts are paired: `x[0::2]` is of the first axis. A pair lies along the last: `x[...,
    0::2]`.
    x[..., 0::2], x[..., 1::2] -> x[0::2], x[1::2]
first-pair-only: Only the first pair is turned, numbers 0 and 1. Every two neighbours are a pair, each with its speed.
    places[:, None] * speeds -> places[:, None] * speeds * (torch.arange(len(speeds)) == 0)
first-pair-only: Only the first pair comes back. Every two neighbours are a pair: take every second number, `0::2`.
    x[..., 0::2], x[..., 1::2] -> x[..., 0:1], x[..., 1:2]
    places[:, None] * speeds -> places[:, None] * speeds[:1]
first-pair-only: Your one pair is turned by every speed. Take every second number of `x`: `0::2` and `1::2`.
    x[..., 0::2], x[..., 1::2] -> x[..., 0:1], x[..., 1:2]
    or
    x[..., 0::2], x[..., 1::2] -> x[..., 0, None], x[..., 1, None]
first-head-only: Only one head comes back. The turn is the same for all heads: no index on axis 1.
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ->
        return torch.stack([turned_first, turned_second], dim=-1).flatten(-2)[:, :1]
    or
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ->
        return torch.stack([turned_first, turned_second], dim=-1).flatten(-2)[:, 0]
first-head-only: Only the first head is turned. Each one is: no index on axis 1, and no `return` within a loop.
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ->
        turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ⏎
        return torch.cat([turned[:, :1], x[:, 1:]], dim=1)
first-text-only: Only the first text comes back. Let the batch run along as the first axis: no index there.
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ->
        return torch.stack([turned_first, turned_second], dim=-1).flatten(-2)[0]
first-text-only: Only the first text is turned. Each one is: no index on axis 0, and no `return` within a loop.
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ->
        turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ⏎
        return torch.cat([turned[:1], x[1:]])
first-text-only: One head of one text comes back. All are turned, and alike: `x[..., 0::2]` takes them all.
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ->
        return torch.stack([turned_first, turned_second], dim=-1).flatten(-2)[0, 0]
last-token-only: One token comes back. Each is turned, by its own place: keep the axis of the tokens.
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ->
        return torch.stack([turned_first, turned_second], dim=-1).flatten(-2)[:, :, -1]
    or
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ->
        return torch.stack([turned_first, turned_second], dim=-1).flatten(-2)[:, :, 0]
added-to-x: The turned numbers are added to those that came in. Turning takes the place of adding: return it alone.
    return torch.stack( -> return x + torch.stack(
result-lost: `x` comes back as it was. What is turned is a new tensor: return that.
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) -> return x
pair-returned: Two tensors came back, one for each number of the pairs. Put them together by turns: `torch.stack(…,
    dim=-1).flatten(-2)`.
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) -> return turned_first, turned_second
    or
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) -> return [turned_first, turned_second]
{SINUSOIDS}
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ->
        return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
    or
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2) ->
        return x + torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(-2)
cos-alone: The sine is missing: every number is made smaller, and no arrow is turned. It is *x* cos − *y* sin, then *x*
    sin + *y* cos.
    turned_first = first * angles.cos() - second * angles.sin() -> turned_first = first * angles.cos()
    turned_second = first * angles.sin() + second * angles.cos() -> turned_second = second * angles.cos()
    or
    turned_first = first * angles.cos() - second * angles.sin() -> turned_first = first * angles.cos()
    turned_second = first * angles.sin() + second * angles.cos() -> turned_second = second * angles.sin()
angles-cut: Your angles are cut to whole numbers, as in a tensor of type `long`. Keep the floats that the product gives.
    places[:, None] * speeds -> (places[:, None] * speeds).long()
    or
    places[:, None] * speeds -> places[:, None] * speeds.long()
speed-outside: The speeds multiply sine and cosine, and not the angles. First the angle, place times speed, then its
    sine and cosine.
    angles.cos() ->> places[:, None].cos() * speeds
    angles.sin() ->> places[:, None].sin() * speeds
"""
