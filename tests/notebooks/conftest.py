"""Fixtures for grading: `submitted`, a folder graded without running any notebook, and `sandboxed`, a real sandbox."""

import csv
import json
from types import SimpleNamespace

import nbformat
import needs
import pytest
from grading import grade, runner
from nb.files import NotebookError
from nb.format import parse_sources

FIRST = {"found": ["scores"], "broken": {}, "aside": {}}
PASSED = {"exercise": "scores", "status": "passed", "mistake": "", "message": "passed", "tried": [], "hints": []}


class Submitted:
    """A folder that `submitted` grades with a fake grader: right notebooks of anna and zoe, and what is put there."""

    data = nbformat.writes(nbformat.v4.new_notebook()).encode()
    right = runner.GraderRun("\n".join(map(json.dumps, (FIRST, PASSED))), None)  # what the grader reports of anna's

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.put("anna.ipynb"), self.put("zoe.ipynb")

    def put(self, path: str, **finding):
        """Write a notebook, for which the fake grader reports a failure with these fields, or a pass without any."""
        made = json.loads(self.data)
        if finding:
            made["metadata"]["findings"] = [PASSED | {"status": "failed"} | finding]
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(json.dumps(made))

    def grade(self) -> tuple[dict[str, dict], list[str]]:
        """Grade the folder; return file -> row of the table of grades, for all but anna and zoe, and the printed lines.

        It also checks that they have passed, that no cell of a table starts like a formula, and that all is printable.
        """
        lines = grade.grade(self.folder).lines
        rows, points = self.table(grade.TABLE), self.table(grade.STUDENTS)
        assert [row["status"] for row in rows if row["student"] in ("anna", "zoe")] == ["passed", "passed"]
        cells = [cell for row in (*rows, *points) for cell in row.values()]
        assert not [cell for cell in cells if cell[:1] in tuple("=+-@＝")]
        assert not [text for text in (*lines, *cells) if not text.replace("\u200c", "").isprintable()]
        return {row["file"]: row for row in rows if row["student"] not in ("anna", "zoe")}, lines

    def table(self, name: str) -> list[dict[str, str]]:
        with open(self.folder / name, encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))


# Stands in for runner.run: report the findings in the notebook's metadata instead of running it.
def _run(way, data, name, exercises, seconds, stop):
    try:
        parse_sources(data)
        findings = [FIRST, *json.loads(data.decode("utf-8-sig")).get("metadata", {}).get("findings", [PASSED])]
    except NotebookError as error:
        findings = [{"unreadable": f"The file {error}"}]
    return runner.GraderRun("\n".join(map(json.dumps, findings)), None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if "sandboxed" in getattr(item, "fixturenames", ()):
            item.add_marker("needs_sandbox")


@pytest.fixture(scope="session")
def sandboxed():
    return needs.sandboxed()


@pytest.fixture
def submitted(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "find_way", lambda *options: SimpleNamespace(protection="A stand-in ran."))
    monkeypatch.setattr(runner, "run", _run)
    return Submitted(tmp_path / "submitted")
