"""Questions at the end of a notebook, with a word on each choice; from data/quizzes/, drawn with plain ipywidgets."""

import json
import re
from html import escape

from IPython import get_ipython
from IPython.display import display

from . import data

LETTERS = "ABCDEFGH"
EMPHASIS = r"(?<![*\w])\*([^*<]+)\*(?!\*)"  # *so*, and not the signs of a product or a power


def show(number):
    """Show the quiz of a notebook: choose, press Check, read why.

    number: as in the notebook's file name, "02". Where no widgets are drawn, and in a script, the questions and choices
    stand as text, without the answers. Errors: ValueError for a notebook without a quiz.
    """
    questions = load(number)
    plain = text(questions)
    if get_ipython() is None:
        print(plain)
        return
    view = _box(questions)._repr_mimebundle_()
    view["text/plain"] = plain
    display(view, raw=True)


def load(number):
    """Read the questions: a list of dicts, each with a question and its choices (text, right, feedback)."""
    file = data.DATA / "quizzes" / f"{number}.json"
    known = sorted(path.stem for path in file.parent.glob("*.json"))
    if number not in known:
        raise ValueError(f"there is no quiz {number!r}. There are: {', '.join(known)}.")
    return json.loads(file.read_text("utf-8"))["questions"]


def text(questions):
    """The questions and their choices as plain text."""
    lines = []
    for index, question in enumerate(questions, start=1):
        lines += [f"{index}. {_plain(question['question'])}"]
        lines += [f"   {letter}  {choice}" for letter, choice in zip(LETTERS, _choices(question), strict=False)] + [""]
    return "\n".join(lines).rstrip()


def _box(questions):
    from ipywidgets import HTML, VBox  # here, since a script has no need of widgets

    right, score = set(), HTML()

    def count(index, is_right):
        (right.add if is_right else right.discard)(index)
        score.value = _status(f"{len(right)} of {len(questions)} right.")

    asked = [_question(index, question, count) for index, question in enumerate(questions)]
    return VBox([*asked, score])


def _question(index, question, count):
    """One question: radio buttons, a button, and a place for the word on the choice."""
    from ipywidgets import HTML, Button, RadioButtons, VBox

    wide = {"width": "auto", "max_width": "48em"}
    prompt = HTML(
        f"<p style='margin:0;max-width:48em;line-height:1.5'><b>{index + 1}.</b> {_rich(question['question'])}</p>"
    )
    choices = RadioButtons(options=_choices(question), value=None, layout=wide)
    button, feedback = Button(description="Check", tooltip=f"Check question {index + 1}"), HTML()

    def check(_):
        if choices.index is None:
            feedback.value = _status("Choose an answer first.")
            return
        chosen = question["choices"][choices.index]
        count(index, chosen["right"])
        verdict = "✓ Right." if chosen["right"] else "✗ Not this one."
        feedback.value = _status(f"<b>{verdict}</b> {_rich(chosen['feedback'])}")

    button.on_click(check)
    # A word on one choice must not stand beside another.
    choices.observe(lambda _: setattr(feedback, "value", ""), names="index")
    return VBox([prompt, choices, button, feedback], layout={"margin": "0 0 1.2em 0"})


def _status(words):
    """Words that a screen reader says when they change."""
    return f"<div role='status' style='max-width:48em;line-height:1.5'>{words}</div>"


def _choices(question):
    return [_plain(choice["text"]) for choice in question["choices"]]


def _plain(words):
    """Radio buttons and text know no code and no emphasis: emphasis becomes quotation marks."""
    return re.sub(r"`([^`]*)`", r"\1", re.sub(EMPHASIS, r"“\1”", words))


def _rich(words):
    """`code` and *emphasis* as HTML."""
    words = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(words, quote=False))
    return re.sub(EMPHASIS, r"<em>\1</em>", words)
