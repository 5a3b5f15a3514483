"""Test plots.growth (costs against sizes): points and lines are drawn as given, and the legend has the slopes."""

import numpy as np
import pytest

from course_utils import plots

SIZES = [128, 256, 512, 1024, 2048]


def draw_growth():
    costs = {"square": [3e-3 * size**2 for size in SIZES], "in step": [0.5 * size for size in SIZES]}
    slopes = {"square": 2.0, "in step": 1.0}
    return plots.growth(SIZES, costs, slopes, since=512, xlabel="tokens", ylabel="MB", caption="Two lines.")


@pytest.fixture
def panel(style):
    figure = draw_growth()
    assert figure.caption == "Two lines."
    figure.draw_without_rendering()
    return figure.axes[0]


def test_points_are_where_they_were_measured(panel):
    np.testing.assert_allclose(panel.lines[0].get_ydata(), [3e-3 * size**2 for size in SIZES])
    assert panel.lines[0].get_linestyle() == "None" and panel.get_xscale() == panel.get_yscale() == "log"


def test_lines_run_through_the_points_from_there_on(panel):
    for line, points in zip(panel.lines[2:], panel.lines[:2], strict=True):
        np.testing.assert_allclose(line.get_xdata(), SIZES[2:])
        np.testing.assert_allclose(line.get_ydata(), points.get_ydata()[2:])
        assert line.get_color() == points.get_color()


def test_the_slopes_are_written_in_the_legend(panel):
    assert [text.get_text() for text in panel.get_legend().texts] == ["square: slope 2.00", "in step: slope 1.00"]
