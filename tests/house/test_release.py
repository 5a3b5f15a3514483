"""Test what a release may not have, and what is found when it is tried in an empty folder."""

import zipfile

import nbformat
import pytest
from nb.translation import catalogues
from nbformat.v4 import new_code_cell, new_notebook
from publish import release
from publish.around import NAME

WHEEL = {
    "course_utils/__init__.py": "",
    "course_utils/checks.py": "all = list",
    "course_utils/course.py": "from types import SimpleNamespace\nnotebooks = lambda: [SimpleNamespace(topic='a')]",
    "course_utils/data.py": "load = len",
    "course_utils/quiz.py": "load = len",
}


@pytest.fixture
def parts(tmp_path):
    """Return a function that makes the parts of a small release: packed(code, link) -> list of Paths.

    code: of the only cell of its notebook. link: from the only page of its web edition to that of its decks.
    """

    def packed(code, link):
        notebook = nbformat.writes(new_notebook(cells=[new_code_cell(code)]))
        contents = {
            "course_utils-1-py3-none-any.whl": WHEEL,
            f"{NAME}-1.zip": {
                f"{NAME}/course_utils/__init__.py": "WHOLE = True",
                f"{NAME}/notebooks/01_a.ipynb": notebook,
            },
            f"{NAME}-1-site.zip": {"index.html": f'<a href="{link}">on</a>', "there.html": "<p>"},
        }
        for name, files in contents.items():
            with zipfile.ZipFile(tmp_path / name, "w") as archive:
                for path, text in files.items():
                    archive.writestr(path, text)
        return [tmp_path / name for name in contents]

    return packed


def test_a_whole_release_is_found_whole(parts):
    assert release.attempt(parts("import course_utils\nassert course_utils.WHOLE", "there.html#top")) == []


def test_a_dead_link_and_a_notebook_that_fails_are_named(parts):
    run, link = release.attempt(parts("import course_utils\ncourse_utils.missing", "gone.html?a=1"))
    assert "do not run" in run and "missing" in run
    assert link == f"{NAME}-1-site.zip/index.html leads to gone.html, which is not there."


def test_a_version_without_its_date_is_in_the_way(monkeypatch, tmp_path):
    monkeypatch.setattr(release, "COURSE", tmp_path)
    monkeypatch.setattr(release, "_version", lambda: "2.0")
    monkeypatch.setattr(catalogues, "names", list)
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [2.0] - 2026-11-27\n")
    assert list(release.in_the_way()) == []
    (tmp_path / "CHANGELOG.zh.md").write_text("# Changelog\n\n## [2.0] - unreleased\n")
    (only,) = release.in_the_way()
    assert only.startswith("CHANGELOG.zh.md has no heading `## [2.0] - <date>`")


def test_a_sentence_without_its_translation_is_in_the_way(monkeypatch):
    whole = catalogues.renewed

    def renewed(code, name):
        catalogue = whole(code, name)
        next(one for one in catalogue if one.id).string = ""
        return catalogue

    monkeypatch.setattr(catalogues, "names", lambda: ["session"])
    assert not [one for one in release.in_the_way() if "session.po" in one]
    monkeypatch.setattr(catalogues, "renewed", renewed)
    assert any(one.startswith("zh_Hans/session.po: 1 of ") for one in release.in_the_way())
