"""Build the web edition of the course in build/site/: pages that need no server, no network and no kernel.

python tools/web_edition.py [NOTEBOOKS] [--into FOLDER]
"""

import argparse
import os
import shutil
import sys
import time
from pathlib import Path

from notebook_files import COURSE, NotebookError, find_notebooks, shown, write_atomically

NO_PACKAGES = "The pages need two more packages: `make site` installs them, or pip install -e '.[slides]'."


def build(paths, folder):
    """Write a page for each notebook, the start page, and the files that they share; print what was done.

    paths: notebooks or folders; if empty, all published notebooks. folder: where to, a Path.
    """
    from notebook_format import read_notebook
    from publish import site, views

    begin = time.monotonic()
    notebooks = {path: read_notebook(path) for path in find_notebooks(paths)}
    live, problems = views.collect(notebooks, folder.parent / "views", os.cpu_count() or 1)
    for name, data in site.shared_files().items():
        write_atomically(folder / "assets" / name, data)
    shutil.rmtree(folder / "pictures", ignore_errors=True)
    for path, notebook in notebooks.items():
        _write(folder, f"{path.stem}.html", site.notebook_page(path, notebook, live[path]))
        write_atomically(folder / "notebooks" / path.name, path.read_bytes())
    _write(folder, "index.html", site.start_page())
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{len(notebooks) + 1} pages in {time.monotonic() - begin:.0f} s: open {shown(folder / 'index.html')}")


def _write(folder, name, page):
    """Write a page into a folder, with its pictures in files beside it. name: of its file. page: its HTML."""
    from publish import site

    page, pictures = site.with_pictures_beside(page)
    write_atomically(folder / name, page.encode())
    for picture, data in pictures.items():
        write_atomically(folder / picture, data)


def main(arguments=None):
    """Build the web edition; return the exit code, 0 or 1.

    arguments: the command line, a list of strings; by default that of the process.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", metavar="PATH", help="notebooks or folders (default: notebooks/)")
    parser.add_argument("--into", type=Path, default=COURSE / "build" / "site", metavar="FOLDER")
    arguments = parser.parse_args(arguments)
    try:
        build(arguments.paths, arguments.into)
        return 0
    except ModuleNotFoundError as error:
        if error.name not in ("latex2mathml", "pyreveal"):
            raise
        print(NO_PACKAGES, file=sys.stderr)
    except NotebookError as error:
        print(error, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
