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
CODE = "A"  # stands for code in a text: it needs a space beside it, as a Latin letter does


def findings(english, translation, terms=()):
    """Yield a sentence for each rule that a translation breaks, such as a lost link.

    english, translation: Markdown texts. terms: pairs (regular expression, allowed translations) of the glossary, as
    from `glossary`.
    """
    english, translation = english.strip(), translation.strip()  # four spaces in front would be code in Markdown
    by_value = any(size in ("万", "亿") for _, size in NUMBER.findall(translation))
    ours, theirs = _parts(english, by_value), _parts(translation, by_value)
    for kind, missing in ((kind, ours[kind] - theirs[kind]) for kind in ours):
        if missing:
            yield f"{kind} {', '.join(missing)} of the English missing"
        if more := theirs[kind] - ours[kind]:
            yield f"{kind} {', '.join(more)} not in the English"
    if english.count("|") != translation.count("|"):
        yield "another number of columns"
    yield from _punctuation(translation)
    yield from _stars(translation)
    prose = PLACE.sub(" ", _words(TAGGED_CODE.sub(" ", english)))
    joined = translation.replace("\n", "").lower()  # the label of a figure may break a term
    for pattern, allowed in terms:
        if pattern.search(prose) and not any(word.lower() in joined for word in allowed):
            yield f"the glossary has {' or '.join(allowed)} for {pattern.pattern!r}"


def glossary(code):
    """Return a list of (regular expression, list of allowed translations) for the terms in a language's glossary.po.

    code: the language, such as "zh"; [] if it has no glossary. In the file, `|` stands between several translations,
    and a term is a word, or words, that also match in the plural.
    """
    path = language.FOLDER / code / "glossary.po"
    if not path.exists():
        return []
    entries = [(message.id, message.string.split("|")) for message in language.messages(path)]
    return [(re.compile(rf"\b{re.escape(term)}s?\b", re.IGNORECASE), allowed) for term, allowed in entries]


def _words(text):
    """Return the words and places of a Markdown text as one str, without code, formulas, tags and addresses."""
    return " ".join(token["raw"] for token in markdown.inline(text) if token["type"] == "text")


def _number(digits, size, by_value):
    """Return a text by which a number is compared: its digits, or its value, since 28 million is 2800 万.

    digits: a text. size: the word behind it, such as "million", or "". by_value: whether to return the value.
    """
    if not (by_value and size):
        return digits
    return f"{(Decimal(digits.replace(',', '')) * SIZES[size]).normalize():f}"


def _parts(text, by_value):
    """Return a dict from a kind, such as "code" or "link", to a Counter of the texts that two languages must share.

    text: Markdown. by_value: whether numbers are compared by their values.
    """
    tokens, words = markdown.inline(text), _words(text)
    return {
        "code": Counter(token["raw"] for token in tokens if token["type"] == "codespan"),
        "formula": Counter(token["raw"] for token in tokens if "math" in token["type"]),
        "tag": Counter(token["raw"] for token in tokens if token["type"] == "inline_html"),
        "link": Counter(url for url in _links(tokens) if not url.startswith("#")),  # a heading's name is translated
        "place": Counter(PLACE.findall(words)),
        "number": Counter(_number(*found, by_value) for found in NUMBER.findall(PLACE.sub(" ", words))),
    }


def _links(tokens):
    """Return a list of the addresses of the links and pictures among mistune tokens."""
    return [token["attrs"]["url"] for token in tokens if token["type"] in ("link", "image")]


def _punctuation(text):
    """Yield a sentence for half-width punctuation, and for a missing space, beside a Chinese or Japanese letter."""
    tokens = [token for token in markdown.inline(text) if "raw" in token and token["type"] != "inline_html"]
    plain = "".join(token["raw"] if token["type"] == "text" else CODE for token in tokens)
    for before, after in zip(plain, plain[1:], strict=False):
        pair = before + after
        if (_is_wide(before) and after in HALF_WIDTH) or (before in HALF_WIDTH and _is_wide(after)):
            sign = after if after in HALF_WIDTH else before
            yield f"{pair!r}: write {HALF_WIDTH[sign]} for {sign}"
        elif _needs_space(before, after) or _needs_space(after, before):
            yield f"{pair!r}: a space between the two"


def _stars(text):
    """Yield a sentence for each run of stars in Markdown that fails to begin or end emphasis, beside punctuation.

    By CommonMark's rule, stars end an emphasis only if no punctuation stands before them, or no letter behind them.
    """
    for turn, run in enumerate(re.finditer(r"\*+", text)):
        outside, inside = text[: run.start()][-1:], text[run.end() :][:1]
        if turn % 2:  # these end it
            outside, inside = inside, outside
        if outside.isalnum() and inside and not inside.isalnum() and not inside.isspace() and inside not in "`$[":
            yield f"{inside}{run[0]}{outside}: stars beside punctuation: put the sign outside of them"


def _is_wide(letter):
    """Return whether a letter is a Chinese or Japanese character, not a punctuation sign."""
    return unicodedata.east_asian_width(letter) == "W" and letter.isalpha()


def _needs_space(wide, other):
    return _is_wide(wide) and other.isascii() and other.isalnum()
