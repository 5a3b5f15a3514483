"""Test pages in Chinese without a browser: their words, what is found in translated notebooks, and both READMEs."""

import re

import pytest
from nb.files import COURSE, find_notebooks
from nb.format import read_notebook
from nb.teaching import parse
from nb.translation import catalogues
from nb.translation.notebook import translated
from publish import article, content, markup, questions, search_index, words
from publish import translated as run

from course_utils import course, language

pytestmark = pytest.mark.needs_slides

PATHS = find_notebooks([])
READMES = [(COURSE / name).read_text("utf-8") for name in ("README.md", "README.zh.md")]


def structure(notebook, path) -> tuple[list, list, list]:
    """Return what pages and decks find in a notebook, without any of its words.

    That is (cell id, whether it answers, whether it asks) for each cell; the keys of the deck's slides, in columns; and
    how many parts of each kind the page has. path: of the English notebook's file.
    """
    cells = questions.readable(notebook.cells[1:])
    asked = [(cell.id, answers, questions.asks(cell)) for cell, answers in questions.answering(cells)]
    spoken = parse((COURSE / "lessons" / path.stem[3:] / "teaching.md").read_text("utf-8"))
    columns = content.columns(content.Deck(notebook, spoken, {}, path.parent))
    page, _ = article.article(notebook, {}, path.parent)
    parts = ('paper guess"', 'paper asked"', 'paper room"', "<summary", 'class="paper"', "<h3", "<figure", "<pre")
    return asked, [[slide.key for slide in column] for column in columns], [page.count(part) for part in parts]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_translated_notebook_has_the_same_structure(path, chinese):
    notebook = read_notebook(path)
    other = translated(notebook, path.stem)
    for cell, original in zip(other.cells, notebook.cells, strict=True):
        if "outputs" in original:
            cell.outputs = original.outputs  # an answer ends below a result
    found = structure(other, path)
    language.use("en")
    assert found == structure(notebook, path)


def test_all_words_of_pages_are_translated():
    messages = catalogues.messages("zh_Hans", "site")
    assert len(messages) > 150 and [message.id for message in messages if catalogues.is_open(message)] == []


def test_templates_speak_the_language(chinese):
    page = markup.template("deck/index.html").render(decks=[], home=None)
    assert '<html lang="zh-Hans">' in page and "幻灯片" in page and "Keys" not in page


def test_the_titles_and_questions_of_the_list_are_translated(chinese):
    for one, english in zip(words.notebooks(), course.notebooks(), strict=True):
        title = translated(read_notebook(COURSE / "notebooks" / f"{one.file}.ipynb"), one.file).cells[0].source
        assert title.startswith(f"# {int(one.number)} · {one.title}\n") and f"\n**{one.question}**\n" in title
        assert one.question != english.question


def test_the_words_of_the_course_are_found_in_chinese(chinese):
    path = PATHS[0]
    notebook = read_notebook(path)
    entries = search_index.entries(words.notebooks()[0], [], translated(notebook, path.stem), notebook)
    assert len(entries) == len(search_index.entries(course.notebooks()[0], [], notebook)) > 20
    assert all(re.search("[\u4e00-\u9fff]", told) for _, _, _, told in entries)


def test_a_damaged_file_of_the_cache_is_as_a_missing_one(chinese, tmp_path, monkeypatch):
    path = PATHS[0]
    stored = tmp_path / "kept.ipynb"
    monkeypatch.setattr(run, "kept_in", lambda *parts: stored)
    english = {path: read_notebook(path)}
    missing = run.run(english, tmp_path, 1, ("99",))
    stored.write_bytes(b"")  # as a power cut may leave it
    assert run.run(english, tmp_path, 1, ("99",)) == missing


def test_both_readmes_have_the_same_parts():
    english, chinese = READMES
    for part in (r"^#+ ", r"^```$", r"^- ", r"^\|"):
        assert len(re.findall(part, english, re.M)) == len(re.findall(part, chinese, re.M)), part
    links = [set(re.findall(r"\]\(([^)#]+)\)", text)) - {"README.md", "README.zh.md"} for text in READMES]
    assert links[0] == {link.replace(".zh.md", ".md") for link in links[1]}
    blocks = [re.findall(r"^```\n(.*?)^```$", text, re.M | re.S) for text in READMES]
    plain = [
        [re.sub(r" LANGUAGE=zh| --language zh|zh_Hans[/\\]|#.*|<.*>| +$", "", block) for block in one] for one in blocks
    ]
    assert [re.sub(r" +$", "", one, flags=re.M) for one in plain[0]] == [
        re.sub(r" +$", "", one, flags=re.M) for one in plain[1]
    ]
    assert "(README.zh.md)" in english and "(README.md)" in chinese


def test_the_page_about_a_model_of_ones_own_has_the_same_code_and_parts():
    texts = [(COURSE / "docs" / name).read_text("utf-8") for name in ("own_model.md", "own_model.zh.md")]
    for part in (r"^```\w*\n.*?^```$", r"^#+ ", r"(?<=\]\()\.\./[^)]+"):
        english, chinese = (re.findall(part, text, re.M | re.S) for text in texts)
        assert [re.sub(r"  # .*", "", one) for one in english] == [re.sub(r"  # .*", "", one) for one in chinese] != []
    assert "(own_model.zh.md)" in texts[0] and "(own_model.md)" in texts[1]


def test_the_chinese_readme_has_the_list_as_its_table(chinese):
    rows = [
        f"| {int(one.number)} | [{one.title}](notebooks/{one.file}.ipynb) | {one.question} |"
        for one in words.notebooks()
    ]
    assert "\n".join(rows) in READMES[1]
