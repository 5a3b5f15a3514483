"""Three other ways to write `my_patches`: windows along both axes, a loop over the patches, and PyTorch's function."""

import torch
import torch.nn.functional as F

from course_utils.checks.form import Form


def by_unfold(pictures, side):
    """Return the solution's patches, by windows along the height, then along the width."""
    windows = pictures.unfold(2, side, side).unfold(3, side, side)  # (batch, colours, rows, columns, y, x)
    return windows.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)


WINDOWS = """
colours-apart: Each of your rows holds one colour, of several patches: the colours' axis stands before the patches. Move
    it behind them, to the pixels: `(batch, rows, columns, colours, y, x)`.
    windows.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2) ->
        windows.reshape(len(pictures), -1, pictures.shape[1] * side * side)
colours-as-tokens: Each colour of a patch is a token of its own. All colours of a patch belong to one token.
    windows.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2) -> windows.reshape(len(pictures), -1, side * side)
colours-last: Within your patches the colours of one pixel stand together. Colours come first, then y, then x: `(batch,
    rows, columns, colours, y, x)`.
    permute(0, 2, 3, 1, 4, 5) -> permute(0, 2, 3, 4, 5, 1)
columns-first: Your patches come column by column. They are wanted row by row: the axis of the rows stands first, and a
    loop over rows is the outer one.
    permute(0, 2, 3, 1, 4, 5) -> permute(0, 3, 2, 1, 4, 5)
x-before-y: Within your patches x comes before y, as after `unfold` along the width first. Unfold the height, then the
    width.
    unfold(2, side, side).unfold(3, side, side) -> unfold(3, side, side).unfold(2, side, side)
patches-overlap: Your patches overlap: they begin one pixel after the other. They lie side by side, `side` pixels on:
    `range(0, height, side)`, `unfold(2, side, side)`, `stride=side`.
    unfold(2, side, side).unfold(3, side, side) -> unfold(2, side, 1).unfold(3, side, 1)
    or
    unfold(2, side, side).unfold(3, side, side) -> unfold(2, side, side).unfold(3, side, 1)
    or
    unfold(2, side, side).unfold(3, side, side) -> unfold(2, side, 1).unfold(3, side, side)
axes-from-a-picture: You unfold the colours. With a batch in front the height is axis 2, and the width axis 3.
    unfold(2, side, side).unfold(3, side, side) -> unfold(1, side, side).unfold(2, side, side)
permute-axes-missing: `permute` wants all axes, each once. After the cut there are six, and the batch is the first: from
    0 to 5.
    unfold(2, side, side).unfold(3, side, side) -> unfold(1, side, side).unfold(2, side, side)
    permute(0, 2, 3, 1, 4, 5) -> permute(1, 2, 0, 3, 4)
    or
    permute(0, 2, 3, 1, 4, 5) -> permute(1, 2, 0, 3, 4)
fixed-size: A size is typed in that does not fit every input. Take `side`, and read the others off `pictures.shape`.
    unfold(2, side, side).unfold(3, side, side) -> unfold(2, 16, 16).unfold(3, 16, 16)
height-twice: You unfold one axis twice. The height is axis 2, the width axis 3: a new axis comes last, and moves none.
    unfold(3, side, side) -> unfold(2, side, side)
    or
    unfold(3, side, side) -> unfold(4, side, side)
strips: Each of your rows holds strips of a band, and not a patch. After the two `unfold` the patches stand third and
    fourth: move both before the colours with `permute`.
    permute(0, 2, 3, 1, 4, 5) -> permute(0, 2, 1, 3, 4, 5)
grid-kept: Rows and columns of patches have an axis each. Attention takes one axis of tokens: join the two.
    .flatten(1, 2) ->
pixels-not-joined: Each patch is still a small picture. A token is one row of numbers: join colours, y and x.
    .flatten(3).flatten(1, 2) -> .flatten(1, 2)
not-joined: All six axes come back. Join rows and columns to one axis, and colours, y and x to another: `reshape`.
    .flatten(3).flatten(1, 2) ->
joined-too-far: All patches of a picture stand in one row, as after `flatten(1)` or `torch.cat`. They need an axis of
    their own: `flatten(1, 2)` joins rows and columns alone, `torch.stack(…, dim=1)` makes an axis.
    .flatten(3).flatten(1, 2) -> .flatten(1)
cut-one-way: You unfold one of height and width, and not the other. Patches are squares: cut both.
    unfold(2, side, side).unfold(3, side, side) -> unfold(2, side, side)
    permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2) -> permute(0, 2, 1, 4, 3).flatten(2)
unfold-wants-three: `unfold(axis, size, step)` of a tensor wants three numbers, and works along one axis.
    unfold(2, side, side).unfold(3, side, side) -> unfold(2, side).unfold(3, side)
"""


def by_loop(pictures, side):
    """Return the solution's patches, by a loop over the rows of patches, then over the patches in a row."""
    height, width = pictures.shape[-2:]
    found = []
    for top in range(0, height, side):
        for left in range(0, width, side):
            patch = pictures[:, :, top : top + side, left : left + side]
            found.append(patch.flatten(1))
    return torch.stack(found, dim=1)


LOOP = """
columns-first: Your patches come column by column. They are wanted row by row: the axis of the rows stands first, and a
    loop over rows is the outer one.
    torch.stack(found, dim=1) ->
        torch.stack(found, dim=1).unflatten(1, (height // side, -1)).transpose(1, 2).flatten(1, 2)
last-row-left-out: The last row and the last column of patches are missing. `range` leaves out its end by itself: it is
    `range(0, height, side)`, and `range(0, width, side)`.
    range(0, height, side) -> range(0, height - side, side)
    range(0, width, side) -> range(0, width - side, side)
last-row-left-out: The last row of patches is missing. `range` leaves out its end by itself: `range(0, height, side)`.
    range(0, height, side) -> range(0, height - side, side)
last-row-left-out: The last column of patches is missing. `range` leaves out its end by itself: `range(0, width, side)`.
    range(0, width, side) -> range(0, width - side, side)
patches-overlap: Your patches overlap: they begin one pixel after the other. They lie side by side, `side` pixels on:
    `range(0, height, side)`, `unfold(2, side, side)`, `stride=side`.
    range(0, height, side) -> range(0, height - side + 1)
    range(0, width, side) -> range(0, width - side + 1)
steps-of-one: Your loop goes on by one pixel at a time, beyond the last whole patch too. Patches lie side by side:
    `range(0, height, side)`.
    range(0, height, side) -> range(0, height)
    range(0, width, side) -> range(0, width)
rows-for-pixels: Your patches overlap: they begin one pixel after the other. Patch number *i* begins at pixel `i *
    side`.
    range(0, height, side) -> range(height // side)
    range(0, width, side) -> range(width // side)
slice-bounds: Your slice has other bounds, or lies on other axes. Pictures and colours come before the height, and a
    slice ends at `top + side`: `pictures[:, :, top : top + side, left : left + side]`.
    pictures[:, :, top : top + side, left : left + side] -> pictures[:, top : top + side, left : left + side]
    or
    pictures[:, :, top : top + side, left : left + side] -> pictures[top : top + side, left : left + side]
    or
    top : top + side, left : left + side -> top:side, left:side
    or
    top : top + side, left : left + side -> top : top + side - 1, left : left + side - 1
    or
    top : top + side, left : left + side -> top : top + side + 1, left : left + side + 1
    or
    top : top + side, left : left + side -> top : top * side, left : left * side
axes-crossed: Rows and columns of pixels have changed places in your slice. The height comes first: `[:, :, top…,
    left…]`.
    top : top + side, left : left + side -> left : left + side, top : top + side
flattened-whole: All pictures are joined to one row: `flatten()` joins the batch too. Keep it: `flatten(1)`.
    patch.flatten(1) -> patch.flatten()
    or
    patch.flatten(1) -> patch.flatten()
    torch.stack(found, dim=1) -> torch.stack(found)
pixels-not-joined: Each patch is still a small picture. A token is one row of numbers: join colours, y and x.
    patch.flatten(1) -> patch
pixels-not-joined: The colours still have an axis of their own. A token is one row of numbers: join colours, y and x.
    patch.flatten(1) -> patch.flatten(2)
patches-before-batch: The patches stand before the pictures. The batch comes first: look at the `dim` of a `stack`.
    torch.stack(found, dim=1) -> torch.stack(found)
cat-for-stack: The patches of all pictures follow one another on the axis of the batch. They need one of their own:
    `torch.stack(…, dim=1)`.
    torch.stack(found, dim=1) -> torch.cat(found)
patches-as-features: A column is a patch here. The tokens come before their numbers: `torch.stack(…, dim=1)`.
    torch.stack(found, dim=1) -> torch.stack(found, dim=-1)
none-kept: There are no patches in your result: `torch.cat` changes nothing in place. Keep what it gives.
    torch.stack(found, dim=1) -> torch.empty(len(pictures), 0, pictures.shape[1] * side * side)
lists-returned: A list of patches came back. `torch.stack(…, dim=1)` makes one tensor of it.
    torch.stack(found, dim=1) -> found
    or
    torch.stack(found, dim=1) -> tuple(found)
appended-late: Only the last patch of each row is kept: `append` belongs into the inner loop.
    torch.stack(found, dim=1) -> torch.stack(found[width // side - 1 :: width // side], dim=1)
"""


def by_functional(pictures, side):
    """Return the solution's patches, by PyTorch's function for it, which gives a column for each patch."""
    columns = F.unfold(pictures, side, stride=side)  # (batch, colours * side * side, num_patches)
    return columns.transpose(1, 2)


FUNCTIONAL = """
patches-as-features: A column is a patch here, as `F.unfold` has it. The tokens come before their numbers:
    `.transpose(1, 2)`.
    columns.transpose(1, 2) -> columns
patches-overlap: Your patches overlap: they begin one pixel after the other. They lie side by side, `side` pixels on:
    `range(0, height, side)`, `unfold(2, side, side)`, `stride=side`.
    F.unfold(pictures, side, stride=side) -> F.unfold(pictures, side)
strips: A column of `F.unfold` is a patch, and a `reshape` mixes them. Turn the two axes: `.transpose(1, 2)`.
    columns.transpose(1, 2) -> columns.reshape(len(pictures), -1, pictures.shape[1] * side * side)
patches-before-batch: All axes are turned, the batch too, as by `.T`. Turn the last two: `.transpose(1, 2)`.
    columns.transpose(1, 2) -> columns.permute(2, 1, 0)
"""

FORMS = (
    Form(__name__, "by_unfold", WINDOWS),
    Form(__name__, "by_loop", LOOP),
    Form(__name__, "by_functional", FUNCTIONAL),
)
