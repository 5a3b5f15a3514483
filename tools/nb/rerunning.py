"""Run a notebook in this process to its end, then each of its code cells twice more, in a fork that keeps the state.

`again.py` starts this as `python -m nb.rerunning NOTEBOOK SECONDS`, in the notebook's folder. It prints a line of JSON
for each code cell: `{"cell": its id, "finding": what happened, or ""}`. If the page does not run to its end, there is
one line alone, the finding of the cell that fails, with `"first": true`.
"""

import multiprocessing
import sys
import traceback
import warnings
from pathlib import Path

from IPython.core.displayhook import CapturingDisplayHook
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbformat.v4 import new_output

from nb.format import code_cells, read_notebook, tags
from nb.outputs import differences
from nb.processes import reporter


def main(path: Path, timeout: int):
    """Run the notebook at a Path, then its cells again, each in at most `timeout` seconds; print what was found."""
    shell, report = _shell(), reporter()
    cells = [cell for cell in code_cells(read_notebook(path)) if cell.source.strip()]
    for cell in cells:
        _, error = run_cell(shell, cell.source)
        if error:
            return report({"cell": cell.id, "finding": f"in the first run: {error}", "first": True})
    by_id = {cell.id: cell for cell in cells}
    for cell in cells:
        before = [by_id[id] for id in cell.metadata.get("after", [])]
        report({"cell": cell.id, "finding": forked(timeout, _finding, shell, cell, before)})


def run_cell(shell: InteractiveShell, source: str) -> tuple[list, str]:
    """Run a cell in a shell; return (its nbformat outputs, its error), where the error is "" or a sentence."""
    shell.display_pub = publisher = CapturingDisplayPublisher()
    shell.display_trap.hook = CapturingDisplayHook(shell, publisher.outputs)
    with capture_output(display=False) as captured:
        result = shell.run_cell(source, store_history=True)
    outputs = [new_output("display_data", output["data"]) for output in publisher.outputs]
    for name in ("stdout", "stderr"):
        if text := getattr(captured, name):
            outputs.append(new_output("stream", name=name, text=text))
    error = result.error_before_exec or result.error_in_exec
    return outputs, _in_words(error) if error else ""


def forked(timeout: int, function, *arguments):
    """Return function(*arguments) from a fork of this process, which stays as it is; a sentence if it does not end."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=lambda: sender.send(function(*arguments)))
    child.start()
    sender.close()  # here alone, so that the child's end is noticed
    try:
        if receiver.poll(timeout):
            return receiver.recv()
        return f"it took longer than {timeout} seconds."
    except EOFError:
        return "its process died."
    finally:
        child.kill()
        child.join()


def _finding(shell: InteractiveShell, cell, before: list) -> str:
    """Run a cell twice in a row, each time after the cells `before`; return the first error or difference, or ""."""
    for time in ("once more", "twice in a row"):
        errors = [error for first in before if (error := run_cell(shell, first.source)[1])]
        outputs, error = ([], errors[0]) if errors else run_cell(shell, cell.source)
        if error:
            return f"{time}: {error}"
        if "nbval-ignore-output" not in tags(cell) and (lines := differences(cell.outputs, outputs)):
            return f"{time}: {' '.join(lines)}"
    return ""


def _in_words(error: BaseException) -> str:
    message = " ".join(str(error).split())[:200]
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith("<ipython")]
    place = f" (in `{frames[-1].line}`)" if frames else ""
    return f"{type(error).__name__}{': ' * bool(message)}{message}{place}"


def _shell() -> InteractiveShell:
    """Return the shell in which the notebook runs: IPython's, as in a kernel, without a history, which has a thread."""
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    shell.display_formatter.active_types = shell.display_formatter.format_types  # a terminal's shell shows text alone
    return shell


if __name__ == "__main__":
    # Threads of torch that wait for work do not disturb a fork, which computes on one thread.
    warnings.filterwarnings("ignore", message=".*multi-threaded, use of fork", category=DeprecationWarning)
    main(Path(sys.argv[1]), int(sys.argv[2]))
