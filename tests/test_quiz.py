"""The quizzes: their form, their numbers, their words on each choice, and what is shown of them."""

import json

import pytest
import torch
from torch import nn

from course_utils import attention, data, quiz

NUMBERS = sorted(path.stem for path in (data.DATA / "quizzes").glob("*.json"))
QUESTIONS = [(number, question) for number in NUMBERS for question in quiz.load(number)]


def choices(number, phrase):
    """The choices of the question that holds the phrase: text -> whether it is right."""
    (question,) = [question for question in quiz.load(number) if phrase in question["question"]]
    return {choice["text"]: choice["right"] for choice in question["choices"]}


def right(number, phrase):
    (text,) = [text for text, is_right in choices(number, phrase).items() if is_right]
    return text


def pair(numbers):
    return " and ".join(f"{number:.2f}" for number in numbers)


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


def test_the_shapes_of_00():
    table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert right("00", "sum(dim=0)") == str(tuple(table.sum(dim=0).shape))
    assert {"(2,)", "(1, 3)"} <= choices("00", "sum(dim=0)").keys()
    with pytest.raises(RuntimeError):
        table / table.sum(dim=-1)
    assert right("00", "table / sums") == "It fails"
    assert right("00", "view(3, 2)") == " ".join(f"{n:.0f}" for n in table.view(3, 2)[0])
    assert " ".join(f"{n:.0f}" for n in table.transpose(0, 1)[0]) in choices("00", "view(3, 2)")


def test_the_weights_of_00_are_those_of_the_model():
    for word, robot, hill in (("weak", 0.53, 0.14), ("steep", 0.11, 0.55)):
        sentence = data.load("sentence_pairs")[word]
        row = sentence.attn_weights[3, 1, sentence.tokens.index("it")]
        assert row[sentence.tokens.index("robot")].item() == pytest.approx(robot, abs=0.006)
        assert row[sentence.tokens.index("hill")].item() == pytest.approx(hill, abs=0.006)


def test_the_numbers_of_01():
    keys = torch.tensor([[1.0, 5.0], [3.0, 0.0], [-2.0, 1.0]])
    scores = keys @ torch.tensor([2.0, 0.0])
    assert scores.tolist() == [2, 6, -4] and right("01", "highest score") == "ABC"[scores.argmax()]
    mixed = torch.tensor([3.0, -2.0, 1.0])
    assert right("01", "3, -2 and 1") == f"{torch.softmax(mixed, 0)[1]:.2f}"
    assert f"{(mixed / mixed.sum())[1]:.2f}" in choices("01", "3, -2 and 1")
    assert f"{mixed[1].exp():.2f}" in choices("01", "3, -2 and 1")
    zeros = torch.zeros(2, 3)
    assert torch.softmax(zeros, -1)[0, 0] == pytest.approx(1 / 3) and right("01", "all six") == "1/3"
    assert torch.softmax(zeros, -2)[0, 0] == 1 / 2 and "1/2" in choices("01", "all six")
    assert right("01", "transpose(-2, -1)") == str(tuple(torch.rand(2, 5, 3).transpose(-2, -1).shape))


def test_the_numbers_of_02():
    naive = torch.exp(torch.tensor([1000.0, 1000.0]))
    assert (naive / naive.sum()).isnan().all() and right("02", "1000 and 1000") == "nan and nan"
    scores = torch.tensor([2.0, 1.0])
    softmax = attention.softmax
    tempered = {pair(softmax(scores / 10)): True, pair(softmax(scores)): False, pair(softmax(scores * 10)): False}
    assert choices("02", "temperature 10") == tempered | {pair(softmax(scores) / 10): False}
    scores = torch.tensor([8.0, 4.0])
    scaled = {pair(softmax(scores / 4)): True, pair(softmax(scores / 16)): False, pair(softmax(scores)): False}
    assert choices("02", "`head_dim` is 16") == scaled | {pair(softmax(scores) / 4): False}
    assert right("02", "768 wide") == f"{(768 / 12) ** 0.5:.0f}"
    assert {f"{768**0.5:.1f}", f"{768 / 12:.0f}", f"{12**0.5:.1f}"} <= choices("02", "768 wide").keys()


def test_the_numbers_of_03():
    assert right("03", "`nn.Linear(3, 2)`") == str(tuple(nn.Linear(3, 2).weight.shape))
    context_vecs, attn_weights = attention.SelfAttention(4, 6)(torch.rand(2, 5, 4))
    assert right("03", "SelfAttention(4, 6)") == str(tuple(attn_weights.shape))
    assert str(tuple(context_vecs.shape)) in choices("03", "SelfAttention(4, 6)")
    w = nn.Parameter(torch.tensor(1.0))
    for expected in (-16, -32):
        ((2 * w - 6) ** 2).backward()
        assert w.grad == expected
    assert right("03", "w.grad") == "-32"
    head = attention.SelfAttention(3, 2)
    nn.init.zeros_(head.W_query.weight)
    assert torch.allclose(head(torch.rand(5, 3))[1], torch.tensor(0.2)) and right("03", "W_query` are 0") == "All 0.2"


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
