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
from concurrent.futures import as_completed

from nb.files import COURSE
from nb.processes import ProcessPool

from course_utils import lessons
from course_utils.stopping import stoppable

os.environ.setdefault("OMP_NUM_THREADS", "1")  # more threads slow small trainings down, above all on a busy machine


@functools.cache
def load() -> list:
    """Import the claims of all lessons; return their Claims, each a sentence of a notebook with its test; cached."""
    from nb.rules.claims import FILES  # here, since it is slow, and Ctrl-C should end this program in one line

    sys.path[:0] = [str(COURSE / "tests" / "lessons"), str(COURSE / "tests")]
    from claiming import CLAIMS

    for path in sorted(lessons.FOLDER.glob(FILES)):
        importlib.import_module(f"course_utils.lessons.{path.parent.name}.{path.stem}")
    return CLAIMS


def attempt(numbers: list[int]) -> list[tuple[bool, str, float]]:
    """Test the Claims at these indices of `load()`; return (whether it holds, what was measured, seconds) for each."""
    results = []
    for number in numbers:
        began = time.monotonic()
        holds, finding = load()[number].attempt()
        results.append((bool(holds), finding, time.monotonic() - began))
    return results


def by_file(claims: list, numbers: list[int]) -> list[list[int]]:
    """Group the indices `numbers` of Claims by file, first the file with most that take long; return a list of lists.

    The claims of a file share the models that it trains, so one process tests them all.
    """
    files = {}
    for number in numbers:
        files.setdefault(claims[number].attempt.__module__, []).append(number)
    return sorted(files.values(), key=lambda of_file: sum(not claims[number].quick for number in of_file), reverse=True)


def show(claim, holds: bool, finding: str, seconds: float):
    """Print a Claim's sentence with the result of `attempt`: whether it holds, what was measured, and the seconds."""
    over = f", over {claim.over}" if claim.over else ""
    print(f"{'holds' if holds else 'FAILS'}  {claim.topic}, {claim.cell}{over}")
    print(f"       the page: {claim.sentence}\n       found ({seconds:.1f} s): {finding}", flush=True)


@stoppable("Stopped: the claims that were not printed were not tried to the end.")
def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topics", nargs="*", help="the notebooks whose claims are tried (default: all)")
    parser.add_argument("--quick", action="store_true", help="only those that take seconds")
    arguments = parser.parse_args()
    claims = load()
    numbers = [i for i, claim in enumerate(claims) if not arguments.topics or claim.topic in arguments.topics]
    numbers = [i for i in numbers if claims[i].quick or not arguments.quick]
    chosen, failed = [claims[i] for i in numbers], []
    if not chosen:
        sys.exit(f"no claim is kept for {', '.join(arguments.topics) or 'any notebook'}.")
    with ProcessPool(min(4, os.cpu_count() or 1)) as processes:
        files = {processes.submit(attempt, of_file): of_file for of_file in by_file(claims, numbers)}
        for done in as_completed(files):
            for number, result in zip(files[done], done.result(), strict=True):
                show(claims[number], *result)
                if not result[0]:
                    failed.append(claims[number])
    repeated = sum(bool(claim.over) for claim in chosen)
    rivals = sum(bool(claim.rival) for claim in chosen)
    print(
        f"{len(chosen)} claims tried, {repeated} over several seeds, sizes or sentences, {rivals} beside a rival cause;"
    )
    print(f"{len(failed)} do not hold.")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
