"""Test the guess before the arcs of a SentenceView, by mouse, by touch and by keyboard."""

import pytest
from accessibility import violations

from course_utils import data
from course_utils.widgets import SentenceView

WEAK, STEEP = (data.load("sentence_pairs")[word] for word in ("weak", "steep"))
IT, ROBOT, HILL = (WEAK.tokens.index(word) for word in ("it", "robot", "hill"))
ROW = WEAK.attn_weights[3, 1, IT]
HEARD = """() => { window.heard = [];
    addEventListener("attention-course-guessed", ({ detail }) => window.heard.push(detail.isRight)); }"""


@pytest.fixture
def view(open_html):
    """Return the page of a view that asks first; what it tells the page is in `window.heard`."""
    options = {"compare": STEEP.attn_weights[3, 1:2], "compare_tokens": STEEP.tokens, "guess": True}
    page = open_html(SentenceView(WEAK.attn_weights[3, 1:2], WEAK.tokens, query=IT, **options).to_html())
    page.evaluate(HEARD)
    return page


def shows_nothing(page, expect):
    """Check that neither arcs nor weights are in sight."""
    expect(page.get_by_role("status").first).to_have_text("Tap the word that you think “it” looks at.")
    expect(page.locator(".av-text path")).to_have_count(0)
    assert "".join(page.locator(".av-word small").all_inner_texts()) == ""
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)


def test_a_wrong_guess_is_told_and_the_arcs_come(view, expect):
    shows_nothing(view, expect)
    view.locator(".av-word").nth(ROBOT).hover()
    shows_nothing(view, expect)  # pointing at a word does not tell
    view.locator(".av-word").nth(HILL).click()
    words = f"You said hill ({ROW[HILL]:.2f}). The model looks most at robot ({ROW[ROBOT]:.2f})."
    expect(view.get_by_role("status").first).to_have_text(words)
    expect(view.locator(".av-word").nth(HILL)).to_have_class("av-word av-guessed")
    expect(view.locator(".av-text path")).to_have_count(int((ROW >= 0.005).sum()))
    assert view.evaluate("window.heard") == [False]
    view.mouse.move(0, 0)
    view.locator(".av-word").nth(ROBOT).click()  # from now on a click chooses the word whose arcs are shown
    expect(view.get_by_role("status").first).to_contain_text("robot looks most at")
    view.locator(".av-toggle label", has_text="steep").click()
    expect(view.get_by_role("radio", name="steep").first).to_be_checked()


def test_by_keyboard(view, expect):
    view.keyboard.press("Tab")
    expect(view.locator(".av-word").first).to_be_focused()
    for key in ("End", "Home", "ArrowRight", "ArrowRight"):
        view.keyboard.press(key)
    expect(view.locator(".av-word").nth(ROBOT)).to_be_focused()
    shows_nothing(view, expect)
    view.keyboard.press("Enter")
    words = f"You said robot, and so does the model: it looks most at robot ({ROW[ROBOT]:.2f})."
    expect(view.get_by_role("status").first).to_have_text(words)
    expect(view.locator(".av-word").nth(IT)).to_be_focused()
    assert view.evaluate("window.heard") == [True]


def test_it_is_accessible_before_and_after(view, expect):
    assert violations(view, ".av") == []
    expect(view.get_by_role("radiogroup", name="Word that you think “it” looks at")).to_be_visible()
    view.locator(".av-word").nth(ROBOT).click()
    expect(view.locator(".av-text path").first).to_be_visible()
    assert violations(view, ".av") == []
