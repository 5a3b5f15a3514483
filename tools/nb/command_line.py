"""What each command of tools/notebooks.py takes on the command line: functions that add an argument to a parser."""

import argparse
import os
from pathlib import Path

CORES = os.cpu_count() or 1
LANGUAGE = "such as zh (default: that of the copies; for a new FOLDER, the system's)"


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


PATHS = _argument("paths", "PATH", nargs="*", help="notebooks, as 04, or folders (default: all)")
JOBS = _argument("--jobs", type=_jobs, default=CORES, help=f"how many run at once (default: {CORES})")
SEED = _argument("--seed", type=int, default=1, help="another seed disturbs otherwise (default: 1)")
OF_COPIES = (
    _argument("folder", "FOLDER", nargs="?", type=Path, help="a student's (default: work/)"),
    _argument("--language", "CODE", default="", help=LANGUAGE),
)
ARGUMENTS = {
    "run": (PATHS, JOBS),
    "tremble": (PATHS, SEED, JOBS),
    "again": (PATHS, JOBS),
    "clean": (PATHS,),
    "check": (PATHS,),
    "copy": OF_COPIES,
    "first": OF_COPIES,
    "exercise": (
        _argument("topic", "TOPIC", help="the lesson's folder, for example causal_masking"),
        _argument("name", "NAME", help="as in checks.NAME, for example last_rows"),
        _argument("--after", "CELL", help="the id of the cell above it (default: last on the page)"),
    ),
    "assignment": (
        _argument("exercises", "EXERCISE", nargs="+", help="as in my_causal_mask; 04 means all of 4"),
        _argument("--name", help="what the sheet is called, for example week_2 (default: as its exercises)"),
    ),
    "grade": (
        _argument("folder", "FOLDER", help="holds name.ipynb, or a folder for each student"),
        _argument("--points", "TABLE", help="a CSV, exercise,points: what is graded, and its worth"),
        _protection,
    ),
}
