"""The rules that a translation keeps: code, numbers, formulas and links of the English, terms, and punctuation."""

import re
import unicodedata
from collections import Counter
from decimal import Decimal

from course_utils import language
from nb.translation import markdown

NUMBER = re.compile(r"(\d+(?:[.,]\d+)*)(?: ?(million\b|billion\b|万|亿))?")
SIZES = {"million": 10**6, "billion": 10**9, "万": 10**4, "亿": 10**8}
PLACE = re.compile(r"\{[^{}]*\}|%\(\w+\)s")
TAGGED_CODE = re.compile(r"<code>.*?</code>", re.DOTALL)
HALF_WIDTH = {",": "，", ".": "。", ";": "；", ":": "：", "?": "？", "!": "！", "(": "（", ")": "）"}
STUTTER = re.compile(r"([^\W\d_]{2,})\1\1")
CODE = "A"  # stands for code in a text: it needs a space beside it, as a Latin letter does


def findings(english: str, translation: str, terms=(), avoided=()):
    """Yield a sentence for each rule that a translation breaks, such as a lost link. Both texts are Markdown.

    terms, avoided: as from `glossary` and `avoided`.
    """
    english, translation = english.strip(), translation.strip()  # four spaces in front would be code in Markdown
    by_value = any(size in ("万", "亿") for _, size in NUMBER.findall(translation))
    ours, theirs = _parts(english, by_value), _parts(translation, by_value)
    for kind in ours:
        if missing := ours[kind] - theirs[kind]:
            yield f"{kind} {', '.join(missing)} of the English missing"
        if more := theirs[kind] - ours[kind]:
            yield f"{kind} {', '.join(more)} not in the English"
    if english.count("|") != translation.count("|"):
        yield "another number of columns"
    yield from (f"{found[1]!r} three times in a row" for found in STUTTER.finditer(translation))
    yield from _punctuation(translation)
    yield from _stars(translation)
    prose = PLACE.sub(" ", markdown.words(TAGGED_CODE.sub(" ", english)))
    joined = translation.replace("\n", "").lower()  # the label of a figure may break a term
    for pattern, allowed in terms:
        if pattern.search(prose) and not any(word.lower() in joined for word in allowed):
            yield f"the glossary has {' or '.join(allowed)} for {pattern.pattern!r}"
    yield from (f"{word!r}: the course says {better!r}" for word, better in avoided if re.search(word, joined))


def glossary(code: str) -> list[tuple[re.Pattern, list[str]]]:
    """Return (regular expression, allowed translations) for each term in a language's glossary.po; [] without one.

    A term also matches in the plural; in the file, `|` stands between several translations.
    """
    entries = _entries(code, "glossary")
    return [(re.compile(rf"\b{re.escape(one.id)}s?\b", re.IGNORECASE), one.string.split("|")) for one in entries]


def avoided(code: str) -> list[tuple[str, str]]:
    """Return (regular expression, better word) for each word that a language's avoided.po replaces; [] without one."""
    return [(one.id, one.string) for one in _entries(code, "avoided")]


def _entries(code: str, name: str) -> list:
    path = language.path(code, name)
    return language.messages(path) if path.exists() else []


def _number(digits: str, size: str, by_value: bool) -> str:
    """Return a text by which a number is compared: its digits, or, for `by_value`, its value, "28000000"."""
    if not (by_value and size):
        return digits
    return f"{(Decimal(digits.replace(',', '')) * SIZES[size]).normalize():f}"


def _parts(text: str, by_value: bool) -> dict[str, Counter]:
    """Return kind -> Counter of the texts of that kind in a Markdown text, all of which a translation must keep."""
    text = markdown.IN_FORMULA.sub("", text)
    tokens, words = list(markdown.tokens(text)), markdown.words(text)
    urls = [token["attrs"]["url"] for token in tokens if token["type"] in ("link", "image")]
    return {
        "code": Counter(token["raw"] for token in tokens if token["type"] == "codespan"),
        "formula": Counter(token["raw"] for token in tokens if "math" in token["type"]),
        "tag": Counter(token["raw"] for token in tokens if token["type"] == "inline_html"),
        "link": Counter(url for url in urls if not url.startswith("#")),  # a heading's name is translated
        "place": Counter(PLACE.findall(words)),
        "number": Counter(_number(*found, by_value) for found in NUMBER.findall(PLACE.sub(" ", words))),
    }


def _punctuation(text: str):
    """Yield a sentence for each half-width sign, and each missing space, beside a Chinese or Japanese letter."""
    tokens = [token for token in markdown.tokens(text) if "raw" in token and token["type"] != "inline_html"]
    plain = "".join(token["raw"] if token["type"] == "text" else CODE for token in tokens)
    for before, after in zip(plain, plain[1:], strict=False):
        pair = before + after
        wide, other = (before, after) if _is_wide(before) else (after, before)
        if _is_wide(wide) and other in HALF_WIDTH:
            yield f"{pair!r}: write {HALF_WIDTH[other]} for {other}"
        elif _is_wide(wide) and other.isascii() and other.isalnum():
            yield f"{pair!r}: a space between the two"


def _stars(text: str):
    """Yield a sentence for each run of stars in Markdown that fails to begin or end emphasis, beside punctuation."""
    for turn, run in enumerate(re.finditer(r"\*+", text)):
        outside, inside = text[: run.start()][-1:], text[run.end() :][:1]
        if turn % 2:  # these end it
            outside, inside = inside, outside
        if outside.isalnum() and inside and not inside.isalnum() and not inside.isspace() and inside not in "`$[":
            yield f"{inside}{run[0]}{outside}: stars beside punctuation: put the sign outside of them"


def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) == "W" and letter.isalpha()
