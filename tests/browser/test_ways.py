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
    expect(page.get_by_role("search").get_by_role("status")).to_contain_text("all the words “zebra crossing”")
    field.fill("zebra")
    expect(page.get_by_role("search").get_by_role("status")).to_contain_text("No page has the word “zebra”")
    field.fill("quiz")
    expect(page.locator(".found a").first).to_have_text(re.compile("^[Qq]uiz"))
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


def test_a_teacher_is_three_taps_from_a_deck_and_from_its_page(open_page, expect):
    stem = STEMS[4]
    for label, leads in (("Slides", f"slides/{stem}"), ("For the presenter", f"teaching_{stem}")):
        page = open_page("index")
        page.locator(f".syllabus [data-of='{stem}']").click()
        page.get_by_role("link", name=label, exact=True).click()
        page.wait_for_url(f"**/{leads}.html")
    page.get_by_role("link", name="Slides", exact=True).click()
    page.wait_for_url(f"**/slides/{stem}.html*")
    expect(page.locator(".reveal .slides section").first).to_be_attached()


def test_every_found_entry_is_there_and_the_zip_lies_beside_the_pages(site):
    script = (site / "assets" / "index.js").read_bytes()
    index = json.loads(script.decode().removeprefix("var courseIndex = ").removesuffix(";\n"))
    assert search_index.script(**index) == script and len(index["names"]) > 200 and len(index["texts"]) > 300
    assert len(script) < 1_500_000
    ids = {stem: set(re.findall(r' id="([^"]*)"', (site / f"{stem}.html").read_text("utf-8"))) for stem in PAGES}
    entries = index["names"] + index["texts"]
    missing = [entry for entry in entries if entry[1] and html.escape(entry[1]) not in ids[entry[0]]]
    assert missing == []
    assert (site / "attention-course.zip").stat().st_size > 1e6
    assert (site / "assets" / "LICENSE.txt").read_bytes() == (COURSE / "LICENSE").read_bytes()


# What people type -> the notebooks one of which they look for.
ASKED = {
    "multi-head attention": "06 07", "RoPE": "09 14", "rotary": "09 14", "KV cache": "11 14", "ALiBi": "09",
    "regularization": "05", "overfitting": "05", "encoder": "00 04 08", "sliding window": "11", "GQA": "11 14",
    "MHA": "06 07 10 11", "attention sink": "11 13", "induction head": "12", "key_padding_mask": "08 10",
    "cross attention": "08", "perplexity": "02 14", "RMSNorm": "14", "is_causal": "04 10", "ablation": "06 13",
    "temperature": "02 14", "buffer": "04", "teacher forcing": "04", "unembedding": "12 14", "patches": "15",
}  # fmt: skip
ASKED_IN_CHINESE = {
    "多头注意力": "06 07", "位置编码": "09", "键值缓存": "11 14", "RoPE": "09 14", "掩码": "04 08", "归纳头": "12",
    "attention sink": "11 13", "暂退法": "05",
}  # fmt: skip


@pytest.mark.parametrize("folder, asked", [("", ASKED), ("zh/", ASKED_IN_CHINESE)])
def test_what_people_type_leads_to_where_it_stands(open_page, expect, folder, asked):
    page = open_page(f"{folder}{LAST}")
    page.keyboard.press("/")
    for word, numbers in asked.items():
        page.get_by_role("searchbox").fill(word)
        expect(page.locator(".found a").first, word).to_be_visible()
        first = [link.get_attribute("href")[:2] for link in page.locator(".found a").all()[:3]]
        assert set(first) & set(numbers.split()), f"{word}: {first}"


def test_a_passage_that_is_found_is_shown(open_page, expect):
    page = open_page(LAST)
    page.keyboard.press("/")
    page.get_by_role("searchbox").fill("leftmost two")
    expect(page.get_by_role("search").get_by_role("status")).to_contain_text("No passage has all the words")
    page.get_by_role("searchbox").fill("teacher forcing")
    expect(page.locator(".found mark").first).to_have_text(re.compile("teacher", re.IGNORECASE))
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"\.html#"))
    expect(page.locator(":target")).to_be_in_viewport()


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
