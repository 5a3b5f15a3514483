"""Check the claims that pages make beyond their own outputs, on other seeds, sizes and sentences.

usage: claims.py [--quick] [topic ...]

Print what each page says beside what was found, and fail if they disagree. --quick: only claims that take seconds.
"""

import argparse
import functools
import importlib
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from nb.rules.claims import FOLDER

os.environ.setdefault("OMP_NUM_THREADS", "1")  # more threads slow small trainings down, above all on a busy machine


@functools.cache
def load():
    """Import all files of tests/claims; return their Claims as a list, in the order of the files."""
    sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]
    from claiming import CLAIMS

    for path in sorted(FOLDER.glob("*.py")):
        importlib.import_module(path.stem)
    return CLAIMS


def attempt(number):
    """Check the claim at index `number` of `load()`; return (whether it holds, what was found, seconds taken)."""
    began = time.monotonic()
    holds, found = load()[number].attempt()
    return bool(holds), found, time.monotonic() - began


def tell(one, holds, found, seconds):
    """Print what a claim's page says, and what was found. one: a Claim. holds, found, seconds: as `attempt` returns."""
    print(f"{'holds' if holds else 'FAILS'}  {one.topic}, {one.cell}" + (f", over {one.over}" if one.over else ""))
    print(f"       the page: {one.sentence}\n       found ({seconds:.1f} s): {found}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topics", nargs="*", help="the notebooks whose claims are tried (default: all)")
    parser.add_argument("--quick", action="store_true", help="only those that take seconds")
    arguments = parser.parse_args()
    claims = load()
    numbers = [i for i, one in enumerate(claims) if not arguments.topics or one.topic in arguments.topics]
    numbers = [i for i in numbers if claims[i].quick or not arguments.quick]
    chosen, failed = [claims[i] for i in numbers], []
    if not chosen:
        sys.exit(f"no claim is kept for {', '.join(arguments.topics) or 'any notebook'}.")
    with ProcessPoolExecutor(min(4, os.cpu_count() or 1)) as processes:
        for one, outcome in zip(chosen, processes.map(attempt, numbers), strict=True):
            tell(one, *outcome)
            if not outcome[0]:
                failed.append(one)
    many = sum(bool(one.over) for one in chosen)
    print(f"{len(chosen)} claims tried, {many} over several seeds, sizes or sentences; {len(failed)} do not hold.")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
