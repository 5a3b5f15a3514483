"""Test the web edition's memory in a real browser: what is kept, what comes back, and what a broken store does."""

import pytest

from course_utils import quiz
from course_utils.widgets import Predict
from course_utils.widgets.shared.modules import bundle

WORDS = ["a", "cold", "wind"]
GUESS = Predict("who", "Who wins?", "cold", choices=WORDS)
STORE = """<script>localStorage.clear = undefined;
Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });</script>"""


def site_page(*views, name="01_a_page", head=""):
    """Return the HTML of a page as the site has them, with the memory's functions in the variable `memory`."""
    # The script stands in a file, as on the site. A script in the page may ask for the store before the browser has
    # heard of the page: Chromium refuses that without a word, and the page finds the store empty.
    head += '<script src="memory.js"></script>'
    body = "".join(view.to_html() for view in views)
    return f'<!doctype html><html data-page="{name}"><meta charset="utf-8">{head}<main>{body}</main></html>'


@pytest.fixture(autouse=True)
def script(nothing_kept, tmp_path):
    (tmp_path / "memory.js").write_text(f"{bundle('memory.js')}const memory = modules['memory.js'];", "utf-8")


def test_values_come_back_by_page_kind_and_name_and_one_that_cannot_be_read_is_none(open_html):
    page = open_html(site_page())
    values = [0, None, "a/b", [1, [2]], {"a": "ä"}]
    assert page.evaluate("values => values.map((value, i) => memory.keep('lines', `n/${i}`, value))", values)
    assert page.evaluate("[0, 1, 2, 3, 4].map((i) => memory.kept('lines', `n/${i}`))") == values
    assert page.evaluate("memory.kept('lines', 'n/0', '02_another') === undefined")
    page.evaluate("memory.keep('lines', 'n/0', 1, '02_another'); memory.keep('quizzes', 'q', 1)")
    assert page.evaluate("memory.counts()") == {"01_a_page": {"lines": 5, "quizzes": 1}, "02_another": {"lines": 1}}
    page.evaluate("localStorage.setItem('attention-course/01_a_page/lines/mask', '{half')")
    assert page.evaluate("memory.kept('lines', 'mask') === undefined && memory.keep('lines', 'mask', 2)")
    assert page.evaluate("memory.kept('lines', 'mask')") == 2


def test_what_other_pages_of_the_host_keep_does_no_harm_and_is_not_forgotten(open_html):
    page = open_html(site_page())
    names = ["__proto__/quizzes/a", "02_another/__proto__/a", "constructor/lines/a", "", "/"]
    page.evaluate("names => names.forEach((name) => localStorage.setItem(`attention-course/${name}`, '1'))", names)
    page.evaluate("memory.keep('lines', 'n', 1)")
    inherited = "(['quizzes', 'lines', '01_a_page'].filter((name) => name in {}))"
    assert page.evaluate(f"Object.entries(memory.counts()).length > 1 && {inherited}") == []
    assert page.evaluate("memory.counts()['01_a_page'].lines") == 1
    page.evaluate("localStorage.setItem('theme', 'dark'); localStorage.setItem('attention-courses', '1')")
    changes = "document.addEventListener(memory.CHANGED, () => (window.changes = (window.changes ?? 0) + 1))"
    page.evaluate(f"{changes}; memory.forget()")
    assert page.evaluate("[memory.counts(), memory.kept('lines', 'n') === undefined, changes]") == [{}, True, 1]
    assert page.evaluate("Object.keys(localStorage).sort()") == ["attention-courses", "theme"]


def test_predictions_and_answers_come_back(open_html, expect):
    page = open_html(site_page(GUESS, quiz.view("start_here")))
    page.get_by_label("wind").check()
    page.get_by_role("button", name="Commit").click()
    question = page.locator(".av-quiz fieldset").nth(1)
    question.get_by_role("radio").nth(2).check()
    question.get_by_role("button", name="Check").click()
    reply = question.get_by_role("status").inner_text()
    assert reply
    page.reload()
    expect(page.get_by_text("You said wind. It is cold.")).to_be_visible()
    expect(page.get_by_role("button", name="Commit")).to_have_count(0)
    expect(question.get_by_role("radio").nth(2)).to_be_checked()
    expect(question.get_by_role("status")).to_have_text(reply)
    expect(page.locator(".av-quiz fieldset").first.get_by_role("status")).to_be_empty()


def test_what_is_no_guess_does_not_come_back_nor_a_guess_to_other_choices(open_html, expect):
    page = open_html(site_page(GUESS))
    page.get_by_label("wind").check()
    page.get_by_role("button", name="Commit").click()
    expect(page.get_by_text("You said wind. It is cold.")).to_be_visible()
    kept = page.evaluate("memory.kept('predictions', 'who')")
    page.evaluate("kept => memory.keep('predictions', 'who', kept)", kept | {"guess": 7})  # another site may keep that
    page.reload()
    expect(page.get_by_text("Not committed yet.")).to_be_visible()
    page.evaluate("kept => memory.keep('predictions', 'who', kept)", kept)
    page = open_html(site_page(Predict("who", "Who wins?", "cold", choices=["cold", "wind"])))
    expect(page.get_by_text("Not committed yet.")).to_be_visible()


def test_without_a_store_everything_works_and_nothing_is_kept(open_html, expect):
    page = open_html(site_page(GUESS, head=STORE))
    page.get_by_label("cold").check()
    page.get_by_role("button", name="Commit").click()
    expect(page.get_by_text("cold: as you said.")).to_be_visible()
    assert page.evaluate("[memory.keep('lines', 'a', 1), memory.counts()]") == [False, {}]
    page.evaluate("memory.forget()")
    page = open_html(site_page().replace(' data-page="01_a_page"', ""))  # a page that is not the site's
    assert page.evaluate("[memory.keep('lines', 'mask', 1), localStorage.length]") == [False, 0]
