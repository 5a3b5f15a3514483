"""What each command of tools/notebooks.py takes on the command line."""

import argparse
import os
from pathlib import Path


def add(parser: argparse.ArgumentParser, command: str):
    """Add the arguments of a command, "run", to its parser. Errors: KeyError for one that has no entry here."""
    for part in ARGUMENTS[command]:
        part(parser)


def _solved(parser):
    parser.add_argument("folder", metavar="FOLDER", help="where they go, for example build/solved")


def _exercise(parser):
    parser.add_argument("topic", metavar="TOPIC", help="the lesson's folder, for example causal_masking")
    parser.add_argument("name", metavar="NAME", help="as in checks.NAME, for example last_rows")
    parser.add_argument("--after", metavar="CELL", help="the id of the cell above it (default: last on the page)")


def _sheet(parser):
    about = "as in my_causal_mask; 04 means all of 4"
    parser.add_argument("exercises", nargs="+", metavar="EXERCISE", help=about)
    parser.add_argument("--name", help="what the sheet is called, for example week_2 (default: as its exercises)")


def _graded(parser):
    parser.add_argument("folder", metavar="FOLDER", help="holds name.ipynb, or a folder for each student")
    parser.add_argument("--points", metavar="TABLE", help="a CSV, exercise,points: what is graded, and its worth")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--in", dest="image", metavar="IMAGE", help="run each in a container of this image")
    trust = "run them with your rights: you trust them all"
    either.add_argument("--unconfined", action="store_true", help=trust)


def _copies(parser):
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="a student's (default: work/)")
    words = "such as zh (default: that of the copies; for a new FOLDER, the system's)"
    parser.add_argument("--language", default="", metavar="CODE", help=words)


def _paths(parser):
    parser.add_argument("paths", nargs="*", metavar="PATH", help="notebooks, as 04, or folders (default: all)")


def _seed(parser):
    parser.add_argument("--seed", type=int, default=1, help="another seed disturbs otherwise (default: 1)")


def _side_by_side(parser):
    cores = os.cpu_count() or 1
    parser.add_argument("--jobs", type=_jobs, default=cores, help=f"how many run at once (default: {cores})")


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, needs a whole number of at least 1")
    return int(text)


ARGUMENTS = {
    "run": (_paths, _side_by_side),
    "tremble": (_paths, _seed, _side_by_side),
    "again": (_paths, _side_by_side),
    "clean": (_paths,),
    "check": (_paths,),
    "copy": (_copies,),
    "first": (_copies,),
    "solve": (_solved,),
    "exercise": (_exercise,),
    "assignment": (_sheet,),
    "grade": (_graded,),
}
