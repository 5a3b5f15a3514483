"""Read images, links and anchors from a piece of HTML."""

from bs4 import BeautifulSoup

ATTRIBUTES = {"a": "href", "img": "src"}


def has_image_without_alt(text):
    """Return whether a piece of HTML has an <img> without alt text."""
    return "<img" in text and any(not image.get("alt", "").strip() for image in _soup(text)("img"))


def targets(text):
    """Return a list of the targets of the links (href) and images (src) in a piece of HTML, without empty ones."""
    return [tag[ATTRIBUTES[tag.name]] for tag in _soup(text)(["a", "img"]) if tag.get(ATTRIBUTES[tag.name])]


def ids(text):
    """Return the set of anchors in a piece of HTML that a link can point to: the values of all `id` and `name`."""
    return {tag[key] for tag in _soup(text)(True) for key in ("id", "name") if tag.has_attr(key)}


def _soup(text):
    return BeautifulSoup(text, "html.parser")
