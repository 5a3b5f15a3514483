"""Test that what a check said last is kept in the progress file, and shown again where an answer is still missing."""

import datetime
import json

import pytest
from typed_answers import my_scores, wrong_scores

from course_utils import checks, course
from course_utils.checks import record
from course_utils.checks.sentences import as_data, from_data, sentence, shown, together

DAY = "2026-03-01"
COLUMNS = "Your softmax runs down the columns."


def stub(query, keys): ...


def wrong_weights(scores):
    return scores.softmax(dim=-2)


@pytest.fixture
def work(work, monkeypatch):
    class Today(datetime.date):
        @classmethod
        def today(cls):
            return cls.fromisoformat(DAY)

    monkeypatch.setattr(record.datetime, "date", Today)
    return work


def reports(folder):
    return json.loads((folder / "progress.json").read_text("utf-8"))["reports"]


def keep(folder, **entries):
    entries = {name: {"day": DAY, "words": words} for name, words in entries.items()}
    (folder / "progress.json").write_text(json.dumps({"passed": [], "reports": entries}), "utf-8")


def test_what_was_said_last_is_kept_until_the_pass(work):
    first = checks.scores(wrong_scores)
    assert reports(work) == {"scores": {"day": DAY, "words": as_data(first.message)}}
    passed = checks.scores(my_scores)
    checks.scores(wrong_scores)
    assert from_data(reports(work)["scores"]["words"]) == passed.message


def test_an_untouched_stub_gets_what_was_said_last(work):
    assert checks.scores(stub).last_time is None and str(checks.scores(stub)).count("\n") == 0
    message = checks.scores(wrong_scores).message
    report = checks.scores(stub)
    assert str(report).splitlines() == [
        "not attempted yet: replace the ... in my_scores, run the cell, and come back.",
        f"Last time, on {DAY}, the check said: {message}",
    ]
    assert report.html().count("<p") == 2 and "<code>keys @ query</code>" in report.html()
    checks.scores(my_scores)
    assert str(checks.scores(stub)).endswith("the check said: passed: my_scores is right on 5 inputs.")
    assert checks.weights(stub).last_time is None


def test_checking_and_grading_do_not_read_it(work):
    checks.scores(wrong_scores)
    assert checks.scores.check(stub).last_time is checks.scores.assess(stub).last_time is None


def test_the_overview_says_it_of_what_is_still_open(work):
    checks.scores(my_scores)
    checks.weights(wrong_weights)
    overview = checks.progress()
    lines = str(overview).splitlines()
    assert lines[2].startswith("01  ✓ my_scores (1 try)  ○ my_weights (1 try)  ○ my_context_vector")
    assert lines[3].startswith(f"    my_weights: Last time, on {DAY}, the check said: {COLUMNS}")
    assert lines[4].startswith("02  ○") and str(overview).count("Last time") == 1
    html = overview._html()
    assert html.count("Last time") == 1 and "add up to 1: <code>dim=-1</code>" in html
    assert html.count("<details open>") == 1 and html.count("<details>") == 16


def test_the_row_of_a_notebook_is_closed_before_its_first_try_and_after_its_last_pass(work):
    assert "<details open>" not in checks.progress()._html()
    (work / "progress.json").write_text('{"passed": ["stacked_heads"]}')  # the only exercise of its notebook
    assert "1 of 1 passed" in (html := checks.progress()._html()) and "<details open>" not in html


def test_words_that_were_damaged_cost_themselves_alone(work):
    good = "It is not added up."
    damaged = {"{} is a place": {}}, {"{a}": {}}, {"a": 3}, {"a": {}, "b": {}}, ["a", 3], "\ud800", [None], {}
    for words in (*damaged, [[[["a"]] * 2], {"{a}": {"a": "\udfff"}}]):
        keep(work, scores=words, weights=good)
        overview = str(checks.progress())
        assert overview.count("Last time") == 1 and f"the check said: {good}" in overview
        assert checks.scores(stub).last_time is None
    deep = f'{{"reports": {{"scores": {{"day": "{DAY}", "words": {500 * "["}"a"{500 * "]"}}}}}}}'
    (work / "progress.json").write_text(deep)
    count = sum(len(notebook.exercises) for notebook in course.notebooks())
    assert f"0 of {count} exercises" in str(checks.progress())


def test_a_file_that_is_damaged_is_said_beside_an_untouched_stub(work):
    (work / "progress.json").write_text("{")
    assert "progress.json was damaged and is now progress.json.damaged" in str(checks.scores(stub))


def test_what_was_said_is_shown_as_text(work):
    keep(work, scores="<b>bold</b> & `<i>`")
    for html in (checks.progress()._html(), checks.scores(stub).html()):
        assert "&lt;b&gt;bold&lt;/b&gt; &amp; <code>&lt;i&gt;</code>" in html


def test_a_very_long_message_is_cut(work, monkeypatch):
    monkeypatch.setattr(record, "LONGEST", 20)
    message = checks.scores(wrong_scores).message
    assert reports(work)["scores"]["words"] == f"{message[:20]} …"


TEXTS = [
    "as it is, with {braces}",
    sentence("`{name}` has the shape `{shape}`, and `{{` is a brace.", name="x", shape=(2, 3)),
    together("One.", sentence("On {label}: {words}", label="a", words=sentence("It is {size}.", size=2)), "Three."),
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_comes_back_from_its_data_as_it_was(text):
    again = from_data(json.loads(json.dumps(as_data(text))))
    assert again == text and type(again) is type(text) and shown(again) == shown(text)
