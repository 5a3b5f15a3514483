"""Try the claims of the pages again: what is said beyond the output beside it, on other seeds, sizes and sentences.

usage: claims.py [--quick] [topic ...]

Prints what each page says beside what was found, and fails where they disagree. --quick: those that take seconds.
"""

import argparse
import importlib
import re
import sys
import time

from notebook_files import COURSE, PUBLISHED
from notebook_format import read_notebook

FOLDER = COURSE / "tests" / "claims"
MARKS = re.compile(r"[*_`]|<[^>]*>")


def load():
    """Return all claims, in the order of their files."""
    sys.path.insert(0, str(FOLDER))
    from claiming import CLAIMS

    for path in sorted(FOLDER.glob("*.py")):
        importlib.import_module(path.stem)
    return CLAIMS


def words(text):
    """A text without markup, its white space made one."""
    return " ".join(MARKS.sub("", text).split())


def missing(claims):
    """Yield, in words, each claim whose sentence no longer stands in its cell."""
    cells = {}
    for path in PUBLISHED.glob("*.ipynb"):
        cells[path.stem[3:]] = {cell.id: words(cell.source) for cell in read_notebook(path).cells}
    for one in claims:
        where = f"{one.topic}, cell {one.cell}"
        if one.topic not in cells or one.cell not in cells[one.topic]:
            yield f"{where}: there is no such cell; the claim is {one.sentence!r}"
        elif words(one.sentence) not in cells[one.topic][one.cell]:
            yield f"{where}: the sentence {one.sentence!r} does not stand there"


def attempt(one):
    """Try a claim; returns whether it holds, after printing what was found."""
    began = time.monotonic()
    holds, found = one.attempt()
    print(f"{'holds' if holds else 'FAILS'}  {one.topic}, {one.cell}" + (f", over {one.over}" if one.over else ""))
    print(f"       the page: {one.sentence}\n       found ({time.monotonic() - began:.1f} s): {found}", flush=True)
    return holds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topics", nargs="*", help="the notebooks whose claims are tried (default: all)")
    parser.add_argument("--quick", action="store_true", help="only those that take seconds")
    arguments = parser.parse_args()
    claims = load()
    if lost := list(missing(claims)):
        sys.exit("\n".join(lost))
    chosen = [one for one in claims if (not arguments.topics or one.topic in arguments.topics)]
    chosen = [one for one in chosen if one.quick or not arguments.quick]
    if not chosen:
        sys.exit(f"no claim is kept for {', '.join(arguments.topics) or 'any notebook'}.")
    failed = [one for one in chosen if not attempt(one)]
    many = sum(bool(one.over) for one in chosen)
    print(f"{len(chosen)} claims tried, {many} over several seeds, sizes or sentences; {len(failed)} do not hold.")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
