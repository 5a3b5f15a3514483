"""Test that a figure shows itself in Jupyter with its caption, without session.start() and beside pyplot."""

import re

import torch
from IPython.core.formatters import DisplayFormatter
from matplotlib.figure import Figure

from course_utils import plots, session

CAPTION = 'Each "looks" at <itself>.'
ALT = "Each &quot;looks&quot; at &lt;itself&gt;."


def heatmap():
    return plots.attention_heatmap(torch.eye(2), ["a", "b"], caption=CAPTION)


def test_without_a_session_and_beside_pyplot_jupyter_gets_one_picture_with_its_caption():
    data, _ = DisplayFormatter().format(heatmap())
    assert data.keys() == {"text/html", "text/plain"}
    assert data["text/html"].startswith(f'<figure style="margin: 0"><img alt="{ALT}" ')
    assert data["text/html"].endswith(f"<figcaption><em>{ALT}</em></figcaption></figure>")
    assert re.search(r'src="data:image/svg\+xml;base64,[\w+/]{1000}', data["text/html"])
    """matplotlib's inline backend adds a PNG of each Figure to its output, of which Jupyter shows the HTML."""
    formatter = DisplayFormatter()
    formatter.formatters["image/png"].for_type(Figure, lambda figure: b"a picture")
    data, _ = formatter.format(heatmap())
    assert data.keys() == {"image/png", "text/html", "text/plain"} and ALT in data["text/html"]


def test_a_session_shows_the_same_and_nothing_twice(monkeypatch):
    shown = []
    monkeypatch.setattr(session, "display", lambda data, raw: shown.append(data))
    formatter = DisplayFormatter()
    formatter.ipython_display_formatter.for_type(Figure, session.show_figure)
    figure = heatmap()
    assert formatter.format(figure) == ({}, {})
    [data] = shown
    images = [re.sub('base64,[^"]*', "", html) for html in (data["text/html"], figure._repr_html_())]
    assert images[0] == images[1] and data["text/plain"] == CAPTION
