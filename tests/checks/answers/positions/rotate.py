# %% right
def my_rotate(x, places, speeds):
    angles = torch.outer(places.to(speeds.dtype), speeds)
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * torch.exp(1j * angles)).reshape(x.shape)

# %% right
def my_rotate(x, places, speeds):
    a = places[:, None] * speeds
    R = torch.stack([torch.stack([a.cos(), -a.sin()], -1), torch.stack([a.sin(), a.cos()], -1)], -2)
    return torch.einsum("tpij,bhtpj->bhtpi", R, x.unflatten(-1, (-1, 2))).flatten(-2)

# %% right
def my_rotate(x, places, speeds):
    angles = torch.einsum("t,p->tp", places, speeds).repeat_interleave(2, dim=-1)
    across = torch.empty_like(x)
    across[..., ::2], across[..., 1::2] = -x[..., 1::2], x[..., ::2]
    return x * torch.cos(angles) + across * torch.sin(angles)

# %% right
def my_rotate(x, places, speeds):
    angles = places.unsqueeze(-1) * speeds.unsqueeze(0)
    rows = [torch.stack([angles.cos(), -angles.sin()], -1), torch.stack([angles.sin(), angles.cos()], -1)]
    return (torch.stack(rows, dim=-2) @ x.reshape(*x.shape[:-1], -1, 2, 1)).reshape(x.shape)

# %% right
def my_rotate(x, places, speeds):
    cos, sin = (wave(places[:, None] * speeds) for wave in (torch.cos, torch.sin))
    turned = x.new_zeros(x.shape)
    turned[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    turned[..., 1::2] = x[..., 1::2] * cos + x[..., 0::2] * sin
    return turned

# %% right
def my_rotate(x, places, speeds):
    out = torch.empty_like(x)
    for t, place in enumerate(places):
        for i, speed in enumerate(speeds):
            cos, sin = torch.cos(place * speed), torch.sin(place * speed)
            out[:, :, t, 2 * i] = x[:, :, t, 2 * i] * cos - x[:, :, t, 2 * i + 1] * sin
            out[:, :, t, 2 * i + 1] = x[:, :, t, 2 * i] * sin + x[:, :, t, 2 * i + 1] * cos
    return out

# %% right
def my_rotate(x, places, speeds):
    turned = torch.zeros_like(x)
    for at, place in enumerate(places.tolist()):
        for pair, speed in enumerate(speeds.tolist()):
            cos, sin = math.cos(place * speed), math.sin(place * speed)
            first, second = x[:, :, at, 2 * pair], x[:, :, at, 2 * pair + 1]
            turned[:, :, at, 2 * pair] = first * cos - second * sin
            turned[:, :, at, 2 * pair + 1] = first * sin + second * cos
    return turned

# %% wrong: - "In your turned x, all is right but for places that hold 0 an"
def my_rotate(x, places, speeds):
    out = torch.zeros_like(x)
    angles = places[:, None] * speeds
    for i in range(0, len(speeds), 2):
        a, b = x[..., 2 * i], x[..., 2 * i + 1]
        out[..., 2 * i] = a * angles[:, i].cos() - b * angles[:, i].sin()
        out[..., 2 * i + 1] = a * angles[:, i].sin() + b * angles[:, i].cos()
    return out

# %% wrong: - "It ran to its end and gave nothing back: the last line needs"
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    x1, x2 = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([x1 * angles.cos() - x2 * angles.sin(), x1 * angles.sin() + x2 * angles.cos()], -1)
    print(turned.flatten(-2))

# %% wrong: - "`a * angles.cos()` stops: (2, 3, 5, 2) meets (5, 3). Counted"
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    a, b = x[..., 0:2], x[..., 1:2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)

# %% wrong: - "`batch, num_tokens, width = x.shape` stops: `x.shape` is (2,"
def my_rotate(x, places, speeds):
    batch, num_tokens, width = x.shape
    angles = places.view(-1, 1) * speeds
    pairs = x.view(batch, num_tokens, width // 2, 2)
    a, b = pairs.unbind(-1)
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).view(x.shape)

# %% wrong: - "`math.cos(angles)` stops: a single number is needed, and `an"
import math
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    x1, x2 = x[..., 0::2], x[..., 1::2]
    return torch.stack([x1 * math.cos(angles) - x2 * math.sin(angles), x1 * math.sin(angles) + x2 * math.cos(angles)], -1)

# %% wrong: - "`x * angles.cos()` stops: (2, 3, 5, 6) meets (30,). Counted "
def my_rotate(x, places, speeds):
    angles = (places[:, None] * speeds).repeat_interleave(2)
    rot = torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2)
    return x * angles.cos() + rot * angles.sin()

# %% wrong: - "`x[t, 2 * i + 1]` stops: axis 1 of (2, 3, 5, 6) has 3 places"
def my_rotate(x, places, speeds):
    out = torch.zeros_like(x)
    for t in range(len(places)):
        for i in range(len(speeds)):
            angle = places[t] * speeds[i]
            a, b = x[t, 2 * i], x[t, 2 * i + 1]
            out[t, 2 * i] = a * angle.cos() - b * angle.sin()
            out[t, 2 * i + 1] = a * angle.sin() + b * angle.cos()
    return out

# %% wrong: already-turned
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    a, b = x[..., 0::2], x[..., 1::2]
    a = a * angles.cos() - b * angles.sin()
    b = a * angles.sin() + b * angles.cos()
    return torch.stack((a, b), dim=-1).reshape(x.shape)

# %% wrong: angles-cut
def my_rotate(x, places, speeds):
    angles = torch.zeros(len(places), len(speeds), dtype=torch.long)
    for i, p in enumerate(places):
        for j, s in enumerate(speeds):
            angles[i, j] = p * s
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)

# %% wrong: angles-divided
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds / x.shape[-1]
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)

# %% wrong: angles-in-halves
def my_rotate(x, places, speeds):
    angles = torch.outer(places.float(), speeds)
    cos = torch.cat([angles, angles], dim=-1).cos()
    sin = torch.cat([angles, angles], dim=-1).sin()
    x1, x2 = x[..., ::2], x[..., 1::2]
    rotated = torch.stack((-x2, x1), dim=-1).flatten(-2)
    return x * cos + rotated * sin

# %% wrong: angles-no-axis
def my_rotate(x, places, speeds):
    angles = places * speeds
    x1, x2 = x[..., 0::2], x[..., 1::2]
    return torch.stack([x1 * angles.cos() - x2 * angles.sin(), x1 * angles.sin() + x2 * angles.cos()], -1).flatten(-2)

# %% wrong: angles-turned
def my_rotate(x, places, speeds):
    angles = torch.outer(speeds, places.float())
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)

# %% wrong: complex-returned
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return z * torch.exp(1j * angles)

# %% wrong: first-head-only
def my_rotate(x, places, speeds):
    out = x.clone()
    for head in range(x.shape[1]):
        for pair in range(x.shape[-1] // 2):
            a, b = x[:, head, :, 2 * pair], x[:, head, :, 2 * pair + 1]
            angle = places * speeds[pair]
            out[:, head, :, 2 * pair] = a * angle.cos() - b * angle.sin()
            out[:, head, :, 2 * pair + 1] = a * angle.sin() + b * angle.cos()
        return out

# %% wrong: first-text-only
def my_rotate(x, places, speeds):
    out = x.clone()
    for t in range(len(places)):
        for i in range(len(speeds)):
            angle = places[t] * speeds[i]
            a, b = x[0, :, t, 2 * i], x[0, :, t, 2 * i + 1]
            out[0, :, t, 2 * i] = a * angle.cos() - b * angle.sin()
            out[0, :, t, 2 * i + 1] = a * angle.sin() + b * angle.cos()
    return out

# %% wrong: firsts-twice
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    a, b = x[..., 0::2], x[..., 0::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)

# %% wrong: half-split
def my_rotate(x, places, speeds):
    angles = torch.outer(places.float(), speeds)
    angles = torch.cat([angles, angles], dim=-1)
    half = x.shape[-1] // 2
    rotated = torch.cat([-x[..., half:], x[..., :half]], dim=-1)
    return x * angles.cos() + rotated * angles.sin()

# %% wrong: heads-for-tokens
def my_rotate(x, places, speeds):
    angles = places.view(-1, 1, 1, 1) * speeds
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)

# %% wrong: input-changed
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    first, second = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = first * angles.cos() - second * angles.sin()
    x[..., 1::2] = first * angles.sin() + second * angles.cos()
    return x

# %% wrong: no-turn
def my_rotate(x, places, speeds):
    angles = (places[:, None] * speeds).repeat_interleave(2, -1)
    rot = torch.stack([x[..., 1::2], x[..., ::2]], -1).flatten(-2)
    return x * angles.cos() + rot * angles.sin()

# %% wrong: one-angle
def my_rotate(x, places, speeds):
    angles = speeds[None, :]
    first, second = x[..., 0::2], x[..., 1::2]
    out = torch.zeros_like(x)
    out[..., 0::2] = first * angles.cos() - second * angles.sin()
    out[..., 1::2] = first * angles.sin() + second * angles.cos()
    return out

# %% wrong: pairs-overlap
def my_rotate(x, places, speeds):
    out = x.clone()
    for pair in range(x.shape[-1] // 2):
        a, b = x[..., pair], x[..., pair + 1]
        angle = places * speeds[pair]
        out[..., pair] = a * angle.cos() - b * angle.sin()
        out[..., pair + 1] = a * angle.sin() + b * angle.cos()
    return out

# %% wrong: partners-in-halves
def my_rotate(x, places, speeds):
    angles = (places[:, None] * speeds).repeat_interleave(2, -1)
    d = x.shape[-1] // 2
    return x * angles.cos() + torch.cat([-x[..., d:], x[..., :d]], -1) * angles.sin()

# %% wrong: places-ignored
def my_rotate(x, places, speeds):
    out = torch.empty_like(x)
    for t in range(x.shape[2]):
        for i, speed in enumerate(speeds):
            angle = t * speed
            a, b = x[:, :, t, 2 * i], x[:, :, t, 2 * i + 1]
            out[:, :, t, 2 * i] = a * angle.cos() - b * angle.sin()
            out[:, :, t, 2 * i + 1] = a * angle.sin() + b * angle.cos()
    return out

# %% wrong: polar-swapped
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    arrows = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    turns = torch.polar(angles, torch.ones_like(angles))
    return torch.view_as_real(arrows * turns).flatten(-2)

# %% wrong: put-back-in-halves
def my_rotate(x, places, speeds):
    x1, x2 = x[..., ::2], x[..., 1::2]
    theta = places.unsqueeze(-1) * speeds
    c, s = torch.cos(theta), torch.sin(theta)
    return torch.cat((x1 * c - x2 * s, x1 * s + x2 * c), dim=-1)

# %% wrong: sinusoids-added
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)

# %% wrong: speeds-made-anew
def my_rotate(x, places, speeds):
    head_dim = x.shape[-1]
    inv_freq = 1.0 / (10000 ** (torch.arange(0, head_dim, 2).float() / head_dim))
    angles = places[:, None].float() * inv_freq
    first, second = x[..., ::2], x[..., 1::2]
    out = torch.empty_like(x)
    out[..., ::2] = first * angles.cos() - second * angles.sin()
    out[..., 1::2] = first * angles.sin() + second * angles.cos()
    return out

# %% wrong: taken-in-halves
def my_rotate(x, places, speeds):
    angles = places.view(-1, 1) * speeds
    a, b = x.view(*x.shape[:-1], 2, -1).unbind(-2)
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).view(x.shape)

# %% wrong: turned-back
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    x1, x2 = x[..., 0::2], x[..., 1::2]
    return torch.stack([x1 * angles.cos() + x2 * angles.sin(), x2 * angles.cos() - x1 * angles.sin()], -1).flatten(-2)
