"""The language in which the course speaks: English, or one that has a folder in locale/.

A catalogue is a .po file of gettext, from each English text to its translation. It lies in the language's folder, or in
the lesson to which it belongs. None is compiled: Babel reads them, once in a kernel, and not at all for English.
"""

import os
import re
from functools import cache
from pathlib import Path

from course_utils import lessons

FOLDER = Path(__file__).with_name("locale")
ENGLISH = "en"
WORDS = ("views", "plots", "session")  # catalogues for `say`
SENTENCES = ("checks", "exercises/*")  # catalogues of checks, exercises and quizzes
# The catalogues of a lesson, such as "notebooks/dropout", and the names of their files.
OF_LESSONS = {"notebooks": "{language}.po", "exercises": "{language}_exercises.po"}
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


def path(language: str, name: str) -> Path:
    """Return the path of a catalogue, whether or not it exists. language: its folder.

    name: of a file in that folder, such as "views", or of a lesson's, such as "exercises/dropout".
    """
    return Path(*_place(language, name))


def _place(language: str, name: str) -> tuple[Path, str]:
    """Return the folder below which a catalogue lies, and its path there; `name` may be a glob pattern."""
    kind, _, topic = name.partition("/")
    if topic:
        return lessons.FOLDER, f"{topic}/{OF_LESSONS[kind].format(language=language)}"
    return FOLDER / language, f"{name}.po"


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
    return text if _current == ENGLISH else _other(text, _originals(_current), original)


def translation(text: str) -> str:
    """Return the translation of an English text of the views, or the text itself if it has none.

    It finds texts with their places filled in, too. What fills a place, such as a token, stays as it is.
    """
    return text if _current == ENGLISH else _other(text, _translations(_current), str)


def _other(text: str, known: tuple[dict, list], inner) -> str:
    """Return the other text of a pair in `known`, as from `_pairs`, or the text; inner: for what fills a place."""
    texts, templates = known
    if text in texts:
        return texts[text]
    for pattern, places, other in templates:
        if match := pattern.fullmatch(text):
            filled = dict(zip(places, map(inner, match.groups()), strict=True))
            return PLACE.sub(lambda place: filled.get(place[0], place[0]), other)  # noqa: B023
    return text


def of_scripts(names, catalogues=WORDS[:1]) -> dict[str, str]:
    """Return English text -> translation for the translated texts in some JavaScript files; {} in an English course.

    names: of the .js files, without their folders. catalogues: where to look, a tuple of glob patterns of their names.
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
    """Return the pairs (translation, English text) of the texts that figures may show, as `_pairs` does; cached."""
    return _pairs((translation, english) for english, translation in _table(language, (*WORDS, "notebooks/*")).items())


@cache
def _translations(language: str) -> tuple[dict[str, str], list[tuple]]:
    """Return the pairs (English text, translation) of the texts of views, as `_pairs` does; cached."""
    return _pairs(_table(language, WORDS[:1]).items())


def _pairs(pairs) -> tuple[dict[str, str], list[tuple]]:
    """Return (text -> other text, templates) of some pairs (text, other text).

    A template is (pattern of the text, with a group for each place; the places; the other text). Those with the most
    letters of their own come first, and those without any, which fit all texts, are left out.
    """
    texts, templates = {}, []
    for text, other in pairs:
        texts.setdefault(text, other)
        parts, places = PLACE.split(text), PLACE.findall(text)
        own = "".join(parts)
        if places and any(map(str.isalpha, own)):
            templates.append((len(own), re.compile("(.+)".join(map(re.escape, parts)), re.DOTALL), places, other))
    templates.sort(key=lambda template: -template[0])
    return texts, [tuple(rest) for _, *rest in templates]


@cache
def _table(language: str, catalogues, names=None) -> dict[str, str]:
    """Return the translation of each English text in some catalogues, without what is missing or marked as fuzzy.

    language: its folder. catalogues: a tuple of glob patterns of their names. names: a frozenset of file names without
    folders, to take only texts that stand in these; None for all. The result is cached.
    """
    places = [_place(language, pattern) for pattern in catalogues]
    paths = [path for folder, pattern in places for path in sorted(folder.glob(pattern))]
    return {
        message.id: message.string
        for path in paths
        for message in messages(path)
        if message.string and not message.fuzzy
        if names is None or not names.isdisjoint(Path(file).name for file, _ in message.locations)
    }
