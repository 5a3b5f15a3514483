"""Test that the exercises are found in a learner's copies, in any language, and that no damage to a copy stops this."""

import json
import re

import pytest
from nb.copies import choose, copy_notebooks
from nb.exercises import find
from nb.files import PUBLISHED

from course_utils import checks, course, language
from course_utils.checks import copies
from course_utils.checks.copies import Place


def cell(source, *tags, **more):
    kind = "code" if "check" in tags else "markdown"
    return {"cell_type": kind, "source": source.splitlines(True), "metadata": {"tags": [*tags]} if tags else {}} | more


PROMPT = cell("### Your turn · 4 minutes · ●○○\n\nWrite it.", "exercise", id="a-prompt")
CHECK = cell("checks.scores(my_scores)", "check")


def places(tmp_path, *cells):
    file = tmp_path / "01_mine.ipynb"
    file.write_text(json.dumps({"cells": cells}), "utf-8")
    return copies.places(file)


@pytest.mark.parametrize("notebook", course.notebooks(), ids=lambda notebook: notebook.file)
def test_each_exercise_has_its_place(notebook):
    found = copies.places(PUBLISHED / f"{notebook.file}.ipynb")
    assert [*found] == [*notebook.exercises]
    for name, place in found.items():
        where = find(name)
        assert place.link == f"{notebook.file}.ipynb#cell-id={where.cells[where.prompt].id}"
        assert place.heading == re.sub(r" · \d+ minutes$", "", where.under)


def test_a_translated_copy_has_the_same_cells_and_its_own_headings(tmp_path):
    choose(tmp_path, "zh")
    try:
        copy_notebooks(PUBLISHED, tmp_path)
    finally:
        language.use("en")
    english = copies.places(PUBLISHED / "08_padding_and_cross_attention.ipynb")
    chinese = copies.places(tmp_path / "zh_Hans" / "08_padding_and_cross_attention.ipynb")
    assert [place.link for place in english.values()] == [place.link for place in chinese.values()]
    assert all(not place.heading.isascii() and "分钟" not in place.heading for place in chinese.values())
    assert "轮到你了" not in str(chinese) and english["folded_with_lengths"].heading == "Heads folded into the batch"


def test_a_heading_is_the_last_one_above_that_is_no_exercises(tmp_path):
    above = map(cell, ("# 1 · Title", "## First", "### Case 2 · 3 minutes", "Words."))
    found = places(tmp_path, *above, PROMPT, cell("##no"), CHECK)
    assert found == {"scores": Place("01_mine.ipynb#cell-id=a-prompt", "Case 2")}
    assert places(tmp_path, cell("# 1 · Title"), PROMPT, CHECK)["scores"].heading == ""


def test_a_notebook_of_before_without_ids_is_opened_at_its_top(tmp_path):
    prompt = {key: part for key, part in PROMPT.items() if key != "id"}
    assert places(tmp_path, prompt, CHECK)["scores"].link == "01_mine.ipynb"


@pytest.mark.parametrize("damaged", [{}, [], None, {"source": 3}, CHECK | {"metadata": None}, CHECK | {"source": None}])
def test_a_damaged_copy_has_no_places(tmp_path, damaged):
    assert places(tmp_path, PROMPT, CHECK) and places(tmp_path, PROMPT, CHECK, damaged) == {}


@pytest.mark.parametrize("content", ["", "{", "[]", "3", '{"cells": 3}', '{"cells": {"a": 1}}', 100_000 * "["])
def test_a_copy_that_is_no_notebook_has_no_places(tmp_path, content):
    (tmp_path / "01_mine.ipynb").write_text(content)
    assert copies.places(tmp_path / "01_mine.ipynb") == copies.places(tmp_path / "02_none.ipynb") == {}


def test_the_overview_links_the_exercises_of_the_copies_that_there_are(tmp_path, monkeypatch):
    monkeypatch.delenv("COURSE_PROGRESS")  # set to off for all tests
    monkeypatch.chdir(tmp_path)
    file = "01_dot_product_attention.ipynb"
    (tmp_path / file).write_text(json.dumps({"cells": [cell("## A <b> & `@`"), PROMPT | {"id": "a'b c"}, CHECK]}))
    html = checks.progress()._html()
    name = "<code>my_scores</code> · A &lt;b&gt; &amp; <code>@</code>"
    assert f"○ open <a href='{file}#cell-id=a%27b%20c'>{name}</a>" in html
    assert html.count("<a ") == 2 and "○ open <code>my_weights</code></li>" in html
