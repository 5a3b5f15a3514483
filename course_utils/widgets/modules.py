"""A bundler that puts the ES modules of a view into one script.

It is needed because neither anywidget nor a page opened from disk can import one file from another.
"""

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|function|class) (\w+))", re.MULTILINE)
OTHER_FORM = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@cache
def bundle(*names, folder=FOLDER):
    """Return JavaScript, a str, that defines `modules`, an object from the name of each file to its exports.

    names: the names of files in `folder`, a Path; the files that they import are bundled, too. Each file comes once,
    after the files that it imports, and in a scope of its own, so that equal names in two files do not collide. Cached.
    Errors: FileNotFoundError if a named file does not exist; ValueError if an imported one does not, for files that
    import each other, and for imports and exports in another form than `import { a, b } from "./file.js";` and `export`
    before const, function or class.
    """
    return "const modules = {};\n" + "".join(scopes(*names, folder=folder).values())


@cache
def scopes(*names, folder=FOLDER):
    """Return the files of a bundle in their order, a dict from file name to JavaScript that defines its exports.

    Arguments and errors: as for `bundle`. The result is cached, and must not be changed.
    """
    found = {}
    for name in names:
        _add(name, folder, found, ())
    return found


def _add(name, folder, scopes, importers):
    """Add the bundled source of a file to a dict, after those of the files that it imports, unless it is there.

    name: the file's name in `folder`, a Path. scopes: the dict, from file name to source; it is changed. importers: a
    tuple of the files whose imports led here, in order. Errors: those of `bundle`.
    """
    if name in scopes:
        return
    if name in importers:
        raise ValueError(f"{' imports '.join((*importers, name))}: move what both need into a file of its own.")
    source = (folder / name).read_text("utf-8")
    for _, other in IMPORT.findall(source):
        if not (folder / other).is_file():
            raise ValueError(f'{name} imports "./{other}", but there is no such file beside it: correct the name.')
        _add(other, folder, scopes, (*importers, name))
    body = EXPORT.sub("", IMPORT.sub(r'const \1 = modules["\2"];', source))
    if wrong := OTHER_FORM.search(body):
        raise ValueError(
            f'{name} has the line {wrong[0]!r}: write `import {{ a, b }} from "./file.js";`, and put `export` before '
            "const, function or class."
        )
    exported = ", ".join(EXPORT.findall(source))
    scopes[name] = f'modules["{name}"] = (() => {{\n{body}return {{ {exported} }};\n}})();\n'
