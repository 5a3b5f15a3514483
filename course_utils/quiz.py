"""Show the quiz at the end of a notebook: questions from its lesson's quiz.json, with feedback, as a widget."""

import json
import re
from functools import partial
from pathlib import Path

from IPython import get_ipython
from IPython.display import display

from . import course, language, lessons

LETTERS = "ABCDEFGH"
MARKED = re.compile(r"(`[^`]+`|(?<![*\w])\*[^*`]+\*(?!\*))")  # `code` and *emphasis*, but not the ** of a power
TAGS = {"`": "code", "*": "em"}


def show(topic: str) -> None:
    """Display the quiz of a notebook, in which a learner chooses answers, presses Check, and reads the feedback.

    topic: as in the notebook's file name, "causal_masking", or as for `load`. In a script the questions and choices are
    printed as text, without the answers; a notebook shows that text where widgets are not displayed.
    Errors: ValueError for a topic without a quiz, and for a broken file.
    """
    if get_ipython() is None:
        print(text(_translated(load(topic))))
    else:
        display(view(topic))


def view(topic):
    """Return the quiz of a notebook as a widgets.Quiz; its `to_html()` returns the quiz for a web page.

    topic: as for `load`. Errors: ValueError for a topic without a quiz, and for a broken file.
    """
    from .widgets.quiz.quiz import Quiz  # imported here, since a script does not need widgets

    questions = _translated(load(topic))
    return Quiz([_parted(question) for question in questions], text(questions), topic)


def load(topic: str) -> list[dict]:
    """Return the questions of a quiz: in each, `question`, a str, and `choices`, a list of dicts.

    A choice has `text` and `feedback`, strs, and `right`, a bool. Texts may have `code` and *emphasis* in them.
    topic: as in the notebook's file name, "causal_masking".
    Errors: ValueError for a topic without a quiz, and for a broken file; it names the line or the question.
    """
    files = {one.topic: lessons.FOLDER / one.topic / "quiz.json" for one in course.notebooks()}
    known = [topic for topic, file in files.items() if file.is_file()]
    if topic not in known:
        raise ValueError(f"there is no quiz {topic!r}. There are: {', '.join(known)}.")
    return _questions(files[topic])


def _questions(file: Path) -> list[dict]:
    """Return the questions in a file quiz.json. Errors: ValueError that names the file and the place of a mistake."""
    name = f"lessons/{file.parent.name}/{file.name}"
    content = file.read_bytes()
    try:
        read = json.loads(content)
        questions = read.get("questions") if isinstance(read, dict) else None
        if not isinstance(questions, list) or not questions:
            raise ValueError('the file needs the form {"questions": [...]}, with at least one question')
        for number, question in enumerate(questions, start=1):
            _check_question(f"question {number}", question)
    except json.JSONDecodeError as error:
        problem = f"line {error.lineno}, column {error.colno}: {error.msg}"
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"line {line} is not UTF-8"
    except RecursionError:
        problem = "it has too many brackets inside brackets"
    except ValueError as error:
        problem = str(error)
    else:
        return questions
    raise ValueError(f"{name}: {problem}. Mend it there, or bring it back with `git checkout -- {name}`.")


def _check_question(place: str, question) -> None:
    """Check that a question has all that the widget needs. Errors: ValueError with the place and the key."""
    _check_keys(place, question, {"question": str, "choices": list})
    if not question["choices"]:
        raise ValueError(f"{place} has no choices")
    for number, choice in enumerate(question["choices"], start=1):
        _check_keys(f"{place}, choice {number}", choice, {"text": str, "right": bool, "feedback": str})


def _check_keys(place: str, part, kinds: dict) -> None:
    """Check that `part` is a dict with each key of `kinds`, and a value of its type. Errors: ValueError if not."""
    if not isinstance(part, dict):
        raise ValueError(f"{place} must be an object in braces, got {part!r:.60}")
    for key, kind in kinds.items():
        if key not in part:
            raise ValueError(f"{place} has no {key!r}; it has {', '.join(map(repr, part)) or 'nothing'}")
        if not isinstance(part[key], kind):
            raise ValueError(f"{place}: {key!r} must be a {kind.__name__}, got {part[key]!r:.60}")


def text(questions: list[dict]) -> str:
    """Return questions, as `load` returns them, with lettered choices and without answers, as plain text."""
    lines = []
    for index, question in enumerate(questions, start=1):
        choices = [_plain(choice["text"]) for choice in question["choices"]]
        lines += [f"{index}. {_plain(question['question'])}"]
        lines += [f"   {letter}) {choice}" for letter, choice in zip(LETTERS, choices, strict=False)] + [""]
    return "\n".join(lines).rstrip()


def _translated(questions: list[dict]) -> list[dict]:
    """Return questions, as `load` returns them, with their texts in the current language."""
    here = partial(language.look_up, catalogues=language.SENTENCES)
    return [
        question
        | {
            "question": here(question["question"]),
            "choices": [
                choice | {key: here(choice[key]) for key in ("text", "feedback")} for choice in question["choices"]
            ],
        }
        for question in questions
    ]


def _parted(question: dict) -> dict:
    choices = [choice | {key: _parts(choice[key]) for key in ("text", "feedback")} for choice in question["choices"]]
    return question | {"question": _parts(question["question"]), "choices": choices}


def _parts(words: str) -> list[tuple[str, str]]:
    """Split a text at its `code` and *emphasis*: return (tag, content) pairs, where tag is "code", "em" or ""."""
    pieces = enumerate(MARKED.split(words))  # every second piece is marked, as `code` or *emphasis*
    return [(TAGS[piece[0]], piece[1:-1]) if turn % 2 else ("", piece) for turn, piece in pieces if piece]


def _plain(words: str) -> str:
    """Return a text without the marks of `code` and *emphasis*: emphasis gets quotation marks, code gets none."""
    return "".join(f"“{part}”" if tag == "em" else part for tag, part in _parts(words))
