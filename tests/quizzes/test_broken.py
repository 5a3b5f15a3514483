"""Test that a broken file of questions raises an error with its name, the line or question, and what to do."""

import json

import pytest

from course_utils import lessons, quiz

CHOICE = {"text": "yes", "right": True, "feedback": "so"}
FINE = {"question": "Why?", "choices": [CHOICE, CHOICE | {"right": False}]}


@pytest.fixture
def written(monkeypatch, tmp_path):
    """Return written(content), which writes this content to the file of start_here and loads the questions from it."""
    (tmp_path / "start_here").mkdir()
    monkeypatch.setattr(lessons, "FOLDER", tmp_path)

    def written(content):
        content = content if isinstance(content, bytes) else content.encode()
        (tmp_path / "start_here/quiz.json").write_bytes(content)
        return quiz.load("start_here")

    return written


def without(part, key):
    return {name: value for name, value in part.items() if name != key}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"questions": [\n {"question": "Why?",\n  choices: []}]}', "line 3, column 3: Expecting property name"),
        ("", "line 1, column 1: Expecting value"),
        (b'{"questions":\n"\xff"}', "line 2 is not UTF-8"),
        (b'{"questions":\n\xff}', "line 2 is not UTF-8"),
        ('{"questions": ' + 100_000 * "[", "too many brackets inside brackets"),
        ("[]", 'needs the form {"questions": [...]}'),
        ('{"question": []}', 'needs the form {"questions": [...]}'),
        ('{"questions": []}', "at least one question"),
        ([FINE, without(FINE, "choices")], "question 2 has no 'choices'; it has 'question'"),
        ([FINE, FINE | {"choices": []}], "question 2 has no choices"),
        ([FINE | {"choices": [CHOICE, without(CHOICE, "right")]}],
         "question 1, choice 2 has no 'right'; it has 'text'"),
        ([FINE | {"choices": [CHOICE | {"right": "yes"}]}], "question 1, choice 1: 'right' must be a bool, got 'yes'"),
        ([FINE, "Why?"], "question 2 must be an object in braces, got 'Why?'"),
    ],
)  # fmt: skip
def test_a_broken_file_is_named_with_its_place(written, content, words):
    content = json.dumps({"questions": content}) if isinstance(content, list) else content
    with pytest.raises(ValueError) as error:
        written(content)
    name = "lessons/start_here/quiz.json"
    assert str(error.value).startswith(f"{name}: ") and f"git checkout -- {name}" in str(error.value)
    assert words in str(error.value)


def test_a_file_with_a_byte_order_mark_is_read(written):
    assert written(b"\xef\xbb\xbf" + json.dumps({"questions": [FINE]}).encode()) == [FINE]
