"""Test the pages of the web edition for teachers."""

import re

import pytest
from publish import around, lectures

from course_utils import course

pytestmark = pytest.mark.needs_slides


@pytest.fixture(scope="module")
def pages():
    return lectures.pages(around.values(0))


def test_there_are_the_guide_and_a_page_for_each_notebook(pages):
    assert [*pages] == ["teaching.html", *(f"teaching_{one.file}.html" for one in course.notebooks())]
    for one in course.notebooks():
        page = pages[f"teaching_{one.file}.html"]
        assert f'href="slides/{one.file}.html"' in page and f'href="{one.file}.html"' in page
        assert "{#" not in page and " · in the talk" in page


def test_links_lead_to_a_page_and_a_heading_that_are_there(pages):
    ids = {name: set(re.findall(r' id="([^"]*)"', page)) for name, page in pages.items()}
    within = r'href="(teaching\w*\.html)?#([^"]+)"'
    links = [(name, *link) for name, page in pages.items() for link in re.findall(within, page)]
    missing = [link for link in links if link[2] not in ids[link[1] or link[0]]]
    assert len(links) > 300 and missing == []
    assert {name for page in pages.values() for name in re.findall(r'href="(teaching\w*\.html)', page)} == set(pages)
