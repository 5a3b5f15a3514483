"""Compare the outputs of a new run with the stored ones: words must be equal, numbers may differ by rounding.

Processors round differently, so two decimal numbers agree if they are at most one unit of their last printed digit
apart. One number in eight of an output may differ so, or a single one. torch prints `1.` if all that it prints is
whole: that counts as `1.0000`. White space is ignored, since columns are as wide as their numbers.

Everything else must be equal: words, whole numbers, shapes, inf, nan, and how many numbers there are. So must numbers
that are part of a word or a name (`0.5em`, `2.13.0`), and HTML tags with all their attributes but `alt`, which is
compared as words. Pictures are not compared.
"""

import re
from collections import defaultdict
from decimal import Decimal
from itertools import zip_longest
from typing import NamedTuple

from nb.format import LIVE_HTML, WIDGET_VIEW

NOT_COMPARED = {"image/png", "image/jpeg", "image/svg+xml", WIDGET_VIEW, LIVE_HTML}
DIGITS_OF_A_WHOLE = 4  # the precision of torch as session.start() sets it
ROUNDED_ONE_IN = 8
MOST_NAMED = 3  # the most numbers that a message names

PICTURE = re.compile(r"<svg\b.*?</svg>|data:[\w.+-]+/[\w.+-]+[;,][^\s\"'<>)]*", re.DOTALL)
ALT_TEXT = re.compile(r'(<img\b[^<>]*?)\balt="([^"]*)"')  # alt text is compared as words, not as part of the tag
TOKEN = re.compile(
    r"""(?P<tag> <[/!a-zA-Z][^<>]*> )
    | (?P<number> (?<![\w.]) [-+]? (?: \d+\.\d* | \.\d+ ) (?:[eE][-+]?\d+)? (?! \w | \.\d ) )
    | \w+ | \S""",
    re.VERBOSE,
)


class Number(NamedTuple):
    """A decimal number as printed, and its value. digits: how many stand after the point.

    unit: one in the last digit; `1.` counts as `1.0000`.
    """

    text: str
    value: Decimal
    digits: int
    unit: Decimal

    def __str__(self):
        return self.text


def differences(stored: list, new: list) -> list[str]:
    """Return how the new nbformat outputs of a cell differ from the stored ones, as lines; [] if they match."""
    stored, new = _by_kind(stored), _by_kind(new)
    lines = []
    for kind in dict.fromkeys([*stored, *new]):
        if len(stored[kind]) != len(new[kind]):
            lines.append(f"{kind}: outputs stored: {len(stored[kind])}, printed: {len(new[kind])}.")
            continue
        sentences = map(difference, stored[kind], new[kind])
        lines += [f"{kind}: {sentence}" for sentence in sentences if sentence]
    return lines


def difference(stored, new) -> str:
    """Return a sentence on how a new output, a text or JSON, differs from the stored one; "" if they match."""
    pairs = list(zip_longest(_tokens(stored), _tokens(new)))
    for place, (old, now) in enumerate(pairs):
        if old != now and not (isinstance(old, Number) and isinstance(now, Number)):
            return f"stored is {_context(pairs, place, 0)}, printed was {_context(pairs, place, 1)}."
    numbers = [pair for pair in pairs if isinstance(pair[0], Number)]
    if mismatches := list(filter(None, (_mismatch(*pair) for pair in numbers))):
        return _joined(mismatches)
    rounded = [f"{old} is now {now}" for old, now in numbers if old.value != now.value]
    allowed = max(1, len(numbers) // ROUNDED_ONE_IN)
    if len(rounded) > allowed:
        return f"{len(rounded)} of {len(numbers)} numbers differ in the last digit, {allowed} may: {_joined(rounded)}"
    return ""


def _by_kind(outputs: list) -> defaultdict:
    """Return kind -> contents: by MIME type, but for pictures and views; by stream, as one text; or "error"."""
    kinds = defaultdict(list)
    for output in outputs:
        match output.output_type:
            case "stream":
                kinds[output.name] = ["".join([*kinds[output.name], output.text])]
            case "error":
                kinds["error"].append(f"{output.ename}: {output.evalue}")
            case _:
                for kind, data in output.data.items():
                    if kind not in NOT_COMPARED:
                        kinds[kind].append(data)
    return kinds


def _tokens(output) -> list:
    """Return the tokens of an output; anything but a text, so JSON, is one. Alt text precedes its tag."""
    if not isinstance(output, str):
        return [output]
    return list(map(_token, TOKEN.finditer(ALT_TEXT.sub(r"\2 \1", PICTURE.sub(" picture ", output)))))


def _token(match: re.Match) -> Number | str:
    text = match[0]
    if not match["number"]:
        return " ".join(text.split())
    digits = len(text.lower().partition("e")[0].partition(".")[2])
    exponent = Decimal(text).as_tuple().exponent - (0 if digits else DIGITS_OF_A_WHOLE)
    return Number(text, Decimal(text), digits, Decimal(1).scaleb(exponent))


def _mismatch(old: Number, now: Number) -> str | None:
    """Return why two numbers do not agree, or None if at most one unit of the more precise one lies between."""
    if old.digits and now.digits and old.digits != now.digits:
        return f"{old} is now {now}, with {now.digits} digits for {old.digits}"
    units = abs(old.value - now.value) / min(old.unit, now.unit)
    return f"{old} is now {now}, {units:.0f} units of its last digit away, 1 may be" if units > 1 else None


def _context(pairs: list[tuple], place: int, side: int) -> str:
    """Return a token of (stored, new) pairs and the text around it: "'it' (in 'weights on it are')"."""
    tokens = [pair[side] for pair in pairs[max(0, place - 5) : place + 4]]
    context = " ".join(str(token) for token in tokens if token is not None)
    token = pairs[place][side]
    return f"{'nothing more' if token is None else repr(str(token))} (in {context!r})"


def _joined(lines: list[str]) -> str:
    more = f"; and {len(lines) - MOST_NAMED} more" if len(lines) > MOST_NAMED else ""
    return "; ".join(lines[:MOST_NAMED]) + more + "."
