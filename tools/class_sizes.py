"""Compute how much memory and how many machines a class on a hub needs, from what was measured for one student.

`python tools/class_sizes.py 30 200` prints the tables of deploy/hub/README.md for classes of 30 and 200 students.
"""

import math
import sys
from typing import NamedTuple

MIB_PER_GIB = 1024


class Student(NamedTuple):
    """What one student takes. PSS and RSS are in MiB."""

    server: float  # PSS in a class, after `causal_masking`
    kernel: float  # likewise
    server_alone: float  # peak RSS, with nobody to share pages with
    kernel_alone: float  # likewise, in the heaviest notebook
    others: float  # PSS of each further kernel
    start: float  # CPU seconds from signing in to the first output
    work: float  # CPU seconds for one minute of a notebook


class Machine(NamedTuple):
    cores: int
    memory: float  # GiB
    kept: float  # GiB of it for the system, the cluster itself and the file cache


class Needs(NamedTuple):
    students: int
    guarantee: int  # MiB of memory for each
    limit: int  # likewise
    share: float  # of a core for each
    memory: float  # GiB for all
    cores: int  # for all
    machines: int


# Measured on a JupyterHub 5.5 on one machine, with simulated students: eight at once in `causal_masking`, and one alone
# in all notebooks. `a_language_model` has the heaviest kernel: it maps the model's file, 540 MB, which alone counts
# whole, and which eight at once share.
MEASURED = Student(server=109, kernel=249, server_alone=167, kernel_alone=1060, others=249, start=4.6, work=0.2)
WRITING = MEASURED._replace(kernel=402)  # eight at once at work on `a_language_model`

MACHINE = Machine(cores=4, memory=16, kept=2)

STEP = 64  # sizes in MiB are rounded up to a multiple of this
KERNELS = 4  # kernels that the limit leaves room for, one of them the heaviest
WAIT = 60  # seconds for the last of a class whose students all sign in at once
ROOM = 2  # factor over the average work, since all run the same cell at once


def needs(students: int, student: Student, machine=MACHINE) -> Needs:
    """Return the Needs of a class: the memory, cores and machines that a hub takes for this number of students."""
    guarantee = _up(student.server + student.kernel)
    limit = _up(student.server_alone + student.kernel_alone + (KERNELS - 1) * student.others)
    memory = students * guarantee / MIB_PER_GIB
    tenths = math.ceil(10 * max(student.start / WAIT, ROOM * student.work / 60))
    cores = math.ceil(students * tenths / 10)
    machines = max(math.ceil(memory / (machine.memory - machine.kept)), math.ceil(cores / machine.cores))
    return Needs(students, guarantee, limit, tenths / 10, memory, cores, machines)


def table(classes: list[int], student=MEASURED) -> list[str]:
    """Return the lines of a Markdown table with the Needs of each class. classes: numbers of students."""
    heads = "students", "guarantee", "limit", "core, each", "memory", "cores", "machines"
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for row in (needs(students, student) for students in classes):
        cells = row.students, f"{row.guarantee} MB", f"{row.limit} MB", f"{row.share:g}", f"{row.memory:.0f} GB"
        lines.append(f"| {' | '.join(map(str, (*cells, row.cores, row.machines)))} |")
    return lines


def _up(size: float) -> int:
    return math.ceil(size / STEP) * STEP


if __name__ == "__main__":
    classes = [int(number) for number in sys.argv[1:]]
    print("\n".join([*table(classes), "", "at work on a_language_model:", "", *table(classes, WRITING)]))
