"""Read, renew and write the catalogues of a language, .po files of gettext, by Babel."""

import io

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from course_utils import course, language
from course_utils.language import path
from nb.files import PUBLISHED, write_atomically
from nb.format import read_notebook
from nb.translation import library, notebook

# Without dates, which would change with every run.
HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Language: {}\\n"\n\n'


def names() -> list[str]:
    """Return the names of all catalogues that a language can have, such as "notebooks/dropout" and "site"."""
    pages = course.notebooks()
    return [*(f"{kind}/{page.topic}" for kind in language.OF_LESSONS for page in pages), *library.PARTS]


def source(name: str) -> list[tuple]:
    """Return (id of a notebook's cell or None, text, file) for each present text of the catalogue `name`."""
    kind, _, rest = name.partition("/")
    if kind == "notebooks":
        file = next(f"{page.file}.ipynb" for page in course.notebooks() if page.topic == rest)
        cells = read_notebook(PUBLISHED / file).cells
        return [(cell.id, text, f"notebooks/{file}") for cell in cells for text in notebook.texts(cell)]
    texts = library.of_exercises(rest) if kind == "exercises" else library.PARTS[name]()
    return [(None, text, file) for text, file in texts]


def read(code: str, name: str) -> Catalog:
    """Return the stored catalogue `name` of a language, parsed; an empty one if there is no such file."""
    stored = path(code, name).read_bytes() if path(code, name).exists() else b""
    return read_po(io.BytesIO(stored), locale=code)


def renewed(code: str, name: str) -> Catalog:
    """Return the catalogue `name` with the texts of the course as it is now, and their stored translations.

    Beside a changed text stands the translation of the most similar old one, as fuzzy. No file changes.
    """
    template, stored = Catalog(locale=code), read(code, name)
    for context, text, file in source(name):
        template.add(text, locations=[(file, None)], context=context)
    stored.update(template)
    for message in stored:
        message.flags -= {"python-format", "python-brace-format"}  # Babel guesses them, wrongly for Markdown
    return stored


def messages(code: str, name: str) -> list:
    return [message for message in renewed(code, name) if message.id]


def is_open(message) -> bool:
    return message.fuzzy or not message.string


def update(code: str, name: str) -> bool:
    """Write `renewed` into the file of the catalogue `name`; return whether it changed, False if there is no file."""
    if not path(code, name).exists():
        return False
    data = to_bytes(renewed(code, name), code)
    changed = path(code, name).read_bytes() != data
    if changed:
        write_atomically(path(code, name), data)
    return changed


def to_bytes(catalogue: Catalog, code: str) -> bytes:
    """Return a catalogue as the content of its .po file, whose head names the language `code` and no dates."""
    file = io.BytesIO()
    write_po(file, catalogue, width=0, omit_header=True, include_lineno=False)
    return HEAD.format(code).encode() + file.getvalue().lstrip(b"\n")
