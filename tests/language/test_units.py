"""Test the units of notebooks: put together again they give the same bytes, and translated code has the same tree."""

import ast
from pathlib import Path

import pytest
from nb.files import PUBLISHED
from nb.format import read_notebook, to_bytes
from nb.translation import code, markdown, notebook

from course_utils import language

PAGES = sorted(PUBLISHED.glob("*.ipynb"))
STORED = [path for path in PAGES if language.path("zh_Hans", f"notebooks/{path.stem[3:]}").exists()]


def same_tree(source: str, new: str, by_hand=()) -> bool:
    """Return whether two cells have the same syntax tree, but for the words of the units of the first.

    Expressions in these units, which are f-strings, must be the same. by_hand: as for `code.units`.
    """
    tree = ast.parse(source)
    units = set(map(id, code.strings(tree, by_hand)))

    def expressions(node):
        return sorted(ast.dump(part) for part in getattr(node, "values", []) if isinstance(part, ast.FormattedValue))

    def same(a, b):
        if isinstance(a, ast.AST) and id(a) in units:
            return isinstance(b, ast.Constant | ast.JoinedStr) and expressions(a) == expressions(b)
        if isinstance(a, ast.AST):
            return type(a) is type(b) and all(same(getattr(a, name), getattr(b, name)) for name in a._fields)
        if isinstance(a, list):
            return len(a) == len(b) and all(map(same, a, b))
        return type(a) is type(b) and a == b

    return same(tree, ast.parse(new))


def other(text: str) -> str:
    """Return a text in place of a unit, longer than a line of code."""
    return text + " 译文，" * 20


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_notebook_whose_translation_is_the_text_itself_is_the_same_byte_for_byte(path):
    page = read_notebook(path)
    for cell in page.cells:
        assert cell.cell_type == "raw" or notebook.texts(cell) or cell.source
        if cell.cell_type == "markdown":
            source, end, parts = cell.source, 0, []
            for start, stop in markdown.units(source):
                parts += [source[end:start], source[start:stop]]
                end = stop
            cell.source = "".join([*parts, source[end:]])
        elif cell.cell_type == "code":
            cell.source = code.translated(cell.source, lambda text: text, notebook._by_hand(cell))
    assert to_bytes(page) == path.read_bytes()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_translated_code_has_the_same_tree_but_for_the_units(path):
    cells = [cell for cell in read_notebook(path).cells if cell.cell_type == "code"]
    changed = [(cell.source, notebook._by_hand(cell)) for cell in cells]
    changed = [(source, code.translated(source, other, by_hand), by_hand) for source, by_hand in changed]
    assert any(source != new for source, new, _ in changed)
    assert [source for source, new, by_hand in changed if not same_tree(source, new, by_hand)] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_string_that_is_listed_is_in_its_cell(path):
    for cell in read_notebook(path).cells:
        if listed := cell.metadata.get("translate", ()):
            units = code.units(cell.source)
            assert [text for text in listed if code.units(cell.source, (text,)) == units] == []


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_the_stored_translation_keeps_the_tree_of_each_cell(path, chinese):
    page = read_notebook(path)
    table = notebook._table("zh_Hans", path.stem)
    for cell in page.cells:
        if cell.cell_type == "code":
            by_hand = notebook._by_hand(cell)
            new = code.translated(cell.source, lambda text, id=cell.id: table.get((id, text), text), by_hand)
            assert same_tree(cell.source, new, by_hand), new


def test_another_number_or_expression_is_another_tree():
    source = 'print(f"a word {x:.2f}", 3)'
    assert same_tree(source, 'print(f"{x:.2f} 一个词", 3)')
    assert not same_tree(source, 'print(f"a word {y:.2f}", 3)')
    assert not same_tree(source, 'print(f"a word {x:.2f}", 4)')
    assert not same_tree('f("a word")', 'f("一个词")')
    assert same_tree('f("a word")', 'f("一个词")', by_hand=("a word",))


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("# Title\n\nOne.\n\n- two words\n- `code`\n", ["Title", "One.", "two words"]),
        ("| in | out |\n|---|---|\n| the one | `x` |\n", ["in | out", "the one | `x`"]),
        ("<details><summary>Hint</summary>Use <code>a</code>.</details>", ["Hint", "Use <code>a</code>."]),
        ("$$x + y$$\n\nA word, $x$.", ["A word, $x$."]),
        ("$$\\text{mean of } x$$\n\n$$\\text{softmax}(x)$$", ["\\text{mean of } x"]),
        ("> one\n> two\n>\n> three", ["one\n> two", "three"]),
    ],
)
def test_units_of_markdown(source, texts):
    assert [source[start:end] for start, end in markdown.units(source)] == texts


def test_strings_listed_by_hand_are_units_as_is_the_inside_of_an_f_string():
    source = 'f({"a word": 1}, f"about {x:.1f} " f"%", f"a word", "no word", f"a {y}")\n'
    by_hand = ("a word", "about {x:.1f} %")
    assert [unit.text for unit in code.units(source, by_hand)] == ["a word", "about {x:.1f} %"]
    assert [unit.text for unit in code.units(source, ["a {y}"])] == ["a {y}"]
    new = code.translated(source, {"a word": "一个词", "about {x:.1f} %": "约 {x:.1f} %"}.get, by_hand)
    assert new == 'f({"一个词": 1}, f"约 {x:.1f} %", f"a word", "no word", f"a {y}")\n'
    assert same_tree(source, new, by_hand) and not same_tree(source, new.replace("x:.1f", "y:.1f"), by_hand)


def test_a_docstring_keeps_its_quotes_and_its_line():
    source = 'def f():\n    """Return a word."""\n'
    assert code.translated(source, other) == source.replace("a word.", other("a word."))


def test_a_long_translation_breaks_between_words_and_before_what_follows():
    source = 'f(1, caption="a word", vmax=1.0, titles=["x", "y"])\n'
    short, long, longer = "字" * 10, "字" * 30, "字" * 60
    assert code.translated(source, lambda text: short) == source.replace("a word", short)
    assert code.translated(source, lambda text: long) == f'f(1, caption="{long}",\n  vmax=1.0, titles=["x", "y"])\n'
    lines = code.translated(source, lambda text: longer).split("\n")
    assert lines[:2] == [f'f(1, caption="{"字" * 39}"', f'             "{"字" * 21}", vmax=1.0, titles=["x", "y"])']
    hanging = source.replace("(1,", "(\n    1,").replace("])", "],\n)")
    assert f'"{long}",\n    vmax=1.0' in code.translated(hanging, lambda text: long)
    new = code.translated('print(f"a word {x}")', lambda text: "a.b(c) " * 12 + "{y + z * (a - b)}")
    assert new.endswith(' "\n      f"{y + z * (a - b)}")')
    assert code.translated('x = "a word"', lambda text: longer, by_hand=("a word",)) == f'x = "{longer}"'


def test_units_of_code():
    source = 'x = "no unit"  # a comment\ny = 1  # (2, 3)\nprint("all " f"of {x}", 2)\nf(caption="shown")\n'
    source += 'progress(9, "a label")\n"""Return a docstring."""\n'
    expected = ["a comment", "all of {x}", "shown", "a label", "Return a docstring."]
    assert [unit.text for unit in code.units(source)] == expected
    named = [unit.text for name in sorted(code.NAMES) for unit in code.units(f'f({name}="the {name}")')]
    assert named == ["the caption", "the label", "the title", "the titles", "the xlabel", "the ylabel"]


def test_what_has_no_translation_stays_and_is_marked(chinese, monkeypatch):
    cells = [{"cell_type": "markdown", "id": "a", "source": "One word.\n\nTwo words.", "metadata": {}}]
    monkeypatch.setattr(notebook, "_table", lambda *_: {("a", "One word."): "一个词。"})
    (cell,) = notebook.translated({"cells": cells}, "page")["cells"]
    assert cell["source"] == "一个词。\n\n〔未译〕 Two words."
    monkeypatch.setattr(notebook, "_table", lambda *_: {})
    (cell,) = notebook.translated({"cells": cells}, "page")["cells"]
    assert cell["source"].startswith("One word.\n\nTwo words.") and "还没有译成中文" in cell["source"]


def test_the_notebook_starts_its_session_in_the_language(chinese):
    page = notebook.translated(read_notebook(Path(PAGES[0])), PAGES[0].stem)
    sources = "\n".join(cell.source for cell in page.cells)
    assert 'session.start(language="zh_Hans")' in sources and 'session.check(language="zh_Hans")' in sources
    assert not any(cell.get("outputs") for cell in page.cells)
