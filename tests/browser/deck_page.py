"""Open a slide deck in a browser, and go to its slides."""

import re


def show(page, selector):
    """Go to the first slide with an element that matches the CSS selector, and show all the slide's steps."""
    page.evaluate(
        "(selector) => { const at = deck.getIndices(document.querySelector(selector).closest('section.page'));"
        "deck.slide(at.h, at.v, 99); }",
        selector,
    )


class Deck:
    """An open deck. `problems` collects its console errors, exceptions and network requests, in words."""

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
