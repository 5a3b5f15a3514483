"""Processes that work side by side, and that end with the command that started them."""

import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor


class ProcessPool(ProcessPoolExecutor):
    """A ProcessPoolExecutor of `number` processes, which are killed if its `with` block ends with an error.

    Ctrl-C in a terminal reaches all its processes: here only the first one minds it. What is given to `submit` must be
    defined in a module, since the processes are new ones: a copy of a process in which torch has run may hang.
    """

    def __init__(self, number: int):
        super().__init__(number, mp_context=multiprocessing.get_context("spawn"))

    def submit(self, *arguments, **options):
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # a process starts with what is ignored here
        try:
            return super().submit(*arguments, **options)
        finally:
            signal.signal(signal.SIGINT, before)

    def __exit__(self, kind, *error):
        if kind is not None:
            for process in multiprocessing.active_children():
                process.kill()
        self.shutdown(cancel_futures=True)
