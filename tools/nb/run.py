"""Run notebooks in fresh kernels, several at once, and store those that ran to the end."""

import asyncio
import os
from contextlib import asynccontextmanager

from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from tqdm import tqdm

from nb import definitions
from nb.files import NotebookError, display_path, write_atomically
from nb.format import clean, code_cells, read_notebook, to_bytes

CELL_TIMEOUT = 600  # seconds for each cell, as for nbval in pyproject.toml
SETTINGS = {
    "OMP_NUM_THREADS": "1",  # when several kernels train at once, many threads in each slow them all down tenfold
    "COURSE_PROGRESS": "off",  # so that a pass here is not recorded as the learner's
}


class Client(NotebookClient):
    """An nbclient without its signal handlers: with several clients in one loop, Ctrl-C would stop only the last."""

    @asynccontextmanager
    async def async_setup_kernel(self, **kwargs):
        manager = self.km
        try:
            await self.async_start_new_kernel(**kwargs)
            await self.async_start_new_kernel_client()
            yield
        finally:
            if self.kc is not None:
                self.kc.stop_channels()
            await manager.shutdown_kernel(now=True)


def run_notebooks(paths: list, jobs: int, timeout=CELL_TIMEOUT) -> list[str]:
    """Run the notebooks at some Paths, `jobs` at once; store those without a failure, return a line for each failure.

    Solutions are renewed from the exercises' files. A file stays as it is if a cell fails, or somebody else saves it
    meanwhile. timeout: seconds for a cell.
    """
    stored = {path: path.read_bytes() for path in paths}

    async def store(path, notebook, bar):
        definitions.renew(notebook, path.stem)
        forget_outputs(notebook)
        await execute(notebook, path.resolve().parent, timeout, bar)
        if path.read_bytes() != stored[path]:
            raise NotebookError("was saved by someone else while it ran, and is left so: run it again.")
        write_atomically(path, to_bytes(clean(notebook)))
        return []

    return asyncio.run(side_by_side(paths, jobs, store))


async def side_by_side(paths, jobs: int, run, read=read_notebook) -> list[str]:
    """Await `run(path, notebook, bar)` for each Path, `jobs` at once; return the lines of all calls in one list.

    bar: of tqdm, which counts cells. A NotebookError from `read` or `run` becomes one line.
    """
    free = asyncio.Semaphore(jobs)
    with tqdm(total=0, unit="cell", disable=None, leave=False) as bar:

        async def run_one(path):
            try:
                notebook = read(path)
                # Each task counts its cells before any waits for a slot.
                bar.total += sum(bool(cell.source.strip()) for cell in code_cells(notebook))
                async with free:
                    bar.set_postfix_str(path.stem)
                    return await run(path, notebook, bar)
            except NotebookError as error:
                return [f"{display_path(path)}: {error}"]

        return sum(await asyncio.gather(*map(run_one, paths)), [])


async def execute(notebook, folder, timeout: int, bar, environment=()):
    """Run a NotebookNode in a kernel of its own, in a folder, and store the outputs in it, up to a cell that fails.

    timeout: seconds for each cell. environment: more variables for the kernel. Errors: NotebookError.
    """
    current = {}  # keyword arguments of nbclient's callback: index and cell of the one that runs
    client = Client(
        notebook,
        # Without folders of kernel specs, python3 is the running Python, whatever the user has installed by that name.
        km=AsyncKernelManager(kernel_name="python3", kernel_spec_manager=KernelSpecManager(kernel_dirs=[])),
        timeout=timeout,
        extra_arguments=["--log-level=ERROR"],  # no log lines about the transport in the output
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,  # how printed text is split into messages depends on timing
        on_cell_execute=current.update,
        on_cell_executed=lambda **_: bar.update(),
    )
    try:
        await client.async_execute(cwd=folder, env={**os.environ, **SETTINGS, **dict(environment)})
    except (CellExecutionError, CellTimeoutError, DeadKernelError, RuntimeError) as error:
        place = cell_name(current["cell_index"] + 1, current["cell"]) if current else "before the first cell"
        raise NotebookError(f"{place}: {_reason(error, timeout)} The stored notebook is as it was.") from None


def forget_outputs(notebook):
    for cell in code_cells(notebook):
        cell.outputs, cell.execution_count = [], None


def cell_name(number: int, cell) -> str:
    """Return the name of an nbformat cell for a message, `cell 3 ("its first line")`. number: counted from 1."""
    return f'cell {number} ("{cell.source.strip().splitlines()[0]}")'


def _reason(error: Exception, timeout: int) -> str:
    match error:
        case CellExecutionError():
            return f"{error.ename}: {error.evalue.rstrip('.')}."
        case CellTimeoutError():
            return f"it took longer than {timeout} seconds: make it shorter, or look for a loop that does not end."
        case DeadKernelError():
            return "its kernel died: it may have run out of memory."
    return f"its kernel did not start ({error}): check the environment."
