"""Fixtures: `bare` and `machine`, a hub's machine without and with students' homes."""

import tempfile
from pathlib import Path

import pytest
from homes import Machine


@pytest.fixture
def bare():
    """Yield a Machine without homes."""
    with tempfile.TemporaryDirectory() as folder:  # other users cannot enter pytest's own folders
        Path(folder).chmod(0o755)
        yield Machine(Path(folder))


@pytest.fixture
def machine(bare):
    """Return a Machine with homes: students anna, ben and chris, a teacher, and new, who never started a server."""
    for name in ("anna", "ben", "chris", "teacher"):
        bare.home(name)
    bare.mkdir(bare.folder / "home-new")
    bare.theirs(bare.folder / "home-new")
    return bare
