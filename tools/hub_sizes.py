"""How much memory and how many machines a class needs, from what `make bench-hub` measured of one student.

`python tools/hub_sizes.py 30 200` prints the table of deploy/hub/README.md.
"""

import math
import sys
from typing import NamedTuple

MIB_PER_GIB = 1024


class Student(NamedTuple):
    """What one student takes.

    server, kernel: MiB beside others, after `causal_masking`. server_alone, kernel_alone: MiB at the most, the heaviest
    notebook's kernel, with nobody to share with. start: processor seconds from signing in to the first output. work:
    processor seconds for one minute of a notebook.
    """

    server: float
    kernel: float
    server_alone: float
    kernel_alone: float
    start: float
    work: float


class Machine(NamedTuple):
    """cores; memory in GiB; kept: GiB of it for the system, the cluster's own and files that are read."""

    cores: int
    memory: float
    kept: float


class Needs(NamedTuple):
    """Of a class. Of a student: guarantee and limit in MiB, share of a core. Of all: memory in GiB, cores, machines."""

    students: int
    guarantee: int
    limit: int
    share: float
    memory: float
    cores: int
    machines: int


# By `make bench-hub`: a class of sixteen after `causal_masking`, and of one through all, `fast_and_long` the heaviest.
MEASURED = Student(server=78, kernel=212, server_alone=121, kernel_alone=831, start=3.5, work=0.2)

MACHINE = Machine(cores=4, memory=16, kept=2)

STEP = 64  # MiB that sizes are rounded up to
KERNELS = 4  # that the limit leaves room for, the heaviest one among them
WAIT = 60  # seconds for the last of a class that comes all at once
ROOM = 2  # times the work that is measured on average: all run the same cell at once


def needs(students, student, machine=MACHINE):
    """What so many students need, as Needs."""
    guarantee = _up(student.server + student.kernel)
    limit = _up(student.server_alone + student.kernel_alone + (KERNELS - 1) * student.kernel)
    memory = students * guarantee / MIB_PER_GIB
    tenths = math.ceil(10 * max(student.start / WAIT, ROOM * student.work / 60))
    cores = math.ceil(students * tenths / 10)
    machines = max(math.ceil(memory / (machine.memory - machine.kept)), math.ceil(cores / machine.cores))
    return Needs(students, guarantee, limit, tenths / 10, memory, cores, machines)


def table(classes, student=MEASURED):
    """The sizes of some classes as lines of Markdown."""
    heads = "students", "guarantee", "limit", "core, each", "memory", "cores", "machines"
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for one in (needs(students, student) for students in classes):
        lines.append(f"| {one.students} | {one.guarantee} MB | {one.limit} MB | {one.share:g} | {one.memory:.0f} GB | "
                     f"{one.cores} | {one.machines} |")  # fmt: skip
    return lines


def _up(size):
    return math.ceil(size / STEP) * STEP


if __name__ == "__main__":
    print("\n".join(table(map(int, sys.argv[1:]))))
