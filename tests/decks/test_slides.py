"""Test slides without a browser: what stands on them, their HTML, and the messages of `make slides`."""

import base64
import json
from pathlib import Path

import editions
import nbformat
import pytest
from nb import outcomes
from nb.format import LIVE_HTML
from nb.teaching import parse
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from publish import content, diagrams, questions, views
from publish.markup import code_styles, markdown
from publish.outputs import as_html
from publish.page import index_html, shared_files

pytestmark = pytest.mark.needs_slides

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SVG = base64.b64encode(b'<svg viewBox="0 0 8 4"><g transform="scale(0.5 -0.5)"/></svg>').decode()
NOTES = parse("# 3 · x\n## Slides\n### A {#a}\n**Say:** hello.\n")


def cell(key, source, slide_type, *tags, outputs=None):
    metadata = {"slideshow": {"slide_type": slide_type}} | ({"tags": list(tags)} if tags else {})
    if outputs is None:
        return new_markdown_cell(source, id=key, metadata=metadata)
    return new_code_cell(source, id=key, metadata=metadata, outputs=outputs)


def text(words):
    return new_output("stream", name="stdout", text=words)


def picture(width=None):
    about = {"alt": "two dots"} | ({"width": width} if width else {})
    return new_output("display_data", {"image/png": PIXEL}, metadata={"image/png": about})


def notebook():
    return new_notebook(
        cells=[
            cell("title", "# 3 · A `sample`\n\n**Who asks?**\n\nIn this notebook you will\n\n- see", "slide"),
            cell("setup", "session.start()", "skip", "setup", outputs=[]),
            cell("a", "## A part\n\nWords.", "slide"),
            cell("b", "**Predict first.** What?", "fragment"),
            cell("c", "print(1)\n\n\nprint(2)", "-", outputs=[text("1\n2\n")]),
            cell("d", "plots.line()", "subslide", "figure", outputs=[picture(2)]),
            cell("e", "### Your turn · 2 minutes\n\nWrite it.", "slide", "exercise"),
            cell("stub", "my_x = ...", "skip", "exercise", outputs=[]),
            cell("check", "checks.x(my_x)", "skip", "check", outputs=[text("not attempted")]),
            cell("solution", "x_solution = 7", "skip", "solution", outputs=[]),
            cell("f", "Afterwards.", "subslide"),
            cell("w", "def attend():\n    ...\n\n\nwidgets.Lab(attend)", "-", "widget", outputs=[picture()]),
        ]
    )


def columns(book=None, page=NOTES, views=None, with_solutions=False, **drawn):
    deck = content.Deck(book or notebook(), page, views or {}, Path("no folder"), **drawn)
    return content.columns(deck, with_solutions=with_solutions)


def html_of(columns):
    return "".join(content.slide_html(slide) for column in columns for slide in column)


def test_slides_stand_in_columns_under_their_titles_without_what_only_a_notebook_needs():
    found = columns()
    assert [[slide.key for slide in column] for column in found] == [["title", "title"], ["a", "d"], ["e", "f"]]
    titles = [slide.title for column in found for slide in column][1:]
    assert titles == ["3 · A sample", "A part", "A part", "Your turn · 2 minutes", "A part"]
    html = html_of(found)
    for hidden in ("session", "my_x", "checks", "not attempted", "x_solution", "plots", "widgets"):
        assert hidden not in html
    assert "Write it." in html and "attend" in html  # the function that the view calls
    assert 'print</span><span class="p">(</span><span class="mi">1</span><span class="p">)</span>\n\n<span' in html
    assert html.count("<aside") == 1
    assert '<aside class="notes"><p><strong>Say:</strong> hello.</p>' in html
    steps = [piece.split("data-step=")[1][:3] for piece in found[1][0].html]
    assert steps == ['"0"', '"1"', '"2"', '"2"']  # the steps of words, prompt, code and output


def test_a_cover_has_title_question_and_picture_and_the_rest_comes_after():
    emblem = '<figure><img alt="arcs" src="x"><figcaption>No caption here.</figcaption></figure>'
    cover, able = columns(emblem=emblem)[0]
    assert cover.layout == "cover" and able.layout == ""
    assert "<h1>3 · A <code>sample</code></h1>" in cover.html[0] and "Who asks?" in cover.html[0]
    assert '<figure><img alt="arcs" src="x"></figure>' in cover.html[0] and "caption" not in cover.html[0]
    assert "You will be able to" in able.html[0] and "<li>see</li>" in able.html[0] and "notebook" not in able.html[0]


TALK = """# 3 · x
## Slides
### Title {#title .talk}
**2 min.** **Say:** hello.
### D {#d .talk}
**3 min.** **Say:** look.
### E {#e}
**4 min.** **Say:** write.
"""


def test_a_talk_is_what_its_page_marks_and_the_rest_an_appendix():
    found = columns(page=parse(TALK))
    assert [[slide.key for slide in column] for column in found] == [
        ["title", "title"], ["d"], ["appendix"], ["a"], ["e", "f"]
    ]  # fmt: skip
    assert [slide.minutes for column in found for slide in column] == [1, 1, 3, 0, 0, 4, 0]
    places = {slide.key: slide.place for column in found for slide in column}
    assert places["a"] < places["d"] < places["e"]
    assert " data-talk>" in content.slide_html(found[1][0]) and "data-talk" not in content.slide_html(found[3][0])


def test_folded_words_stand_open_a_layout_is_one_word_of_the_cell_and_progress_bars_leave_nothing():
    book = notebook()
    book.cells[-2].source = outcomes.folded("", "It is two.", "Go on.")
    book.cells[2].metadata["slideshow"]["layout"] = "statement"
    book.cells[4].outputs.insert(0, new_output("display_data", {"text/plain": "Training: 200 steps"}))
    found = columns(book)
    shown, (first, second) = html_of(found), found[1]
    assert "<p>It is two.</p>\n<p>Go on.</p>" in shown and "<details>" not in shown
    assert 'data-layout="statement"' in content.slide_html(first)
    assert "data-layout" not in content.slide_html(second)
    assert "200 steps" not in shown and '<pre class="output">1\n2</pre>' in shown


def test_the_diagram_goes_on_from_where_the_notebook_before_left_it():
    def image(name):
        html = f'<figure style="margin: 0"><img alt="{name}" width="8" src="data:image/svg+xml;base64,{SVG}"></figure>'
        return new_output("display_data", {"text/html": html})

    book, before = notebook(), new_notebook(cells=[cell("f", 'plots.flow("x")', "-", "figure", outputs=[image("old")])])
    book.cells[5] = cell("d", 'plots.flow("y")', "subslide", "figure", outputs=[image("new")])
    html = html_of(columns(book, before=diagrams.diagram_of(before)))
    assert html.index('class="earlier"') < html.index('alt="old"') < html.index('class="now"') < html.index('alt="new"')
    assert diagrams.diagram_of(new_notebook(cells=[])) == ""


def test_solutions_are_shown_below_their_exercise_when_asked_for():
    found = columns(with_solutions=True)
    assert [[slide.key for slide in column] for column in found][1:] == [["a", "d"], ["e", "solution", "f"]]
    html = html_of(found)
    assert "x_solution" in html and "A solution" in html and "my_x" not in html
    book = notebook()
    book.cells[6].metadata["slideshow"] = {"slide_type": "skip"}  # where the exercise is no slide, its solution is none
    assert "x_solution" not in html_of(columns(book, with_solutions=True))


def test_what_follows_a_view_that_asks_waits_and_a_view_takes_the_place_of_its_picture():
    book = notebook()
    book.cells[3] = cell("b", "widgets.Predict('x', 1)", "-", "widget", outputs=[])
    found = columns(book, views={"b": ["<b>ask</b>"], "w": ["<b>alive</b>"]})
    slide, html = found[1][0], html_of(found)
    assert '<div class="view asks" data-prevent-swipe><b>ask</b></div>' in "".join(slide.html)
    assert [piece.split("data-step=")[1][:3] for piece in slide.html] == ['"0"', '"0"', '"1"', '"1"']
    assert "<b>alive</b>" in html and html.count("<img") == 1  # only the figure's


def test_a_quiz_is_a_slide_for_each_question_and_is_asked_before_the_recap_that_answers_it():
    cells = [
        cell("t", "# 3 · x", "slide"),
        cell("r", "## Recap\n\n1. All of it.", "slide"),
        cell("quiz-x", "## Quiz\n\nPress *Check*.", "slide"),
        cell("s", 'quiz.show("softmax_and_scaling")', "skip", outputs=[]),
        cell("w", "## Words", "slide"),
    ]
    said = parse("# 3 · x\n## Slides\n### Q {#quiz-x}\n**1 min.** Say it.\n### Q2 {#quiz-x-2}\n**2 min.** Ask it.\n")
    all_columns = columns(new_notebook(cells=cells), said)
    assert [column[0].title.split(" ·")[0] for column in all_columns] == ["3", "Quiz", "Recap", "Words"]
    found = all_columns[1]
    assert "Say it." in found[0].notes and "Ask it." in found[1].notes and "Say it." not in found[1].notes
    assert [slide.minutes for slide in found[:3]] == [0, 2, 0]
    count = len(questions.questions("softmax_and_scaling"))
    assert [slide.title for slide in found] == [f"Quiz · {n} of {count}" for n in range(1, count + 1)]
    assert "Press" not in html_of([found])
    assert all('data-step="1"' in slide.html[1] and "✓" in slide.html[1] for slide in found)


def test_the_answers_to_wrong_choices_are_notes(tmp_path):
    wrong = {"text": "`a`", "right": False, "feedback": "No, *b*."}
    choices = [wrong, {"text": "b", "right": True, "feedback": "Yes."}]
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "quiz.json").write_text(json.dumps({"questions": [{"question": "Which?", "choices": choices}]}))
    ((title, question, answer, notes),) = questions.questions("x", tmp_path)
    listed = '<ol type="A" class="choices">\n<li><code>a</code></li>\n<li class="right">b</li>\n</ol>\n'
    assert (title, question) == ("Quiz · 1 of 1", f"<p>Which?</p>\n{listed}")
    assert answer == "<p><strong>✓ B.</strong> Yes.</p>\n"
    assert notes == "<p><strong>A.</strong> No, <em>b</em>.</p>\n"


def test_formulas_are_mathml_and_keep_their_comma():
    html = markdown("With $d_k$, and\n\n$$\\frac{a}{b}$$")
    assert html.count("<math") == 2 and "$" not in html
    assert '<span class="together"><math' in html and "</math>,</span>" in html
    assert 'display="block"' in html and "<mfrac>" in html


def test_links_to_notebooks_and_of_notes_and_of_html_lead_to_decks():
    html = markdown("[a](04_b.ipynb) [c](../notebooks/05_d.ipynb#E) [f](#G) [h](https://example.org/i.ipynb)")
    html += markdown("[a](the_reshape.md) and [a page without a deck](README.md)")
    targets = [part.split('"')[0] for part in html.split('href="')[1:]]
    assert targets == ["04_b.html", "05_d.html", "#G", "https://example.org/i.ipynb", "07_the_reshape.html"]
    assert "a page without a deck" in html
    slide = content.Slide("key", "Title", "")
    slide.add("prose", '<details>In <a href="07_the_reshape.ipynb">notebook 7</a></details>')
    assert 'href="07_the_reshape.html"' in content.slide_html(slide)


def test_pictures_are_inside_the_page_and_a_figure_has_its_size_alt_text_and_caption(tmp_path):
    (tmp_path / "dot.png").write_bytes(b"dot")
    assert markdown("![a dot](dot.png)", tmp_path) == '<p><img alt="a dot" src="data:image/png;base64,ZG90"></p>\n'
    caption = new_output("display_data", {"text/markdown": "*Two dots.*", "text/plain": "Two dots."})
    html = as_html([picture(4), caption])
    assert 'alt="two dots" width="4" height="4" data-sharp="0.25"' in html
    assert "<figcaption><p><em>Two dots.</em></p>" in html and html.count("Two dots") == 1
    html = as_html([text("\x1b[31m<b>\x1b[0m\n"), new_output("execute_result", {"text/plain": "5"})])
    assert html == '<pre class="output">&lt;b&gt;</pre>\n<pre class="output">5</pre>\n'


def test_shared_files_name_no_address_to_load_from():
    found = shared_files()
    assert set("reveal.js reveal.css blocks.js fit.js deck.js notes.js deck.css code.css".split()) <= found.keys()
    for name, data in found.items():
        assert b"@import" not in data and b"url(http" not in data, name
    assert "[data-theme=dark] .code" in code_styles()
    assert "@media (prefers-color-scheme: dark) {\nhtml:not([data-theme]) .code" in code_styles()


def test_the_index_names_title_question_and_minutes():
    html = index_html([("03_x.html", "# 3 · A `sample`\n\n**Who asks?**\n\n**Time** 40 to 50 minutes")])
    assert '<a href="03_x.html">3 · A sample</a>' in html and "Who asks?" in html and "40 to 50 minutes" in html


VIEW = """
import numpy as np
from course_utils.widgets import HeadsView
"""
SHOW = "HeadsView(np.full((2, 3, 3), 1 / 3, dtype='f4'), ['a', 'b', 'c'])"


def run(cells, tmp_path):
    path = tmp_path / "03_sample.ipynb"
    book = new_notebook(cells=cells)
    nbformat.write(book, path)
    found, problems = views.collect({path: book}, tmp_path / "views", 1)
    return found[path], problems


def test_views_are_collected_with_their_data_and_kept(tmp_path):
    cells = [cell("i", VIEW, "-", outputs=[]), cell("w", SHOW, "-", "widget", outputs=[])]
    cells.append(cell("z", "1 / 0", "-", outputs=[]))
    found, problems = run(cells, tmp_path)
    assert problems == [] and list(found) == ["w"]  # cells after the last view are not run
    assert len(found["w"]) == 1 and "<script>" in found["w"][0] and "av-page" in found["w"][0]
    (kept,) = (tmp_path / "views").iterdir()
    outputs = {"w": [new_output("display_data", {LIVE_HTML: "kept"})]}
    kept.write_text(json.dumps(outputs))
    assert run(cells, tmp_path)[0] == {"w": ["kept"]}
    kept.write_bytes(b"")  # as a power cut may leave it
    assert run(cells, tmp_path)[0] == found
    cells[0].source += "\nimport os"
    assert run(cells, tmp_path)[0] != {"w": ["kept"]}
    assert len(list((tmp_path / "views").iterdir())) == 1


def test_a_notebook_that_breaks_keeps_its_pictures_and_one_without_views_is_not_run(tmp_path):
    cells = [cell("i", "1 / 0", "-", outputs=[]), cell("w", SHOW, "-", "widget", outputs=[])]
    found, (problem,) = run(cells, tmp_path)
    assert found == {} and "03_sample.ipynb: its views stay pictures" in problem and "ZeroDivisionError" in problem
    assert run([cell("z", "1 / 0", "-", outputs=[])], tmp_path) == ({}, [])


def test_a_deck_is_built_and_what_is_missing_is_said(tmp_path, capsys):
    book = notebook()
    book.cells.pop()  # without a view, nothing has to run
    nbformat.write(book, tmp_path / "03_sample.ipynb")
    into = tmp_path / "build" / "slides"
    assert editions.main(["slides", str(tmp_path / "03_sample.ipynb"), "--into", str(into)]) == 0
    assert "1 decks" not in capsys.readouterr().out
    deck = (into / "03_sample.html").read_text("utf-8")
    assert "<title>3 · A sample</title>" in deck and "http" not in deck.replace("http://www.w3.org", "")
    assert editions.main(["slides", "nowhere.ipynb"]) == 1
    assert "nowhere.ipynb does not exist" in capsys.readouterr().err
