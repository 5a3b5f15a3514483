"""The rule about claims: the cell and the sentence that a function in tests/claims names must still be on the page."""

import ast
import re

from nb.files import COURSE

FOLDER = COURSE / "tests" / "claims"
MARKS = re.compile(r"[*_`]|<[^>]*>")


def sentences_stand(notebooks):
    """Yield (Notebook, Cell or None, message) for each claim in tests/claims whose cell or sentence is no longer there.

    The notebook is the claim's page; the cell is None if the page no longer has it. Claims about other notebooks than
    those in `notebooks`, a list of Notebook, are skipped.
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
    """Yield (topic, cell id, sentence), three strings, for each call of `claim` in Python files of a folder, a Path.

    The topic is that of the file's `claim = claims_of("dropout")`. The files are parsed, not run, since that is slow.
    """
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        constants = {}
        for node in tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(name)], value=ast.Constant()):
                    constants[name] = node.value
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
        topic = [node.args[0].value for node in calls if node.func.id == "claims_of"]
        for node in calls:
            if node.func.id == "claim":
                yield *topic, *(ast.literal_eval(constants.get(getattr(text, "id", ""), text)) for text in node.args)


def words(text):
    """Return a text without `*`, `_`, backticks and HTML tags, with each run of white space replaced by one space."""
    return " ".join(MARKS.sub("", text).split())
