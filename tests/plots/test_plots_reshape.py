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


@pytest.mark.parametrize("draw", [plots.split_paths, plots.merge_paths])
@pytest.mark.parametrize("sizes", SIZES)
def test_split_and_merge_are_those_of_the_course_and_only_the_wrong_way_has_foreign_rows(draw, sizes, stages):
    draw(*sizes)
    num_tokens, num_heads, head_dim = sizes
    x = torch.arange(num_tokens * num_heads * head_dim).view(num_tokens, -1)
    heads = attention.split_heads(x, num_heads)
    expected = {
        plots.split_paths: (x, heads, x.view(num_heads, num_tokens, head_dim)),
        plots.merge_paths: (heads, attention.merge_heads(heads), heads.reshape(x.shape)),
    }[draw]
    start, _, *ends = (torch.as_tensor(stage.numbers.copy()) for stage in stages)
    assert all(map(torch.equal, (start, *ends), expected))
    *right, wrong = (reshape.foreign_rows(stage, num_heads * head_dim) for stage in stages)
    assert not any(right)
    assert bool(wrong) == (num_tokens > 1 and num_heads > 1)  # one token or one head cannot be mixed


def test_foreign_rows_are_framed_and_marked_as_counted_by_hand(stages):
    assert "6 of 8 rows" in plots.split_paths(4, 2, 3).caption
    assert reshape.foreign_rows(stages[-1], 6) == [(0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2)]
    assert "4 of 4 rows" in plots.merge_paths(4, 2, 3).caption
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


def test_a_number_keeps_its_name_and_its_colour_and_letters_can_be_read():
    colours = {}
    for text, colour in letters(plots.split_paths(4, 2, 3).axes[0]):
        if len(text.get_text()) == 2:
            colours.setdefault(text.get_text(), []).append(colour)
    assert len(colours) == 24 and all(len(found) == 4 and len(set(found)) == 1 for found in colours.values())
    assert len({found[0] for found in colours.values()}) == 24
    for text, colour in letters(plots.split_paths(6, 2, 4).axes[0]):
        assert contrast(rgb(to_hex(text.get_color())), rgb(to_hex(colour))) >= 4.5
