"""A deck as a PDF: chromium prints the pages that the deck lays out for `?print-pdf`, with every step shown."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from notebook_files import NotebookError, shown

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
NO_BROWSER = "Handouts need chromium, from the system's package manager: apt install chromium, brew install chromium."
PATIENCE = 120  # seconds


def print_deck(deck, target):
    """Print the deck (an HTML file) into the PDF `target`; return its path. NotebookError says what is missing."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise NotebookError(NO_BROWSER)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        part = Path(home) / "deck.pdf"
        command = [browser, "--headless", "--disable-gpu", f"--user-data-dir={home}", "--no-pdf-header-footer"]
        command += ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []  # root gets no sandbox
        command += [f"--print-to-pdf={part}", f"{deck.resolve().as_uri()}?print-pdf"]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise NotebookError(f"{shown(deck)}: printing took more than {PATIENCE} s, and was stopped.") from None
        if not part.exists():
            raise NotebookError(f"{shown(deck)} was not printed: {(run.stderr.strip() or 'no reason given')[-300:]}")
        shutil.copy(part, target)
    return target
