"""Rules about sources: a work has its name, its link, and its entry in `lessons/sources.bib`."""

import re
from urllib.parse import urlsplit

from nb import sources
from nb.rules.links import LINK
from nb.rules.model import Notebook

NAMELESS = re.compile(r"\b(the|this|that|original) paper\b", re.IGNORECASE)
NAMED = re.compile(r"\b([A-Z][\w’'-]+)(?: and (?:[A-Z][\w’'-]+|others))?,? \(?((?:19|20)\d\d)\b")
MONTHS = "January February March April May June July August September October November December".split()
READ_NEXT, WORKS, WORDS = "### Read next", 2, 70


def works_are_named(notebook: Notebook):
    """Yield (Cell, message) for each work without its name, its link or its entry in the list.

    A page cites a work as the list does, and links it where it names it first. Later, its first author and its year
    are enough.
    """
    by_url = {work.fields["url"]: work for work in sources.read()}
    hosts = {urlsplit(url).netloc for url in by_url} - {"github.com"}
    linked = set()
    for cell in notebook.markdown_cells:
        if nameless := NAMELESS.search(cell.source):
            yield cell, f"{nameless[0]!r}: name the work, with a link, as lessons/sources.bib has it"
        for text, url, *_ in LINK.findall(cell.source):
            work = by_url.get(url)
            if work is None and urlsplit(url).netloc in hosts:
                yield cell, f"link to {url}: lessons/sources.bib has no such work; add it, with author, year and title"
            elif work is not None and text != sources.cited(work) and url not in linked:
                yield cell, f"link to {url}: its text must be [{sources.cited(work)}]"
            linked.add(url)
        for surname, year in NAMED.findall(cell.source):
            written = [work for work in by_url.values() if _is_named(work, surname) and year == work.fields["year"]]
            if not written and surname not in MONTHS:
                yield cell, f"{surname}, {year}: no such work is in lessons/sources.bib"
            elif written and not linked & {work.fields["url"] for work in written}:
                yield (
                    cell,
                    f"{surname}, {year}: link the work where it is named first, [{sources.cited(written[0])}](…)",
                )


def _is_named(work, name: str) -> bool:
    # "Ben Allal" is found by its last word
    return any(name in surname.split() for surname in sources.surnames(work)) or name in work.fields["title"]


def next_to_read_is_short(notebook: Notebook):
    """Yield (Cell, message) for a list of what to read next that is longer than two works or seventy words."""
    for cell in notebook.markdown_cells:
        if cell.source.startswith(READ_NEXT):
            works = re.findall(r"^- ", cell.source, re.MULTILINE)
            words = LINK.sub(r"\1", cell.source.removeprefix(READ_NEXT)).split()
            if len(works) != WORKS or len(words) > WORDS:
                yield cell, f"names {len(works)} works in {len(words)} words: {WORKS}, in {WORDS} words at most"
