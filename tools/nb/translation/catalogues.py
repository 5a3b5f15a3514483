"""Read, renew and write the catalogues of a language, .po files of gettext in course_utils/locale/, by Babel."""

import io

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from course_utils import course, language
from nb.files import PUBLISHED, write_atomically
from nb.format import read_notebook
from nb.translation import library, notebook

# Without dates, which would change with every run.
HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Language: {}\\n"\n\n'


def names():
    """Return a list of the names of all catalogues of a language, without suffix, such as "notebooks/05_dropout"."""
    pages = course.notebooks()
    own = [f"notebooks/{page.file}" for page in pages] + [f"exercises/{page.topic}" for page in pages]
    return [*own, *library.PARTS]


def source(name):
    """Return the texts that the catalogue `name` should hold for the present course, a list of (context, text, file).

    context: the id of the cell for a notebook's text, else None. file: where the text stands.
    """
    kind, _, rest = name.partition("/")
    if kind == "notebooks":
        page = read_notebook(PUBLISHED / f"{rest}.ipynb")
        return [(cell.id, text, f"notebooks/{rest}.ipynb") for cell in page.cells for text in notebook.texts(cell)]
    texts = library.of_exercises(rest) if kind == "exercises" else library.PARTS[name]()
    return [(None, text, file) for text, file in texts]


def path(code, name):
    """Return the Path of the catalogue `name` of a language. code: the language, such as "zh"."""
    return language.FOLDER / code / f"{name}.po"


def read(code, name):
    """Return the stored catalogue `name` of a language, a babel Catalog; an empty one if there is no such file.

    code: the language, such as "zh".
    """
    if not path(code, name).exists():
        return Catalog(locale=code)
    return read_po(io.BytesIO(path(code, name).read_bytes()), locale=code)


def renewed(code, name):
    """Return the catalogue `name` with each text of the course as it is now, and its translation if there is one.

    It is a babel Catalog, as `update` writes it. Where a text has changed, the translation of the most similar one
    stays beside it, marked as fuzzy. code: the language, such as "zh".
    """
    template, stored = Catalog(locale=code), read(code, name)
    for context, text, file in source(name):
        template.add(text, locations=[(file, None)], context=context)
    stored.update(template)
    for message in stored:
        message.flags -= {"python-format", "python-brace-format"}  # Babel guesses them, wrongly for Markdown
    return stored


def update(code, name):
    """Renew the file of the catalogue `name`, if there is one; return whether it changed, a bool.

    A new catalogue begins as an empty file; without a file, nothing is written. code: the language, such as "zh".
    """
    if not path(code, name).exists():
        return False
    data = to_bytes(renewed(code, name), code)
    changed = path(code, name).read_bytes() != data
    if changed:
        write_atomically(path(code, name), data)
    return changed


def to_bytes(catalogue, code):
    """Return a babel Catalog as the bytes of its .po file. code: the language, such as "zh"."""
    file = io.BytesIO()
    write_po(file, catalogue, width=0, omit_header=True, include_lineno=False)
    return HEAD.format(code).encode() + file.getvalue().lstrip(b"\n")
