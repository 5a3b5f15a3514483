"""Test the ways through the web edition in a real browser: menus, search, what is remembered, and the first screen."""

import html
import json
import re

import pytest
from nb.files import COURSE
from publish import search_index
from test_site import PAGES, STEMS

pytestmark = pytest.mark.usefixtures("nothing_kept")

LAST = STEMS[4]
PER_FILE = """Object.defineProperty(window, "localStorage", { value: { getItem: () => null, setItem() {} } });"""


def answer_a_question(page):
    question = page.locator(".av-quiz fieldset").first
    question.get_by_role("radio").first.check()
    question.get_by_role("button", name="Check").click()


def test_the_menu_leads_everywhere_and_says_where_one_is(open_page, expect):
    page = open_page(LAST)
    page.get_by_text("Notebooks", exact=True).press("Enter")
    links = page.locator("nav[aria-label='All notebooks'] ol a")
    assert links.count() == len(STEMS)
    expect(page.locator("nav [aria-current=page]")).to_have_attribute("data-of", LAST)
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(links.first).to_be_hidden()
    expect(page.get_by_text("Notebooks", exact=True)).to_be_focused()
    page.get_by_label("Next:", exact=False).click()
    page.wait_for_url(f"**/{STEMS[5]}.html")


def test_headings_and_words_are_found(open_page, expect):
    page = open_page(LAST)
    page.keyboard.press("/")
    field = page.get_by_role("searchbox")
    expect(field).to_be_focused()
    field.fill("d_k")
    expect(page.locator(".found a").first).to_contain_text("head_dim")
    field.fill("zebra crossing")
    expect(page.get_by_role("search").get_by_role("status")).to_contain_text("“zebra crossing”")
    field.fill("quiz")
    expect(page.locator(".found a").first).to_have_text(re.compile("^Quiz"))
    field.fill("mask")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".found a").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    for word in ("slides", "teaching", "talk", "handout", "download", "licence", "license"):  # for a teacher
        field.fill(word)
        expect(page.locator(".found a[href^='index.html#']").first, word).to_be_visible()
    field.fill("mask")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"\.html#"))


def test_every_found_entry_is_there_and_the_zip_lies_beside_the_pages(site):
    script = (site / "assets" / "index.js").read_bytes()
    entries = json.loads(script.decode().removeprefix("var courseIndex = ").removesuffix(";\n"))
    assert search_index.script(entries) == script and len(entries) > 200
    ids = {stem: set(re.findall(r' id="([^"]*)"', (site / f"{stem}.html").read_text("utf-8"))) for stem in PAGES}
    missing = [entry for entry in entries if entry[1] and html.escape(entry[1]) not in ids[entry[0]]]
    assert missing == []
    assert (site / "attention-course.zip").stat().st_size > 1e6
    assert (site / "assets" / "LICENSE.txt").read_bytes() == (COURSE / "LICENSE").read_bytes()


def test_the_start_page_goes_on_where_one_was_and_a_button_forgets(open_page, expect):
    page = open_page(LAST)
    answer_a_question(page)
    expect(page.locator(".memory")).to_contain_text("1 of your answers")
    page.locator(".memory button").click()
    expect(page.locator(".memory")).to_contain_text("All forgotten")
    answer_a_question(page)
    expect(page.locator(".memory")).to_contain_text("1 of your answers")
    title = page.locator("h1").inner_text()
    page.locator(".home").click()
    page.wait_for_url("**/index.html")
    expect(page.locator(".so-far").filter(visible=True)).to_contain_text(title)
    expect(page.locator(f".syllabus [data-of='{LAST}'] .done")).to_have_text(re.compile(r"^1 of \d+ done$"))
    assert page.locator(".syllabus .done").count() == 1
    expect(page.locator(".memory")).to_contain_text("1 of your answers")
    page.locator(".memory button").click()
    expect(page.locator(".so-far")).to_be_hidden()
    expect(page.locator(".memory")).to_contain_text("All forgotten")
    assert page.locator(".syllabus .done").count() == 0


KEEP_LAST = "last => localStorage.setItem('attention-course/index/place/last', JSON.stringify(last))"


def test_a_page_read_last_that_is_none_of_the_courses_is_no_link(open_page, expect):
    """Other pages of the same host can write into the same store. A part that is none leads to the top of its page."""
    page, rest = open_page("index"), {"title": "<b>Read</b> on", "anchor": "", "part": ""}
    pages = [rest | {"page": name} for name in ("javascript:alert(1)//", "https://example.org/index", "99_gone", None)]
    for last in (*pages, rest, "javascript:alert(1)//", 3):
        page.evaluate(KEEP_LAST, last)
        page.reload()
        expect(page.locator(".memory").filter(visible=True), str(last)).to_contain_text("Kept in this browser")
        expect(page.locator(".so-far"), str(last)).to_be_hidden()
        assert page.locator(".so-far a").count() == 0, last
    link = page.locator(".so-far a")
    for anchor, leads in (("#a-part", "#a-part"), ("/../../other.html", ""), (None, ""), (5, "")):
        page.evaluate(KEEP_LAST, rest | {"page": LAST, "anchor": anchor})
        page.reload()
        expect(link, str(anchor)).to_have_text("<b>Read</b> on")
        expect(link, str(anchor)).to_have_attribute("href", f"{LAST}.html{leads}")


def test_the_start_page_leads_to_each_kind_of_page_that_was_read_last_and_a_commit_opens_its_answer(open_page, expect):
    for stem in ("own_model", f"zh/{LAST}", STEMS[0]):
        page = open_page(stem)
        start = open_page(f"{stem.rpartition('/')[0]}/index".lstrip("/"))
        expect(start.locator(".so-far a"), stem).to_contain_text(page.locator("h1").inner_text())
    guess = page.locator(".av-predict").first
    guess.get_by_role("radio").first.check()
    answer = page.locator(".view:has(.av-predict) + details.answer").first
    assert answer.evaluate("one => one.open") is False
    guess.get_by_role("button", name="Commit").click()
    expect(answer).to_have_attribute("open", "")


def test_the_start_page_follows_what_is_done_elsewhere(open_page, expect):
    """In another tab; and on the next page, from which the browser leads back to this one as it was left."""
    start, page = open_page("index"), open_page(LAST)
    done = start.locator(f".syllabus [data-of='{LAST}'] .done")
    expect(start.locator(".so-far")).to_contain_text(page.locator("h1").inner_text())
    answer_a_question(page)
    expect(done).to_have_text(re.compile(r"^1 of \d+ done$"))
    page.get_by_role("button", name="Dark").click()
    expect(start.locator("html")).to_have_attribute("data-theme", "dark")
    start.evaluate(
        "localStorage.setItem('theme', 'light'); localStorage.removeItem('attention-course/index/place/last')"
    )
    start.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(start.locator("html")).to_have_attribute("data-theme", "light")
    expect(start.locator(".so-far")).to_be_hidden()
    start.evaluate("localStorage.setItem('theme', 'sepia')")  # a theme that the course does not have is none
    start.emulate_media(color_scheme="dark")
    start.reload()
    expect(start.locator("html")).to_have_attribute("data-theme", "dark")
    expect(start.get_by_role("button", name="Light")).to_be_visible()


def test_a_browser_that_keeps_each_file_apart_is_told_of_once(site, context, expect):
    page = context.new_page()
    page.add_init_script(f"if (location.pathname.endsWith('store.htm')) {PER_FILE}")
    page.goto((site / "index.html").as_uri())
    expect(page.locator(".memory")).to_contain_text("for each page alone")
    page.goto((site / f"{LAST}.html").as_uri())
    expect(page.locator(".memory")).to_contain_text("Kept in this browser alone")
    page.close()
