"""Two other ways to write `my_patches`: windows along both axes, and a loop over the patches."""

import torch

from course_utils.checks.form import Form


def by_unfold(pictures, side):
    """Return the patches that the solution returns, (batch, num_patches, numbers), made by windows along both axes.

    pictures: (batch, colours, height, width). side: of a patch, in pixels. Patches come row by row, each flattened
    from (colours, side, side).
    """
    windows = pictures.unfold(2, side, side).unfold(3, side, side)  # (batch, colours, rows, columns, y, x)
    return windows.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)


WINDOWS = """
colours-as-tokens: Each colour of a patch is a token of its own. All colours of a patch belong to one token.
    windows.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2) -> windows.reshape(len(pictures), -1, side * side)
columns-first: Your patches come column by column. They are wanted row by row: rows first, or the outer loop.
    permute(0, 2, 3, 1, 4, 5) -> permute(0, 3, 2, 1, 4, 5)
permute-axes-missing: `permute` wants all axes, each once. After the cut there are six: from 0 to 5.
    unfold(2, side, side).unfold(3, side, side) -> unfold(1, side, side).unfold(2, side, side)
    permute(0, 2, 3, 1, 4, 5) -> permute(1, 2, 0, 3, 4)
fixed-size: A size is typed in that does not fit every input. Take `side`, and read the others off `pictures.shape`.
    unfold(2, side, side).unfold(3, side, side) -> unfold(2, 16, 16).unfold(3, 16, 16)
not-joined: All six axes come back. Join rows and columns to one axis, and colours, y and x to another: `reshape`.
    .flatten(3).flatten(1, 2) ->
"""


def by_loop(pictures, side):
    """Return the patches that the solution returns, (batch, num_patches, numbers), made by a loop over all patches.

    pictures: (batch, colours, height, width). side: of a patch, in pixels. Patches come row by row, each flattened
    from (colours, side, side).
    """
    height, width = pictures.shape[-2:]
    patches = []
    for top in range(0, height, side):
        for left in range(0, width, side):
            patch = pictures[:, :, top : top + side, left : left + side]
            patches.append(patch.flatten(1))
    return torch.stack(patches, dim=1)


LOOP = """
last-row-left-out: The last row and column of patches are missing. `range(0, height, side)` ends by itself.
    range(0, height, side) -> range(0, height - side, side)
    range(0, width, side) -> range(0, width - side, side)
last-row-left-out: The last row of patches is missing. `range` leaves out its end by itself: `range(0, height, side)`.
    range(0, height, side) -> range(0, height - side, side)
rows-for-pixels: Your patches overlap. Patch number *i* begins at pixel `i * side`.
    range(0, height, side) -> range(height // side)
    range(0, width, side) -> range(width // side)
axes-crossed: Your slice has rows and columns exchanged. The height comes first: `[:, :, top…, left…]`.
    top : top + side, left : left + side -> left : left + side, top : top + side
flattened-whole: All pictures are joined to one row: `flatten()` joins the batch too. Keep it: `flatten(1)`.
    patch.flatten(1) -> patch.flatten()
    torch.stack(patches, dim=1) -> torch.stack(patches)
none-kept: There are no patches in your result: `torch.cat` changes nothing in place. Keep what it gives.
    torch.stack(patches, dim=1) -> torch.empty(len(pictures), 0, pictures.shape[1] * side * side)
"""


FORMS = (Form(__name__, "by_unfold", WINDOWS), Form(__name__, "by_loop", LOOP))
