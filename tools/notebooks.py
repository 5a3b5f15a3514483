"""Run, clean, check, copy, hand out and grade the notebooks of the course.

`python tools/notebooks.py --help` lists the commands, `python tools/notebooks.py grade --help` what one of them takes.
"""

import argparse
import os
import sys
from pathlib import Path

from nb.files import OWN, PUBLISHED, NotebookError, display_path, find_notebooks, write_atomically

from course_utils import language
from course_utils.stopping import stoppable

# Each command prints its messages and returns whether it found or met a fault. The first line of its docstring is its
# help. It imports what it needs: `copy` runs before JupyterLab opens, and must not wait for slow imports.


def run(arguments: argparse.Namespace) -> bool:
    """Run the notebooks in fresh kernels, and store each notebook after a complete run."""
    from nb.run import run_notebooks

    paths = find_notebooks(arguments.paths)
    failures = run_notebooks(paths, arguments.jobs)
    print(*failures, f"{_count(len(paths) - len(failures))} run and stored.", sep="\n")
    return bool(failures)


def tremble(arguments: argparse.Namespace) -> bool:
    """Run the notebooks with disturbed arithmetic, and name the cells whose outputs do not match the stored ones."""
    from nb.tremble import tremble as find_mismatches

    paths = find_notebooks(arguments.paths)
    mismatches = find_mismatches(paths, arguments.jobs, arguments.seed)
    print(*mismatches, f"{_count(len(paths))} run with disturbed arithmetic, {len(mismatches)} findings.", sep="\n")
    return bool(mismatches)


def again(arguments: argparse.Namespace) -> bool:
    """Run each cell again from the end of its page, and name those that fail or print something else; store nothing."""
    from nb.again import again as run_again

    paths = find_notebooks(arguments.paths)
    lines, findings, cells = run_again(paths, arguments.jobs)
    print(*lines, f"{_count(len(paths))}: {cells} cells run again, {findings} findings.", sep="\n")
    return bool(findings)


def clean(arguments: argparse.Namespace) -> bool:
    """Strip from the notebooks what is not content."""
    from nb.format import clean, read_notebook, to_bytes

    changed, failures, paths = 0, [], find_notebooks(arguments.paths)
    for path in paths:
        try:
            data = to_bytes(clean(read_notebook(path)))
        except NotebookError as error:
            failures.append(f"{display_path(path)}: {error}")
            continue
        if data != path.read_bytes():
            write_atomically(path, data)
            changed += 1
    print(*failures, f"{_count(len(paths) - len(failures))} clean, {changed} of them changed.", sep="\n")
    return bool(failures)


def check(arguments: argparse.Namespace) -> bool:
    """Print what must not be published in the notebooks, a line for each finding."""
    from nb.rules import findings

    paths = find_notebooks(arguments.paths)
    lines = findings(paths)
    print(*lines or [f"{_count(len(paths))} checked, nothing found"], sep="\n")
    return bool(lines)


def exercise(arguments: argparse.Namespace) -> None:
    """Make a new exercise in a lesson: its files, its cells, its entries; `check` then says what is left to write."""
    from nb.new_exercise import make

    print(*make(arguments.topic, arguments.name, arguments.after), sep="\n")
    print("Made, and works as it stands. `tools/notebooks.py check` names what to write into it, one thing a line.")


def copy(arguments: argparse.Namespace) -> None:
    """Copy the notebooks for a learner, to work/ or to a student's folder on a hub; no copy is ever overwritten."""
    from nb.copies import choose, copy_notebooks, invitation, keep_news

    _speak(choose, arguments)
    if arguments.folder is None:
        is_new = not any(OWN.rglob("*.ipynb"))
        lines = copy_notebooks(PUBLISHED, OWN) + (invitation() if is_new else [])
    else:
        lines = copy_notebooks(PUBLISHED, arguments.folder, again="start your server again")
        keep_news(arguments.folder, lines)
    print(*lines, sep="\n", end="\n" if lines else "")


def first(arguments: argparse.Namespace) -> None:
    """Print the path of the first of a learner's copies, in the language that `copy` chooses."""
    from nb.copies import choose, folder

    _speak(choose, arguments)
    print(display_path(folder(arguments.folder or OWN) / "00_start_here.ipynb"))


def assignment(arguments: argparse.Namespace) -> None:
    """Write a sheet to hand out, with some exercises and nothing that answers them."""
    from grading.assignment import write_assignment

    path, points, names = write_assignment(arguments.exercises, arguments.name)
    print(f"Written to {display_path(path)}: {', '.join(names)}.")
    print(f"What each is worth, to be changed and given to `grade --points`: {display_path(points)}.")


def grade(arguments: argparse.Namespace) -> bool:
    """Grade every answer in a folder, write tables, and a feedback page for each student."""
    from grading.grade import grade as grade_folder

    grading = grade_folder(arguments.folder, arguments.points, arguments.image, arguments.unconfined)
    print(*grading.lines, sep="\n")
    return not grading.is_complete


@stoppable("Stopped.")
def main(arguments: list[str] | None = None) -> int:
    """Run one command; return the exit code: 1 if it found a fault or failed, with a message, else 0."""
    arguments = _parser().parse_args(arguments)
    try:
        return int(bool(arguments.command(arguments)))
    except NotebookError as error:
        print(error, file=sys.stderr)
    except OSError as error:
        print(f"{error.filename} cannot be read or written: {error.strerror}.", file=sys.stderr)
    except KeyboardInterrupt:
        what = {run: ": notebooks that had not run to the end are as they were", grade: ": nothing was written"}
        print(f"Stopped{what.get(arguments.command, '')}.", file=sys.stderr)
    return 1


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, needs a whole number of at least 1")
    return int(text)


def _protection(parser):
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--in", dest="image", metavar="IMAGE", help="run each in a container of this image")
    trust = "run them with your rights: you trust them all"
    either.add_argument("--unconfined", action="store_true", help=trust)


def _argument(name: str, metavar=None, **options):
    return lambda parser: parser.add_argument(name, metavar=metavar, **options)


CORES = os.cpu_count() or 1
LANGUAGE = "such as zh (default: that of the copies; for a new FOLDER, the system's)"
PATHS = _argument("paths", "PATH", nargs="*", help="notebooks, as 04, or folders (default: all)")
JOBS = _argument("--jobs", type=_jobs, default=CORES, help=f"how many run at once (default: {CORES})")
SEED = _argument("--seed", type=int, default=1, help="another seed disturbs otherwise (default: 1)")
OF_COPIES = (
    _argument("folder", "FOLDER", nargs="?", type=Path, help="a student's (default: work/)"),
    _argument("--language", "CODE", default="", help=LANGUAGE),
)
COMMANDS = {
    run: (PATHS, JOBS),
    tremble: (PATHS, SEED, JOBS),
    again: (PATHS, JOBS),
    clean: (PATHS,),
    check: (PATHS,),
    exercise: (
        _argument("topic", "TOPIC", help="the lesson's folder, for example causal_masking"),
        _argument("name", "NAME", help="as in checks.NAME, for example last_rows"),
        _argument("--after", "CELL", help="the id of the cell above it (default: last on the page)"),
    ),
    copy: OF_COPIES,
    first: OF_COPIES,
    assignment: (
        _argument("exercises", "EXERCISE", nargs="+", help="as in my_causal_mask; 04 means all of 4"),
        _argument("--name", help="what the sheet is called, for example week_2 (default: as its exercises)"),
    ),
    grade: (
        _argument("folder", "FOLDER", help="holds name.ipynb, or a folder for each student"),
        _argument("--points", "TABLE", help="a CSV, exercise,points: what is graded, and its worth"),
        _protection,
    ),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command, arguments in COMMANDS.items():
        about = command.__doc__.splitlines()[0]
        sub = commands.add_parser(command.__name__, help=about, description=about)
        sub.set_defaults(command=command)
        for add in arguments:
            add(sub)
    return parser


def _speak(choose, arguments: argparse.Namespace):
    """Set the language of a learner's copies. Errors: NotebookError if the course does not have it."""
    try:
        # a student's folder is made when a server starts: there, nobody can be asked
        otherwise = language.of_system() if arguments.folder else language.ENGLISH
        choose(arguments.folder or OWN, arguments.language, otherwise)
    except ValueError as error:
        raise NotebookError(str(error)) from None


def _count(number: int) -> str:
    return f"{number} notebook{'' if number == 1 else 's'}"


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # file names may have letters that this terminal's encoding lacks
    sys.exit(main())
