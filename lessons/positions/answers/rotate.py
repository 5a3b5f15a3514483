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
    cos, sin = (wave(places[:, None] * speeds) for wave in (torch.cos, torch.sin))
    turned = x.new_zeros(x.shape)
    turned[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    turned[..., 1::2] = x[..., 1::2] * cos + x[..., 0::2] * sin
    return turned

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

# %% wrong: complex-returned
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return z * torch.exp(1j * angles)
