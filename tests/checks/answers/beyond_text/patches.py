# %% right
def my_patches(pictures, side):
    return F.unfold(pictures, kernel_size=side, stride=side).transpose(1, 2)

# %% right
def my_patches(pictures, side):
    cut = pictures.unfold(2, side, side).unfold(3, side, side)
    return cut.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)

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
    x = torch.stack(pictures.split(side, dim=2), dim=1)   # b rows c y w
    x = torch.stack(x.split(side, dim=4), dim=2)          # b rows cols c y x
    return x.flatten(3).flatten(1, 2)

# %% right
def my_patches(pictures, side):
    colours = pictures.shape[1]
    pick = torch.eye(colours * side * side, dtype=pictures.dtype).view(-1, colours, side, side)
    return F.conv2d(pictures, pick, stride=side).flatten(2).mT

# %% right
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    rows = torch.arange(h).view(-1, side)
    cols = torch.arange(w).view(-1, side)
    cut = pictures[:, :, rows[:, None, :, None], cols[None, :, None, :]]  # b c rows cols y x
    return cut.movedim(1, 3).reshape(b, -1, c * side ** 2)

# %% right
def my_patches(pictures, side):
    result = []
    for picture in pictures:
        rows = []
        for top in range(0, picture.shape[1], side):
            for left in range(0, picture.shape[2], side):
                rows.append(picture[:, top:top + side, left:left + side].flatten())
        result.append(torch.stack(rows))
    return torch.stack(result)

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

# %% wrong: bands-not-patches
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side)
    return x.transpose(2, 4).reshape(b, -1, c * side * side)

# %% wrong: colours-apart
def my_patches(pictures, side):
    w = pictures.unfold(2, side, side).unfold(3, side, side)
    b = pictures.shape[0]
    c = pictures.shape[1]
    return w.reshape(b, -1, c * side * side)

# %% wrong: colours-as-tokens
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side)
    x = x.movedim(4, 3)
    return x.flatten(2, 3).flatten(1, 2).flatten(2)

# %% wrong: colours-last
def my_patches(pictures, side):
    x = pictures.permute(0, 2, 3, 1)
    b, h, w, c = x.shape
    x = x.reshape(b, h // side, side, w // side, side, c)
    return x.transpose(2, 3).reshape(b, -1, side * side * c)

# %% wrong: colours-last + fixed-size
def my_patches(pictures, side):
    w = pictures.unfold(2, side, side).unfold(3, side, side)
    return w.permute(0, 2, 3, 4, 5, 1).reshape(len(pictures), -1, side * side * 3)

# %% wrong: columns-first
def my_patches(pictures, side):
    _, _, H, W = pictures.shape
    out = []
    for left in range(0, W, side):
        for top in range(0, H, side):
            out.append(pictures[:, :, top:top + side, left:left + side].reshape(len(pictures), -1))
    return torch.stack(out, dim=1)

# %% wrong: first-row-only
def my_patches(pictures, side):
    for top in range(0, pictures.shape[2], side):
        out = []
        for left in range(0, pictures.shape[3], side):
            out.append(pictures[:, :, top:top + side, left:left + side].flatten(1))
    return torch.stack(out, dim=1)

# %% wrong: fixed-size
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    cut = pictures.unfold(2, 16, 16).unfold(3, 16, 16)
    return cut.permute(0, 2, 3, 1, 4, 5).reshape(b, -1, c * 256)

# %% wrong: flattened-whole
def my_patches(pictures, side):
    out = []
    for top in range(0, pictures.shape[2], side):
        for left in range(0, pictures.shape[3], side):
            out.append(pictures[:, :, top:top + side, left:left + side].flatten())
    return torch.stack(out)

# %% wrong: height-width-swapped
def my_patches(pictures, side):
    b, c, w, h = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(b, -1, c * side * side)

# %% wrong: last-row-left-out
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    rows = []
    for y in range(0, h - side, side):
        for x in range(0, w - side, side):
            rows.append(pictures[:, :, y:y+side, x:x+side].reshape(b, c * side * side))
    return torch.stack(rows, dim=1)

# %% wrong: none-kept
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    out = torch.empty(b, 0, c * side * side)
    for y in range(0, h, side):
        for x in range(0, w, side):
            patch = pictures[:, :, y:y + side, x:x + side].reshape(b, 1, c * side * side)
            torch.cat([out, patch], dim=1)
    return out

# %% wrong: not-joined
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, h // side, side, w // side, side)
    return x.permute(0, 2, 4, 1, 3, 5)

# %% wrong: numbered-by-rows
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    out = torch.zeros(b, (h // side) * (w // side), c * side * side)
    for i in range(h // side):
        for j in range(w // side):
            out[:, i * (h // side) + j] = pictures[:, :, i * side:(i + 1) * side, j * side:(j + 1) * side].flatten(1)
    return out

# %% wrong: patches-averaged
def my_patches(pictures, side):
    return F.avg_pool2d(pictures, side).flatten(2).transpose(1, 2)

# %% wrong: patches-overlap
def my_patches(pictures, side):
    return F.unfold(pictures, kernel_size=side).transpose(1, 2)

# %% wrong: permute-axes-missing
def my_patches(pictures, side):
    cut = pictures.unfold(1, side, side).unfold(2, side, side)
    return cut.permute(1, 2, 0, 3, 4).reshape(-1, 3 * side * side)

# %% wrong: picture-turned
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    out = []
    for x in range(0, w, side):
        for y in range(0, h, side):
            out.append(pictures[:, :, y:y + side, x:x + side].transpose(2, 3).reshape(b, -1))
    return torch.stack(out, dim=1)

# %% wrong: rows-for-pixels
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    out = []
    for i in range(h // side):
        for j in range(w // side):
            out.append(pictures[:, :, i:i + side, j:j + side].reshape(b, -1))
    return torch.stack(out, 1)

# %% wrong: side-counts-patches
def my_patches(pictures, side):
    out = []
    for band in pictures.chunk(side, dim=2):
        for patch in band.chunk(side, dim=3):
            out.append(patch.flatten(1))
    return torch.stack(out, dim=1)

# %% wrong: sizes-swapped
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.reshape(b, c, side, h // side, side, w // side)
    x = x.permute(0, 2, 4, 1, 3, 5)
    return x.reshape(b, -1, c * side * side)

# %% wrong: square-assumed
def my_patches(pictures, side):
    n = pictures.shape[-1] // side
    b, c = pictures.shape[:2]
    x = pictures.reshape(b, c, n, side, n, side)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(b, n * n, -1)

# %% wrong: strips
my_patches = lambda pictures, side: pictures.reshape(len(pictures), -1, pictures.shape[1] * side ** 2)

# %% wrong: view-after-permute
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    x = pictures.view(b, c, h // side, side, w // side, side).permute(0, 2, 4, 1, 3, 5)
    return x.view(b, -1, c * side * side)

# %% wrong: x-before-y
def my_patches(pictures, side):
    b, c, h, w = pictures.shape
    windows = pictures.unfold(3, side, side).unfold(2, side, side)  # (b, c, rows, columns, x, y)
    return windows.permute(0, 2, 3, 1, 4, 5).reshape(b, -1, c * side * side)
