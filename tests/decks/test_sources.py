"""Test the page of the web edition that lists the works."""

import pytest
from bs4 import BeautifulSoup
from nb import sources
from nb.files import PUBLISHED
from nbformat.v4 import new_markdown_cell, new_notebook
from publish import around
from publish import sources as page

pytestmark = pytest.mark.needs_slides


def test_a_work_stands_with_the_notebooks_that_name_it():
    first, second, *_ = sources.read()
    link = f"[{sources.cited(first)}]({first.fields['url']})"
    notebooks = {
        PUBLISHED / "04_causal_masking.ipynb": new_notebook(cells=[new_markdown_cell(f"See {link}.")]),
        PUBLISHED / "05_dropout.ipynb": new_notebook(cells=[new_markdown_cell("No work.")]),
    }
    (work,) = BeautifulSoup(page.page(around.values(0), notebooks), "html.parser").select(".works li")
    assert work.a["href"] == first.fields["url"] and second.fields["url"] not in str(work)
    assert work.a.get_text() == sources.cited(first).replace("*", "")
    assert [link["href"] for link in work.select("small a")] == ["04_causal_masking.html"]
