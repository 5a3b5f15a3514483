"""Translate the words of a view's stored picture: its alt text and its caption."""

import re
from html import escape, unescape

from course_utils import language

WORDS = re.compile(r'(?<= alt=")[^"]*(?=")|(?<=<figcaption><em>)[^<]*(?=</em>)')


def translated(outputs: list) -> list:
    """Return the outputs of a cell, from the JSON of a notebook, with the HTML of pictures in the current language.

    Of an output without HTML nothing is left, since only a new run could translate it.
    """
    htmls = ["".join(output["data"]["text/html"]) for output in outputs if "text/html" in output.get("data", {})]
    spoken = lambda words: escape(language.translation(unescape(words[0])))  # noqa: E731
    data = [{"text/html": WORDS.sub(spoken, html)} for html in htmls]
    return [{"output_type": "display_data", "metadata": {}, "data": each} for each in data]
