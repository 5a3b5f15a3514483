"""Test that each rule of `check` passes a good notebook, and reports a notebook with one fault in one line."""

import nbformat
import pytest
from good_notebook import (
    CHECK,
    FIGURE,
    HEADING,
    HIDDEN,
    IGNORE,
    IGNORED,
    SETUP,
    SHOWS,
    SOLUTION,
    STUB,
    TITLE,
    check,
    good,
    image,
    slide,
    text,
)
from nb.rules import findings, minutes
from nb.rules.model import Notebook
from nbformat.v4 import new_output

from course_utils import course


def test_a_good_notebook_passes(tmp_path):
    assert check(tmp_path, good()) == []


VASWANI = "https://arxiv.org/abs/1706.03762"
CITED = f"[Vaswani and others, 2017, *Attention Is All You Need*]({VASWANI})"

# name of a fault -> (index of the cell, change to the cell, part of the finding)
FAULTS = {
    "left to do": (HEADING, {"source": "## Next one\nTODO: say more."}, ": TODO: say more."),
    "no time": (0, {"source": TITLE.replace("**Time** 1 minute", "A minute")}, "needs its line `**Time**"),
    "dishonest time": (0, {"source": TITLE.replace("1 minute", "5 minutes")}, "says 5 minutes, and takes 1"),
    "too long": (0, {"source": TITLE.replace("1 minute", "76 minutes") + "\n" + "word " * 75 * 150}, "75 are the most"),
    "beyond without time": (HEADING, {"source": "## Next one\n## Further" + 600 * " word"}, "`## Further · 5 minutes`"),
    "reading on": (0, {"source": f"{TITLE} **Reading on** 9 minutes"}, "`**Reading on** 0 minutes`"),
    "a number without a link": (HEADING, {"source": "## Next one\nSee notebook 4."}, "without a link"),
    "a nameless work": (HEADING, {"source": "## Next one\nSo the paper says."}, "'the paper': name the work"),
    "an unknown work": (HEADING, {"source": "## Next one\nNobody and others, 2011."}, "Nobody, 2011: no such work"),
    "a work without a link": (HEADING, {"source": "## Next one\nVaswani and others, 2017."}, "link the work"),
    "a link to no work": (HEADING, {"source": "## Next one\n[x](https://arxiv.org/abs/1)"}, "has no such work"),
    "a work by half": (HEADING, {"source": f"## Next one\n[Vaswani, 2017]({VASWANI})"}, "must be [Vaswani and"),
    "one to read": (HEADING, {"source": f"### Read next\n- {CITED}\n\n## Next one"}, "names 1 works in"),
    "rests on a solution": (SHOWS, {"source": "for i in range(2):\n    print(i, m_solution)"}, "an assignment lacks"),
    "not run": (SHOWS, {"execution_count": None}, "was not run"),
    "out of order": (SHOWS, {"execution_count": 9}, "was run as number 9, should be number 2"),
    "print in a loop without output": (SHOWS, {"outputs": []}, "no output is stored"),
    "value without output": (SHOWS, {"source": "a + b", "outputs": []}, "no output is stored"),
    "error": (SHOWS, {"outputs": [new_output("error", ename="NameError", evalue="x")]}, "stored error (NameError)"),
    "stderr": (SHOWS, {"outputs": [text(), text("Warning: x", "stderr")]}, "stderr is stored: 'Warning: x'"),
    "unknown tag": (SHOWS, {"metadata": slide("-", "chek")}, "unknown tag 'chek'"),
    "no reason": (IGNORED, {"metadata": slide("-", IGNORE)}, 'needs a "reason"'),
    "empty reason": (IGNORED, {"metadata": slide("-", IGNORE) | {"reason": " "}}, 'needs a "reason"'),
    "after a text": (SHOWS, {"metadata": slide("-") | {"after": ["a-text"]}}, "must be a list of ids of code cells"),
    "after no list": (SHOWS, {"metadata": slide("-") | {"after": "a-text"}}, "must be a list of ids of code cells"),
    "no alt": (FIGURE, {"outputs": [image(alt="")]}, "image/png without alt text"),
    "no alt in svg": (FIGURE, {"outputs": [image("image/svg+xml", "<svg/>")]}, "image/svg+xml without alt text"),
    "no alt in html": (SHOWS, {"outputs": [image("text/html", "<img src='x'>")]}, "<img> without alt text"),
    "no alt in Markdown": (HEADING, {"source": "## Next one\n![](line.png)"}, "image without alt text"),
    "no alt in <img>": (HEADING, {"source": '## Next one\n<img src="line.png" alt="">'}, "<img> without alt text"),
    "figure without image": (FIGURE, {"outputs": [text()]}, "no image is stored"),
    "address": (SHOWS, {"outputs": [text("<object at 0x7f3a5c1e2d30>")]}, "a memory address"),
    "uuid": (SHOWS, {"outputs": [text("id 3f2504e0-4f89-41d3-9a0c-0305e82c3301")]}, "a random id"),
    "32 hex": (SHOWS, {"outputs": [text("a3f2504e04f8941d39a0c0305e82c330")]}, "a random id"),
    "unix path": (SHOWS, {"outputs": [text("saved to /home/ada/x.pt")]}, "a path of one machine"),
    "windows path": (SHOWS, {"outputs": [text(r"saved to 'C:\\Users\\ada'")]}, "a path of one machine"),
    "long cell": (SETUP, {"source": "a = 1\n\n" * 26}, "26 lines of code"),
    "long line": (SHOWS, {"source": f"print({'a' * 89})"}, "a line of 96 characters: 95 are the most"),
    "function defined twice": (SETUP, {"source": "def mask(): ..."}, "mask is defined already in cell 2"),
    "solution takes the stub's name": (SOLUTION, {"source": "def my_mask(): ..."}, "my_mask is defined already"),
    "no such file": (HEADING, {"source": "## Next one\n[x](04_b.ipynb)"}, "link to 04_b.ipynb: no such file"),
    "no such heading": (0, {"source": TITLE.replace("#N", "#n")}, "link to #next-one: 03_sample.ipynb has no such"),
    "link in HTML": (HEADING, {"source": "## Next one\n<p>[x](y.md)</p>"}, "stands in HTML, where it is no link"),
    "absolute link": (HEADING, {"source": "## Next one\n[x](/etc/hosts)"}, "write it relative to the notebook"),
    "no slide type": (SHOWS, {"metadata": {}}, "slide_type must be one of"),
    "no notes": (HEADING, {"metadata": slide("notes")}, "stand in lessons/sample/teaching.md"),
    "a cell for JupyterLab on a slide": (HEADING, {"metadata": slide("-", "lab-only")}, "slide_type must be skip"),
    "stub on a slide": (STUB, {"metadata": slide("slide", "exercise")}, "slide_type must be skip"),
    "check on a slide": (CHECK, {"metadata": slide("-", "check")}, "slide_type must be skip"),
    "setup on a slide": (SETUP, {"metadata": slide("-", "setup")}, "slide_type must be skip"),
    "solution on a slide": (SOLUTION, {"metadata": slide("-", "solution") | HIDDEN}, "slide_type must be skip"),
    "solution open": (SOLUTION, {"metadata": slide("skip", "solution")}, "a solution must be collapsed"),
    "title of another": (0, {"source": TITLE.replace("3 ·", "4 ·")}, "the title must read `# 3 · Title`"),
    "few objectives": (0, {"source": TITLE.replace("- Mend it", "")}, "at least three objectives"),
    "magic": (SHOWS, {"source": "%pip install x\nprint()"}, "a magic line"),
    "shell": (SHOWS, {"source": "files = !ls\nprint()"}, "a magic line"),
    "not Python": (SHOWS, {"source": "print("}, "not Python"),
    "semicolon": (SHOWS, {"source": "print(a);  # quiet"}, "ends in `;`"),
    "hidden from nbval": (SHOWS, {"source": "# NBVAL_SKIP\nprint(a)"}, "a comment that steers nbval"),
    "transposed": (SHOWS, {"source": "print(keys.T)"}, "`.T` turns every axis"),
    "compared to the last digit": (SHOWS, {"source": "print(torch.allclose(a, b))"}, "write `atol=1e-5`"),
    "masked in place": (SHOWS, {"source": "print(scores.masked_fill_(mask, 0))"}, "changes the scores in place"),
}  # fmt: skip


def test_a_cell_may_follow_code_cells_above_it_and_no_others(tmp_path):
    notebook = good()
    above, cell, below = notebook.cells[SETUP], notebook.cells[SHOWS], notebook.cells[FIGURE]
    cell.metadata["after"] = [above.id]
    assert not check(tmp_path, notebook)
    for id in (cell.id, below.id):
        cell.metadata["after"] = [above.id, id]
        assert [cell.id in line for line in check(tmp_path, notebook)] == [True]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(tmp_path, fault):
    number, change, words = FAULTS[fault]
    notebook = good()
    notebook.cells[number].update(nbformat.from_dict(change))
    lines = check(tmp_path, notebook)
    assert len(lines) == 1 and words in lines[0], lines
    assert "03_sample.ipynb: cell" in lines[0] and notebook.cells[number].id in lines[0]


ALLOWED = {
    "a call that returns nothing": (SHOWS, {"source": "loss.backward()", "outputs": []}),
    "a name that ends in _": (SHOWS, {"source": "nn.init.zeros_(w)", "outputs": []}),
    "print inside a function": (SHOWS, {"source": "def f():\n    print(1)", "outputs": []}),
    "a docstring-like last line": (SHOWS, {"source": '"""Words."""', "outputs": []}),
    "a line break after a letter": (SHOWS, {"outputs": [text(r"'A:\nB'")]}),
    "a checksum": (SHOWS, {"outputs": [text("53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db")]}),
    "an svg with a title": (FIGURE, {"outputs": [image("image/svg+xml", "<svg><title>a line</title></svg>")]}),
    "a link in code": (HEADING, {"source": "## Next one\n`[x](nowhere.md)` and [y](https://example.org/x#y)"}),
    "a prompt on a slide": (HEADING, {"metadata": slide("slide", "exercise")}),
    "masking in place in an exercise": (STUB, {"source": "def my_mask(s):\n    s.masked_fill_(s.T > 0, 0)"}),
    "a line that just fits": (SHOWS, {"source": f"print({'a' * 88})"}),
    "a long line in a solution": (SOLUTION, {"source": f"def mask():\n    print({'a' * 100})"}),
    "a ; inside": (SHOWS, {"source": "a = 1; print(a)"}),
}


@pytest.mark.parametrize("case", ALLOWED)
def test_what_is_allowed_passes(tmp_path, case):
    number, change = ALLOWED[case]
    notebook = good()
    notebook.cells[number].update(nbformat.from_dict(change))
    assert check(tmp_path, notebook) == []


def test_a_notebook_that_is_not_clean_is_found(tmp_path):
    notebook = good()
    notebook.cells[SHOWS].metadata["execution"] = {"iopub.busy": "2026-01-01"}
    (line,) = check(tmp_path, notebook)
    assert "holds more than content" in line


def test_the_first_cell_and_the_file_name_are_looked_at(tmp_path):
    notebook = good()
    assert "must start with two digits" in check(tmp_path, notebook, "sample.ipynb")[0]
    del notebook.cells[0]
    (line,) = check(tmp_path, notebook)
    assert "cell 1" in line and "must be Markdown" in line


def test_a_notebook_that_was_never_run_is_one_finding(tmp_path):
    notebook = good()
    for cell in notebook.cells[SHOWS:FIGURE] + notebook.cells[STUB:]:
        cell.update(execution_count=None, outputs=[])
    del notebook.cells[FIGURE], notebook.cells[SETUP]
    (line,) = check(tmp_path, notebook)
    assert "03_sample.ipynb: was never run" in line


def test_the_title_and_the_list_of_the_course_say_the_same_minutes(tmp_path, monkeypatch):
    check(tmp_path, good())
    page, listed = Notebook.read(tmp_path / "03_sample.ipynb"), course.notebooks()[3]._replace(file="03_sample")
    for said, found in (("1", 0), ("2", 1)):
        monkeypatch.setattr(course, "notebooks", lambda said=said: (listed._replace(minutes=said),))
        lines = [message for _, message in minutes.time_is_honest(page)]
        assert len(lines) == found and all("lessons/course.json says 2: write 1 there" in line for line in lines)


def test_no_name_is_defined_in_two_notebooks(tmp_path):
    check(tmp_path, good(), "03_a.ipynb"), check(tmp_path, good(), "03_b.ipynb")
    lines = findings([tmp_path / "03_a.ipynb", tmp_path / "03_b.ipynb"])
    assert ["mask is defined in 03_a.ipynb too" in line for line in sorted(lines)] == [True, True]


def test_a_link_to_another_page_needs_its_heading(tmp_path):
    (tmp_path / "page.md").write_text("# A page, with *words*\n")
    notebook = good()
    notebook.cells[HEADING].source += "\n[good](page.md#a-page-with-words) [bad](page.md#A-page)"
    (line,) = check(tmp_path, notebook)
    assert "link to page.md#A-page: page.md has no such heading" in line


@pytest.mark.parametrize("damage", ["{", "[]", "{}", '{"nbformat": 4}', '{"nbformat": 4, "nbformat_minor": 4}', "\xff"])
def test_a_damaged_notebook_is_one_finding(tmp_path, damage):
    (tmp_path / "03_sample.ipynb").write_bytes(damage.encode("latin-1"))
    (line,) = findings([tmp_path / "03_sample.ipynb"])
    assert "03_sample.ipynb: " in line and "Traceback" not in line


def test_an_invalid_entry_and_a_repeated_id_are_findings(tmp_path):
    invalid, repeated = good(), good()
    invalid.cells[SHOWS].outputs[0].output_type = "strem"
    repeated.cells[SHOWS].id = repeated.cells[SETUP].id
    path = tmp_path / "03_sample.ipynb"
    for notebook, words in (invalid, "not a valid notebook"), (repeated, "one id twice"):
        path.write_text(nbformat.v4.nbjson.JSONWriter().writes(notebook), "utf-8")
        (line,) = findings([path])
        assert words in line
