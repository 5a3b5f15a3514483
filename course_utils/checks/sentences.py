"""Sentences for learners, each written whole, with named places, so that it can be reworded or translated by itself."""

from string import Formatter


def sentence(template, /, **places):
    """Return a template, one whole sentence or more, with its places filled in; `{{` in it is a brace.

    places: what stands in each place: code, a name, a number, a shape, another whole sentence, but no other piece of a
    sentence. Errors: TypeError if a place has no value, or a value no place.
    """
    named = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    if named != places.keys():
        raise TypeError(f"places without a value, or values without a place: {sorted(named ^ places.keys())}.")
    return template.format(**places)


def as_code(names):
    """Return names, or other pieces of code, one after the other as text, such as "`x`, `y`"."""
    return ", ".join(f"`{name}`" for name in names)
