"""Test that a sentence gets a value for each of its places, and that no message is put together from fragments."""

import ast
import re
from pathlib import Path

import pytest

from course_utils.checks.sentences import sentence

ROOT = Path(__file__).parents[2]
WHOLE = (
    "course_utils/checks/**/*.py",
    "lessons/*.py",
    "lessons/*/exercises/*.py",
)  # where each sentence is one literal template
DEVELOPERS = {"AttributeError", "LookupError", "RuntimeError", "TableError", "TypeError", "ValueError"}


def test_each_place_gets_its_value():
    filled = sentence("`{name}` has the shape `{shape}`, and `{{` is a brace.", name="x", shape=(2, 3))
    assert filled == "`x` has the shape `(2, 3)`, and `{` is a brace."


@pytest.mark.parametrize("places", [{}, {"name": "x"}, {"name": "x", "shape": (2,), "size": 2}])
def test_a_place_without_a_value_or_a_value_without_a_place_is_refused(places):
    with pytest.raises(TypeError, match="places without a value"):
        sentence("`{name}` has the shape `{shape}`.", **places)


def fragments(code):
    """Yield each f-string and each sum of strings in some code whose literal text has more than one word of English.

    The errors in DEVELOPERS are for developers. A text of several lines is a table of mistakes, tested elsewhere.
    """
    tree = ast.parse(code)
    raised = (node for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call))
    exempt = {part for node in raised if _name(node.exc.func) in DEVELOPERS for part in ast.walk(node)}
    for node in ast.walk(tree):
        joins = isinstance(node, ast.JoinedStr) or isinstance(getattr(node, "op", None), ast.Add | ast.Mod)
        if joins and node not in exempt and _words(node) > 1:
            yield f"line {node.lineno}: {ast.unparse(node)}"


def _name(function):
    return getattr(function, "id", None) or getattr(function, "attr", None)


def _words(node):
    """Return how many words of English stand in the literal text that an f-string or a sum itself holds."""
    inner = node.values if isinstance(node, ast.JoinedStr) else ast.iter_child_nodes(node)
    texts = [part.value for part in inner if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if any("\n" in text for text in texts):
        return 0
    return sum(bool(re.fullmatch(r"[A-Za-z]{2,}[.,:;?!]?", word)) for text in texts for word in text.split())


@pytest.mark.parametrize("pattern", WHOLE)
def test_no_message_is_put_together_from_fragments(pattern):
    files = sorted(ROOT.glob(pattern))
    assert files and [f"{file}, {fragment}" for file in files for fragment in fragments(file.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    "code",
    [
        'def on(x):\n    return f"{x} is wrong here."',
        'def on(x):\n    return "What is wrong: " + x',
        'def on(x):\n    words = x\n    words += " is wrong here."',
        'def on(x):\n    raise Refused(f"{x} is wrong here.")',
    ],
)
def test_a_message_that_is_put_together_is_found(code):
    assert len(list(fragments(code))) == 1


def test_errors_for_developers_and_tables_may_be_put_together():
    assert not list(fragments('def on(x):\n    raise ValueError(f"{x} is wrong here.")'))
    assert not list(fragments('MISTAKES = f"{SHARED}\\nand more of them"'))
