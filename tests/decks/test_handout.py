"""Test a notebook as a handout on paper: questions stand in the text, and all answers on the last pages."""

import ast
import html
import json
import re
import shutil

import editions
import pytest
from nb import outcomes
from nb.files import COURSE, find_notebooks
from nb.format import read_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from publish.handout import NO_BROWSER, handout_html
from publish.markup import markdown, tidy
from publish.outputs import as_html, is_progress
from publish.questions import answering, asks, readable

pytestmark = pytest.mark.needs_slides

ANSWERS = '<section class="answers">'
TITLE = new_markdown_cell("# 3 · A sample\n\n**Why?**\n\n**Time** 5 minutes")


class Handout:
    """The handout of a NotebookNode. page: all of it as HTML. text, answers: its two parts as HTML.

    page_words, text_words, answers_words: the same as plain text.
    """

    def __init__(self, notebook, folder=COURSE / "notebooks"):
        self.notebook, self.page = notebook, handout_html(notebook, folder)
        self.text, self.answers = self.page.split("<body>")[1].split(ANSWERS)
        self.text_words, self.answers_words = plain(self.text), plain(self.answers)
        self.page_words = self.text_words + self.answers_words

    def cells(self, tag, kind="code"):
        return [c for c in self.notebook.cells if c.cell_type == kind and tag in c.metadata.get("tags", [])]


def plain(page):
    return html.unescape(re.sub(r"<[^>]+>", "", page))


def words_of(markdown: str) -> str:
    """Return a line of Markdown without the marks of code and emphasis."""
    return re.sub(r"`([^`]+)`|\*([^*`]+)\*", r"\1\2", markdown)


def definition(source: str) -> str:
    """Return the code of the first statement with a solution's name in it, at the top level of a source."""
    parts = (ast.get_source_segment(source, node) for node in ast.parse(source).body)
    return next(part for part in parts if "olution" in part)


@pytest.fixture(scope="module", params=find_notebooks([]), ids=lambda path: path.stem)
def handout(request):
    """Return the Handout of each notebook in turn, with its `topic`."""
    made = Handout(read_notebook(request.param))
    made.topic = request.param.stem[3:]
    return made


def test_solutions_are_among_the_answers_and_nowhere_before(handout):
    for cell in handout.cells("solution"):
        written = definition(tidy(cell.source))
        assert written in handout.answers_words and written not in handout.text_words
        assert all(line in handout.answers_words for line in cell.source.splitlines())


def test_every_exercise_has_a_number_its_stub_and_its_hints_at_the_end(handout):
    prompts, stubs = handout.cells("exercise", "markdown"), handout.cells("exercise")
    assert re.findall(r"<h3>Your turn (\d+) · ", handout.text) == [str(n + 1) for n in range(len(prompts))]
    assert handout.text.count('<div class="stub">') == len(stubs)
    for stub in stubs:
        assert all(line in handout.text_words for line in stub.source.splitlines())
    hints = [hint for prompt in prompts for hint in re.findall(r"</summary>(.*?)</details>", prompt.source)]
    assert all(plain(hint) in handout.answers_words and plain(hint) not in handout.text_words for hint in hints)
    assert "<details" not in handout.page


def test_the_right_letter_of_each_question_and_its_reply_are_among_the_answers(handout):
    asked = json.loads((COURSE / "data" / "quizzes" / f"{handout.topic}.json").read_text("utf-8"))["questions"]
    replies = handout.answers.split('<ol class="replies">')[1].split("</ol>")[0].split("<li>")[1:]
    for question, reply in zip(asked, replies, strict=True):
        [place] = [at for at, choice in enumerate(question["choices"]) if choice["right"]]
        assert plain(reply).strip() == f"✓ {'ABCDEFGH'[place]}. {words_of(question['choices'][place]['feedback'])}"
        assert words_of(question["question"]) in handout.text_words
        assert all(words_of(choice["text"]) in handout.text_words for choice in question["choices"])
    assert 'class="right"' not in handout.page and "press Check" not in handout.text_words


def test_each_prediction_leaves_room_for_a_guess(handout):
    cells = handout.notebook.cells
    callouts = [cell for cell in cells if cell.cell_type == "markdown" and "**Predict first.**" in cell.source]
    views = [cell for cell in cells if cell.cell_type == "code" and asks(cell)]
    assert handout.text.count('class="guess"') == len(callouts)
    assert handout.text.count('<div class="predict">') == len(views)
    asked = re.findall(r"<strong>Prediction (\d+)\.</strong>", handout.text)
    assert asked == [str(n + 1) for n in range(len(callouts) + len(views))]


def test_what_answers_a_prediction_is_among_the_answers_and_nowhere_before(handout):
    found = readable(handout.notebook.cells[1:])
    below = [cell for cell, answers in answering(found) if answers]
    outputs = [[one for one in cell.get("outputs", []) if not is_progress(one)] for cell in below]
    shown = [as_html(of_a_cell) for of_a_cell in outputs]
    pictures = [source for html in shown for source in re.findall(r'src="([^"]+)"', html)]
    printed = [text for html in shown for text in re.findall(r'<pre class="output">(.*?)</pre>', html, re.DOTALL)]
    assert pictures or printed
    assert all(f'"{source}"' in handout.answers and f'"{source}"' not in handout.text for source in pictures)
    assert all(f">{text}</pre>" in handout.answers for text in printed)
    before = [f">{text}</pre>" for text in printed if f">{text}</pre>" in handout.text]
    assert before == [], "stands before the answers, in sight of whoever guesses"


def test_words_that_tell_an_outcome_are_among_the_answers_too(handout):
    texts = [outcomes.parts(cell.source)[1] for cell in handout.notebook.cells if cell.cell_type == "markdown"]
    told = [plain(markdown(text)).strip().splitlines()[0] for text in texts if text]
    assert len(told) > 1 and outcomes.SUMMARY not in handout.page_words
    assert [line for line in told if line not in handout.answers_words or line in handout.text_words] == []


def test_what_needs_a_computer_is_left_out(handout):
    for tag in ("setup", "check", "figure", "widget", "lab-only"):
        assert not [cell.source for cell in handout.cells(tag) if cell.source in handout.text_words]
    for cell in handout.cells("lab-only", "markdown"):
        assert words_of(cell.source).splitlines()[-1] not in handout.page_words
    assert "Run the cell to" not in handout.page_words
    for sign in ("<script", "<audio", "<button", "<input"):
        assert sign not in handout.page
    pictures = len(handout.cells("figure")) + len(handout.cells("widget"))
    assert handout.page.count("<figure") >= pictures


def test_nothing_leads_to_a_file(handout):
    assert "file:" not in handout.page and str(COURSE) not in handout.page
    assert all(link.startswith("https://") for link in re.findall(r'href="([^"]*)', handout.page))
    assert all(source.startswith("data:") for source in re.findall(r'src="([^"]*)', handout.page))


def test_links_to_notebooks_are_words_and_links_into_the_web_stay():
    made = Handout(
        new_notebook(
            cells=[
                TITLE,
                new_markdown_cell("See [notebook 7](07_the_reshape.ipynb#Recap), <a href='x'>as it is</a>."),
                new_markdown_cell('<a href="02_softmax.ipynb">Notebook 2</a>, [a paper](https://example.org/a).'),
                new_markdown_cell("**Next:** [4 · Causal masking](04_causal_masking.ipynb)"),
            ]
        )
    )
    assert "See notebook 7," in made.text and "\n<p>Notebook 2," in f"\n{made.text}"
    assert '<a href="https://example.org/a">a paper</a>' in made.text
    assert "Causal masking" not in made.page


def test_a_stub_has_room_where_its_dots_are_and_what_is_folded_is_told_at_the_end():
    stub = "class Mine:\n    def one(self):\n        ...\n\n    def two(self):\n        ..."
    solution = "class MineSolution:\n" + "    x = 1\n" * 7 + "\n\nprint(MineSolution.x)"
    made = Handout(
        new_notebook(
            cells=[
                TITLE,
                new_markdown_cell("## A part\n\nWhich?\n\n<details><summary>Which one?</summary>The left.</details>"),
                new_markdown_cell("### Your turn · 3 minutes · ●○○\n\nWrite it.", metadata={"tags": ["exercise"]}),
                new_code_cell(stub, metadata={"tags": ["exercise"]}),
                new_code_cell(solution, metadata={"tags": ["solution"]}, outputs=[new_output("stream", text="1\n")]),
            ]
        )
    )
    [stub] = re.findall(r'<div class="stub">.*?</section>', made.text, re.DOTALL)
    rooms = re.findall(r"height: (\d+)mm", stub)
    assert len(rooms) == 2 and len(set(rooms)) == 1
    assert stub.index("one") < stub.index(f"height: {rooms[0]}mm") < stub.index("two")
    assert "See the answers: <em>Which one?</em>" in made.text and "The left." not in made.text
    assert "<h3>A part: Which one?</h3>" in made.answers and "The left." in made.answers
    assert made.answers.index("The left.") < made.answers.index("Your turn 1") < made.answers.index("MineSolution")


def test_without_chromium_it_says_what_is_missing(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert editions.main(["handout", str(find_notebooks([])[0]), "--into", str(tmp_path)]) == 1
    assert NO_BROWSER in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
