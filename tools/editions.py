"""Make the other editions of the notebooks, in build/: slide decks, handouts for paper, and the web edition.

`python tools/editions.py --help` lists the commands slides, handout and site; handouts need chromium.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from nb.files import COURSE, NotebookError, display_path, find_notebooks, write_atomically
from nb.format import read_notebook
from nb.teaching import parse

NO_PACKAGES = "Slides and pages need two more packages: `make slides` installs them, or pip install -e '.[slides]'."

# Each command takes the parsed arguments, whose `into` is the folder to write to, and prints its messages. Its
# docstring is its help. It imports what needs the extra packages.


def slides(arguments):
    """Write a slide deck of each notebook, and the index page.

    arguments: the argparse namespace with `paths`, `into` (a folder, a Path), and the other options of the command.
    """
    from publish import page

    begin, folder = time.monotonic(), arguments.into
    notebooks, live = _read_with_views(arguments)
    for name, data in page.shared_files().items():
        write_atomically(folder / "assets" / name, data)
    for path, notebook in notebooks.items():
        deck = _deck(path, notebook, live[path], arguments.with_solutions)
        write_atomically(folder / f"{path.stem}.html", deck.encode())
    entries = [(f"{path.stem}.html", notebook.cells[0].source) for path, notebook in notebooks.items()]
    write_atomically(folder / "index.html", page.index_html(entries).encode())
    count = f"{len(notebooks)} deck{'' if len(notebooks) == 1 else 's'}"
    print(f"{count} in {time.monotonic() - begin:.0f} s: open {display_path(folder / 'index.html')}")


def handout(arguments):
    """Print each notebook to a PDF, with room for notes at the side and the answers on the last pages.

    arguments: as for `slides`.
    """
    from publish.handout import handout_html, print_page

    for path in find_notebooks(arguments.paths):
        page = handout_html(read_notebook(path), path.parent)
        print(display_path(print_page(page, arguments.into / f"{path.stem}.pdf")))


def site(arguments):
    """Write a web page of each notebook, and the start page, with live views and without a kernel.

    arguments: as for `slides`.
    """
    from publish import around, own, reports, search_index, site, weights

    from course_utils import course

    begin, folder = time.monotonic(), arguments.into
    notebooks, live = _read_with_views(arguments)
    sizes = weights.write_scripts(folder / "model")
    exercises = reports.collect(folder.parent / "reports", os.cpu_count() or 1)
    archive, listed = around.zipped(), {one.file: one for one in course.notebooks()}
    values, pages, index = around.values(len(archive), sizes), {}, []
    write_atomically(folder / values["zip"], archive)
    for name, data in (site.shared_files() | own.shared_files(folder / "model", sizes)).items():
        write_atomically(folder / "assets" / name, data)
    for path, notebook in notebooks.items():
        pages[f"{path.stem}.html"], headings = site.notebook_page(path, notebook, live[path], values, exercises)
        index += search_index.entries(listed[path.stem], headings, notebook)
    write_atomically(folder / "assets" / "index.js", search_index.script(index))
    pages["index.html"] = site.start_page(values, site.steps_of(notebooks), exercises)
    shown = set()
    for name, page in pages.items():
        page, pictures = site.with_pictures_beside(page)
        for picture, data in pictures.items():
            write_atomically(folder / picture, data)
        write_atomically(folder / name, page.encode())  # after its pictures: somebody may be reading it
        shown.update(folder / picture for picture in pictures)
    for old in set((folder / "pictures").iterdir()) - shown:
        old.unlink(missing_ok=True)
    for path in notebooks:
        write_atomically(folder / "notebooks" / path.name, path.read_bytes())
    print(f"{len(notebooks) + 1} pages in {time.monotonic() - begin:.0f} s: open {display_path(folder / 'index.html')}")


def _read_with_views(arguments):
    """Return the notebooks and their live views, and print why any view stays a picture.

    Returns two dicts: path -> NotebookNode, and path -> a dict, id of a cell -> list with the HTML of each of its
    views. The keys are Paths. arguments: the argparse namespace, as for `slides`.
    """
    from publish import computed, views

    notebooks = {path: read_notebook(path) for path in find_notebooks(arguments.paths)}
    live, problems = views.collect(notebooks, arguments.into.parent / "views", os.cpu_count() or 1)
    for path in live:
        live[path] |= computed.views(path.stem[3:])
    print(*problems, sep="\n", end="\n" if problems else "")
    return notebooks, live


def _deck(path, notebook, live, with_solutions):
    """Return the HTML of one notebook's deck, a str.

    path: of the notebook, a Path. notebook: a NotebookNode. live: its live views, a dict, id of a cell -> list with the
    HTML of each view. with_solutions: whether solutions get slides, a bool.
    """
    from publish import content, diagrams, page

    notes = path.resolve().parent.parent / "docs" / "teaching" / f"{path.stem[3:]}.md"
    spoken = parse(notes.read_text("utf-8") if notes.exists() else "")
    emblem, before = diagrams.pictures_before(path, notebook)
    deck = content.Deck(notebook, spoken, live, path.parent, emblem, before)
    return page.deck_html(page.title_of(notebook.cells[0].source), content.columns(deck, with_solutions))


def main(arguments=None):
    """Run one command; return the exit code, 0 or 1. arguments: a list of strings, by default the command line."""
    arguments = _parser().parse_args(arguments)
    try:
        arguments.command(arguments)
        return 0
    except ModuleNotFoundError as error:
        if error.name not in ("latex2mathml", "pyreveal"):
            raise
        print(NO_PACKAGES, file=sys.stderr)
    except NotebookError as error:
        print(error, file=sys.stderr)
    return 1


def _parser():
    """Return the argparse parser of all commands; `command` in the namespace it returns is the function to call."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (slides, handout, site):
        about = command.__doc__.splitlines()[0]
        sub = commands.add_parser(command.__name__, help=about, description=about)
        sub.set_defaults(command=command)
        sub.add_argument("paths", nargs="*", metavar="PATH", help="notebooks or folders (default: notebooks/)")
        into = COURSE / "build" / command.__name__
        sub.add_argument("--into", type=Path, default=into, metavar="FOLDER", help="where they stand")
        if command is slides:
            sub.add_argument("--with-solutions", action="store_true", help="show solutions below their exercises")
    return parser


if __name__ == "__main__":
    sys.exit(main())
