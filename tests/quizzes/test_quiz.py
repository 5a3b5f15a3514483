"""The quizzes: their form, their words on each choice, and what is shown of them."""

import json

import pytest

from course_utils import data, quiz

NUMBERS = sorted(path.stem for path in (data.DATA / "quizzes").glob("*.json"))
QUESTIONS = [(number, question) for number in NUMBERS for question in quiz.load(number)]


def test_each_notebook_has_its_questions():
    pages = (data.DATA.parent / "notebooks").glob("*.ipynb")
    assert NUMBERS == sorted(page.name[:2] for page in pages if "quiz.show(" in page.read_text("utf-8"))
    for number in NUMBERS:
        assert 4 <= len(quiz.load(number)) <= 6


@pytest.mark.parametrize("number, question", QUESTIONS, ids=[f"{n}-{q['question'][:30]}" for n, q in QUESTIONS])
def test_a_question_has_one_right_choice_and_a_word_on_each(number, question):
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
    quiz.show("01")
    printed = capsys.readouterr().out
    for question in quiz.load("01"):
        for choice in question["choices"]:
            assert choice["feedback"] not in printed
    assert "   A  " in printed and "✓" not in printed and "`" not in printed


@pytest.fixture
def bundles(monkeypatch):
    shown = []
    monkeypatch.setattr(quiz, "display", lambda bundle, raw: shown.append(bundle))
    monkeypatch.setattr(quiz, "get_ipython", lambda: "a shell")
    return shown


def test_a_notebook_gets_widgets_and_the_same_text(bundles, capsys):
    quiz.show("02")
    (bundle,) = bundles
    assert bundle["text/plain"] == quiz.text(quiz.load("02"))
    assert "application/vnd.jupyter.widget-view+json" in bundle and "text/html" not in bundle
    assert capsys.readouterr().out == ""


def test_each_choice_is_answered_with_its_word():
    questions = quiz.load("03")
    *asked, score = quiz._box(questions).children
    for question, box in zip(questions, asked, strict=True):
        _, options, button, feedback = box.children
        button.click()
        assert "Choose an answer first." in feedback.value
        for index, choice in enumerate(question["choices"]):
            options.index = index
            assert feedback.value == ""
            button.click()
            assert ("✓ Right." if choice["right"] else "✗ Not this one.") in feedback.value
            assert quiz._rich(choice["feedback"]) in feedback.value and "role='status'" in feedback.value
        options.index = [choice["right"] for choice in question["choices"]].index(True)
        button.click()
    assert f"{len(questions)} of {len(questions)} right." in score.value


def test_code_and_emphasis():
    assert quiz._rich("*it* is `a*b*c < 2 ** 3`") == "<em>it</em> is <code>a*b*c &lt; 2 ** 3</code>"
    assert quiz._plain("*it* is `(2 * w) ** 2`") == "“it” is (2 * w) ** 2"


@pytest.mark.parametrize("number", ["99", "2", "", None, "../quizzes/02"])
def test_an_unknown_quiz_lists_those_there_are(number):
    with pytest.raises(ValueError, match="There are: 00, 01, 02, 03"):
        quiz.show(number)


def test_the_files_are_written_the_same_way():
    for number in NUMBERS:
        file = data.DATA / "quizzes" / f"{number}.json"
        stored = file.read_text("utf-8")
        assert stored == json.dumps(json.loads(stored), indent=1, ensure_ascii=False) + "\n"
