"""Show the quiz at the end of a notebook: questions from data/quizzes/, with feedback on each choice, as a widget."""

import json
import re

from IPython import get_ipython
from IPython.display import display

from . import course, data

LETTERS = "ABCDEFGH"
MARKED = re.compile(r"(`[^`]+`|(?<![*\w])\*[^*`]+\*(?!\*))")  # `code` and *emphasis*, but not the ** of a power
TAGS = {"`": "code", "*": "em"}


def show(topic):
    """Show the quiz of a notebook, in which a learner chooses answers, presses Check, and reads the feedback.

    topic: as in the notebook's file name, "causal_masking". Where widgets are not displayed, and in a script, the
    questions and choices appear as text, without the answers.
    Errors: ValueError for a topic without a quiz, and for a broken file.
    """
    if get_ipython() is None:
        print(text(load(topic)))
    else:
        display(view(topic))


def view(topic):
    """Return the quiz of a notebook as a widget; its `to_html()` returns the quiz for a web page.

    topic, errors: as for `show`.
    """
    from .widgets.quiz import Quiz  # imported here, since a script does not need widgets

    questions = load(topic)
    return Quiz([_parted(question) for question in questions], text(questions))


def load(topic):
    """Return the questions of a quiz: a list of dicts, each with a question and its choices (text, right, feedback).

    topic: as for `show`; or the number of a notebook of version 0.1, "07", which learners may have: the questions
    are then those of the notebooks that replace it.
    Errors: ValueError for a topic without a quiz, and for a broken file; it names the line or the question.
    """
    folder = data.DATA / "quizzes"
    known = [one.topic for one in course.notebooks() if (folder / f"{one.topic}.json").is_file()]
    topics = {file[:2]: topics for file, topics in course.BEFORE.items()}.get(topic, (topic,))
    if not set(topics) <= set(known):
        raise ValueError(f"there is no quiz {topic!r}. There are: {', '.join(known)}.")
    return [question for one in topics for question in _questions(folder / f"{one}.json")]


def _questions(file):
    """Return the questions in one file of data/quizzes/. Errors: ValueError that names the file and the place."""
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
    """Check that a question has all keys that the widget needs. Errors: ValueError that names the place and the key."""
    _check_keys(place, question, {"question": str, "choices": list})
    if not question["choices"]:
        raise ValueError(f"{place} has no choices")
    for number, choice in enumerate(question["choices"], start=1):
        _check_keys(f"{place}, choice {number}", choice, {"text": str, "right": bool, "feedback": str})


def _check_keys(place, part, kinds):
    """Check that `part` is a dict with each key of `kinds`, from key to type, and a value of that type."""
    if not isinstance(part, dict):
        raise ValueError(f"{place} must be an object in braces, got {part!r:.60}")
    for key, kind in kinds.items():
        if key not in part:
            raise ValueError(f"{place} has no {key!r}; it has {', '.join(map(repr, part)) or 'nothing'}")
        if not isinstance(part[key], kind):
            raise ValueError(f"{place}: {key!r} must be a {kind.__name__}, got {part[key]!r:.60}")


def text(questions):
    """Return the questions and their choices as plain text. questions: as `load` returns them."""
    lines = []
    for index, question in enumerate(questions, start=1):
        choices = [_plain(choice["text"]) for choice in question["choices"]]
        lines += [f"{index}. {_plain(question['question'])}"]
        lines += [f"   {letter}) {choice}" for letter, choice in zip(LETTERS, choices, strict=False)] + [""]
    return "\n".join(lines).rstrip()


def _parted(question):
    """Return a dict like `question`, one of those of `load`, in which each text is split as `_parts` splits it."""
    choices = [choice | {key: _parts(choice[key]) for key in ("text", "feedback")} for choice in question["choices"]]
    return question | {"question": _parts(question["question"]), "choices": choices}


def _parts(words):
    """Return a text with `code` and *emphasis* as a list of (tag, content); the tag is "code", "em" or ""."""
    pieces = enumerate(MARKED.split(words))  # every second piece is marked, as `code` or *emphasis*
    return [(TAGS[piece[0]], piece[1:-1]) if turn % 2 else ("", piece) for turn, piece in pieces if piece]


def _plain(words):
    """Return a text without its marks: emphasis gets quotation marks, code gets none."""
    return "".join(f"“{part}”" if tag == "em" else part for tag, part in _parts(words))
