"""Fold the words that tell how a prediction turned out, and open the fold where a page shows its words another way.

A cell that asks for a prediction names in its metadata, under KEY, the cells that answer it; of Markdown ones the words
are folded, in HTML.
"""

import re

from course_utils.language import say

KEY = "outcome"
SUMMARY = "What it shows"
FOLD = re.compile(r"(?:^|\n\n)<details><summary>([^<]*)</summary>\n\n(.*?)\n\n</details>(?:\n\n|\Z)", re.DOTALL)


def named(cell) -> list[str]:
    return list(cell.metadata.get(KEY, ()))


def parts(source: str) -> tuple[str, str, str]:
    """Return (the words before the fold, those in it, those after it) of Markdown; (source, "", "") without a fold."""
    fold = next((one for one in FOLD.finditer(source) if one[1] in (SUMMARY, say(SUMMARY))), None)
    return (source[: fold.start()], fold[2], source[fold.end() :]) if fold else (source, "", "")


def folded(before: str, told: str, after: str) -> str:
    """Return the Markdown text of which `parts` returns these, with the summary in the current language."""
    fold = f"<details><summary>{say(SUMMARY)}</summary>\n\n{told}\n\n</details>" if told else ""
    return "\n\n".join(filter(None, (before, fold, after)))


def opened(source: str) -> str:
    """Return a Markdown text with the words of its fold in their place, and without the fold."""
    return "\n\n".join(filter(None, parts(source)))
