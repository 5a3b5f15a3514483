"""Locate the parts of a HeadsView or a StepScrubber on a page, for tests that click and move them as a reader does."""

import re


class HeadsPage:
    """A view with heatmaps on a Page of Playwright, the one with this number, with its parts as locators."""

    def __init__(self, page, number=0):
        self.page = page
        self.root = page.locator(".av").filter(has=page.locator(".av-heatmap")).nth(number)
        self.heatmap, self.second = (self.root.locator(".av-heatmap").nth(index) for index in (0, 1))
        self.cells, self.second_cells = self.heatmap.locator("> canvas"), self.second.locator("> canvas")
        self.thumbs = self.root.locator(".av-heads canvas")
        self.links = self.root.locator(".av-links")
        self.status = self.root.get_by_role("status")

    def head(self, number):
        return self.root.get_by_role("radio", name=re.compile(rf"^head {number}\b"))

    def select(self, name):
        return self.root.get_by_role("combobox", name=name)

    def place(self, row, column):
        """Return the centre of a cell of the heatmap, {"x": …, "y": …} in pixels: a `position` for click and hover."""
        self.heatmap.scroll_into_view_if_needed()
        box, cells = self.heatmap.bounding_box(), self.cells.bounding_box()
        rows, columns = self.cells.evaluate("c => [c.height, c.width]")
        x = cells["x"] - box["x"] + (column + 0.5) * cells["width"] / columns
        return {"x": x, "y": cells["y"] - box["y"] + (row + 0.5) * cells["height"] / rows}

    def place_of_query(self, row):
        rows = self.cells.evaluate("c => c.height")
        return {"x": 40, "y": (row + 0.5) * self.links.locator("svg").bounding_box()["height"] / rows}
