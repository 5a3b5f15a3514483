"""Make the page of the web edition for readers who have a model of their own, from docs/own_model.md."""

import html
import re

from nb.files import COURSE

from course_utils import language
from publish import markup, words
from publish.around import address
from publish.article import PageRenderer
from publish.markup import to_html
from publish.words import say

NAME = "own_model"  # of the page, and of its Markdown
SENTENCE, LAYER, HEAD = "weak", 3, 1  # what the view shows at first
PARTS = re.compile(r"# (.+)\n(?s:.*?)\n\*\*(.+)\*\*\n(?s:(.*))")  # title, question, and the text below it
# A line break between two Chinese characters, which have no space between them; in code there is none.
BROKEN = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\n(?=[\u3000-\u9fff\uff00-\uffef])")


def page(around: dict) -> tuple[str, list[list[str]]]:
    """Return (the HTML of the page in the current language, its entries in the search index)."""
    code = words.folder(language.current()).rstrip("/")
    source = (COURSE / "docs" / f"{NAME}{code and f'.{code}'}.md").read_text("utf-8")
    title, question, text = PARTS.match(source).groups()
    renderer = PageRenderer(COURSE / "docs", address())
    article = BROKEN.sub("", to_html(text, renderer))
    made = markup.template("site/guide.html").render(
        course=around, page=NAME, title=title, description=question, view=_view(), article=article
    )
    headings = [[NAME, anchor, html.unescape(heading), title] for _, anchor, heading in renderer.headings]
    return made, [[NAME, "", title, say("The views on a model of Hugging Face's transformers")], *headings]


def _view() -> str:
    from course_utils import data, widgets

    read = data.load("sentence_pairs")[SENTENCE]
    place = {"layer": LAYER, "head": HEAD, "query": read.tokens.index("it")}
    return widgets.HeadsView(read.attn_weights, read.tokens, **place).to_shared_html()
