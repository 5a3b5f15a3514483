"""Find installed fonts for letters that the course's own font does not have, and replace those that no font has."""

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
SCRIPTS = {"Chinese": "中", "Japanese": "の", "Korean": "한"}  # a letter that tells whether a font has the script
has_told = False  # whether `drawable` has said in this process that a font is missing


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
def letters(family: str, weight="normal", style="normal") -> frozenset[int]:
    """Return the code points of the letters that a font family has; cached.

    weight, style: as matplotlib names them, such as "bold" and "italic". Errors: ValueError if the family is not
    installed.
    """
    from matplotlib import font_manager

    wanted = font_manager.FontProperties(family=[family], weight=weight, style=style)
    return frozenset(font_manager.get_font(font_manager.findfont(wanted, fallback_to_default=False)).get_charmap())


def is_plain(text: str, *look: str) -> bool:
    """Return whether DejaVu Sans has every letter of a text. look: weight and style, as for `letters`, or nothing."""
    return text.isascii() or letters(BASE, *look).issuperset(map(ord, text.replace("\n", "")))


def has(letter: str, *look: str) -> bool:
    """Return whether a font of `families` has a letter. look: weight and style, as for `letters`, or nothing."""
    return is_plain(letter, *look) or any(ord(letter) in letters(family, *look) for family in families())


def drawable(text: str, *look: str) -> str:
    """Return a text as figures can draw it with the fonts of `families`.

    A translated text that needs a letter that no font has is given in English. In any other text, such a character is
    replaced by its name or its code: an emoji becomes ":robot face:", a letter "U+4E2D", with a space between two
    codes. The first time that a letter is missing, it is printed what to install. look: weight and style of the font,
    as matplotlib names them, or nothing.
    """
    if _has_all(text, *look):
        return text
    if any(_is_letter(character) and not has(character, *look) for character in text):
        _tell_once()
    text, parts, was_code = language.original(text), [], False
    for letter in text:
        missing = letter != "\n" and not has(letter, *look)
        part = _spelled(letter) if missing else letter
        is_code = missing and part.startswith("U+")
        parts += [" ", part] if is_code and was_code else [part]
        was_code = is_code
    return "".join(parts)


def say(template: str, /, **places) -> str:
    """Return a text in the current language, as language.say does, or in English where no font has its letters."""
    translation = language.look_up(template)
    if not _has_all(translation):
        _tell_once()
        translation = template
    return translation.format(**places)


def _tell_once() -> None:
    """Print `note`, the first time in this process that this is called and there is one."""
    global has_told
    if not has_told and missing_scripts():
        has_told = True
        print(note())


def _has_all(text: str, *look: str) -> bool:
    """Return whether a font of `families` has each letter of a text. look: as for `is_plain`."""
    return is_plain(text, *look) or all(has(letter, *look) for letter in set(text) - {"\n"})


def note() -> str:
    """Return a sentence on the scripts that no font has, and what to install; "" if none is missing."""
    template = (
        "No font here has letters of {scripts}. Figures show English words in their place, or codes such as U+4E2D. "
        "Install a font, on Debian and Ubuntu with `apt install fonts-noto-cjk`, and restart the kernel."
    )
    names = {
        "Chinese": language.say("Chinese"),
        "Japanese": language.say("Japanese"),
        "Korean": language.say("Korean"),
    }
    missing = [names[script] for script in missing_scripts()]
    return language.say(template, scripts=language.say(", ").join(missing)) if missing else ""


def missing_scripts() -> list[str]:
    """Return those of "Chinese", "Japanese" and "Korean" whose letters no installed font has."""
    return [script for script, letter in SCRIPTS.items() if not has(letter)]


def _is_letter(character: str) -> bool:
    """Return whether a character belongs to a script, as an emoji does not."""
    return unicodedata.category(character).startswith("L")


def _spelled(character: str) -> str:
    """Return a character's name if Unicode counts it as a symbol, ":robot face:", else its code, "U+4E2D"."""
    name = unicodedata.name(character, "")
    is_symbol = unicodedata.category(character).startswith("S")
    return f":{name.lower()}:" if name and is_symbol else f"U+{ord(character):04X}"
