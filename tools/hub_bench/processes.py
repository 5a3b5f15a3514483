"""Find the processes of a hub, and read their memory and CPU time."""

import re
from pathlib import Path
from typing import NamedTuple

import psutil

# The first of these words in a process's command line -> the kind of process.
KINDS = dict(ipykernel_launcher="kernel", singleuser="server") | {
    "configurable-http-proxy": "proxy",
    "jupyterhub": "hub",
}
MIB = 2**20


class Process(NamedTuple):
    """A process of a hub, whose methods raise the errors of psutil if it has ended.

    kind: one of the values of KINDS, or "other". student: the name of the student whose server or kernel it is, ""
    for others. notebook: the path of a kernel's notebook, else "".
    """

    process: psutil.Process
    kind: str
    student: str
    notebook: str

    def memory(self) -> tuple[float, float]:
        """Return (PSS, peak RSS) in MiB.

        PSS counts the process's own pages and its part of those that it shares with others. The peak counts shared
        pages in full, as if the process were alone on its machine; it is 0 where the system does not say.
        """
        status = Path("/proc", str(self.process.pid), "status").read_text()
        peak = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
        return self.process.memory_full_info().pss / MIB, int(peak[1]) / 1024 if peak else 0

    def seconds(self) -> float:
        """Return its CPU seconds, with those of its ended children."""
        times = self.process.cpu_times()
        return times.user + times.system + times.children_user + times.children_system


def find(variable: str, value: str) -> list[Process]:
    """Return each process of this user whose environment has this value of the variable."""
    processes = []
    for process in psutil.process_iter():
        try:
            environment, command = process.environ(), " ".join(process.cmdline())
        except (psutil.Error, OSError):
            continue  # the process belongs to another user, or has ended
        if environment.get(variable) == value:
            kind = next((KINDS[word] for word in KINDS if word in command), "other")
            student = environment.get("JUPYTERHUB_USER", "") if kind in ("server", "kernel") else ""
            notebook = environment.get("JPY_SESSION_NAME", "") if kind == "kernel" else ""
            processes.append(Process(process, kind, student, notebook))
    return processes
