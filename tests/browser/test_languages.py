"""Test the web edition in Chinese: whole, with a twin in English for each page, readable, and chosen by the reader."""

import re

import pytest
from accessibility import violations
from paper import assert_prints
from test_site import PAGES, PHONE, addresses, assert_whole, unfold

OPENED = ["index", "00_start_here", "04_causal_masking"]
COUNTED = ("<h2", "<table>", "<li>", "<summary>", 'class="answer"', 'class="solution"', 'class="stub"')


@pytest.mark.parametrize("stem", PAGES)
def test_each_page_has_a_twin_with_the_same_parts(site, stem):
    english, chinese = site / f"{stem}.html", site / "zh" / f"{stem}.html"
    assert f"zh/{stem}.html" in addresses(english) and f"../{stem}.html" in addresses(chinese)
    one, other = english.read_text("utf-8"), chinese.read_text("utf-8")
    assert '<html lang="en" ' in one and '<html lang="zh-Hans" ' in other and 'hreflang="en"' in other
    if stem != "index":
        assert [one.count(part) for part in COUNTED] == [other.count(part) for part in COUNTED]


def test_nothing_is_built_twice(site):
    made = {path.relative_to(site / "zh").parts[0] for path in (site / "zh").iterdir()}
    assert made == {"assets", "notebooks", "slides", *(f"{stem}.html" for stem in PAGES)}
    assert {path.name for path in (site / "zh" / "assets").iterdir()} == {"index.js", "words.js"}


@pytest.mark.parametrize("stem", OPENED)
def test_a_chinese_page_is_whole_and_can_be_read(open_page, stem):
    page = open_page(f"zh/{stem}", size=PHONE)
    assert_whole(page)
    if stem != "index":
        assert_prints(page)
    unfold(page)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, runOnly=["color-contrast", "link-in-text-block"]) == []


def test_chinese_words_are_found_inside_of_others_and_a_check_reports_in_chinese(open_page, expect):
    page = open_page("zh/index")
    form = page.locator("form.lines")
    form.get_by_role("button", name="检查").click()
    expect(form.locator(".report")).to_contain_text(re.compile("[\u4e00-\u9fff]{4}"))
    page.keyboard.press("/")
    page.get_by_role("searchbox").fill("掩码")
    expect(page.locator(".found a", has_text="因果掩码").first).to_be_visible()
    page.get_by_role("searchbox").fill("斑马线")
    expect(page.get_by_role("search").get_by_role("status")).to_contain_text("没有一页有“斑马线”这个词")


def test_the_browser_decides_at_the_first_visit_and_the_reader_after_that(site, browser, expect):
    def visitor(locale):
        page = browser.new_page(locale=locale)
        page.goto((site / "index.html").as_uri())
        return page

    for locale in ("en-GB", "fr-FR"):
        expect(visitor(locale).locator("html"), locale).to_have_attribute("lang", "en")
    page = visitor("zh-CN")
    page.wait_for_url("**/zh/index.html")
    page.get_by_role("link", name="English").click()
    page.wait_for_url("**/site/index.html#text")
    page.goto((site / "index.html").as_uri())
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("link", name="中文").click()
    page.wait_for_url("**/zh/index.html#text")
    page.evaluate("localStorage.setItem('language', 'fr')")  # another site on the same host may have kept that
    page.goto((site / "index.html").as_uri())
    page.wait_for_url("**/zh/index.html")
