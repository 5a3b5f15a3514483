"""Test that a weight has one colour in a figure, a live view and a check's panel, in both themes of JupyterLab."""

import io
import itertools

import lab_server
import numpy as np
import pytest
import torch
from PIL import Image
from pixels import colours

from course_utils import plots

WEIGHTS = torch.linspace(0, 1, 16).view(4, 4)
CELLS = [
    """import torch
from IPython.display import HTML, display
from course_utils import plots, session, widgets
from course_utils.checks import heatmap
from course_utils.checks.report import Pair
session.start()
weights = torch.linspace(0, 1, 16).view(4, 4)""",
    'plots.attention_heatmap(weights, "abcd", vmax=1.0)',
    'widgets.HeadsView(weights[None], list("abcd"))',
    'display(HTML(heatmap.html(Pair("weights", "x", weights, weights + 0))))',
]


def colours_of(locator):
    pixels = np.asarray(Image.open(io.BytesIO(locator.screenshot())).convert("RGB"))
    return set(map(tuple, pixels.reshape(-1, 3).tolist()))


def expected(name):
    return set(map(tuple, colours(WEIGHTS.numpy(), 1.0, theme=name).reshape(-1, 3).tolist()))


def test_a_weight_has_one_colour_on_a_page_of_jupyterlab(open_notebook):
    page = open_notebook(CELLS, theme="dark")
    report = "div:not(.av-heard):has(> table)"
    places = [page.locator(selector).first for selector in ("figure img", ".av-map canvas", report)]
    for name in ("dark", "light", "dark"):
        lab_server.set_theme(page, name)
        wanted = expected(name)
        for place in places:
            assert lab_server.wait_until(lambda place=place, wanted=wanted: wanted <= colours_of(place)), (name, place)


@pytest.mark.usefixtures("style")
def test_a_figure_follows_the_switch_of_a_page_whatever_the_system_has(open_html):
    picture = plots.attention_heatmap(WEIGHTS, "abcd", vmax=1.0)._repr_html_()
    for chosen, system in itertools.product(("light", "dark"), repeat=2):
        page = open_html(f'<html style="color-scheme: {chosen}"><meta charset="utf-8">{picture}</html>', system)
        assert expected(chosen) <= colours_of(page.locator("img")), (chosen, system)
