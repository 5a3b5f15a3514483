"""Test the commands run and clean of tools/notebooks.py, and their messages on a user's mistakes."""

import json
import os
import subprocess
import sys

import nbformat
import pytest
from good_notebook import write
from nb.files import COURSE
from nb.format import KERNELSPEC, WIDGET_VIEW, clean, read_notebook
from nb.run import CELL_TIMEOUT, run_notebooks
from nbformat.v4 import new_code_cell, new_notebook, new_output

import notebooks


def test_a_cell_has_as_long_to_run_as_it_has_with_nbval(pytestconfig):
    assert CELL_TIMEOUT == pytestconfig.getoption("nbval_cell_timeout")


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Run three notebooks together; return (their paths, their bytes before the run, the messages), three lists."""
    folder = tmp_path_factory.mktemp("ran")
    prints = "import os\nfor i in range(3):\n    print(i, flush=True)\nos.environ['OMP_NUM_THREADS']"
    where = "import os, sys\nprint(os.path.basename(os.getcwd()), sys.executable)"
    paths = [
        write(folder / "01_good.ipynb", prints, where, "import ipywidgets\nipywidgets.IntSlider(3)"),
        write(folder / "02_fails.ipynb", "1", "1 / 0"),
        write(folder / "03_dies.ipynb", "import os; os._exit(1)"),
    ]
    before = [path.read_bytes() for path in paths]
    return paths, before, run_notebooks(paths, jobs=2)


def test_a_good_notebook_is_stored_with_outputs(ran):
    (path, *_), _, _ = ran
    prints, where, widget = (cell.outputs for cell in nbformat.read(path, as_version=4).cells)
    assert [output.get("text") or output.data["text/plain"] for output in prints] == ["0\n1\n2\n", "'1'"]
    assert where[0].text == f"{path.parent.name} {sys.executable}\n"
    assert list(widget[0].data) == ["text/plain"]


def test_a_failed_notebook_stays_byte_for_byte_and_the_error_is_said(ran):
    (_, *paths), (_, *before), messages = ran
    assert [path.read_bytes() for path in paths] == before
    assert len(messages) == 2
    assert '02_fails.ipynb: cell 2 ("1 / 0"): ZeroDivisionError: division by zero.' in messages[0]
    assert '03_dies.ipynb: cell 1 ("import os; os._exit(1)"): its kernel died' in messages[1]


def test_a_name_that_the_terminal_has_no_letters_for(tmp_path):
    (tmp_path / "王.ipynb").write_text("{")
    command = [sys.executable, str(COURSE / "tools" / "notebooks.py"), "clean", str(tmp_path / "王.ipynb")]
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii"}
    run = subprocess.run(command, cwd=tmp_path, env=ascii_only, capture_output=True, text=True, check=False)
    assert run.returncode == 1 and r"\u738b.ipynb: is not JSON" in run.stdout


def test_running_twice_gives_the_same_bytes(ran):
    (path, *_), _, _ = ran
    once = path.read_bytes()
    assert run_notebooks([path], jobs=1) == [] and path.read_bytes() == once


@pytest.mark.timed
def test_a_cell_that_does_not_end_is_stopped(tmp_path):
    path = write(tmp_path / "01_slow.ipynb", "while True: pass")
    (message,) = run_notebooks([path], jobs=1, timeout=1)
    assert "took longer than 1 seconds" in message


def test_a_notebook_saved_while_it_runs_is_not_overwritten(tmp_path):
    path = write(tmp_path / "01_saved.ipynb", "from pathlib import Path\nPath('01_saved.ipynb').write_text('mine')")
    (message,) = run_notebooks([path], jobs=1)
    assert "was saved by someone else" in message and path.read_text() == "mine"


def stored() -> tuple:
    """Return (a notebook with everything that editors and kernels may leave in it, the cell metadata to keep)."""
    image = {"image/png": {"alt": "a line", "width": 300, "height": 200}, "isolated": True}
    outputs = [
        new_output("display_data", {WIDGET_VIEW: {"model_id": "a1"}}),
        new_output("display_data", {WIDGET_VIEW: {"model_id": "a2"}, "image/png": "iVBORw0KGgo="}, metadata=image),
        new_output("stream", text="é\n"),
    ]
    kept = {"tags": ["solution"], "slideshow": {"slide_type": "-"}, "reason": "why", "jupyter": {"source_hidden": True}}
    kept["after"] = ["a-cell"]
    dropped = {"execution": {"iopub.busy": "2026"}, "scrolled": True, "collapsed": False, "editable": True}
    cell = new_code_cell("1", id="the-id", execution_count=7, outputs=outputs, metadata=kept | dropped)
    cell.metadata.jupyter.outputs_hidden = False
    return new_notebook(cells=[cell], metadata={"widgets": {}, "language_info": {"name": "python"}}), kept


def test_clean_keeps_content_only():
    notebook, kept = stored()
    notebook = clean(notebook)
    (cell,) = notebook.cells
    assert notebook.metadata == {"kernelspec": KERNELSPEC}
    assert cell.metadata == kept and cell.id == "the-id" and cell.execution_count == 7
    picture, stream = cell.outputs
    assert picture.data == {"image/png": "iVBORw0KGgo="}
    assert picture.metadata == {"image/png": {"alt": "a line", "width": 300}}
    assert stream.text == "é\n"


def test_clean_twice_gives_the_same_bytes(tmp_path, capsys):
    path = tmp_path / "01_a.ipynb"
    nbformat.write(stored()[0], path)
    assert notebooks.main(["clean", str(path)]) == 0
    once = path.read_bytes()
    assert notebooks.main(["clean", str(tmp_path)]) == 0
    assert path.read_bytes() == once and once.endswith(b"}\n") and "é".encode() in once
    assert capsys.readouterr().out == "1 notebook clean, 1 of them changed.\n1 notebook clean, 0 of them changed.\n"


def test_clean_gives_an_old_notebook_its_ids(tmp_path):
    path = write(tmp_path / "01_a.ipynb", "1")
    content = json.loads(path.read_text()) | {"nbformat_minor": 4}
    for cell in content["cells"]:
        del cell["id"]
    path.write_text(json.dumps(content))
    assert notebooks.main(["clean", str(path)]) == 0
    assert read_notebook(path, strict=True).nbformat_minor == 5


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["check", "nowhere.ipynb"], "nowhere.ipynb does not exist"),
        (["run", "pyproject.toml"], "pyproject.toml is not a notebook"),
        (["clean", "tools"], "tools holds no notebooks"),
    ],
)
def test_a_bad_path_is_said_in_words(arguments, words, capsys, monkeypatch):
    monkeypatch.chdir(COURSE)
    assert notebooks.main(arguments) == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "clean", "check"])
def test_a_damaged_notebook_is_said_in_words(command, tmp_path, capsys):
    path = tmp_path / "01_a.ipynb"
    path.write_text("<<<<<<< HEAD")
    assert notebooks.main([command, str(path)]) == 1
    assert "01_a.ipynb: is not JSON" in capsys.readouterr().out and path.read_text() == "<<<<<<< HEAD"
