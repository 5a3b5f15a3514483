"""Processes that end when the command that started them is stopped."""

import json
import multiprocessing
import os
import signal
import subprocess
from concurrent.futures import ProcessPoolExecutor

GRACE = 5  # seconds in which a program that is stopped may clean up


class ProcessPool(ProcessPoolExecutor):
    """A ProcessPoolExecutor of `number` processes, which are killed if its `with` block ends with an error.

    Ctrl-C in a terminal reaches all processes of a command; these ignore it, so that none prints a traceback.
    method: how they are started, such as "spawn", or None for the system's default.
    """

    def __init__(self, number: int, method: str | None = None):
        super().__init__(number, multiprocessing.get_context(method), signal.signal, (signal.SIGTERM, signal.SIG_DFL))

    def submit(self, *arguments, **options):
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # a process starts with what is ignored here
        try:
            return super().submit(*arguments, **options)
        finally:
            signal.signal(signal.SIGINT, before)

    def map(self, function, arguments):
        """Yield function(argument) for each of `arguments`, in order."""
        # The inherited one cancels its futures when it is stopped, on which the pool's thread prints a traceback.
        futures = [self.submit(function, argument) for argument in arguments]
        yield from (future.result() for future in futures)

    def __exit__(self, kind, *error):
        if kind is not None:
            for process in multiprocessing.active_children():
                process.kill()
        self.shutdown(cancel_futures=True)


def reporter(*quiet: int):
    """Return a function that prints an object as JSON; standard output and `quiet` are kept free of all else."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, *quiet):
        os.dup2(nowhere, number)
    return lambda message: print(json.dumps(message), file=channel, flush=True)


def error_output(command: list, timeout: float) -> str:
    """Run a program to its end, and return what it wrote on its standard error; its standard output is dropped.

    Whatever ends the wait, the program and all that it has started have ended. timeout: seconds. Errors:
    subprocess.TimeoutExpired.
    """
    pipes = dict(stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    with subprocess.Popen(command, start_new_session=True, **pipes) as process:  # a group, which Ctrl-C does not reach
        try:
            return process.communicate(timeout=timeout)[1]
        except BaseException:
            process.terminate()
            try:
                process.communicate(timeout=GRACE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
                process.communicate()  # until nobody holds the standard error any more
            raise
