"""Stop a learner's code that takes too long; processor time counts, so that a busy machine stops no right answer."""

import ctypes
import itertools
import signal
import sys
import threading
import time

SECONDS = 3.0  # of processor time, for an answer on all inputs together; a right one takes a hundredth of that
WALL_SECONDS = 30.0  # of wall-clock time, for code that waits and for a machine that is too busy to run it
# Seconds from one exception to the next. An `except:` in a loop swallows those that are raised within its `try`; of so
# many, at odd distances, one soon comes between the `except` and the next `try`.
PAUSES = (1e-6, 2e-6, 3e-6, 4e-6, 5e-6, 6e-6, 8e-6)


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
    return (_with_alarm if can_signal else _with_watchdog)(function, budget)


class Budget:
    """The time that a thread, given by its id, may use from now on: seconds of processor and of wall-clock time."""

    def __init__(self, seconds, wall, thread):
        self._read_processor, self._seconds = _processor_clock(thread), seconds
        self._processor_end, self._wall_end = self._read_processor() + seconds, time.monotonic() + wall
        self._pauses = itertools.cycle(PAUSES)

    def pause(self) -> float:
        """Return the number of seconds, above 0, after which to ask for the `error` again."""
        left = min(self._processor_end - self._read_processor(), self._wall_end - time.monotonic())
        return left if left > 0 else next(self._pauses)

    def error(self, frame) -> type[TimeUp] | None:
        """Return the exception type for the limit that has been reached, TimeUp or WallTimeUp; None if time is left.

        frame: the innermost frame of the thread. None comes back, too, if it is not the learner's code that runs. While
        it belongs to an import, processor time does not count: to break off the import would leave half a module
        behind, for all code that runs later. PyTorch imports some of its modules when they are first needed. If the
        processor time is up during an import, the thread gets all of it again.
        """
        files = _files(frame)
        if files is None:
            return None
        if self._processor_end <= self._read_processor():
            if not any(file.startswith("<frozen importlib") for file in files):
                return TimeUp
            self._processor_end = self._read_processor() + self._seconds
        return WallTimeUp if self._wall_end <= time.monotonic() else None


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


def _files(frame) -> list[str] | None:
    """Return the names of the files of a frame and of its callers up to `_inside`; None if `_inside` is not running."""
    files = []
    while frame is not None and frame.f_code is not _inside.__code__:
        files.append(frame.f_code.co_filename)
        frame = frame.f_back
    return None if frame is None else files


def _with_alarm(function, budget: Budget):
    """Call `function` and return its result; once time is up, a signal handler raises TimeUp or WallTimeUp in it."""

    def on_alarm(signum, frame):
        if _files(frame) is None:
            return  # the timer repeats, unless it has been stopped
        error = budget.error(frame)
        set_alarm()
        if error:
            raise error

    def set_alarm():
        signal.setitimer(signal.ITIMER_REAL, budget.pause(), 0.01)

    before = signal.signal(signal.SIGALRM, on_alarm)
    try:
        set_alarm()
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
        turns = sys.getswitchinterval()
        while not done.wait(budget.pause()):
            if error := budget.error(sys._current_frames().get(learner)):
                sys.setswitchinterval(1e-6)  # else Python gives this thread a turn every 5 ms: that is no short pause
                raise_in_learner(error)
        sys.setswitchinterval(turns)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        return _inside(function)
    finally:
        # The watcher reads this thread's clock, which is gone when this thread ends, so it ends before.
        while watcher.is_alive():
            try:
                done.set()
                watcher.join()
            except TimeUp:
                pass  # it came too late for the learner's code, and may come to this line
        raise_in_learner(None)  # cancels an exception that is still pending
