"""Test tools/install.py: with stand-ins for uv and for PyTorch, in a real environment and without network."""

import base64
import hashlib
import os
import shutil
import sys
import sysconfig
import time
import zipfile
from pathlib import Path
from venv import create

import install
import pytest

UV = """
import os, subprocess, sys, time
with open(os.environ["SAID"], "a") as file:
    print(*sys.argv[1:], *(os.environ[f"UV_HTTP_{name}"] for name in ("TIMEOUT", "RETRIES")), file=file)
if os.environ["STAND_IN"] == "hangs":
    subprocess.Popen(["sleep", "1000"])  # a child, which holds what its parent holds
    time.sleep(1000)
if os.environ["STAND_IN"] == "fails":
    sys.exit("  cause: no such host")
if "--dry-run" not in sys.argv:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]
    subprocess.run([*pip, "torch==1.0+cpu"], env=os.environ | {"PIP_FIND_LINKS": os.environ["INDEX"]}, check=True)
"""


def wheel(folder, name, version, code=""):
    """Write a wheel with one module to a folder, which is made if it is missing."""
    folder.mkdir(exist_ok=True)
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}/__init__.py": "",
        f"{name}/__main__.py": code,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    hashes = {path: hashlib.sha256(text.encode()).digest() for path, text in files.items()}
    sums = {path: base64.urlsafe_b64encode(value).decode().rstrip("=") for path, value in hashes.items()}
    files[f"{info}/RECORD"] = "".join(f"{path},sha256={sums[path]},\n" for path in files) + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)


@pytest.fixture(scope="module")
def venv(tmp_path_factory):
    """Return the folder of an environment that has a copy of this one's pip, which takes less than ensurepip does."""
    folder = tmp_path_factory.mktemp("course") / ".venv"
    create(folder, symlinks=os.name != "nt")
    own = sysconfig.get_path("purelib", vars={"base": folder})
    for part in Path(sysconfig.get_path("purelib")).glob("pip*"):
        shutil.copytree(part, Path(own, part.name))
    return folder


@pytest.fixture
def empty(venv, monkeypatch):
    """Put an empty course in the place of ours, whose lock asks for PyTorch 1.0; return its folder."""
    lock, stamp = venv.parent / "requirements.lock", venv / "requirements.lock"
    lock.write_text("torch==1.0\n")
    stamp.unlink(missing_ok=True)
    for name, value in {"COURSE": venv.parent, "VENV": venv, "LOCK": lock, "STAMP": stamp}.items():
        monkeypatch.setattr(install, name, value)
    monkeypatch.setattr(install.sys, "platform", "linux")
    monkeypatch.delenv("TORCH", raising=False)
    return venv.parent


@pytest.fixture
def python(venv, empty, tmp_path, monkeypatch):
    """Return the Python of an environment for which pip finds PyTorch 1.0 and uv in a folder, and nothing else."""
    wheel(tmp_path / "wheels", "torch", "1.0")
    wheel(tmp_path / "wheels", "uv", "0.9", UV)
    wheel(tmp_path / "index", "torch", "1.0+cpu")
    settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": tmp_path / "wheels", "PIP_CONFIG_FILE": os.devnull}
    settings |= {"SAID": tmp_path / "said", "INDEX": tmp_path / "index", "STAND_IN": "installs"}
    for name, value in settings.items():
        monkeypatch.setenv(name, str(value))
    for name in ("PIP_CONSTRAINT", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    for folder in venv.glob("[lL]ib/**/site-packages/torch*"):  # left by another test
        shutil.rmtree(folder)
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def test_on_linux_uv_installs_the_build_without_cuda_and_pip_leaves_it(python, tmp_path, capfd):
    install.packages(python)
    assert install._installed(python, "torch") == "1.0+cpu" and install._installed(python, "uv") == ""
    asked, installed = (tmp_path / "said").read_text().splitlines()
    options = f"pip install --python {python} --no-deps --torch-backend=cpu"
    assert asked == f"{options} --dry-run torch==1.0 5 0"
    assert installed == f"{options} --reinstall torch==1.0 5 0"
    assert "did not answer" not in capfd.readouterr().out
    install.torch(python)
    assert len((tmp_path / "said").read_text().splitlines()) == 2  # it is there, so nobody is asked


def test_where_the_index_hangs_pip_goes_on_and_one_line_says_so(python, capfd, monkeypatch):
    monkeypatch.setenv("STAND_IN", "hangs")
    monkeypatch.setattr(install, "PATIENCE", 2)
    install.packages(python)
    lines = [line for line in capfd.readouterr().out.splitlines() if "PyTorch" in line]
    assert lines == [install.NO_ANSWER.format(why="2 seconds passed")] and "3 GB" in lines[0]
    assert install._installed(python, "torch") == "1.0" and install._installed(python, "uv") == ""


def test_what_is_waited_for_takes_ten_seconds_at_most():
    assert int(install.QUICK["UV_HTTP_TIMEOUT"]) < install.PATIENCE <= 8  # the rest is for pip, to get uv


@pytest.mark.parametrize(
    ("stand_in", "why"), [("fails", "no such host"), (None, "uv, which asks it, could not be installed")]
)
def test_where_uv_fails_or_is_not_to_be_had_the_reason_is_said(python, tmp_path, monkeypatch, stand_in, why):
    monkeypatch.setenv("STAND_IN", stand_in or "")
    if stand_in is None:
        next((tmp_path / "wheels").glob("uv-*")).unlink()
    assert install._by_uv(python, "torch==1.0") == why


@pytest.mark.parametrize(
    ("platform", "asked", "found", "by_uv", "removed"),
    [
        ("linux", "", "", True, False),
        ("linux", "", "0.9+cpu", True, False),
        ("linux", "", "1.0", False, False),
        ("linux", "", "1.0+cpu", False, False),
        ("linux", "cpu", "1.0", True, False),
        ("linux", "cpu", "1.0+cpu", False, False),
        ("linux", "cuda", "", False, False),
        ("linux", "cuda", "1.0", False, False),
        ("linux", "cuda", "1.0+cpu", False, True),
        ("darwin", "", "", False, False),
        ("win32", "", "", False, False),
    ],
)
def test_which_build_is_taken(empty, monkeypatch, platform, asked, found, by_uv, removed):
    monkeypatch.setattr(install.sys, "platform", platform)
    monkeypatch.setenv("TORCH", asked)
    monkeypatch.setattr(install, "_installed", lambda python, name: found)
    calls = []
    monkeypatch.setattr(install, "_by_uv", lambda python, requirement: calls.append(requirement))
    monkeypatch.setattr(install, "_run", lambda *command: calls.append(command[-1]))
    install.torch("python")
    assert calls == ["torch==1.0"] * by_uv + ["torch"] * removed


def test_another_build_is_refused(empty, monkeypatch, capsys):
    monkeypatch.setenv("TORCH", "gpu")
    with pytest.raises(install.Stopped, match="TORCH=gpu is not known: choose cpu or cuda"):
        install.torch(sys.executable)


def test_an_environment_is_renewed_when_the_content_of_the_lock_differs_whatever_its_date(empty, monkeypatch):
    calls = []
    monkeypatch.setattr(install, "torch", lambda python: None)
    monkeypatch.setattr(install, "_run", lambda *command: calls.append(command))
    install.environment()
    assert len(calls) == 3 and install.STAMP.read_text() == "torch==1.0\n"
    os.utime(install.LOCK, (time.time() + 9, time.time() + 9))
    install.environment()
    assert len(calls) == 3  # the same content with a later date
    install.LOCK.write_text("torch==1.0\nnew==2\n")
    os.utime(install.LOCK, (0, 0))
    install.environment()
    assert len(calls) == 6 and install.STAMP.read_bytes() == install.LOCK.read_bytes()


def test_an_installation_that_was_killed_between_two_files_is_taken_up_again(python, monkeypatch):
    monkeypatch.setattr(install, "torch", lambda python: None)
    install.packages(python)
    (record,) = install.VENV.glob("[lL]ib/**/torch-*.dist-info/RECORD")
    record.unlink()
    install._forget_half_installed()
    install.packages(python, "--upgrade")
    assert record.is_file()


def test_what_stops_pip_is_said_with_what_to_do(tmp_path):
    with pytest.raises(install.Stopped, match=r"^pip stopped\. Run the same again.* delete \.venv first\.$"):
        install._pip(sys.executable, "--no-index", "--requirement", tmp_path / "nothing")


def test_an_interrupt_is_one_line(empty, monkeypatch, capfd):
    def interrupted(*command):
        raise KeyboardInterrupt

    monkeypatch.setattr(install, "_run", interrupted)
    assert install.main([]) == 130
    assert "it goes on from here" in capfd.readouterr().err.strip()


def test_who_names_a_part_that_is_not_there_is_told_the_parts(capsys):
    assert install.main(["course", "hubs"]) == 2
    assert capsys.readouterr() == ("", "There is no part hubs: choose from packages, hub and course.\n")


def test_a_python_that_is_too_old_is_told_which(monkeypatch, capsys):
    monkeypatch.setattr(install.sys, "version_info", (3, 10, 1))
    assert install.main([]) == 1
    assert "needs Python 3.11, 3.12 or 3.13" in (told := capsys.readouterr().err) and "is 3.10" in told
