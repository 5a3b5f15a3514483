"""Collect the texts of the package that are translated: words given to `say`, and sentences of checks and quizzes."""

import ast
import json
import re

from jinja2 import Environment

from course_utils import checks, course, quiz
from course_utils.checks.relations import AXES
from nb.files import COURSE

PACKAGE = COURSE / "course_utils"
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
SAID_IN_JAVASCRIPT = re.compile(rf"\bsay\(\s*({LITERAL.pattern}(?:\s*\+\s*{LITERAL.pattern})*)")
FOR_DEVELOPERS = {"AttributeError", "LookupError", "RuntimeError", "TableError", "TypeError", "ValueError"}


def _said(*patterns):
    """Return a function without arguments that returns a list of (text, file), the texts that files give to `say`.

    patterns: globs in the course's folder for Python and JavaScript files, such as "course_utils/plots/*.py". text,
    file: as `_in_file` yields them.
    """
    return lambda: [pair for pattern in patterns for path in sorted(COURSE.glob(pattern)) for pair in _in_file(path)]


def _in_file(path, functions=("say",)):
    """Yield (text, file) for each text that a file, Python or JavaScript, passes to one of `functions` by name.

    The text is a literal, or the value of a variable that the file assigns. path: of the file. file: its path in the
    course's folder, a str.
    """
    file = path.relative_to(COURSE).as_posix()
    if path.suffix == ".js":
        for literals in SAID_IN_JAVASCRIPT.findall(path.read_text("utf-8")):
            yield "".join(map(json.loads, LITERAL.findall(literals))), file
        return
    tree = ast.parse(path.read_text("utf-8"))
    values = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                values.setdefault(getattr(target, "id", None), []).append(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in functions:
            for part in [node.args[0], *_named(node.args[0], values)]:
                yield from ((text, file) for text in _constants(part))


def _named(node, values):
    """Return a list of the values of the variables in an expression, but not in an index, as `ast` nodes.

    node: the expression. values: a dict from a variable's name to a list of its values.
    """
    indices = {id(name) for part in ast.walk(node) if isinstance(part, ast.Subscript) for name in ast.walk(part.slice)}
    used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and id(part) not in indices}
    return [value for name in sorted(used) for value in values.get(name, [])]


def _constants(node):
    """Yield each string in an expression, an `ast` node, that is not blank, no key or index, and not compared."""
    keys = {id(key) for part in ast.walk(node) if isinstance(part, ast.Dict) for key in part.keys} | _keys(node)
    for part in ast.walk(node):
        if (
            isinstance(part, ast.Constant)
            and isinstance(part.value, str)
            and id(part) not in keys
            and part.value.strip()
        ):
            yield part.value


def _keys(tree):
    """Return a set of the ids, as by id(), of the nodes in a syntax tree that are an index or are compared.

    A string there is no text to be translated.
    """
    parts = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            parts.append(node.slice)
        elif isinstance(node, ast.Compare):
            parts += [node.left, *node.comparators]
    return {id(node) for part in parts for node in ast.walk(part)}


def _sentences(folder):
    """Yield (text, file) for each string with two words in the Python files below a folder that learners may be shown.

    file: its path in the course's folder, a str. Left out are docstrings, tables of mistakes (several lines),
    f-strings, raw strings, and errors for developers. What `say` or `sentence` is given comes even if it is one word.
    """
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text("utf-8")
        tree, lines = ast.parse(source), source.encode().splitlines()
        exempt = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)} | _keys(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                if getattr(node.exc.func, "id", getattr(node.exc.func, "attr", None)) in FOR_DEVELOPERS:
                    exempt |= set(map(id, ast.walk(node)))
            elif isinstance(node, ast.JoinedStr):
                exempt |= set(map(id, ast.walk(node)))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in exempt:
                is_raw = lines[node.lineno - 1][node.col_offset :].startswith(b"r")
                if not is_raw and _is_sentence(node.value):
                    yield node.value, path.relative_to(COURSE).as_posix()
        yield from _in_file(path, ("say", "sentence"))


def _is_sentence(text):
    """Return whether a string in code is a text to read: one line, with two words side by side, and no import."""
    words = [word.strip(".,:;?!()*\"'") for word in text.split(" ")]
    plain = [word.isalpha() for word in words]
    beside = any(a and b for a, b in zip(plain, plain[1:], strict=False))
    return "\n" not in text and beside and not text.startswith(("import ", "from "))


def of_checks():
    """Return a list of (text, file) of the sentences that the engine of checks can show, and its words for slices."""
    parts = [(part, "course_utils/checks/relations/__init__.py") for parts in AXES.values() for part in parts]
    return [*_sentences(PACKAGE / "checks"), *parts]


def of_exercises(topic):
    """Return a list of (text, file) of the sentences in a notebook's exercises, mistakes, inputs and quiz.

    topic: of the notebook, such as "dropout".
    """
    folder = PACKAGE / "exercises" / topic
    page = next(page for page in course.notebooks() if page.topic == topic)
    texts = list(_sentences(folder))
    for name in page.exercises:
        exercise, file = getattr(checks, name), f"course_utils/exercises/{topic}/{name}.py"
        texts += [(mistake.words, file) for mistake in exercise.bank if mistake.words]
        texts += [(case.label, file) for case in exercise.inputs]
        texts += [(name.replace("_", " "), file) for name in (*exercise.outputs, *(exercise.parts or ()))]
    for question in quiz.load(topic):
        parts = [question["question"]]
        parts += [choice[key] for choice in question["choices"] for key in ("text", "feedback")]
        texts += [(text, f"data/quizzes/{topic}.json") for text in parts if any(map(str.isalpha, text))]
    return texts


def _of_course():
    """Return a list of (text, file) of the titles of the course's notebooks."""
    listed = json.loads((PACKAGE / "course.json").read_text("utf-8"))
    return [(page["title"], "course_utils/course.json") for page in listed]


def _of_templates():
    """Yield (text, file) for the texts of the templates of pages: `_("…")` and `{% trans %}…{% endtrans %}`."""
    environment = Environment(extensions=["jinja2.ext.i18n"])
    environment.policies["ext.i18n.trimmed"] = True
    for path in sorted(COURSE.glob("tools/publish/assets/*/*.html")):
        for _, _, text in environment.extract_translations(path.read_text("utf-8")):
            # where `_` gets values for places, too, they stand behind the text, as None
            yield text if isinstance(text, str) else text[0], path.relative_to(COURSE).as_posix()


PARTS = {
    "views": _said("course_utils/widgets/*.js", "course_utils/widgets/*.py", "course_utils/quiz.py"),
    "plots": lambda: [*_said("course_utils/plots/*.py")(), *_of_course()],
    "session": _said("course_utils/session.py", "tools/nb/copies.py", "tools/nb/translation/notebook.py"),
    "checks": of_checks,
    "site": lambda: [*_said("tools/publish/assets/*/*.js", "tools/publish/*.py")(), *_of_templates()],
}
