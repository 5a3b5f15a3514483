"""Find the cells of notebooks that fail, or print something else, when they are run again from the end of the page."""

import asyncio
import json
import os
import re
import signal
import sys
from pathlib import Path

from nb.files import COURSE, NotebookError, display_path
from nb.format import code_cells
from nb.run import CELL_TIMEOUT, SETTINGS, side_by_side

DATA = COURSE / "data"
OF_THE_SYSTEM = "This system cannot copy a running process (fork), which `again` needs: use Linux or macOS."


def again(paths: list[Path], jobs: int) -> tuple[list[str], int, int]:
    """Run notebooks to their end, `jobs` at once, and then each code cell twice more from there; store nothing.

    Return (lines to print, how many of them are findings, how many cells were run again). A cell whose metadata have
    "after", a list of ids, is run after these cells. Errors: NotebookError without fork.
    """
    if not hasattr(os, "fork"):
        raise NotebookError(OF_THE_SYSTEM)
    skipped, again = [], []

    async def run(path, notebook, bar):
        findings = []
        fetched = {name for cell in code_cells(notebook) for name in re.findall(r"\bfetch\.(\w+)\(", cell.source)}
        if missing := sorted(name for name in fetched if not (DATA / name / "model.safetensors").is_file()):
            skipped.append(f"{display_path(path)}: left out, since it needs `make data` ({', '.join(missing)}).")
            return []
        async for message in _messages(path):
            if "first" not in message:
                again.append(message["cell"])
            if message["finding"]:
                findings.append(f"{display_path(path)}: {message['cell']}, {message['finding']}")
            bar.update()
        return findings

    findings = asyncio.run(side_by_side(paths, jobs, run))
    return [*skipped, *findings], len(findings), len(again)


async def _messages(path: Path):
    """Yield the objects that `nb.rerunning` prints for a notebook; all its processes end when the caller stops."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "nb.rerunning", path.name, str(CELL_TIMEOUT)),
        cwd=path.resolve().parent,
        env={**os.environ, **SETTINGS, "MPLBACKEND": "agg", "PYTHONPATH": str(COURSE / "tools")},
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,  # a group, with the forks, which can be killed as one
    )
    try:
        async for line in process.stdout:
            yield json.loads(line)
        if await process.wait():
            raise NotebookError("its process died: it may have run out of memory.")
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
