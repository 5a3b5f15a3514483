"""Collect what leads up to an exercise of a sheet: the cells above it as text, and the code of the tensors it needs."""

import ast
import re

from nb import outcomes
from nb.answers import given_away, marked
from nb.exercises import HEADING, Place
from nb.format import code_cells, tags
from nb.slices import Code, Statement, dependencies
from nbformat.v4 import new_markdown_cell, new_notebook

IN_BACKTICKS = re.compile(r"`([A-Za-z_]\w*)`")
NOT_IN_LEAD_UP = {"exercise", "check", "solution", "widget"}  # tags
LEFT_OUT = new_markdown_cell("*A cell that answers an exercise of this sheet is left out here.*")
FOLDED = """<details><summary>What leads up to it there</summary>

<blockquote>

{text}

</blockquote>
</details>"""


def lead_up(name: str, place: Place, chosen) -> str:
    """Return the cells between an exercise and the heading above it as one folded Markdown text, "" if there are none.

    A note replaces each cell that answers one of the exercises `chosen`.
    """
    others = [other for other in chosen if other != name]
    cells = [
        LEFT_OUT if name in marked(cell) or any(given_away(cell, other) for other in others) else cell
        for cell in place.cells[place.heading : place.prompt]
        if not NOT_IN_LEAD_UP & set(tags(cell))
    ]
    text = "\n\n".join(filter(None, map(_as_text, cells)))
    return FOLDED.format(text=text) if text else ""


def given_code(place: Place) -> str:
    """Return the statements above an exercise that compute the names in its prompt's backticks, as source.

    It is "" unless its stubs are assignments: then its answer is a value, computed from the notebook's tensors.
    """
    if not all(isinstance(node, ast.Assign) for stub in place.stubs for node in ast.parse(stub.source).body):
        return ""
    above = new_notebook(cells=place.cells[: place.prompt])
    sources = [cell.source for cell in code_cells(above)]
    wanted = set(IN_BACKTICKS.findall(place.cells[place.prompt].source))
    needed = dependencies(Code(above).statements, wanted, _is_given)
    return "\n".join(ast.get_source_segment(sources[statement.cell], statement.node) for statement in needed)


def _is_given(statement: Statement, wanted: set[str]) -> bool:
    is_import = isinstance(statement.node, ast.Import | ast.ImportFrom)
    return bool(statement.binds & wanted) and not is_import and not any(n.startswith("my_") for n in statement.binds)


def _as_text(cell) -> str:
    """Return a cell as Markdown: text without its first heading and folds, a figure's captions, or code and output."""
    if cell.cell_type == "markdown":
        return HEADING.sub("", outcomes.opened(cell.source), count=1).strip()
    if "figure" in tags(cell):
        return "\n\n".join(f"*Figure:* {words.strip()}" for words in _printed(cell))
    printed = "".join(words if words.endswith("\n") else f"{words}\n" for words in _printed(cell))
    return f"```python\n{cell.source}\n```" + (f"\n\nIt shows\n\n```text\n{printed}```" if printed else "")


def _printed(cell) -> list[str]:
    texts = (output.get("text") or output.get("data", {}).get("text/plain") for output in cell.outputs)
    return [words for words in texts if words and words.strip()]
