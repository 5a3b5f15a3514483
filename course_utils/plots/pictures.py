"""Figures of photographs that are cut into patches, the tokens of a vision transformer."""

import numpy as np

from course_utils.plots.common import PAGE_WIDTH, as_array, check_some, new_figure, with_caption


def patches(pictures, *, caption):
    """Draw pictures that are cut into patches, side by side, with gaps between the patches.

    pictures: dict from a title to patches (rows, columns, 3, height, width): red, green and blue from 0 to 1, and the
    height and width of a patch in pixels. caption: a sentence that says what is drawn. Returns a Figure.
    Errors: ValueError if there is no picture, and for other shapes or numbers.
    """
    check_some("pictures", pictures)
    arrays = {str(title): _with_gaps(title, as_array(cut)) for title, cut in pictures.items()}
    width = min(4.2, PAGE_WIDTH / len(arrays))
    tallest = max(len(array) / array.shape[1] for array in arrays.values())
    figure = new_figure(width * len(arrays), 0.4 + width * tallest)
    panels = figure.subplots(1, len(arrays), squeeze=False)[0]
    for panel, (title, array) in zip(panels, arrays.items(), strict=True):
        panel.imshow(array, interpolation="none")
        panel.set_title(title)
        panel.set_axis_off()
    return with_caption(figure, caption)


def _with_gaps(title, cut):
    """Return a picture's patches as an array (height, width, 4), red to opacity, with transparent gaps between them."""
    if cut.ndim != 5 or cut.shape[2] != 3 or 0 in cut.shape:
        raise ValueError(f"picture {title!r} of shape {cut.shape} needs shape (rows, columns, 3, height, width).")
    if not (cut.min() >= 0 and cut.max() <= 1):
        raise ValueError(f"picture {title!r} needs numbers from 0 to 1, got {cut.min():.2f} to {cut.max():.2f}.")
    rows, columns, _, height, width = cut.shape
    gap = max(1, round(width / 8))
    sheet = np.zeros((rows, height + gap, columns, width + gap, 4))
    sheet[:, :height, :, :width, :3] = cut.transpose(0, 3, 1, 4, 2)
    sheet[:, :height, :, :width, 3] = 1
    return sheet.reshape(rows * (height + gap), columns * (width + gap), 4)[:-gap, :-gap]
