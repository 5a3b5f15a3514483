"""Test what session.start() sets, what a notebook stores of a figure and a progress bar, and session.check()."""

import base64
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import matplotlib
import pytest
import torch

from course_utils import data, fetch, fonts, plots, session, theme


@pytest.fixture
def shown(monkeypatch):
    """Yield the list of displayed MIME bundles, each as (data, metadata), after session.start()."""
    bundles = []
    monkeypatch.setattr(session, "display", lambda data, meta=None, raw=False: bundles.append((data, meta or {})))
    with matplotlib.rc_context():
        session.start()
        yield bundles


def test_start_makes_random_numbers_repeat_and_prints_four_decimals_and_no_exponents():
    session.start()
    first = torch.rand(3)
    session.start()
    torch.testing.assert_close(torch.rand(3), first)
    assert str(torch.tensor([0.00001, 1234.5])) == "tensor([   0.0000, 1234.5000])"


def test_start_leaves_torch_one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        session.start()
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(threads)


def svg_of(bundle: tuple) -> str:
    data, _ = bundle
    return base64.b64decode(re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', data["text/html"])[1]).decode()


def test_a_figure_carries_its_sentence_as_alt_text_and_caption(shown):
    session.show_figure(plots.attention_heatmap(torch.eye(2), ["a", "b"], caption='Each "looks" at <itself>.'))
    [(data, about)] = shown
    assert data["text/plain"] == 'Each "looks" at <itself>.' and about == {}
    escaped = "Each &quot;looks&quot; at &lt;itself&gt;."
    assert data["text/html"].startswith(f'<figure style="margin: 0"><img alt="{escaped}" ')
    assert data["text/html"].endswith(f"<em>{escaped}</em></figcaption></figure>")


def test_a_figure_follows_the_page_into_the_dark(shown):
    session.show_figure(plots.attention_heatmap(torch.tensor([[0.0, 1.0], [0.45, 0.55]]), ["a", "b"]))
    text = svg_of(shown[0])
    light, dark = re.search(r":root {(.*?)}\n@media \(prefers-color-scheme: dark\) { :root {(.*?)} }", text).groups()
    light, dark = (dict(re.findall(r"(--\w+): (#\w+);", rules)) for rules in (light, dark))
    assert all(name == f"--{colour[1:]}" for name, colour in light.items())
    assert dark == {name: theme.dark(colour) for name, colour in light.items()}
    assert set(re.findall(r"var\((--\w+)\)", text)) == set(dark)
    assert "filter" not in text and dark["--000000"] == "#ffffff"
    svg = ElementTree.fromstring(text)
    assert not svg.findall(".//{*}metadata")
    papers = [part for part in svg.iter() if "fill: var" in part.get("style", "") and "patch" in part.get("id", "")]
    assert papers == []  # the figure has no background of its own


def test_a_colour_bar_has_the_colours_of_its_cells_on_either_page(shown):
    scores = torch.tensor([[0.0, 1.0], [2.0, 3.0]])
    session.show_figure(plots.scores_and_weights(scores, scores.softmax(dim=-1), ["a", "b"]))
    svg = ElementTree.fromstring(svg_of(shown[0]))
    assert not svg.findall(".//{*}image")  # no CSS can change the colours of a picture
    for name, colour_map, start in (("scale-0", theme.SIGNED_MAP, 128), ("scale-1", theme.WEIGHTS_MAP, 0)):
        colours = theme.table(colour_map)[3 * start : 768]
        stops = [stop.get("stop-color") for stop in svg.find(f".//*[@id='{name}-colours']")]
        assert stops[0] == f"var(--{colours[:3].hex()})" and stops[-1] == f"var(--{colours[-3:].hex()})"


def test_the_same_figure_gives_the_same_bytes(shown):
    for _ in range(2):
        session.show_figure(plots.attention_heatmap(torch.eye(2), ["a", "b"]))
    assert shown[0] == shown[1]


def test_a_figure_of_the_learners_own_needs_no_caption(shown):
    session.show_figure(matplotlib.figure.Figure())
    [(data, _)] = shown
    assert "figcaption" not in data["text/html"] and data["text/plain"] == ""


def test_progress_counts_and_leaves_a_stable_line(shown):
    assert list(session.progress(7, "Training")) == list(range(7))
    ((data, _),) = shown
    assert data["text/plain"] == "Training: 7 steps"
    assert "application/vnd.jupyter.widget-view+json" in data


def test_progress_tells_the_news(monkeypatch):
    boxes = []
    monkeypatch.setattr("ipywidgets.HBox.__init__", lambda box, parts: boxes.append(parts))
    monkeypatch.setattr("ipywidgets.HBox._repr_mimebundle_", lambda box: {}, raising=False)
    monkeypatch.setattr(session, "display", lambda *bundle, **options: None)
    losses, told = [], []
    for step in session.progress(3, "Training", lambda: f"loss {losses[-1]:.2f}"):
        told.append(boxes[0][2].value)
        losses.append(1 / (step + 1))
    assert [*told, boxes[0][2].value] == ["", "1 / 3 · loss 1.00", "2 / 3 · loss 0.50", "3 / 3 · loss 0.33"]


@pytest.fixture
def all_letters(monkeypatch):
    """Pretend that the fonts cover all scripts; tests/plots/test_fonts.py tests machines where they do not."""
    monkeypatch.setattr(fonts, "note", str)


@pytest.fixture(autouse=True)
def weights(tmp_path, monkeypatch):
    """Pretend that data/ has the weights of both models, as empty files; return the folder."""
    for folder in session.WEIGHTS:
        (tmp_path / "data" / folder).mkdir(parents=True)
        for name in ("model.safetensors", "tokenizer.json"):
            (tmp_path / "data" / folder / name).touch()
    monkeypatch.setattr(session, "DATA", tmp_path / "data")
    return tmp_path / "data"


def test_the_weights_that_check_looks_for_are_those_that_are_fetched():
    assert session.WEIGHTS.keys() == fetch.MODELS.keys() and session.DATA.name == data.DATA.name
    for folder, page in session.WEIGHTS.items():
        assert fetch.MODELS[folder].page in page and data.FETCHED[folder] in page


@pytest.mark.usefixtures("all_letters")
@pytest.mark.parametrize("missing", [["minilm"], ["smollm"], ["minilm", "smollm"]])
def test_check_says_which_notebook_needs_weights_that_are_missing(monkeypatch, capsys, weights, missing):
    monkeypatch.setattr(session, "get_ipython", object)
    for folder in missing:
        (weights / folder / "model.safetensors").unlink()
    session.check()
    first, second = capsys.readouterr().out.splitlines()
    assert first == "Everything is here. You can start."  # the weights are needed much later
    named = [folder for folder in session.WEIGHTS if fetch.MODELS[folder].page in second]
    assert named == [folder for folder in session.WEIGHTS if folder in missing]
    assert f"%run -m course_utils.fetch {' '.join(missing)}`" in second


@pytest.mark.usefixtures("all_letters")
@pytest.mark.parametrize("missing", ["", *session.NEEDED])
def test_check_names_what_is_missing_and_what_to_do_or_says_that_all_is_here(monkeypatch, capsys, missing):
    monkeypatch.setattr(session, "get_ipython", object)
    monkeypatch.setattr(session.importlib.util, "find_spec", lambda name: None if name == missing else name)
    session.check()
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{missing} is missing.") if missing else line == "Everything is here. You can start."
    assert not missing or "make lab" in line


@pytest.mark.parametrize("version", [(3, 10, 12), (3, 14, 0)])
def test_check_names_a_python_that_is_not_taken(monkeypatch, capsys, version):
    monkeypatch.setattr(session.sys, "version_info", version)
    session.check()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"This is Python {version[0]}.{version[1]}. Install Python 3.11, 3.12 or 3.13")
    assert lines[1].startswith("No Jupyter kernel runs this cell.")  # no Jupyter kernel runs this test


def test_check_runs_where_torch_is_missing(tmp_path):
    (tmp_path / "torch.py").write_text("raise ImportError('no torch')")
    command = [sys.executable, "-c", "from course_utils import session; session.check()"]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert "No Jupyter kernel" in run.stdout, run.stderr
