"""Test the presenter's pages, teaching.md of each lesson: how they are parsed, and what `check` finds in them."""

import nbformat
import pytest
from nb.files import COURSE, find_notebooks
from nb.rules.model import Notebook
from nb.rules.teaching import notes_fit_the_slides
from nb.teaching import parse
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

PAGE = """# 3 · A sample: for the presenter

## Timing
| part | full | short |
|---|---|---|
| Hello | 10 | 5 |
| More | 5 | – |
| **together** | **15** | **5** |

*Further* takes 7 more. Read alone, with its exercise, it takes about 40 minutes.
### Not a note
## At the board
```
## a comment in code, no heading
```
## Questions
*Why?* Because.
## Exercises
The first in class.
## In half the time
Skip the second.

## Slides

### A sample {#first .talk}
**2 min.** **Say:** hello.

- one
- two

### Its result {#second}
**4 min.** Ask for hands.

### Question 2 {#quiz-x-2 .talk}
**3 min.** Ask it.
"""


def findings(tmp_path, page: str | None = PAGE, name="03_sample.ipynb") -> list[str]:
    """Return the messages of the rule for a notebook with slides `first` and `second` and a fragment `third`.

    page: the text of the presenter's page, or None for no page. name: the notebook's file name.
    """
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "lessons" / "sample").mkdir(parents=True)
    if page is not None:
        (tmp_path / "lessons" / "sample" / "teaching.md").write_text(page, encoding="utf-8")
    kinds = {"first": "slide", "second": "subslide", "third": "fragment", "quiz-x": "skip"}
    told = {"first": "# 3 · A sample\n\n**Time** 40 minutes", "second": "## Further · 7 minutes"}
    words = {key: told.get(key, key) for key in kinds}
    cells = [new_markdown_cell(words[key], id=key, metadata={"slideshow": {"slide_type": kinds[key]}}) for key in kinds]
    nbformat.write(new_notebook(cells=[*cells, new_code_cell("", id="fourth")]), tmp_path / "notebooks" / name)
    return [message for _, message in notes_fit_the_slides(Notebook.read(tmp_path / "notebooks" / name))]


def test_a_page_is_read_into_sections_and_notes():
    page = parse(PAGE)
    assert page.title == "3 · A sample: for the presenter"
    assert [part.title for part in page.sections][:2] == ["Timing", "At the board"]
    assert page.sections[0].text.endswith("it takes about 40 minutes.\n### Not a note")
    assert page.sections[1].text == "```\n## a comment in code, no heading\n```"
    assert page.note_on("first").text == "**2 min.** **Say:** hello.\n\n- one\n- two"
    assert (page.note_on("first").minutes, page.note_on("second").minutes) == (2, 4)
    assert page.note_on("third") is None
    assert page.in_talk() == {"first", "quiz-x-2"}
    assert page.minutes() == (15, 5)
    assert parse("# 1 · x\n").minutes() == (0, 0)


def test_a_good_page_passes_and_the_rule_sees_the_pages_of_the_published_course(tmp_path):
    assert findings(tmp_path) == []
    assert (COURSE / "lessons").is_dir()
    assert all(path.resolve().parent.parent == COURSE for path in find_notebooks([]))


SECOND = "### Its result {#second}\n**4 min.** Ask for hands.\n"
FAULTS = {
    "no page": (None, None, "has no "),
    "another notebook's": ("# 3 ·", "# 4 ·", "the title must read `# 3 · Title"),
    "a section missing": ("## Questions\n*Why?*", "*Why?*", "needs the section `## Questions` once, has it 0 times"),
    "a section twice": ("## Questions", "## Timing\nx\n## Questions", "`## Timing` once, has it 2 times"),
    "an empty section": ("The first in class.", "", "line 18: the section `## Exercises` is empty"),
    "no plan": ("| part | full | short |", "| part | minutes |", "`## Timing` needs a table `| part | full | short |`"),
    "no sum": ("| **together** | **15** | **5** |", "", "the last row `| **together** | 60 | 30 |`"),
    "a wrong sum": ("| 10 | 5 |", "| 11 | 5 |", "the full lesson adds up to 16 minutes, its last row says 15"),
    "a wrong sum of the short one": ("| 10 | 5 |", "| 10 | 4 |", "the short lesson adds up to 4 minutes"),
    "another time": ("about 40", "about 45", "read alone it takes 45 minutes, and the title says 40"),
    "another time of Further": ("7 more", "8 more", "Further takes 8 more, and its heading says 7"),
    "an unknown cell": ("{#second}", "{#nowhere}", "line 31 ('Its result'): no cell of 03_sample.ipynb has"),
    "a cell that starts no slide": ("{#second}", "{#third}", "third starts no slide: its slide_type is fragment"),
    "a cell without a type": ("{#second}", "{#fourth}", "fourth starts no slide: its slide_type is None"),
    "no key": (" {#second}", "", "must end in the id of the slide's first cell"),
    "an empty note": ("**4 min.** Ask for hands.", "", "line 31 ('Its result'): the note is empty"),
    "no minutes": ("**4 min.** ", "", "line 31 ('Its result'): the note must begin with its minutes: `**2 min.**`"),
    "a silent slide": (SECOND, "", "the slide that starts with the cell second has no note: `### Title {#second}`"),
    "a question of no quiz": ("{#quiz-x-2 .talk}", "{#quiz-y-2}", "line 34 ('Question 2'): no cell of 03_sample.ipynb"),
    "a long talk": ("**3 min.** Ask it", "**4 min.** Ask it", "the talk takes 6 minutes, more than the 5 of the short"),
}


# Faults that lead to a second finding: the slide `second` then has no note.
WITH_ANOTHER = {"an unknown cell", "a cell that starts no slide", "a cell without a type", "no key"}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_finding(tmp_path, fault):
    old, new, words = FAULTS[fault]
    message, *others = findings(tmp_path, PAGE.replace(old, new, 1) if old else None)
    assert words in message
    silent = ["the slide that starts with the cell second has no note"] if fault in WITH_ANOTHER else []
    assert [other.split(": ")[1] for other in others] == silent


def test_a_key_used_twice_is_found_at_both_places(tmp_path):
    first, second, _ = findings(tmp_path, PAGE.replace("{#second}", "{#first}"))
    assert "line 25" in first and "line 31" in second and "first has 2 notes" in second


def test_notebooks_outside_a_course_need_no_page(tmp_path):
    assert findings(tmp_path, None, name="sample.ipynb") == []
