"""Test the game of the start page in a real browser: on a phone, on a wide screen, and by keyboard alone."""

import pytest

pytest.importorskip("latex2mathml", reason="the extra `slides` is not installed: make test-browser installs it")

SIZES = [(1280, 720), (360, 640)]


@pytest.mark.parametrize("size", SIZES, ids=["wide", "phone"])
def test_the_sentence_keeps_its_place_its_width_and_its_lines_when_the_arcs_come(open_page, expect, size):
    page = open_page("index")
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.reload()
    text = page.locator(".game .now .av-text")
    words = text.locator(".av-word")
    lines = "(words) => new Set(words.map((word) => word.offsetTop)).size"
    place = "({ parentElement, offsetTop, offsetWidth }) => [offsetTop - parentElement.offsetTop, offsetWidth]"
    before = text.evaluate(place), words.evaluate_all(lines)
    words.nth(2).click()
    expect(page.locator(".game .now .after")).to_be_visible()
    assert (text.evaluate(place), words.evaluate_all(lines)) == before
    reply = page.locator(".game .now [role=status]").first
    expect(reply).to_contain_text("so does the model")
    expect(reply).to_be_in_viewport(ratio=1)
    assert page.locator(".game .now .after").bounding_box()["y"] > text.bounding_box()["y"]


def test_up_and_down_look_for_a_word_and_leave_the_question_as_it_is(open_page, expect):
    page = open_page("index")
    page.set_viewport_size({"width": 360, "height": 640})
    page.reload()
    words = page.locator(".game .now .av-word")
    words.first.focus()
    page.keyboard.press("ArrowDown")
    expect(words.first).not_to_be_focused()
    expect(page.locator(".game .now .av-word:focus")).to_have_count(1)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(words.first).to_be_focused()
    expect(page.locator(".game .now .av-asking")).to_have_text("it")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".game .now [role=status]").first).to_contain_text("You said robot")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
