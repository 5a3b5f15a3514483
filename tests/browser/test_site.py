"""Every page of the web edition, opened from a file without network: whole, alive, and led by the keyboard."""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest
from notebook_files import COURSE, find_notebooks

SITE = COURSE / "build" / "site"
STEMS = [path.stem for path in find_notebooks([])]
PAGES = ["index", *STEMS]
LARGEST = 1_000_000  # bytes of a page, without what all share


@pytest.fixture(scope="session")
def site():
    """The site, as `make site` builds it; what was collected of the views before is used again."""
    subprocess.run([sys.executable, COURSE / "tools" / "site.py"], check=True)
    return SITE


@pytest.fixture
def open_page(site, context):
    """open_page(stem, theme="light") -> the page; what it asks outside its folder, and what it complains of, fails."""
    opened, problems = [], []

    def refuse(route):
        problems.append(f"asked for {route.request.url[:200]}")
        route.abort()

    def open_page(stem, theme="light"):
        page = context.new_page()
        opened.append(page)
        page.emulate_media(color_scheme=theme)
        page.route(re.compile(f"^(?!{re.escape(site.as_uri())}/|data:|blob:)"), refuse)
        page.on("console", lambda message: problems.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("requestfailed", lambda request: problems.append(f"failed: {request.url[:200]}"))
        page.goto((site / f"{stem}.html").as_uri())
        return page

    yield open_page
    for page in opened:
        page.close()
    assert problems == []


@pytest.mark.parametrize("stem", PAGES)
def test_a_page_is_alive_and_its_links_lead_somewhere(open_page, site, stem):
    page = open_page(stem)
    assert page.locator(".av-page").count() == page.locator(".av-page.av-live").count() > 0
    assert page.locator(".av-error:not(:empty)").count() == 0
    links = page.locator("a[href]").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    inside = {link for link in links if "://" not in link}
    assert len(inside) > 10
    for link in inside:
        path, _, anchor = link.partition("#")
        target = site / path if path else site / f"{stem}.html"
        assert target.is_file(), f"{stem} leads to {link}, which is not there"
        ids = re.findall(r' id="([^"]*)"', target.read_text("utf-8")) if anchor else ()
        assert not anchor or unquote(anchor) in ids, f"{stem} leads to {link}, and no part is called so"
    assert page.evaluate("document.querySelectorAll('.contents a').length") == len(
        page.locator(".prose h2").all()
    )


@pytest.mark.parametrize("stem", PAGES)
@pytest.mark.parametrize("width", [360, 1280])
def test_a_page_fits_its_window(open_page, stem, width):
    page = open_page(stem)
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("stem", STEMS)
def test_a_page_is_small(site, stem):
    assert (site / f"{stem}.html").stat().st_size < LARGEST


@pytest.mark.parametrize("stem", STEMS)
def test_a_prediction_and_a_question_are_answered_by_keyboard(open_page, expect, stem):
    page = open_page(stem)
    guess = page.locator(".av").filter(has=page.get_by_role("button", name="Commit")).first
    field = guess.locator("input, [role=gridcell], button[aria-pressed]").first
    field.focus()
    page.keyboard.press("Space" if field.get_attribute("type") != "range" else "ArrowRight")
    expect(guess.get_by_role("button", name="Commit")).to_be_enabled()
    guess.get_by_role("button", name="Commit").press("Enter")
    expect(guess.get_by_role("status")).not_to_be_empty()
    question = page.get_by_role("group").filter(has=page.get_by_role("button", name="Check")).first
    question.get_by_role("radio").first.press("Space")
    question.get_by_role("button", name="Check").press("Enter")
    expect(question.locator("[role=status], output").first).not_to_be_empty()


def test_what_a_prediction_asks_for_is_folded(open_page, expect):
    page = open_page(STEMS[2])
    answers = page.locator("details.answer")
    assert answers.count() >= page.locator(".prose", has_text="Predict first.").count() > 3
    assert page.locator("details.answer[open]").count() == 0
    answers.first.locator("summary").press("Enter")
    expect(answers.first.locator("pre, figure").first).to_be_visible()


def test_light_and_dark_by_the_switch(open_page):
    page, paper = open_page(STEMS[0], theme="dark"), "getComputedStyle(document.body).backgroundColor"
    ink = "getComputedStyle(document.querySelector('.av')).color"
    dark = page.evaluate(paper), page.evaluate(ink)
    page.get_by_role("button", name="Light").press("Enter")
    light = page.evaluate(paper), page.evaluate(ink)
    assert dark[0] == light[1].replace("28, 28, 28", "20, 20, 20") or dark != light
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.get_by_role("button", name="Dark").press("Enter")
    assert (page.evaluate(paper), page.evaluate(ink)) == dark


def test_without_scripts_the_text_is_whole(site, browser):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((site / f"{STEMS[1]}.html").as_uri())
    assert page.locator(".prose h2").count() > 5 and page.locator("math").count() > 0
    assert page.locator("figure img").count() > 5
    page.locator("details.solution > summary").first.click()
    assert "def " in page.locator("details.solution pre").first.inner_text()
    page.context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("stem", PAGES)
def test_axe_finds_nothing(open_page, stem, theme):
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(stem, theme)
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    page.evaluate(Axe().axe_script)
    found = page.evaluate("axe.run({ preload: false })")  # it asks for style sheets again
    assert found["passes"]
    said = [f"{rule['help']}: {node['html'][:160]}" for rule in found["violations"] for node in rule["nodes"]]
    assert said == []
