"""Collect the texts of the package that are translated: words given to `say`, and sentences of checks and quizzes.

A collected text is a pair (text, file): the English words, and the path of the file in the course's folder, a str.
"""

import ast
import json
import re
from collections import defaultdict
from pathlib import Path

from jinja2 import Environment

from course_utils import checks, course, lessons, quiz
from course_utils.checks.relations.wrong_output import AXES
from nb.files import COURSE

PACKAGE = COURSE / "course_utils"
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
SAID_IN_JAVASCRIPT = re.compile(rf"\bsay\(\s*({LITERAL.pattern}(?:\s*\+\s*{LITERAL.pattern})*)")
FOR_DEVELOPERS = {"AttributeError", "LookupError", "RuntimeError", "TableError", "TypeError", "ValueError"}


def _said(*patterns: str):
    """Return a function that returns a list of (text, file): what the files of some globs give to `say`."""
    return lambda: [pair for pattern in patterns for path in sorted(COURSE.glob(pattern)) for pair in _in_file(path)]


def _in_file(path: Path, functions=("say",)):
    """Yield (text, file) for each text that a file, Python or JavaScript, gives to a function of one of these names.

    It is a literal in the first argument, or in the value of a variable there that the file assigns.
    """
    source, file = path.read_text("utf-8"), path.relative_to(COURSE).as_posix()
    if path.suffix == ".js":
        for literals in SAID_IN_JAVASCRIPT.findall(source):
            yield "".join(map(json.loads, LITERAL.findall(literals))), file
        return
    nodes, values = list(ast.walk(ast.parse(source))), defaultdict(list)
    for node in nodes:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            values[getattr(target, "id", None)].append(node.value)
    keys = {id(key) for node in nodes if isinstance(node, ast.Dict) for key in node.keys}
    for node in nodes:
        if isinstance(node, ast.Call) and _name(node.func) in functions:
            names = {part.id for part in _shown(node.args[0]) if isinstance(part, ast.Name)}
            for part in [node.args[0], *(value for name in sorted(names) for value in values[name])]:
                texts = (text for text in _shown(part) if _is_string(text) and id(text) not in keys)
                yield from ((text.value, file) for text in texts if text.value.strip())


def _name(function: ast.expr) -> str | None:
    return getattr(function, "id", getattr(function, "attr", None))


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _shown(tree: ast.AST, is_left_out=lambda node: False):
    """Yield the nodes of a tree in which a text to be shown may stand: outside comparisons and indices."""
    waiting = [tree]
    while waiting:
        node = waiting.pop(0)
        if not is_left_out(node) and not isinstance(node, ast.Compare):
            yield node
            waiting += [node.value] if isinstance(node, ast.Subscript) else ast.iter_child_nodes(node)


def _sentences(folder: Path):
    """Yield (text, its file's path in the course) for each string of a folder's Python that learners may be shown.

    It has two words or more, but for what `say` or `sentence` is given. Left out are docstrings, tables of mistakes
    (several lines), f-strings, raw strings, and errors for developers.
    """
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text("utf-8")
        for node in _shown(ast.parse(source), _is_left_out):
            if _is_string(node) and _is_sentence(node.value):
                if not ast.get_source_segment(source, node).startswith("r"):
                    yield node.value, path.relative_to(COURSE).as_posix()
        yield from _in_file(path, ("say", "sentence"))


def _is_left_out(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.JoinedStr():
            return True
        case ast.Raise(exc=ast.Call(func=error)):
            return _name(error) in FOR_DEVELOPERS
    return False


def _is_sentence(text: str) -> bool:
    """Return whether a string in code is a text to read: one line, with two words side by side, and no import."""
    words = [word.strip(".,:;?!()*\"'") for word in text.split(" ")]
    plain = [word.isalpha() for word in words]
    beside = any(a and b for a, b in zip(plain, plain[1:], strict=False))
    return "\n" not in text and beside and not text.startswith(("import ", "from "))


def of_checks() -> list[tuple[str, str]]:
    """Return (text, file) of the sentences that the engine of checks can show, and of its words for slices."""
    parts = [(part, "course_utils/checks/relations/wrong_output.py") for parts in AXES.values() for part in parts]
    return [*_sentences(PACKAGE / "checks"), *parts]


def of_exercises(topic: str) -> list[tuple[str, str]]:
    """Return (text, file) of the sentences in the exercises, mistakes, inputs and quiz of a notebook, "dropout"."""
    folder = lessons.FOLDER / topic / "exercises"
    page = next(page for page in course.notebooks() if page.topic == topic)
    texts = list(_sentences(folder))
    for name in page.exercises:
        exercise, file = getattr(checks, name), f"lessons/{topic}/exercises/{name}.py"
        texts += [(mistake.words, file) for mistake in exercise.bank if mistake.words]
        texts += [(case.label, file) for case in exercise.inputs]
        texts += [(name.replace("_", " "), file) for name in (*exercise.outputs, *(exercise.parts or ()))]
    for question in quiz.load(topic):
        parts = [question["question"]]
        parts += [choice[key] for choice in question["choices"] for key in ("text", "feedback")]
        texts += [(text, f"lessons/{topic}/quiz.json") for text in parts if any(map(str.isalpha, text))]
    return texts


def _of_templates():
    """Yield (text, file) for the texts of the templates of pages: `_("…")` and `{% trans %}…{% endtrans %}`."""
    environment = Environment(extensions=["jinja2.ext.i18n"])
    environment.policies["ext.i18n.trimmed"] = True
    for path in sorted(COURSE.glob("tools/publish/assets/*/*.html")):
        for _, _, text in environment.extract_translations(path.read_text("utf-8")):
            # where `_` gets values for places, too, they stand behind the text, as None
            yield text if isinstance(text, str) else text[0], path.relative_to(COURSE).as_posix()


PARTS = {
    "views": _said("course_utils/widgets/*/*.js", "course_utils/widgets/*/*.py", "course_utils/quiz.py"),
    "plots": lambda: [
        *_said("course_utils/plots/*.py", "course_utils/fonts.py")(),
        *((page.title, "lessons/course.json") for page in course.notebooks()),
    ],
    "session": _said(
        *("course_utils/session.py", "course_utils/progress.py", "tools/nb/copies.py", "tools/nb/outcomes.py"),
        "tools/nb/translation/notebook.py",
    ),
    "checks": of_checks,
    "site": lambda: [*_said("tools/publish/assets/*/*.js", "tools/publish/*.py")(), *_of_templates()],
}
