# %% right
def my_patches(pictures, side):
    return F.unfold(pictures, kernel_size=side, stride=side).transpose(1, 2)

# %% right
def my_patches(pictures, side):
    bands = pictures.split(side, dim=2)
    return torch.stack([patch.flatten(1) for band in bands for patch in band.split(side, dim=3)], dim=1)

# %% right
def my_patches(pictures, side):
    x = pictures.unflatten(3, (-1, side)).unflatten(2, (-1, side))  # b c rows y cols x
    x = torch.einsum("bcryqx->brqcyx", x)
    return x.flatten(3).flatten(1, 2)

# %% right
def my_patches(pictures, side):
    batch, colours, height, width = pictures.shape
    out = torch.zeros(batch, (height // side) * (width // side), colours * side**2, dtype=pictures.dtype)
    for n in range(out.shape[1]):
        row, column = divmod(n, width // side)
        patch = pictures[:, :, row * side : (row + 1) * side, column * side : (column + 1) * side]
        out[:, n] = patch.reshape(batch, -1)
    return out

# %% wrong: - "In lines 3 and 4 of `my_patches`, `3` is typed in, and the i"
def my_patches(pictures, side):
    b, _, h, w = pictures.shape
    x = pictures.reshape(b, 3, h // side, side, w // side, side)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(b, -1, 3 * side * side)

# %% wrong: - "In your patches, rows and columns have changed places. Look "
my_patches = lambda pictures, side: F.unfold(pictures, side, stride=side)

# %% wrong: - "In your patches, the numbers are right, and the shape is not"
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(-1, c, side, side)

# %% wrong: - "It ran to its end and gave nothing back: the last line needs"
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side).permute(0, 2, 4, 1, 3, 5)
    x = x.reshape(b, -1, c * side * side)
    print(x.shape)
