"""Test every page of the web edition from a file, without network: complete, views work, usable by keyboard."""

import html
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from accessibility import violations
from nb.files import find_notebooks
from nb.format import read_notebook
from paper import assert_prints

NOTEBOOKS = {path.stem: path for path in find_notebooks([])}
STEMS = [*NOTEBOOKS]
PAGES = ["index", "own_model", "sources", *STEMS]
ADDRESS = re.compile(r'<(?:a|link|img|script) [^>]*(?:href|src)="([^"]+)"')
WIDE, PHONE = (1280, 720), (360, 640)
LARGEST = 1_000_000  # bytes of a page's HTML, without its pictures and the files that all pages share
OTHER_VIEWS = ".av:not(.av-predict, .av-quiz)"

# Return where the first thing that can be touched ends, in pixels from the top of the screen.
TO_TOUCH = """() => Math.min(...[...document.querySelectorAll(
    ".av :is([tabindex='0'], input:enabled, select, button:enabled)")]
  .filter((one) => one.getClientRects().length).map((one) => one.getBoundingClientRect().bottom))"""
# Return the headings whose link is cut off, or does not stand beside the first line: it would take a line of its own.
AWRY = """() => [...document.querySelectorAll(".anchor")].filter((link) => {
    const [at, heading] = [link, link.parentElement].map((one) => one.getBoundingClientRect());
    return at.left < 0 || at.right > heading.left || at.bottom > heading.bottom;
  }).map((link) => link.parentElement.textContent)"""
# Return a view's HTML and the values of its controls: everything that a reader can change.
STATE = "view => view.outerHTML + [...view.querySelectorAll('input, select')].map(one => one.value + one.checked)"


def unfold(page):
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")


def addresses(path):
    """Return the addresses to which a page leads, or from which it loads, as the reader's browser sees them, a set."""
    page = re.sub(r"<script>.*?</script>", "", path.read_text("utf-8"), flags=re.DOTALL)
    return {html.unescape(address) for address in ADDRESS.findall(page) if not address.startswith("data:")}


def assert_whole(page):
    """Check a page opened on a phone: views are alive, one is on the first screen, nothing runs out, wide either.

    The list of works has no view.
    """
    views = page.locator(".av-page").count()
    assert views == page.locator(".av-page.av-live").count()
    assert page.evaluate(TO_TOUCH) < PHONE[1] if views else page.locator(".works").count() == 1
    assert page.locator(".av-error:not(:empty)").count() == 0
    assert page.locator(".av-predict :is(th, label)", has_text=re.compile("…$")).all_inner_texts() == []  # cut
    bar = page.locator(".bar")
    for width in (PHONE[0], 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == width, "it runs out on the right"
        assert bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth"), "the bar runs out on the right"
        assert page.evaluate(AWRY) == []


@pytest.mark.parametrize("stem", PAGES)
def test_a_page_is_whole_on_paper_too_used_by_keyboard_and_can_be_read_in_both_themes(open_page, expect, stem):
    page = open_page(stem, size=PHONE)
    assert_whole(page)
    if stem in STEMS:
        assert_prints(page)
        assert_keys_work(page, expect)
    unfold(page)
    broken = "[...document.images].filter((one) => !one.naturalWidth).map((one) => one.src)"
    page.evaluate("for (const one of document.images) one.loading = 'eager'")
    page.wait_for_function("[...document.images].every((one) => one.complete)")
    assert page.evaluate(broken) == []
    assert violations(page) == []  # last, since it changes the page
    page.emulate_media(color_scheme="dark")
    assert violations(page, runOnly=["color-contrast", "link-in-text-block"]) == []
    if stem == "index":  # its own parts; test_axe.py has all views in forced colours
        page.emulate_media(forced_colors="active")
        assert violations(page, runOnly=["color-contrast"]) == []


@pytest.mark.parametrize("stem", [*PAGES, *(f"zh/{stem}" for stem in PAGES)])
def test_all_that_a_page_names_is_there(site, stem):
    page = site / f"{stem}.html"
    inside = {address for address in addresses(page) if "://" not in address}
    assert len(inside) > 10 and not re.search(r'<(?:img|script) [^>]*src="https?:', page.read_text("utf-8"))
    for address in inside:
        path, _, anchor = address.partition("#")
        target = Path(page.parent, path).resolve() if path else page
        assert target.is_file() and site in target.parents, f"{stem} leads to {address}, which is not there"
        ids = map(html.unescape, re.findall(r' id="([^"]*)"', target.read_text("utf-8"))) if anchor else [""]
        assert unquote(anchor) in ids, f"{stem} leads to {address}, and no part is called so"


@pytest.mark.parametrize("stem", STEMS)
def test_a_page_holds_its_notebook(site, stem):
    page, notebook = (site / f"{stem}.html").read_text("utf-8"), read_notebook(NOTEBOOKS[stem])
    assert len(page) < LARGEST
    headings = [cell for cell in notebook.cells[1:] if cell.source.startswith("## ")]
    contents = re.search(r'<nav class="contents".*?</nav>', page, re.DOTALL)[0]
    own = 'href="#your-own-sentence"' in contents  # of the page itself, not of its notebook
    assert contents.count("<li>") == len(headings) + own > 3
    tags = [cell.metadata.get("tags", []) for cell in notebook.cells]
    assert page.count('<details class="solution">') == sum("solution" in one for one in tags)
    assert page.count("av-page") >= sum("widget" in one for one in tags)
    assert page.count("</span>Hint") == sum(cell.source.count("<summary>Hint") for cell in notebook.cells)


def assert_keys_work(page, expect):
    """Check that the first view, prediction and question of a page answer to keys, and that one is on a wide screen."""
    page.set_viewport_size(dict(zip(("width", "height"), WIDE, strict=True)))
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_function(f"({TO_TOUCH})() < {WIDE[1]}")
    unfold(page)
    view = page.locator(OTHER_VIEWS).first
    before = view.evaluate(STATE)
    controls = view.locator("input:enabled, select, [tabindex='0'], button:enabled").locator("visible=true")
    for number in range(min(3, controls.count())):  # the first control may have no effect here
        for key in ("ArrowRight", "ArrowDown", "Space"):
            if view.evaluate(STATE) == before:
                controls.nth(number).press(key)
    assert view.evaluate(STATE) != before, "no key moved anything in the first view"

    guess = page.locator(".av-predict").first
    commit = guess.get_by_role("button", name="Commit")
    field = guess.locator("input, [role=slider], [role=gridcell], [tabindex='0']").first
    for key in ("Space", "ArrowRight", "3"):
        if not commit.is_enabled():
            field.press(key)
    commit.press("Enter")
    expect(guess.get_by_role("status").first).not_to_be_empty()

    question = page.locator(".av-quiz fieldset").first
    question.get_by_role("radio").first.press("Space")
    expect(question.get_by_role("radio").first).to_be_checked()


def test_the_start_page_is_a_game_that_ends_with_the_numbers(open_page, expect):
    page = open_page("index")
    expect(page.locator(".round:visible")).to_have_count(1)
    expect(page.locator(".round .after:visible")).to_have_count(0)
    for number, (name, said) in enumerate({"robot": "and so does the model", "river": "and so does the model",
                                           "door": "The model looks most at piano"}.items()):  # fmt: skip
        current = page.locator(".round:visible")
        current.locator(".av-word", has_text=re.compile(f"^{name}")).click()
        expect(current.get_by_role("status").first).to_contain_text(said)
        expect(current.locator(".after")).to_be_visible()
        if number < 2:
            current.get_by_role("button", name="Next").click()
    page.keyboard.press("Tab")
    page.locator(".round:visible").get_by_role("button", name="Where does").click()
    panel = page.locator(".av-arc:visible")
    link = panel.get_by_role("link", name="notebook 2, Softmax and scaling")
    assert link.get_attribute("href") == "02_softmax_and_scaling.html"
    panel.get_by_role("tab").first.press("ArrowRight")
    expect(panel.get_by_role("tab", selected=True)).to_contain_text("score")
    page.get_by_role("button", name="1 · robot").click()
    expect(page.locator(".round:visible").get_by_role("status").first).to_contain_text("You said robot")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_sentence_keeps_its_place_its_width_and_its_lines_when_the_arcs_come(open_page, expect, size):
    page = open_page("index", size=size)
    assert page.evaluate(TO_TOUCH) < size[1]
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


def test_light_and_dark_by_the_switch_and_the_contents_show_where_one_is(open_page, expect):
    page, paper = open_page(STEMS[1], theme="dark"), "getComputedStyle(document.body).backgroundColor"
    ink = "getComputedStyle(document.querySelector('.av')).color"
    dark = page.evaluate(paper), page.evaluate(ink)
    page.get_by_role("button", name="Light").press("Enter")
    light = page.evaluate(paper), page.evaluate(ink)
    assert dark[0] != light[0] and dark[1] != light[1]
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.get_by_role("button", name="Dark").press("Enter")
    assert (page.evaluate(paper), page.evaluate(ink)) == dark
    part = page.locator(".prose h2").nth(3)
    part.scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, document.querySelectorAll('.prose h2')[3].getBoundingClientRect().top - 80)")
    current = page.locator(".contents a[aria-current]")
    expect(current).to_have_text(part.inner_text().removesuffix("#").strip())


def test_without_scripts_the_text_is_whole(site, browser):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((site / f"{STEMS[1]}.html").as_uri())
    assert page.locator(".prose h2").count() > 5 and page.locator("math").count() > 0
    assert page.locator("figure img").count() > 5
    assert page.locator(".stub").first.is_visible() and not page.locator("form.lines").first.is_visible()
    page.locator("details.solution > summary").first.click()
    assert "def " in page.locator("details.solution pre").first.inner_text()
    page.context.close()


def test_the_first_text_and_all_views_come_soon(site, context):
    path, times = max(site.glob("[0-9]*.html"), key=lambda path: path.stat().st_size), []
    page = context.new_page()
    for _ in range(3):  # the machine may be busy with something else
        page.goto(path.as_uri())
        first = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
        page.wait_for_function(first)
        alive = page.evaluate("performance.timing.loadEventEnd - performance.timing.navigationStart")
        times.append((page.evaluate(first), alive))
    page.close()
    assert min(alive for _, alive in times) < 3000, times  # `make bench` prints these times
