"""Test that axe-core finds no violation in the stored notebooks' outputs and in exported views, in both themes."""

import nbconvert
import nbformat
import spoken_views
from accessibility import violations
from nb.files import find_notebooks

OUTPUTS = ".jp-OutputArea-output"
LOCAL = {"mathjax_url": "", "require_js_url": "", "jquery_url": ""}


def exported(cells):
    """Return the cells' outputs as HTML, without the alt text that nbconvert adds to pictures that have none."""
    notebook = nbformat.v4.new_notebook(cells=[cell for cell in cells if cell.get("outputs")])
    html, _ = nbconvert.HTMLExporter(template_name="lab", exclude_input=True, **LOCAL).from_notebook_node(notebook)
    return html.replace('alt="No description has been provided for this image"', "")


def test_outputs_of_the_stored_notebooks(open_html):
    notebooks = [nbformat.read(path, as_version=4) for path in find_notebooks([])]
    page = open_html(exported([cell for notebook in notebooks for cell in notebook.cells]))
    assert violations(page, OUTPUTS) == []
    page.emulate_media(color_scheme="dark")
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    assert violations(page, OUTPUTS, runOnly=["color-contrast", "link-in-text-block"]) == []


def test_exported_views(open_html):
    views = {**spoken_views.views(), **spoken_views.questions()}
    body = "<hr>".join(view.to_html() for view in views.values())
    page = open_html(f"<main style='background:Canvas;color:CanvasText'>{body}</main>")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert violations(page, ".av-page") == []
    page.emulate_media(forced_colors="active")
    assert violations(page, ".av-page", runOnly=["color-contrast"]) == []


def test_a_picture_without_words_and_a_pale_word_in_code_whichever_it_is_are_found(open_html):
    output = nbformat.v4.new_output("display_data", {"text/html": "<img src='data:image/png;base64,'>"})
    cell = nbformat.v4.new_code_cell("figure", outputs=[output])
    page = open_html(exported([cell]))
    assert len(violations(page, OUTPUTS)) == 1
    words = "<pre><span>one</span> <span>two</span> <b><span>three</span></b></pre>"
    page = open_html("<style>pre { color: black }</style>" + words)
    assert violations(page, "pre", runOnly=["color-contrast"]) == []
    page = open_html("<style>b span { color: #ccc }</style>" + words)
    assert len(violations(page, "pre", runOnly=["color-contrast"])) == 1
