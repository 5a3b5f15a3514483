"""Measure the processor time and the peak memory of a call, and how they grow with size. Imports only torch."""

import contextlib
import os
import time

import torch
from torch.profiler import ProfilerActivity, profile


def seconds(call, *inputs, rounds=3, enough=0.1):
    """Return the processor time of a call in seconds, a float: the smallest of several calls, after a warm-up call.

    call: a function. inputs: its arguments. The call runs on one thread, and only the time in which that thread is
    running counts, so neither sleeping nor waiting for other programs does. They can still slow it, by sharing memory
    and caches. `call` is measured at least `rounds` times; a short one is repeated until its calls have taken `enough`
    seconds in all. Errors: those of `call`.
    """
    times = []
    with one_thread():
        call(*inputs)
        while len(times) < rounds or sum(times) < enough:
            start = time.thread_time()
            call(*inputs)
            times.append(time.thread_time() - start)
    return min(times)


def peak_bytes(call, *inputs):
    """Return the peak memory of a call in bytes, an int: the most CPU memory that torch holds for it at one time.

    call: a function, which is called twice, first as a warm-up. inputs: its arguments, which are not counted.
    torch.profiler records every allocation and release of torch, so the number is exact, and the same on every run. The
    call runs on one thread, because a kernel allocates working space for each thread.
    """
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # otherwise the profiler reports its start on stderr
    with one_thread():
        call(*inputs)  # a warm-up call, so that what torch sets up only once is not counted
        with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
            result = call(*inputs)  # kept alive, so that the result is not released before the profiler stops
    held = peak = 0
    for event in profiler.profiler.kineto_results.events():
        if event.name() == "[memory]":
            held += event.nbytes()  # negative when memory is released
            peak = max(peak, held)
    del result
    return peak


def slope(sizes, costs):
    """Return the power with which a cost grows: 1 if twice the size costs twice as much, 2 if it costs four times.

    sizes, costs: lists of numbers above 0, of one length, at least 2. Returns a float: the slope of the least-squares
    line through the points on logarithmic axes.
    Errors: ValueError if there are not as many costs as sizes, fewer than two of each, or numbers that are not above 0.
    """
    if len(sizes) != len(costs) or len(sizes) < 2:
        raise ValueError(f"slope needs at least two sizes and a cost for each, got {len(sizes)} and {len(costs)}.")
    if min(*sizes, *costs) <= 0:
        raise ValueError(f"slope needs numbers above 0, got {list(sizes)} and {list(costs)}.")
    x, y = (torch.tensor(list(numbers), dtype=torch.float64).log() for numbers in (sizes, costs))
    x, y = x - x.mean(), y - y.mean()
    return (x @ y / (x @ x)).item()


@contextlib.contextmanager
def one_thread():
    """Return a context manager in which torch uses one thread; afterwards it uses as many as before."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
