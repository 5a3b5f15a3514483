"""Open a slide deck in a browser, and go to its slides."""

import re
from pathlib import Path

LEGIBLE = [24, 20, 18]  # pixels on a slide 720 high: the smallest text, label and code that the last row can read


def measure(sizes=LEGIBLE):
    """Return the JavaScript that measures all slides of a deck. sizes: the smallest of text, labels and code."""
    return f"({Path(__file__).with_name('deck_measure.js').read_text('utf-8').strip()})({sizes})"


def show(page, selector):
    """Go to the first slide with an element that matches a CSS selector, and show all steps of the slide.

    page: a Page of Playwright that shows a deck.
    """
    page.evaluate(
        "(selector) => { const at = deck.getIndices(document.querySelector(selector).closest('section.page'));"
        "deck.slide(at.h, at.v, 99); }",
        selector,
    )


class Deck:
    """A deck opened in a new page of a BrowserContext of Playwright. path: of its HTML file, a Path.

    `problems` is a list of strs to which console errors, exceptions and requests to the network are added.
    show(selector) goes to the first slide with such an element, and place() returns the slide shown, as reveal.js
    numbers it.
    """

    def __init__(self, context, path):
        self.path, self.page, self.problems = path, context.new_page(), []
        self.page.set_viewport_size({"width": 1280, "height": 720})
        self.page.route(re.compile("^(?!file:|data:|blob:|about:)"), self.refuse)
        self.page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("requestfailed", lambda request: self.problems.append(f"failed: {request.url[:200]}"))
        self.open()

    def refuse(self, route):
        self.problems.append(f"asked the network for {route.request.url}")
        route.abort()

    def open(self):
        self.page.goto(self.path.as_uri())
        self.page.wait_for_selector("html:not(.loading)")

    def show(self, selector):
        show(self.page, selector)

    def place(self):
        return self.page.evaluate("deck.getIndices()")
