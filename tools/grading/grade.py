"""Grade a folder of submitted notebooks, each in a process of its own, and write tables and feedback pages."""

import os
import threading
import time
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from nb.files import NotebookError, display_path, write_atomically
from tqdm import tqdm

from grading import runner, tables
from grading.feedback import file_names, page
from grading.findings import Row, best, in_order, parse_findings, rows
from grading.points import EACH, read_points
from grading.printable import cut
from grading.submissions import PAGES, STUDENTS, TABLE, read_submissions

LONGEST = 200  # the most characters of a file's name in a message
MOST_REASONS = 5  # files of which a message says why they are not graded
MARK = "\ufeff".encode()  # the byte order mark tells spreadsheets UTF-8; learning platforms fail on it
NO_TIME = "Not run: this student's other notebooks took the {seconds} seconds that all of them have together."
NOTHING_GRADED = "Stopped: nothing is graded, and nothing was written."
NOT_GRADED = "Stopped: {done} of {all} notebooks are graded. The others are `not graded`, without points: grade again."
UNFINISHED = [{"not graded": runner.STOPPED}], None  # as `_grade_one` returns it


class Grading(NamedTuple):
    """What grading has to say: the lines to print, and whether all notebooks are graded."""

    lines: list[str]
    is_complete: bool


def grade(folder, points=None, image: str | None = None, unconfined=False) -> Grading:
    """Grade the notebooks below a folder, and write tables and feedback pages there. Errors: NotebookError.

    A KeyboardInterrupt while notebooks run stops them; what is graded so far is written. points: the path of a table
    for `read_points`; by default every exercise that any notebook checks is graded, one point each.
    """
    folder, table = Path(folder), read_points(points) if points else {}
    submitted = read_submissions(folder)
    way = runner.find_way(image, unconfined)
    findings = _findings(submitted, way, tuple(table))
    asked = in_order(name for lines, _ in findings for name in lines[0].get("found", ()))
    worth = table or dict.fromkeys(asked, EACH)
    done = sum("not graded" not in lines[0] for lines, _ in findings)
    if not worth:
        raise NotebookError(_nothing_to_grade(submitted, findings) if done == len(submitted) else NOTHING_GRADED)
    files = ((submission.student, submission.file) for submission in submitted)
    graded = [row for names, result in zip(files, findings, strict=True) for row in rows(*names, tuple(worth), *result)]
    others = [name for name in asked if name not in worth]
    lines = [
        *tables.as_text(graded),
        *tables.unreadable(graded),
        *tables.most_frequent(graded),
        *([f"Not in {display_path(points)}, and so not graded: {', '.join(others)}."] if others else []),
        way.protection,
        *_write_all(folder, graded, worth),
        *([NOT_GRADED.format(done=done, all=len(submitted))] if done < len(submitted) else []),
    ]
    return Grading(lines, done == len(submitted))


def _nothing_to_grade(submitted: list, findings: list[tuple]) -> str:
    reasons = [
        f"{cut(submission.file, LONGEST)}: {why}"
        for submission, (lines, _) in zip(submitted, findings, strict=True)
        if (why := lines[0].get("unreadable"))
    ]
    words = "In none of the notebooks is there a call of a check, such as `checks.scores(my_scores)`."
    return "\n".join([words, *reasons[:MOST_REASONS]])


def _findings(submitted: list, way: runner.Way, exercises: tuple[str, ...]) -> list[tuple]:
    """Grade Submissions, those of several students at once; return (findings, ending) for each, as `rows` takes them.

    exercises: those to be graded; if empty, all. An interrupt ends it early, with findings that say so.
    """
    stop, results = threading.Event(), {}
    by_student = groupby(sorted(enumerate(submitted), key=lambda pair: pair[1].student), lambda pair: pair[1].student)
    with (
        tqdm(total=len(submitted), unit="notebook", disable=None, leave=False) as bar,
        ThreadPoolExecutor(os.cpu_count() or 1) as pool,
    ):

        def grade_all(numbered):
            end = time.monotonic() + runner.WALL_SECONDS
            for number, submission in numbered:
                results[number] = _grade_one(submission, way, number, exercises, end, stop)
                bar.update()

        try:
            work = [pool.submit(grade_all, list(numbered)) for _, numbered in by_student]
            while work:  # a signal that comes just before a wait is heard only after it
                done, work = wait(work, timeout=0.5, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
        except KeyboardInterrupt:
            stop.set()
        except BaseException:
            stop.set()
            raise
    # what an interrupt kept from being submitted has no result yet
    return [results.get(n) or _grade_one(one, way, n, exercises, 0, stop) for n, one in enumerate(submitted)]


def _grade_one(submission, way: runner.Way, number: int, exercises, end: float, stop: threading.Event) -> tuple:
    """Grade a Submission; return (findings, ending). end: when it is stopped, on the monotonic clock."""
    if submission.data is None:
        return [{"unreadable": submission.why}], None
    if stop.is_set():
        return UNFINISHED
    seconds = end - time.monotonic()
    if seconds < 0:
        return [{"not reached": NO_TIME.format(seconds=runner.WALL_SECONDS)}], None
    name = f"attention-grading-{os.getpid()}-{number}"
    output, failure = runner.run(way, submission.data, name, exercises, seconds, stop)
    if failure == runner.STOPPED:
        return UNFINISHED
    return parse_findings(output) or [{"unreadable": failure or "The grader said nothing about it."}], failure


def _write_all(folder: Path, graded: list[Row], worth: dict) -> list[str]:
    """Write feedback pages and tables to a folder; return sentences on which were written and which could not be."""
    answers, failed = best(graded), {}

    def write(name, data):
        """Write a file in the folder; return its name, or "not written: " with the reason, which `failed` gets, too."""
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

    Errors: OSError if its subfolder is a link, since it may lead anywhere.
    """
    path = folder / name
    if path.parent != folder and path.parent.is_symlink():
        raise OSError(None, f"{path.parent.name} is a link")
    if path.is_symlink():
        path.unlink()
    write_atomically(path, data)
