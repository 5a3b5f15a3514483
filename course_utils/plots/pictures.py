"""Pictures, cut into the patches that serve as tokens."""

import numpy as np

from course_utils.plots.common import PAGE_WIDTH, as_array, check_some, new_figure, with_caption


def patches(pictures, *, caption):
    """Draw pictures cut into patches, side by side, with gaps between the patches.

    pictures: dict from a title to patches (rows, columns, 3, height, width), each number from 0 to 1.
    caption: a sentence that says what is drawn. Returns a Figure. Errors: ValueError for other shapes or numbers.
    """
    check_some("pictures", pictures)
    drawn = {str(title): _with_gaps(title, as_array(cut)) for title, cut in pictures.items()}
    width = min(4.2, PAGE_WIDTH / len(drawn))
    figure = new_figure(width * len(drawn), 0.4 + width * max(len(one) / one.shape[1] for one in drawn.values()))
    panels = figure.subplots(1, len(drawn), squeeze=False)[0]
    for number, (panel, (title, one)) in enumerate(zip(panels, drawn.items(), strict=True)):
        panel.imshow(one, interpolation="none")
        panel.set_title(title)
        panel.set_axis_off()
        panel.set_gid(f"photo-{number}")  # keeps its colours on a dark page
    return with_caption(figure, caption)


def _with_gaps(title, cut):
    """Returns the patches laid out as one picture of four channels, in which the gaps are clear."""
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
