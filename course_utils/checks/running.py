"""Run a learner's code safely: under a time limit, with its output captured, and with torch put back as it was."""

from dataclasses import dataclass, field

import torch

from . import limits, settings
from .captured import Printed, quiet
from .replaced import put_back

SEED = 20240229  # unlikely to be the learner's, so that a call of manual_seed in the answer is noticed


@dataclass
class LimitedRun:
    """A record of a run: the function's result, or None if its time was up, and its side effects."""

    result: object = None
    timed_out: type[limits.TimeUp] | None = None  # which of the two limits was reached
    printed: Printed = field(default_factory=Printed)
    changed_settings: list = field(default_factory=list)  # names of changed settings and replaced functions of torch


def run_limited(function, draws=True) -> LimitedRun:
    """Call a function without arguments under a time limit, and return the result with its side effects.

    It starts from a fixed seed, quietly, under the check's settings; torch's settings and functions are put back
    afterwards. If the time is up, the record has it as `timed_out`, and nothing is raised; any other error of the
    function propagates. draws: as for `settings.own`.
    """
    run, replaced, seeded = LimitedRun(), [], []
    with settings.own(draws) as changed:
        torch.default_generator.manual_seed(SEED)  # torch.manual_seed would also look for GPUs, which takes a while
        try:
            with quiet(run.printed):
                run.result = limits.run(function, limits.SECONDS, limits.WALL_SECONDS)
        except limits.TimeUp as error:
            run.timed_out = type(error)
        finally:
            replaced = put_back()
            seeded = ["the seed of torch's random numbers"] if torch.initial_seed() != SEED else []
    run.changed_settings = [*changed, *seeded, *replaced]
    return run
