"""Test that live views show, and tell screen readers, nothing in English when the course speaks Chinese."""

import pytest
import spoken_views

from course_utils import language

# All words on the page: texts, and the attributes that a screen reader or a hovering mouse tells.
WORDS = """() => {
  const all = [...document.body.querySelectorAll("*")].filter((one) => !one.matches("script, style"));
  const own = (one) => [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data);
  const names = ["aria-label", "aria-description", "aria-valuetext", "title", "placeholder"];
  return all.flatMap((one) => [...own(one), ...names.map((name) => one.getAttribute(name) ?? "")]).join(" ");
}"""


@pytest.fixture
def chinese():
    language.use("zh")
    yield
    language.use("en")


def opened(page, name):
    """Yield after each state of the view on the page that has words of its own."""
    yield
    if name == "writer":
        page.locator(".av-page").click()
        yield
        page.get_by_role("button", name="后退").click()
        page.locator(".av-word").first.click()
        yield
    if name == "guess":
        page.locator(".av-word").nth(3).click()
        yield
    if name == "mask":
        page.get_by_role("button", name="全部遮住").click()
        yield
    if name in ("sentence", "opened"):
        page.get_by_role("button", name="从哪里来").click()
        for tab in page.get_by_role("tab").all():
            tab.click()
            yield


def test_live_views_are_chinese(chinese, open_html):
    for name, view in spoken_views.views().items():
        page = open_html(view.to_html())
        for _ in opened(page, name):
            assert spoken_views.english(page.evaluate(WORDS)) == [], name
