"""A notebook in which no rule of `check` finds a fault, for tests that put one into it; and a writer of others."""

import nbformat
from nb.format import KERNELSPEC
from nb.rules import findings
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

TITLE = "# 3 · A sample\n\n- Write a rule\n- Break it\n- Mend it\n\n**Time** 1 minute. On: [Next one](#Next-one)"
SETUP, HEADING, SHOWS, FIGURE, STUB, CHECK, SOLUTION, IGNORED = range(1, 9)  # the cells of a good notebook


def good():
    """Return a notebook as `run` stores it, in which no rule finds a fault."""
    return new_notebook(
        cells=[
            new_markdown_cell(TITLE, metadata=slide("slide")),
            new_code_cell("import torch\nsession.start()", execution_count=1, metadata=slide("skip", "setup")),
            new_markdown_cell("## Next one\n\n![a line](line.png) and $f[i](x)$", metadata=slide("slide")),
            new_code_cell("for i in range(2):\n    print(i)", execution_count=2, metadata=slide("-"), outputs=[text()]),
            new_code_cell("plots.line()", execution_count=3, metadata=slide("-", "figure"), outputs=[image()]),
            new_code_cell("def my_mask():\n    ...", execution_count=4, metadata=slide("skip", "exercise")),
            new_code_cell("checks.m(1)", execution_count=5, metadata=slide("skip", "check"), outputs=[text()]),
            new_code_cell("def mask():\n    print()", execution_count=6, metadata=slide("skip", "solution") | HIDDEN),
            new_code_cell("wait()", execution_count=7, metadata=slide("-", IGNORE) | WHY, outputs=[text()]),
        ],
        metadata={"kernelspec": KERNELSPEC},
    )


HIDDEN, WHY, IGNORE = {"jupyter": {"source_hidden": True}}, {"reason": "it is a time"}, "nbval-ignore-output"


def slide(slide_type, *tags):
    return {"slideshow": {"slide_type": slide_type}} | ({"tags": list(tags)} if tags else {})


def text(content="0\n1\n", name="stdout"):
    return new_output("stream", name=name, text=content)


def image(kind="image/png", content="iVBORw0KGgo=", alt="a line"):
    has_alt = alt and kind == "image/png"  # other formats have their alt text in the content
    return new_output("display_data", {kind: content}, metadata={kind: {"alt": alt}} if has_alt else {})


def check(folder, notebook, name="03_sample.ipynb"):
    (folder / "line.png").touch()
    nbformat.write(notebook, folder / name)
    return findings([folder / name])


def write(path, *cells):
    """Write a notebook of these cells, of which a str is the source of a code cell; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = [new_code_cell(cell) if isinstance(cell, str) else cell for cell in cells]
    nbformat.write(new_notebook(cells=made), path)
    return path
