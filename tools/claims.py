"""Try the claims of the pages again: what is said beyond the output beside it, on other seeds, sizes and sentences.

usage: claims.py [--quick] [topic ...]

Prints what each page says beside what was found, and fails where they disagree. --quick: those that take seconds.
"""

import argparse
import importlib
import os
import sys
import time

from notebook_rules.claims import FOLDER

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small trainings are slower on more, and much so beside other work


def load():
    """Return all claims, in the order of their files."""
    sys.path.insert(0, str(FOLDER))
    from claiming import CLAIMS

    for path in sorted(FOLDER.glob("*.py")):
        importlib.import_module(path.stem)
    return CLAIMS


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
    chosen = [one for one in load() if not arguments.topics or one.topic in arguments.topics]
    chosen = [one for one in chosen if one.quick or not arguments.quick]
    if not chosen:
        sys.exit(f"no claim is kept for {', '.join(arguments.topics) or 'any notebook'}.")
    failed = [one for one in chosen if not attempt(one)]
    many = sum(bool(one.over) for one in chosen)
    print(f"{len(chosen)} claims tried, {many} over several seeds, sizes or sentences; {len(failed)} do not hold.")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
