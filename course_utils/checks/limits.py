"""Stop a learner's code that takes too long; processor time counts, so that a busy machine stops no right answer."""

import ctypes
import itertools
import signal
import sys
import threading
import time

SECONDS = 3.0  # of processor time, for an answer on all inputs together; a right one takes a hundredth of that
WALL_SECONDS = 30.0  # of wall-clock time, for code that waits and for a machine that is too busy to run it
MONITORING = getattr(sys, "monitoring", None)  # from Python 3.12 on
TOOL = 4  # a sys.monitoring tool id that CPython does not reserve


class TimeUp(BaseException):
    """The exception raised in code that has used up its processor time.

    It does not derive from Exception, so that `except Exception` in a learner's loop does not swallow it.
    """


class WallTimeUp(TimeUp):
    """The exception raised in code that has used up its wall-clock time, though not its processor time."""


def run(function, seconds: float, wall: float):
    """Call `function` without arguments and return its result; when the time is up, raise TimeUp in it until it ends.

    The exception is raised by a signal handler if the system has one and this is the main thread, else by a second
    thread. Both act between two steps of Python code: they cannot interrupt one long call inside a library.

    seconds: of processor time in the thread that calls this. wall: seconds of wall-clock time. Errors: TimeUp after
    `seconds`, WallTimeUp after `wall`.
    """
    can_signal = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    budget = Budget(seconds, wall, threading.get_ident())
    try:
        return (_with_alarm if can_signal else _with_watchdog)(function, budget)
    finally:
        _stop_tracing_lines()


class Budget:
    """The time that a thread, given by its id, may use from now on: seconds of processor and of wall-clock time."""

    def __init__(self, seconds, wall, thread):
        self._read_processor, self._seconds = _processor_clock(thread), seconds
        self._wall_end = time.monotonic() + wall
        self.restart()

    def restart(self) -> None:
        """Give the thread its whole processor time again. The wall-clock time runs on."""
        self._processor_end = self._read_processor() + self._seconds

    def left(self) -> float:
        """Return the number of seconds until a limit can be reached at the earliest; 0 or less when one is."""
        return min(self._processor_end - self._read_processor(), self._wall_end - time.monotonic())

    def error(self, frame) -> type[TimeUp] | None:
        """Return the exception type for the limit that has been reached, TimeUp or WallTimeUp; None if time is left.

        frame: the innermost frame of the thread. While it belongs to an import, processor time does not count: to break
        off the import would leave half a module behind, for all code that runs later. PyTorch imports some of its
        modules when they are first needed. If the processor time is up during an import, the thread gets all of it
        again.
        """
        computed = self._processor_end <= self._read_processor()
        if computed and not _imports(frame):
            return TimeUp
        if self._wall_end <= time.monotonic():
            return WallTimeUp
        if computed:
            self.restart()
        return None


def _processor_clock(thread: int):
    """Return a function without arguments that returns the processor time, in seconds, used by a thread, an id.

    On macOS and Windows, it is the time of the whole process: they do not report that of another thread.
    """
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)


def _inside(function):
    """Call a function without arguments and return its result; this frame marks where the learner's code begins."""
    return function()


def _imports(frame) -> bool:
    """Return whether a frame, or one of its callers up to `_inside`, belongs to an import that is under way."""
    while frame is not None and frame.f_code is not _inside.__code__:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _is_inside(frame, handler=None) -> bool:
    """Return whether a frame belongs to the learner's code: it is that of `_inside`, or called by it, directly or not.

    A frame below the code object `handler`, that of the signal handler, does not count: an exception raised there would
    break our own clean-up.
    """
    while frame is not None and frame.f_code not in (_inside.__code__, handler):
        frame = frame.f_back
    return frame is not None and frame.f_code is not handler


def _stop_each_line(error: type[TimeUp]) -> None:
    """Make each further line of the learner's code raise an exception, so that no `except:` stops it.

    Do nothing before Python 3.12, or if TOOL, the tool id for sys.monitoring, is in use.
    """

    def line_begins(code, line):
        if _is_inside(sys._getframe(1)):
            raise error

    if MONITORING and MONITORING.get_tool(TOOL) is None:
        MONITORING.use_tool_id(TOOL, __name__)
        MONITORING.register_callback(TOOL, MONITORING.events.LINE, line_begins)
        MONITORING.set_events(TOOL, MONITORING.events.LINE)


def _stop_tracing_lines() -> None:
    """Undo `_stop_each_line`, if it was called."""
    if MONITORING and MONITORING.get_tool(TOOL) == __name__:
        MONITORING.set_events(TOOL, MONITORING.events.NO_EVENTS)
        MONITORING.register_callback(TOOL, MONITORING.events.LINE, None)
        MONITORING.free_tool_id(TOOL)


def _with_alarm(function, budget: Budget):
    """Call `function` and return its result; once time is up, a signal handler raises TimeUp or WallTimeUp in it."""
    # An `except:` in a loop swallows an exception that is raised within its `try`. In Python 3.11, which has no
    # sys.monitoring, the next alarm comes some microseconds later: sooner or later one comes between the `except` and
    # the next `try`.
    pauses = itertools.cycle((4e-6, 6e-6, 9e-6, 13e-6, 20e-6, 30e-6))
    error = None

    def on_alarm(signum, frame):
        """Handle the timer's signal: raise the error in the learner's code if the time is up; else set the next alarm.

        If the signal came outside the learner's code, do nothing: the timer goes on.
        """
        nonlocal error
        if not _is_inside(frame, on_alarm.__code__):
            return  # the timer repeats after a hundredth of a second
        error = error or budget.error(frame)
        if error is None:
            signal.setitimer(signal.ITIMER_REAL, max(budget.left(), 0.001), 0.01)
            return
        signal.setitimer(signal.ITIMER_REAL, next(pauses), 0.001)
        _stop_each_line(error)
        raise error

    before = signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, max(budget.left(), 1e-6), 0.01)
    try:
        return _inside(function)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # drops an alarm that is still pending
        signal.signal(signal.SIGALRM, before)


def _with_watchdog(function, budget: Budget):
    """Call `function` and return its result; once time is up, a second thread raises TimeUp or WallTimeUp in it."""
    done, learner = threading.Event(), threading.get_ident()

    def raise_in_learner(error: type[TimeUp] | None) -> None:
        """Raise an exception in the thread of the learner's code, between two steps; None cancels a pending one."""
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(learner), error and ctypes.py_object(error))

    def watch() -> None:
        """Wait until the time is up, then let the learner's code raise the error, again and again until it is done."""
        error = None
        while not done.wait(0.01 if error else budget.left()):
            frame = sys._current_frames().get(learner)
            error = error or budget.error(frame)
            if error and _is_inside(frame):
                _stop_each_line(error)
                raise_in_learner(error)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        return _inside(function)
    finally:
        done.set()
        watcher.join()  # the watcher reads this thread's clock, which is gone when this thread ends
        raise_in_learner(None)  # cancels an exception that is still pending
