"""Print how long a check takes, and how many lines the engine and the exercises have (`make bench`)."""

import statistics
import time

import torch
from busy import busy_loops
from nb.files import COURSE

from course_utils import checks
from course_utils.stopping import stoppable

EXAMPLE = "causal_attention"  # a class with many test inputs and a long table of mistakes
LOOPS = 8  # the busy loops that stand for other users' programs
KINDS = ("bank", "mistakes")  # the wrong answers of an Exercise, and the names under which they are reported


def seconds(check, answer, rounds=5) -> tuple:
    """Check an answer `rounds` times; return (the last Report, a str with the first time and the median of the others).

    check: a function from an answer to a Report. The first check in a process is slower: it makes the wrong answers.
    """
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        report = check(answer)
        times.append(time.perf_counter() - start)
    later = f", then {statistics.median(times[1:]):.3f} s" if rounds > 1 else ""
    return report, f"first {times[0]:.3f} s{later}"


def time_checks():
    """Print how long a check takes for a right answer, for an unknown mistake and for an endless loop."""
    exercise = checks.all()[EXAMPLE]

    class Unknown(exercise.solution):
        def forward(self, x):
            context_vecs, attn_weights = super().forward(x)
            return 1.3 * context_vecs + 0.1 * torch.arange(context_vecs.shape[-1]), attn_weights.clamp(max=0.9)

    for kind, answer, rounds in (("right", exercise.solution, 5), ("unknown", Unknown, 5), ("endless", endless(), 1)):
        report, taken = seconds(exercise.check, answer, rounds)
        print(f"check of {EXAMPLE}, an answer that is {kind} ({report.status}): {taken}")


def endless() -> type:
    """Return a class whose `forward` never ends, an answer to the exercise that is timed here, causal_attention."""

    class Endless(checks.all()[EXAMPLE].solution):
        def forward(self, x):
            while True:
                x = x + 0

    return Endless


def time_on_a_busy_machine():
    """Print how many right answers pass, and how soon an endless loop is stopped, beside eight busy loops."""
    with busy_loops(LOOPS):
        reports = [exercise.check(answer) for exercise in checks.all().values() for answer in right_answers(exercise)]
        passed = sum(report.status == "passed" for report in reports)
        _, taken = seconds(checks.all()[EXAMPLE].check, endless(), rounds=1)
    print(f"beside {LOOPS} busy loops: {passed} of {len(reports)} right answers pass; an endless loop ends: {taken}")


def right_answers(exercise) -> list:
    """Return the solution of an Exercise, and at most three other ways to write it."""
    variants = [form.answer(variant) for form in exercise.forms for variant in form.right_variants]
    return [exercise.solution, *variants[1:4]]


def slowest_right():
    """Print the median time of the first check of each exercise's solution, and the name and time of the slowest."""
    times = {}
    for name, exercise in checks.all().items():
        start = time.perf_counter()
        exercise.check(exercise.solution)
        times[name] = time.perf_counter() - start
    name = max(times, key=times.get)
    median = statistics.median(times.values())
    print(f"first check of each solution: median {median:.3f} s, {name} {times[name]:.3f} s")


def count_lines():
    """Print how many lines of Python course_utils/checks and course_utils/exercises have, and how many mistakes.

    Mistakes are counted twice: all wrong answers, and the names under which they are reported.
    """
    folders = (COURSE / "course_utils" / part for part in ("checks", "exercises"))
    engine, own = (sum(len(path.read_text("utf-8").splitlines()) for path in part.rglob("*.py")) for part in folders)
    rows, names = (sum(len(getattr(exercise, what)) for exercise in checks.all().values()) for what in KINDS)
    print(f"lines: engine {engine}, exercises {own}; {rows} wrong answers under {names} names", end="; ")
    print(f"lines of the exercises a name {own / names:.1f}")


if __name__ == "__main__":
    with stoppable("Stopped."):
        torch.set_num_threads(1)
        count_lines()
        slowest_right()
        time_checks()
        time_on_a_busy_machine()
