"""Test the open lines of exercises in a real browser: each choice has its code's report; keyboard, memory, words."""

import base64
import json
import re
import zlib
from functools import cache

import pytest
from accessibility import violations
from bs4 import BeautifulSoup, SoupStrainer
from publish import menus, reports

from course_utils import checks, course

pytestmark = pytest.mark.usefixtures("nothing_kept")

PAGES = {notebook.file: notebook.exercises for notebook in course.notebooks() if notebook.exercises}
MASKING = "04_causal_masking"


@pytest.fixture
def form(open_page):
    return lambda name: open_page(MASKING).locator(f"form[data-exercise={name}]")


@cache
def parsed(path):
    """Return a BeautifulSoup of a page's forms alone, and what its script `reports` holds."""
    text = path.read_text("utf-8")
    data = json.loads(zlib.decompress(base64.b64decode(re.search(r'id="reports">([^<]*)', text)[1])))
    kept = {"preserve_whitespace_tags": {"pre", "code"}}  # elsewhere it drops the indentation of a line
    return BeautifulSoup(text, "html.parser", parse_only=SoupStrainer("form"), **kept), data


def stored(site, stem, name):
    """Return (form, entry, report) of an exercise on a page of the site: a Tag of BeautifulSoup, what is stored, a dict
    with "reports", "passed" and "right", and a function from a key of the reports, such as "0,2", to the report's HTML.
    """
    page, data = parsed(site / f"{stem}.html")
    entry = data["exercises"][name]

    def report(key):
        text = data["texts"][entry["reports"][key]]
        return re.sub(r"\0(\d+)\0", lambda found: data["styles"][int(found[1])], text)

    return page.select_one(f"form[data-exercise={name}]"), entry, report


def code_of(form, chosen):
    """Return the code that a form, a Tag, shows when in each of its menus, from the top, the way `chosen` is chosen."""
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


@pytest.fixture(scope="module")
def made(site):
    """Return what the build has made of each exercise, by running its check on each choice: see `reports.make`."""
    return reports.collect(site.parent / "reports", 1)


@pytest.mark.parametrize("stem", PAGES)
def test_each_report_is_what_the_check_says_of_the_code_on_the_page(site, made, stem):
    """Each report must stand by the code of which the build made it; of one wrong choice, the check is run again."""
    for name in PAGES[stem]:
        (form, entry, report), built = stored(site, stem, name), made[name]
        code = menus.OpenCode(built["stub"], built["lines"], [menus.Menu(**menu) for menu in built["menus"]])
        single = {(menu, way) for menu, part in enumerate(form.select("details")) for way in range(len(part("label")))}
        assert entry["passed"] == built["passed"] and entry["reports"].keys() == built["reports"].keys()
        for key in entry["reports"]:
            chosen = [int(way) for way in key.split(",")]
            assert code_of(form, chosen) == code.code(chosen), f"{key} of {name}"
            assert report(key) == built["reports"][key], f"{key} of {name}"
            wrong = [(menu, way) for menu, way in enumerate(chosen) if way not in entry["right"][menu]]
            assert len(wrong) <= 1 and (wrong or key in entry["passed"])
            single -= {*enumerate(chosen)}
        assert single == set(), f"a way of {name} that can be chosen has no report"
        key, exercise = next(key for key in entry["reports"] if key not in entry["passed"]), checks.all()[name]
        said = exercise.check(
            exercise.forms[0].define(code_of(form, map(int, key.split(","))), exercise.stub, "from the page")
        )
        assert said.html() == report(key) and said.status != "passed"


# Choose ways in the menus of exercises, and press Check; then put a list of what is wrong into window.walked. `wanted`:
# for each choice the exercise, the indices of its ways, and the HTML of its report.
WALK = """async (wanted) => {
  const wrong = [];
  for (const [name, ways, html] of wanted) {
    const form = document.querySelector(`form[data-exercise=${name}]`), say = (what) => wrong.push(`${name}: ${what}`);
    for (const [menu, way] of ways.entries()) {
      const box = form.querySelectorAll("details")[menu], radio = box.querySelectorAll("input")[way];
      box.open = true;
      if (!radio.checkVisibility()) say(`way ${way} of menu ${menu} is not visible`);
      radio.click();
    }
    [...form.querySelectorAll("button")].find((button) => button.textContent === "Check").click();
    const report = form.querySelector(".report");
    while (!report.childNodes.length) await new Promise((done) => setTimeout(done, 5));
    const expected = Object.assign(document.createElement("div"), { innerHTML: html });
    if (report.innerHTML !== expected.innerHTML) say(`the report on ${ways} is another`);
  }
  window.walked = wrong;
}"""


@pytest.mark.parametrize("stem", PAGES)
def test_each_exercise_can_be_worked_on_in_its_page(open_page, expect, site, stem):
    page, wanted = open_page(stem), []
    assert page.locator("form.lines").count() == len(PAGES[stem])
    expect(page.locator(".stub:has(+ .lines)").filter(visible=True)).to_have_count(0)
    for name in PAGES[stem]:
        _, entry, report = stored(site, stem, name)
        wrong = next(key for key in entry["reports"] if key not in entry["passed"])
        wanted += [[name, [*map(int, key.split(","))], report(key)] for key in (wrong, entry["passed"][0])]
    page.evaluate(f"wanted => void ({WALK})(wanted)", wanted)
    assert page.wait_for_function("window.walked").json_value() == []
    expect(page.locator("form.lines").get_by_role("status")).to_contain_text(["Now break it"] * len(PAGES[stem]))


def test_by_keyboard_alone_in_forced_colours_and_where_nothing_can_be_unpacked(form, expect):
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
    page.emulate_media(forced_colors="active")  # the chosen way is seen there, too
    chosen, other = lines.locator("label:has(:checked)"), lines.locator("label:not(:has(:checked))").first
    outline = "label => getComputedStyle(label).outlineStyle"
    assert chosen.evaluate(outline) == "solid" != other.evaluate(outline)
    page.reload()
    page.evaluate("delete window.DecompressionStream")
    choose(lines, [0])
    expect(lines.get_by_role("status")).to_contain_text("This browser cannot unpack the stored reports")


@pytest.mark.parametrize("stem", PAGES)
def test_each_wrong_way_has_a_report_of_its_own_as_if_all_else_were_right(site, stem):
    """Of several wrong ways the page tells the first so; alone, ways of one place at most may pass."""
    for name in PAGES[stem]:
        form, entry, _ = stored(site, stem, name)
        passing = set()
        for place, menu in enumerate(form.select("details")):
            for way in set(range(len(menu.select("label")))) - set(entry["right"][place]):
                right = [ways[0] for ways in entry["right"]]
                key = ",".join(map(str, [*right[:place], way, *right[place + 1 :]]))
                assert key in entry["reports"], f"{name}: {key}"
                if key in entry["passed"]:
                    passing.add(place)
        assert len(passing) <= 1, name


def choose(lines, ways):
    for menu, way in enumerate(ways):
        box = lines.locator("details").nth(menu)
        box.evaluate("menu => (menu.open = true)")
        box.get_by_role("radio").nth(way).press("Space")
    lines.get_by_role("button", name="Check").press("Enter")


def test_what_is_open_or_wrong_is_said_and_what_is_passed_is_remembered(form, expect, site):
    _, entry, _ = stored(site, MASKING, "masked_weights")
    wrong = [next(way for way in range(9) if way not in right) for right in entry["right"]]
    lines = form("masked_weights")
    status, check = lines.get_by_role("status"), lines.get_by_role("button", name="Check")
    expect(lines.locator(".passed")).to_be_hidden()
    check.click()
    expect(status).to_have_text("Nothing is chosen for A and B yet.")
    assert lines.get_by_role("radio").first.evaluate("radio => radio === document.activeElement")
    lines.get_by_role("radio").first.check()
    check.click()
    expect(status).to_have_text("Nothing is chosen for B yet.")
    assert lines.locator("details[open] legend").inner_text() == "Place B"
    choose(lines, wrong)
    expect(status).to_contain_text("A and B are not right yet")
    expect(status).to_contain_text("First A: if all else were right, the check would say:")
    panel = lines.get_by_role("group", name="Check of my_masked_weights")
    first = panel.inner_text()
    choose(lines, [wrong[0], entry["right"][1][0]])
    assert panel.inner_text() == first and first.startswith("✗")
    choose(lines, [entry["right"][0][0], wrong[1]])
    expect(panel).to_contain_text("✗")
    assert panel.inner_text() != first
    said = status.inner_text()
    assert said.startswith("✗") and len(said) < 200, "a screen reader hears the words, and not the tables"
    lines.locator("input").nth(wrong[0]).evaluate("radio => radio.click()")
    expect(lines.locator(".report")).to_be_empty()  # it was about other code
    choose(lines, [right[0] for right in entry["right"]])
    expect(status).to_contain_text("Passed.")
    lines.page.reload()
    expect(lines.locator(".passed")).to_be_visible()
    expect(lines.page.locator("form.lines .passed").filter(visible=True)).to_have_count(1)
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


def test_a_form_with_its_report_can_be_read(form):
    lines = form("masked_weights")
    lines.locator("details").evaluate_all("menus => menus.forEach((menu) => menu.removeAttribute('name'))")
    choose(lines, [0, 0])
    lines.locator("details").evaluate_all("menus => menus.forEach((menu) => (menu.open = true))")
    for theme in ("light", "dark"):
        lines.page.emulate_media(color_scheme=theme)
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
