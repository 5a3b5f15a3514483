"""Read images, links and anchors from a piece of HTML."""

from bs4 import BeautifulSoup

ATTRIBUTES = {"a": "href", "img": "src"}


def has_image_without_alt(text: str) -> bool:
    """Return whether a piece of HTML has an <img> whose alt text is missing or blank."""
    return "<img" in text and any(not image.get("alt", "").strip() for image in _soup(text)("img"))


def targets(text: str) -> list[str]:
    """Return the targets of all `<a href>` and `<img src>` in a piece of HTML, without empty ones."""
    return [tag[ATTRIBUTES[tag.name]] for tag in _soup(text)(["a", "img"]) if tag.get(ATTRIBUTES[tag.name])]


def ids(text: str) -> set[str]:
    """Return all values of `id` and `name` attributes in a piece of HTML, to which a link can point."""
    return {tag[key] for tag in _soup(text)(True) for key in ("id", "name") if tag.has_attr(key)}


def _soup(text):
    return BeautifulSoup(text, "html.parser")
