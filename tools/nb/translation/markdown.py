"""Find the units of a Markdown text that are translated one by one: paragraphs, headings, list items, rows of tables.

mistune finds the blocks, Python's own parser the texts between the tags of HTML.
"""

from html.parser import HTMLParser

import mistune

PARSER = mistune.create_markdown(renderer=None, plugins=["math", "table", "strikethrough"])
TEXTS = {"paragraph", "block_text", "heading"}
# An HTML tag of any other name stands within a sentence.
OF_BLOCKS = {"details", "summary", "div", "p", "br", "hr", "table", "tbody", "tr", "td", "th", "ul", "ol", "li"}


def units(source):
    """Return the units of a Markdown text, its parts to be translated, as a list of (start, end), indices in order.

    A unit is a paragraph, a heading, a list item or a row of a table; one without a word, such as a formula, is left
    out. Errors: ValueError for a block that is not found again in the text as it stands.
    """
    state = PARSER.block.state_cls()
    state.process(source)
    PARSER.block.parse(state)
    places, end = [], 0
    for block, is_html in _blocks(state.tokens):
        start, end = _place(source, block, end)
        parts = [(start + a, start + b) for a, b in _between_tags(source[start:end])] if is_html else [(start, end)]
        places += [(a, b) for a, b in parts if has_words(source[a:b])]
    return places


def inline(text):
    """Return the inline tokens, dicts of mistune, of a unit's text, as one flat list."""
    return list(_flat(PARSER(text)))


def has_words(text):
    """Return whether a text has a word of two letters or more, outside code, formulas, tags and addresses."""
    words = " ".join(token["raw"] for token in inline(text) if token["type"] == "text").split()
    return any(sum(letter.isalpha() for letter in word) > 1 for word in words)


def _blocks(tokens):
    """Yield (pieces, whether it is HTML) for each block of a Markdown text, given its mistune tokens.

    pieces: a list of texts, the lines or cells of the block, which follow one another in the source.
    """
    for token in tokens:
        if token["type"] in TEXTS:
            yield token["text"].rstrip("\n").split("\n"), False
        elif token["type"] == "block_html":
            yield [token["raw"].strip("\n")], True
        elif token["type"] in ("table_head", "table_row"):
            yield [cell["text"] for cell in token["children"] if cell["text"]], False
        else:
            yield from _blocks(token.get("children", []))


def _place(source, pieces, begin):
    """Return (start, end), indices in a source: where the first of some pieces of text starts, and the last one ends.

    pieces: texts that follow one another in the source from the index `begin` on. What the parser takes off the front
    of lines, such as the `>` of a quotation, stands between them. Errors: ValueError if one is not found.
    """
    start = None
    for piece in pieces:
        at = source.find(piece.strip(), begin)
        if at < 0:
            raise ValueError(f"{piece!r:.60} does not stand so in the cell: write this block in one line.")
        start, begin = at if start is None else start, at + len(piece.strip())
    return start, begin


def _between_tags(html):
    """Return a list of (start, end), indices of the texts between block tags in a piece of HTML, stripped."""
    tags = _Tags(html).places
    gaps = zip([0, *(end for _, end in tags)], [*(start for start, _ in tags), len(html)], strict=True)
    stripped = ((a + len(html[a:b]) - len(html[a:b].lstrip()), a + len(html[a:b].rstrip())) for a, b in gaps)
    return [(a, b) for a, b in stripped if a < b]


class _Tags(HTMLParser):
    """The places of the tags of blocks in a piece of HTML, a list of (start, end)."""

    def __init__(self, html):
        super().__init__(convert_charrefs=False)
        self.html, self.places = html, []
        self.lines = [0]
        for line in html.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self._keep(tag, len(self.get_starttag_text()))

    def handle_endtag(self, tag):
        self._keep(tag, None)

    def _keep(self, tag, length):
        """Record the (start, end) of a tag that begins where the parser is, if it is a block's.

        length: of the tag, in letters; None: it ends at the next `>`.
        """
        line, column = self.getpos()
        start = self.lines[line - 1] + column
        if tag in OF_BLOCKS:
            self.places.append((start, start + length if length else self.html.index(">", start) + 1))


def _flat(tokens):
    """Yield, in order, the mistune tokens that have a text or an address, also those inside other tokens."""
    for token in tokens:
        if "raw" in token or token["type"] in ("link", "image"):
            yield token
        yield from _flat(token.get("children", []))
