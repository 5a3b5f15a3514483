"""The language in which the course speaks: English, or one whose catalogues lie in a folder of locale/.

A catalogue is a .po file of gettext, from each English text to its translation. They lie in the package, because an
installed package speaks too, and none is compiled: Babel reads them, once in a kernel, and not at all for English.
"""

import os
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("locale")
ENGLISH = "en"
WORDS = ("views", "plots", "session")  # catalogues for `say`
SENTENCES = ("checks", "exercises/*")  # catalogues of checks, exercises and quizzes
PLACE = re.compile(r"\{[^{}]*\}")  # in a template
_current = ENGLISH


def find(code: str) -> str:
    """Return the name of the folder for a language code such as "zh", "zh-CN" or "zh_CN.UTF-8"; ENGLISH for English.

    A code without a folder of its own gets the first folder of its language: "zh" gives "zh_Hans". "", "C" and "POSIX"
    are English. Errors: ValueError for a language that the course does not have; it names those that it has.
    """
    wanted = code.partition(".")[0].partition("@")[0].replace("-", "_")
    language = wanted.partition("_")[0].lower()
    if language in (ENGLISH, "", "c", "posix"):
        return ENGLISH
    folders = [name for name in available() if name.partition("_")[0].lower() == language]
    if not folders:
        raise ValueError(f"the course does not speak {code!r}. Its languages are {', '.join((ENGLISH, *available()))}.")
    return next((name for name in folders if name.lower() == wanted.lower()), folders[0])


def available() -> list[str]:
    """Return the names of the folders of locale/, sorted: the languages beside English."""
    return sorted(path.name for path in FOLDER.iterdir() if path.is_dir()) if FOLDER.is_dir() else []


def of_system() -> str:
    """Return the language of the course that fits the system's settings, as `find` returns it, or else ENGLISH.

    They are the environment variables that gettext reads, such as LANG.
    """
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        for code in filter(None, os.environ.get(name, "").split(":")):
            try:
                return find(code)
            except ValueError:
                continue  # the next language of the user's list
    return ENGLISH


def use(code: str) -> None:
    """Set the language of the course from now on. code, errors: as for `find`."""
    global _current
    _current = find(code)


def current() -> str:
    """Return the name of the language in which the course speaks now: ENGLISH, or the name of a folder of locale/."""
    return _current


def look_up(text: str, catalogues=WORDS) -> str:
    """Return the translation of an English text into the current language, or the text itself if it has none.

    catalogues: where to look, WORDS or SENTENCES.
    """
    return text if _current == ENGLISH else _table(_current, catalogues).get(text, text)


def say(template: str, /, **places) -> str:
    """Translate a template such as "{number} tries" into the current language, fill in its places, and return it."""
    return look_up(template).format(**places)


def original(text: str) -> str:
    """Return the English text of which a text is the translation, or the text itself if it is none.

    It finds the words of the library and the texts in the notebooks' code, also with their places filled in.
    """
    if _current == ENGLISH:
        return text
    texts, templates = _originals(_current)
    if text in texts:
        return texts[text]
    for pattern, places, english in templates:
        if match := pattern.fullmatch(text):
            filled = dict(zip(places, map(original, match.groups()), strict=True))
            return PLACE.sub(lambda place: filled.get(place[0], place[0]), english)  # noqa: B023
    return text


def of_scripts(names, catalogues=WORDS[:1]) -> dict[str, str]:
    """Return English text -> translation for the translated texts in some JavaScript files; {} in an English course.

    names: of the .js files, without their folders. catalogues: where to look, a tuple of glob patterns without ".po".
    """
    return {} if _current == ENGLISH else dict(_table(_current, catalogues, frozenset(names)))


def messages(path: Path) -> list:
    """Return a babel Message for each text in a catalogue, a .po file; [] if babel is not installed."""
    try:
        from babel.messages.pofile import read_po  # here, since English needs none of it
    except ImportError:
        return []  # `session.check` says that it is missing, in English

    with path.open("rb") as file:
        return [message for message in read_po(file) if message.id]


@cache
def _originals(language: str) -> tuple[dict[str, str], list[tuple]]:
    """Return (translation -> English text, templates) of the texts that figures may show; cached.

    A template is (pattern of its translation, with a group for each place; the places; the English text). Those with
    the most letters of their own come first. language: its folder.
    """
    texts, templates = {}, []
    for english, translation in _table(language, (*WORDS, "notebooks/*")).items():
        texts.setdefault(translation, english)
        parts, places = PLACE.split(translation), PLACE.findall(translation)
        if places and not "".join(parts).isascii():
            pattern = re.compile("(.+)".join(map(re.escape, parts)), re.DOTALL)
            templates.append((len("".join(parts)), pattern, places, english))
    templates.sort(key=lambda template: -template[0])
    return texts, [tuple(rest) for _, *rest in templates]


@cache
def _table(language: str, catalogues, names=None) -> dict[str, str]:
    """Return the translation of each English text in some catalogues, without what is missing or marked as fuzzy.

    language: its folder. catalogues: a tuple of glob patterns in it, without ".po". names: a frozenset of file names
    without folders, to take only texts that stand in these; None for all. The result is cached.
    """
    paths = [path for pattern in catalogues for path in sorted((FOLDER / language).glob(f"{pattern}.po"))]
    return {
        message.id: message.string
        for path in paths
        for message in messages(path)
        if message.string and not message.fuzzy
        if names is None or not names.isdisjoint(Path(file).name for file, _ in message.locations)
    }
