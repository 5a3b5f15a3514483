"""Open a slide deck in a browser, and go to its slides."""

import re
from pathlib import Path

LEGIBLE = [24, 20, 18]  # pixels on a slide 720 high: the smallest text, label and code that the last row can read


def measure(sizes=LEGIBLE):
    """Return the JavaScript that measures all slides of a deck. sizes: the smallest of text, labels and code."""
    return f"({Path(__file__).with_name('deck_measure.js').read_text('utf-8').strip()})({sizes})"


def keep_at_home(page, problems, home="file:"):
    """Refuse a page what lies not at `home`, the start of an address; add that, and what failed, to `problems`."""
    page.route(re.compile(f"^(?!{re.escape(home)}|data:|blob:|about:)"), lambda route: route.abort())
    page.on("requestfailed", lambda request: problems.append(f"asked in vain for {request.url[:200]}"))


class Deck:
    """A deck, the HTML file at `path`, in a new page of a BrowserContext of Playwright.

    `problems` is a list of strs to which console errors, exceptions and requests to the network are added.
    """

    def __init__(self, context, path):
        self.path, self.page, self.problems = path, context.new_page(), []
        self.page.set_viewport_size({"width": 1280, "height": 720})
        keep_at_home(self.page, self.problems)
        self.page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.open()

    def open(self):
        self.page.goto(self.path.as_uri())
        self.page.wait_for_selector("html:not(.loading)")

    def show(self, selector):
        """Go to the first slide with an element that matches `selector`, and show all its steps."""
        self.page.evaluate(
            "(selector) => { const at = deck.getIndices(document.querySelector(selector).closest('section.page'));"
            "deck.slide(at.h, at.v, 99); }",
            selector,
        )

    def place(self):
        return self.page.evaluate("deck.getIndices()")
