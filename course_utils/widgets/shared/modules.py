"""A bundler that puts the ES modules of a view into one script.

It is needed because neither anywidget nor a page opened from disk can import one file from another. Each file is in
the script once, in a scope of its own.

A file has one purpose: `numbers.js` computes, `svg.js` makes pictures, `elements.js` the parts of a page, `keys.js` and
`room.js` what keyboard and window do, `memory.js` keeps what a reader of the web edition did. A view's own file exports
`render`. The model that reads a visitor's sentence there is `encoder.js`; `encoder_worker.js` runs it in a worker, on
the weights that tools/publish/weights.py lays beside the pages, and tools/publish/assets/own has the page around it.
"""

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[1]
IMPORT = re.compile(r'^import (\{[^}]*\}) from "(\.\.?/(?:[^"]*/)?([^"/]+))";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|function|class) (\w+))", re.MULTILINE)
OTHER_FORM = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@cache
def bundle(*names, folder=FOLDER):
    """Return JavaScript, a str, that defines `modules`, an object from the name of each file to its exports.

    names: the names of files in `folder`, a Path, or in its folders; no two files there have one name. The files that
    they import are bundled, too. Each file comes once, after the files that it imports, and in a scope of its own, so
    that equal names in two files do not collide. The result is cached.
    Errors: FileNotFoundError if a named file does not exist; ValueError if an imported one does not, for files that
    import each other, and for imports and exports in another form than `import { a, b } from "./file.js";`, where the
    file may lie in another folder, and `export` before const, function or class.
    """
    return "const modules = {};\n" + "".join(scopes(*names, folder=folder).values())


@cache
def scopes(*names, folder=FOLDER):
    """Return the files of a bundle in their order, a dict from Path to JavaScript that defines its exports.

    Arguments and errors: as for `bundle`. The result is cached, and must not be changed.
    """
    found = {}
    for name in names:
        _add(find(name, folder), found, ())
    return found


def find(name, folder=FOLDER):
    """Return the Path of the file with a name in `folder`, a Path, or in its folders.

    Errors: FileNotFoundError if there is none.
    """
    for path in folder.resolve().rglob(name):
        return path
    raise FileNotFoundError(f"No file in {folder} or in its folders is called {name}: correct the name.")


def _add(path, scopes, importers):
    """Add a file to a dict after those that it imports; importers: those that led here. Errors: as for `bundle`."""
    if path in scopes:
        return
    if path in importers:
        names = " imports ".join(each.name for each in (*importers, path))
        raise ValueError(f"{names}: move what both need into a file of its own.")
    source = path.read_text("utf-8")
    for _, place, _ in IMPORT.findall(source):
        other = (path.parent / place).resolve()
        if not other.is_file():
            raise ValueError(f'{path.name} imports "{place}", but there is no such file: correct its name or folder.')
        _add(other, scopes, (*importers, path))
    body = EXPORT.sub("", IMPORT.sub(r'const \1 = modules["\3"];', source))
    if wrong := OTHER_FORM.search(body):
        raise ValueError(
            f'{path.name} has the line {wrong[0]!r}: write `import {{ a, b }} from "./file.js";`, and put `export` '
            "before const, function or class."
        )
    exported = ", ".join(EXPORT.findall(source))
    scopes[path] = f'modules["{path.name}"] = (() => {{\n{body}return {{ {exported} }};\n}})();\n'
