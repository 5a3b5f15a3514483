"""Test the colours: large weights stand out in both themes, digits can be read, and a weight has one colour."""

import importlib
import io
import re

import matplotlib
import numpy as np
import pytest
from nb.files import COURSE
from PIL import Image

from course_utils import theme
from course_utils.widgets.maps import heads_picture

PAGES = {"light": (255, 255, 255), "dark": (0x11, 0x11, 0x11)}  # the page colours of JupyterLab's themes


def tables(colour_map):
    return dict(zip(PAGES, np.frombuffer(theme.table(colour_map), "u1").reshape(2, 256, 3), strict=True))


def contrast(one, other):
    bright, dim = sorted(map(theme.luminance, (one, other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


@pytest.mark.parametrize("page", PAGES)
def test_weights_and_signed_numbers_stand_out_by_their_size(page):
    colours = tables(theme.WEIGHTS_MAP)[page]
    brighter = np.diff([theme.luminance(colour) for colour in colours])
    assert (brighter <= 0).all() if page == "light" else (brighter >= 0).all()
    assert min(contrast(colour, PAGES[page]) for colour in colours[128:]) >= 3
    found = [contrast(colour, PAGES[page]) for colour in tables(theme.SIGNED_MAP)[page]]
    assert min(found[0], found[-1]) >= 2.9 and max(found[120:136]) < 1.4


@pytest.mark.parametrize("colour_map", [theme.WEIGHTS_MAP, theme.SIGNED_MAP])
@pytest.mark.parametrize("page", PAGES)
def test_digits_can_be_read_on_every_colour(colour_map, page):
    black, white = (0, 0, 0), (255, 255, 255)
    for colour in tables(colour_map)[page]:
        assert contrast(colour, {"#000": black, "#fff": white}[theme.ink(colour)]) >= 4.5


@pytest.mark.parametrize("page", PAGES)
def test_marks_can_be_seen_and_an_open_cell_be_told_from_a_masked_one(page):
    colour = {name: rgb(getattr(both, page)) for name, both in theme.COLOURS.items()}
    for name in ("query", "key", "value", "chosen", "right", "wrong", "negative", "focus", "edge"):
        assert contrast(colour[name], PAGES[page]) >= 3, name
    assert contrast(colour["open"], colour["masked"]) >= 1.5  # enough, since the masked cell is also hatched


@pytest.mark.parametrize("value", [0.0, 0.3, 0.5, 1.0])
def test_a_cell_in_html_has_the_colours_of_the_map(value):
    found = re.findall(r"light-dark\((#\w+), (#\w+)\)", theme.cell(value, 0, 1))
    papers = [tables(theme.WEIGHTS_MAP)[page][min(int(256 * value), 255)] for page in PAGES]
    assert found == [tuple("#" + bytes(paper).hex() for paper in papers), tuple(map(theme.ink, papers))]


def test_the_variables_of_css_are_the_colours():
    lines = re.findall(r"--av-(\w+): light-dark\((#\w+), (#\w+)\);", theme.css())
    assert {name: (light, dark) for name, light, dark in lines} == theme.COLOURS


@pytest.mark.parametrize("name", ["mako", "vlag", "icefire", "Oranges"])
def test_the_stored_colour_maps_are_those_of_seaborn_and_matplotlib(name):
    importlib.import_module("seaborn")  # which registers its maps
    for name_of_way in (name, f"{name}_r"):
        colours = 255 * matplotlib.colormaps[name_of_way](np.linspace(0, 1, 256))[:, :3]
        np.testing.assert_array_equal(theme._colours(name_of_way), colours.round())


def test_a_stored_picture_of_a_view_has_the_colours_of_the_map_on_either_page():
    """What figures, live views and panels have, tests/browser/test_figures.py sees in JupyterLab."""
    weights = np.linspace(0, 1, 36, dtype="f4").reshape(6, 6)
    for page, png in zip(PAGES, heads_picture.cells(weights, 1.0), strict=True):
        pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
        in_map = tables(theme.WEIGHTS_MAP)[page][theme.places(weights.astype("f8"), 0, 1).clip(0, 254)]
        assert (pixels == in_map).all()


def test_each_weight_has_a_colour_of_its_own_and_a_partner_on_a_dark_page():
    light, dark = (["#" + bytes(colour).hex() for colour in colours] for colours in tables(theme.WEIGHTS_MAP).values())
    assert len(set(light)) == len(set(dark)) == 256
    assert [theme.dark(colour) for colour in light] == dark


@pytest.mark.parametrize("colour_map", [theme.SIGNED_MAP, theme.EFFECTS_MAP])
def test_each_colour_of_the_other_maps_has_its_partner_within_a_step(colour_map):
    light, dark = tables(colour_map).values()
    partners = [rgb(theme.dark("#" + bytes(colour).hex())) for colour in light]
    assert np.abs(np.array(partners) - dark).max() <= 1


def test_other_colours_have_their_lightness_inverted_and_figures_have_the_paper_of_dark_pages():
    assert [theme.dark(colour) for colour in ("#000000", "#ffffff", "#cccccc")] == ["#ffffff", "#000000", "#333333"]
    red = rgb(theme.dark("#800000"))
    assert red[0] == 255 and max(red[1:]) < 255
    tokens = (COURSE / "tools" / "publish" / "assets" / "tokens.css").read_text("utf-8")
    dark = re.search(r"--paper: light-dark\(#fff, #(\w)(\w)(\w)\)", tokens)
    assert theme.DARK_PAPER == "#" + "".join(2 * digit for digit in dark.groups())


def test_colours_of_an_svg_become_variables_where_the_pages_differ():
    svg = theme.for_both_pages('<svg><path style="fill: #000000; stroke: #0173b2"/><path fill="none"/></svg>')
    assert svg == (
        "<svg><style>:root { --000000: #000000; }\n"
        "@media (prefers-color-scheme: dark) { :root { --000000: #ffffff; background: #111111; } }</style>"
        '<path style="fill: var(--000000); stroke: #0173b2"/><path fill="none"/></svg>'
    )
