"""Test plots.patches: patches at their places, with transparent gaps, and in true colours on either page."""

import numpy as np
import pytest
import torch

from course_utils import plots, session

pytestmark = pytest.mark.usefixtures("style")


def cut(rows=2, columns=3):
    return torch.rand(rows, columns, 3, 8, 8, generator=torch.Generator().manual_seed(1))


FIGURES = {"patches": lambda: plots.patches({"right": cut(), "wrong": cut(2, 4)}, caption="c")}


def test_each_patch_is_drawn_at_its_place_and_the_gaps_are_clear():
    given = cut()
    drawn = plots.patches({"one": given}, caption="c").axes[0].images[0].get_array()
    assert drawn.shape == (2 * 8 + 1, 3 * 8 + 2, 4)
    np.testing.assert_allclose(drawn[9:, 18:, :3], given[1, 2].permute(1, 2, 0))
    assert drawn[:8, :8, 3].min() == 1 and drawn[8, :, 3].max() == 0 and drawn[:, 8, 3].max() == 0


def test_each_title_stands_over_its_picture():
    panels = plots.patches({"right": cut(), "wrong": cut()}, caption="c").axes
    assert [panel.get_title() for panel in panels] == ["right", "wrong"]


@pytest.mark.filterwarnings("error")
def test_a_photograph_has_its_own_colours_on_either_page():
    svg = session._svg(plots.patches({"one": cut()}, caption="c"))
    assert svg.count("<image") == 1 and "filter" not in svg


@pytest.mark.parametrize("given", [cut()[0], cut().flatten(2)[..., None], 255 * cut(), -cut()])
def test_other_shapes_and_numbers_are_refused(given):
    with pytest.raises(ValueError, match="picture 'one' "):
        plots.patches({"one": given}, caption="c")
