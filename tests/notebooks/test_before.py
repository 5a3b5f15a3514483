"""Test that answered notebooks of version 0.1 run on today's library without error, and that progress is kept."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from course_utils import course, data, progress, quiz, session

FOLDER = Path(__file__).resolve().parents[1] / "before"
CELL = re.compile(r"^# %% (\S+)(?: \[(.*)\])?\n", re.MULTILINE)
MADE = re.compile(r"^(?:def |class )?(\w*[sS]olution)\b", re.MULTILINE)  # a function, a class, or a tensor


class Cell(NamedTuple):
    id: str
    tags: str
    source: str


def cells_of(path):
    """Return the code cells of a notebook as Cells, with each stub replaced by its solution under the stub's name."""
    _, *parts = CELL.split(path.read_text("utf-8"))
    cells = [Cell(*part) for part in zip(parts[::3], [tags or "" for tags in parts[1::3]], parts[2::3], strict=True)]
    for index, cell in enumerate(cells):
        if cell.tags == "check":
            stub = re.search(r"\((\w+)\)", cell.source)[1]
            solution = next(later.source for later in cells[index:] if later.tags == "solution")
            name = MADE.search(solution)[1]
            cells[index - 1] = Cell(cells[index - 1].id, "answer", re.sub(rf"\b{name}\b", stub, solution))
    return cells


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_notebook_of_before(path, tmp_path, monkeypatch, capsys):
    number = path.stem[:2]
    if number == "10" and not (data.DATA / "minilm" / "model.safetensors").is_file():
        pytest.skip("the real model's weights are missing: make data")
    (tmp_path / f"{path.stem}.ipynb").write_text("{}")  # progress is kept in the folder of the notebooks
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COURSE_PROGRESS", raising=False)
    monkeypatch.setattr(session, "progress", lambda steps, label, news=None: range(steps))
    cells, names = cells_of(path), {"__name__": "__main__"}
    for cell in cells:
        exec(compile(cell.source, cell.id, "exec"), names)
    printed = capsys.readouterr().out
    assert quiz.text(quiz.load(number)) in printed
    kept = json.loads((tmp_path / progress.NAME).read_text())["passed"]
    assert kept == [re.match(r"checks\.(\w+)", cell.source)[1] for cell in cells if cell.tags == "check"]
    listed = {name for one in course.notebooks() for name in one.exercises}
    assert set(kept) <= listed  # exercises passed then still count
