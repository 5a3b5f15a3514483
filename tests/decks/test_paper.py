"""Test what a notebook's page has for paper: numbers, room to write, and labels on what goes to the end."""

import json
import re
import shutil

import editions
import pytest
from bs4 import BeautifulSoup
from nb.files import COURSE, find_notebooks
from nb.format import read_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from publish import around, site
from publish.article import article
from publish.handout import NO_BROWSER
from publish.questions import asks

pytestmark = pytest.mark.needs_slides

EXERCISE = {"metadata": {"tags": ["exercise"]}}
SOLUTION = {"metadata": {"tags": ["solution"]}}


@pytest.fixture(scope="module", params=find_notebooks([]), ids=lambda path: path.stem)
def page(request):
    """Return, for each notebook in turn, (the article on its web page as BeautifulSoup, the notebook, its topic)."""
    notebook = read_notebook(request.param)
    made = site.notebook_page(request.param, notebook, {}, around.values(0))[0]
    return BeautifulSoup(made, "html.parser").main, notebook, request.param.stem[3:]


def cells(notebook, tag, kind):
    return [cell for cell in notebook.cells if cell.cell_type == kind and tag in cell.metadata.get("tags", [])]


def words_of(markdown: str) -> str:
    return re.sub(r"`([^`]+)`|\*([^*`]+)\*", r"\1\2", markdown)


def written(*more):
    notebook = new_notebook(cells=[new_markdown_cell("# 3 · A sample"), *more])
    return BeautifulSoup(article(notebook, {}, COURSE / "notebooks")[0], "html.parser")


def test_each_exercise_has_a_number_and_room_and_what_helps_has_its_number(page):
    main, notebook, _ = page
    prompts, stubs = cells(notebook, "exercise", "markdown"), cells(notebook, "exercise", "code")
    found = [int(number.text) for number in main.select("h3 > .paper")]
    assert found == list(range(1, len(prompts) + 1))
    assert len(main.select(".stub")) == len(main.select(".stub:has(.room)")) == len(stubs) > 0
    number = 0
    for part in main.select("h3:has(> .paper), details.solution, h3:has(> .paper) ~ details"):
        if part.name == "h3":
            number = int(part.find(class_="paper").text)
        else:
            assert part.summary.find(class_="paper").text == f"Your turn {number} · "


def test_each_prediction_has_a_number_and_its_answer_has_the_same(page):
    main, notebook, _ = page
    asked = [cell for cell in notebook.cells if asks(cell)]
    found, label = [], None
    for part in main.select(".guess, .asked, details.answer > summary"):
        if part.name == "summary":
            assert part.find(class_="paper").text == label
        else:
            label = part.text.split(" ·")[0]
            found.append(label)
            assert ("guess" in part["class"]) == (asked[len(found) - 1].cell_type == "markdown")
    assert found == [f"Prediction {n + 1}" for n in range(len(asked))] != []


def test_the_quiz_can_be_ticked_and_its_right_letters_and_replies_go_to_the_end(page):
    main, _, topic = page
    asked = json.loads((COURSE / "lessons" / topic / "quiz.json").read_text("utf-8"))["questions"]
    quiz, replies = main.select_one(".paper.quiz"), main.select(".paper.replies li")
    for question, reply in zip(asked, replies, strict=True):
        [place] = [at for at, choice in enumerate(question["choices"]) if choice["right"]]
        assert reply.text.strip() == f"✓ {'ABCDEFGH'[place]}. {words_of(question['choices'][place]['feedback'])}"
        assert words_of(question["question"]) in quiz.text
        assert all(words_of(choice["text"]) in quiz.text for choice in question["choices"])
    assert not quiz.select(".right")


def test_pictures_of_views_do_not_ask_for_a_click(page):
    main, notebook, _ = page
    assert "Run the cell to" not in main.text
    pictures = len(cells(notebook, "figure", "code")) + len(cells(notebook, "widget", "code"))
    assert len(main.select("figure")) >= pictures


def test_a_live_view_has_its_picture_on_paper_above_it():
    shown = new_output("display_data", {"text/html": "<b>a picture</b>"})
    view = new_code_cell("widgets.Predict('name', 'How many?', 3)", id="asks", outputs=[shown])
    notebook = new_notebook(cells=[new_markdown_cell("# 3 · A sample"), view])
    made = article(notebook, {"asks": ["<i>alive</i>"]}, COURSE / "notebooks")[0]
    paper, alive = BeautifulSoup(made, "html.parser").find_all("div", recursive=False)
    assert paper["class"] == ["paper"] and "Prediction 1" in paper.text and "a picture" in paper.text
    assert alive["class"] == ["view"] and alive.text == "alive"


def test_a_stub_has_room_where_its_dots_are_as_much_as_its_solution_needs():
    stub = "class Mine:\n    def one(self):\n        ...\n\n    def two(self):\n        ..."
    solution = "class MineSolution:\n" + "    x = 1\n" * 12 + "\n\nprint(MineSolution.x)"
    made = written(
        new_code_cell(stub, **EXERCISE), new_code_cell(solution, **SOLUTION), new_code_cell("mine = ...", **EXERCISE)
    )
    first, second = (str(one) for one in made.select(".stub"))
    rooms = re.findall(r"height: (\d+)mm", first)
    assert rooms == ["24", "24"] and re.findall(r"height: (\d+)mm", second) == ["12"]
    assert first.index("one") < first.index("...") < first.index("height") < first.index("two")


def test_a_fold_that_is_no_hint_is_named_where_it_was():
    made = written(new_markdown_cell("Which?\n\n<details><summary>Which one?</summary>The left.</details>"))
    assert made.select_one("p.paper").text == "See the answers: Which one?"
    assert made.select_one("p.paper").find_next_sibling("details").summary.text == "Which one?"


def test_without_chromium_it_says_what_is_missing(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert editions.main(["handout", str(find_notebooks([])[0]), "--into", str(tmp_path)]) == 1
    assert NO_BROWSER in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
