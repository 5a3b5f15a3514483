"""Make the feedback page that a student gets back: results, what the check said of each answer, where to read again."""

import re
import unicodedata
from pathlib import Path

from jinja2 import StrictUndefined, Template
from markupsafe import Markup
from nb.exercises import find

from course_utils import checks, theme
from course_utils.checks.panel import inline
from grading.findings import WITHOUT_CODE
from grading.points import earned, points_text
from grading.printable import distinct

VERDICTS = {  # status -> the sign, the CSS class of its colour, and words
    "passed": ("✓", "right", "Right"),
    "failed": ("✗", "wrong", "Not right yet"),
    "not attempted": ("○", "open", "Not attempted"),
    "broke off": ("✗", "wrong", "Broke off"),
    "not reached": ("○", "open", "Not reached"),
    "missing": ("○", "open", "No check found"),
    "unreadable": ("✗", "wrong", "Not readable"),
    "not graded": ("○", "open", "Not graded"),
}
COLOURS = {"right": "right", "wrong": "wrong", "open": "edge"}  # the page's colour -> that of the theme
NOT_IN_NAMES = re.compile(r'[<>:;"/\\|?*]|^\.')  # not allowed in file names; a dot would hide the page


def file_names(students) -> dict[str, str]:
    """Return student -> the name of the feedback page, without suffix. The names differ even where case is ignored."""
    names = {student: NOT_IN_NAMES.sub("_", student) for student in students}
    return distinct(names, lambda name: unicodedata.normalize("NFKC", name).casefold())


def page(student: str, answers: dict, worth: dict) -> str:
    """Return a student's feedback page as HTML. answers: exercise -> findings.Row. worth: exercise -> its points.

    If nothing of what was handed in could be graded, it says why once.
    """
    first, *others = answers.values()
    is_whole = first.status in WITHOUT_CODE and all(row[3:] == first[3:] for row in others)
    own = {name: earned(row, worth[name]) for name, row in answers.items()}
    text = Path(__file__).with_suffix(".html").read_text("utf-8")
    return Template(text, autoescape=True, undefined=StrictUndefined).render(
        student=student,
        colours={name: theme.COLOURS[colour].css() for name, colour in COLOURS.items()},
        points=[points_text(sum(numbers.values())) for numbers in (own, worth)],
        num_right=sum(row.status == "passed" for row in answers.values()),
        whole=(first, *VERDICTS[first.status]) if is_whole else None,
        sections=[(row, *VERDICTS[row.status], own[name], worth[name], find(name)) for name, row in answers.items()],
        stubs={name: getattr(checks, name).stub for name in answers},
        points_text=points_text,
        inline=lambda text: Markup(inline(text)),
    )
