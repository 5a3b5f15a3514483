"""A folder of submissions that is graded without running a notebook, and the way in which one is run here."""

import csv
import json
from types import SimpleNamespace

import grading_process
import nbformat
import notebook_grading
import pytest
from notebook_files import NotebookError
from notebook_format import parse_notebook

FIRST = {"found": ["scores"], "broken": {}}
PASSED = {"exercise": "scores", "status": "passed", "mistake": "", "message": "passed", "tried": [], "hints": []}


class Submitted:
    """A folder in which anna and zoe are right, whatever else lies there; in place of the grader stands a stand-in.

    The stand-in prints what a notebook's metadata says under `findings`, or that the answer to `scores` is right.
    """

    data = nbformat.writes(nbformat.v4.new_notebook()).encode()

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.put("anna.ipynb"), self.put("zoe.ipynb")

    def put(self, path, **finding):
        """Write a notebook for which the stand-in finds that the answer is right, or else this."""
        made = json.loads(self.data)
        if finding:
            made["metadata"]["findings"] = [PASSED | {"status": "failed"} | finding]
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(json.dumps(made))

    def grade(self):
        """Grade the folder; returns (file -> row) for all but anna and zoe, and the lines that are printed."""
        lines = notebook_grading.grade(self.folder)
        rows, points = self.table(notebook_grading.TABLE), self.table(notebook_grading.STUDENTS)
        assert [row["status"] for row in rows if row["student"] in ("anna", "zoe")] == ["passed", "passed"]
        cells = [cell for row in (*rows, *points) for cell in row.values()]
        assert not [cell for cell in cells if cell[:1] in tuple("=+-@＝")]
        assert not [text for text in (*lines, *cells) if not text.replace("\u200c", "").isprintable()]
        return {row["file"]: row for row in rows if row["student"] not in ("anna", "zoe")}, lines

    def table(self, name):
        """Return the rows of a table, a dict each."""
        with open(self.folder / name, encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))


def _run(way, data, name, exercises):
    try:
        findings = [FIRST, *parse_notebook(data).metadata.get("findings", [PASSED])]
    except NotebookError as error:
        findings = [{"unreadable": f"The file {error}"}]
    return grading_process.Ended("\n".join(map(json.dumps, findings)), None)


@pytest.fixture(scope="session")
def sandboxed():
    """Return the way in which notebooks run here in a sandbox; skip the test where there is none."""
    try:
        return grading_process.find_way()
    except NotebookError as error:
        pytest.skip(f"no sandbox for notebooks: {str(error).splitlines()[1].strip()}")


@pytest.fixture
def submitted(tmp_path, monkeypatch):
    monkeypatch.setattr(grading_process, "find_way", lambda *options: SimpleNamespace(words="A stand-in ran."))
    monkeypatch.setattr(grading_process, "run", _run)
    return Submitted(tmp_path / "submitted")
