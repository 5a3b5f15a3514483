"""Print a page of the web edition to PDF with an installed Chromium."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from nb.files import NotebookError, write_atomically
from nb.processes import error_output

from course_utils import language
from publish import words

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
NO_BROWSER = (
    "Handouts need chromium, from the system's package manager: apt install chromium, brew install chromium. Or open "
    "the page of `make site` in a browser of yours: what it prints is the same."
)
PATIENCE = 120  # seconds that printing may take
NOT_INTO_THE_WEB = re.compile(r'(<a [^>]*?)href="(?!https?://|#)[^"]*"')


def printed(page: str, assets: dict[str, bytes], name: str) -> bytes:
    """Return a page of the web edition, HTML in the current language, as a PDF; links into its folder are words there.

    assets: file name -> content of what all pages share. name: for messages. Errors: NotebookError.
    """
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise NotebookError(NO_BROWSER)
    with tempfile.TemporaryDirectory() as home:
        source, pdf = Path(home, words.folder(language.current()), "page.html"), Path(home, "page.pdf")
        write_atomically(source, NOT_INTO_THE_WEB.sub(r"\1", page).encode())
        for path, data in assets.items():
            write_atomically(Path(home, "assets", path), data)
        command = [browser, "--headless", "--disable-gpu", f"--user-data-dir={home}/browser", "--no-pdf-header-footer"]
        command += ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []  # root gets no sandbox
        try:
            errors = error_output([*command, f"--print-to-pdf={pdf}", source.as_uri()], PATIENCE)
        except subprocess.TimeoutExpired:
            raise NotebookError(f"{name}: printing took more than {PATIENCE} s, and was stopped.") from None
        if not pdf.exists():
            raise NotebookError(f"{name} was not printed: {(errors.strip() or 'no reason given')[-300:]}")
        return pdf.read_bytes()
