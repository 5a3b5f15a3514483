"""Test course_utils.measure: memory is exact, times have the right size, and no setting is left changed."""

import time

import pytest
import torch

from course_utils import measure


def test_memory_is_counted_to_the_byte():
    assert measure.peak_bytes(lambda: torch.zeros(1000, 250)) == 1_000_000
    both = measure.peak_bytes(lambda: torch.zeros(1000, 250) + 1)  # with a few bytes for the 1
    assert both == pytest.approx(2_000_000, rel=1e-4)
    assert measure.peak_bytes(lambda: None) == 0


def test_memory_given_back_is_not_counted_twice():
    def one_after_the_other():
        for _ in range(3):
            torch.zeros(1000, 250)

    assert measure.peak_bytes(one_after_the_other) == 1_000_000


def test_memory_is_the_same_on_any_number_of_threads():
    queries, threads, peaks = torch.rand(1, 4, 1024, 16), torch.get_num_threads(), set()
    attend = torch.nn.functional.scaled_dot_product_attention
    for number in (1, 2, 4):
        torch.set_num_threads(number)
        peaks.add(measure.peak_bytes(attend, queries, queries, queries))
        assert torch.get_num_threads() == number
    torch.set_num_threads(threads)
    assert len(peaks) == 1


def work(seconds):
    """Keep one processor busy for this many seconds of CPU time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.mark.timed
def test_time_is_the_shortest_of_the_rounds_without_the_first():
    spans = iter([0.005, 0.08, 0.02, 0.05])
    assert 0.02 <= measure.seconds(lambda: work(next(spans)), enough=0) < 0.05


@pytest.mark.timed
def test_short_calls_have_more_rounds():
    calls = []
    measure.seconds(lambda: (calls.append(1), work(0.01)), enough=0.1)
    assert 5 <= len(calls) <= 11  # one to warm up, and ten at most


@pytest.mark.timed
def test_only_work_is_counted():
    assert measure.seconds(lambda: time.sleep(0.05), enough=0) < 0.03


def test_time_is_taken_on_one_thread_and_the_number_is_put_back():
    before, inside = torch.get_num_threads(), []
    torch.set_num_threads(2)
    try:
        measure.seconds(lambda: inside.append(torch.get_num_threads()), enough=0)
        with pytest.raises(ZeroDivisionError):
            measure.seconds(lambda: 1 / 0)
        assert set(inside) == {1} and torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("power", [0, 1, 1.5, 2])
def test_slope_finds_the_power(power):
    sizes = [512, 1024, 2048]
    assert measure.slope(sizes, [3 * size**power for size in sizes]) == pytest.approx(power)


@pytest.mark.parametrize("sizes, costs, words", [
    ([1, 2], [1], "got 2 and 1"), ([1], [1], "at least two"), ([1, 2], [0, 1], "above 0"),
])  # fmt: skip
def test_slope_refuses_what_has_none(sizes, costs, words):
    with pytest.raises(ValueError, match=words):
        measure.slope(sizes, costs)


@pytest.mark.timed
def test_inputs_are_handed_on_and_not_counted():
    x = torch.zeros(1000, 250)
    assert measure.peak_bytes(torch.add, x, x) == 1_000_000
    assert measure.seconds(torch.add, x, x) < 1
