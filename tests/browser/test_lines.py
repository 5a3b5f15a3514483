"""Test the open lines of exercises in a real browser: each choice has its code's report; keyboard, memory, words."""

import base64
import json
import re
import zlib

import pytest
from accessibility import violations
from bs4 import BeautifulSoup

from course_utils import checks, course

pytest.importorskip("latex2mathml", reason="the extra `slides` is not installed: make test-browser installs it")

PAGES = {notebook.file: notebook.exercises for notebook in course.notebooks() if notebook.exercises}
EXERCISES = [(stem, name) for stem, names in PAGES.items() for name in names]
MASKING = "04_causal_masking"
NORMALISED = "html => Object.assign(document.createElement('div'), { innerHTML: html }).innerHTML"


@pytest.fixture
def form(open_page):
    """Yield form(name, theme="light"), which opens the page of an exercise and returns its form."""

    def form(name, theme="light"):
        stem = next(stem for stem, names in PAGES.items() if name in names)
        return open_page(stem, theme).locator(f"form[data-exercise={name}]")

    return form


@pytest.fixture(autouse=True)
def nothing_kept(context):
    """Empty the store of pages opened from files, which all tests share."""
    yield
    for page in context.pages:
        page.evaluate("try { localStorage.clear(); } catch { /* a page without an address has none */ }")


def stored(site, stem, name):
    """Return what a page of the site stores for an exercise: (form, entry, report).

    form: its <form>, a Tag of BeautifulSoup. entry: a dict with "reports", "passed" and "right". report: a function
    from a key of entry["reports"], the chosen ways such as "0,2", to the HTML of the check's report, a str. site: its
    folder, a Path. stem: the name of the page. name: of the exercise.
    """
    kept = {"preserve_whitespace_tags": {"pre", "code"}}  # elsewhere it drops the indentation of a line
    page = BeautifulSoup((site / f"{stem}.html").read_text("utf-8"), "html.parser", **kept)
    data = json.loads(zlib.decompress(base64.b64decode(page.find(id="reports").string)))
    entry = data["exercises"][name]

    def report(key):
        text = data["texts"][entry["reports"][key]]
        return re.sub(r"\0(\d+)\0", lambda found: data["styles"][int(found[1])], text)

    return page.select_one(f"form[data-exercise={name}]"), entry, report


def code_of(form, chosen):
    """Return the code, a str, that the form of an exercise shows when a way is chosen in each of its menus.

    form: a Tag of BeautifulSoup. chosen: the index of the way in each menu, from the top.
    """
    lines, chosen = [], list(chosen)
    for part in form.select_one(".listing").find_all(["pre", "details"], recursive=False):
        if part.name == "pre":
            lines.append(part.get_text())
            continue
        indent = int(re.search(r"\d+", part.select_one("summary code")["style"])[0])
        way = part.select("label code")[chosen.pop(0)]
        if not way.find("em"):
            lines += [" " * indent + line for line in way.get_text().splitlines()]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("stem, name", EXERCISES)
def test_each_report_is_what_the_check_says_of_the_code_on_the_page(site, stem, name):
    form, entry, report = stored(site, stem, name)
    exercise, menus = checks.all()[name], form.select("details")
    single = {(menu, way) for menu, part in enumerate(menus) for way in range(len(part.select("label")))}
    for key in entry["reports"]:
        chosen = [int(way) for way in key.split(",")]
        answer = exercise.forms[0].define(code_of(form, chosen), exercise.stub, "from the page")
        said = exercise.check(answer)
        assert said.html() == report(key), f"{key} of {name}"
        assert (said.status == "passed") == (key in entry["passed"])
        wrong = [(menu, way) for menu, way in enumerate(chosen) if way not in entry["right"][menu]]
        assert len(wrong) <= 1 and (wrong or key in entry["passed"])
        single -= {*enumerate(chosen)}
    assert single == set(), "a way that can be chosen has no report"


@pytest.mark.parametrize("stem", PAGES)
def test_each_exercise_can_be_worked_on_in_its_page(open_page, expect, site, stem):
    page = open_page(stem)
    assert page.locator("form.lines").count() == len(PAGES[stem])
    expect(page.locator(".stub").filter(visible=True)).to_have_count(0)
    for name in PAGES[stem]:
        form, (_, entry, report) = page.locator(f"form[data-exercise={name}]"), stored(site, stem, name)
        wrong = next(key for key in entry["reports"] if key not in entry["passed"])
        for key in (wrong, entry["passed"][0]):
            for menu, way in enumerate(key.split(",")):
                box = form.locator("details").nth(menu)
                box.evaluate("menu => (menu.open = true)")
                box.get_by_role("radio").nth(int(way)).check()
            form.get_by_role("button", name="Check").click()
            expect(form.locator(".report")).not_to_be_empty()
            assert form.locator(".report").inner_html() == page.evaluate(NORMALISED, report(key))
        expect(form.get_by_role("status")).to_contain_text("Now break it")


def test_by_keyboard_alone(form, expect):
    lines = form("causal_mask")
    page = lines.page
    lines.locator("summary").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # the first way
    first = lines.get_by_role("radio").first
    expect(first).to_be_checked()
    page.keyboard.press("ArrowDown")
    expect(first).not_to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(lines.get_by_role("group", name="Check of my_causal_mask")).to_be_visible()
    assert page.evaluate("document.activeElement.textContent") == "Check"
    lines.locator("summary").press("Enter")
    expect(lines.get_by_role("radio").nth(1)).to_be_visible()


def test_what_is_open_is_said_and_opened(form, expect):
    lines = form("masked_weights")
    lines.get_by_role("button", name="Check").click()
    expect(lines.get_by_role("status")).to_have_text("Nothing is chosen for A and B yet.")
    assert lines.get_by_role("radio").first.evaluate("radio => radio === document.activeElement")
    lines.get_by_role("radio").first.check()
    lines.get_by_role("button", name="Check").click()
    expect(lines.get_by_role("status")).to_have_text("Nothing is chosen for B yet.")
    assert lines.locator("details[open] legend").inner_text() == "Place B"


def choose(lines, ways):
    """Choose a way in each menu of an exercise's form by keyboard, and press Check.

    lines: the locator of the form. ways: the index of the way in each menu, from the top.
    """
    for menu, way in enumerate(ways):
        box = lines.locator("details").nth(menu)
        box.evaluate("menu => (menu.open = true)")
        box.get_by_role("radio").nth(way).press("Space")
    lines.get_by_role("button", name="Check").press("Enter")


def test_of_two_wrong_lines_one_is_to_be_mended_first(form, expect, site):
    _, entry, _ = stored(site, MASKING, "masked_weights")
    wrong = [next(way for way in range(9) if way not in right) for right in entry["right"]]
    lines = form("masked_weights")
    choose(lines, wrong)
    expect(lines.get_by_role("status")).to_contain_text("A and B are not right yet")
    expect(lines.get_by_role("status")).to_contain_text("first mend one of the two.")
    expect(lines.locator(".report")).to_be_empty()
    choose(lines, [entry["right"][0][0], wrong[1]])
    expect(lines.get_by_role("group", name="Check of my_masked_weights")).to_contain_text("✗")
    said = lines.get_by_role("status").inner_text()
    assert said.startswith("✗") and len(said) < 200, "a screen reader hears the words, and not the tables"
    lines.locator("input").nth(wrong[0]).evaluate("radio => radio.click()")
    expect(lines.locator(".report")).to_be_empty()  # it was about other code


def test_what_is_passed_is_remembered_and_shown_on_the_next_visit(form, expect, site):
    _, entry, _ = stored(site, MASKING, "masked_weights")
    lines = form("masked_weights")
    lines.page.evaluate("localStorage.clear()")  # another test may have passed it
    lines.page.reload()
    expect(lines.locator(".passed")).to_be_hidden()
    choose(lines, [right[0] for right in entry["right"]])
    expect(lines.get_by_role("status")).to_contain_text("Passed.")
    lines.page.reload()
    expect(lines.locator(".passed")).to_be_visible()
    others = lines.page.locator("form.lines .passed").filter(visible=True)
    assert others.count() == 1
    assert lines.page.evaluate("courseViews['memory.js'].counts()")[MASKING]["lines"] == 1


def test_the_start_page_opens_with_a_wrong_line(open_page, expect):
    page = open_page("index")
    lines = page.locator("form.lines")
    assert lines.get_by_role("radio", checked=True).count() == 1
    assert "triu" in lines.locator("label:has(:checked)").inner_text()
    lines.get_by_role("button", name="Check").press("Enter")
    expect(lines.get_by_role("group", name="Check of my_causal_mask")).to_contain_text(
        "Each token sees itself and what comes after it."
    )
    assert lines.locator(".report table").count() == 2


def test_a_browser_that_cannot_unpack_says_so(form, expect):
    lines = form("causal_mask")
    lines.page.evaluate("delete window.DecompressionStream")
    choose(lines, [0])
    expect(lines.get_by_role("status")).to_contain_text("This browser cannot unpack the stored reports")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_form_with_its_report_can_be_read(form, theme):
    lines = form("masked_weights", theme)
    for number in range(2):
        lines.locator("details").nth(number).evaluate("menu => menu.removeAttribute('name')")
    choose(lines, [0, 0])
    for number in range(2):
        lines.locator("details").nth(number).evaluate("menu => (menu.open = true)")
    assert violations(lines.page, inside="form[data-exercise=masked_weights]") == []


def test_on_a_phone_nothing_runs_out_and_each_way_can_be_touched(browser, site):
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto((site / "14_a_language_model.html").as_uri())
    for label in page.locator(".lines details[open] label").all():
        box = label.bounding_box()
        assert box["height"] >= 32 and box["x"] + box["width"] <= 360
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    context.close()


def test_without_scripts_the_stub_stands_there(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / f"{MASKING}.html").as_uri())
    assert page.locator(".stub").first.is_visible() and not page.locator("form.lines").first.is_visible()
    context.close()


def test_the_chosen_way_is_seen_in_forced_colours(form):
    lines = form("causal_mask")
    lines.page.emulate_media(forced_colors="active")
    lines.get_by_role("radio").first.check()
    outline = "label => getComputedStyle(label).outlineStyle"
    assert lines.locator("label").first.evaluate(outline) == "solid" != lines.locator("label").last.evaluate(outline)
