"""Test that the learner's copies of notebooks are never overwritten, and that changes in the course are reported."""

import json
import subprocess
import sys

import nbformat
import pytest
from good_notebook import write
from nb.copies import RECORD, copy_notebooks
from nb.files import COURSE, PUBLISHED
from nb.format import read_notebook, tags
from nbformat.v4 import new_output


@pytest.fixture
def folders(tmp_path):
    write(tmp_path / "notebooks" / "01_a.ipynb", "1")
    write(tmp_path / "notebooks" / "02_b.ipynb", "2")
    return tmp_path / "notebooks", tmp_path / "work"


def test_copies_are_made_once_and_never_overwritten(folders):
    published, own = folders
    assert "Copied 2 notebooks" in copy_notebooks(*folders)[0]
    (own / "01_a.ipynb").write_text("my answers")
    (own / "02_b.ipynb").unlink()
    assert "Copied 02_b.ipynb" in copy_notebooks(*folders)[0]
    assert (own / "01_a.ipynb").read_text() == "my answers"
    assert copy_notebooks(*folders) == []
    assert (own / "02_b.ipynb").read_bytes() == (published / "02_b.ipynb").read_bytes()


def test_a_change_of_the_course_is_reported_until_the_new_one_is_taken(folders):
    published, own = folders
    copy_notebooks(*folders)
    write(published / "01_a.ipynb", "1 + 1")
    for _ in range(2):
        (line,) = copy_notebooks(*folders)
        assert "has since changed 01_a.ipynb" in line and "rename or delete yours" in line and "make lab" in line
    (own / "01_a.ipynb").rename(own / "01_mine.ipynb")
    (line,) = copy_notebooks(*folders)
    assert "Copied 01_a.ipynb" in line and copy_notebooks(*folders) == []


@pytest.mark.parametrize("own_tags", [[], ["copied"]])
def test_copies_come_without_results_but_that_of_a_cell_tagged_copied(folders, own_tags):
    published, own = folders
    notebook = nbformat.read(published / "01_a.ipynb", as_version=4)
    notebook.cells[0].update(outputs=[new_output("stream", text="1")], execution_count=1, metadata={"tags": own_tags})
    nbformat.write(notebook, published / "01_a.ipynb")
    copy_notebooks(*folders)
    (cell,) = nbformat.read(own / "01_a.ipynb", as_version=4).cells
    assert cell.source == "1" and len(cell.outputs) == len(own_tags) and cell.execution_count is None


def test_the_first_view_of_the_course_is_tagged_copied():
    views = [cell for cell in read_notebook(PUBLISHED / "00_start_here.ipynb").cells if "widget" in tags(cell)]
    assert [cell.id for cell in views if "copied" in tags(cell)] == [views[0].id]


def test_new_outputs_alone_are_no_change(folders):
    published, _ = folders
    copy_notebooks(*folders)
    notebook = nbformat.read(published / "01_a.ipynb", as_version=4)
    notebook.cells[0].outputs = [new_output("stream", text="1")]
    nbformat.write(notebook, published / "01_a.ipynb")
    assert copy_notebooks(*folders) == []


DEEP = 100_000 * b"[" + 100_000 * b"]"


@pytest.mark.parametrize("damage", [b"{", b"[]", b'{"01_a.ipynb": 3}', b"\xff", DEEP], ids=lambda damage: damage[:9])
def test_a_damaged_record_is_set_aside(folders, damage):
    published, own = folders
    copy_notebooks(*folders)
    for ending in ("", ".2"):
        (own / RECORD).write_bytes(damage)
        (line,) = copy_notebooks(*folders)
        assert "was damaged" in line and (own / f"{RECORD}.damaged{ending}").read_bytes() == damage
        assert f"{RECORD}.damaged{ending}." in line
    write(published / "02_b.ipynb", "3")
    assert "has since changed 02_b.ipynb" in copy_notebooks(*folders)[0]


def test_a_wrong_value_in_the_record_costs_its_entry_alone(folders):
    published, own = folders
    copy_notebooks(*folders)
    record = json.loads((own / RECORD).read_text())
    (own / RECORD).write_text(json.dumps(record | {"01_a.ipynb": None}))
    write(published / "02_b.ipynb", "3")
    damaged, changed = copy_notebooks(*folders)
    assert "was damaged" in damaged and "has since changed 02_b.ipynb." in changed


DAMAGES = {
    "conflict": b"<<<<<<< HEAD",
    "deep": DEEP,
    "no object": b"[]",
    "no cells": b'{"cells": {"a": 1}}',
    "no metadata": b'{"cells": [{"cell_type": "code", "source": "1"}]}',
    "wrong metadata": b'{"cells": [{"cell_type": "code", "source": "1", "metadata": [1]}]}',
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_notebook_of_the_course_does_not_stop_the_others(folders, damage):
    published, own = folders
    (published / "01_a.ipynb").write_bytes(damage)
    assert "01_a.ipynb is damaged and was skipped" in copy_notebooks(*folders)[0]
    assert [path.name for path in own.glob("*.ipynb")] == ["02_b.ipynb"]


def test_copy_imports_nothing_slow():
    code = "import sys, notebooks, nb.copies; print(*{'nbformat', 'nbclient', 'torch'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], cwd=COURSE / "tools", capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


def test_a_copy_with_an_earlier_number_stays_and_is_named(folders):
    published, own = folders
    copy_notebooks(*folders)
    write(own / "01_a.ipynb", "my = 'answers'")
    write(own / "04_of_my_own.ipynb", "1")
    (published / "01_a.ipynb").rename(published / "03_a.ipynb")
    copied, told = copy_notebooks(*folders)
    assert copied.startswith("Copied 03_a.ipynb") and "01_a (now 03_a)." in told
    assert "my = 'answers'" in (own / "01_a.ipynb").read_text() and (own / "03_a.ipynb").exists()
    assert copy_notebooks(*folders) == []  # it is reported only once
