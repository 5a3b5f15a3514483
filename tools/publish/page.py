"""Render a deck and the index page as HTML, and collect the files that all decks share."""

import re
from importlib.resources import files

from publish import markup, views
from publish.content import Slide, slide_html
from publish.markup import markdown, plain
from publish.words import say, script

REVEAL = {"reveal.js": "dist/reveal.js", "reveal.css": "dist/reveal.css", "reveal-LICENSE.txt": "LICENSE"}


def deck_html(title: str, columns: list[list[Slide]]) -> str:
    slides = "".join(f"<section>\n{''.join(map(slide_html, column))}</section>\n" for column in columns)
    return markup.template("deck/deck.html").render(title=title, slides=slides)


def index_html(notebooks: list[tuple[str, str]], home: str | None = None) -> str:
    """Return the HTML page that lists the decks.

    notebooks: of each (file name, the Markdown of its title cell). home: the address of the web edition, if any.
    """
    decks = []
    for name, source in notebooks:
        question = re.search(r"^\*\*(.+)\*\*\s*$", source, re.MULTILINE)
        minutes = re.search(rf"^{re.escape(say('**Time**'))} ([^·\n]+)", source, re.MULTILINE)
        words = markdown(question[1]) if question else "", minutes[1].strip() if minutes else ""
        decks.append((name, title_of(source), *words))
    return markup.template("deck/index.html").render(decks=decks, home=home)


def shared_files() -> dict[str, bytes]:
    """Return file name -> content of the files that all decks share; reveal.js comes from pyreveal."""
    reveal = files("pyreveal") / "revealjs"
    shared = {name: (reveal / path).read_bytes() for name, path in REVEAL.items()}
    return shared | markup.shared_files("deck") | views.shared_files() | {"words.js": script()}


def title_of(source: str) -> str:
    """Return the title of a notebook as plain text. source: the Markdown of its title cell."""
    return plain(source.splitlines()[0].lstrip("# "))
