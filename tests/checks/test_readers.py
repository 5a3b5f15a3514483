"""Test checks on answers that readers wrote: right ones pass, and wrong ones get the message recorded beside them."""

from pathlib import Path

import pytest
import readers

from course_utils import checks

ANSWERS = Path(__file__).parent / "answers"
SETS = sorted((ANSWERS / "readers").glob("*"))  # each by different readers, who had not seen the tables of mistakes
FOLDERS = [*SETS, ANSWERS / "other_ways"]  # other_ways: answers with algorithms that no table has
FILES = [
    pytest.param(path, id=f"{folder.name}-{path.stem}") for folder in FOLDERS for path in sorted(folder.glob("*.py"))
]


@pytest.mark.parametrize("path", FILES)
def test_each_answer_is_told_as_it_says(path):
    cells = readers.read(path)
    found = [(cell, readers.checked(cell)) for cell in cells]
    unlike = [f"{cell.text}\n{report}" for cell, report in found if not is_told(cell, report)]
    assert cells and unlike == [], "\n".join(unlike)


def is_told(cell, report):
    return (report.status == "passed") == (cell.kind == "right") and readers.said(cell, report) == cell.said


def test_readers_answered_every_exercise():
    cells = [cell for folder in SETS for path in sorted(folder.glob("*.py")) for cell in readers.read(path)]
    assert {cell.name for cell in cells} == checks.all().keys()


@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
def test_hardly_any_wrong_answer_hears_only_that_it_is_wrong(folder):
    cells = [cell for path in sorted(folder.glob("*.py")) for cell in readers.read(path)]
    wrong = [cell for cell in cells if cell.kind == "wrong"]
    silent = [cell.text for cell in wrong if not readers.told(cell)]
    assert len(silent) <= 0.05 * len(wrong), "\n".join(silent)


HANDED_IN = """\
# %% wrong scores
# turned round
def my_scores(query, keys):
    return -(keys @ query)

# %% right scores
def my_scores(query, keys):
    return keys @ query

# %% wrong scores: no longer said
def my_scores(query, keys):
    return keys @ query + 0.1 * torch.sin(keys @ query + query.sum())

# %% wrong scores
keys = torch.ones(3, 2) @ torch.ones(3)
my_scores = ...
"""


def test_the_command_writes_what_is_said_beside_each_answer(tmp_path):
    source, target = tmp_path / "source.py", tmp_path / "first" / "target.py"
    source.write_text(HANDED_IN, "utf-8")
    assert readers.write(source, target) == "4 answers, 3 of them wrong; told in words: 1."
    before, after = HANDED_IN.splitlines(), target.read_text("utf-8").splitlines()
    said = [new for old, new in zip(before, after, strict=True) if old != new]
    assert len(said) == 3 and said[0].startswith('# %% wrong scores: - "In your scores, every sign is turned')
    assert said[1].startswith('# %% wrong scores: - "In the scores, the first difference is at `[0]`: ')
    assert said[2] == '# %% wrong scores: - "The cell stops before it can be checked: RuntimeError"'
    assert readers.write(target, source).startswith("4 answers") and source.read_text("utf-8") == target.read_text(
        "utf-8"
    )


def test_an_answer_that_is_not_what_it_is_said_to_be_is_shown(tmp_path):
    source = tmp_path / "source.py"
    source.write_text(HANDED_IN.replace("right", "wrong"), "utf-8")
    assert readers.write(source, tmp_path / "target.py").startswith(
        "passed, and said to be wrong:\n# %% wrong scores\n"
    )


def test_a_head_that_cannot_be_read_is_named(tmp_path):
    source = tmp_path / "source.py"
    source.write_text("# %% wrong: scores\n", "utf-8")
    with pytest.raises(ValueError, match="'# %% wrong: scores' should be like"):
        readers.read(source)
