"""The words of pages, decks and handouts in the language in which the course speaks."""

import json
from pathlib import Path

from babel import Locale

from course_utils import course, language

ASSETS = Path(__file__).parent / "assets"
OWN = "site"  # the catalogue of what this package and its templates and scripts say
CATALOGUES = (*language.WORDS, OWN)


def look_up(text: str) -> str:
    return language.look_up(text, CATALOGUES)


def say(template: str, /, **places) -> str:
    """Return a text of a page in the current language, with each `{name}` in it replaced by that keyword argument."""
    return look_up(template).format(**places)


def notebooks() -> tuple[course.Notebook, ...]:
    """Return what `course.notebooks` does, with the titles and questions in the current language."""
    made = []
    for one in course.notebooks():  # in its title cell, the question stands in bold type
        bold = language.look_up(f"**{one.question}**", (f"notebooks/{one.topic}",))
        question = bold.removeprefix("**").removesuffix("**")
        made.append(one._replace(title=language.look_up(one.title), question=question))
    return tuple(made)


def editions() -> list[str]:
    """Return the languages of the course: "en", then "zh_Hans"."""
    return [language.ENGLISH, *language.available()]


def folder(code: str) -> str:
    """Return the folder of an edition's files in that of the English ones: "zh/" for "zh_Hans", "" for English."""
    return "" if code == language.ENGLISH else f"{code.partition('_')[0]}/"


def root() -> str:
    """Return the address of the English edition's folder from a page in the current language: "../", or "" there."""
    return "../" if folder(language.current()) else ""


def others() -> list[tuple[str, str, str]]:
    """Return (HTML name, own name, address of its folder from a page in this one) for each of the other languages."""
    codes = [code for code in editions() if code != language.current()]
    return [(code.replace("_", "-"), Locale.parse(code).get_language_name(), root() + folder(code)) for code in codes]


def script() -> bytes:
    """Return JavaScript for pages that defines `courseWords`, an object, English text -> translation; {} in English."""
    names = {path.name for folder in (ASSETS, Path(language.__file__).parent) for path in folder.rglob("*.js")}
    words = language.of_scripts(names, ("views", OWN))
    return f"var courseWords = {json.dumps(words, ensure_ascii=False)};\n".encode()
