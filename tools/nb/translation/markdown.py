"""Parse Markdown with mistune: find the units to be translated (paragraphs, headings, list items, rows), and words."""

import re

import mistune

PARSER = mistune.create_markdown(renderer=None, plugins=["math", "table", "strikethrough"])
TEXTS = {"paragraph", "block_text", "heading"}
# Words in a formula; `softmax` and the like are names, which stay as papers write them.
IN_FORMULA = re.compile(r"(?<=\\text\{)(?!(?:softmax|head|head\\_dim|MultiHead|Attention)\})[^{}]*(?=\})")
# An HTML tag of any other name stands within a sentence.
BLOCK_TAG = re.compile(
    r"</?(?:details|summary|div|p|[bh]r|table|tbody|t[rdh]|[uo]l|li)\b(?:\"[^\"]*\"|'[^']*'|[^'\">])*>"
)


def units(source: str) -> list[tuple[int, int]]:
    """Return (start, end), indices in a Markdown text, of each part to be translated as one, if it has a word.

    Such a part is a paragraph, a heading, a list item, a row of a table, or a formula that stands alone. Errors:
    ValueError for a block that is not found again in the text as it stands.
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


def tokens(text: str):
    """Yield all mistune tokens, dicts, of a Markdown text in order, a token before those inside it."""
    waiting = PARSER(text)
    while waiting:
        token = waiting.pop(0)
        yield token
        waiting[:0] = token.get("children", [])


def text_of(token: dict) -> str:
    """Return the words of a mistune token and of all tokens inside it, without markup."""
    return token.get("raw", "") + "".join(map(text_of, token.get("children", [])))


def words(text: str) -> str:
    """Return the words of a Markdown text, without code, formulas, tags and addresses, joined by spaces."""
    return " ".join(token["raw"] for token in tokens(text) if token["type"] == "text")


def has_words(text: str) -> bool:
    r"""Return whether a Markdown text has a word of two letters or more, outside code, tags, addresses and formulas.

    The `\text{…}` of a formula counts.
    """
    found = [*words(text).split(), *IN_FORMULA.findall(text)]
    return any(sum(letter.isalpha() for letter in word) > 1 for word in found)


def _blocks(tokens: list[dict]):
    """Yield (pieces, is_html) for each block of text, also inside others; pieces follow one another in the source."""
    for token in tokens:
        if token["type"] in TEXTS:
            yield token["text"].rstrip("\n").split("\n"), False
        elif token["type"] == "block_math" and IN_FORMULA.search(token["raw"]):
            yield token["raw"].strip().split("\n"), False
        elif token["type"] == "block_html":
            yield [token["raw"].strip("\n")], True
        elif token["type"] in ("table_head", "table_row"):
            yield [cell["text"] for cell in token["children"] if cell["text"]], False
        else:
            yield from _blocks(token.get("children", []))


def _place(source: str, pieces: list[str], begin: int) -> tuple[int, int]:
    """Return (start, end) in a source of pieces of text, looked for from `begin` on; a `>` may stand between them."""
    start = None
    for piece in pieces:
        at = source.find(piece.strip(), begin)
        if at < 0:
            raise ValueError(f"{piece!r:.60} does not stand so in the cell: write this block in one line.")
        start, begin = at if start is None else start, at + len(piece.strip())
    return start, begin


def _between_tags(html: str) -> list[tuple[int, int]]:
    """Return (start, end), indices, of each text between block tags in a piece of HTML, stripped; none is empty."""
    tags = [tag.span() for tag in BLOCK_TAG.finditer(html)]
    gaps = zip([0, *(end for _, end in tags)], [*(start for start, _ in tags), len(html)], strict=True)
    stripped = ((a + len(html[a:b]) - len(html[a:b].lstrip()), a + len(html[a:b].rstrip())) for a, b in gaps)
    return [(a, b) for a, b in stripped if a < b]
