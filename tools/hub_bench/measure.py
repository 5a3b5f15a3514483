"""Measure what a class takes on a real JupyterHub while its students work through notebooks (`make bench-hub`)."""

import argparse
import json
import os
import signal
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

import psutil

from course_utils import course
from hub_bench import server
from hub_bench.student import FAILURES, Student

CLASSES = (1, 2, 4, 8, 16)
FASTER = 20  # the simulated students' pauses are this many times shorter than a reader's
LIMIT = 10  # minutes after which a class is stopped
EVERY = 3  # seconds between two samples of the memory


class Meter(Thread):
    """A thread that samples the memory of a hub's student processes. most: the largest sum of their PSS, in MiB."""

    def __init__(self, hub):
        super().__init__(daemon=True)
        self._hub, self._ended, self.most = hub, Event(), 0.0

    def run(self):
        while not self._ended.wait(EVERY):
            self.most = max(self.most, sum(share for _, share, _, _ in readings(self._hub)))

    def stop(self):
        """Stop sampling, and wait until the thread has ended."""
        self._ended.set()
        self.join()


def readings(hub: server.Hub, students=True) -> list[tuple]:
    """Return (process, PSS, peak RSS, CPU seconds) for each process of a hub's students, with memory in MiB.

    students: False for the hub's other processes instead. A process that has just ended is left out.
    """
    rows = []
    for process in hub.processes():
        if bool(process.student) is students:
            try:
                rows.append((process, *process.memory(), process.seconds()))
            except (psutil.Error, OSError):
                pass  # the process has just ended
    return rows


def run_class(size: int, numbers: list[str], faster: float, minutes: float, close: bool):
    """Let a class of `size` students work through notebooks one after the other, and print what it took.

    numbers: the notebooks', such as "04". faster: how many times shorter the pauses are than a reader's. minutes: after
    which the class is stopped. close: whether each kernel is shut down before the next notebook.
    """
    notebooks = [notebook for number in numbers for notebook in course.notebooks() if notebook.number == number]
    ends = time.monotonic() + minutes * 60
    with ThreadPoolExecutor(size) as pool, server.serve() as hub:  # the hub ends first, so no student waits
        starts = []

        def note(name):
            """Append to `starts` the CPU seconds that the processes of the student `name` have taken so far."""
            starts.append(sum(seconds for process, *_, seconds in readings(hub) if process.student == name))

        names = [f"student{number:02}" for number in range(1, size + 1)]
        students = [Student(hub.url, name, hub.password, faster, ends, note) for name in names]
        meter = Meter(hub)
        meter.start()
        before = {}
        for notebook in notebooks:
            sessions = list(pool.map(lambda student, notebook=notebook: step(student, notebook), students))
            now = readings(hub)
            print_notebook(notebook, now, before)
            before = {process.process.pid: seconds for process, _, _, seconds in now}
            if close:
                list(pool.map(lambda pair: pair[1] and pair[0].close(pair[1]), zip(students, sessions, strict=True)))
        meter.stop()
        if starts:
            print(f"  server and kernel until the first output: {statistics.median(starts):.1f} s of a processor")
        print_class(students, meter, readings(hub, students=False), lost_answers(hub, students), passed(hub, students))


def step(student: Student, notebook: course.Notebook) -> str | None:
    """Let a student work through one notebook; return the id of its Jupyter session, or None on failure.

    A student whose server is not up yet signs in first. A failure is not raised, but added to `student.failures`.
    """
    try:
        if student.up is None:
            student.come_in()
        return student.work_through(notebook.file, float(notebook.minutes))
    except FAILURES as error:
        student.failures.append(f"{student.name}, {notebook.file}: {error}")


def print_notebook(notebook: course.Notebook, now: list[tuple], before: dict[int, float]):
    """Print the memory (MiB) and the CPU time (seconds) of one notebook, per student who finished it.

    If nobody did, print that. The memory and the kernel's CPU time are medians. The CPU time of all student processes
    together is divided by the number of students counted. now: rows of `readings`, taken after all students have saved
    the notebook. before: pid -> CPU seconds at the opening of the notebook; it is subtracted from the time of all
    processes.
    """
    servers = {process.student: rest for process, *rest in now if process.kind == "server"}
    kernels = {process.student: rest for process, *rest in now if notebook.file in process.notebook}
    totals = [servers[name][0] + kernels[name][0] for name in servers.keys() & kernels.keys()]
    if not totals:
        return print(f"  {notebook.number}  nobody came to its end")
    spent = sum(seconds - before.get(process.process.pid, 0) for process, _, _, seconds in now) / len(totals)
    print(
        f"  {notebook.number}  memory {statistics.median(totals):4.0f} MiB, most {max(totals):4.0f}: "
        f"server {column_median(servers, 0):4.0f}, kernel {column_median(kernels, 0):4.0f}; alone at the most: "
        f"server {column_median(servers, 1):4.0f}, kernel {column_median(kernels, 1):4.0f}; processor {spent:5.1f} s, "
        f"of the kernel {column_median(kernels, 2):5.1f}",
        flush=True,
    )


def column_median(rows: dict, column: int) -> float:
    """Return the median of one column of a table, student -> row of numbers. column: an index into the rows."""
    return statistics.median(row[column] for row in rows.values())


def print_class(students: list[Student], meter: Meter, own: list[tuple], lost: int, passed: int):
    """Print what the students waited for, what all processes took together, and what failed.

    meter: the stopped one of their hub. own: rows of `readings` for the hub's own processes. lost: how many answers
    were lost. passed: how many exercises were passed.
    """
    for name, event in (("up", "server up"), ("first", "first output"), ("done", "the end")):
        times = [getattr(student, name) for student in students if getattr(student, name) is not None]
        if times:
            print(f"  {event:13s} median {statistics.median(times):6.1f} s, last {max(times):6.1f} s")
    rest = ", ".join(f"{process.kind} {share:.0f} MiB and {seconds:.1f} s" for process, share, _, seconds in own)
    failures = [line for student in students for line in student.failures]
    print(f"  all students at the most {meter.most:.0f} MiB; {rest} of a processor")
    print(f"  views that were moved {sum(student.moved for student in students)}, "
          f"answered {sum(student.answered for student in students)}; "
          f"exercises answered {sum(len(own) for student in students for own in student.answers.values())}, "
          f"passed {passed}, answers lost {lost}; failures {len(failures)}")  # fmt: skip
    for line in failures:
        print(f"    {line}")
    sys.stdout.flush()


def lost_answers(hub: server.Hub, students: list[Student]) -> int:
    """Return how many cells that the students wrote are not, word for word, in the notebooks saved in their homes."""
    lost = 0
    for student in students:
        for path, answers in student.answers.items():
            file = hub.homes / student.name / path
            cells = json.loads(file.read_text("utf-8"))["cells"] if file.exists() else []
            sources = {"".join(cell["source"]) for cell in cells}
            lost += sum(answer not in sources for answer in answers)
    return lost


def passed(hub: server.Hub, students: list[Student]) -> int:
    """Return how many exercises the students have passed in all, by their progress files."""
    files = [hub.homes / student.name / "attention-course" / "progress.json" for student in students]
    return sum(len(json.loads(file.read_text("utf-8"))["passed"]) for file in files if file.exists())


def arguments() -> argparse.Namespace:
    """Parse the command line; exit with a message if it is not valid, such as for a class of 0 or 65 students.

    What is returned has `students`, a list of class sizes, `notebooks`, a list of numbers such as "04", even if `all`
    was given, and `faster`, `minutes` and `close`, as for `run_class`.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, nargs="+", default=CLASSES, metavar="N", help="sizes of the classes")
    parser.add_argument("--notebooks", nargs="+", default=["04"], metavar="NN", help="numbers, or `all`")
    parser.add_argument("--faster", type=float, default=FASTER, help="how many times shorter the pauses are")
    parser.add_argument("--minutes", type=float, default=LIMIT, help="after which a class is stopped")
    parser.add_argument("--close", action="store_true", help="shut each kernel down before the next notebook")
    parsed = parser.parse_args()
    if not all(1 <= size <= 64 for size in parsed.students):
        parser.error("a class here has 1 to 64 students")
    known = [notebook.number for notebook in course.notebooks()]
    parsed.notebooks = known if parsed.notebooks == ["all"] else parsed.notebooks
    if unknown := set(parsed.notebooks) - set(known):
        parser.error(f"there is no notebook {sorted(unknown)[0]}")
    return parsed


def main():
    options = arguments()
    if lines := server.missing():
        sys.exit("\n".join(lines))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for size in options.students:
        print(f"a class of {size}, {os.cpu_count()} processors, pauses {options.faster:g} times shorter", flush=True)
        run_class(size, options.notebooks, options.faster, options.minutes, options.close)
    print(f"the students themselves took {time.process_time():.0f} s of the same processors")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("stopped; the hub and all that it started have ended", file=sys.stderr)
        sys.exit(130)
