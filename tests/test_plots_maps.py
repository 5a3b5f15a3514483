"""Maps of heads and of changes draw what they were given, name what is strongest, and show what is unknown."""

import matplotlib
import numpy as np
import pytest
import torch
from matplotlib.text import Text

from course_utils import plots, session

TOKENS = "[CLS] the robot could not climb the hill because it was too weak . [SEP]".split()


@pytest.fixture(autouse=True)
def style():
    with matplotlib.rc_context():
        session.start()
        yield


def scores():
    return torch.rand(6, 12, generator=torch.Generator().manual_seed(1))


def change_map(changes):
    return plots.change_map(changes, TOKENS, [3, 4, 5], label="change in %", caption="c")


FIGURES = {
    "heads": lambda: plots.heads_map(scores(), label="score", vmax=1.0),
    "unknown heads": lambda: plots.heads_map(torch.full((6, 12), torch.nan), label="score"),
    "changes": lambda: change_map(torch.linspace(0, 100, 45).view(3, 15)),
    "unknown changes": lambda: change_map(torch.full((3, 15), torch.nan)),
}


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
@pytest.mark.filterwarnings("error")
def test_nothing_is_cut_off_and_text_is_large_enough(draw):
    figure = draw()
    assert figure.caption
    figure.draw_without_rendering()
    page = figure.bbox.padded(1)
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip():
            box = text.get_window_extent()
            assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1, text
            assert text.get_fontsize() >= 10


def test_a_row_is_a_layer_and_a_column_a_head():
    panel = plots.heads_map(scores(), label="score", vmax=1.0).axes[0]
    np.testing.assert_allclose(panel.collections[0].get_array().reshape(6, 12), scores())
    assert (panel.get_ylabel(), panel.get_xlabel()) == ("layer", "head")
    assert panel.collections[0].get_clim() == (0, 1)
    assert [text.get_text() for text in panel.texts] == [f"{score:.2f}" for score in scores().flatten()]


def test_the_caption_names_the_strongest_heads():
    values = torch.zeros(6, 12)
    values[3, 1], values[5, 11] = 0.7, 0.5
    assert "Strongest: layer 3 head 1 0.70, layer 5 head 11 0.50" in plots.heads_map(values, label="score").caption
    assert "All are unknown" in FIGURES["unknown heads"]().caption


def test_a_row_is_a_layer_and_a_column_a_token():
    panel = change_map(torch.rand(3, 15)).axes[0]
    assert [label.get_text() for label in panel.get_yticklabels()] == ["3", "4", "5"]
    assert [label.get_text() for label in panel.get_xticklabels()] == TOKENS


def test_what_is_unknown_is_grey():
    panel = FIGURES["unknown changes"]().axes[0]
    assert np.ma.getmaskarray(panel.collections[0].get_array()).all()
    assert panel.get_facecolor()[:3] == pytest.approx((0.75, 0.75, 0.75))


def test_labels_that_do_not_fit():
    with pytest.raises(ValueError, match=r"changes of shape \(2, 15\)"):
        change_map(torch.rand(2, 15))
    with pytest.raises(ValueError, match=r"scores of shape \(6,\)"):
        plots.heads_map(torch.rand(6), label="score")
