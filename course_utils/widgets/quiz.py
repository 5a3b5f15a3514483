"""The quiz at the end of a notebook: choose, press Check, read why."""

import html

import traitlets as t

from course_utils import inputs
from course_utils.widgets.view import View


class Quiz(View):
    """Questions with choices, and a word on each choice that is read after Check.

    questions: a list of dicts, each with a question and its choices (text, right, feedback); all words are lists of
    pairs, a tag ("code", "em" or "") and what stands in it. plain: the questions as text, for where nothing is drawn.
    """

    script = "quiz.js"

    questions = t.List(t.Dict()).tag(sync=True)

    def __init__(self, questions, plain):
        self._plain = inputs.encodable(plain)
        super().__init__(questions=questions)

    def _stand_in(self):
        lines = [(len(line) - len(line.lstrip()), html.escape(line.strip())) for line in self._plain.split("\n")]
        return "".join(f'<p style="margin: 0 0 0 {indent}ch">{line or "&nbsp;"}</p>' for indent, line in lines)

    def _stored(self):
        return "<p><em>Run the cell to choose and check your answers.</em></p>" + self._stand_in()

    def __repr__(self):
        return self._plain
