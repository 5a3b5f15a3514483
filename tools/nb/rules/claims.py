"""The rule about claims: the cell and the sentence that a function in tests/claims names must still be on the page."""

import ast
import re

from nb.files import COURSE

FOLDER = COURSE / "tests" / "claims"
MARKS = re.compile(r"[*_`]|<[^>]*>")


def sentences_stand(notebooks):
    """Yield (notebook, cell or None, message) for each claim in tests/claims whose cell or sentence is no longer there.

    The notebook is the claim's page. The cell is None if the page no longer has it. Claims about notebooks that are not
    among `notebooks` are skipped.
    """
    pages = {notebook.path.stem[3:]: notebook for notebook in notebooks}
    for topic, cell_id, sentence in read_claims():
        if topic in pages:
            cell = next((cell for cell in pages[topic].cells if cell.id == cell_id), None)
            if cell is None:
                yield pages[topic], None, f"tests/claims names its cell {cell_id}, which is gone; it held {sentence!r}"
            elif words(sentence) not in words(cell.source):
                yield pages[topic], cell, f"tests/claims says that {sentence!r} stands here"


def read_claims(folder=FOLDER):
    """Yield (topic, cell id, sentence), three strings, for each call of `claim` in the Python files of a folder.

    A file says its topic once: `claim = claims_of("dropout")`.

    The files are parsed, not run, since running them is slow.
    """
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        named = {node.targets[0].id: node.value for node in tree.body if _names_a_constant(node)}
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
        topic = [node.args[0].value for node in calls if node.func.id == "claims_of"]
        for node in calls:
            if node.func.id == "claim":
                yield *topic, *(ast.literal_eval(named.get(getattr(text, "id", ""), text)) for text in node.args)


def _names_a_constant(node):
    """Return whether an AST statement assigns a constant to a name, as TOPIC = "dropout" does."""
    return (
        isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Constant)
    )


def words(text):
    """Return a text without `*`, `_`, backticks and HTML tags, with each run of white space replaced by one space."""
    return " ".join(MARKS.sub("", text).split())
