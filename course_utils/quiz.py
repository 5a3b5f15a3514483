"""Questions at the end of a notebook, with a word on each choice; from data/quizzes/, drawn as a live view."""

import json
import re

from IPython import get_ipython
from IPython.display import display

from . import course, data

LETTERS = "ABCDEFGH"
MARKED = re.compile(r"(`[^`]+`|(?<![*\w])\*[^*`]+\*(?!\*))")  # `code`, and *so*, but not the signs of a power
TAGS = {"`": "code", "*": "em"}


def show(topic):
    """Show the quiz of a notebook: choose, press Check, read why.

    topic: as in the notebook's file name, "causal_masking". Where no widgets are drawn, and in a script, the questions
    and choices stand as text, without the answers. Errors: ValueError for a topic without a quiz.
    """
    if get_ipython() is None:
        print(text(load(topic)))
    else:
        display(view(topic))


def view(topic):
    """Return the quiz as a live view; its `to_html()` is the quiz for a page. Errors: as for show."""
    from .widgets.quiz import Quiz  # here, since a script has no need of widgets

    questions = load(topic)
    return Quiz([_parted(question) for question in questions], text(questions))


def load(topic):
    """Read the questions: a list of dicts, each with a question and its choices (text, right, feedback).

    A number, "07", is that of a notebook of version 1, which a learner may still have: its questions are read.
    Errors: ValueError for a topic without a quiz, and for a broken file, with the line or the question.
    """
    folder = data.DATA / "quizzes"
    known = [one.topic for one in course.notebooks() if (folder / f"{one.topic}.json").is_file()]
    topics = {file[:2]: topics for file, topics in course.BEFORE.items()}.get(topic, (topic,))
    if not set(topics) <= set(known):
        raise ValueError(f"there is no quiz {topic!r}. There are: {', '.join(known)}.")
    return [question for one in topics for question in _questions(folder / f"{one}.json")]


def _questions(file):
    """Read the questions of one file. Errors: ValueError that names the file, and the line or the question."""
    name = f"data/quizzes/{file.name}"
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
    except ValueError as error:
        problem = str(error)
    else:
        return questions
    raise ValueError(f"{name}: {problem}. Mend it there, or bring it back with `git checkout -- {name}`.")


def _check_question(place, question):
    """Check that a question has what the view shows. Errors: ValueError that names the question and the key."""
    _check_keys(place, question, {"question": str, "choices": list})
    if not question["choices"]:
        raise ValueError(f"{place} has no choices")
    for number, choice in enumerate(question["choices"], start=1):
        _check_keys(f"{place}, choice {number}", choice, {"text": str, "right": bool, "feedback": str})


def _check_keys(place, part, kinds):
    if not isinstance(part, dict):
        raise ValueError(f"{place} must be an object in braces, got {part!r:.60}")
    for key, kind in kinds.items():
        if key not in part:
            raise ValueError(f"{place} has no {key!r}; it has {', '.join(map(repr, part)) or 'nothing'}")
        if not isinstance(part[key], kind):
            raise ValueError(f"{place}: {key!r} must be a {kind.__name__}, got {part[key]!r:.60}")


def text(questions):
    """The questions and their choices as plain text."""
    lines = []
    for index, question in enumerate(questions, start=1):
        choices = [_plain(choice["text"]) for choice in question["choices"]]
        lines += [f"{index}. {_plain(question['question'])}"]
        lines += [f"   {letter}) {choice}" for letter, choice in zip(LETTERS, choices, strict=False)] + [""]
    return "\n".join(lines).rstrip()


def _parted(question):
    """A question with its words, and those of its choices, in parts."""
    choices = [
        {"text": _parts(choice["text"]), "right": choice["right"], "feedback": _parts(choice["feedback"])}
        for choice in question["choices"]
    ]
    return {"question": _parts(question["question"]), "choices": choices}


def _parts(words):
    """Words in pairs of a tag ("code", "em" or "") and what stands in it."""
    pieces = enumerate(MARKED.split(words))  # by turns without a mark and with one
    return [(TAGS[piece[0]], piece[1:-1]) if turn % 2 else ("", piece) for turn, piece in pieces if piece]


def _plain(words):
    """Text knows no code and no emphasis: emphasis becomes quotation marks."""
    return "".join(f"“{part}”" if tag == "em" else part for tag, part in _parts(words))
