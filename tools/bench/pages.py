"""Print how long decks and web edition take to build, and how soon their largest page is shown (`make bench`)."""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nb.files import COURSE

sys.path.insert(0, str(COURSE / "tests" / "browser"))
import lab_server  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

FIRST_TEXT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
ALL_ALIVE = "performance.getEntriesByType('navigation')[0].loadEventEnd"  # views are drawn while the page loads
LAID_OUT = "performance.getEntriesByName('shown')[0]?.startTime"  # a deck lays out all slides first


def build(folder):
    """Build all decks and the web edition into a folder, by their commands; return how many seconds that took."""
    begin = time.perf_counter()
    for edition in ("slides", "site"):
        command = [sys.executable, COURSE / "tools" / "editions.py", edition, "--into", f"{folder}/{edition}"]
        subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def sizes(folder, shared):
    """Return (Path of a folder's largest page, text with its size and that of all files in the subfolder `shared`)."""
    path = max(folder.glob("[0-9]*.html"), key=lambda path: path.stat().st_size)
    common = sum(file.stat().st_size for file in (folder / shared).rglob("*") if file.is_file())
    return path, f"the largest {path.stat().st_size / 1e6:.2f} MB, and {common / 1e6:.2f} MB shared"


def opened(path, *events, rounds=7):
    """Open a page in Chromium `rounds` times; return an iterator over the median milliseconds until each event.

    path: of an HTML file. events: JavaScript expressions that give the time of the event, or a falsy value before it.
    """
    times = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=lab_server.CHROMIUM_OPTIONS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        for _ in range(rounds):
            page.goto(path.as_uri())
            times.append([page.wait_for_function(event).json_value() for event in events])
        browser.close()
    return map(statistics.median, zip(*times, strict=True))


def main():
    if not shutil.which("chromium"):
        sys.exit(lab_server.NO_CHROMIUM)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, again = build(folder), build(folder)
        print(f"all decks and the web edition: {first:.0f} s, and {again:.0f} s when the views are known")
        path, sizes_text = sizes(folder / "slides", "assets")
        (laid_out,) = opened(path, LAID_OUT)
        print(f"decks: {sizes_text}; from a file, laid out and shown after {laid_out:.0f} ms")
        path, sizes_text = sizes(folder / "site", "assets")
        text, alive = opened(path, FIRST_TEXT, ALL_ALIVE)
        print(f"web edition: {sizes_text}; from a file, first text {text:.0f} ms, all alive {alive:.0f} ms")


if __name__ == "__main__":
    main()
