"""Test the notebook real_heads without the model's weights: it says so, runs to its end, and nbval skips it."""

import shutil

import needs
import pytest
import torch
from nb.files import COURSE
from nbval.plugin import IPyNbFile
from notebook_cells import code_cells, path_of, run_cells

from course_utils import data, session
from course_utils.models import minilm, stored

PAGE = path_of("real_heads")
SMALL_FILES = ("README.md", "sentence_pairs.safetensors")


@pytest.fixture
def no_weights(tmp_path):
    for name in SMALL_FILES:
        shutil.copy(data.DATA / name, tmp_path)
    return tmp_path


def run(monkeypatch, folder):
    monkeypatch.setattr(data, "DATA", folder)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(session, "start", lambda seed=123: torch.manual_seed(seed))
    monkeypatch.setattr(session, "progress", lambda steps, label: range(steps))
    return run_cells(code_cells(PAGE))


def test_it_runs_to_its_end_without_weights(no_weights, monkeypatch, capsys):
    names = run(monkeypatch, no_weights)
    said = capsys.readouterr().out
    assert "data/minilm/model.safetensors is missing" in said and "make data" in said
    assert type(names["model"]).__name__ == "SixSentences"
    assert "it → noun   3.1 0.74" in said and "all heads    0.82" in said  # stored, so known without the model
    assert "it → robot  by hand nan" in said  # unknown without the model
    assert names["effect"].isnan().all() and names["change"][4:].isnan().all()


@pytest.mark.parametrize("content", [b"", b"\x10\x00\x00\x00\x00\x00\x00\x00{}", b"another model" * 1000])
def test_a_broken_file_of_weights_is_said_in_words(no_weights, monkeypatch, capsys, content):
    (no_weights / "minilm").mkdir()
    (no_weights / "minilm" / "model.safetensors").write_bytes(content)
    monkeypatch.setattr(data, "DATA", no_weights)
    (cell,) = [cell for cell in code_cells(PAGE) if cell.id == "load-the-model"]
    names = run_cells([cell], {"minilm": minilm, "stored": stored})
    said = capsys.readouterr().out
    assert "data/minilm/model.safetensors was changed" in said and "make data" in said
    assert type(names["model"]).__name__ == "SixSentences"


def test_nbval_skips_it_without_weights_and_says_so(request, no_weights, monkeypatch):
    cells = [*IPyNbFile.from_parent(request.session, path=PAGE).collect()]
    request.config.pluginmanager.get_plugin(str(COURSE / "conftest.py")).pytest_collection_modifyitems(cells)
    assert [bool([*cell.iter_markers("needs_weights")]) for cell in cells] == [True] * len(code_cells(PAGE)) and cells
    monkeypatch.setattr(data, "DATA", no_weights)
    need = needs.NEEDS["needs_weights"]
    assert "minilm/model.safetensors" in need.lacks.__wrapped__() and need.install == "`make data`"
    monkeypatch.setattr(data, "is_right", lambda name: True)
    assert need.lacks.__wrapped__() == ""
