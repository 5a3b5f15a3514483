"""What the processes of a hub take of memory and processor, as Linux tells it in /proc."""

import os
import re
import signal
from pathlib import Path
from typing import NamedTuple

# A word of the command, the first that fits -> what the process is.
KINDS = {
    "ipykernel_launcher": "kernel",
    "singleuser": "server",
    "configurable-http-proxy": "proxy",
    "jupyterhub": "hub",
}
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Memory(NamedTuple):
    """In MiB. share: its own pages, and its part of those that it shares with others. peak: the most it ever held,
    shared pages in full, as if it were alone on its machine."""

    share: float
    peak: float


class Process(NamedTuple):
    """kind: one of KINDS. student: whose it is, "" for the hub's own. notebook: of a kernel, its path, else ""."""

    pid: int
    kind: str
    student: str
    notebook: str

    def memory(self):
        """As Memory. Errors: OSError when the process is gone."""
        folder = Path("/proc", str(self.pid))
        return Memory(
            kilobytes("Pss", (folder / "smaps_rollup").read_text()) / 1024,
            kilobytes("VmHWM", (folder / "status").read_text()) / 1024,
        )

    def seconds(self):
        """Of a processor, its ended children's too. Errors: OSError when the process is gone."""
        return processor_seconds(Path("/proc", str(self.pid), "stat").read_text())

    def kill(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def find(variable, value):
    """The processes in whose environment the variable has this value, as a list of Process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().decode(errors="replace").split("\0")
            command = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue  # another user's, or gone
        given = dict(line.split("=", 1) for line in environment if "=" in line)
        if given.get(variable) == value:
            kind = next((KINDS[word] for word in KINDS if word in command), "other")
            whose = given.get("JUPYTERHUB_USER", "") if kind in ("server", "kernel") else ""
            notebook = given.get("JPY_SESSION_NAME", "") if kind == "kernel" else ""
            found.append(Process(int(folder.name), kind, whose, notebook))
    return found


def kilobytes(name, text):
    """The number of a line `Pss:  123 kB`; 0 where there is none, as in a process that has ended."""
    line = re.search(rf"^{name}:\s+(\d+) kB$", text, re.MULTILINE)
    return int(line[1]) if line else 0


def processor_seconds(stat):
    """From a process's stat: its time in programs and in the kernel, and that of its ended children."""
    fields = stat.rpartition(")")[2].split()  # what stands in brackets is its name, which may hold anything
    return sum(map(int, fields[11:15])) / TICKS
