"""Fonts for letters that the course's own font does not have: which are installed, and what none of them has."""

import contextlib
import unicodedata
from functools import cache
from typing import NamedTuple

BASE = "DejaVu Sans"  # comes with matplotlib; has Latin, Greek, Cyrillic, Hebrew and Arabic
# Families to fall back on, as Linux, macOS and Windows name them; of several, the first that has a letter draws it.
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
SCRIPTS = {"Chinese": "中", "Japanese": "の", "Korean": "한"}  # a letter that tells whether a font has the script


class Face(NamedTuple):
    """One font in a file. letters: the code points that it has; number: its place in a file that holds several."""

    file: str
    number: int
    letters: frozenset


@cache
def families():
    """Return the families to draw with, in their order: the course's own, then the installed ones to fall back on.

    matplotlib warns of each family that is not installed, so none of those is named.
    """
    from matplotlib import font_manager

    known = font_manager.fontManager
    listed = {font.fname for font in known.ttflist}
    for file in set(font_manager.findSystemFonts()) - listed:  # installed after matplotlib stored its list
        with contextlib.suppress(Exception):  # no font that matplotlib can read
            known.addfont(file)
    installed = {font.name for font in known.ttflist}
    return (BASE, *(family for family in FALLBACK if family in installed))


@cache
def face(family, weight="normal", style="normal"):
    """Return the Face that matplotlib draws a family with."""
    from matplotlib import font_manager

    wanted = font_manager.FontProperties(family=[family], weight=weight, style=style)
    file = font_manager.findfont(wanted, fallback_to_default=False)
    letters = frozenset(font_manager.get_font(file).get_charmap())
    return Face(str(file), getattr(file, "face_index", 0), letters)


def is_plain(text, *look):
    """Return whether the course's own font has every letter of a text; look: weight and style."""
    return text.isascii() or face(BASE, *look).letters.issuperset(map(ord, text.replace("\n", "")))


def face_for(letter, *look):
    """Return the first Face that has a letter, None if no installed font has it."""
    if ord(letter) in face(BASE, *look).letters:
        return face(BASE, *look)
    return next((found for found in (face(name, *look) for name in families()) if ord(letter) in found.letters), None)


def drawable(text, *look):
    """Return a text in which each character that no installed font has is written by its name, or by its code.

    An emoji becomes ":robot face:", a letter "U+4E2D". look: weight and style of the font, as matplotlib names them.
    """
    if is_plain(text, *look):
        return text
    parts, was_code = [], False
    for letter in text:
        missing = letter != "\n" and face_for(letter, *look) is None
        part = _spelled(letter) if missing else letter
        is_code = missing and part.startswith("U+")
        parts += [" ", part] if is_code and was_code else [part]
        was_code = is_code
    return "".join(parts)


def missing_scripts():
    """Return the names of the scripts, of Chinese, Japanese and Korean, that no installed font has."""
    return [script for script, letter in SCRIPTS.items() if face_for(letter) is None]


def _spelled(character):
    name = unicodedata.name(character, "")
    is_symbol = unicodedata.category(character).startswith("S")
    return f":{name.lower()}:" if name and is_symbol else f"U+{ord(character):04X}"
