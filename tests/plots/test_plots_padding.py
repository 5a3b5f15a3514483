"""Test the figures of the notebook padding_and_cross_attention: hatched padding, one scale, masks as given."""

import numpy as np
import pytest
import torch
from matplotlib.patches import Rectangle

from course_utils import attention, plots

QUERIES, KEYS = ["q0", "q1", "q2", "q3"], ["k0", "k1", "k2", "k3", "k4", "k5"]

pytestmark = pytest.mark.usefixtures("style")


def heads():
    scores = torch.randn(2, 5, 4, 6, generator=torch.Generator().manual_seed(1))
    return attention.softmax(scores.masked_fill(~attention.padding_mask([3, 2], 6), -torch.inf))


def draw_heads(valid_lens=(3, 2)):
    return plots.padded_heads(heads(), torch.tensor(valid_lens), QUERIES, KEYS, caption="c")


def draw_masks():
    masks = {"causal": torch.ones(4, 4).tril().bool(), "open": torch.ones(4, 4, dtype=torch.bool)}
    return plots.mask_panels(masks, QUERIES, caption="c")


def test_each_text_has_its_own_padding_hatched_in_every_head():
    *panels, _ = draw_heads().axes
    for index, panel in enumerate(panels):
        hatched = [patch.get_center() for patch in panel.patches if isinstance(patch, Rectangle) and patch.get_hatch()]
        length = (3, 2)[index // 5]
        closed = [(key + 0.5, query + 0.5) for query in range(4) for key in range(length, 6)]
        assert np.allclose(hatched, closed)
        assert panel.get_title() == f"text {index // 5}, head {index % 5}"


def test_all_heads_share_one_scale_and_hold_the_weights():
    weights = heads()
    *panels, colourbar = draw_heads().axes
    for panel, expected in zip(panels, weights.flatten(0, 1), strict=True):
        mesh = panel.collections[0]
        assert mesh.get_clim() == (0, weights.max().item())
        np.testing.assert_allclose(mesh.get_array().reshape(4, 6), expected)
    assert colourbar.get_ylabel() == "attention weight"


def test_masks_are_drawn_as_they_are():
    panels = draw_masks().axes
    assert [panel.get_title() for panel in panels] == ["causal", "open"]
    np.testing.assert_array_equal(panels[0].collections[0].get_array().reshape(4, 4), np.tril(np.ones((4, 4))))
    assert panels[1].collections[0].get_array().min() == 1
