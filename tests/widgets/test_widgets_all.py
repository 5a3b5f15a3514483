"""Test what holds for all views: what a notebook stores is the same each time, has an alt text, and loads nothing."""

import html
import re

import pytest
import spoken_views

from course_utils.widgets.shared.view import View

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
VIEWS, AGAIN = ({**spoken_views.views(), **spoken_views.questions()} for _ in range(2))


@pytest.mark.parametrize("name", VIEWS)
def test_text_bundle_and_page_are_the_same_each_time(name):
    view, again = VIEWS[name], AGAIN[name]
    (first, metadata), (second, other) = view._repr_mimebundle_(), again._repr_mimebundle_()
    assert set(first) == {WIDGET_VIEW, "text/html", "text/plain"} and first["text/plain"] == repr(view) == repr(again)
    assert first["text/html"] == second["text/html"] and metadata == other
    assert not re.search("[0-9a-f]{32}", repr(view) + str(metadata))
    assert view.to_html() == again.to_html()


@pytest.mark.parametrize("name", VIEWS)
def test_a_picture_has_an_alt_text_and_a_page_asks_the_network_for_nothing(name):
    view = VIEWS[name]
    stored, page = view._repr_mimebundle_()[0]["text/html"], view.to_html()
    if type(view).picture is not View.picture:
        for shown in (stored, page):
            assert f'<img alt="{html.escape(view.alt())}" width=' in shown
        assert "Run the cell to use it." in stored
    assert set(re.findall(r"\w+://[^\s\"'`<]*", page)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\bimport\b|@import|\bfetch\(|url\(", page.replace("url(#", ""))
