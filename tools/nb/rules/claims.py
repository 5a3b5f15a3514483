"""The rule about claims: the cell and the sentence that a lesson's claim names must still be on the page."""

import ast
import re
from functools import cache
from pathlib import Path

from course_utils import lessons

FILES = "*/claims*.py"  # in lessons/
MARKS = re.compile(r"[*_`]|<[^>]*>")


def sentences_stand(notebooks):
    """Yield (Notebook, Cell or None, message) for each claim of a lesson whose cell or sentence is no longer there."""
    pages = {notebook.path.stem[3:]: notebook for notebook in notebooks}
    for topic, cell_id, sentence in read_claims():
        file = f"lessons/{topic}/claims.py"
        if topic in pages:
            cell = next((cell for cell in pages[topic].cells if cell.id == cell_id), None)
            if cell is None:
                gone = f"a claim names its cell {cell_id}, which is gone; it held {sentence!r}"
                yield pages[topic], None, f"{gone}: name the cell that holds it now, or delete it in {file}"
            elif words(sentence) not in words(cell.source):
                said = f"a claim says that {sentence!r} stands here"
                yield pages[topic], cell, f"{said}: quote and test what stands here now in {file}"


def read_claims(folder: Path = lessons.FOLDER):
    """Yield (topic, cell id, sentence) for each call of `claim` in a folder of lessons; they are parsed, not run."""
    for path in sorted(folder.glob(FILES)):
        yield from _claims_in(path.read_text("utf-8"))


@cache
def _claims_in(source: str) -> list[tuple[str, str, str]]:
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
    return " ".join(MARKS.sub("", text).split())
