"""Make a release in build/release/, and try it without network (`make release`).

It holds the wheel, the course's sources, the web edition and the decks, each whole by itself, and their checksums.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

from nb.files import COURSE, write_atomically

from course_utils import language
from course_utils.stopping import stoppable
from publish import around

# What is run in the unpacked release: what the wheel holds is loaded, and notebooks run in the sources.
IMPORTED = """
import importlib, pkgutil, course_utils
assert course_utils.__file__.startswith({folder!r}), f"course_utils comes from {{course_utils.__file__}}"
for module in pkgutil.walk_packages(course_utils.__path__, "course_utils."):
    importlib.import_module(module.name)
from course_utils import checks, course, data, quiz
checks.all(), data.load("six_tokens"), [quiz.load(notebook.topic) for notebook in course.notebooks()]
"""
EXECUTED = """
import nbformat
from nbclient import NotebookClient
for path in {notebooks!r}:
    folder = {{"metadata": {{"path": {folder!r}}}}}
    NotebookClient(nbformat.read(path, as_version=4), timeout=600, resources=folder).execute()
"""


def in_the_way():
    """Yield a sentence for each changelog without this version and its date, and each catalogue that is not whole."""
    from nb.translation import catalogues

    version = _version()
    for changelog in sorted(COURSE.glob("CHANGELOG*.md")):
        if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog.read_text("utf-8"), re.M):
            yield f"{changelog.name} has no heading `## [{version}] - <date>`: write what is new, and when."
    for code in language.available():
        for name in catalogues.names():
            messages = catalogues.messages(code, name)
            if missing := sum(map(catalogues.is_open, messages)):
                yield f"{code}/{name}.po: {missing} of {len(messages)} are open: try `translations.py check`."


def make(folder: Path) -> list[Path]:
    """Build the parts of a release into a folder, which is emptied first, and build/; return their paths, sorted."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = [*pip, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, COURSE]
    subprocess.run(wheel, check=True)
    name = f"{around.NAME}-{_version()}"
    write_atomically(folder / f"{name}.zip", around.zipped())
    decks = [["slides"], *(["slides", "--language", code] for code in language.available())]
    for edition in (["site"], *decks):
        subprocess.run([sys.executable, COURSE / "tools" / "editions.py", *edition], check=True)
    for edition in ("site", "slides"):
        shutil.make_archive(folder / f"{name}-{edition}", "zip", COURSE / "build" / edition)
    parts = sorted(folder.iterdir())
    sums = "".join(f"{hashlib.sha256(part.read_bytes()).hexdigest()}  {part.name}\n" for part in parts)
    write_atomically(folder / "SHA256SUMS", sums.encode())
    return parts


def attempt(parts: list[Path]) -> list[str]:
    """Try the parts of a release in an empty folder, without network where the system lets a program do without.

    The modules, exercises and quizzes of the wheel are loaded, the first two notebooks run in the sources, and each
    link between the pages of the web edition and of the decks must lead to a file. Return sentences on what is wrong.
    """
    problems = []
    with tempfile.TemporaryDirectory() as name:
        empty = Path(name).resolve()
        for part in parts:
            zipfile.ZipFile(part).extractall(empty / part.name)
        (wheel,) = (str(empty / part.name) for part in parts if part.suffix == ".whl")
        sources = next(empty.glob(f"*.zip/{around.NAME}"))
        folder, paths = str(sources / "notebooks"), sorted((sources / "notebooks").glob("0[01]_*.ipynb"))
        for what, place, code in (
            ("The wheel cannot be imported", wheel, IMPORTED.format(folder=wheel)),
            ("The notebooks do not run", sources, EXECUTED.format(folder=folder, notebooks=list(map(str, paths)))),
        ):
            environment = {**os.environ, "HOME": name, "PYTHONPATH": str(place)}
            run = [*_offline(), sys.executable, "-P", "-c", code]
            tried = subprocess.run(run, cwd=empty, env=environment, capture_output=True, text=True)
            if tried.returncode:
                problems.append(f"{what}: {tried.stderr.strip()[-2000:]}")
        for page in sorted(empty.glob("*-s*.zip/**/*.html")):
            for link in re.findall(r'(?:href|src)="([^":#?]+)[#?"]', page.read_text("utf-8")):
                if not (page.parent / link).exists():
                    problems.append(f"{page.relative_to(empty)} leads to {link}, which is not there.")
    return problems


def _offline() -> list[str]:
    """Return the beginning of a command that runs without network; where the system has none, say so and return []."""
    command = ["unshare", "--net", "--map-root-user", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    if shutil.which("unshare") and not subprocess.run([*command, "true"], capture_output=True).returncode:
        return command
    print("This system runs no program without network: what follows is tried with it.")
    return []


def _version() -> str:
    return tomllib.loads((COURSE / "pyproject.toml").read_text("utf-8"))["project"]["version"]


@stoppable("Stopped: the release is not complete.")
def main():
    if problems := list(in_the_way()):
        sys.exit("\n".join(["Nothing was made.", *problems]))
    parts = make(COURSE / "build" / "release")
    for part in parts:
        print(f"{part.stat().st_size / 1e6:6.1f} MB  {part.name}")
    if problems := attempt(parts):
        sys.exit("\n".join(problems))
    print("Tried in an empty folder: the wheel is imported, notebooks run, and each page's links lead to files.")


if __name__ == "__main__":
    main()
