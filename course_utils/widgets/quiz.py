"""The quiz at the end of a notebook: choose, press Check, read why."""

import html

import traitlets as t

from course_utils.widgets.view import View


class Quiz(View):
    """Questions with choices, and a word on each choice that is read after Check.

    questions: a list of dicts, each with a question and its choices (text, right, feedback); all words are lists of
    pairs, a tag ("code", "em" or "") and what stands in it. plain: the questions as text, for where nothing is drawn.
    """

    script = "quiz.js"

    questions = t.List(t.Dict()).tag(sync=True)

    def __init__(self, questions, plain):
        self._plain = plain
        super().__init__(questions=questions)

    def to_html(self):
        _, script = super().to_html().split("</div>", 1)
        return f'<div class="av-page"><pre>{html.escape(self._plain)}</pre></div>{script}'

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        del data["image/png"], metadata["image/png"]
        return data, metadata

    def _png(self):
        return b""  # words need no picture: their text stands in for them

    def __repr__(self):
        return self._plain
