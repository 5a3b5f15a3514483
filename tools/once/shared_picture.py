"""Draw the picture of a shared link to the web edition, 1200 x 630, from the README's picture; needs chromium."""

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
SIZE = {"width": 1200, "height": 630}
PAGE = """<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light">
<style>body { margin: 0; height: 630px; display: grid; place-content: center; justify-items: center; gap: 36px;
font: 650 54px system-ui, sans-serif; background: #fff; color: #1c1c1c } svg { width: 1080px; height: auto }
em { color: #c74a00 }</style>
<div>What does <em>it</em> mean?</div>%s"""

if __name__ == "__main__":
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)
        page.set_content(PAGE % (ROOT / "docs" / "one_word.svg").read_text("utf-8"))
        page.screenshot(path=ROOT / "tools" / "publish" / "assets" / "site" / "shared.png")
        browser.close()
