"""Find installed fonts for letters that the course's own font does not have, and words for those that no font has."""

import contextlib
import logging
import unicodedata
from functools import cache

from course_utils import language

BASE = "DejaVu Sans"  # comes with matplotlib; has Latin, Greek, Cyrillic, Hebrew and Arabic
# Fallback families, as Linux, macOS and Windows name them; of those installed, the first that has a letter draws it.
FALLBACK = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Noto Sans CJK TC", "Source Han Sans SC"),
    *("WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback", "IPAGothic", "TakaoGothic", "NanumGothic"),
    *("PingFang SC", "Hiragino Sans GB", "Hiragino Sans", "Apple SD Gothic Neo", "Heiti TC", "STHeiti"),
    *("Microsoft YaHei", "SimHei", "Yu Gothic", "MS Gothic", "Malgun Gothic"),
    *("Noto Sans Arabic", "Noto Naskh Arabic", "Geeza Pro", "Noto Sans Hebrew", "Arial Hebrew", "Segoe UI"),
    *("Noto Sans Devanagari", "Lohit Devanagari", "Devanagari Sangam MN", "Nirmala UI"),
    *("Noto Sans Thai", "Loma", "Thonburi", "Leelawadee UI", "Arial Unicode MS"),
    *("Noto Sans Symbols", "Noto Sans Symbols2", "Noto Emoji", "Symbola", "Segoe UI Symbol"),
)  # fmt: skip
CJK = "中の한"  # a letter each that tells whether a font has Chinese, Japanese and Korean


@cache
def families() -> tuple[str, ...]:
    """Return the names of the font families to draw with: "DejaVu Sans", then those of FALLBACK that are installed.

    Families that are not installed are left out, since matplotlib warns of each. Fonts that were installed after
    matplotlib stored its list are added to its font manager. The result is cached.
    """
    from matplotlib import font_manager

    logging.getLogger(font_manager.__name__).setLevel(logging.ERROR)  # else it tells of each family without a bold face
    known = font_manager.fontManager
    listed = {font.fname for font in known.ttflist}
    for file in set(font_manager.findSystemFonts()) - listed:  # installed after matplotlib stored its list
        with contextlib.suppress(Exception):  # matplotlib cannot read every font
            known.addfont(file)
    installed = {font.name for font in known.ttflist}
    return (BASE, *(family for family in FALLBACK if family in installed))


@cache
def letters(family: str, weight="normal") -> frozenset[int]:
    """Return the code points of the letters that a font family has, as "normal" or "bold"; cached.

    Errors: ValueError if the family is not installed.
    """
    from matplotlib import font_manager

    wanted = font_manager.FontProperties(family=[family], weight=weight)
    return frozenset(font_manager.get_font(font_manager.findfont(wanted, fallback_to_default=False)).get_charmap())


def is_plain(text: str) -> bool:
    """Return whether DejaVu Sans has every letter of a text, bold too: that has fewer."""
    return text.isascii() or letters(BASE, "bold").issuperset(map(ord, text.replace("\n", "")))


def missing(text: str) -> set[str]:
    """Return the letters of a text that no font of `families` has."""
    left = set() if is_plain(text) else {letter for letter in text if not is_plain(letter)}
    return {letter for letter in left if not any(ord(letter) in letters(family) for family in families())}


def drawable(text: str) -> str:
    """Return a text as figures can draw it with the fonts of `families`.

    A translated text that needs a letter that no font has is given in English. In any other text, such a character is
    replaced by its code, "U+4E2D", with a space behind it unless it is the last one. Where Chinese, Japanese or
    Korean letters have no font, it is printed what to install, the first time that a letter of any script is missing.
    """
    if not (lacking := missing(text)):
        return text
    if any(unicodedata.category(character).startswith("L") for character in lacking):
        tell_once()
    text = language.original(text)
    return text.translate({ord(letter): f"U+{ord(letter):04X} " for letter in missing(text)}).rstrip(" ")


def say(template: str, /, **places) -> str:
    """Return a text in the current language, as language.say does, or in English where no font has its letters."""
    if missing(language.look_up(template)):
        tell_once()
        return template.format(**places)
    return language.say(template, **places)


@cache
def tell_once() -> None:
    """Print `note`, if there is one; being cached, only at the first call in this process."""
    if words := note():
        print(words)


def note() -> str:
    """Return a sentence that says what to install; "" where fonts have Chinese, Japanese and Korean letters."""
    template = (
        "No font here has all letters of Chinese, Japanese and Korean. Figures show English words in their place, or "
        "codes such as U+4E2D. Install a font, on Debian and Ubuntu with `apt install fonts-noto-cjk`, and restart the "
        "kernel."
    )
    return language.say(template) if missing(CJK) else ""
