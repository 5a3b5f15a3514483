"""What axe-core finds in the outputs of the stored notebooks and in exported views, in both themes: nothing."""

import nbformat
import numpy as np
import pytest
from notebook_files import find_notebooks

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
)

nbconvert = pytest.importorskip("nbconvert")

TOKENS = ["a", "cold", "icy", "wind"]
OUTPUTS = ".jp-OutputArea-output"
LOCAL = {"mathjax_url": "", "require_js_url": "", "jquery_url": ""}
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])


@pytest.fixture
def violations(open_html, page):
    """violations(html, theme, selector) -> what axe finds inside the selector, in words; None: in the page as it is."""
    from axe_playwright_python.sync_playwright import Axe

    def violations(html, theme, selector):
        if html is not None:
            open_html(html, theme).evaluate(Axe().axe_script)
        found = page.evaluate("(selector) => axe.run({ include: [[selector]] })", selector)
        assert any(found.values()), f"axe looked at nothing inside {selector}"
        return [f"{rule['help']}: {node['html'][:200]}" for rule in found["violations"] for node in rule["nodes"]]

    return violations


def exported(notebook, theme):
    """The notebook as a page, its pictures as they are: nbconvert writes words of its own over those without any."""
    html, _ = nbconvert.HTMLExporter(template_name="lab", theme=theme, **LOCAL).from_notebook_node(notebook)
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
    ]


@pytest.mark.parametrize("path", find_notebooks([]), ids=lambda path: path.stem)
def test_outputs_of_a_stored_notebook(violations, path, page):
    html = exported(nbformat.read(path, as_version=4), "light")
    assert violations(html, "light", OUTPUTS) == []
    page.emulate_media(color_scheme="dark")
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    assert violations(None, "dark", OUTPUTS) == []


@THEMES
def test_exported_views(violations, theme):
    body = "<hr>".join(view.to_html() for view in views())
    assert violations(f"<main style='background:Canvas;color:CanvasText'>{body}</main>", theme, ".av-page") == []


def test_a_picture_without_words_is_found(violations):
    output = nbformat.v4.new_output("display_data", {"text/html": "<img src='data:image/png;base64,'>"})
    cell = nbformat.v4.new_code_cell("figure", outputs=[output])
    html = exported(nbformat.v4.new_notebook(cells=[cell]), "light")
    assert len(violations(html, "light", OUTPUTS)) == 1
