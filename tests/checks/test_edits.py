"""Test that a table of mistakes is parsed as written, and that a row that does not fit raises a clear error."""

import pytest

from course_utils.checks.edits import TableError, apart, edited, places, rows

SOURCE = """\
def weights(queries, keys):
    scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    for row in scores:
        row = torch.softmax(row.view(1, -1), dim=-1)
    return torch.softmax(scores.clone(), dim=-1)
"""


def changed(table):
    before = SOURCE.splitlines()
    for row in rows(table):
        after = edited(SOURCE, places(SOURCE, row)).splitlines()
        yield row.id, [line.strip() for line in after if line not in before]


@pytest.mark.parametrize(
    "table, lines",
    [
        ("a: w\n    / queries.shape[-1] ** 0.5 ->", ["scores = queries @ keys.transpose(-2, -1)"]),
        ("a: w\n    scores.clone( -> (\n    / queries.shape[-1] ** 0.5 -> / 2",
         ["scores = queries @ keys.transpose(-2, -1) / 2", "return torch.softmax((), dim=-1)"]),
        ("a: w\n    return torch.softmax(…, dim=-1) -> return torch.exp(…)", ["return torch.exp(scores.clone())"]),
        ("a: w\n    return torch.softmax(…, dim=-1) -> return … / (…).sum()", None),
        ("a: w\n    torch.softmax(…, dim=-1) ->> torch.softmax(…, dim=0)",
         ["row = torch.softmax(row.view(1, -1), dim=0)", "return torch.softmax(scores.clone(), dim=0)"]),
        ("a: w\n    return torch -> print(1) ⏎ return torch", ["print(1)"]),
    ],
)  # fmt: skip
def test_an_edit_is_made_where_it_stands(table, lines):
    [(_, changed_lines)] = changed(table)
    assert changed_lines == (lines or ["return scores.clone() / (scores.clone()).sum()"])


def test_a_row_has_words_and_edits_and_other_answers():
    table = "one: First words\n    go on.\n    x -> y\n    or\n    z ->> w\n=way:\n    p -> q\nsaid: Words alone.\n"
    assert [tuple(row) for row in rows(table)] == [
        ("one", "First words go on.", (("x", False, "y"),)),
        ("one", "First words go on.", (("z", True, "w"),)),
        ("=way", "", (("p", False, "q"),)),
        ("said", "Words alone.", ()),
    ]


def test_text_begins_at_the_beginning_of_a_word():
    [row] = rows("a: w\n    row -> line")
    with pytest.raises(TableError, match="stands 3 times"):  # "row" inside "arrow" does not count
        places(SOURCE.replace("weights", "arrow"), row)


@pytest.mark.parametrize(
    "table, words",
    [
        ("a: w\n    keys.mT -> keys", "a: `keys.mT` does not stand in the solution"),
        ("a: w\n    torch.softmax( -> torch.exp(", "stands 2 times in the solution. Make it longer, or write `->>`"),
        ("a: w\n    queries @ keys -> keys\n    @ keys.transpose -> @", "two of its edits change the same text"),
        ("a: w\n    torch.softmax(…, dim=…) ->> f(…)", "has 2 holes and `f(…)` has 1"),
        ("    x -> y", "stands before the first row"),
        ("a:\nb: w\n    x -> y", "a: a row needs an edit"),
        ("a: w\n    x -> y\n    or\nb: w\n    x -> y", "a: a row needs an edit"),
        ("a: w\n    x -> y\n    more words", "`more words` is no edit"),
    ],
)
def test_a_row_that_does_not_fit_raises_an_error_that_names_it(table, words):
    with pytest.raises(TableError) as error:
        for row in rows(table):
            places(SOURCE, row)
    assert words in str(error.value)


def test_edits_inside_a_hole_are_apart_from_those_around_it():
    around, inside, whole = rows(
        "a: w\n    return torch.softmax(…, dim=-1) -> return torch.exp(…)\n"
        "b: w\n    scores.clone() -> scores\n"
        "c: w\n    return torch.softmax(…, dim=-1) -> return … / …"
    )
    assert apart(places(SOURCE, around), places(SOURCE, inside))
    assert not apart(places(SOURCE, whole), places(SOURCE, inside))
