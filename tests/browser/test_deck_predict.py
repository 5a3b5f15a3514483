"""Test Predict in a slide deck: a presenter counts the room's hands by mouse and keys, then shows the answer."""

import subprocess
import sys

import lab_server
import nbformat
import pytest
from accessibility import violations
from deck_page import Deck
from nb.files import COURSE
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

WORDS = ["a", "cold", "wind"]
ASK = 'widgets.Predict("who", "Who wins?", "cold", choices=["a", "cold", "wind"])'
DRAW = 'widgets.Predict("row", "How much?", [0.5, 0.5], bars=["a", "b"])'
NOBODY = "No hands counted yet."
TOUCH = "(button) => button.dispatchEvent(new PointerEvent('click', { pointerType: 'touch', bubbles: true }))"


@pytest.fixture(scope="module")
def deck_file(tmp_path_factory):
    def cell(make, source, **metadata):
        return make(source, metadata={"slideshow": {"slide_type": "slide"}, **metadata})

    folder = tmp_path_factory.mktemp("course")
    notebook = new_notebook(cells=[cell(new_markdown_cell, "# 0 · Winds\n\n**What blows?**")])
    notebook.cells += [
        cell(new_code_cell, "from course_utils import widgets"),
        *(cell(new_code_cell, source, tags=["widget"]) for source in (ASK, DRAW)),
        cell(new_markdown_cell, "## The end"),
    ]
    path = folder / "notebooks" / "00_winds.ipynb"
    path.parent.mkdir()
    nbformat.write(notebook, path)
    command = [sys.executable, COURSE / "tools" / "editions.py", "slides", path, "--into", folder / "slides"]
    subprocess.run(command, check=True)
    return folder / "slides" / "00_winds.html"


class Room(Deck):
    def __init__(self, context, path):
        super().__init__(context, path)
        self.view = self.page.locator(".av:has(.av-hands)")
        self.status = self.view.get_by_role("status")
        self.answer = self.view.get_by_role("button", name="Show")
        self.show(".av-hands")
        self.asked = self.place()

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def number(self, word):
        return self.view.get_by_role("spinbutton", name=word, exact=True)

    def counts(self):
        """Return the count of hands for each word, a list of ints; check that screen readers are told what is shown."""
        inputs = self.view.locator("input").all()  # locator.all() finds them even if the slide is hidden
        told = [int(one.get_attribute("aria-valuenow")) for one in inputs]
        assert [int(one.input_value() or 0) for one in inputs] == told
        return told

    # Return the lengths of the bars, as fractions of the full length.
    def shares(self):
        lab_server.settle(self.page)  # wait for the bars' animation
        read = "bars => bars.map((bar) => bar.firstChild.getBoundingClientRect().width / bar.clientWidth)"
        zoom = self.view.evaluate("view => view.getBoundingClientRect().width / view.offsetWidth")
        return [share / zoom for share in self.view.locator(".av-share").evaluate_all(read)]


@pytest.fixture
def room(context, deck_file):
    room = Room(context, deck_file)
    yield room
    room.page.close()
    assert room.problems == []


def test_count_by_mouse(room, expect):
    expect(room.status).to_have_text(NOBODY)
    assert room.shares() == [0, 0, 0]
    more = [room.view.get_by_role("button", name=f"one more hand for {word}", exact=True) for word in WORDS]
    for which, times in enumerate((2, 5, 1)):
        for _ in range(times):
            more[which].click()
    less = room.view.get_by_role("button", name="one hand less for wind")
    for _ in range(3):  # a count never goes below 0
        less.click()
    assert room.counts() == [2, 5, 0]
    expect(room.status).to_have_text("7 hands.")
    assert room.shares() == pytest.approx([2 / 7, 5 / 7, 0], abs=0.01)
    room.press("4")  # keys act on the word that was clicked last
    assert room.counts() == [2, 5, 4]
    more[0].evaluate(TOUCH)
    assert room.counts() == [3, 5, 4]
    expect(room.number("a")).not_to_be_focused()  # focus would open an on-screen keyboard over the slide
    room.answer.click()
    expect(room.status).to_have_text("5 of 12 hands said so: it is cold.")


def test_count_by_keys_while_the_slide_stands_still_and_what_is_shown_stays(room, expect):
    expect(room.view).not_to_contain_text("✓")
    height = room.view.bounding_box()["height"]
    room.number("a").focus()
    room.press("ArrowRight", "ArrowRight", "+", "=", "ArrowLeft", "-", "ArrowUp")
    room.press("ArrowDown", *["ArrowRight"] * 3, "ArrowDown", "ArrowDown", "ArrowRight", "ArrowLeft", "ArrowLeft")
    assert room.counts() == [2, 3, 0]
    room.press("Space", "s", "n", "Home")
    assert room.place() == room.asked
    expect(room.status).to_have_text("5 hands.")
    room.press("Enter")
    expect(room.status).to_have_text("3 of 5 hands said so: it is cold.")
    expect(room.view.locator(".av-hands > div", has_text="✓ so it is")).to_contain_text("cold")
    assert room.view.get_by_text("✓").count() == 1
    for word in WORDS:
        expect(room.number(word)).to_be_disabled()
    expect(room.view.get_by_role("button")).to_have_count(0)
    room.press("8", "+")
    assert room.counts() == [2, 3, 0]
    assert room.shares() == pytest.approx([2 / 5, 3 / 5, 0], abs=0.01)
    assert room.view.bounding_box()["height"] == pytest.approx(height, abs=1)  # the layout must not shift
    room.press("ArrowRight")  # after Enter, keys move the slides again
    assert room.place() != room.asked


def test_type_numbers_without_entering_the_view_and_wrong_input_loses_nothing(room, expect):
    room.press("1", "2", "ArrowDown", "7", "ArrowDown", "1", "1", "ArrowUp", "8")
    assert room.counts() == [12, 8, 11]
    expect(room.status).to_have_text("31 hands.")
    assert room.shares() == pytest.approx([12 / 31, 8 / 31, 11 / 31], abs=0.01)
    assert room.place() == room.asked
    room.press("Escape")  # Escape keeps the counts
    assert room.counts() == [12, 8, 11]
    room.press("ArrowRight", "3")  # on another slide a number key counts no hands
    assert room.place() != room.asked
    room.press("PageUp")  # a remote control goes back, and on
    assert room.place() == room.asked
    room.press("PageDown")
    assert room.place() != room.asked
    assert room.counts() == [12, 8, 11]
    room.press("PageUp")
    for wrong in ("x", "1x", "-3", "1.5", "e", " "):
        room.number("a").fill(wrong)
        assert room.counts()[0] == 12, wrong
    room.press("Backspace", "Backspace")
    assert room.counts()[0] == 0
    room.press("ArrowDown")
    assert room.number("a").input_value() == "0"
    room.press("9", "9", "9", "9", "ArrowRight")
    assert room.counts()[1] == 999


def test_it_can_be_read_from_afar_and_needs_no_hands_and_the_presenter_alone_draws_bars(room, expect):
    sizes = room.view.evaluate(
        "view => ['legend', '.av-hands label', '.av-hands input', '.av-status'].map((part) => "
        "parseFloat(getComputedStyle(view.querySelector(part)).fontSize) * view.currentCSSZoom)"
    )
    assert min(sizes) >= 24
    assert sizes[0] >= 30  # the size of a slide's text
    target = room.view.get_by_role("button", name="one more hand for a", exact=True).bounding_box()
    assert min(target["width"], target["height"]) >= 44
    room.answer.click()
    expect(room.status).to_have_text("It is cold.")
    expect(room.view.get_by_text("✓ so it is")).to_be_visible()
    assert room.shares() == [0, 0, 0]
    room.show(".av-bars")
    view = room.page.locator(".av:has(.av-bars)")
    expect(view.get_by_role("slider")).to_have_count(2)
    view.get_by_role("slider").first.press("ArrowUp")
    view.get_by_role("button", name="Commit").click()
    expect(view.get_by_role("status")).to_contain_text("The largest share is that of a")


def test_axe_finds_nothing(room):
    for keys in ((), ("2", "ArrowDown", "1"), ("Enter",)):
        room.press(*keys)
        for theme in ("light", "dark"):
            room.page.emulate_media(color_scheme=theme)
            assert violations(room.page, ".view:has(.av-hands)") == []
