"""Test the quizzes: their form, the feedback on each choice, and what is shown of them."""

import html
import json
import re

import nbformat
import pytest
from nb.files import PUBLISHED

from course_utils import course, lessons, quiz

TOPICS = [one.topic for one in course.notebooks()]
QUESTIONS = [(topic, question) for topic in TOPICS for question in quiz.load(topic)]


def test_each_notebook_has_its_questions():
    for path in PUBLISHED.glob("*.ipynb"):
        assert f'quiz.show(\\"{path.stem[3:]}\\")' in path.read_text("utf-8")
    for topic in TOPICS:
        assert 6 <= len(quiz.load(topic)) <= 8


@pytest.mark.parametrize("topic, question", QUESTIONS, ids=[f"{n}-{q['question'][:30]}" for n, q in QUESTIONS])
def test_a_question_has_one_right_choice_and_a_word_on_each(topic, question):
    assert question.keys() == {"question", "choices"}
    assert [choice["right"] for choice in question["choices"]].count(True) == 1
    assert 3 <= len(question["choices"]) <= 4
    texts, feedback = ([choice[key] for choice in question["choices"]] for key in ("text", "feedback"))
    assert len(set(texts)) == len(set(feedback)) == len(texts)
    assert all(words.endswith((".", "?", "!")) for words in feedback)


def test_the_right_choice_is_not_always_at_the_same_place():
    places = [[choice["right"] for choice in question["choices"]].index(True) for _, question in QUESTIONS]
    assert max(places.count(place) for place in range(4)) <= len(places) / 2


def test_a_script_prints_questions_and_choices_and_no_answers(capsys):
    quiz.show("dot_product_attention")
    printed = capsys.readouterr().out
    for question in quiz.load("dot_product_attention"):
        for choice in question["choices"]:
            assert choice["feedback"] not in printed
    assert "   A) " in printed and "✓" not in printed and "`" not in printed


@pytest.fixture
def displayed(monkeypatch):
    views = []
    monkeypatch.setattr(quiz, "display", views.append)
    monkeypatch.setattr(quiz, "get_ipython", lambda: "a shell")
    return views


def words_of(page):
    """Return the words of a piece of HTML, a list."""
    return html.unescape(re.sub("<[^>]*>", " ", page)).split()


def test_a_notebook_gets_the_view_and_the_same_text(displayed, capsys):
    quiz.show("softmax_and_scaling")
    (view,) = displayed
    data, metadata = view._repr_mimebundle_()
    assert data.keys() == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"} and metadata == {}
    assert data["text/plain"] == quiz.text(quiz.load("softmax_and_scaling"))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("topic", TOPICS)
def test_the_text_is_the_one_that_the_notebook_stores(topic):
    (path,) = PUBLISHED.glob(f"??_{topic}.ipynb")
    cells = nbformat.read(path, as_version=4).cells
    (outputs,) = (cell.outputs for cell in cells if cell.source == f'quiz.show("{topic}")')
    (stored,) = (output.data for output in outputs)
    words = quiz.text(quiz.load(topic))
    assert stored["text/plain"] == words
    first, view = stored["text/html"].split("</p>", maxsplit=1)
    assert "Run the cell" in first and words_of(view) == words.split()


def test_the_text_of_a_page_without_scripts_holds_no_answer():
    fallback, _, script = quiz.view("causal_masking").to_html().partition("<style>")
    assert words_of(fallback) == quiz.text(quiz.load("causal_masking")).split()
    for question in quiz.load("causal_masking"):
        for choice in question["choices"]:
            assert choice["feedback"] not in html.unescape(fallback)
    assert "<img" not in fallback + script


@pytest.mark.parametrize("topic", TOPICS)
def test_the_browser_gets_every_word_and_which_choice_is_right(topic):
    def joined(parts):
        return "".join(text for _, text in parts)

    def plain(words):
        return re.sub(r"(?<![*\w])\*([^*`]+)\*(?!\*)", r"\1", words).replace("`", "")

    asked = quiz.load(topic)
    sent = quiz.view(topic).questions
    assert [joined(one["question"]) for one in sent] == [plain(one["question"]) for one in asked]
    for got, question in zip(sent, asked, strict=True):
        assert [(joined(one["text"]), one["right"], joined(one["feedback"])) for one in got["choices"]] == [
            (plain(one["text"]), one["right"], plain(one["feedback"])) for one in question["choices"]
        ]


def test_what_was_checked_is_kept_and_there_again(tmp_path, monkeypatch):
    monkeypatch.delenv("COURSE_PROGRESS")  # set to off for all tests
    (tmp_path / "05_mine.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    first = quiz.view("dropout")
    assert first.chosen == {} and not (tmp_path / "progress.json").exists()
    first.chosen = {"1": 3}
    first.chosen = {"1": 3, "2": 1}
    assert json.loads((tmp_path / "progress.json").read_text())["quizzes"] == {"dropout": {"1": 3, "2": 1}}
    assert quiz.view("dropout").chosen == {"1": 3, "2": 1} and quiz.view("positions").chosen == {}
    (tmp_path / "progress.json").write_text('{"quizzes": {"dropout": [1]}}')
    assert quiz.view("dropout").chosen == {}


def test_code_and_emphasis():
    assert quiz._parts("*it* is `a*b*c < 2 ** 3`") == [("em", "it"), ("", " is "), ("code", "a*b*c < 2 ** 3")]
    assert quiz._parts("a*b*c and `*args*`") == [("", "a*b*c and "), ("code", "*args*")]
    assert quiz._plain("*it* is `(2 * w) ** 2`") == "“it” is (2 * w) ** 2"


@pytest.mark.parametrize("topic", ["99", "2", "", None, "../lessons/dropout"])
def test_an_unknown_quiz_lists_those_there_are(topic):
    with pytest.raises(ValueError, match="There are: start_here, dot_product_attention, "):
        quiz.show(topic)


def test_the_files_are_written_the_same_way():
    for topic in TOPICS:
        file = lessons.FOLDER / topic / "quiz.json"
        stored = file.read_text("utf-8")
        assert stored == json.dumps(json.loads(stored), indent=1, ensure_ascii=False) + "\n"
