"""Make the feedback page that a student gets back: results, what the check said of each answer, where to read again."""

import html
import re
import unicodedata

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
NOT_IN_NAMES = re.compile(r'[<>:;"/\\|?*]|^\.')  # not allowed in file names; a dot would hide the page
AGAIN = (
    "Every check can be asked again: open your notebook, change the answer, and run the cell below it. It says what "
    "this page says."
)
STYLE = f"""
:root {{ color-scheme: light dark; --line: light-dark(#c9c9c9, #4a4a4a);
  --right: {theme.COLOURS["right"].css()}; --wrong: {theme.COLOURS["wrong"].css()};
  --open: {theme.COLOURS["edge"].css()}; }}
body {{ background: light-dark(#fff, #161616); color: light-dark(#1b1b1b, #e8e8e8); margin: 0 auto; max-width: 44rem;
  padding: 1.5rem 1rem 3rem; font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }}
h1 {{ font-size: 1.6rem; line-height: 1.25; margin: 0 0 .3rem; }}
h2 {{ font-size: 1.1rem; margin: 0; display: flex; flex-wrap: wrap; gap: .1rem .8rem; align-items: baseline; }}
h2 span {{ font-weight: normal; }}
h2 .points {{ margin-left: auto; }}
section {{ border: 1px solid var(--line); border-left: 6px solid var(--kind); border-radius: 4px; margin: 1rem 0;
  padding: .8rem 1rem; }}
.sign {{ color: var(--kind); font-weight: bold; }}
.right {{ --kind: var(--right); }} .wrong {{ --kind: var(--wrong); }} .open {{ --kind: var(--open); }}
p {{ margin: .5rem 0 0; }}
.sum {{ font-size: 1.1rem; }}
code {{ background: light-dark(#f0f0f0, #2b2b2b); border-radius: 3px; font: .92em ui-monospace, monospace;
  padding: .05em .3em; }}
@media print {{
  :root {{ color-scheme: light; }}
  body {{ max-width: none; padding: 0; font-size: 11pt; }}
  section {{ break-inside: avoid; }}
}}
"""


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
    title = html.escape(f"Feedback: {student}")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p class="sum"><strong>{got} of {most} points</strong> · {len(right)} of {len(answers)} exercises right</p>
{"".join(_section(row, worth[name]) for name, row in answers.items())}<p>{AGAIN}</p>
</main>
</body>
</html>
"""


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
