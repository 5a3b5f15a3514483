"""Grade a folder of submitted notebooks, each in a process of its own, and write tables and feedback pages."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nb.files import NotebookError, display_path, write_atomically
from tqdm import tqdm

from grading import runner, tables
from grading.feedback import file_names, page
from grading.findings import Row, best, in_order, parse_findings, rows
from grading.points import EACH, read_points
from grading.printable import cut
from grading.submissions import PAGES, read_submissions

TABLE, STUDENTS = "grades.csv", "students.csv"
LONGEST = 200  # the most characters of a file's name in a message
MARK = "\ufeff".encode()  # the byte order mark tells spreadsheets UTF-8; learning platforms fail on it


def grade(folder, points=None, image: str | None = None, unconfined=False) -> list[str]:
    """Grade the notebooks below a folder, write tables and feedback pages there, and return the lines to print.

    points: the path of a table for `read_points`, which says what is graded; by default every exercise that any
    notebook checks, one point each. image: the container image to run each notebook in. unconfined: run them with the
    caller's rights, without a sandbox. Errors: NotebookError if there is no notebook, no check in any of them, a table
    that cannot be used, no container, or no sandbox.
    """
    folder, table = Path(folder), read_points(points) if points else {}
    submitted = read_submissions(folder)
    way = runner.find_way(image, unconfined)
    findings = _findings(submitted, way, tuple(table))
    asked = in_order(name for lines, _ in findings for name in lines[0].get("found", ()))
    worth = table or dict.fromkeys(asked, EACH)
    if not worth:
        raise NotebookError("In none of the notebooks is there a call of a check, such as `checks.scores(my_scores)`.")
    files = ((submission.student, submission.file) for submission in submitted)
    graded = [row for names, result in zip(files, findings, strict=True) for row in rows(*names, tuple(worth), *result)]
    others = [name for name in asked if name not in worth]
    return [
        *tables.as_text(graded),
        *tables.most_frequent(graded),
        *([f"Not in {display_path(points)}, and so not graded: {', '.join(others)}."] if others else []),
        way.protection,
        *_write_all(folder, graded, worth),
    ]


def _findings(submitted: list, way: runner.Way, exercises: tuple[str, ...]) -> list[tuple]:
    """Grade Submissions, several at once; return (findings, ending) for each, in their order.

    findings: as `parse_findings` returns them, but [{"unreadable": why}] for []. ending: how the grader ended, a
    sentence; None if normally. exercises: the names of those to be graded; if empty, all.
    """

    def grade_one(numbered):
        """Grade one Submission; return (findings, ending), as `_findings` does for each.

        numbered: (number, Submission); the number makes the name of its container differ from the others.
        """
        number, submission = numbered
        if submission.data is None:
            return [{"unreadable": submission.why}], None
        name = f"attention-grading-{os.getpid()}-{number}"
        output, failure = runner.run(way, submission.data, name, exercises)
        return parse_findings(output) or [{"unreadable": failure or "The grader said nothing about it."}], failure

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        work = pool.map(grade_one, enumerate(submitted))
        return list(tqdm(work, total=len(submitted), unit="notebook", disable=None, leave=False))


def _write_all(folder: Path, graded: list[Row], worth: dict) -> list[str]:
    """Write feedback pages and tables to a folder; return sentences on which were written and which could not be.

    graded: the Rows of all notebooks. worth: exercise -> its points.
    """
    answers, failed = best(graded), {}

    def write(name, data):
        """Write bytes to the file `name` in the folder; return `name`, or "not written: " with the reason.

        The reason is put into `failed`, too.
        """
        try:
            _write_in(folder.resolve(), name, data)
        except OSError as error:
            failed[name] = error.strerror or str(error)
        return f"not written: {failed[name]}" if name in failed else name

    files = {student: f"{PAGES}/{name}.html" for student, name in file_names(answers).items()}
    pages = {name: write(files[name], page(name, own, worth).encode()) for name, own in answers.items()}
    write(TABLE, MARK + tables.as_csv(Row._fields[:6], [row[:6] for row in graded]))
    write(STUDENTS, tables.as_csv(*tables.students(answers, worth, pages)))
    texts = {
        TABLE: ", with the message that each answer got.",
        STUDENTS: ": the points, a line for each student, for a learning platform.",
        PAGES: ": a page for each student, to hand back.",
    }
    here = display_path(folder)
    return [
        *(f"Written to {display_path(folder / name)}{words}" for name, words in texts.items() if name not in failed),
        *(f"{cut(name, LONGEST)} could not be written in {here}: {why}." for name, why in failed.items()),
    ]


def _write_in(folder: Path, name: str, data: bytes):
    """Write bytes to the file `name` in a folder whose path has no links; a link in the file's place is replaced.

    name: with a subfolder, if any. Errors: OSError if that subfolder is a link, since it may lead anywhere.
    """
    path = folder / name
    if path.parent != folder and path.parent.is_symlink():
        raise OSError(None, f"{path.parent.name} is a link")
    if path.is_symlink():
        path.unlink()
    write_atomically(path, data)
