"""Let a command end in one line when it is stopped: by Ctrl-C, by `kill`, or because its terminal was closed."""

import contextlib
import signal
import sys

ENDINGS = ("SIGTERM", "SIGHUP")  # by default they end Python at once, and temporary folders stay; Windows has only one


@contextlib.contextmanager
def stoppable(words: str):
    """Return a context manager, or decorator, in which a command that is stopped prints `words` and exits with code 1.

    There, Ctrl-C and the signals ENDINGS raise KeyboardInterrupt, so every `finally` is run. A signal that the process
    was started to ignore, as by `nohup`, stays ignored. It works in the main thread alone.
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
