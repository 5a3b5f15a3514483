"""Test that course.json agrees with the files and titles of the notebooks, and README's table."""

import re

import pytest
from nb.files import COURSE, PUBLISHED
from nb.format import read_notebook

from course_utils import course

PAGES = course.notebooks()


def test_every_notebook_is_listed_in_the_order_of_its_number():
    assert [one.file for one in PAGES] == [path.stem for path in sorted(PUBLISHED.glob("*.ipynb"))]


@pytest.mark.parametrize("one", PAGES, ids=lambda one: one.topic)
def test_a_notebook_is_as_listed_and_asks_for_a_guess_that_counts(one):
    cells = read_notebook(PUBLISHED / f"{one.file}.ipynb").cells
    assert cells[0].source.startswith(f"# {int(one.number)} · {one.title}\n")
    assert any("widgets.Predict(" in cell.source for cell in cells if cell.cell_type == "code")


def test_no_guess_is_kept_under_a_name_twice():
    sources = [cell.source for one in PAGES for cell in read_notebook(PUBLISHED / f"{one.file}.ipynb").cells]
    names = [name for source in sources for name in re.findall(r'widgets\.Predict\(\s*"([^"]+)"', source)]
    assert len(names) == len(set(names)) >= len(PAGES)


def test_the_readme_has_the_list_as_its_table():
    rows = [f"| {int(one.number)} | [{one.title}](notebooks/{one.file}.ipynb) | {one.question} |" for one in PAGES]
    assert "\n".join(rows) in (COURSE / "README.md").read_text("utf-8")


def test_a_name_of_an_exercise_stands_once():
    names = [name for one in PAGES for name in one.exercises]
    assert len(names) == len(set(names))
