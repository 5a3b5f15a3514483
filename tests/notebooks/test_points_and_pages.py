"""Test reading the table of points, and that a feedback page repeats the check's words and is safe to open."""

import pytest
from grading.feedback import page
from grading.findings import Row
from grading.points import as_csv, read_points
from grading.printable import harmless
from nb.files import NotebookError

WORTH = {"causal_mask": 1, "masked_weights": 2.5}
SAID = "Softmax runs down: `dim=-1` <script>alert(1)</script> & *so*."
ANSWERS = {
    "causal_mask": Row("a", "a.ipynb", "causal_mask", "passed", "", "passed: right.", (), ("A hint `x`.",)),
    "masked_weights": Row("a", "a.ipynb", "masked_weights", "failed", "softmax-axis", SAID, ("✗ wrong on a < b",)),
}


def read(folder, text):
    (folder / "points.csv").write_bytes(text.encode() if isinstance(text, str) else text)
    return read_points(folder / "points.csv")


@pytest.mark.parametrize(
    "text",
    [
        "exercise,points\ncausal_mask,1\nmasked_weights,2.5\n",
        "\ufeffExercise, Points\r\nmy_masked_weights, 2.50\r\n\r\nmy_causal_mask\r\n",  # as a spreadsheet saves it
        "masked_weights,2.5\ncausal_mask,",
    ],
)
def test_a_table_is_read_in_the_order_of_the_course(tmp_path, text):
    assert list(read(tmp_path, text).items()) == list(WORTH.items())


def test_a_table_that_was_written_is_read(tmp_path):
    assert read(tmp_path, as_csv(WORTH)) == WORTH


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("causal_task,1", "line 1: there is no exercise 'causal_task'"),
        ("causal_mask,1\nmy_causal_mask,1", "line 2: causal_mask stands in the table twice"),
        ("causal_mask,one", "line 1: points must be a number of at least 0.*got 'one'"),
        ("causal_mask,-1", "got '-1'"),
        ("causal_mask,nan", "got 'nan'"),
        ("exercise,points\n", "names no exercise"),
        (b"\xff\xfea", "is not UTF-8"),
    ],
)
def test_a_table_that_cannot_be_used(tmp_path, text, said):
    with pytest.raises(NotebookError, match=said):
        read(tmp_path, text)


def test_a_page_says_what_the_check_said_and_where_to_read_again():
    html = page("anna", ANSWERS, WORTH)
    assert "<strong>1 of 3.5 points</strong> · 1 of 2 exercises right" in html
    assert html.index("my_causal_mask") < html.index("my_masked_weights")
    right, wrong = html.split("<section")[1:]
    assert "1 of 1 point<" in right and "Right" in right and "<em>A hint.</em> A hint <code>x</code>." in right
    assert "Read again" not in right
    assert "0 of 2.5 points" in wrong and "Not right yet" in wrong and "<code>dim=-1</code>" in wrong
    assert "✗ wrong on a &lt; b" in wrong
    assert "<em>4 · Causal masking</em>, under the heading “Is minus a billion enough?”" in wrong


def test_a_page_says_once_why_nothing_could_be_graded():
    why = "It is a PDF, and no notebook: hand in the notebook itself, the file whose name ends in .ipynb."
    rows = {name: Row("a", "a.pdf", name, "unreadable", "", why) for name in WORTH}
    html = page("anna", rows, WORTH)
    assert html.count(why) == 1 and "Not readable" in html and "0 of 3.5 points" in html
    assert "Read again" not in html and "my_causal_mask" not in html
    half = rows | {"causal_mask": ANSWERS["causal_mask"]}
    assert "my_causal_mask" in page("anna", half, WORTH)


def test_a_page_holds_all_it_needs_and_runs_nothing():
    html = page('<img src=x onerror="alert(1)">', ANSWERS, WORTH)
    assert "<script" not in html and "<img" not in html and "http" not in html and "<link" not in html
    assert "&lt;script&gt;alert(1)" in html and "Feedback: &lt;img src=x" in html
    assert html == page('<img src=x onerror="alert(1)">', ANSWERS, WORTH)  # the page has no date and no random id
    assert "color-scheme: light dark" in html and "@media print" in html and 'name="viewport"' in html


@pytest.mark.parametrize("value", ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1", "\n=1"])
def test_no_name_is_a_formula(value):
    assert harmless(value) == f"'{value}" and harmless("anna=1") == "anna=1"
