"""Test that JupyterLab, started as by `make lab`, has the course's settings, and its server the course's extension."""

import json
import urllib.request

import lab_server
import nbformat


def test_the_settings_of_the_course_are_the_defaults(lab):
    for plugin, name, value in (
        ("@jupyter-widgets/jupyterlab-manager:plugin", "saveState", True),
        ("@jupyterlab/apputils-extension:notification", "fetchNews", "false"),
        ("@jupyterlab/apputils-extension:notification", "checkForUpdates", False),
    ):
        with urllib.request.urlopen(f"{lab.url}/lab/api/settings/{plugin}") as answer:
            assert json.load(answer)["schema"]["properties"][name]["default"] == value, name
    assert "course_utils.server | extension was successfully loaded" in (lab.home / "log.txt").read_text()


PROSE = """# Title

A paragraph that is long enough for several lines on any screen, so that its lines can be counted and measured: %s"""
# Return the number of letters of each line of an element's text, as the browser has broken it.
LETTERS = """(one) => {
  const range = document.createRange(), lines = {};
  const node = one.firstChild;
  for (let i = 0; i < node.length; i++) {
    range.setStart(node, i);
    range.setEnd(node, i + 1);
    const { bottom } = range.getBoundingClientRect();
    lines[bottom] = (lines[bottom] ?? 0) + 1;
  }
  return Object.values(lines);
}"""


def test_lines_of_prose_have_at_most_75_letters(lab, lab_page):
    page = lab_page
    words = " ".join(["attention gives each word its share of all others"] * 12)
    page.set_viewport_size({"width": 1600, "height": 900})
    lab_server.write(lab.home / "prose.ipynb", [nbformat.v4.new_markdown_cell(PROSE % words)])
    lab.show(page, "prose.ipynb")
    paragraph = page.locator(".jp-MarkdownCell .jp-RenderedMarkdown p").first
    paragraph.wait_for()
    page.wait_for_function("[...document.styleSheets].some((sheet) => /custom.css$/.test(sheet.href))")
    lines = {}
    for font in ("sans-serif", "serif", "monospace"):
        page.evaluate("font => document.body.style.setProperty('--jp-content-font-family', font)", font)
        lines[font] = max(paragraph.evaluate(LETTERS))
    lab_server.shut_down(page)
    assert lines.pop("monospace") <= 58, lines  # there a letter is as wide as a digit
    assert all(60 < letters <= 76 for letters in lines.values()), lines  # a line may end in a space, which is not seen
