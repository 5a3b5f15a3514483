"""Render a notebook as a handout on paper, with room for notes and with the answers at the end, and print it to PDF."""

import ast
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from nb.files import NotebookError, display_path, write_atomically
from nb.format import tags
from nb.processes import error_output

from publish.article import PageRenderer
from publish.markup import code_block, code_styles, plain, template, tidy, to_html
from publish.outputs import as_html, is_progress
from publish.questions import PREDICT, RIGHT, answering, asks, links, questions, quiz_name, readable
from publish.words import ASSETS, say

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
NO_BROWSER = "Handouts need chromium, from the system's package manager: apt install chromium, brew install chromium."
PATIENCE = 120  # seconds that printing may take
A_PAGE = re.compile(rb"/Type ?/Page\b")

DETAILS = re.compile(r"<details><summary>(.*?)</summary>(.*?)</details>\s*", re.DOTALL)
NOT_INTO_THE_WEB = re.compile(r'<a [^>]*href="(?!https?://)[^"]*"[^>]*>(.*?)</a>', re.DOTALL)
PREFORMATTED = re.compile(r'<pre class="(\w+)">(.*?</pre>)', re.DOTALL)
OPEN = re.compile(r".*?(?:^ *\.\.\.$|\Z)", re.DOTALL | re.MULTILINE)  # up to a line that the learner is to write
SHORT = 13  # code with fewer lines than this stays on one page
LINE, FEWEST, MOST = 6, 2, 10  # millimetres for a handwritten line; the least and the most lines of room


class PaperRenderer(PageRenderer):
    """A renderer for paper, whose headings have no anchors."""

    def heading(self, text, level, **attributes):
        return f"<h{level}>{text}</h{level}>\n"


@dataclass
class Paper:
    """The text of a handout, HTML pieces, and its answers, label -> HTML pieces.

    exercises, predictions: how many were found so far. part: the last heading.
    """

    renderer: PageRenderer
    text: list = field(default_factory=list)
    answers: dict = field(default_factory=dict)
    exercises: int = 0
    predictions: int = 0
    part: str = ""

    def answer(self, label: str, content: str):
        """Add HTML to the answers at the handout's end, below those already under a label, such as "Prediction 2"."""
        self.answers.setdefault(label, []).append(content)

    def words(self, cell) -> str:
        """Return an nbformat cell's Markdown as HTML: details go to the answers, and predictions get room to write.

        The prompt of an exercise is numbered and counted in `exercises`; a heading becomes `part`.
        """
        source, is_prompt = cell.source, "exercise" in tags(cell)
        if heading := re.match(r"#{1,2} +(.+)", source):
            self.part = plain(heading[1])
        if is_prompt:
            self.exercises += 1
            source = source.replace(say("Your turn"), self.exercise(), 1)
        if asks(cell):
            source = source.replace(say(PREDICT), say("**{label}.**", label=self.prediction()))

        def put_away(match):
            """Move folded details to the answers; return a reference to these as HTML, or "" in an exercise.

            match: of DETAILS, with the summary and the content.
            """
            if is_prompt:
                self.answer(self.exercise(), f'<div class="hint"><strong>{match[1]}.</strong> {match[2]}</div>\n')
                return ""
            self.answer(f"{self.part}: {match[1]}", f'<div class="told">{match[2]}</div>\n')
            return f"<p>{say('See the answers:')} <em>{match[1]}</em></p>\n"

        page_html = DETAILS.sub(put_away, to_html(source, self.renderer))
        if not asks(cell):
            return page_html
        callout = re.compile(rf"(<strong>{self.prediction()}\D.*?)(</div>)", re.DOTALL)
        return callout.sub(rf'\1<p class="guess">{say("Your guess:")}</p>\n\2', page_html)

    def exercise(self) -> str:
        """Return the label of the exercise whose prompt came last: "Your turn 3"."""
        return say("Your turn {number}", number=self.exercises)

    def prediction(self) -> str:
        """Return the label of the prediction that was asked for last: "Prediction 2"."""
        return say("Prediction {number}", number=self.predictions)

    def quiz(self, topic: str) -> str:
        """Return the questions of the quiz `topic` with boxes to tick, as HTML; its replies go to the answers."""
        entries = questions(topic)
        asked_html = "".join(f"<li>{question.replace(RIGHT, '')}</li>\n" for _, question, _, _ in entries)
        replies = "".join(f"<li>{answer}</li>\n" for _, _, answer, _ in entries)
        self.answer(say("Quiz"), f'<ol class="replies">\n{replies}</ol>\n')
        tick = say("Tick one choice of each question.")
        return f'<p class="tick">{tick}</p>\n<ol class="quiz">\n{asked_html}</ol>\n'


def handout_html(notebook, folder: Path) -> str:
    """Return a NotebookNode as an HTML page to be printed. folder: that of the notebook."""
    title, *cells = notebook.cells
    paper = read(cells, folder)
    name = plain(title.source.splitlines()[0].lstrip("# "))
    page = template("handout/page.html").render(
        title=say("{title}: the attention course", title=name),
        footer=name.replace("\\", "\\\\").replace('"', '\\"'),
        style=(ASSETS / "handout" / "handout.css").read_text("utf-8") + code_styles(),
        opening=to_html(title.source, PaperRenderer(folder, None)),
        text="".join(paper.text),
        answers=paper.answers,
    )
    return PREFORMATTED.sub(_preformatted, NOT_INTO_THE_WEB.sub(r"\1", page))


def read(cells: list, folder: Path) -> Paper:
    """Return the text of a notebook's handout, and the answers that stand at its end, all as HTML.

    cells: the notebook's nbformat cells without the title cell. folder: that of the notebook.
    """
    paper = Paper(PaperRenderer(folder, None))
    cells = [cell for cell in readable(cells) if cell.source.strip() and cell.cell_type != "raw"]
    numbered = list(answering(cells))
    for place, (cell, answers) in enumerate(numbered):
        after = [cell for cell, _ in numbered[place + 1 :]]
        paper.predictions += asks(cell)
        piece = _code(paper, cell, after) if cell.cell_type == "code" else _words(paper, cell, after)
        paper.answer(paper.prediction(), piece) if answers else paper.text.append(piece)
    return paper


def _words(paper: Paper, cell, after: list) -> str:
    """Return the HTML of an nbformat Markdown cell; "" for the links to other notebooks. after: the cells below it.

    Before a quiz, only the first line stays, since the text is about buttons. Folded details go to the paper's answers.
    """
    if after and quiz_name(after[0]):
        return to_html(cell.source.splitlines()[0], paper.renderer)
    return "" if cell.source.startswith(links()) else paper.words(cell)


def _code(paper: Paper, cell, after: list) -> str:
    """Return an nbformat code cell's HTML; "" for set-up, checks, and a solution, which goes to the paper's answers.

    Of a figure, a view or a prediction, only the results are shown. An exercise's code is joined with its prompt, which
    is removed from the end of the paper's text. after: the cells below this one.
    """
    own_tags = set(tags(cell))
    if topic := quiz_name(cell):
        return paper.quiz(topic)
    if "solution" in own_tags:
        paper.answer(paper.exercise(), code_block(tidy(cell.source)) + _results(cell))
        return ""
    if asks(cell):
        return f'<div class="predict">\n<p><strong>{paper.prediction()}.</strong></p>\n{_results(cell)}</div>\n'
    if "exercise" in own_tags:
        prompt = paper.text.pop()
        return f'<section class="exercise">\n{prompt}{_stub(cell, after)}</section>\n'
    if {"setup", "check"} & own_tags:
        return ""
    return _results(cell) if {"figure", "widget"} & own_tags else code_block(tidy(cell.source)) + _results(cell)


def _results(cell) -> str:
    """Return the HTML of an nbformat cell's outputs, without sounds, progress bars, and the advice to run the cell."""
    outputs = [output for output in cell.outputs if "<audio" not in output.get("data", {}).get("text/html", "")]
    run_the_cell = f"<figcaption><em>{say('A picture of the view. Run the cell to use it.')}</em></figcaption>"
    return as_html([output for output in outputs if not is_progress(output)]).replace(run_the_cell, "")


def _stub(cell, rest: list) -> str:
    """Return the HTML of an exercise's code, with room below each `...` for the lines that the solution adds.

    cell: the nbformat code cell in which the learner writes. rest: the cells below it, the solution among them.
    """
    source = tidy(cell.source)
    pieces = [piece for piece in OPEN.findall(source) if piece.strip()]
    lines = max(FEWEST, min(MOST, _length(rest) - source.count("\n")))
    room = f'<div style="height: {LINE * lines // len(pieces)}mm"></div>\n'
    return f'<div class="stub">\n{"".join(code_block(piece) + room for piece in pieces)}</div>\n'


def _length(cells: list) -> int:
    """Return how many lines the first statement of the first solution in some nbformat cells has.

    Return 0 if an exercise comes before it, or if there is no solution.
    """
    cell = next((cell for cell in cells if {"solution", "exercise"} & set(tags(cell))), None)
    if cell is None or "solution" not in tags(cell):
        return 0
    first = ast.parse(cell.source).body[0]
    return first.end_lineno - first.lineno + 1


def _preformatted(match: re.Match) -> str:
    """Return a block of code, a match of PREFORMATTED, as HTML, with the class "short" if it has few lines (SHORT)."""
    kind = f"{match[1]} short" if match[2].count("\n") < SHORT else match[1]
    return f'<pre class="{kind}">{match[2]}'


def print_page(page: str, target: Path) -> Path:
    """Print an HTML page into a PDF, the file `target`, and return that.

    The page is printed in normal and in tighter type, and the tighter one is kept only if it has fewer pages. Errors:
    NotebookError if there is no browser to print with, or printing fails.
    """
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise NotebookError(NO_BROWSER)
    prints = [_pdf_of(browser, version, target) for version in (page, page.replace("<body>", '<body class="tight">'))]
    write_atomically(target, min(prints, key=lambda pdf: len(A_PAGE.findall(pdf))))
    return target


def _pdf_of(browser: str, page: str, target: Path) -> bytes:
    """Return an HTML page as a PDF, printed by the chromium at the path `browser`; no folder's name gets into it.

    target: the PDF that is meant, for error messages; nothing is written there. Errors: NotebookError.
    """
    with tempfile.TemporaryDirectory() as home:
        source, pdf = Path(home) / "handout.html", Path(home) / "handout.pdf"
        source.write_text(page, "utf-8")
        command = [browser, "--headless", "--disable-gpu", f"--user-data-dir={home}", "--no-pdf-header-footer"]
        command += ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []  # root gets no sandbox
        command += [f"--print-to-pdf={pdf}", source.as_uri()]
        try:
            errors = error_output(command, PATIENCE)
        except subprocess.TimeoutExpired:
            reason = f"printing took more than {PATIENCE} s, and was stopped."
            raise NotebookError(f"{display_path(target)}: {reason}") from None
        if not pdf.exists():
            reason = (errors.strip() or "no reason given")[-300:]
            raise NotebookError(f"{display_path(target)} was not printed: {reason}")
        return pdf.read_bytes()
