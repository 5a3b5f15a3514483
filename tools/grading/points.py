"""Read and write the table of points, which names the graded exercises; compute what an answer earns."""

import csv
import math
from pathlib import Path

from nb.files import NotebookError, display_path

from course_utils import checks

HEAD = ("exercise", "points")
EACH = 1  # points of an exercise for which the table says nothing


def as_csv(points: dict) -> bytes:
    return "".join(f"{name},{number}\n" for name, number in (HEAD, *points.items())).encode()


def read_points(path: str | Path) -> dict[str, int | float]:
    """Read a table of points from a file; return exercise -> points, in the order of the course.

    The file is a CSV of an exercise's name, or its stub's, and its points, 1 if left out. A first line
    "exercise,points" and empty lines are skipped. Errors: NotebookError; OSError.
    """
    path = Path(path)
    try:
        rows = list(csv.reader(path.read_text("utf-8-sig").splitlines()))
    except UnicodeDecodeError:
        raise NotebookError(f"{display_path(path)} is not UTF-8: save the table as CSV in UTF-8.") from None
    names = {exercise.stub: name for name, exercise in checks.all().items()}
    points = {}
    for line, row in enumerate(rows, 1):
        fields = [field.strip() for field in row]
        if not any(fields) or line == 1 and tuple(field.lower() for field in fields) == HEAD:
            continue
        where = f"{display_path(path)}, line {line}"
        name = names.get(fields[0], fields[0])
        if name not in names.values():
            raise NotebookError(f"{where}: there is no exercise {fields[0]!r}. A line is `causal_mask,2`.")
        if name in points:
            raise NotebookError(f"{where}: {name} stands in the table twice.")
        points[name] = _number(fields[1] if len(fields) > 1 else "", where)
    if not points:
        raise NotebookError(f"{display_path(path)} names no exercise. A line is `causal_mask,2`.")
    return {name: points[name] for name in names.values() if name in points}


def earned(row, worth: float) -> float:
    """Return the points that an answer earns: `worth` if it is right, else 0. row: the answer's findings.Row."""
    return worth if row.status == "passed" else 0


def points_text(points: float) -> str:
    """Return points as the text that a person writes: "2", "2.5"."""
    return f"{round(points, 4):g}"


def _number(text: str, where: str) -> int | float:
    if not text:
        return EACH
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise NotebookError(f"{where}: points must be a number of at least 0, as in 2 or 1.5, got {text!r}.")
    return int(number) if number == int(number) else number
