"""Read images, links and anchors from a piece of HTML."""

from html.parser import HTMLParser


class _Collector(HTMLParser):
    """An HTML parser that collects the start tags of a text in the list `tags`, as (tag, dict of attributes)."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, {name: value or "" for name, value in attrs}))


def images_without_alt(text):
    """Return a list with the attributes, a dict, of each <img> in a piece of HTML that has no alt text."""
    return [attrs for tag, attrs in _Collector(text).tags if tag == "img" and not attrs.get("alt", "").strip()]


def targets(text):
    """Return a list of the targets of the links (href) and images (src) in a piece of HTML, without empty ones."""
    attributes = {"a": "href", "img": "src"}
    return [attrs[attributes[tag]] for tag, attrs in _Collector(text).tags if attrs.get(attributes.get(tag))]


def ids(text):
    """Return the set of anchors in a piece of HTML that a link can point to: the values of all `id` and `name`."""
    return {attrs[key] for _, attrs in _Collector(text).tags for key in ("id", "name") if key in attrs}
