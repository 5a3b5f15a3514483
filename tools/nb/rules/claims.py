"""The rule about claims: the cell and the sentence that a function in tests/claims names must still be on the page."""

import ast
import re
from functools import cache
from pathlib import Path

from nb.files import COURSE

FOLDER = COURSE / "tests" / "claims"
MARKS = re.compile(r"[*_`]|<[^>]*>")


def sentences_stand(notebooks):
    """Yield (Notebook, Cell or None, message) for each claim in tests/claims whose cell or sentence is no longer there.

    notebooks: Notebooks; claims about others are skipped. The cell is None if the claim's page no longer has it.
    """
    pages = {notebook.path.stem[3:]: notebook for notebook in notebooks}
    for topic, cell_id, sentence in read_claims():
        if topic in pages:
            cell = next((cell for cell in pages[topic].cells if cell.id == cell_id), None)
            if cell is None:
                yield pages[topic], None, f"tests/claims names its cell {cell_id}, which is gone; it held {sentence!r}"
            elif words(sentence) not in words(cell.source):
                yield pages[topic], cell, f"tests/claims says that {sentence!r} stands here"


def read_claims(folder: Path = FOLDER):
    """Yield (topic, cell id, sentence), strs, for each call of `claim` in the Python files of a folder.

    The topic is that of the file's `claim = claims_of("dropout")`. The files are parsed, not run, since that is slow.
    """
    for path in sorted(folder.glob("*.py")):
        yield from _claims_in(path.read_text("utf-8"))


@cache
def _claims_in(source: str) -> list[tuple[str, str, str]]:
    """Return what `read_claims` yields of one file, by its source; cached, since parsing takes time."""
    tree, constants, claims = ast.parse(source), {}, []
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=ast.Constant()):
                constants[name] = node.value
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    topic = [node.args[0].value for node in calls if node.func.id == "claims_of"]
    for node in calls:
        if node.func.id == "claim":
            values = [ast.literal_eval(constants.get(getattr(text, "id", ""), text)) for text in node.args]
            claims.append((*topic, *values))
    return claims


def words(text: str) -> str:
    """Return a text without `*`, `_`, backticks and HTML tags, with each run of white space replaced by one space."""
    return " ".join(MARKS.sub("", text).split())
