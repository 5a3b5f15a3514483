"""Test the colours: large weights stand out in both themes, digits and marks are readable, views and panels agree."""

import re

import numpy as np
import pytest

from course_utils import theme

PAGES = {"light": (255, 255, 255), "dark": (0x11, 0x11, 0x11)}  # the page colours of JupyterLab's themes


def tables(colour_map):
    return dict(zip(PAGES, np.frombuffer(theme.table(colour_map), "u1").reshape(2, 256, 3), strict=True))


def contrast(one, other):
    bright, dim = sorted(map(theme.luminance, (one, other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


@pytest.mark.parametrize("page", PAGES)
def test_the_larger_a_weight_the_more_it_stands_out(page):
    colours = tables(theme.WEIGHTS_MAP)[page]
    brighter = np.diff([theme.luminance(colour) for colour in colours])
    assert (brighter <= 0).all() if page == "light" else (brighter >= 0).all()
    assert min(contrast(colour, PAGES[page]) for colour in colours[128:]) >= 3


@pytest.mark.parametrize("page", PAGES)
def test_signed_numbers_stand_out_by_their_size(page):
    found = [contrast(colour, PAGES[page]) for colour in tables(theme.SIGNED_MAP)[page]]
    assert min(found[0], found[-1]) >= 2.9 and max(found[120:136]) < 1.4


@pytest.mark.parametrize("colour_map", [theme.WEIGHTS_MAP, theme.SIGNED_MAP])
@pytest.mark.parametrize("page", PAGES)
def test_digits_can_be_read_on_every_colour(colour_map, page):
    black, white = (0, 0, 0), (255, 255, 255)
    for colour in tables(colour_map)[page]:
        assert contrast(colour, {"#000": black, "#fff": white}[theme.ink(colour)]) >= 4.5


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", ["query", "key", "value", "chosen", "right", "wrong", "negative", "focus", "edge"])
def test_marks_can_be_seen(page, name):
    assert contrast(rgb(getattr(theme.COLOURS[name], page)), PAGES[page]) >= 3


@pytest.mark.parametrize("page", PAGES)
def test_an_open_cell_can_be_told_from_a_masked_one(page):
    cells = [rgb(getattr(theme.COLOURS[name], page)) for name in ("open", "masked")]
    assert contrast(*cells) >= 1.5  # 1.5 is enough, since the masked cell is also hatched


@pytest.mark.parametrize("value", [0.0, 0.3, 0.5, 1.0])
def test_a_cell_in_html_has_the_colours_of_the_map(value):
    found = re.findall(r"light-dark\((#\w+), (#\w+)\)", theme.cell(value, 0, 1))
    papers = [tables(theme.WEIGHTS_MAP)[page][round(255 * value)] for page in PAGES]
    assert found == [tuple("#" + bytes(paper).hex() for paper in papers), tuple(map(theme.ink, papers))]


def test_the_variables_of_css_are_the_colours():
    lines = re.findall(r"--av-(\w+): light-dark\((#\w+), (#\w+)\);", theme.css())
    assert {name: (light, dark) for name, light, dark in lines} == theme.COLOURS
