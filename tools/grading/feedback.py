"""Make the feedback page that a student gets back: results, what the check said of each answer, where to read again."""

import html
import re
import unicodedata
from pathlib import Path
from string import Template

from nb.exercises import find

from course_utils import checks, theme
from course_utils.checks.panel import inline
from grading.points import written
from grading.printable import distinct

VERDICTS = {  # status -> the sign, the CSS class of its colour, and words
    "passed": ("✓", "right", "Right"),
    "failed": ("✗", "wrong", "Not right yet"),
    "not attempted": ("○", "open", "Not attempted"),
    "broke off": ("✗", "wrong", "Broke off"),
    "not reached": ("○", "open", "Not reached"),
    "missing": ("○", "open", "No check found"),
    "unreadable": ("✗", "wrong", "Not readable"),
}
COLOURS = {"right": "right", "wrong": "wrong", "open": "edge"}  # the page's colour -> that of the theme
NOT_IN_NAMES = re.compile(r'[<>:;"/\\|?*]|^\.')  # not allowed in file names; a dot would hide the page
AGAIN = (
    "Every check can be asked again: open your notebook, change the answer, and run the cell below it. It says what "
    "this page says."
)
PAGE = Template(Path(__file__).with_suffix(".html").read_text("utf-8"))


def file_names(students):
    """Return student -> file name of the feedback page, without its ending; names differ even where case is ignored.

    students: the students' names.
    """
    names = {student: NOT_IN_NAMES.sub("_", student) for student in students}
    return distinct(names, lambda name: unicodedata.normalize("NFKC", name).casefold())


def page(student, answers, worth):
    """Return one student's feedback page as self-contained HTML.

    student: the student's name. answers: exercise -> its Row. worth: exercise -> its points.
    """
    right = [name for name, row in answers.items() if row.status == "passed"]
    got, most = (written(sum(worth[name] for name in names)) for names in (right, worth))
    return PAGE.substitute(
        title=html.escape(f"Feedback: {student}"),
        **{name: theme.COLOURS[colour].css() for name, colour in COLOURS.items()},
        points=f"{got} of {most} points",
        exercises=f"{len(right)} of {len(answers)} exercises right",
        sections="".join(_section(row, worth[name]) for name, row in answers.items()),
        again=AGAIN,
    )


def _section(row, points):
    """Return the HTML about one exercise. row: the student's Row in it. points: what it is worth, a number."""
    sign, kind, words = VERDICTS[row.status]
    passed = row.status == "passed"
    points_got = f"{written(points if passed else 0)} of {written(points)} {'point' if points == 1 else 'points'}"
    paragraphs = [f"<p>{inline(row.message)}</p>"]
    paragraphs += [f"<p>{'<br>'.join(map(inline, row.tried))}</p>"] if row.tried else []
    paragraphs += [f"<p><em>A hint.</em> {inline(hint)}</p>" for hint in row.hints]
    paragraphs += [] if passed else [f"<p><strong>Read again:</strong> {_place_html(row.exercise)}</p>"]
    head = (
        f'<code>{html.escape(getattr(checks, row.exercise).stub)}</code> <span><span class="sign">{sign}</span> {words}'
        f'</span> <span class="points">{points_got}</span>'
    )
    return f'<section class="{kind}">\n<h2>{head}</h2>\n' + "\n".join(paragraphs) + "\n</section>\n"


def _place_html(exercise):
    """Return the HTML that names an exercise's notebook and the heading above it. exercise: the exercise's name."""
    place = find(exercise)
    notebook = f"{int(place.notebook.number)} · {html.escape(place.notebook.title)}"
    return f"<em>{notebook}</em>, under the heading “{inline(place.under)}”."
