"""What stands around each page of the web edition: the values of its bar, its footer and its preview, and the zip."""

import io
import re
import tomllib
import zipfile

from nb.files import COURSE

from publish import words
from publish.words import say

NAME = "attention-course"
PICTURE = 'Arcs lead from the word "it" to the words that a model looks at: to robot, if the hill was not too steep.'
# What a copy of the course makes for itself: environments, builds, copies of notebooks, and the models' weights.
MADE = {"build", "work", "minilm", "smollm"}
HIDDEN_BUT_OURS = {".ci", ".devcontainer", ".github", ".dockerignore", ".gitattributes", ".gitignore"}
SINCE = (2026, 1, 1, 0, 0, 0)  # the date of all files in the zip, so that it depends on their contents alone


def values(zip_bytes, weights=None):
    """Return the values that the Jinja template of every page of the web edition needs, a dict, name -> value.

    Most are strs; "notebooks" is as words.notebooks returns it, "languages" as words.others, and "weights" is the
    argument, or {}. zip_bytes: the size of the course's zip, an int. weights: the sizes of the scripts with the model's
    weights, a dict as weights.write_scripts returns it, or None if there are none beside the pages.
    """
    urls = _urls()
    return {
        "notebooks": words.notebooks(),
        "root": words.root(),
        "languages": words.others(),
        "web": urls.get("Repository", "").rstrip("/"),
        "home": f"{urls['Homepage'].rstrip('/')}/" if "Homepage" in urls else "",  # previews want a whole address
        "picture": say(PICTURE),
        "copyright": re.search(r"Copyright \(c\) (.+)", (COURSE / "LICENSE").read_text("utf-8"))[1],
        "weights": weights or {},
        "zip": f"{NAME}.zip",
        "zip_size": f"{zip_bytes / 1e6:.0f} MB",
    }


def address():
    """Return the web address of the course's repository, a str, as pyproject.toml has it; None if it has none."""
    return _urls().get("Repository", "").rstrip("/") or None


def zipped():
    """Return the whole course as the bytes of a zip file, in one folder, without what a copy makes for itself."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _files(COURSE):
            entry = zipfile.ZipInfo.from_file(path, f"{NAME}/{path.relative_to(COURSE).as_posix()}")
            entry.date_time, entry.compress_type = SINCE, zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return data.getvalue()


def _files(folder):
    """Yield the Path of each file of the course below a folder, sorted, without links, hidden and generated files."""
    for path in sorted(folder.iterdir()):
        is_hidden = path.name.startswith((".", "__pycache__")) and path.name not in HIDDEN_BUT_OURS
        if path.is_symlink() or is_hidden or path.name in MADE or path.name.endswith(".egg-info"):
            continue
        if path.is_dir():
            yield from _files(path)
        else:
            yield path


def _urls():
    """Return the table project.urls of pyproject.toml, a dict, empty if it has none."""
    project = tomllib.loads((COURSE / "pyproject.toml").read_text("utf-8"))["project"]
    return project.get("urls", {})
