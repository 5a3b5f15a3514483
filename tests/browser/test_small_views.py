"""Test MaskPainter, RotaryClock, ScalingLab and ShapeTracer by mouse and keyboard, in pages without a kernel.

What they must show is computed by the views' own Python, which tests/widgets compares with torch.
"""

import math
import re

import numpy as np
import pytest
import torch
from heads_page import HeadsPage
from pixels import assert_pixels, colours, mask_colours

from course_utils.attention import causal_mask, softmax
from course_utils.widgets import MaskPainter, RotaryClock, ScalingLab, ShapeTracer
from course_utils.widgets.rotary.rotary import shares, turned
from course_utils.widgets.scaling.scaling import BINS
from course_utils.widgets.shapes.shapes import paths

TOKENS = ["the", "cat", "<b>", "on", "mat"]
SCORES = torch.tensor(np.random.default_rng(1).normal(size=(5, 5)) * 2, dtype=torch.float32)


def assert_mask(view, mask, theme="light"):
    weights = softmax(SCORES.double().masked_fill(~mask, -torch.inf)).numpy()
    assert_pixels(view.cells, mask_colours(mask, theme))
    assert_pixels(view.second_cells, colours(weights, 1.0, theme=theme))


def test_a_mask_is_painted_and_its_pictures_follow_a_switch_of_theme(open_html, expect):
    page = open_html(MaskPainter(SCORES, TOKENS).to_html())
    view, mask = HeadsPage(page), causal_mask(5)
    for theme, ink in (("light", "rgb(0, 0, 0)"), ("dark", "rgb(255, 255, 255)"), ("light", "rgb(0, 0, 0)")):
        page.emulate_media(color_scheme=theme)
        expect(view.heatmap.locator("svg text").first).to_have_css("fill", ink)
        assert_mask(view, mask, theme)
    for row, column in [(4, 0), (4, 2), (1, 3), (4, 0)]:
        view.heatmap.click(position=view.place(row, column))
        mask[row, column] = ~mask[row, column]
        assert_mask(view, mask)
    for key in ("ArrowUp", "ArrowUp", " ", "Enter", "Enter"):  # go up to row 2
        view.heatmap.press(key)
    mask[2, 0] = False
    assert_mask(view, mask)
    expect(view.heatmap).to_have_attribute(
        "aria-label", "Heatmap of may attend, 5 queries by 5 keys, <b> to the: False. Arrow keys move."
    )
    weight = softmax(SCORES.masked_fill(~mask, -torch.inf))[2, 0]
    expect(view.status).to_have_text(f"query <b> → the {weight:.2f} · row sum 1.00")
    view.heatmap.click(position=view.place(0, 0))  # then its row has nothing open
    mask[0, 0] = False
    assert_mask(view, mask)
    expect(view.status).to_contain_text("query ∅ the → the 0.00 · row sum 0.00")
    expect(view.root).to_contain_text("∅: nothing to attend to, weights 0. Plain softmax: nan.")
    assert "∅ the" in view.heatmap.locator("svg").inner_html() and "∅ the" in view.second.locator("svg").inner_html()


# The first cell of a mask, which is open, and its word: both as [red, green, blue, …].
FIRST_CELL = r"""() => {
  const pixel = [...document.querySelector(".av-mask-cells").getContext("2d").getImageData(0, 0, 1, 1).data];
  const word = [...document.querySelectorAll(".av-heatmap text")].find((text) => text.textContent === "True");
  return [pixel, getComputedStyle(word).fill.match(/\d+/g).map(Number)];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_mask_can_be_read_in_forced_colours(open_html, scheme):
    page = open_html(MaskPainter(SCORES, TOKENS).to_html())
    page.emulate_media(forced_colors="active", color_scheme=scheme)
    page.get_by_role("button", name="causal").click()
    cell, word = page.evaluate(FIRST_CELL)
    assert cell[3] == 255 and abs(sum(cell[:3]) - sum(word[:3])) > 600  # of 765, between black and white
    hatching = page.locator(".av-mask-cells").evaluate("canvas => getComputedStyle(canvas).backgroundImage")
    assert hatching.startswith("linear-gradient")


def test_two_maps_keep_their_numbers_in_an_enlarged_page(open_html, expect):
    page = open_html(MaskPainter(SCORES, TOKENS).to_html())
    page.set_viewport_size({"width": 640, "height": 900})  # 1280 px at 200 %
    maps = page.locator(".av-map").filter(visible=True)
    expect(page.locator(".av-narrow")).to_be_visible()
    expect(maps).to_have_count(2)
    first, second = (maps.nth(number).bounding_box() for number in (0, 1))
    assert first["y"] + first["height"] <= second["y"]
    assert maps.nth(1).locator("svg text").filter(has_text=re.compile(r"^\d\.\d\d$")).count() >= 25


def test_the_roles_and_names_of_all_controls_of_a_mask_and_its_presets(open_html):
    page = open_html(MaskPainter(SCORES, TOKENS, torch.eye(5).bool()).to_html())
    view, everything = HeadsPage(page), torch.ones(5, 5).bool()
    assert_mask(view, torch.eye(5).bool())
    presets = {"everything": everything, "nothing": ~everything, "causal": causal_mask(5), "invert": ~causal_mask(5)}
    told = page.locator(".av").aria_snapshot()
    picture = 'application "Heatmap of may attend, 5 queries by 5 keys, mat. Arrow keys move."'
    for part in (*(f'button "{name}"' for name in presets), 'combobox "query"', picture, "status: query mat"):
        assert part in told, told
    for name, mask in presets.items():
        page.get_by_role("button", name=name).press("Enter")
        assert_mask(view, mask)


QUERY, KEY = torch.randn(2, 8, generator=torch.Generator().manual_seed(0)).tolist()
SPEEDS = [1.0, 0.1, 0.01, 0.001]


def assert_clock(root, expect, *places):
    told = RotaryClock(QUERY, KEY, SPEEDS, query_place=places[0], key_place=places[1]).summary()
    numbers = shares(QUERY, KEY, SPEEDS, *places)

    def all_of(selector, attribute):
        read = "(elements, name) => elements.map(element => element.getAttribute(name))"
        return root.locator(selector).evaluate_all(read, attribute)

    expect(root.get_by_role("status").last).to_contain_text(told)
    arrows = {"query": turned(QUERY, SPEEDS, places[0]), "key": turned(KEY, SPEEDS, places[1])}
    for (name, arrow), place in zip(arrows.items(), places, strict=True):
        expect(root.get_by_role("slider", name=f"place of the {name}")).to_have_value(str(place))
        found = [float(re.search(r"-?[\d.]+", rotation)[0]) for rotation in all_of(f".av-{name}", "transform")]
        assert np.cos(-np.radians(found) - np.angle(arrow)) == pytest.approx(1, abs=1e-6)
    shown = root.locator(".av-number").all_text_contents()
    assert [float(number) for number in shown] == pytest.approx(numbers, abs=0.0051)
    assert all_of(".av-clock", "aria-label")[1] == f"numbers 2 and 3, speed 0.1: share {float(shown[1]):.2f}"
    spans = [float(dashes.split()[0]) for dashes in all_of(".av-between", "stroke-dasharray")]
    apart = np.abs(np.angle(arrows["query"] * arrows["key"].conj(), deg=True))
    assert spans == pytest.approx(apart, abs=1e-3)
    longest = np.abs(arrows["query"] * arrows["key"]).max()
    widths = [float(width) for width in all_of(".av-share", "width")]
    assert widths == pytest.approx(abs(66 * numbers / longest), abs=1e-3)
    (at,), (height,) = all_of(".av-now", "transform"), all_of(".av-now circle", "cy")
    points = [tuple(map(float, point.split(","))) for point in all_of(".av-curve polyline", "points")[0].split()]
    mark = float(re.search(r"[\d.]+", at)[0]), float(height)
    assert min(math.dist(mark, point) for point in points) < 0.15, "the mark does not stand at the curve"


def test_hands_of_a_clock_are_turned_together_and_alone(open_html, expect):
    root = open_html(RotaryClock(QUERY, KEY, SPEEDS).to_html()).locator(".av")
    query, key = (root.get_by_role("slider", name=f"place of the {name}") for name in ("query", "key"))
    together = root.get_by_label("move both together")
    assert_clock(root, expect, 5, 3)
    expect(together).to_be_checked()
    # The key stops too where the query is at its last place, and the query where the key is at its first.
    moves = (query, "ArrowRight", 6, 4), (query, "End", 100, 98), (key, "End", 100, 98), (key, "Home", 2, 0)
    for slider, press, *places in (*moves, (query, "Home", 2, 0)):
        slider.press(press)
        assert_clock(root, expect, *places)
    together.uncheck()
    key.fill("40")
    assert_clock(root, expect, 2, 40)
    key.press("ArrowLeft")
    assert_clock(root, expect, 2, 39)
    together.check()
    query.press("End")
    assert_clock(root, expect, 63, 100)
    size = "text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a"
    for width in (1280, 640, 420, 360):
        root.page.set_viewport_size({"width": width, "height": 900})
        root.page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
        assert min(root.locator("text").evaluate_all(f"all => all.map({size})")) >= 11


def test_settings_of_a_scaling_lab(open_html, expect):
    draw = torch.Generator().manual_seed(0)
    view = ScalingLab({d: torch.randn(100, 1, 16, generator=draw) * d**0.5 for d in (1, 16, 64, 256)})
    root = open_html(view.to_html()).locator(".av")
    head_dim, temperature = (root.get_by_role("slider", name=name) for name in ("head_dim", "temperature"))
    divide = root.get_by_label("divide by the root of head_dim")

    def assert_shows(**settings):
        for name, value in settings.items():
            setattr(view, name, value)
        words, bars = view._now()
        expect(root.get_by_role("status").last).to_contain_text(words)
        for name in ("head_dim", "temperature"):
            value = f"{getattr(view, name):g}"
            expect(root.get_by_role("slider", name=name)).to_have_attribute("aria-valuetext", value)
            expect(root.locator("label", has_text=re.compile(f"^{name}")).locator("output")).to_have_text(value)
        expect(root.get_by_role("checkbox")).to_be_checked(checked=view.divided)
        heights = "bars => bars.map(bar => bar.getBoundingClientRect().height)"
        drawn = root.locator(".av-scaling rect").evaluate_all(heights)
        assert drawn[BINS:-1] == pytest.approx(150 * bars[BINS:-1], abs=0.5)

    assert_shows(head_dim=64)
    head_dim.press("ArrowRight")
    assert_shows(head_dim=256)
    divide.check()
    assert_shows(divided=True)
    temperature.press("Home")
    assert_shows(temperature=0.1)
    temperature.press("End")
    head_dim.press("Home")
    assert_shows(head_dim=1, temperature=10.0)
    box = temperature.bounding_box()
    temperature.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    divide.uncheck()
    chosen = float(temperature.get_attribute("aria-valuetext"))
    assert 0.7 <= chosen <= 1.5
    assert_shows(temperature=chosen, divided=False)


def stage(root, name):
    return root.get_by_role("slider", name=re.compile(f"^{name} "))


def assert_marks(root, expect, number, way="right way", sizes=(3, 2, 2)):
    """Check that each stage marks one cell, the one where torch has the number, and says in words where it is."""
    stages, d_out = paths(*sizes)[way], sizes[1] * sizes[2]
    name = f"token {'abcdef'[number // d_out]}, feature {number % d_out}"
    expect(root.get_by_text(name, exact=True)).to_be_visible()
    expect(root.get_by_role("slider")).to_have_count(len(stages))
    for title, _, _, numbers in stages:
        place = numbers.flatten().tolist().index(number)
        expect(stage(root, title).locator(".av-here")).to_have_count(1)
        expect(stage(root, title).locator("rect").nth(place)).to_have_class("av-here")
        expect(stage(root, title)).to_have_attribute("aria-valuenow", str(place))
        expect(stage(root, title)).to_have_attribute("aria-valuetext", re.compile(f"^{name}: "))


def test_a_number_is_traced_by_mouse(open_html, expect):
    root = open_html(ShapeTracer().to_html()).locator(".av")
    assert_marks(root, expect, 7)
    for title, n in {"input": 0, "split": 11, "heads": 5, "merge": 6, "output": 2}.items():
        stage(root, title).locator(f'[data-n="{n}"]').click()
        assert_marks(root, expect, n)
    stage(root, "input").locator('[data-n="0"]').hover()
    assert_marks(root, expect, 2)  # hovering changes nothing
    stage(root, "heads").locator('[data-n="7"]').click()
    assert_marks(root, expect, 7)
    expect(stage(root, "heads").locator("small")).to_have_text("head 1, row b, column 1")
    for way, told in {"wrong split": "Mixed: 4 of 6", "wrong merge": "Mixed: 3 of 3", "right way": "Nothing"}.items():
        root.get_by_role("combobox", name="way").select_option(way)
        expect(root.get_by_role("status")).to_contain_text(told)
        assert_marks(root, expect, 7, way)


def test_other_sizes_are_traced(open_html, expect):
    sizes = [(6, 8, 2), (1, 1, 1), (2, 1, 16)]
    page = open_html("".join(ShapeTracer(*each, way=1).to_html() for each in sizes), theme="dark")
    for root, each in zip(page.locator(".av").all(), sizes, strict=True):
        stage(root, "input").locator("rect").last.click()
        assert_marks(root, expect, math.prod(each) - 1, "wrong split", each)


def test_a_number_is_traced_by_keyboard(open_html, expect):
    root = open_html(ShapeTracer(number=0).to_html()).locator(".av")
    heads = stage(root, "heads")
    heads.focus()
    # The heads hold 0 1 / 4 5 / 8 9 and 2 3 / 6 7 / 10 11. A move beyond an edge changes nothing.
    steps = ("ArrowRight", 1), ("ArrowDown", 5), ("ArrowDown", 9), ("ArrowDown", 3), ("ArrowLeft", 2), ("ArrowUp", 8)
    for key, number in (("ArrowUp", 0), ("ArrowLeft", 0), *steps):
        root.page.keyboard.press(key)
        expect(heads).to_be_focused()
        assert_marks(root, expect, number)
    expect(heads).to_have_attribute("aria-valuetext", "token c, feature 0: head\u00a00, row\u00a0c, column\u00a00")
    root.get_by_role("combobox", name="way").press("ArrowDown")
    assert_marks(root, expect, 8, "wrong split")
