"""Print how long decks and web edition take to build, how soon pages are shown, and an arc opens (`make bench`)."""

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
# From a key to the frame that shows other words in the panel of numbers.
ARM = """() => {
  const words = () => document.querySelector(".av-arc [role=tabpanel]").textContent;
  const before = words();
  window.ms = null;
  const look = (start) => {
    if (words() !== before) window.ms = performance.now() - start;
    else requestAnimationFrame(() => look(start));
  };
  const begin = ({ timeStamp }) => requestAnimationFrame(() => look(timeStamp));
  addEventListener("keydown", begin, { capture: true, once: true });
}"""
LAID_OUT = "performance.getEntriesByName('shown')[0]?.startTime"  # a deck lays out all slides first


def build(folder) -> float:
    """Build all decks and the web edition as slides/ and site/ in a folder, by subprocesses; return the seconds."""
    begin = time.perf_counter()
    for edition in ("slides", "site"):
        command = [sys.executable, COURSE / "tools" / "editions.py", edition, "--into", f"{folder}/{edition}"]
        subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def sizes(folder: Path) -> tuple[Path, str]:
    """Return (the path of a folder's largest notebook page, words on its size and that of the files pages share)."""
    path = max(folder.glob("[0-9]*.html"), key=lambda path: path.stat().st_size)
    common = sum(file.stat().st_size for file in (folder / "assets").rglob("*") if file.is_file())
    return path, f"the largest {path.stat().st_size / 1e6:.2f} MB, and {common / 1e6:.2f} MB shared"


def opened(browser, path: Path, *events: str, rounds=7):
    """Return the median milliseconds from the start of an HTML file in Chromium to each event, of some openings.

    events: JavaScript expressions that give these milliseconds, falsy before the event.
    """
    times, page = [], browser.new_page(viewport={"width": 1280, "height": 800})
    for _ in range(rounds):
        page.goto(path.as_uri())
        times.append([page.wait_for_function(event).json_value() for event in events])
    page.close()
    return map(statistics.median, zip(*times, strict=True))


def arcs(page, path: Path, rounds=15):
    """Return three medians in milliseconds from a key press: until an arc opens, shows its score, and its products."""
    times = []
    page.goto(path.as_uri())
    page.locator(".av-word").nth(2).click()  # the guess, after which the chosen word is focused
    for _ in range(rounds):
        times.append([])
        for key in ("Enter", "ArrowRight", "ArrowRight"):
            page.evaluate(ARM)
            page.keyboard.press(key)
            times[-1].append(page.wait_for_function("window.ms").json_value())
        for key in ("Escape", "ArrowRight", "ArrowLeft"):
            page.keyboard.press(key)
    return map(statistics.median, zip(*times, strict=True))


def main():
    if not (chromium := shutil.which("chromium")):
        sys.exit(lab_server.NO_CHROMIUM)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=lab_server.CHROMIUM_OPTIONS)
        folder = Path(name)
        first, again = build(folder), build(folder)
        print(f"all decks and the web edition: {first:.0f} s, and {again:.0f} s when the views are known")
        path, sizes_text = sizes(folder / "slides")
        (laid_out,) = opened(browser, path, LAID_OUT)
        print(f"decks: {sizes_text}; from a file, laid out and shown after {laid_out:.0f} ms")
        path, sizes_text = sizes(folder / "site")
        text, alive = opened(browser, path, FIRST_TEXT, ALL_ALIVE)
        print(f"web edition: {sizes_text}; from a file, first text {text:.0f} ms, all alive {alive:.0f} ms")
        start = folder / "site" / "index.html"
        (text,) = opened(browser, start, FIRST_TEXT)
        opens, score, products = arcs(browser.new_page(viewport={"width": 1280, "height": 800}), start)
        print(f"start page: {start.stat().st_size / 1e6:.2f} MB; from a file, first text {text:.0f} ms")
        print(f"an arc opens in {opens:.1f} ms, its score then in {score:.1f}, its products in {products:.1f}")
