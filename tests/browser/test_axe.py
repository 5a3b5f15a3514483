"""Test that axe-core finds no violation in the stored notebooks' outputs and in exported views, in both themes."""

import nbformat
import numpy as np
import pytest
from accessibility import violations
from made_up_writer import MadeUp
from nb.files import find_notebooks

from course_utils import quiz
from course_utils.widgets import (
    HeadsView,
    MaskPainter,
    Predict,
    RotaryClock,
    ScalingLab,
    SentenceView,
    ShapeTracer,
    StepScrubber,
    Writer,
)

nbconvert = pytest.importorskip("nbconvert")

TOKENS = ["a", "cold", "icy", "wind"]
OUTPUTS = ".jp-OutputArea-output"
LOCAL = {"mathjax_url": "", "require_js_url": "", "jquery_url": ""}
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])


def exported(notebook, theme):
    """Return the notebook's outputs as HTML, without the alt text that nbconvert adds to pictures that have none."""
    notebook.cells = [cell for cell in notebook.cells if cell.get("outputs")]
    exporter = nbconvert.HTMLExporter(template_name="lab", theme=theme, exclude_input=True, **LOCAL)
    html, _ = exporter.from_notebook_node(notebook)
    return html.replace('alt="No description has been provided for this image"', "")


def views():
    random = np.random.default_rng(0)
    weights = random.dirichlet(np.ones(4), (3, 2, 4)).astype("f4")
    return [
        HeadsView(weights, TOKENS),
        HeadsView(weights, TOKENS, compare=weights[::-1].copy()),
        StepScrubber(weights, TOKENS, curves={"x": [1, 2, 3]}),
        MaskPainter(random.normal(size=(4, 4)), TOKENS),
        ShapeTracer(),
        ScalingLab({width: random.normal(size=(20, 8)) * width**0.5 for width in (4, 16, 64)}),
        RotaryClock(random.normal(size=8), random.normal(size=8), [1, 0.1, 0.01, 0.001]),
        SentenceView(weights, TOKENS),
        SentenceView(weights, TOKENS, TOKENS),
        Predict("who", "Who wins?", "icy", choices=TOKENS),
        Predict("row", "How much?", [0.1, 0.2, 0.3, 0.4], bars=TOKENS),
        Predict("cells", "Which?", np.tri(4, dtype=bool), rows=TOKENS),
        quiz.view("start_here"),
        Writer(MadeUp(), "the robot could", num_new=4, temperature=1.0),
    ]


@pytest.mark.parametrize("path", find_notebooks([]), ids=lambda path: path.stem)
def test_outputs_of_a_stored_notebook(open_html, path):
    page = open_html(exported(nbformat.read(path, as_version=4), "light"), "light")
    assert violations(page, OUTPUTS) == []
    page.emulate_media(color_scheme="dark")
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    assert violations(page, OUTPUTS, runOnly=["color-contrast", "link-in-text-block"]) == []


@THEMES
def test_exported_views(open_html, theme):
    body = "<hr>".join(view.to_html() for view in views())
    page = open_html(f"<main style='background:Canvas;color:CanvasText'>{body}</main>", theme)
    assert violations(page, ".av-page") == []


def test_a_picture_without_words_is_found(open_html):
    output = nbformat.v4.new_output("display_data", {"text/html": "<img src='data:image/png;base64,'>"})
    cell = nbformat.v4.new_code_cell("figure", outputs=[output])
    page = open_html(exported(nbformat.v4.new_notebook(cells=[cell]), "light"), "light")
    assert len(violations(page, OUTPUTS)) == 1


def test_a_pale_word_in_code_is_found_whichever_it_is(open_html):
    words = "<pre><span>one</span> <span>two</span> <b><span>three</span></b></pre>"
    page = open_html("<style>pre { color: black }</style>" + words)
    assert violations(page, "pre", runOnly=["color-contrast"]) == []
    page = open_html("<style>b span { color: #ccc }</style>" + words)
    assert len(violations(page, "pre", runOnly=["color-contrast"])) == 1
