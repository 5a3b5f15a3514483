"""Rules about stored outputs: nbval compares only those that are there, so none may be missing."""

import ast
import re

from nb.rules.links import has_image_without_alt
from nb.rules.model import Cell, Notebook, called_name

ALWAYS_SHOW = {"print", "display"}
# Calls that leave no output, since their value is None or is not of interest. Names that end in "_" count too.
SILENT_CALLS = {
    "append", "assert_close", "backward", "extend", "filterwarnings", "insert", "manual_seed", "simplefilter", "start",
    "step", "update", "zero_grad",
}  # fmt: skip
BINARY = {"image/png", "image/jpeg", "image/gif", "application/pdf"}
UNSTABLE = {
    "a memory address": re.compile(r"\b0x[0-9a-f]{6,}\b", re.IGNORECASE),
    "a random id": re.compile(r"\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})\b", re.IGNORECASE),
    "a path of one machine": re.compile(
        r"(?<![\w./:])/(?:Users|etc|home|mnt|opt|private|root|srv|tmp|usr|var|work|workspace)/"
        r"|\b[A-Z]:(?:\\\\|/|\\(?![nrt]))\w"  # C:\\Users, C:/Users, C:\Users; not the line break in "A:\nB"
    ),
}


def run_in_order(notebook: Notebook):
    """Yield (Cell, message) for each wrong execution count in a notebook; only (None, message) if no cell was run."""
    if notebook.code_cells and all(cell.execution_count is None for cell in notebook.code_cells):
        yield None, "was never run: store it with `run`"
        return
    for count, cell in enumerate(notebook.code_cells, 1):
        if cell.execution_count != count:
            was = "was not run" if cell.execution_count is None else f"was run as number {cell.execution_count}"
            yield cell, f"{was}, should be number {count}: store the notebook with `run`"


def present(cell: Cell):
    """Yield a message if a code cell was run and shows something, but has no stored output, which nbval lets pass."""
    calls = (node for node in cell.module_level() if isinstance(node, ast.Call))
    shows = any(called_name(call) in ALWAYS_SHOW for call in calls) or _last_value_shows(cell.tree.body)
    if cell.execution_count and not cell.outputs and shows:
        yield "shows something, but no output is stored: store it with `run`"


def no_errors(cell: Cell):
    """Yield a message for each stored output of a code cell that is an error, or text on stderr such as a warning."""
    for output in cell.outputs:
        if output.output_type == "error":
            yield f"a stored error ({output.ename}): catch it and print it, or mend the cell"
        if output.get("name") == "stderr":
            text = output.text.strip()[:60]
            yield f"a warning or other text on stderr is stored: {text!r}: mend what it warns of, and `run`"


def images_have_alt_text(cell: Cell):
    """Yield a message for each image, or HTML with some <img>, in a code cell's outputs that lacks alt text."""
    for output in cell.outputs:
        data, metadata = output.get("data", {}), output.get("metadata", {})
        for kind in data:
            about = metadata.get(kind) if isinstance(metadata.get(kind), dict) else {}
            if kind == "image/svg+xml":
                if not re.search(r"<title\b|aria-label", data[kind]):
                    yield "image/svg+xml without alt text: it needs a <title> or an aria-label"
            elif kind.startswith("image/") and not str(about.get("alt") or "").strip():
                yield f'{kind} without alt text: the output\'s metadata needs "{kind}": {{"alt": "…"}}'
        if has_image_without_alt(data.get("text/html", "")):
            yield 'text/html with an <img> without alt text: give it alt="what it shows"'


def figures_are_there(cell: Cell):
    """Yield a message if a code cell is tagged figure and has no image in its outputs."""
    items = [data for output in cell.outputs for data in output.get("data", {}).items()]
    if "figure" in cell.tags and not any(kind.startswith("image/") or "<img " in data for kind, data in items):
        yield "tagged figure, but no image is stored: store it with `run`, or drop the tag"


def the_same_everywhere(cell: Cell):
    """Yield a message for each text in a code cell's outputs that another run would change."""
    for output in cell.outputs:
        data = output.get("data", {})
        for text in (output.get("text", ""), *(str(data[kind]) for kind in data if kind not in BINARY)):
            for kind, pattern in UNSTABLE.items():
                if match := pattern.search(text):
                    seen = text[max(match.start() - 20, 0) : match.end() + 20]
                    yield f"{kind} in the output, which another run would change: {seen!r}: show something else"


def _last_value_shows(body: list[ast.stmt]) -> bool:
    match body[-1:]:
        case [ast.Expr(ast.Constant(value))]:
            return not isinstance(value, str | None)
        case [ast.Expr(value)]:
            name = called_name(value) if isinstance(value, ast.Call) else ""
            return name not in SILENT_CALLS and not name.endswith("_")
    return False
