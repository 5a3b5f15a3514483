"""Let a command end in one line when it is stopped: by Ctrl-C, by `kill`, or because its terminal was closed."""

import contextlib
import signal
import sys

ENDINGS = ("SIGTERM", "SIGHUP")  # by default they end Python at once, and temporary folders stay; Windows has only one


@contextlib.contextmanager
def stoppable(words: str):
    """Return a decorator for the function of a command: if it is stopped, `words` are printed, and the exit code is 1.

    Ctrl-C and the signals ENDINGS raise KeyboardInterrupt in the function, so every `finally` is run. A signal that the
    process was started to ignore, as by `nohup`, stays ignored. The function must be called in the main thread.
    """
    numbers = [getattr(signal, name) for name in ENDINGS if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers if signal.getsignal(number) is signal.SIG_DFL}

    def stop(*_):
        for number in before:
            signal.signal(number, signal.SIG_IGN)  # a closed terminal may send two, and one is no reason to stop again
        raise KeyboardInterrupt

    try:
        for number in before:
            signal.signal(number, stop)
        yield
    except KeyboardInterrupt:
        sys.exit(words)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
