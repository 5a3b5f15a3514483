"""Test what a check shows: text, and an HTML panel that is the same in each run and loads nothing from elsewhere."""

import io
import re
import sys
from html.parser import HTMLParser

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course_utils import checks
from course_utils.checks import displayable

EXERCISES = checks.all()


class Tags(HTMLParser):
    """An HTML parser that asserts that every tag is closed, and keeps the tags in `found` as (name, attributes)."""

    def __init__(self, text):
        super().__init__()
        self.open, self.found = [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def count(self, tag):
        return sum(name == tag for name, _ in self.found)


def report(name, mistake):
    return EXERCISES[name].check(EXERCISES[name].mistakes[mistake])


def asked(name):
    return sum(case.asked for case in EXERCISES[name].inputs)


def test_the_text_of_a_wrong_answer():
    assert str(report("weights", "softmax-axis")).splitlines() == [
        "✗ Your softmax runs down the columns. A row is one query's, and must add up to 1: `dim=-1`.",
        "weights on 3 queries, 4 keys. ≠ marks what differs.",
        "  expected                      got",
        "  0.14   0.37   0.43   0.06     0.12≠  0.79≠  0.55≠  0.07≠",
        "  0.54   0.04   0.07   0.34     0.73≠  0.15≠  0.15≠  0.70≠",
        "  0.30   0.05   0.36   0.30     0.15≠  0.07≠  0.30≠  0.23≠",
        f"✗ wrong on all {asked('weights')} inputs",
    ]


def test_a_hint_has_a_line_of_its_own():
    def my_causal_mask(num_tokens):
        return torch.tensor([[key <= query for key in range(num_tokens)] for query in range(num_tokens)])

    report = EXERCISES["causal_mask"].check(my_causal_mask)
    [(_, words)] = report.hints
    assert str(report).splitlines() == [
        f"✓ passed: my_causal_mask is right on {asked('causal_mask')} inputs.",
        f"A hint: {words}",
    ]
    assert "<em>A hint.</em> Your loop is right." in report._html() and Tags(report._html()).count("p") == 2


def test_which_inputs_were_right_is_said():
    lines = str(report("tempered_softmax", "zero-allowed")).splitlines()
    assert lines[1] == "✗ wrong on temperature 0"
    assert lines[2].startswith("✓ right on temperature 2 · ")


@pytest.mark.parametrize("name", EXERCISES)
def test_the_panel_is_whole_quiet_and_the_same_each_time(name):
    exercise = EXERCISES[name]
    some = list(exercise.mistakes.values())[::12]  # there are a thousand similar panels; every twelfth is enough
    for answer in (..., exercise.solution, *some):
        first, again = exercise.check(answer)._html(), exercise.check(answer)._html()
        assert first == again
        tags = Tags(first)
        assert not {"script", "style", "img", "link", "svg"} & {tag for tag, _ in tags.found}
        assert not re.search(r"https?:|\bid=|url\(|0x[0-9a-f]{6}", first)
        for colour in re.findall(r"[;\"' ]color:([^;\"']+)", first):
            assert colour.startswith(("var(", "#", "light-dark(", "inherit"))


def test_expected_and_got_stand_side_by_side_as_tables_with_headers():
    html = report("weights", "softmax-axis")._html()
    tags = Tags(html)
    assert tags.count("table") == tags.count("caption") == 2
    assert tags.count("th") == 2 * (3 + 4) and all("scope" in attrs for tag, attrs in tags.found if tag == "th")
    assert html.count("≠</td>") == html.count("outline:1px") == 12


def test_only_what_differs_is_marked():
    def one_wrong(scores):
        weights = torch.softmax(scores, dim=-1)
        weights[0, -1] = 0
        return weights

    html = EXERCISES["weights"].check(one_wrong)._html()
    assert html.count("≠</td>") == 1 and "0.00≠" in html


def test_where_shapes_differ_both_are_shown():
    wrong = report("scores", "products-not-summed")
    assert "scores on 4 keys of width 3: expected shape (4,), got (4, 3)" in str(wrong)
    assert "<code>(4,)</code>" in wrong._html() and "<code>(4, 3)</code>" in wrong._html()


def test_a_batch_shows_the_first_table_that_differs():
    def second_wrong(inputs):
        context_vecs = EXERCISES["batch_attention"].solution(inputs)
        return torch.cat([context_vecs[:1], context_vecs[1:] * 2])

    assert "context vecs on 2 texts of 4 tokens, width 3, at index 1." in str(
        EXERCISES["batch_attention"].check(second_wrong)
    )


def test_a_small_difference_is_shown_with_more_decimals():
    wrong = EXERCISES["weights"].check(lambda scores: torch.softmax(scores, dim=-1) + 0.001)
    assert re.search(r"0\.\d{4}≠", str(wrong))


def test_a_large_tensor_is_cut():
    from course_utils.checks import heatmap
    from course_utils.checks.report import Pair

    pair = Pair("many", "x", torch.zeros(3, 40, 50), torch.ones(3, 40, 50))
    assert Tags(heatmap.html(pair)).count("td") == 2 * (8 * 8 + 1) and len(heatmap.text(pair)) == 12
    assert heatmap.text(pair)[1:3] == ["Of 40 rows you see 0 to 7.", "Of 50 columns you see 0 to 7."]


def test_what_is_printed_cannot_break_the_panel():
    def talks(query, keys):
        print("</pre><script>alert(1)</script>")

    html = EXERCISES["scores"].check(talks)._html()
    assert "<script>" not in html and "&lt;script&gt;" in html


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_a_script_whose_output_has_fewer_letters_gets_the_text_too(monkeypatch, encoding):
    output = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr(sys, "stdout", output)
    report = checks.scores(lambda query, keys: keys @ query)
    output.flush()
    assert report.status == "passed"
    assert output.buffer.getvalue().decode(encoding).startswith("✓ passed" if encoding == "utf-8" else "? passed")


def test_what_replaces_the_output_needs_no_encoding(monkeypatch):
    class Kept(list):
        write = list.append

    monkeypatch.setattr(sys, "stdout", Kept())
    checks.scores(lambda query, keys: keys @ query)
    assert sys.stdout[0].startswith("✓ passed")


@pytest.fixture
def shell(monkeypatch):
    """Return an IPython shell with `checks` in its namespace; its `bundles` there collects what is displayed."""
    bundles, shell = [], InteractiveShell(config=Config(HistoryManager={"enabled": False}))
    monkeypatch.setattr(displayable, "get_ipython", lambda: shell)
    monkeypatch.setattr(displayable, "display", lambda bundle, raw: bundles.append(bundle))
    shell.user_ns.update(checks=checks, bundles=bundles)
    return shell


@pytest.mark.parametrize("cell", ["checks.scores(...)", "report = checks.scores(...)", "checks.scores(...);"])
def test_a_notebook_shows_one_panel(shell, cell):
    assert shell.run_cell(cell, store_history=True).success
    (bundle,) = shell.user_ns["bundles"]
    assert bundle.keys() == {"text/plain", "text/html"}


def test_a_report_looked_at_later_is_shown_again(shell):
    shell.run_cell("report = checks.scores(...)", store_history=True)
    shell.run_cell("report", store_history=True)
    first, again = shell.user_ns["bundles"]
    assert first == again
