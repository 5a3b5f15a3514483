"""What stands around each page of the web edition: the values of its bar, its footer and its preview, and the zip."""

import io
import re
import tomllib
import zipfile
from pathlib import Path

from nb.files import COURSE

from publish import words
from publish.words import say

NAME = "attention-course"
PICTURE = 'Arcs lead from the word "it" to the words that a model looks at: to robot, if the hill was not too steep.'
# What a copy of the course makes for itself: environments, builds, copies of notebooks, and the models' weights.
MADE = {"build", "work", "minilm", "smollm"}
HIDDEN_BUT_OURS = {".ci", ".devcontainer", ".github", ".dockerignore", ".gitattributes", ".gitignore"}
SINCE = (2026, 1, 1, 0, 0, 0)  # the date of all files in the zip, so that it depends on their contents alone


def values(zip_bytes: int, weights: dict | None = None) -> dict:
    """Return the values, by name, that the Jinja template of every page of the web edition needs.

    weights: what weights.write_scripts returned.
    """
    home = _urls().get("Homepage")
    return {
        "notebooks": words.notebooks(),
        "root": words.root(),
        "languages": words.others(),
        "web": address() or "",
        "home": f"{home.rstrip('/')}/" if home else "",  # previews want a whole address
        "picture": say(PICTURE),
        "copyright": re.search(r"Copyright \(c\) (.+)", (COURSE / "LICENSE").read_text("utf-8"))[1],
        "weights": weights or {},
        "zip": f"{NAME}.zip",
        "zip_size": f"{zip_bytes / 1e6:.0f} MB",
    }


def address() -> str | None:
    """Return the web address of the course's repository, without / at its end; None if pyproject.toml names none."""
    return _urls().get("Repository", "").rstrip("/") or None


def zipped() -> bytes:
    """Return the content of a zip file: the whole course in one folder, without links, hidden and generated files."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files():
            entry = zipfile.ZipInfo.from_file(path, f"{NAME}/{path.relative_to(COURSE).as_posix()}")
            entry.date_time, entry.compress_type = SINCE, zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return data.getvalue()


def files(folder: Path = COURSE):
    """Yield the Path of each file of the course below a folder, sorted, without links, hidden and generated files."""
    for path in sorted(folder.iterdir()):
        is_hidden = path.name.startswith((".", "__pycache__")) and path.name not in HIDDEN_BUT_OURS
        if path.is_symlink() or is_hidden or path.name in MADE or path.name.endswith(".egg-info"):
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def _urls() -> dict[str, str]:
    """Return the table project.urls of pyproject.toml, name -> address; {} if it has none."""
    project = tomllib.loads((COURSE / "pyproject.toml").read_text("utf-8"))["project"]
    return project.get("urls", {})
