"""What a call costs: its time, its peak of memory, and how both grow. Imports torch alone."""

import contextlib
import os
import time

import torch
from torch.profiler import ProfilerActivity, profile


def seconds(call, *inputs, rounds=3, enough=0.1):
    """What a call costs in seconds of one processor: the least of some calls, after one to warm up.

    call: a function. inputs: what it is called with. It runs on one thread, and the time counts in which that thread is
    at work: other programs disturb it little, and pauses are free. There are at least `rounds` calls, and more of short
    ones, until they have taken `enough` seconds in all.
    """
    times = []
    with _one_thread():
        call(*inputs)
        while len(times) < rounds or sum(times) < enough:
            start = time.thread_time()
            call(*inputs)
            times.append(time.thread_time() - start)
    return min(times)


def peak_bytes(call, *inputs):
    """The most memory that a call holds at once, in bytes: its own tensors on the CPU, not what was there before.

    call: a function. inputs: what it is called with; they are not counted. torch.profiler sees every piece of memory
    that torch takes or gives back, so that the number is exact, and the same on every run. It runs on one thread: a
    kernel takes working space for each.
    """
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # else the profiler writes to stderr that it has started
    with _one_thread():
        call(*inputs)  # what is set up once, at the first call, is not counted
        with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
            result = call(*inputs)  # kept, so that what comes out is not given back before the profiler stops
    held = peak = 0
    for event in profiler.profiler.kineto_results.events():
        if event.name() == "[memory]":
            held += event.nbytes()  # negative where memory is given back
            peak = max(peak, held)
    del result
    return peak


def slope(sizes, costs):
    """The power with which a cost grows: 1 if twice the size costs twice as much, 2 if it costs four times as much.

    sizes, costs: numbers above 0, at least two of each. Returns the slope of the straight line that fits best where
    both axes are logarithmic.
    Errors: ValueError if there are not as many costs as sizes, or fewer than two, or one is not above 0.
    """
    if len(sizes) != len(costs) or len(sizes) < 2:
        raise ValueError(f"slope needs at least two sizes and a cost for each, got {len(sizes)} and {len(costs)}.")
    if min(*sizes, *costs) <= 0:
        raise ValueError(f"slope needs numbers above 0, got {list(sizes)} and {list(costs)}.")
    x, y = (torch.tensor(list(numbers), dtype=torch.float64).log() for numbers in (sizes, costs))
    x, y = x - x.mean(), y - y.mean()
    return (x @ y / (x @ x)).item()


@contextlib.contextmanager
def _one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
