"""Make slide decks and handouts of the notebooks, in build/slides/ and build/handout/.

python tools/slides.py build [NOTEBOOKS] [--with-solutions]    decks that need no network, and an index page
python tools/slides.py handout [NOTEBOOKS]                     a PDF of each notebook, for paper (needs chromium)
"""

import argparse
import os
import sys
import time
from pathlib import Path

from notebook_files import COURSE, NotebookError, find_notebooks, shown, write_atomically

NO_PACKAGES = "Decks need two more packages: `make slides` installs them, or pip install -e '.[slides]'."


def build(arguments):
    """Write a slide deck of each notebook, and the index page."""
    from notebook_format import read_notebook
    from publish import page, views

    begin, folder = time.monotonic(), arguments.into
    notebooks = {path: read_notebook(path) for path in find_notebooks(arguments.paths)}
    live, problems = views.collect(notebooks, folder.parent / "views", os.cpu_count() or 1)
    for name, data in page.shared_files().items():
        write_atomically(folder / "assets" / name, data)
    for path, notebook in notebooks.items():
        deck = _deck(path, notebook, live[path], arguments.with_solutions)
        write_atomically(folder / f"{path.stem}.html", deck.encode())
    entries = [(f"{path.stem}.html", notebook.cells[0].source) for path, notebook in notebooks.items()]
    write_atomically(folder / "index.html", page.index_html(entries).encode())
    print(*problems, sep="\n", end="\n" if problems else "")
    count = f"{len(notebooks)} deck{'' if len(notebooks) == 1 else 's'}"
    print(f"{count} in {time.monotonic() - begin:.0f} s: open {shown(folder / 'index.html')}")
    return False


def _deck(path, notebook, live, with_solutions):
    """Return the HTML of one notebook's deck.

    path: of the notebook. live: id of a cell -> the HTML of each of its live views. with_solutions: whether solutions
    are on slides, too.
    """
    from publish import content, page
    from teaching import parse

    notes = path.resolve().parent.parent / "docs" / "teaching" / f"{path.stem[3:]}.md"
    spoken = parse(notes.read_text("utf-8") if notes.exists() else "")
    emblem, before = _drawn_before(path, notebook)
    deck = content.Deck(notebook, spoken, live, path.parent, emblem, before)
    return page.deck_html(page.title_of(notebook.cells[0].source), content.columns(deck, with_solutions))


def _drawn_before(path, notebook):
    """Return (picture for a deck's cover, the diagram that grows, as the notebooks before leave it).

    Both are HTML; "" if there is none. path: of the notebook. notebook: as read from there.
    """
    from notebook_format import read_notebook
    from publish.content import diagram_of, sentence_of

    listed = find_notebooks([path.parent])
    earlier = [diagram_of(read_notebook(one)) for one in listed if one.name < path.name]
    emblem = diagram_of(notebook) or sentence_of(read_notebook(listed[0]))
    return emblem, next((one for one in reversed(earlier) if one), "")


def handout(arguments):
    """Print each notebook to a PDF, with room for notes at the side and the answers on the last pages."""
    from notebook_format import read_notebook
    from publish.handout import handout_html, print_page

    for path in find_notebooks(arguments.paths):
        page = handout_html(read_notebook(path), path.parent)
        print(shown(print_page(page, arguments.into / f"{path.stem}.pdf")))
    return False


def main(arguments=None):
    """Run one command; return the exit code, 0 or 1.

    arguments: the command line, a list of strings; by default that of the process.
    """
    arguments = _parser().parse_args(arguments)
    try:
        return int(arguments.command(arguments))
    except ModuleNotFoundError as error:
        if error.name not in ("latex2mathml", "pyreveal"):
            raise
        print(NO_PACKAGES, file=sys.stderr)
    except NotebookError as error:
        print(error, file=sys.stderr)
    return 1


def _parser():
    """Return the argparse parser of both commands; in what it parses, `command` is the function to call."""
    parser = argparse.ArgumentParser(description="Make slide decks and handouts of the notebooks.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (build, handout):
        sub = commands.add_parser(command.__name__, help=command.__doc__, description=command.__doc__)
        sub.set_defaults(command=command)
        sub.add_argument("paths", nargs="*", metavar="PATH", help="notebooks or folders (default: notebooks/)")
        into = COURSE / "build" / ("slides" if command is build else "handout")
        sub.add_argument("--into", type=Path, default=into, metavar="FOLDER", help="where they stand")
        if command is build:
            sub.add_argument("--with-solutions", action="store_true", help="show solutions below their exercises")
    return parser


if __name__ == "__main__":
    sys.exit(main())
