"""Render the open lines of an exercise as a form, and pack the reports on all choices for the script of a page."""

import base64
import json
import re
import zlib
from typing import NamedTuple

from publish import markup
from publish.words import say

STYLE = re.compile(r"style='[^']*'")
DOT = '<span class="o">.</span>'
LETTERS = "ABCD"
WITHOUT = "<em>nothing: leave this line out</em>"


class Part(NamedTuple):
    """Lines of code that are shown together: those that stand, or open ones."""

    code: str = ""  # HTML of those that stand
    ways: tuple = ()  # HTML of each way to write open ones
    letter: str = ""  # of the open lines
    indent: int = 0  # how many letters they stand in from the left
    chosen: int | None = None  # the index of a way


def form(name: str, made: dict, page: str, mistakes=()) -> str:
    """Return the HTML of the form in which a reader of a page chooses some lines of the exercise `name` from menus.

    made: what `reports.make` returned for it. page: the file name of its notebook, without suffix. mistakes: ids of
    those whose lines are chosen at first; then no words ask for a choice.
    """
    lines, parts, place = made["lines"], [], 0
    for letter, menu in zip(LETTERS, made["menus"], strict=False):
        parts.append(Part(code=_highlighted("\n".join(lines[place : menu["first"]]))))
        texts = menu["ways"]
        indent = min(len(line) - len(line.lstrip()) for text in texts for line in text.splitlines())
        moved = ["\n".join(line[indent:] for line in text.splitlines()) for text in texts]
        ways = tuple(_highlighted(text) if text else say(WITHOUT) for text in moved)
        chosen = next((index for index, id in enumerate(menu["ids"]) if id in mistakes), None)
        parts.append(Part(ways=ways, letter=letter, indent=indent, chosen=chosen))
        place = menu["last"] + 1
    parts.append(Part(code=_highlighted("\n".join(lines[place:]))))
    values = {"name": name, "page": page, "stub": made["stub"], "parts": parts, "ask": not mistakes}
    return markup.template("site/lines.html").render(values)


def _highlighted(code: str) -> str:
    """Return Python code as highlighted HTML, which may break before a dot where the page is narrow."""
    return markup.highlighted(code).replace(DOT, f"<wbr>{DOT}")


def packed(exercises: dict[str, dict]) -> str:
    """Return an HTML script element that holds the right choices and all reports, compressed, for lines.js.

    exercises: name -> what `reports.make` returned, in one language. In a report, a style is a number between two NULs.
    """
    texts, styles, entries = {}, {}, {}
    for name, made in exercises.items():
        right = [[index for index, id in enumerate(menu["ids"]) if not id] for menu in made["menus"]]
        reports = {}
        for chosen, report in made["reports"].items():
            plain = STYLE.sub(lambda found: f"\0{styles.setdefault(found[0], len(styles))}\0", report)
            reports[chosen] = texts.setdefault(plain, len(texts))
        entries[name] = {"right": right, "passed": made["passed"], "reports": reports}
    data = {"exercises": entries, "texts": list(texts), "styles": list(styles)}
    packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)
    return f'<script type="text/plain" id="reports">{base64.b64encode(packed).decode()}</script>\n'
