"""Test notebook the_reshape: its walk on numbers works with each number of heads that divides d_out, and refuses 3."""

import matplotlib
import pytest
import torch
from nb.files import PUBLISHED
from nb.format import read_notebook
from notebook_cells import run_cells

PAGE = PUBLISHED / "07_the_reshape.ipynb"
CONSTANT = "NUM_HEADS = 2"


@pytest.fixture
def walk(monkeypatch):
    """Yield run(num_heads), which runs the set-up and the cells of the walk, and returns their variables."""
    cells = read_notebook(PAGE).cells
    setup = next(cell for cell in cells if "setup" in cell.metadata.get("tags", []))
    first = next(index for index, cell in enumerate(cells) if cell.id == "the-walk")
    last = next(index for index in range(first + 1, len(cells)) if cells[index].source.startswith(("## ", "### ")))
    codes = [cell for cell in [setup, *cells[first:last]] if cell.cell_type == "code"]
    assert sum(CONSTANT in cell.source for cell in codes) == 1

    def run(num_heads):
        return run_cells(codes, change=lambda source: source.replace(CONSTANT, f"NUM_HEADS = {num_heads}"))

    with matplotlib.rc_context():
        yield run
    torch.set_printoptions(profile="default")


@pytest.mark.parametrize("num_heads", [1, 2, 4, 8])
def test_the_walk_with_another_number_of_heads(num_heads, walk):
    names = walk(num_heads)
    context_vecs, attn_weights = names["walk_layer"](names["walk_inputs"])
    assert attn_weights.shape == (1, num_heads, 4, 4)
    torch.testing.assert_close((names["output"], names["weights"]), (context_vecs, attn_weights))


def test_the_walk_with_three_heads_says_what_is_wrong(walk):
    with pytest.raises(ValueError, match="divisible by num_heads, got d_out = 8 and num_heads = 3"):
        walk(3)
