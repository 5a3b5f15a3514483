"""Make the other editions of the notebooks, in build/: slide decks, handouts for paper, and the web edition.

`python tools/editions.py --help` lists the commands slides, handout and site; handouts need chromium.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from nb.files import COURSE, NotebookError, display_path, find_notebooks, write_atomically
from nb.format import read_notebook, to_bytes
from nb.teaching import parse

from course_utils import language

NO_PACKAGES = "Slides and pages need two more packages: `make slides` installs them, or pip install -e '.[slides]'."

# Each command takes the parsed arguments, whose `into` is the folder to write to, and prints its messages. Its
# docstring is its help. It imports what needs the extra packages.


def slides(arguments):
    """Write a slide deck of each notebook, and the index page.

    arguments: the argparse namespace with `paths`, `into` (a folder, a Path), and the other options of the command.
    """
    from publish import page

    begin, folder = time.monotonic(), _folder(arguments)
    notebooks, live = _read_with_views(arguments)
    for name, data in page.shared_files().items():
        write_atomically(folder / "assets" / name, data)
    for path in notebooks:
        deck = _deck(path, notebooks, live[path], arguments.with_solutions)
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

    notebooks = {path: read_notebook(path) for path in find_notebooks(arguments.paths)}
    if language.current() != language.ENGLISH:
        notebooks, _ = _read_with_views(arguments)
    for path, notebook in notebooks.items():
        target = _folder(arguments) / f"{path.stem}.pdf"
        print(display_path(print_page(handout_html(notebook, path.parent), target)))


def site(arguments):
    """Write a web page of each notebook, and the start page, in all languages, with live views and without a kernel.

    arguments: as for `slides`.
    """
    from publish import around, own, site, weights, words

    begin, folder = time.monotonic(), arguments.into
    sizes, archive, shown, english = weights.write_scripts(folder / "model"), around.zipped(), set(), {}
    write_atomically(folder / f"{around.NAME}.zip", archive)
    for name, data in (site.shared_files() | own.shared_files(folder / "model", sizes)).items():
        write_atomically(folder / "assets" / name, data)
    for code in words.editions():
        language.use(code)
        pages, notebooks = _pages(arguments, around.values(len(archive), sizes), english)
        for name, page in pages.items():
            page, pictures = site.with_pictures_beside(page)
            for picture, data in pictures.items():
                write_atomically(folder / picture, data)
            write_atomically(_folder(arguments) / name, page.encode())  # after its pictures: somebody may be reading it
            shown.update(folder / picture for picture in pictures)
        for name, data in notebooks.items():
            write_atomically(_folder(arguments) / "notebooks" / name, data)
    language.use(language.ENGLISH)
    for old in set((folder / "pictures").iterdir()) - shown:
        old.unlink(missing_ok=True)
    count = len(words.editions()) * len(pages)
    print(f"{count} pages in {time.monotonic() - begin:.0f} s: open {display_path(folder / 'index.html')}")


def _pages(arguments, values, english):
    """Return the pages of the web edition in the current language, and its notebooks: two dicts from a file's name.

    The scripts with its words are written, too. values: as `around.values` returns them. english: a dict, path -> (the
    English notebook, the anchors of its headings), which is filled when the pages are English, and read otherwise.
    """
    from publish import reports, search_index, site, words

    notebooks, live = _read_with_views(arguments)
    exercises = reports.collect(arguments.into.parent / "reports", os.cpu_count() or 1)
    listed, pages, index = {one.file: one for one in words.notebooks()}, {}, []
    for path, notebook in notebooks.items():
        original, anchors = english.get(path, (notebook, ()))
        page, headings = site.notebook_page(path, notebook, live[path], values, exercises, anchors)
        pages[f"{path.stem}.html"] = page
        index += search_index.entries(listed[path.stem], headings, notebook, original)
        english.setdefault(path, (notebook, [anchor for _, anchor, _ in headings]))
    pages["index.html"] = site.start_page(values, site.steps_of(notebooks), exercises)
    index += search_index.of_start_page()
    write_atomically(_folder(arguments) / "assets" / "index.js", search_index.script(index))
    write_atomically(_folder(arguments) / "assets" / "words.js", words.script())
    here = language.current() == language.ENGLISH
    return pages, {path.name: path.read_bytes() if here else to_bytes(notebook) for path, notebook in notebooks.items()}


def _folder(arguments):
    """Return the folder in which files in the current language are written, a Path. arguments: as for `slides`."""
    from publish import words

    return arguments.into / words.folder(language.current())


def _read_with_views(arguments):
    """Return the notebooks and their live views in the current language, and print why any view stays a picture.

    Returns two dicts: path -> NotebookNode, and path -> a dict, id of a cell -> list with the HTML of each of its
    views. The keys are Paths. arguments: the argparse namespace, as for `slides`.
    """
    from publish import computed, translated, views

    notebooks = {path: read_notebook(path) for path in find_notebooks(arguments.paths)}
    cache, jobs = arguments.into.parent / "views", os.cpu_count() or 1
    if language.current() == language.ENGLISH:
        live, problems = views.collect(notebooks, cache, jobs)
    else:
        notebooks, live, problems = translated.run(
            notebooks, cache / language.current(), jobs, getattr(arguments, "outputs", ())
        )
    for path in live:
        live[path] |= computed.views(path.stem[3:])
    print(*problems, sep="\n", end="\n" if problems else "")
    return notebooks, live


def _deck(path, notebooks, live, with_solutions):
    """Return the HTML of one notebook's deck, a str.

    path: of the notebook, a Path. notebooks: a dict, path -> NotebookNode, which has it and perhaps others. live: its
    live views, a dict, id of a cell -> list with the HTML of each view. with_solutions: whether solutions get slides.
    """
    from publish import content, diagrams, page

    notebook = notebooks[path]
    notes = path.resolve().parent.parent / "docs" / "teaching" / f"{path.stem[3:]}.md"
    spoken = parse(notes.read_text("utf-8") if notes.exists() else "")
    emblem, before = diagrams.pictures_before(path, notebook, notebooks)
    deck = content.Deck(notebook, spoken, live, path.parent, emblem, before)
    return page.deck_html(page.title_of(notebook.cells[0].source), content.columns(deck, with_solutions))


def main(arguments=None):
    """Run one command; return the exit code, 0 or 1. arguments: a list of strings, by default the command line."""
    arguments = _parser().parse_args(arguments)
    try:
        language.use(getattr(arguments, "language", language.ENGLISH))
        arguments.command(arguments)
        return 0
    except ModuleNotFoundError as error:
        if error.name not in ("latex2mathml", "pyreveal"):
            raise
        print(NO_PACKAGES, file=sys.stderr)
    except NotebookError as error:
        print(error, file=sys.stderr)
    finally:
        language.use(language.ENGLISH)
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
        if command is not site:
            sub.add_argument("--language", type=language.find, default=language.ENGLISH, help="such as zh")
        if command is site:
            words = "of the translated notebooks, run only those with these numbers (default: all)"
            sub.add_argument("--outputs", nargs="+", default=(), metavar="NUMBER", help=words)
        if command is slides:
            sub.add_argument("--with-solutions", action="store_true", help="show solutions below their exercises")
    return parser


if __name__ == "__main__":
    sys.exit(main())
