"""Print how long a check takes (`make bench`)."""

import statistics
import time

import torch

from course_utils import checks
from course_utils.stopping import stoppable

EXAMPLE = "causal_attention"  # a class with many test inputs and a long table of mistakes


def seconds(exercise, answer, rounds) -> tuple:
    """Return (the last Report, words on the times): the first check is slower, since it makes the wrong answers."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        report = exercise.check(answer)
        times.append(time.perf_counter() - start)
    later = f", then {statistics.median(times[1:]):.3f} s" if rounds > 1 else ""
    return report, f"first {times[0]:.3f} s{later}"


def time_checks():
    exercise = checks.all()[EXAMPLE]

    class Unknown(exercise.solution):
        def forward(self, x):
            context_vecs, attn_weights = super().forward(x)
            return 1.3 * context_vecs + 0.1 * torch.arange(context_vecs.shape[-1]), attn_weights.clamp(max=0.9)

    class Endless(exercise.solution):
        def forward(self, x):
            while True:
                x = x + 0

    for kind, answer, rounds in (("right", exercise.solution, 5), ("unknown", Unknown, 5), ("endless", Endless, 1)):
        report, taken = seconds(exercise, answer, rounds)
        print(f"check of {EXAMPLE}, an answer that is {kind} ({report.status}): {taken}")


def slowest_right():
    times = {}
    for name, exercise in checks.all().items():
        start = time.perf_counter()
        exercise.check(exercise.solution)
        times[name] = time.perf_counter() - start
    name = max(times, key=times.get)
    median = statistics.median(times.values())
    print(f"first check of each solution: median {median:.3f} s, {name} {times[name]:.3f} s")


if __name__ == "__main__":
    with stoppable("Stopped."):
        torch.set_num_threads(1)
        slowest_right()
        time_checks()
