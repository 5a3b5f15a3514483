"""Sentences for learners, each written whole, with named places, so that it can be reworded or translated by itself."""

import functools
import unicodedata
from string import Formatter

from course_utils import language


class Sentence(str):
    """A text in English that remembers how it was made: the text is compared and stored, `shown` translates it.

    template, places: as for `sentence`; or parts: the texts that are joined, where there is no template.
    """

    template, places, parts = None, {}, ()


def sentence(template: str, /, **places) -> Sentence:
    """Return a text for the learner: a template, one whole sentence or more, with its places such as {name} filled in.

    places: the value of each place: code, a name, a number, a shape, another whole sentence, but no other piece of a
    sentence. Errors: TypeError if a place has no value, or a value no place.
    """
    named = _names([template])
    if named != places.keys():
        raise TypeError(f"places without a value, or values without a place: {sorted(named ^ places.keys())}.")
    made = Sentence(template.format(**places))
    made.template, made.places = template, places
    return made


def _names(templates: list[str]) -> set[str]:
    return {name for one in templates for _, name, _, _ in Formatter().parse(one) if name is not None}


def together(*sentences: str) -> Sentence:
    """Return whole sentences joined by spaces, as one text."""
    made = Sentence(" ".join(sentences))
    made.parts = sentences
    return made


def shown(text: str) -> str:
    """Return a text, a Sentence or another str, translated into the language in which the course speaks.

    What fills a place between backticks is code, such as a learner's own name, and stays as it is.
    """
    if not isinstance(text, Sentence):
        return language.look_up(text, language.SENTENCES)
    if text.template is None:
        return _joined(map(shown, text.parts))
    code = _names(text.template.split("`")[1::2])
    places = {
        name: part if name in code or not isinstance(part, str) else shown(part) for name, part in text.places.items()
    }
    return language.look_up(text.template, language.SENTENCES).format(**places)


def say(template: str, /, **places) -> str:
    """Return a template with its places filled in, as `sentence` does, translated into the course's language."""
    return shown(sentence(template, **places))


def as_data(text: str):
    """Return a text, a Sentence or another str, as data for JSON, of which `from_data` makes it again.

    A joined text is a list of its parts, and a filled template a dict with one key: {template: places}.
    """
    if not isinstance(text, Sentence):
        return str(text)
    if text.template is None:
        return [as_data(part) for part in text.parts]
    places = text.places.items()
    return {text.template: {name: as_data(part) if isinstance(part, str) else format(part) for name, part in places}}


def from_data(data, levels: int = 20) -> str:
    """Return the text of which `as_data` made some data. Errors: ValueError for data that it made of no text.

    levels: how deep texts may lie inside texts, far more than those of the course do.
    """
    if not levels:
        raise ValueError("there are too many texts inside texts.")
    inner = functools.partial(from_data, levels=levels - 1)
    try:
        if isinstance(data, str):
            data.encode()  # JSON can hold half a letter, which no page can show
            return data
        if isinstance(data, list):
            return together(*map(inner, data))
        [(template, places)] = data.items()
        return sentence(template, **{name: inner(part) for name, part in places.items()})
    except (AttributeError, LookupError, TypeError) as error:
        raise ValueError("this is not the data of a text.") from error


def as_code(names) -> str:
    """Return names, or other pieces of code, as one text, each in backticks: "`x`, `y`"."""
    return ", ".join(f"`{name}`" for name in names)


def _joined(sentences) -> str:
    """Return sentences joined into one text, by a space, or by nothing after a wide (Chinese) full stop."""
    text = ""
    for part in sentences:
        wide = not text or unicodedata.east_asian_width(text[-1]) in "WF"
        text += part if wide else f" {part}"
    return text
