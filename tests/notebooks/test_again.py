"""Test that cells are run again from the end of a page: what fails or changes is named, and pages that hold pass."""

import os

import nbformat
import pytest
from good_notebook import write
from nb.files import NotebookError, find_notebooks
from nb.format import code_cells
from nbformat.v4 import new_code_cell, new_output

import notebooks

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="`again` needs a system with fork")
TRIED = ("00", "01", "07")  # a few seconds each; before a release, all are tried


@pytest.fixture
def page(tmp_path):
    """Return a function that writes a notebook with code cells {id: (source, what it printed)}; tags: of an id."""
    path = tmp_path / "01_page.ipynb"

    def cell(id, source, printed, tags=()):
        outputs = [new_output("stream", name="stdout", text=f"{printed}\n")] if printed else []
        return new_code_cell(source, id=id, outputs=outputs, metadata={"tags": list(tags)})

    return lambda cells, **tags: write(path, *(cell(id, *pair, tags.get(id, ())) for id, pair in cells.items()))


def lines(path, capsys):
    code = notebooks.main(["again", str(path)])
    return code, capsys.readouterr().out.replace(f"{path}: ", "").splitlines()


def test_each_kind_of_finding_is_named(page, capsys):
    path = page(
        {
            "row": ("row = [1.0, 2.0]\nprint(sum(row))", "3.0"),
            "fails": ("first = row[0] + 1", ""),
            "asserts": ("def total():\n    return sum(row)\nassert total() == 3", ""),
            "changes": ("print(f'{row[1]:.2f} of a row')", "2.00 of a row"),
            "grows": ("count = globals().get('count', 0) + 1\nprint(count if count < 3 else 'many')", "1"),
            "twice": ("left = globals().get('left', 3) - 1\nassert left > 0", ""),
            "renamed": ("row = {1: 2.5}", ""),
        }
    )
    before = path.read_bytes()
    code, found = lines(path, capsys)
    assert code == 1 and path.read_bytes() == before
    assert found == [
        "fails, once more: KeyError: 0 (in `first = row[0] + 1`)",
        "asserts, once more: AssertionError (in `assert total() == 3`)",
        "changes, once more: stdout: 2.00 is now 2.50, 50 units of its last digit away, 1 may be.",
        "grows, once more: stdout: stored is '1' (in '1'), printed was '2' (in '2').",
        "twice, twice in a row: AssertionError (in `assert left > 0`)",
        "1 notebook: 7 cells run again, 5 findings.",
    ]


def test_a_page_whose_cells_keep_their_names_passes(page, capsys):
    path = page(
        {
            "imports": ("import random, torch\nfrom IPython.display import display\nx = torch.ones(2)", ""),
            "draws": ("torch.manual_seed(0)\ny = torch.rand(3)\nassert x.sum() == 2", ""),
            "leaves": ("doubled = 2 * x\nprint(doubled)", "tensor([2., 2.])"),
            "timed": ("print(random.random())", "0.5"),
            "last": ("x = torch.ones(2)", ""),
        },
        timed=["nbval-ignore-output"],
    )
    assert lines(path, capsys) == (0, ["1 notebook: 5 cells run again, 0 findings."])


def test_what_a_page_says_to_run_first_is_run_first(page, capsys):
    path = page({"start": ("w = 1.0", ""), "step": ("w = 2 * w\nprint(w)", "2.0"), "more": ("w = 2 * w", "")})
    assert lines(path, capsys)[1][0].startswith("step, once more: stdout: 2.0 is now 8.0")
    notebook = nbformat.read(path, as_version=4)
    code_cells(notebook)[1].metadata["after"] = ["start"]
    nbformat.write(notebook, path)
    assert lines(path, capsys) == (0, ["1 notebook: 3 cells run again, 0 findings."])


def test_displayed_values_are_compared(page, capsys):
    path = page(
        {"value": ("values = [1.5]", ""), "shown": ("display(values)\nvalues", ""), "end": ("values = [2.5]", "")}
    )
    notebook = nbformat.read(path, as_version=4)
    shown = new_output("display_data", {"text/plain": "[1.5]"})
    code_cells(notebook)[1].outputs = [shown, shown]
    nbformat.write(notebook, path)
    code, found = lines(path, capsys)
    assert code == 1 and len(found) == 2
    assert found[0].startswith("shown, once more: text/plain: 1.5 is now 2.5, 10 units") and found[0].count("1.5") == 2


def test_a_page_that_fails_in_its_first_run_is_a_finding(page, capsys):
    path = page({"one": ("x = 1", ""), "two": ("x / 0", ""), "three": ("x", "")})
    said = "two, in the first run: ZeroDivisionError: division by zero (in `x / 0`)"
    assert lines(path, capsys) == (1, [said, "1 notebook: 0 cells run again, 1 findings."])


def test_a_process_that_dies_is_a_finding(page, capsys):
    kill = "import os, signal\nif 'second' in globals(): os.kill(os.getpid(), signal.SIGKILL)\nsecond = 2"
    assert lines(page({"kill": (kill, "")}), capsys)[1][0] == "kill, its process died."
    kill = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"
    assert lines(page({"kill": (kill, "")}), capsys)[1][0] == "its process died: it may have run out of memory."


def test_a_page_that_needs_missing_weights_is_left_out(page, capsys):
    path = page({"fetch": ("if False:\n    fetch.nothing()", "")})
    said = "left out, since it needs `make data` (nothing)."
    assert lines(path, capsys) == (0, [said, "1 notebook: 0 cells run again, 0 findings."])


def test_a_number_is_a_published_notebook():
    names = [path.name for path in find_notebooks(["4", "10"])]
    assert names == ["04_causal_masking.ipynb", "10_pytorch_attention.ipynb"]
    with pytest.raises(NotebookError, match="99 does not exist"):
        find_notebooks(["99"])


@pytest.mark.parametrize("number", TRIED)
def test_cells_of_published_pages_can_be_run_again(number, capsys):
    assert notebooks.main(["again", number, "--jobs", "1"]) == 0, capsys.readouterr().out


def test_a_system_without_fork_is_said_in_words(page, capsys, monkeypatch):
    monkeypatch.delattr(os, "fork")
    assert notebooks.main(["again", str(page({"one": ("1", "")}))]) == 1
    assert capsys.readouterr().err.startswith("This system cannot copy a running process (fork), which `again` needs: ")
