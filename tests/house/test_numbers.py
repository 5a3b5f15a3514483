"""Test that pages name notebooks by links with the right number, and that code and data give no notebook numbers."""

import re
from functools import cache

import pytest
from nb.files import COURSE
from nb.rules.links import misnumbered
from nb.translation import catalogues
from publish import around

from course_utils import course

FILES = [path.relative_to(COURSE).as_posix() for path in around.files()]
HISTORY = {"CHANGELOG.md", "CHANGELOG.zh.md"}  # keep the numbers of past versions
PAGES = [file for file in FILES if file.endswith(".md") and file not in HISTORY]
CODE = [
    file
    for file in FILES
    if re.match(r"(course_utils|tools|data|lessons/(?!\w+/(answers|claims|quiz_answers)))\b.*\.(py|js|css|json)$", file)
]


@cache
def chinese_titles():
    headings = {one.file: next(iter(catalogues.source(f"notebooks/{one.topic}"))) for one in course.notebooks()}
    tables = {file: catalogues.read("zh_Hans", f"notebooks/{file[3:]}") for file in headings}
    return {file: tables[file].get(text, id).string.partition(" · ")[2] for file, (id, text, _) in headings.items()}


@pytest.mark.parametrize("file", PAGES)
def test_a_page_names_notebooks_by_links(file):
    text = (COURSE / file).read_text("utf-8")
    titles = chinese_titles() if file.endswith(".zh.md") else None
    assert list(misnumbered(re.sub(r"```.*?```", "", text, flags=re.DOTALL), titles)) == []


@pytest.mark.parametrize("file", PAGES)
def test_a_link_of_a_page_has_its_file(file):
    text = re.sub(r"```.*?```|`[^`]*`", "", (COURSE / file).read_text("utf-8"), flags=re.DOTALL)
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert [target for target in targets if target and not (COURSE / file).parent.joinpath(target).exists()] == []


def test_code_and_data_number_no_notebook():
    files = [file for file in CODE if not file.endswith("nb/rules/links.py")]  # its messages show such a name
    found = {file: re.findall(r"\b[Nn]otebooks? \d+", (COURSE / file).read_text("utf-8")) for file in files}
    assert found and {file: names for file, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("see notebook 4", "without a link"),
        ("see [notebook 5](04_causal_masking.ipynb)", "it is notebook 4"),
        ("[5 · Causal masking](04_causal_masking.ipynb)", "must be 4 · Causal masking"),
        ("[4 · Masks](04_causal_masking.ipynb)", "must be 4 · Causal masking"),
        ('<a href="04_causal_masking.ipynb">notebook 7</a>', "it is notebook 4"),
        ("[notebook 7](../causal_masking/teaching.md)", "it is notebook 4"),
        ("see [notebook 4](04_causal_masking.ipynb), and 12 notebooks", None),
        ("[4 · Causal masking](../notebooks/04_causal_masking.ipynb#Recap)", None),
        ("[the leak test](04_causal_masking.ipynb)", None),
        ("[notebooks 4](04_causal_masking.ipynb) and [5](05_dropout.ipynb)", None),
        ("[1 · elsewhere](https://example.org/a.html)", None),
    ],
)
def test_a_wrong_number_is_seen_and_a_right_one_is_not(text, wrong):
    problems = list(misnumbered(text))
    assert len(problems) == (wrong is not None) and all(wrong in problem for problem in problems)
