"""Test that code of version 0.1's notebooks still runs on today's package, and that progress is kept.

Learners may still have those notebooks. Each script in `tests/version_0_1/` uses what one of them uses of the package:
every function with every set of keywords and every kind of value, on small data and without long trainings. BEGIN is
what all of them begin with.
"""

import json
import re
from pathlib import Path

import pytest

from course_utils import checks, data, progress, quiz

STRICTER = {
    "without_head"
}  # today it wants the layer restored after an error, which no prompt of version 0.1 asked for
FOLDER = Path(__file__).resolve().parents[1] / "version_0_1"
BEGIN = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close
from course_utils import attention, checks, data, fetch, measure, plots, properties, quiz, session, widgets

session.start()
"""


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_notebook_of_version_0_1(path, tmp_path, monkeypatch, capsys):
    number = path.stem[:2]
    if number == "10" and not (data.DATA / "minilm" / "model.safetensors").is_file():
        pytest.skip("the real model's weights are missing: make data")
    (tmp_path / f"{path.stem}.ipynb").write_text("{}")  # progress is kept in the folder of the notebooks
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COURSE_PROGRESS", raising=False)
    source, exercises = path.read_text("utf-8"), checks.all()
    # Answers that a script does not define are today's solutions, which are the same as in version 0.1.
    answers = {exercise.stub: exercise.solution for exercise in exercises.values()}
    names = answers | {"__name__": "__main__"}
    exec(BEGIN, names)
    exec(compile(source, path, "exec"), names)
    assert quiz.text(quiz.load(number)) in capsys.readouterr().out
    passed = json.loads((tmp_path / progress.NAME).read_text())["passed"]
    checked = re.findall(r"^checks\.(\w+)\(", source, re.MULTILINE)
    assert passed == [name for name in checked if name not in STRICTER]
    assert set(passed) <= exercises.keys()  # exercises passed then still count
