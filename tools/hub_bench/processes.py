"""Find the processes of a hub, and read their memory and CPU time from Linux's /proc."""

import os
import re
import signal
from pathlib import Path
from typing import NamedTuple

# The first of these words in a process's command line -> the kind of process.
KINDS = {
    "ipykernel_launcher": "kernel",
    "singleuser": "server",
    "configurable-http-proxy": "proxy",
    "jupyterhub": "hub",
}
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Memory(NamedTuple):
    """The memory of a process, in MiB.

    share: its PSS, that is its own pages and its part of those that it shares with others. peak: its peak RSS, with
    shared pages in full, as if it were alone on its machine.
    """

    share: float
    peak: float


class Process(NamedTuple):
    """A process of a hub.

    kind: one of the values of KINDS, or "other". student: the name of the student whose server or kernel it is, "" for
    others. notebook: the path of a kernel's notebook, else "".
    """

    pid: int
    kind: str
    student: str
    notebook: str

    def memory(self):
        """Return the process's Memory. Errors: OSError if it has ended."""
        folder = Path("/proc", str(self.pid))
        return Memory(
            kilobytes("Pss", (folder / "smaps_rollup").read_text()) / 1024,
            kilobytes("VmHWM", (folder / "status").read_text()) / 1024,
        )

    def seconds(self):
        """Return its CPU seconds, with those of its ended children. Errors: OSError if it has ended."""
        return processor_seconds(Path("/proc", str(self.pid), "stat").read_text())

    def kill(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def find(variable, value):
    """Return a list of Process for all processes in whose environment the variable has this value.

    Other users' processes are left out, since their environment cannot be read.
    """
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().decode(errors="replace").split("\0")
            command = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue  # the process belongs to another user, or has ended
        given = dict(line.split("=", 1) for line in environment if "=" in line)
        if given.get(variable) == value:
            kind = next((KINDS[word] for word in KINDS if word in command), "other")
            whose = given.get("JUPYTERHUB_USER", "") if kind in ("server", "kernel") else ""
            notebook = given.get("JPY_SESSION_NAME", "") if kind == "kernel" else ""
            found.append(Process(int(folder.name), kind, whose, notebook))
    return found


def kilobytes(name, text):
    """Return the number of the line `<name>:  123 kB` in a text of /proc; 0 if there is none.

    There is none for a process that has ended.
    """
    line = re.search(rf"^{name}:\s+(\d+) kB$", text, re.MULTILINE)
    return int(line[1]) if line else 0


def processor_seconds(stat):
    """Return the user and system CPU seconds in the text of /proc/<pid>/stat, with those of ended children."""
    fields = stat.rpartition(")")[2].split()  # the process's name stands in brackets, and may hold anything
    return sum(map(int, fields[11:15])) / TICKS
