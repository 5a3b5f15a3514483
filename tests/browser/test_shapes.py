"""Test that ShapeTracer marks the chosen number where torch has it, by mouse and by keyboard."""

import re

import pytest

from course_utils.widgets import ShapeTracer
from course_utils.widgets.shapes.shapes import paths


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


def test_by_mouse(open_html, expect):
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


@pytest.mark.parametrize("sizes", [(6, 8, 2), (1, 1, 1), (2, 1, 16)])
def test_other_sizes(open_html, expect, sizes):
    root = open_html(ShapeTracer(*sizes, way=1).to_html(), theme="dark").locator(".av")
    last = sizes[0] * sizes[1] * sizes[2] - 1
    stage(root, "input").locator("rect").last.click()
    assert_marks(root, expect, last, "wrong split", sizes)


def test_by_keyboard(open_html, expect):
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
