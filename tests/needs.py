"""What a test needs beyond Python and the course: a test with the mark is skipped where the machine lacks it.

A run ends with a line for each need: how many tests were left out, and what to install. With `--left-out-to FILE`, it
writes their names to a file, and with `--only FILE` another run takes just these. With `--nothing-lacks`, a need that
is not met is a failure: so nothing is left out unseen where all is meant to be there.
"""

import importlib.util
import os
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]


class Need(NamedTuple):
    """A need of tests. what: its name, in words. install: how to meet it. lacks: returns why it is not met, or ""."""

    what: str
    install: str
    lacks: object


def _font() -> str:
    from course_utils import fonts

    return "no font has Chinese letters" if fonts.missing("中") else ""


@cache
def sandboxed():
    """Return the grader's Way in a sandbox; cached, since a trial takes seconds. Errors: NotebookError."""
    from grading import runner

    return runner.find_way()


def _sandbox() -> str:
    from nb.files import NotebookError

    try:
        sandboxed()
    except NotebookError as error:
        return str(error).partition(": ")[2].partition(".")[0]
    return ""


def _programs(*names):
    """Return a function for Need.lacks: it returns which of some programs are not on the PATH.

    names: a program each, or several with | between them, of which one is enough.
    """

    def lacks() -> str:
        missing = [name for name in names if not any(map(shutil.which, name.split("|")))]
        return f"not installed: {', '.join(missing)}" if missing else ""

    return lacks


def _packages(*names):
    """Return a function for Need.lacks: it returns which of some Python packages are not installed."""

    def lacks() -> str:
        missing = [name for name in names if importlib.util.find_spec(name) is None]
        return f"not installed: {', '.join(missing)}" if missing else ""

    return lacks


def _browser() -> str:
    return _programs("chromium-headless-shell|chromium")() or _packages("playwright", "axe_playwright_python")()


def _webkit() -> str:
    found = any(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"))
    return _programs("WebKitWebDriver", "Xvfb")() or ("" if found else "not installed: MiniBrowser")


def _git() -> str:
    if not shutil.which("git"):
        return "not installed: git"
    answer = subprocess.run(["git", "rev-parse", "--show-toplevel"], cwd=ROOT, capture_output=True, text=True)
    is_this = answer.returncode == 0 and Path(answer.stdout.strip()).resolve() == ROOT
    return "" if is_this else "this folder is not a clone"


def _weights() -> str:
    from course_utils import data, fetch

    files = [f"{name}/{file}" for name, model in fetch.MODELS.items() for file in (*model.files, *model.made)]
    missing = [file for file in files if not file.endswith(".gguf") and not data.is_right(file)]
    return f"not there: {', '.join(missing)}" if missing else ""


def _root() -> str:
    return "" if hasattr(os, "geteuid") and os.geteuid() == 0 else "the user is not root"


NEEDS = {
    "needs_browser": Need("a browser", "`apt install chromium`, `make test-browser`", cache(_browser)),
    "needs_firefox": Need("Firefox", "`apt install firefox-esr`", cache(_programs("firefox-esr"))),
    "needs_font": Need("a font with Chinese letters", "`apt install fonts-noto-cjk`", cache(_font)),
    "needs_git": Need("a clone of the course", "`git clone` it", cache(_git)),
    "needs_node": Need("Node", "`apt install nodejs`", cache(_programs("node"))),
    "needs_root": Need("the rights of root", "run them as root", cache(_root)),
    "needs_sandbox": Need("a sandbox", "`apt install bubblewrap`, on Linux", cache(_sandbox)),
    "needs_slides": Need("the extra `slides`", "`make extras`", cache(_packages("latex2mathml", "pyreveal"))),
    "needs_transformers": Need("transformers", "`make extras`", cache(_packages("transformers"))),
    "needs_webkit": Need("WebKit", "`apt install webkit2gtk-driver xvfb`", cache(_webkit)),
    "needs_weights": Need("the models' weights", "`make data`", cache(_weights)),
}


def pytest_addoption(parser):
    group = parser.getgroup("needs", "what tests need")
    group.addoption("--nothing-lacks", action="store_true", help="fail where a need is not met, instead of skipping")
    group.addoption("--leave-out", action="append", default=[], metavar="MARK", help="skip the tests with this mark")
    group.addoption("--left-out-to", metavar="FILE", help="write the names of the tests whose needs were not met")
    group.addoption("--only", metavar="FILE", help="run the tests whose names stand in a file, one a line")


def pytest_configure(config):
    for name, need in NEEDS.items():
        config.addinivalue_line("markers", f"{name}: needs {need.what}")


def pytest_collection_modifyitems(config, items):
    if file := config.getoption("only"):
        names = set(Path(file).read_text("utf-8").splitlines())
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in names])
        items[:] = [item for item in items if item.nodeid in names]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    names = [mark.name for mark in item.iter_markers()]
    for name in filter(NEEDS.__contains__, names):
        if why := NEEDS[name].lacks():
            refuse = pytest.fail if item.config.getoption("nothing_lacks") else pytest.skip
            refuse(f"{name}: {why}")
    for name in set(names).intersection(item.config.getoption("leave_out")):
        pytest.skip(name)


def pytest_terminal_summary(terminalreporter):
    """Print a line for each need that was not met, and one for each other reason to skip."""
    needs, others, left_out = Counter(), Counter(), []
    for report in terminalreporter.getreports("skipped"):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        name = reason.partition(":")[0]
        if name in NEEDS:
            needs[name] += 1
            left_out.append(report.nodeid)
        else:
            others[reason] += 1
    if file := terminalreporter.config.getoption("left_out_to"):
        Path(file).write_text("".join(f"{name}\n" for name in sorted(left_out)), "utf-8")
    lines = [
        f"{_counted(number)} for {NEEDS[name].what}: {NEEDS[name].install}" for name, number in sorted(needs.items())
    ]
    lines += [f"{_counted(number)}: {reason}" for reason, number in sorted(others.items())]
    if lines:
        terminalreporter.section("left out")
        for line in lines:
            terminalreporter.line(line)


def _counted(number: int) -> str:
    return "1 test" if number == 1 else f"{number} tests"
