"""`my_patches(pictures, side)`: each picture as a row of patches, each of which holds the numbers of all colours."""

from course_utils.checks.exercise import Exercise, Unasked
from course_utils.lessons.arguments import TRAINABLE
from course_utils.lessons.beyond_text.exercises import patches_in_other_ways


def patches_solution(pictures, side):
    batch_size, colours, height, width = pictures.shape
    cut = pictures.reshape(batch_size, colours, height // side, side, width // side, side)
    cut = cut.permute(0, 2, 4, 1, 3, 5)  # (batch, rows, columns, colours, y, x)
    return cut.reshape(batch_size, -1, colours * side * side)


def cases(draw):
    yield "2 pictures of 3 colours, 4 high and 8 wide, patches of 2", draw(2, 3, 4, 8), 2
    yield "patches of 3, higher than wide", draw(1, 3, 9, 6), 3
    yield "squares, as many patches in a row as pixels in a patch", draw(2, 3, 4, 4), 2
    yield "2 colours, 5 pictures", draw(5, 2, 6, 4), 2
    yield "one colour", draw(2, 1, 6, 9), 3
    yield "as many colours as pictures, patches of 2", draw(3, 3, 2, 6), 2
    yield "a patch for each pixel", draw(2, 3, 2, 11), 1
    yield "one patch", draw(2, 3, 4, 4), 4
    yield Unasked("a picture whose axes were moved"), draw(2, 4, 6, 3).permute(0, 3, 1, 2), 2


MISTAKES = """
strips: A row holds a strip of one colour, as after a `reshape` alone. Cut height and width in two, then `permute`.
    cut = cut.permute( -> cut.permute(
colours-apart: Each row holds one colour of several patches. The order is `(batch, rows, columns, colours, y, x)`.
    permute(0, 2, 4, 1, 3, 5) -> transpose(3, 4)
colours-last: The colours of a pixel stand together. The order is `(batch, rows, columns, colours, y, x)`.
    permute(0, 2, 4, 1, 3, 5) -> permute(0, 2, 4, 3, 5, 1)
picture-turned: Patches come column by column, and x before y. Rows and y belong to the height: they come first.
    permute(0, 2, 4, 1, 3, 5) -> permute(0, 4, 2, 1, 5, 3)
bands-not-patches: Your rows mix patches. Rows *and* columns come first: `(batch, rows, columns, colours, y, x)`.
    permute(0, 2, 4, 1, 3, 5) -> transpose(2, 4)
sizes-swapped: Height and width are cut in the wrong order. It is `(height // side, side)`, the number first.
    height // side, side, width // side, side -> side, height // side, side, width // side
    or
    height // side, side, width // side, side -> side, height // side, side, width // side
    permute(0, 2, 4, 1, 3, 5) -> permute(0, 3, 5, 1, 2, 4)
x-before-y: Within a patch, x comes before y, so each is turned on its side. The order is `(…, colours, y, x)`.
    permute(0, 2, 4, 1, 3, 5) -> permute(0, 2, 4, 1, 5, 3)
side-counts-patches: You took `side` for the number of patches along an edge. It is the edge of a patch, in pixels.
    height // side, side, width // side, side -> side, height // side, side, width // side
    colours * side * side) -> colours * (height // side) * (width // side))
square-assumed: You use the height for the width, or the width for the height. A picture need not be square.
    width // side, side) -> height // side, side)
height-width-swapped: Height and width have changed places. The axes are `(batch, colours, height, width)`.
    colours, height, width = -> colours, width, height =
patches-averaged: Each patch is reduced to its average, as by `avg_pool2d`. A token has all numbers of its patch.
    cut.reshape(batch_size, -1, colours * side * side) -> cut.mean(dim=(4, 5)).reshape(batch_size, -1, colours)
first-row-only: Only one row of patches comes back: look for a `return` or a new list inside the loop.
    return cut.reshape(…) -> return cut[:, 0].reshape(batch_size, -1, colours * side * side)
    or
    return cut.reshape(…) -> return cut[:, -1].reshape(batch_size, -1, colours * side * side)
numbered-by-rows: Patches are put in the wrong places. Patch number `row * columns + column`: it is the number of
    patches side by side that counts, `width // side`.
    return cut.reshape(…) -> right = cut.reshape(batch_size, -1, colours * side * side)
        ⏎ result = torch.zeros_like(right)
        ⏎ for row in range(height // side): ⏎     for column in range(width // side):
        ⏎         result[:, row * (height // side) + column] = right[:, row * (width // side) + column] ⏎ return result
fixed-size: A size is typed in that does not fit every input. Take `side`, and read the others off `pictures.shape`.
    colours * side * side) -> 3 * side * side)
view-after-permute: After `permute` neighbours lie apart in memory, and `view` cannot join them: `reshape`.
    return cut.reshape( -> return cut.view(
patches-overlap: Your patches overlap. They lie `side` pixels apart: `stride=side`, `range(0, height, side)`.
    cut.reshape(batch_size, -1, colours * side * side) -> torch.nn.functional.unfold(pictures, side).transpose(1, 2)
"""

FORMS, PARTS = patches_in_other_ways.FORMS, ("picture", "token", "number")
exercise = Exercise(patches_solution, cases, MISTAKES, also=FORMS, outputs=("patches",), parts=PARTS, **TRAINABLE)
