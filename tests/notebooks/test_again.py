"""Test that cells are run again from the end of a page: what fails or changes is named, and pages that hold pass."""

import contextlib
import io
import os
from collections import defaultdict

import pytest
from good_notebook import write
from nb.files import NotebookError, find_notebooks
from nbformat.v4 import new_code_cell, new_output

import notebooks

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="`again` needs a system with fork")
TRIED = "00"  # a few seconds; before a release, all are tried
DIES = "import os, signal\n{}os.kill(os.getpid(), signal.SIGKILL)\nsecond = 2"
PAGES = {  # name -> {id of a cell: its source, and what it printed}
    "01_changes": {
        "row": ("row = [1.0, 2.0]\nprint(sum(row))", "3.0"),
        "fails": ("first = row[0] + 1", ""),
        "asserts": ("def total():\n    return sum(row)\nassert total() == 3", ""),
        "changes": ("print(f'{row[1]:.2f} of a row')", "2.00 of a row"),
        "grows": ("count = globals().get('count', 0) + 1\nprint(count if count < 3 else 'many')", "1"),
        "twice": ("left = globals().get('left', 3) - 1\nassert left > 0", ""),
        "renamed": ("row = {1: 2.5}", ""),
        "start": ("w = 1.0", ""),
        "step": ("w = 2 * w\nprint(w)", "2.0"),
        "more": ("w = 2 * w", ""),
        "kill": (DIES.format("if 'second' in globals(): "), ""),
        "value": ("values = [1.5]", ""),
        "shown": ("display(values)\nvalues", ""),
        "end": ("values = [2.5]", ""),
    },
    "02_holds": {
        "imports": ("import random\nfrom IPython.display import display\nx = [1, 1]", ""),
        "draws": ("random.seed(0)\ny = random.random()\nassert sum(x) == 2", ""),
        "leaves": ("doubled = 2 * x\nprint(doubled)", "[1, 1, 1, 1]"),
        "timed": ("print(random.random())", "0.5"),
        "start": ("w = 1.0", ""),
        "follows": ("w = 2 * w\nprint(w)", "2.0"),
        "last": ("x = [1, 1]", ""),
    },
    "03_stops": {"one": ("x = 1", ""), "two": ("x / 0", ""), "three": ("x", "")},
    "04_dies": {"kill": (DIES.format(""), "")},
    "05_lacks": {"fetch": ("if False:\n    fetch.nothing()", "")},
}
SHOWN = [new_output("display_data", {"text/plain": "[1.5]"})] * 2
ABOUT = {"follows": {"after": ["start"]}, "timed": {"tags": ["nbval-ignore-output"]}}  # id of a cell -> its metadata


def cell(id, source, printed):
    outputs = [new_output("stream", name="stdout", text=f"{printed}\n")] if printed else []
    return new_code_cell(source, id=id, outputs=SHOWN if id == "shown" else outputs, metadata=ABOUT.get(id, {}))


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Run `again` on PAGES, all at once; return name of a page -> the lines on it. The last line has the name ""."""
    folder, said, lines = tmp_path_factory.mktemp("pages"), io.StringIO(), defaultdict(list)
    for name, cells in PAGES.items():
        write(folder / f"{name}.ipynb", *(cell(id, *pair) for id, pair in cells.items()))
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with contextlib.redirect_stdout(said):
        assert notebooks.main(["again", str(folder)]) == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    for line in said.getvalue().splitlines():
        page, _, words = line.removeprefix(f"{folder}/").rpartition(".ipynb: ")
        lines[page].append(words)
    return lines


def test_each_kind_of_finding_is_named(found):
    *named, shown = found["01_changes"]
    assert named == [
        "fails, once more: KeyError: 0 (in `first = row[0] + 1`)",
        "asserts, once more: AssertionError (in `assert total() == 3`)",
        "changes, once more: stdout: 2.00 is now 2.50, 50 units of its last digit away, 1 may be.",
        "grows, once more: stdout: stored is '1' (in '1'), printed was '2' (in '2').",
        "twice, twice in a row: AssertionError (in `assert left > 0`)",
        "step, once more: stdout: 2.0 is now 8.0, 60 units of its last digit away, 1 may be.",
        "kill, its process died.",
    ]
    assert shown.startswith("shown, once more: text/plain: 1.5 is now 2.5, 10 units") and shown.count("1.5") == 2


def test_a_page_passes_whose_cells_keep_their_names_or_follow_those_that_it_says(found):
    assert "02_holds" not in found


def test_a_page_that_does_not_end_is_a_finding(found):
    assert found["03_stops"] == ["two, in the first run: ZeroDivisionError: division by zero (in `x / 0`)"]
    assert found["04_dies"] == ["its process died: it may have run out of memory."]


def test_a_page_that_needs_missing_weights_is_left_out_and_no_finding(found):
    assert found["05_lacks"] == ["left out, since it needs `make data` (nothing)."]
    assert found[""] == ["5 notebooks: 21 cells run again, 10 findings."]


def test_a_number_is_a_published_notebook():
    names = [path.name for path in find_notebooks(["4", "10"])]
    assert names == ["04_causal_masking.ipynb", "10_pytorch_attention.ipynb"]
    with pytest.raises(NotebookError, match="99 does not exist"):
        find_notebooks(["99"])


def test_cells_of_a_published_page_can_be_run_again(capsys):
    assert notebooks.main(["again", TRIED]) == 0, capsys.readouterr().out


def test_a_system_without_fork_is_said_in_words(capsys, monkeypatch):
    monkeypatch.delattr(os, "fork")
    assert notebooks.main(["again", TRIED]) == 1
    assert capsys.readouterr().err.startswith("This system cannot copy a running process (fork), which `again` needs: ")
