"""Run notebooks in fresh kernels, several at once, and store those that ran to the end."""

import asyncio
import os
from contextlib import asynccontextmanager

from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from tqdm import tqdm

from nb import definitions
from nb.files import NotebookError, display_path, write_atomically
from nb.format import clean, code_cells, read_notebook, to_bytes

CELL_TIMEOUT = 120  # seconds for each cell
SETTINGS = {
    "OMP_NUM_THREADS": "1",  # when several kernels train at once, many threads in each slow them all down tenfold
    "COURSE_PROGRESS": "off",  # so that a pass here is not recorded as the learner's
}


class ThisPython(KernelSpecManager):
    """A kernel spec manager that starts the running Python, whatever kernel named python3 the user has installed."""

    def get_kernel_spec(self, kernel_name):
        """Return the spec of ipykernel in the running Python, whatever the name."""
        return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict())


class Client(NotebookClient):
    """An nbclient without its signal handlers: with several clients in one loop, Ctrl-C would stop only the last."""

    @asynccontextmanager
    async def async_setup_kernel(self, **kwargs):
        """Start the kernel and its client, and shut the kernel down at the end, without nbclient's signal handlers."""
        manager = self.km
        try:
            await self.async_start_new_kernel(**kwargs)
            await self.async_start_new_kernel_client()
            yield
        finally:
            if self.kc is not None:
                self.kc.stop_channels()
            await manager.shutdown_kernel(now=True)


def run_notebooks(paths, jobs, timeout=CELL_TIMEOUT):
    """Run and store notebooks, `jobs` at once; return a list of lines, one for each that failed and was left as it was.

    paths: of the notebooks, Paths. timeout: seconds for each cell.
    """
    stored = {path: path.read_bytes() for path in paths}

    async def store(path, notebook, bar):
        """Run one notebook with the present solutions, and write its file; return [], the lines on what failed.

        notebook: as read from `path`; it is changed. The definitions in its solution cells are replaced by those in the
        exercises' files. bar: a tqdm bar, moved on by each cell. Errors: NotebookError if a cell fails, or if the file
        has been changed meanwhile; then it is left as it is.
        """
        definitions.renew(notebook, path.stem)
        forget_outputs(notebook)
        await execute(notebook, path.resolve().parent, timeout, bar)
        if path.read_bytes() != stored[path]:
            raise NotebookError("was saved by someone else while it ran, and is left so: run it again.")
        write_atomically(path, to_bytes(clean(notebook)))
        return []

    return [failure for failures in side_by_side(paths, jobs, store) for failure in failures]


def side_by_side(paths, jobs, run):
    """Await `run(path, notebook, bar)` for each notebook, `jobs` at once; return a list of what each call returned.

    paths: of the notebooks, Paths. run: a coroutine function that returns a list of lines. It gets the path, the
    notebook read from it, and a tqdm bar that counts cells. A NotebookError becomes a list with one line.
    """
    return asyncio.run(_side_by_side(paths, jobs, run))


async def _side_by_side(paths, jobs, run):
    """Do the work of `side_by_side` in a running event loop."""
    free = asyncio.Semaphore(jobs)
    with tqdm(total=0, unit="cell", disable=None, leave=False) as bar:

        async def run_one(path):
            """Read the notebook in `path`, and return what `run` returns for it; a line if it raises NotebookError."""
            try:
                notebook = read_notebook(path)
                bar.total += _cells_to_run(notebook)  # each task counts its cells before any waits for a slot
                async with free:
                    bar.set_postfix_str(path.stem)
                    return await run(path, notebook, bar)
            except NotebookError as error:
                return [f"{display_path(path)}: {error}"]

        return await asyncio.gather(*map(run_one, paths))


async def execute(notebook, folder, timeout, bar):
    """Run a notebook in a kernel of its own, and store the outputs in it; return nothing.

    Errors: NotebookError with the cell that failed, and why. folder: the kernel's working directory. timeout: seconds
    for each cell. bar: a tqdm bar, moved on by each cell.
    """
    current = {}  # keyword arguments of nbclient's callback: index and cell of the one that runs
    client = Client(
        notebook,
        km=AsyncKernelManager(kernel_name="python3", kernel_spec_manager=ThisPython()),
        timeout=timeout,
        extra_arguments=["--log-level=ERROR"],  # no log lines about the transport in the output
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,  # how printed text is split into messages depends on timing
        on_cell_execute=current.update,
        on_cell_executed=lambda **_: bar.update(),
    )
    try:
        await client.async_execute(cwd=folder, env={**os.environ, **SETTINGS})
    except (CellExecutionError, CellTimeoutError, DeadKernelError, RuntimeError) as error:
        place = cell_name(current["cell_index"] + 1, current["cell"]) if current else "before the first cell"
        reason = f"{place}: {_reason(error, timeout)} The stored notebook is as it was."
        raise NotebookError(reason) from None


def forget_outputs(notebook):
    """Remove all outputs and execution counts from a notebook, in place."""
    for cell in code_cells(notebook):
        cell.outputs, cell.execution_count = [], None


def cell_name(number, cell):
    """Return a cell's name for a message, a text with its number, counted from 1, and its first line of code."""
    return f'cell {number} ("{cell.source.strip().splitlines()[0]}")'


def _cells_to_run(notebook):
    """Return how many code cells of a notebook are not empty."""
    return sum(bool(cell.source.strip()) for cell in code_cells(notebook))


def _reason(error, timeout):
    """Return what went wrong in words. error: an exception of nbclient. timeout: in seconds for each cell."""
    match error:
        case CellExecutionError():
            return f"{error.ename}: {error.evalue.rstrip('.')}."
        case CellTimeoutError():
            return f"it took longer than {timeout} seconds: make it shorter, or look for a loop that does not end."
        case DeadKernelError():
            return "its kernel died: it may have run out of memory."
    return f"its kernel did not start ({error}): check the environment."
