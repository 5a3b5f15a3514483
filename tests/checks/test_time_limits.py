"""Test that a check stops an answer that does not end, wherever it runs, and no answer that only has to wait."""

import signal
import sys
import threading
import time

import pytest

from course_utils import checks
from course_utils.checks import limits

# An exception that Python can raise nowhere, as from a late alarm, would stand below the learner's cell.
pytestmark = [pytest.mark.timed, pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")]


def endless(query, keys):
    while True:
        pass


def endless_behind_except(query, keys):
    while True:
        try:
            sum(range(1000))
        except:  # noqa: E722
            pass


def waits(query, keys):
    while True:
        time.sleep(0.01)


def waits_and_is_right(query, keys):
    time.sleep(0.1)
    return keys @ query


def endless_behind_two(query, keys):
    while True:
        try:
            endless_behind_except(query, keys)
        except:  # noqa: E722
            pass


def endless_print(query, keys):
    while True:
        print("again")


@pytest.fixture
def half_a_second(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.5)


@pytest.fixture
def a_second_on_the_wall(monkeypatch):
    monkeypatch.setattr(limits, "WALL_SECONDS", 1.0)


def in_a_thread(call):
    results = []
    thread = threading.Thread(target=lambda: results.append(call()))
    thread.start()
    thread.join()
    return results[0]


either_thread = pytest.mark.parametrize("run", [lambda call: call(), in_a_thread])


@pytest.mark.parametrize("answer", [endless, endless_behind_except, endless_behind_two, endless_print])
def test_an_endless_loop_is_stopped(answer, half_a_second):
    start = time.thread_time()
    report = checks.scores.check(answer)
    assert "of computing" in report.message
    assert 0.5 <= time.thread_time() - start < 5


@either_thread
def test_code_that_waits_is_stopped_by_the_wall_clock(run, a_second_on_the_wall):
    report = run(lambda: checks.scores.check(waits))
    assert "stopped after 1 seconds" in report.message and "it waited for something" in report.message


@either_thread
def test_a_right_answer_that_has_to_wait_for_the_processor_is_right(run, half_a_second):
    """An answer that sleeps longer than the CPU-time limit passes; the sleep stands for waiting on a busy machine."""
    assert len(checks.all()["scores"].inputs) * 0.1 > limits.SECONDS
    assert run(lambda: checks.scores.check(waits_and_is_right)).status == "passed"


@either_thread
def test_an_import_takes_nothing_of_the_time_and_is_not_broken_off(run, half_a_second, tmp_path, monkeypatch):
    """Imports in an answer do not count towards its time limit: PyTorch's own lazy imports can take seconds."""
    slow = "import time\nend = time.thread_time() + 0.7\nwhile time.thread_time() < end:\n    pass\nwhole = True\n"
    (tmp_path / "slow_to_import.py").write_text(slow)
    monkeypatch.syspath_prepend(tmp_path)

    def imports(query, keys):
        import slow_to_import

        return keys @ query * slow_to_import.whole

    try:
        assert run(lambda: checks.scores.check(imports)).status == "passed"
    finally:
        sys.modules.pop("slow_to_import", None)


def test_a_clock_of_the_whole_process_stops_a_thread_too(half_a_second, monkeypatch):
    """Where a thread's CPU time cannot be read from outside, as on macOS and Windows, the process's time counts."""
    monkeypatch.delattr(time, "pthread_getcpuclockid", raising=False)
    assert "of computing" in in_a_thread(lambda: checks.scores.check(endless)).message


def prints_a_tensor(query, keys):
    for _ in range(10_000):
        print(keys)
    return keys @ query


def test_prints_that_take_too_long_are_reported_as_prints(half_a_second):
    report = checks.scores.check(prints_a_tensor)
    assert "take the `print` out of your loop" in report.message and "should end your loop" not in report.message


@pytest.mark.parametrize("answer", [endless, endless_behind_except])
def test_an_endless_loop_is_stopped_in_another_thread(answer, half_a_second):
    turns = sys.getswitchinterval()
    assert "of computing" in in_a_thread(lambda: checks.scores.check(answer)).message
    assert sys.getswitchinterval() == turns


def test_a_long_call_of_a_library_is_reported_when_it_returns(half_a_second):
    def computes(query, keys):
        sum(range(10**8))
        return keys @ query

    assert "of computing" in checks.scores.check(computes).message


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarm")
def test_the_alarm_does_not_ring_later(half_a_second):
    before = signal.getsignal(signal.SIGALRM)
    checks.scores.check(endless)
    timers = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
    assert {signal.getitimer(timer) for timer in timers} == {(0, 0)} and signal.getsignal(signal.SIGALRM) == before
