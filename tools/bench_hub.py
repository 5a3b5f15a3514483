"""Print what a class on a hub takes: a real JupyterHub, and students who work through a notebook (`make bench-hub`)."""

import argparse
import json
import os
import signal
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

import hub_server

from course_utils import course

CLASSES = (1, 2, 4, 8, 16)
FASTER = 20  # how many times shorter the pauses are than a reader's
LIMIT = 10  # minutes a class
EVERY = 3  # seconds between two looks at the memory


class Meter(Thread):
    """Looks at the memory of a class now and then. most: what all students' processes took together, at the most."""

    def __init__(self, hub):
        super().__init__(daemon=True)
        self._hub, self._ended, self.most = hub, Event(), 0.0

    def run(self):
        while not self._ended.wait(EVERY):
            self.most = max(self.most, sum(share for _, share, _, _ in measured(self._hub)))

    def stop(self):
        self._ended.set()
        self.join()


def measured(hub, students=True):
    """Of each process of the students, or of the hub's own: the process, its memory's share and peak, its seconds."""
    found = []
    for process in hub.processes():
        if bool(process.student) is students:
            try:
                found.append((process, *process.memory(), process.seconds()))
            except OSError:
                pass  # it has just ended
    return found


def run_class(size, numbers, faster, minutes, close):
    """A class of so many students works through the notebooks of these numbers, one after the other."""
    from hub_student import Student  # here: what is missing is said in words before

    notebooks = [one for number in numbers for one in course.notebooks() if one.number == number]
    ends = time.monotonic() + minutes * 60
    with ThreadPoolExecutor(size) as pool, hub_server.serve() as hub:  # without a hub, no student waits for one
        starts = []

        def note(name):
            starts.append(sum(seconds for process, *_, seconds in measured(hub) if process.student == name))

        names = [f"student{number:02}" for number in range(1, size + 1)]
        students = [Student(hub.url, name, hub.password, faster, ends, note) for name in names]
        meter = Meter(hub)
        meter.start()
        before = {}
        for notebook in notebooks:
            sessions = list(pool.map(lambda student, notebook=notebook: step(student, notebook), students))
            now = measured(hub)
            tell_notebook(notebook, now, before)
            before = {process.pid: seconds for process, _, _, seconds in now}
            if close:
                list(pool.map(lambda pair: pair[1] and pair[0].close(pair[1]), zip(students, sessions, strict=True)))
        meter.stop()
        if starts:
            print(f"  server and kernel until the first output: {statistics.median(starts):.1f} s of a processor")
        tell_class(students, meter, measured(hub, students=False), lost_answers(hub, students), passed(hub, students))
    return students


def step(student, notebook):
    """Returns the session, None if it failed."""
    from hub_student import FAILURES

    try:
        if student.up is None:
            student.come_in()
        return student.work_through(notebook.file, float(notebook.minutes))
    except FAILURES as error:
        student.failures.append(f"{student.name}, {notebook.file}: {error}")


def tell_notebook(notebook, now, before):
    """Of the notebook that all have just saved: memory of the servers, of its kernels and of the peaks; processor."""
    servers = {process.student: rest for process, *rest in now if process.kind == "server"}
    kernels = {process.student: rest for process, *rest in now if notebook.file in process.notebook}
    both = [servers[name][0] + kernels[name][0] for name in servers.keys() & kernels.keys()]
    if not both:
        return print(f"  {notebook.number}  nobody came to its end")
    spent = sum(seconds - before.get(process.pid, 0) for process, _, _, seconds in now) / len(both)
    print(
        f"  {notebook.number}  memory {statistics.median(both):4.0f} MiB, most {max(both):4.0f}: "
        f"server {middle(servers, 0):4.0f}, kernel {middle(kernels, 0):4.0f}; alone at the most: "
        f"server {middle(servers, 1):4.0f}, kernel {middle(kernels, 1):4.0f}; processor {spent:5.1f} s, "
        f"of the kernel {middle(kernels, 2):5.1f}",
        flush=True,
    )


def middle(rows, column):
    return statistics.median(row[column] for row in rows.values())


def tell_class(students, meter, own, lost, passed):
    """What each waited for, what all took together, and what went wrong."""
    for name, what in (("up", "server up"), ("first", "first output"), ("done", "the end")):
        taken = [getattr(student, name) for student in students if getattr(student, name) is not None]
        if taken:
            print(f"  {what:13s} median {statistics.median(taken):6.1f} s, last {max(taken):6.1f} s")
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


def lost_answers(hub, students):
    """How many answers do not stand in their student's file."""
    lost = 0
    for student in students:
        for path, answers in student.answers.items():
            file = hub.homes / student.name / path
            cells = json.loads(file.read_text("utf-8"))["cells"] if file.exists() else []
            sources = {"".join(cell["source"]) for cell in cells}
            lost += sum(answer not in sources for answer in answers)
    return lost


def passed(hub, students):
    """How many exercises the students' own progress says were passed."""
    files = [hub.homes / student.name / "attention-course" / "progress.json" for student in students]
    return sum(len(json.loads(file.read_text("utf-8"))["passed"]) for file in files if file.exists())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, nargs="+", default=CLASSES, metavar="N", help="sizes of the classes")
    parser.add_argument("--notebooks", nargs="+", default=["04"], metavar="NN", help="numbers, or `all`")
    parser.add_argument("--faster", type=float, default=FASTER, help="how many times shorter the pauses are")
    parser.add_argument("--minutes", type=float, default=LIMIT, help="after which a class is stopped")
    parser.add_argument("--close", action="store_true", help="shut each kernel down before the next notebook")
    given = parser.parse_args()
    if not all(1 <= size <= 64 for size in given.students):
        parser.error("a class here has 1 to 64 students")
    known = [one.number for one in course.notebooks()]
    given.notebooks = known if given.notebooks == ["all"] else given.notebooks
    if unknown := set(given.notebooks) - set(known):
        parser.error(f"there is no notebook {sorted(unknown)[0]}")
    return given


def main():
    given = arguments()
    if lines := hub_server.missing():
        sys.exit("\n".join(lines))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for size in given.students:
        print(f"a class of {size}, {os.cpu_count()} processors, pauses {given.faster:g} times shorter", flush=True)
        run_class(size, given.notebooks, given.faster, given.minutes, given.close)
    print(f"the students themselves took {time.process_time():.0f} s of the same processors")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("stopped; the hub and all that it started have ended", file=sys.stderr)
        sys.exit(130)
