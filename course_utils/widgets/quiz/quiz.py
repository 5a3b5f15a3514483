"""Quiz: the view of the quiz at the end of a notebook."""

import html

import traitlets as t

from course_utils import inputs, progress
from course_utils.language import say
from course_utils.widgets.shared.view import View


class Quiz(View):
    """A quiz of multiple-choice questions, each with a Check button that shows feedback on the chosen answer.

    What was checked is stored in the learner's progress, and is there again when the quiz is shown once more.

    name: of the quiz, under which the answers are stored, a str; "" stores none.
    questions: a list of dicts, each with `question` and `choices`, a list of dicts with `text`, `right` (a bool) and
    `feedback`. Each question, text and feedback is a list of (tag, words), where the tag is "code", "em" or "".
    plain: all questions as plain text, a str, for pages in which no script runs.
    """

    script = "quiz.js"

    questions = t.List(t.Dict()).tag(sync=True)
    chosen = t.Dict().tag(sync=True)  # from the number of a question, "1", to that of the checked choice, from 1 on
    note = t.Unicode().tag(sync=True)  # on what went wrong when they were stored

    def __init__(self, questions, plain, name=""):
        self._plain, self._name = inputs.encodable(plain), ""
        super().__init__(questions=questions, chosen=progress.kept("quizzes", name) if name else {})
        self._name = name  # from now on, what is checked is stored

    @t.observe("chosen")
    def _keep(self, change):
        if self._name and change["new"]:
            self.note = progress.keep("quizzes", self._name, change["new"])

    def _stand_in(self):
        lines = [(len(line) - len(line.lstrip()), html.escape(line.strip())) for line in self._plain.split("\n")]
        return "".join(f'<p style="margin: 0 0 0 {indent}ch">{line or "&nbsp;"}</p>' for indent, line in lines)

    def _stored(self):
        return f"<p><em>{say('Run the cell to choose and check your answers.')}</em></p>" + self._stand_in()

    def __repr__(self):
        return self._plain
