"""Render a deck and the index page as HTML, and collect the files that all decks share."""

import html
import re
from importlib.resources import files
from pathlib import Path
from string import Template

from publish import markup, views
from publish.content import slide_html
from publish.markup import markdown, plain

ASSETS = Path(__file__).parent / "assets" / "deck"
REVEAL = {"reveal.js": "dist/reveal.js", "reveal.css": "dist/reveal.css", "reveal-LICENSE.txt": "LICENSE"}


def deck_html(title, columns):
    """Return the HTML page of a deck. title: text. columns: lists of Slides, each from top to bottom."""
    slides = "".join(f"<section>\n{''.join(map(slide_html, column))}</section>\n" for column in columns)
    return _template("deck.html").substitute(title=html.escape(title), slides=slides)


def index_html(notebooks):
    """Return the HTML page that lists the decks.

    notebooks: pairs of a deck's file name and the Markdown of its notebook's title cell.
    """
    lines = "".join(_entry(name, source) for name, source in notebooks)
    return _template("index.html").substitute(lines=lines)


def shared_files():
    """Return the files that all decks share: file name -> bytes. reveal.js comes from the package pyreveal."""
    reveal = files("pyreveal") / "revealjs"
    shared = {name: (reveal / path).read_bytes() for name, path in REVEAL.items()}
    shared |= {path.name: path.read_bytes() for path in ASSETS.iterdir() if path.suffix in (".js", ".css")}
    return shared | markup.shared_files() | views.shared_files()


def title_of(source):
    """Return the title of a notebook as plain text. source: the Markdown of its title cell."""
    return plain(source.splitlines()[0].lstrip("# "))


def _entry(name, source):
    """Return a notebook's entry on the index page, as HTML, with its title, question and minutes."""
    question = re.search(r"^\*\*(.+)\*\*\s*$", source, re.MULTILINE)
    minutes = re.search(r"\d+( to \d+)? minutes", source)
    about = f"<span>{markdown(question[1]) if question else ''}</span><small>{minutes[0] if minutes else ''}</small>"
    return f'<li><a href="{name}">{html.escape(title_of(source))}</a>{about}</li>\n'


def _template(name):
    return Template((ASSETS / name).read_text("utf-8"))
