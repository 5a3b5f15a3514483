"""Read `lessons/sources.bib`, the list of works that the course names, and say how a page cites one."""

from functools import cache

from pybtex.database import Entry, PybtexError, parse_file

from course_utils import lessons
from nb.files import NotebookError

FILE = lessons.FOLDER / "sources.bib"


@cache
def read() -> list[Entry]:
    """Return the works in the order of the file, as pybtex's entries. Errors: NotebookError."""
    try:
        return list(parse_file(FILE).entries.values())
    except PybtexError as error:
        raise NotebookError(f"{FILE.name}: {error}") from None


def surnames(work: Entry) -> list[str]:
    """Return the authors' surnames, and `others` where the list has it."""
    return [" ".join(author.prelast_names + author.last_names).strip("{}") for author in work.persons["author"]]


def cited(work: Entry) -> str:
    """Return a work as pages cite it: `Vaswani and others, 2017, *Attention Is All You Need*`."""
    first, *more = surnames(work)
    authors = first if not more else f"{first} and {more[0] if len(more) == 1 else 'others'}"
    return f"{authors}, {work.fields['year']}, *{work.fields.get('shorttitle', work.fields['title'])}*"
