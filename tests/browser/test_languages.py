"""Test the web edition in Chinese: whole, with a twin in English for each page, readable, and chosen by the reader."""

import html
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from accessibility import violations
from nb.files import find_notebooks

pytest.importorskip("latex2mathml", reason="the extra `slides` is not installed: make test-browser installs it")

STEMS = ["index", *(path.stem for path in find_notebooks([]))]
OPENED = ["index", "00_start_here", "04_causal_masking"]
ADDRESS = re.compile(r'<(?:a|link|img|script) [^>]*(?:href|src)="([^"]+)"')
COUNTED = ("<h2", "<table>", "<li>", "<summary>", 'class="answer"', 'class="solution"', 'class="stub"')


def addresses(path):
    """Return the addresses to which a page leads, or from which it loads, as the reader's browser sees them."""
    page = re.sub(r"<script>.*?</script>", "", path.read_text("utf-8"), flags=re.DOTALL)
    return {html.unescape(address) for address in ADDRESS.findall(page) if not address.startswith("data:")}


@pytest.mark.parametrize("stem", STEMS)
def test_each_page_has_a_twin_with_the_same_parts(site, stem):
    english, chinese = site / f"{stem}.html", site / "zh" / f"{stem}.html"
    assert f"zh/{stem}.html" in addresses(english) and f"../{stem}.html" in addresses(chinese)
    one, other = english.read_text("utf-8"), chinese.read_text("utf-8")
    assert '<html lang="en" ' in one and '<html lang="zh-Hans" ' in other and 'hreflang="en"' in other
    if stem != "index":
        assert [one.count(part) for part in COUNTED] == [other.count(part) for part in COUNTED]


@pytest.mark.parametrize("stem", STEMS)
def test_all_that_a_chinese_page_names_is_there(site, stem):
    page = site / "zh" / f"{stem}.html"
    outside = {address for address in addresses(page) if "://" in address and "<a " not in address}
    assert not any(re.search(rf'src="{re.escape(address)}"', page.read_text("utf-8")) for address in outside)
    for address in addresses(page) - outside:
        path, _, anchor = address.partition("#")
        target = Path(page.parent, path).resolve() if path else page
        assert target.is_file() and site in target.parents, f"{stem} leads to {address}, which is not there"
        ids = map(html.unescape, re.findall(r' id="([^"]*)"', target.read_text("utf-8"))) if anchor else [""]
        assert unquote(anchor) in ids, f"{stem} leads to {address}, and no part is called so"


def test_nothing_is_built_twice(site):
    made = {path.relative_to(site / "zh").parts[0] for path in (site / "zh").iterdir()}
    assert made == {"assets", "notebooks", *(f"{stem}.html" for stem in STEMS)}
    assert {path.name for path in (site / "zh" / "assets").iterdir()} == {"index.js", "words.js"}


@pytest.mark.parametrize("stem", OPENED)
def test_a_chinese_page_is_whole_and_can_be_read(open_page, stem):
    page = open_page(f"zh/{stem}")
    assert page.locator(".av-page").count() == page.locator(".av-page.av-live").count() > 0
    assert page.locator(".av-error:not(:empty)").count() == 0
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == width, "it runs out on the right"
    bar = page.locator(".bar")
    assert bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth"), "the bar runs out on the right"
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, runOnly=["color-contrast", "link-in-text-block"]) == []


def test_chinese_words_are_found_inside_of_others(open_page, expect):
    page = open_page("zh/04_causal_masking")
    page.keyboard.press("/")
    page.get_by_role("searchbox").fill("掩码")
    expect(page.locator(".found a", has_text="因果掩码").first).to_be_visible()
    page.get_by_role("searchbox").fill("斑马线")
    expect(page.get_by_role("search").get_by_role("status")).to_contain_text("没有“斑马线”")


def test_a_check_of_open_lines_reports_in_chinese(open_page, expect):
    page = open_page("zh/index")
    form = page.locator("form.lines")
    form.get_by_role("button", name="检查").click()
    expect(form.locator(".report")).to_contain_text(re.compile("[\u4e00-\u9fff]{4}"))


@pytest.fixture
def visitor(site, browser):
    """Return visitor(locale), which opens the start page in a new browser of this language and returns it."""
    contexts = []

    def visitor(locale):
        contexts.append(browser.new_context(locale=locale))
        page = contexts[-1].new_page()
        page.goto((site / "index.html").as_uri())
        return page

    yield visitor
    for context in contexts:
        context.close()


def test_the_browser_decides_at_the_first_visit_and_the_reader_after_that(visitor, site, expect):
    page = visitor("zh-CN")
    page.wait_for_url("**/zh/index.html")
    page.get_by_role("link", name="English").click()
    page.wait_for_url("**/site/index.html#text")
    page.goto((site / "index.html").as_uri())
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("link", name="中文").click()
    page.wait_for_url("**/zh/index.html#text")


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_others_begin_in_english(visitor, expect, locale):
    expect(visitor(locale).locator("html")).to_have_attribute("lang", "en")
