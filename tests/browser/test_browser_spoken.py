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


def test_live_views_are_chinese(chinese, open_html):
    views = spoken_views.views()
    page = open_html("".join(f"<section id='{name}'>{view.to_html()}</section>" for name, view in views.items()))

    def told(name, role, words):
        page.locator(f"#{name}").get_by_role(role, name=words).first.click()
        assert spoken_views.english(page.evaluate(WORDS)) == [], name

    assert spoken_views.english(page.evaluate(WORDS)) == []
    page.locator("#writer .av-page").click()
    for name, role, words in (
        ("writer", "button", "后退"),
        ("writer", "radio", "天"),
        ("guess", "radio", "黄"),
        ("mask", "button", "全部屏蔽"),
        ("sentence", "button", "从哪里来"),
        ("opened", "button", "从哪里来"),
    ):
        told(name, role, words)
    for name in ("sentence", "opened"):
        for tab in page.locator(f"#{name}").get_by_role("tab").all():
            tab.click()
            assert spoken_views.english(page.evaluate(WORDS)) == [], name
