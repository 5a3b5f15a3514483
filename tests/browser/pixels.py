"""Read the colours of a heatmap's canvas, and compute the expected ones. A canvas has one pixel for each cell."""

import base64

import lab_server
import numpy as np

from course_utils.theme import COLOURS, WEIGHTS_MAP, table

# Return the size of a canvas, and its pixels as base64, since numbers one by one take ten times as long.
READ = """c => {
  const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height), parts = [];
  for (let at = 0; at < data.length; at += 8192) parts.push(String.fromCharCode(...data.subarray(at, at + 8192)));
  return [c.height, c.width, btoa(parts.join(""))];
}"""
GREY = {"light": 0xBF, "dark": 0x7A}


def pixels(canvas):
    """Return the RGB colours of a canvas, a locator, as uint8 (rows, columns, 3)."""
    rows, columns, values = canvas.evaluate(READ)
    return np.frombuffer(base64.b64decode(values), "u1").reshape(rows, columns, 4)[..., :3]


def colours(values, high, low=0.0, colour_map=WEIGHTS_MAP, theme="light"):
    """Return the RGB colours in which values must be drawn, a uint8 array (*values.shape, 3); nan is grey.

    low, high: the values at the ends of colour_map, a theme.Colour of two maps. theme: "light" or "dark".
    """
    colours = np.frombuffer(table(colour_map), "u1").reshape(2, 256, 3)[int(theme == "dark")]
    values = np.asarray(values, dtype="f4").astype("f8")
    places = np.floor((np.nan_to_num(values) - low) / (high - low) * 256).clip(0, 255).astype(int)
    return np.where(np.isnan(values)[..., None], GREY[theme], colours[places]).astype("u1")


def mask_colours(mask, theme="light"):
    """Return the RGB colours (*mask.shape, 3) in which a boolean mask must be drawn.

    Cells that are False are black here: the canvas leaves them transparent, and the hatching shows through.
    """
    colour = getattr(COLOURS["open"], theme)
    return np.where(np.asarray(mask)[..., None], [int(colour[i : i + 2], 16) for i in (1, 3, 5)], 0).astype("u1")


def assert_pixels(canvas, expected):
    assert lab_server.wait_until(lambda: np.array_equal(pixels(canvas), expected)), pixels(canvas)
