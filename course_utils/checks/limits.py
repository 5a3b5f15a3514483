"""Stop a learner's code that takes too long, counted in the processor's time: a busy machine stops no right answer."""

import ctypes
import itertools
import signal
import sys
import threading
import time

SECONDS = 3.0  # of a processor, for an answer on all inputs together; a right one takes a hundredth of that
WALL_SECONDS = 30.0  # by the clock on the wall, for code that waits and for a machine that has no time for it
MONITORING = getattr(sys, "monitoring", None)  # from Python 3.12 on
TOOL = 4  # a sys.monitoring tool id that CPython does not reserve


class TimeUp(BaseException):
    """The code had used the processor for as long as it may.

    It is no Exception, so that `except Exception` in a learner's loop does not swallow it.
    """


class WallTimeUp(TimeUp):
    """The code had not ended when its time by the wall was over, though it had computed for less than it may."""


def limited(function, seconds, wall):
    """Run `function`; when the time is up, raise TimeUp in it, again and again until it ends.

    A signal does it where the system has one and this is the main thread, else a second thread. Both act between two
    steps of Python code: one long call inside a library ends first.

    seconds: of a processor, in the thread that calls this. wall: seconds of the clock on the wall.
    Errors: TimeUp after `seconds`, WallTimeUp after `wall`.
    """
    can_signal = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    budget = Budget(seconds, wall, threading.get_ident())
    try:
        return (_with_alarm if can_signal else _with_watchdog)(function, budget)
    finally:
        _stop_tracing_lines()


class Budget:
    """The processor time and the wall time that a thread may use from now on."""

    def __init__(self, seconds, wall, thread):
        self._read_processor, self._seconds = _processor_clock(thread), seconds
        self._wall_end = time.monotonic() + wall
        self.restart()

    def restart(self):
        """Give the thread all of its processor time again."""
        self._processor_end = self._read_processor() + self._seconds

    def left(self):
        """Return the seconds until a limit can be reached at the earliest; 0 or less when one is reached."""
        return min(self._processor_end - self._read_processor(), self._wall_end - time.monotonic())

    def error(self, frame):
        """Return the exception type for the limit that was reached by the code of a frame; None if there is time left.

        While a module is imported, the processor's time does not count, and the import is not broken off: that would
        leave half a module behind, for all code that runs later. PyTorch imports some when they are first needed.
        """
        computed = self._processor_end <= self._read_processor()
        if computed and not _imports(frame):
            return TimeUp
        if self._wall_end <= time.monotonic():
            return WallTimeUp
        if computed:
            self.restart()
        return None


def _processor_clock(thread):
    """Return a function that reads the seconds for which a thread has used a processor.

    macOS and Windows do not tell this of another thread: there it reads the time of the whole process.
    """
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)


def _inside(function):
    return function()


def _imports(frame):
    """Return whether a module is being imported: between the learner's code and a frame lies Python's import system."""
    while frame is not None and frame.f_code is not _inside.__code__:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _is_inside(frame, ring=None):
    """Return whether a frame lies within the learner's code: elsewhere an alarm would hit our own tidying up."""
    while frame is not None and frame.f_code not in (_inside.__code__, ring):
        frame = frame.f_back
    return frame is not None and frame.f_code is not ring


def _stop_each_line(error):
    """Let each line that the learner's code comes to raise `error`, so that it leaves every `except:`; Python 3.12."""

    def line_begins(code, line):
        if _is_inside(sys._getframe(1)):
            raise error

    if MONITORING and MONITORING.get_tool(TOOL) is None:
        MONITORING.use_tool_id(TOOL, __name__)
        MONITORING.register_callback(TOOL, MONITORING.events.LINE, line_begins)
        MONITORING.set_events(TOOL, MONITORING.events.LINE)


def _stop_tracing_lines():
    if MONITORING and MONITORING.get_tool(TOOL) == __name__:
        MONITORING.set_events(TOOL, MONITORING.events.NO_EVENTS)
        MONITORING.register_callback(TOOL, MONITORING.events.LINE, None)
        MONITORING.free_tool_id(TOOL)


def _with_alarm(function, budget):
    # An `except:` in a loop swallows an alarm that rings within its `try`. In Python 3.11, the next rings some
    # microseconds later: sooner or later one falls between the `except` and the next `try`.
    pauses = itertools.cycle((4e-6, 6e-6, 9e-6, 13e-6, 20e-6, 30e-6))
    error = None

    def ring(signum, frame):
        nonlocal error
        if not _is_inside(frame, ring.__code__):
            return  # it rings again in a hundredth of a second
        error = error or budget.error(frame)
        if error is None:
            signal.setitimer(signal.ITIMER_REAL, max(budget.left(), 0.001), 0.01)
            return
        signal.setitimer(signal.ITIMER_REAL, next(pauses), 0.001)
        _stop_each_line(error)
        raise error

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(budget.left(), 1e-6), 0.01)
    try:
        return _inside(function)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # for an alarm that is on its way
        signal.signal(signal.SIGALRM, before)


def _with_watchdog(function, budget):
    done, learner = threading.Event(), threading.get_ident()

    def raise_there(error):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(learner), error and ctypes.py_object(error))

    def watch():
        error = None
        while not done.wait(0.01 if error else budget.left()):
            frame = sys._current_frames().get(learner)
            error = error or budget.error(frame)
            if error and _is_inside(frame):
                _stop_each_line(error)
                raise_there(error)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        return _inside(function)
    finally:
        done.set()
        watcher.join()  # it reads this thread's clock, which ends with the thread
        raise_there(None)  # takes back one that is on its way
