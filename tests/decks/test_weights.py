"""Test the scripts with the weights of MiniLM: what is rounded, how large they are, and that they are kept."""

from pathlib import Path

import numpy as np
import pytest
import torch
from publish import around, own, site, weights

pytestmark = pytest.mark.needs_slides


def test_a_matrix_comes_back_within_half_a_step_of_its_group():
    torch.manual_seed(0)
    matrix = (torch.randn(6, 96) * torch.tensor([[1e-3], [1.0], [30.0], [0.0], [1e5], [1e-9]])).numpy()
    whole, scales = weights.rounded(matrix)
    assert whole.dtype == np.int8 and scales.shape == (6, 3)
    assert not (scales.view("<u4") & 0xFFFF).any(), "a scale has more than two bytes"
    back = whole * scales.repeat(weights.GROUP, axis=1)
    largest = np.abs(matrix).reshape(6, 3, 32).max(-1).repeat(32, axis=1)
    assert (np.abs(back - matrix) <= 0.101 * largest).all()  # the largest numbers are cut by up to a tenth
    error = np.sqrt(np.square(back - matrix).mean(-1) / np.square(matrix).mean(-1).clip(1e-30))
    assert (error < 0.008).all() and (back[3] == 0).all()


def test_without_the_weights_there_are_no_scripts_and_the_page_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(weights, "SOURCE", tmp_path / "nothing")
    assert weights.write_scripts(tmp_path / "model") == {}
    assert not (tmp_path / "model").exists()
    page = site.start_page(around.values(0), site.steps_of({}))
    assert "without the model's weights" in page and "own.js" not in page
    assert own.shared_files(None, {}) == {}


@pytest.mark.needs_weights
def test_scripts_are_small_and_kept(tmp_path):
    sizes = weights.write_scripts(tmp_path)
    files = {path.stem: path.stat() for path in tmp_path.glob("*.js")}
    assert {name: file.st_size for name, file in files.items()} == sizes
    assert max(sizes.values()) <= 8_000_000 and list(sizes)[:2] == ["words", "embeddings"]
    assert weights.write_scripts(tmp_path) == sizes
    assert all((tmp_path / f"{name}.js").stat().st_mtime_ns == file.st_mtime_ns for name, file in files.items())
    for damage in (Path.unlink, lambda path: path.write_bytes(b"")):
        damage(tmp_path / "layers.2.js")
        assert weights.write_scripts(tmp_path) == sizes
        assert (tmp_path / "layers.2.js").stat().st_size == sizes["layers.2"]
    (tmp_path / "made.json").write_bytes(b"")  # as a power cut may leave it
    assert weights.write_scripts(tmp_path) == sizes
