"""Print how long a check takes (`make bench`)."""

import statistics
import time

import torch

from course_utils import checks

EXAMPLE = "causal_attention"  # a class with many test inputs and a long table of mistakes


def seconds(exercise, answer, rounds=1) -> tuple:
    """Return (the last Report, the seconds of each check, of which the first is slower: it makes the wrong answers)."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        report = exercise.check(answer)
        times.append(time.perf_counter() - start)
    return report, times


def main():
    torch.set_num_threads(1)
    firsts = {name: seconds(exercise, exercise.solution)[1][0] for name, exercise in checks.all().items()}
    slowest, median = max(firsts, key=firsts.get), statistics.median(firsts.values())
    print(f"first check of each solution: median {median:.3f} s, {slowest} {firsts[slowest]:.3f} s")
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
        report, times = seconds(exercise, answer, rounds)
        later = f", then {statistics.median(times[1:]):.3f} s" if rounds > 1 else ""
        print(f"check of {EXAMPLE}, an answer that is {kind} ({report.status}): first {times[0]:.3f} s{later}")
