"""A learner's folder, for the tests of what is kept there."""

import pytest


@pytest.fixture
def work(tmp_path, monkeypatch):
    """Change to a learner's folder with a notebook in it, where progress is kept, and return the folder."""
    monkeypatch.delenv("COURSE_PROGRESS", raising=False)  # set to off for all tests
    (tmp_path / "01_mine.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path
