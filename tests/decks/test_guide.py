"""Test the page of the web edition about a model of one's own, in both languages, without a browser."""

import json

import pytest
from bs4 import BeautifulSoup
from nb.files import COURSE
from publish import around, guide, site

from course_utils import data, language

pytestmark = pytest.mark.needs_slides
TITLES = {"en": "On your own model", "zh_Hans": "用在你自己的模型上"}


@pytest.fixture(params=TITLES)
def page(request):
    """Return (a BeautifulSoup of the page, its entries in the search index, its title) for each language in turn."""
    language.use(request.param)
    made, entries = guide.page(around.values(0))
    yield BeautifulSoup(made, "html.parser"), entries, TITLES[request.param]
    language.use(language.ENGLISH)


def test_the_page_has_its_text_its_code_and_the_view_that_the_code_shows_and_is_found(page):
    html, entries, title = page
    assert html.h1.get_text() == html.title.get_text() == title
    text = (COURSE / "docs" / "own_model.md").read_text("utf-8")
    assert len(html.select("pre.code")) == text.count("```") / 2 > 4
    assert "output_attentions=True" in html.select("pre.code")[0].get_text()
    view = html.select_one(".view .av-page")
    state = json.loads(view.parent.find("script").get_text().partition("const state = ")[2].partition(", packed =")[0])
    read = data.load("sentence_pairs")["weak"]
    assert state["shape"] == list(read.attn_weights.shape) and state["tokens"] == read.tokens
    links = {link["href"] for link in html.select(".prose a:not(.anchor)")}
    assert links == {"13_real_heads.html", "11_fast_and_long.html"}
    assert [entry[0] for entry in entries] == ["own_model"] * 4 and entries[0][2] == title
    assert all(explanation for *_, explanation in entries)
    assert {anchor for _, anchor, *_ in entries[1:]} == {heading["id"] for heading in html.select(".prose h2")}
    start = BeautifulSoup(site.start_page(around.values(0), site.steps_of({})), "html.parser")
    assert start.select_one('main a[href="own_model.html"]').get_text() == title
