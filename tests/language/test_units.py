"""Test the units of notebooks: put together again they give the same bytes, and translated code has the same tree."""

from pathlib import Path

import pytest
from nb.files import PUBLISHED
from nb.format import read_notebook, to_bytes
from nb.translation import code, markdown, notebook

from course_utils import language

PAGES = sorted(PUBLISHED.glob("*.ipynb"))
STORED = [path for path in PAGES if (language.FOLDER / "zh_Hans" / "notebooks" / f"{path.stem}.po").exists()]


def other(text):
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
            cell.source = code.translated(cell.source, lambda text: text)
    assert to_bytes(page) == path.read_bytes()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_translated_code_has_the_same_tree_but_for_the_units(path):
    cells = [cell.source for cell in read_notebook(path).cells if cell.cell_type == "code"]
    changed = [(source, code.translated(source, other)) for source in cells]
    assert any(source != new for source, new in changed)
    assert [source for source, new in changed if not code.same_tree(source, new)] == []


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_the_stored_translation_keeps_the_tree_of_each_cell(path, chinese):
    page = read_notebook(path)
    table = notebook._table("zh_Hans", path.stem)
    for cell in page.cells:
        if cell.cell_type == "code":
            new = code.translated(cell.source, lambda text, id=cell.id: table.get((id, text), text))
            assert code.same_tree(cell.source, new), new


def test_another_number_or_expression_is_another_tree():
    source = 'print(f"a word {x:.2f}", 3)'
    assert code.same_tree(source, 'print(f"{x:.2f} 一个词", 3)')
    assert not code.same_tree(source, 'print(f"a word {y:.2f}", 3)')
    assert not code.same_tree(source, 'print(f"a word {x:.2f}", 4)')
    assert not code.same_tree('f("a word")', 'f("一个词")')
    assert code.same_tree('f("a word")', 'f("一个词")', by_hand=("a word",))


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("# Title\n\nOne.\n\n- two words\n- `code`\n", ["Title", "One.", "two words"]),
        ("| in | out |\n|---|---|\n| the one | `x` |\n", ["in | out", "the one | `x`"]),
        ("<details><summary>Hint</summary>Use <code>a</code>.</details>", ["Hint", "Use <code>a</code>."]),
        ("$$x + y$$\n\nA word, $x$.", ["A word, $x$."]),
        ("> one\n> two\n>\n> three", ["one\n> two", "three"]),
    ],
)
def test_units_of_markdown(source, texts):
    assert [source[start:end] for start, end in markdown.units(source)] == texts


def test_units_of_code():
    source = 'x = "no unit"  # a comment\ny = 1  # (2, 3)\nprint("all " f"of {x}", 2)\nf(caption="shown")\n'
    assert [unit.text for unit in code.units(source)] == ["a comment", "all of {x}", "shown"]


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
