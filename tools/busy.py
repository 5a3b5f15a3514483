"""Run a command while busy loops compete with it for the processors, as other users' programs do on a shared machine.

usage: busy.py COMMAND ...

Two loops for each core run. The exit code is that of the command. The loops end with this process, however it ends.
"""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

# Each loop reads from a pipe whose other end only this process holds, so it ends even if this process is killed.
LOOP = """
import sys, threading
def spin():
    while True:
        pass
threading.Thread(target=spin, daemon=True).start()
print(flush=True)
sys.stdin.read()
"""


@contextmanager
def busy_loops(number: int):
    loops = [
        subprocess.Popen(
            [sys.executable, "-S", "-c", LOOP],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # so that Ctrl-C in a terminal reaches the command first; the loops end after it
        )
        for _ in range(number)
    ]
    try:
        for loop in loops:
            loop.stdout.readline()
        yield loops
    finally:
        for loop in loops:
            loop.kill()
            loop.communicate()


def run_beside(number: int, command: list) -> int:
    """Run a command beside `number` busy loops; return its exit code, 128 + signal if a signal ended it."""
    # Ctrl-C reaches the command directly, so this process ignores it and waits for the command to end.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        with busy_loops(number):
            code = subprocess.call(command)
    finally:
        signal.signal(signal.SIGINT, before)
    return code if code >= 0 else 128 - code


def main(command: list[str]) -> int:
    if not command:
        sys.exit("busy.py needs a command, which it runs beside busy loops.")
    try:
        return run_beside(2 * (os.cpu_count() or 1), command)
    except OSError as error:
        print(f"{command[0]} cannot be run: {error.strerror}.", file=sys.stderr)
        return 127


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
