"""Test Writer by mouse and keyboard: live in JupyterLab, and replayed in an exported page."""

import re
from pathlib import Path

import made_up_writer
import pytest
from made_up_writer import MadeUp

from course_utils.widgets import Writer

TEXT = "the robot could"
FIRST = " the robot could not climb hill because it".split()
MAKE = f"{Path(made_up_writer.__file__).read_text('utf-8')}\nfrom course_utils.widgets import Writer"

BROKEN = """class Broken(MadeUp):
    def write(self, *arguments, **options):
        yield next(super().write(*arguments, **options))
        1 / 0"""


class WriterPage:
    def __init__(self, root, expect):
        self.root, self.expect = root, expect
        self.words, self.status = root.locator(".av-word"), root.locator(".av-status")

    def press(self, name):
        self.root.get_by_role("button", name=name, exact=True).click()

    def has(self, words, end=""):
        self.expect(self.words).to_have_text([re.compile(f"^\\s*{re.escape(word)}$") for word in words])
        self.expect(self.status).to_contain_text(end)

    def table(self, number):
        return self.root.locator("table").nth(number)

    def widths(self):
        return self.root.locator("path").evaluate_all("all => all.map((path) => +path.getAttribute('stroke-width'))")


# Keep the heights that a view's text has from now on, and whether its status was hidden.
WATCH = """view => {
  const [text, status] = [view.querySelector(".av-text"), view.querySelector(".av-status")];
  Object.assign(window, { heights: new Set(), hidden: false });
  new ResizeObserver(() => heights.add(text.offsetHeight)).observe(text);
  const look = () => (window.hidden ||= getComputedStyle(status).visibility === "hidden");
  new MutationObserver(look).observe(status, { attributes: true });
}"""


def exported(open_html, expect, **options):
    view = Writer(MadeUp(), TEXT, num_new=5, **options)
    view.branch = view._write_one(0, 2, 1.5)["branch"]
    view.write(2, 1.5)
    view.branch = 0
    view.shown, view.token = 5, 7
    page = open_html(view.to_html())
    page.get_by_role("button", name="Use this view").press("Enter")
    return WriterPage(page.locator(".av"), expect), view


def test_it_writes_through_the_kernel_and_is_used_by_keyboard_alone(open_notebook, expect):
    page = open_notebook([MAKE, f"view = Writer(MadeUp(), '{TEXT}', most=8)\nview"])
    view = WriterPage(page.locator(".av"), expect)
    play = view.root.get_by_role("button", name="Play")
    view.has(FIRST[:4], "not had a share of")
    play.focus()
    for key, words, end in (("Enter", FIRST[:5], "climb had a share of"), (" ", FIRST[:4], "not had")):
        page.keyboard.press("Tab")  # to One on, and to Back
        page.keyboard.press(key)
        view.has(words, end)
    page.keyboard.press("Tab")
    temperature = view.root.get_by_role("combobox", name="temperature")
    expect(temperature).to_be_focused()
    play.press("Enter")
    expect(view.root.locator(".av-note")).to_contain_text("8 tokens are written")
    view.has([*FIRST, *"was too weak".split()], "weak had a share")
    expect(play).to_be_visible()
    temperature.press("End")
    expect(temperature).to_have_value("2")
    view.words.nth(8).press("ArrowLeft")
    expect(view.words.nth(7)).to_be_focused()
    view.root.get_by_role("button", name="Write anew from here").press("Enter")
    text = view.root.get_by_role("combobox", name="text")
    expect(text).to_have_value(re.compile("^2 · temperature 2 from "))
    expect(view.root.locator(".av-note")).to_contain_text("8 tokens are written")
    expect(view.words).to_have_count(11)
    text.select_option(index=0)
    view.has([*FIRST, *"was too weak".split()], "weak had a share")


def test_a_stop_acts_while_the_kernel_writes_and_an_error_of_the_model_stands_in_the_view(open_notebook, expect):
    slow, broken = f"Writer(MadeUp(slow=0.5), '{TEXT}', most=200)", f"Writer(Broken(), '{TEXT}', heads=[(0, 1)])"
    page = open_notebook([MAKE, BROKEN, slow, broken])
    view, other = (WriterPage(page.locator(".av").nth(number), expect) for number in (0, 1))
    view.press("Play")
    view.words.nth(5).wait_for()
    view.press("Stop")
    expect(view.root.get_by_role("button", name="Play")).to_be_visible()
    count = view.words.count()
    for number in (1, 2):  # a kernel that wrote on would have sent more tokens than those asked for
        view.press("One on")
        expect(view.words).to_have_count(count + number)
    other.press("Play")
    expect(other.root.get_by_role("alert")).to_have_text("ZeroDivisionError: division by zero")
    expect(other.root.get_by_role("button", name="Play")).to_be_visible()


def test_an_exported_page_replays_what_was_recorded_by_mouse_and_by_keyboard(open_html, expect):
    view, made = exported(open_html, expect)
    page = view.root.page
    expect(view.root.get_by_role("button", name="Play")).to_be_focused()
    view.has(FIRST, made.alt().partition("; ")[2])
    expect(view.root.get_by_text("a recording")).to_be_visible()
    expect(view.root.get_by_role("button", name="Write anew")).to_be_hidden()
    for name in ("One on", "Back"):
        page.keyboard.press("Tab")
        expect(view.root.get_by_role("button", name=name)).to_be_focused()
    page.keyboard.press("Enter")
    view.has(FIRST[:7], "because had")
    for _ in ("text", "layer", "head", "choose", "words"):
        page.keyboard.press("Tab")
    expect(view.words.nth(6)).to_be_focused()
    for key, word in {"ArrowLeft": 5, "Home": 0, "End": 6}.items():
        page.keyboard.press(key)
        expect(view.words.nth(word)).to_be_focused()
        expect(view.words.nth(word)).to_be_checked()
    view.press("Back")
    view.has(FIRST[:6], "hill had a share of")
    view.press("One on")
    view.has(FIRST[:7], "because had a share of")
    view.press("Play")
    view.has(FIRST, "it had a share of")
    page.set_viewport_size({"width": 320, "height": 640})  # so that the text takes several lines
    view.root.evaluate(WATCH)
    view.press("Play")  # once more, from the beginning
    view.has(FIRST, "it had a share of")
    expect(view.root.locator(".av-status")).to_be_visible()
    assert page.evaluate("hidden"), "while the text grows, nothing is said of the token at which that began"
    assert page.evaluate("heights.size") == 1, "what stands below must not move while the text grows"
    view.root.get_by_role("combobox", name="text").select_option(index=1)
    made.branch, made.shown, made.token = 1, 5, 7
    view.has([*FIRST[:5], *(name.strip() for name in made._now[0][5:])], made.alt().partition("; ")[2])


def test_a_recording_is_decoded_when_the_reader_touches_its_picture(open_html, expect):
    one, other = Writer(MadeUp(), TEXT, num_new=2), Writer(MadeUp(), TEXT, num_new=3)
    count = "window.decoded = 0; const before = window.atob; window.atob = (text) => (decoded++, before(text));"
    page = open_html(f"<script>{count}</script>" + one.to_html() + other.to_html())
    expect(page.locator(".av-page > figure img")).to_have_count(2)
    assert page.evaluate("decoded") == 0 and page.locator(".av-word").count() == 0
    page.locator(".av-page > figure img").nth(1).click()
    WriterPage(page.locator(".av-page").nth(1), expect).has(FIRST[:6], other.alt().partition("; ")[2])
    expect(page.locator(".av-page > figure img")).to_have_count(1)
    assert page.evaluate("decoded") == 1


def test_a_token_shows_its_candidates_its_arcs_and_the_heads_that_looked_at_it(open_html, expect):
    view, made = exported(open_html, expect)
    page = view.root.page
    for token, head in ((4, 2), (7, 5), (3, 0)):
        view.words.nth(token).click()
        view.root.get_by_role("combobox", name="layer").select_option(str(head // 3))
        view.root.get_by_role("combobox", name="head").select_option(str(head % 3))
        made.token, made.head = token, head
        expect(view.status).to_have_text(made.alt().partition("; ")[2])
        drawn = [weight for weight in made._now[4] if weight >= 0.005]
        assert view.widths() == pytest.approx([max(0.8, 12 * weight) for weight in drawn], abs=0.051)
        candidates = made._now[2]["candidates"]
        expect(view.table(0).locator("tr")).to_have_count(len(candidates))
        expect(view.table(0).locator(".av-taken")).to_contain_text(f"{candidates[0][1]:.2f} ✓")
    view.words.nth(0).click()
    expect(view.status).to_have_text("the was given, not written.")
    view.words.nth(6).click()
    view.words.nth(6).press("Shift+Tab")  # to the choice of the direction
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    expect(view.table(1).locator("caption")).to_have_text("Heads that looked most at the")
    view.words.nth(2).click()
    expect(view.table(1).locator("caption")).to_have_text("Heads that looked most at could")
    rows = [made._written.row(0, 3, head)[2] for head in range(6)]
    first = made.heads[max(range(6), key=rows.__getitem__)]
    button = view.table(1).get_by_role("button").first
    expect(button).to_have_text(f"layer {first[0]}, head {first[1]}")
    button.press("Enter")
    expect(button).to_be_focused()
    expect(view.status).to_contain_text(f"Layer {first[0]}, head {first[1]} looked most at could")
