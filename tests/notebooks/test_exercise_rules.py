"""Test the rules about exercises: what each needs on its page and in its lesson's folder."""

import nbformat
import pytest
from nb.files import PUBLISHED
from nb.format import read_notebook
from nb.rules import exercises
from nb.rules.model import Notebook

from course_utils import lessons

PAGE = "04_causal_masking.ipynb"
STORED = read_notebook(PUBLISHED / PAGE)
PROMPT = next(index for index, cell in enumerate(STORED.cells) if "my_causal_mask(num_tokens)`" in cell.source)
PROMPTS = {  # name -> (what is replaced in the prompt, by what, the beginning of the only finding)
    "no minutes": (" · 9 minutes", "", "says no minutes, what a first attempt takes"),
    "no dots": (" · ●○○", "", "says not how hard it is"),
    "no hint": ("Hint", "Help", "has no hint: end it with lines like"),
    "words that nothing holds": ("A row is a query", "Never sort. A row is a query", "asks "),
}


@pytest.fixture
def page(tmp_path):
    def read(change=lambda cells: None):
        notebook = read_notebook(PUBLISHED / PAGE)
        change(notebook.cells)
        nbformat.write(notebook, tmp_path / PAGE)
        return Notebook.read(tmp_path / PAGE)

    return read


@pytest.mark.parametrize("case", PROMPTS)
def test_a_prompt_lacks_nothing(page, case):
    old, new, words = PROMPTS[case]
    assert list(exercises.prompts_are_whole(page())) == []

    def change(cells):
        assert old in cells[PROMPT].source
        cells[PROMPT].source = cells[PROMPT].source.replace(old, new)

    [(cell, message)] = exercises.prompts_are_whole(page(change))
    assert cell.id == STORED.cells[PROMPT].id and message.startswith(words)


def test_the_checks_of_a_page_are_those_of_the_list(page):
    assert list(exercises.page_and_list_agree(page())) == []
    at = next(index for index, cell in enumerate(STORED.cells) if "checks.causal_mask(" in cell.source)
    [(_, message)] = exercises.page_and_list_agree(page(lambda cells: cells.pop(at)))
    assert message.startswith("asks ['causal_attention', ") and "lessons/course.json" in message


def test_each_exercise_needs_answers_and_nothing_left_to_do(page, tmp_path, monkeypatch):
    assert [*exercises.answers_are_filed(page()), *exercises.nothing_is_left_to_do(page())] == []
    folder = tmp_path / "lessons" / "causal_masking"
    for name in ("answers", "exercises"):
        (folder / name).mkdir(parents=True)
    (folder / "answers" / "causal_mask.py").write_text("# %% right\n1\n" * 3 + "# %% wrong: no-mask\n2\n", "utf-8")
    (folder / "answers" / "who_sees.py").write_text("# %% right\n1\n" * 2 + "# %% wrong: no-mask\n2\n", "utf-8")
    (folder / "exercises" / "who_sees.py").write_text("1\n2  # TODO: three\n", "utf-8")
    monkeypatch.setattr(lessons, "FOLDER", tmp_path / "lessons")
    few = [message for _, message in exercises.answers_are_filed(page())]
    assert len(few) == 4 and few[-1].startswith("who_sees has 2 right and 1 wrong answers, and needs 3 and 1: write")
    [(_, message)] = exercises.nothing_is_left_to_do(page())
    assert message == "lessons/causal_masking/exercises/who_sees.py, line 2: 2  # TODO: three"
