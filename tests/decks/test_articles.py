"""Test a notebook as a web page: what is folded, where links lead, which pictures become files of their own."""

import base64

import pytest
from nb.files import COURSE
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from publish import around, site
from publish.article import REPLAYS, article

pytestmark = pytest.mark.needs_slides

TITLE = new_markdown_cell("# 1 · A title")


def page(*cells, views=None, address=None):
    return article(new_notebook(cells=[TITLE, *cells]), views or {}, COURSE / "notebooks", address)[0]


def code(source, output=None, tags=(), **more):
    outputs = [new_output("execute_result", {"text/plain": output})] if output else []
    return new_code_cell(source, outputs=outputs, metadata={"tags": list(tags)}, **more)


def test_a_heading_has_an_anchor_and_stands_in_the_contents():
    cells = [TITLE, new_markdown_cell("## What `@` does & why")]
    text, headings = article(new_notebook(cells=cells), {}, COURSE / "notebooks")
    assert headings == [(2, "What-@-does-&-why", "What @ does &amp; why")]
    assert 'id="What-@-does-&amp;-why"' in text and 'href="#What-@-does-&amp;-why"' in text


LINKS = """[on](02_softmax_and_scaling.ipynb#Recap), [out](https://example.org/a?b=1&c=2), [here](#Recap),
[beside](../lessons/dropout/teaching.md)."""


def test_links_lead_to_pages_and_to_the_repository_where_it_is_known():
    made = page(new_markdown_cell(LINKS), address="https://github.com/someone/course")
    assert '<a href="02_softmax_and_scaling.html#Recap">on</a>' in made
    assert '<a href="https://example.org/a?b=1&amp;c=2">out</a>' in made
    assert '<a href="#Recap">here</a>' in made
    assert '<a href="https://github.com/someone/course/blob/HEAD/lessons/dropout/teaching.md">beside</a>' in made
    assert "beside." in page(new_markdown_cell(LINKS))  # without an address, the link becomes plain words


def test_code_that_draws_is_folded_checks_are_told_in_words_and_a_view_that_replays_says_so():
    made = page(
        code("plots.curves()", "a figure", tags=["figure"]),
        code("checks.softmax(my_softmax)", "not attempted", tags=["check"]),
        code("def softmax_solution(): pass", tags=["solution"]),
    )
    assert "<summary>The code of this figure</summary>" in made
    assert "tells you what is right" in made and "not attempted" not in made
    assert "A solution</summary>" in made
    lab = code("widgets.AttentionLab(attend)", tags=["widget"], id="lab")
    made = page(lab, views={"lab": [f"<script>{REPLAYS}9;</script>"]})
    assert "In JupyterLab</a> it calls" in made
    assert "it calls" not in page(lab, views={"lab": ["<div>alive</div>"]})


def test_pictures_stand_beside_the_page():
    svg, png = b"<svg></svg>", b"not a picture"
    source = [f'<img alt="" src="data:image/{kind};base64,{base64.b64encode(data).decode()}">'
              for kind, data in (("svg+xml", svg), ("png", png), ("png", png))]  # fmt: skip
    made, pictures = site.with_pictures_beside(" ".join(source))
    assert sorted(pictures.values()) == sorted([svg, png]) and "base64" not in made
    for name in pictures:
        assert f'<img alt="" loading="lazy" src="{name}">' in made


@pytest.mark.parametrize("folders", [(), ("binder",), ("binder", ".devcontainer")])
def test_binder_and_codespaces_are_linked_where_their_files_are(folders, tmp_path, monkeypatch):
    monkeypatch.setattr(site, "COURSE", tmp_path)
    monkeypatch.setattr(around, "COURSE", tmp_path)
    for name in folders:
        (tmp_path / name).mkdir()
    (tmp_path / "pyproject.toml").write_text('[project.urls]\nRepository = "https://github.com/someone/course/"\n')
    links = site._elsewhere(around.address(), "01_dot_product_attention.ipynb")
    assert links.count("<a ") == len(folders)
    assert ("mybinder.org/v2/gh/someone/course/HEAD?labpath=work/01_" in links) == ("binder" in folders)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'course'\n")
    assert around.address() is None and site._elsewhere(None, "01_dot_product_attention.ipynb") == ""
