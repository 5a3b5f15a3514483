"""Test that RotaryClock shows after each move what torch computes."""

import math
import re

import pytest
import torch

from course_utils.widgets import RotaryClock

QUERY, KEY = torch.randn(2, 8, generator=torch.Generator().manual_seed(0))
SPEEDS = torch.tensor([1.0, 0.1, 0.01, 0.001])
ATTRIBUTE = "(elements, name) => elements.map(element => element.getAttribute(name))"


def turned(vector, place):
    """Return the pairs of a vector (8,) as complex numbers (4,), each turned by place * its speed, in radians."""
    pairs = torch.view_as_complex(vector.double().view(-1, 2).contiguous())
    return pairs * torch.polar(torch.ones(len(SPEEDS)).double(), place * SPEEDS.double())


def assert_shows(root, expect, query_place, key_place):
    """Check all that is shown for these places, and return the angles between each pair's two arrows, in degrees."""
    query, key = turned(QUERY, query_place), turned(KEY, key_place)
    shares = (query * key.conj()).real
    words = f"Query at place {query_place}, key at place {key_place}, "
    expect(root.get_by_role("status").last).to_contain_text(words)
    expect(root.get_by_role("status").last).to_contain_text(f": score {shares.sum():.2f}.")
    for name, place in {"query": query_place, "key": key_place}.items():
        expect(root.get_by_role("slider", name=f"place of the {name}")).to_have_value(str(place))
    for arrows, name in ((query, "query"), (key, "key")):
        found = [float(re.search(r"-?[\d.]+", rotation)[0]) for rotation in all_of(root, f".av-{name}", "transform")]
        for angle, expected in zip(found, arrows.angle().tolist(), strict=True):
            assert math.cos(math.radians(-angle) - expected) == pytest.approx(1, abs=1e-6)
    numbers = [float(number) for number in root.locator(".av-number").all_text_contents()]
    assert numbers == pytest.approx(shares.tolist(), abs=0.0051)
    labels = all_of(root, ".av-clock", "aria-label")
    assert labels[1] == f"numbers 2 and 3, speed 0.1: share {numbers[1]:.2f}"
    spans = [float(dashes.split()[0]) for dashes in all_of(root, ".av-between", "stroke-dasharray")]
    assert spans == pytest.approx((query * key.conj()).angle().abs().rad2deg().tolist(), abs=1e-3)
    widths = [float(width) for width in all_of(root, ".av-share", "width")]
    assert widths == pytest.approx((66 * shares / (QUERY_LENGTHS * KEY_LENGTHS).max()).abs().tolist(), abs=1e-3)
    assert_marks_the_curve(root)
    return spans


QUERY_LENGTHS, KEY_LENGTHS = turned(QUERY, 0).abs(), turned(KEY, 0).abs()


def all_of(root, selector, attribute):
    return root.locator(selector).evaluate_all(ATTRIBUTE, attribute)


def assert_marks_the_curve(root):
    """Check that the mark stands at one of the curve's points."""
    (at,), (height,) = all_of(root, ".av-now", "transform"), all_of(root, ".av-now circle", "cy")
    (points,) = all_of(root, ".av-curve polyline", "points")
    points = [tuple(map(float, point.split(","))) for point in points.split()]
    x, y = float(re.search(r"[\d.]+", at)[0]), float(height)
    assert min(math.dist((x, y), point) for point in points) < 0.15


def test_exported_page(open_html, expect):
    root = open_html(RotaryClock(QUERY, KEY, SPEEDS).to_html()).locator(".av")
    query, key = (root.get_by_role("slider", name=f"place of the {name}") for name in ("query", "key"))
    together = root.get_by_label("move both together")
    spans = assert_shows(root, expect, 5, 3)
    expect(together).to_be_checked()
    # The key stops too where the query is at its last place, and the query where the key is at its first.
    moves = (query, "ArrowRight", 6, 4), (query, "End", 100, 98), (key, "End", 100, 98), (key, "Home", 2, 0)
    for slider, press, *places in (*moves, (query, "Home", 2, 0)):
        slider.press(press)
        assert assert_shows(root, expect, *places) == pytest.approx(spans, abs=1e-3)
    together.uncheck()
    key.fill("40")
    assert_shows(root, expect, 2, 40)
    key.press("ArrowLeft")
    assert_shows(root, expect, 2, 39)
    together.check()
    query.press("End")
    assert_shows(root, expect, 63, 100)


@pytest.mark.parametrize("width", [360, 420, 640, 1280])
def test_nothing_stands_out_of_the_page_and_all_can_be_read(open_html, page, width):
    page.set_viewport_size({"width": width, "height": 900})
    open_html(RotaryClock(QUERY, KEY, SPEEDS).to_html())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    size = "text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a"
    assert min(page.locator(".av-rotary text").evaluate_all(f"all => all.map({size})")) >= 11
