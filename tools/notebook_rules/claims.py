"""The rule about claims: each function in tests/claims names a cell and a sentence that still stand on the page."""

import ast
import re

from notebook_files import COURSE

FOLDER = COURSE / "tests" / "claims"
MARKS = re.compile(r"[*_`]|<[^>]*>")


def sentences_stand(notebooks):
    """Every claim about one of these notebooks is about words that it holds."""
    pages = {notebook.path.stem[3:]: notebook for notebook in notebooks}
    for topic, cell_id, sentence in kept():
        if topic in pages:
            cell = next((cell for cell in pages[topic].cells if cell.id == cell_id), None)
            if cell is None:
                yield pages[topic], None, f"tests/claims names its cell {cell_id}, which is gone; it held {sentence!r}"
            elif words(sentence) not in words(cell.source):
                yield pages[topic], cell, f"tests/claims says that {sentence!r} stands here"


def kept(folder=FOLDER):
    """The topic, cell and sentence of each claim, read off the files: running them would take long."""
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        named = {node.targets[0].id: node.value for node in tree.body if _names_a_constant(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "claim":
                yield tuple(ast.literal_eval(named.get(getattr(one, "id", ""), one)) for one in node.args)


def _names_a_constant(node):
    """TOPIC = "dropout"."""
    return (
        isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Constant)
    )


def words(text):
    """A text without markup, its white space made one."""
    return " ".join(MARKS.sub("", text).split())
