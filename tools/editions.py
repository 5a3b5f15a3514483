"""Make the other editions of the notebooks, in build/: slide decks, handouts for paper, and the web edition.

`python tools/editions.py --help` lists the commands slides, handout and site; handouts need chromium.
"""

import argparse
import importlib.util
import os
import sys
import time
from pathlib import Path

from nb.files import COURSE, NotebookError, display_path, find_notebooks, write_atomically

from course_utils import language
from course_utils.stopping import stoppable

PACKAGES = ("latex2mathml", "pyreveal")  # of the extra `slides`
NO_PACKAGES = "Slides and pages need two more packages: `make slides` installs them, or pip install -e '.[slides]'."

# Each command takes what `_parser` parses, and prints its messages. The first line of its docstring is its help. It
# imports what needs more packages, or is slow: Ctrl-C should end this program in one line from the beginning.


def slides(arguments: argparse.Namespace):
    """Write a slide deck of each notebook, and the index page."""
    begin, folder = time.monotonic(), _folder(arguments)
    notebooks, live = _read_with_views(arguments)
    _write_decks(folder, notebooks, live, arguments.with_solutions)
    count = f"{len(notebooks)} deck{'' if len(notebooks) == 1 else 's'}"
    print(f"{count} in {time.monotonic() - begin:.0f} s: open {display_path(folder / 'index.html')}")


def handout(arguments: argparse.Namespace):
    """Print the web page of each notebook to a PDF, with room for notes at the side and the answers on the last pages.

    Errors: NotebookError as `printed`.
    """
    from nb.format import read_notebook
    from publish import around, handout, site

    assets = site.shared_files()
    notebooks = {path: read_notebook(path) for path in find_notebooks(arguments.paths)}
    if language.current() != language.ENGLISH:
        notebooks, _ = _read_with_views(arguments)
    for path, notebook in notebooks.items():
        page, _ = site.notebook_page(path, notebook, {}, around.values(0))  # no live views, which no paper shows
        target = _folder(arguments) / f"{path.stem}.pdf"
        write_atomically(target, handout.printed(page, assets, target.name))
        print(display_path(target))


def site(arguments: argparse.Namespace):
    """Write a web page and a deck of each notebook, and the start page, in all languages, with live views.

    Pictures that no page shows any more are removed.
    """
    from publish import around, own, site, weights, words

    begin, folder, count = time.monotonic(), arguments.into, 0
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
        count += len(pages)
        for name, data in notebooks.items():
            write_atomically(_folder(arguments) / "notebooks" / name, data)
    language.use(language.ENGLISH)
    for old in set((folder / "pictures").iterdir()) - shown:
        old.unlink(missing_ok=True)
    print(f"{count} pages in {time.monotonic() - begin:.0f} s: open {display_path(folder / 'index.html')}")


def _pages(arguments: argparse.Namespace, values: dict, english: dict) -> tuple[dict, dict]:
    """Return (pages of the web edition in the current language, its notebooks): file name -> HTML, file name -> bytes.

    The scripts with the search index and the translated words are written to assets/. values: of `around.values`.
    english: path -> (the English notebook, the anchors of its headings), to which a call in English adds, the first.
    """
    from nb.format import to_bytes
    from publish import guide, lectures, reports, search_index, site, sources, words

    notebooks, live = _read_with_views(arguments)
    exercises = reports.collect(arguments.into.parent / "reports", os.cpu_count() or 1)
    listed, pages, index, texts = {one.file: one for one in words.notebooks()}, {}, [], []
    for path, notebook in notebooks.items():
        original, anchors = english.get(path, (notebook, ()))
        page, headings = site.notebook_page(path, notebook, live[path], values, exercises, anchors)
        pages[f"{path.stem}.html"] = page
        index += search_index.entries(listed[path.stem], headings, notebook, original)
        passages, terms = search_index.passages(page, path.stem)
        texts, index = texts + passages, index + terms
        english.setdefault(path, (notebook, [anchor for _, anchor, _ in headings]))
    pages["index.html"] = site.start_page(values, site.steps_of(notebooks), exercises)
    pages[f"{guide.NAME}.html"], found = guide.page(values)
    pages[f"{sources.NAME}.html"] = sources.page(values, notebooks)
    _write_decks(_folder(arguments) / "slides", notebooks, live, home="../index.html")
    if language.current() == language.ENGLISH:
        pages |= lectures.pages(values)
    index += search_index.of_start_page() + found
    for name in (guide.NAME, sources.NAME):
        texts += search_index.passages(pages[f"{name}.html"], name)[0]
    write_atomically(_folder(arguments) / "assets" / "index.js", search_index.script(index, texts))
    write_atomically(_folder(arguments) / "assets" / "words.js", words.script())
    here = language.current() == language.ENGLISH
    return pages, {path.name: path.read_bytes() if here else to_bytes(notebook) for path, notebook in notebooks.items()}


def _folder(arguments: argparse.Namespace) -> Path:
    """Return the folder for files in the current language: `into`, or for a translation a subfolder; make none."""
    from publish import words

    return arguments.into / words.folder(language.current())


def _read_with_views(arguments: argparse.Namespace) -> tuple[dict, dict]:
    """Return the notebooks and their live views in the current language, and print why any view stays a picture.

    They are path -> NotebookNode, and path -> {id of a cell: [HTML of each of its views]}. What the cache, the folder
    `views` beside `into`, lacks is made by running the notebooks.
    """
    from nb.format import read_notebook
    from publish import computed, translated, views

    notebooks = {path: read_notebook(path) for path in find_notebooks(arguments.paths)}
    cache, jobs, code = arguments.into.parent / "views", os.cpu_count() or 1, language.current()
    if code == language.ENGLISH:
        live, problems = views.collect(notebooks, cache, jobs)
    else:
        numbers = getattr(arguments, "outputs", ())
        notebooks, live, problems = translated.run(notebooks, cache / code, jobs, numbers)
    for path in live:
        live[path] |= computed.views(path.stem[3:])
    print(*problems, sep="\n", end="\n" if problems else "")
    return notebooks, live


def _write_decks(folder: Path, notebooks: dict, live: dict, with_solutions=False, home: str | None = None):
    """Write a deck of each notebook into a folder, with the files they share and their index.

    notebooks, live: as `_read_with_views` returns them. home: the address of the web edition's start page, if the decks
    are a part of it.
    """
    from nb.teaching import parse
    from publish import content, diagrams, page

    for name, data in page.shared_files().items():
        write_atomically(folder / "assets" / name, data)
    for path, notebook in notebooks.items():
        notes = path.resolve().parent.parent / "lessons" / path.stem[3:] / "teaching.md"
        spoken = parse(notes.read_text("utf-8") if notes.exists() else "")
        pictures = diagrams.pictures_before(path, notebook, notebooks)
        deck = content.Deck(notebook, spoken, live[path], path.parent, *pictures)
        text = page.deck_html(page.title_of(notebook.cells[0].source), content.columns(deck, with_solutions))
        write_atomically(folder / f"{path.stem}.html", text.encode())
    entries = [(f"{path.stem}.html", notebook.cells[0].source) for path, notebook in notebooks.items()]
    write_atomically(folder / "index.html", page.index_html(entries, home).encode())


@stoppable("Stopped: each file that was written is whole. Run this again for the others.")
def main(arguments: list[str] | None = None) -> int:
    """Run one command; return the exit code: 0, or 1 with a message for a NotebookError or a missing package."""
    arguments = _parser().parse_args(arguments)
    if not all(map(importlib.util.find_spec, PACKAGES)):
        print(NO_PACKAGES, file=sys.stderr)
        return 1
    try:
        language.use(getattr(arguments, "language", language.ENGLISH))
        arguments.command(arguments)
        return 0
    except NotebookError as error:
        print(error, file=sys.stderr)
    finally:
        language.use(language.ENGLISH)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (slides, handout, site):
        about = command.__doc__.splitlines()[0]
        sub = commands.add_parser(command.__name__, help=about, description=about)
        sub.set_defaults(command=command)
        sub.add_argument("paths", nargs="*", metavar="PATH", help="notebooks or folders (default: notebooks/)")
        into = COURSE / "build" / command.__name__
        sub.add_argument("--into", type=Path, default=into, metavar="FOLDER", help="where they stand")
        if command is site:
            words = "of the translated notebooks, run only those with these numbers (default: all)"
            sub.add_argument("--outputs", nargs="+", default=(), metavar="NUMBER", help=words)
        else:
            sub.add_argument("--language", type=language.find, default=language.ENGLISH, help="such as zh")
        if command is slides:
            sub.add_argument("--with-solutions", action="store_true", help="show solutions below their exercises")
    return parser


if __name__ == "__main__":
    sys.exit(main())
