"""Test the figures of the reshape: every number goes where torch puts it, and mixed rows are framed."""

import pytest
import torch
from matplotlib.colors import to_hex, to_rgba
from test_theme import contrast, rgb

from course_utils import attention, plots
from course_utils.plots import reshape

SIZES = [(4, 2, 3), (6, 2, 4), (4, 1, 5), (1, 2, 4)]

pytestmark = pytest.mark.usefixtures("style")


@pytest.fixture
def stages(monkeypatch):
    kept = []
    draw = reshape._draw
    monkeypatch.setattr(reshape, "_draw", lambda stages, *more: (kept.extend(stages), draw(stages, *more))[1])
    return kept


def numbers(num_tokens, num_heads, head_dim):
    return torch.arange(num_tokens * num_heads * head_dim).view(num_tokens, -1)


@pytest.mark.parametrize("sizes", SIZES)
def test_the_split_is_that_of_the_course(sizes, stages):
    plots.split_paths(*sizes)
    num_tokens, num_heads, head_dim = sizes
    x = numbers(*sizes)
    start, _, right, wrong = (torch.as_tensor(stage.numbers.copy()) for stage in stages)
    assert torch.equal(start, x)
    assert torch.equal(right, attention.split_heads(x, num_heads))
    assert torch.equal(wrong, x.view(num_heads, num_tokens, head_dim))


@pytest.mark.parametrize("sizes", SIZES)
def test_the_merge_is_that_of_the_course(sizes, stages):
    plots.merge_paths(*sizes)
    heads, _, right, wrong = (torch.as_tensor(stage.numbers.copy()) for stage in stages)
    assert torch.equal(heads, attention.split_heads(numbers(*sizes), sizes[1]))
    assert torch.equal(right, attention.merge_heads(heads)) and torch.equal(right, numbers(*sizes))
    assert torch.equal(wrong, heads.reshape(right.shape))


@pytest.mark.parametrize("draw", [plots.split_paths, plots.merge_paths])
@pytest.mark.parametrize("sizes", SIZES)
def test_only_the_wrong_way_has_foreign_rows(draw, sizes, stages):
    draw(*sizes)
    d_out = sizes[1] * sizes[2]
    *right, wrong = (reshape.foreign_rows(stage, d_out) for stage in stages)
    assert not any(right)
    assert bool(wrong) == (sizes[0] > 1 and sizes[1] > 1)  # one token or one head cannot be mixed


def test_the_rows_counted_by_hand(stages):
    assert "6 of 8 rows" in plots.split_paths(4, 2, 3).caption
    assert reshape.foreign_rows(stages[-1], 6) == [(0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2)]
    assert "4 of 4 rows" in plots.merge_paths(4, 2, 3).caption


def test_foreign_rows_are_framed_and_marked():
    panel = plots.split_paths(4, 2, 3).axes[0]
    frames = [patch for patch in panel.patches if patch.get_edgecolor() == to_rgba(reshape.FOREIGN)]
    marks = [text for text in panel.texts if text.get_text() == "✗"]
    assert len(frames) == len(marks) == 6 and all(frame.get_width() == 3 for frame in frames)


def letters(panel):
    """Yield (text, the colour of its cell) for each text in a cell of a figure."""
    fills = {tuple(patch.get_xy()): patch.get_facecolor() for patch in panel.patches if patch.get_width() == 1}
    for text in panel.texts:
        x, y = text.get_position()
        if (x - 0.5, y - 0.5) in fills:
            yield text, fills[x - 0.5, y - 0.5]


def test_a_number_keeps_its_name_and_its_colour():
    colours = {}
    for text, colour in letters(plots.split_paths(4, 2, 3).axes[0]):
        if len(text.get_text()) == 2:
            colours.setdefault(text.get_text(), []).append(colour)
    assert len(colours) == 24 and all(len(found) == 4 and len(set(found)) == 1 for found in colours.values())
    assert len({found[0] for found in colours.values()}) == 24


def test_letters_can_be_read_on_their_colour():
    for text, colour in letters(plots.split_paths(6, 2, 4).axes[0]):
        assert contrast(rgb(to_hex(text.get_color())), rgb(to_hex(colour))) >= 4.5
