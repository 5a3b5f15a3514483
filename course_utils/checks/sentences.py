"""Sentences for learners, each written whole, with named places, so that it can be reworded or translated by itself."""

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
    named = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    if named != places.keys():
        raise TypeError(f"places without a value, or values without a place: {sorted(named ^ places.keys())}.")
    made = Sentence(template.format(**places))
    made.template, made.places = template, places
    return made


def together(*sentences: str) -> Sentence:
    """Return whole sentences joined by spaces, as one text."""
    made = Sentence(" ".join(sentences))
    made.parts = sentences
    return made


def shown(text: str) -> str:
    """Return a text, a Sentence or another str, translated into the language in which the course speaks."""
    if not isinstance(text, Sentence):
        return language.look_up(text, language.SENTENCES)
    if text.template is None:
        return _joined(map(shown, text.parts))
    places = {name: shown(part) if isinstance(part, str) else part for name, part in text.places.items()}
    return language.look_up(text.template, language.SENTENCES).format(**places)


def say(template: str, /, **places) -> str:
    """Return a template with its places filled in, as `sentence` does, translated into the course's language."""
    return shown(sentence(template, **places))


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
