"""The machine with homes that several files share."""

import tempfile
from pathlib import Path

import pytest
from homes import Machine


@pytest.fixture
def bare():
    """A machine without homes."""
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are closed to other users
        Path(folder).chmod(0o755)
        yield Machine(Path(folder))


@pytest.fixture
def machine(bare):
    """A machine with the homes of students, of a teacher, and of somebody who has started no server yet."""
    for name in ("anna", "ben", "chris", "teacher"):
        bare.home(name)
    bare.mkdir(bare.folder / "home-new")
    bare.theirs(bare.folder / "home-new")
    return bare
