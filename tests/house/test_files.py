"""Test that files are written whole, and that temporary folders are removed, or known as nobody's."""

import os
import subprocess
import sys
import threading

import pytest

from course_utils import files

# A process that makes a temporary folder in a folder, prints its name, and stays in it until its standard input ends.
STAY = """
import sys
from pathlib import Path
from course_utils.files import temporary_folder
with temporary_folder(Path(sys.argv[1])) as temporary:
    (temporary / "half").write_bytes(b"half a fi")
    print(temporary.name, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def stay(tmp_path):
    """Return stay(), which starts a process with a temporary folder in tmp_path, and returns its Popen and the Path.

    The process is killed after the test.
    """
    begun = []

    def stay():
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        begun.append(subprocess.Popen([sys.executable, "-c", STAY, tmp_path], **pipes))
        return begun[-1], tmp_path / begun[-1].stdout.readline().strip()

    yield stay
    for process in begun:
        process.kill()
        process.wait()


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    file = tmp_path / "new" / "file"
    files.write_atomically(file, b"first")

    def refuse(*paths):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken, pytest.raises(OSError):
        broken.setattr(os, "replace", refuse)
        files.write_atomically(file, b"second")
    assert file.read_bytes() == b"first" and list(file.parent.iterdir()) == [file]


@pytest.mark.skipif(os.name == "nt", reason="on Windows, links need rights that a test may not have")
@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_stays_and_its_file_is_written(tmp_path, is_there):
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "target", tmp_path / "link"
    if is_there:
        target.write_bytes(b"old")
    link.symlink_to(target)
    files.write_atomically(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"


def test_a_temporary_folder_is_gone_afterwards(tmp_path):
    with pytest.raises(KeyboardInterrupt), files.temporary_folder(tmp_path) as temporary:
        assert temporary.parent == tmp_path
        raise KeyboardInterrupt
    assert [path.name for path in tmp_path.iterdir()] == [files.LOCK]


@pytest.mark.timed
def test_a_folder_in_use_is_left_alone_and_a_killed_ones_is_removed(tmp_path, stay):
    process, temporary = stay()
    files.remove_leftovers(tmp_path)
    assert (temporary / "half").exists()
    process.kill()
    process.wait()
    assert temporary.exists()
    files.remove_leftovers(tmp_path)
    assert not temporary.exists()


@pytest.mark.timed
def test_a_second_process_waits_and_says_so(tmp_path, stay, capsys):
    process, temporary = stay()
    seen = []

    def take_turn():
        with files.temporary_folder(tmp_path):
            seen.append(temporary.exists())

    second = threading.Thread(target=take_turn)
    second.start()
    while not (said := capsys.readouterr().out):
        second.join(0.05)
    assert said.startswith("Waiting for another process") and not seen
    process.communicate()  # the first one ends
    second.join()
    assert seen == [False]


def test_where_the_disk_has_no_locks_nobody_waits_and_nothing_else_is_removed(tmp_path, monkeypatch):
    def refuse(*args):
        raise OSError(37, "No locks available")

    monkeypatch.setattr("filelock.FileLock.acquire", refuse)
    with files.temporary_folder(tmp_path) as first, files.temporary_folder(tmp_path) as second:
        files.remove_leftovers(tmp_path)
        assert first.is_dir() and second.is_dir()
    assert list(tmp_path.iterdir()) == []
