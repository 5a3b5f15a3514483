"""Render Markdown, code and formulas as HTML without scripts; formulas are MathML, which browsers draw themselves."""

import base64
import html
import mimetypes
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import mistune
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from nb.translation.markdown import text_of
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer, get_lexer_by_name
from pygments.util import ClassNotFound

from course_utils import course, language
from publish import words
from publish.words import ASSETS

FORMULA_AND_SIGN = re.compile(r"(<math(?:(?!</math>).)*</math>[,.;:)]+)", re.DOTALL)  # no line begins with a comma
OUTPUT_LINK = re.compile(r'href="(\d\d_\w+)\.ipynb')  # a link to a notebook, in HTML written by hand or by a cell
SHARED = (".js", ".css", ".svg", ".png", ".htm")
FORMATTER = HtmlFormatter(nowrap=True)


class Renderer(mistune.HTMLRenderer):
    """A Markdown renderer for slides: formulas are MathML, code is highlighted, pictures are inlined.

    Links to notebooks, and to presenters' pages about them, lead to their decks. folder: a Path, where pictures lie.
    """

    def __init__(self, folder):
        super().__init__(escape=False)
        self.folder = folder

    def block_code(self, code, info=None):
        return code_block(code, (info or "text").split()[0])

    def inline_math(self, text, display="inline"):
        # Here, since a package of the extra `slides` is not needed to read what has no formula.
        from latex2mathml.converter import convert

        return convert(text, display=display)

    def block_math(self, text):
        return f"<p>{self.inline_math(text, 'block')}</p>\n"

    def table_cell(self, text, align=None, head=False):
        name = "th" if head and text.strip() else "td"  # an empty cell is no heading
        style = f' style="text-align:{align}"' if align else ""
        return f"  <{name}{style}>{text}</{name}>\n"

    def link(self, text, url, title=None):
        parts = urlsplit(url)
        if not parts.scheme and parts.path.endswith((".ipynb", ".md")):
            name = parts.path.split("/")[-1].rpartition(".")[0]
            decks = {notebook.topic: notebook.file for notebook in course.notebooks()}
            if parts.path.endswith(".md") and name not in decks:
                return text  # a page that has no deck
            url = f"{decks.get(name, name)}.html"  # no slide has an anchor's name
        return super().link(text, url, title)

    def image(self, text, url, title=None):
        parts = urlsplit(url)
        if not parts.scheme:
            path = self.folder / unquote(parts.path)
            url = data_uri(mimetypes.guess_type(path.name)[0], path.read_bytes())
            return f'<img alt="{html.escape(text)}" src="{url}">'
        return super().image(text, url, title)


def markdown(text: str, folder=Path()) -> str:
    """Return the HTML of a Markdown text for a slide. folder: of its pictures, which become part of it."""
    return to_html(text, Renderer(folder))


def inline(text: str) -> str:
    """Return the HTML of a line of Markdown, without a paragraph around it."""
    return markdown(text).strip().removeprefix("<p>").removesuffix("</p>")


def to_html(text: str, renderer: Renderer) -> str:
    """Return the HTML of a Markdown text. The renderer decides how links, code and formulas look."""
    html_text = mistune.create_markdown(renderer=renderer, plugins=["math", "table", "strikethrough"])(text)
    return FORMULA_AND_SIGN.sub(r'<span class="together">\1</span>', html_text)


def plain(text: str) -> str:
    return "".join(map(text_of, mistune.create_markdown(renderer=None)(text))).strip()


def tidy(source: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", source)


def code_block(source: str, language="python") -> str:
    """Return highlighted code as HTML. language: a name that pygments knows; code in any other is not highlighted."""
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    return f'<pre class="code"><code>{highlight(source.rstrip(), lexer, FORMATTER).rstrip()}</code></pre>\n'


def highlighted(source: str) -> str:
    """Return lines of Python as highlighted HTML: empty lines stay at their beginning, and not at their end."""
    return highlight(source.rstrip(), PythonLexer(stripnl=False), FORMATTER).rstrip()


def code_styles() -> str:
    """Return the CSS of highlighted code, light or dark as data-theme says, or without it the system."""
    light, chosen = _styles("default", ".code"), _styles("github-dark", "[data-theme=dark] .code")
    system = _styles("github-dark", "html:not([data-theme]) .code")
    return f"{light}\n{chosen}\n@media (prefers-color-scheme: dark) {{\n{system}\n}}\n"


def shared_files(folder: str) -> dict[str, bytes]:
    """Return file name -> content of the scripts, styles and pictures in assets/<folder>, tokens.css and code.css."""
    paths = [ASSETS / "tokens.css", *(path for path in (ASSETS / folder).iterdir() if path.suffix in SHARED)]
    return {path.name: path.read_bytes() for path in paths} | {"code.css": code_styles().encode()}


def template(name: str):
    """Return the jinja2 Template in assets/ with this name, such as "deck/deck.html"; it escapes values not `|safe`.

    Its `_("…")` and `{% trans %}` are in the current language, and `language` is its name for HTML.
    """
    environment = Environment(
        loader=FileSystemLoader(ASSETS), autoescape=True, keep_trailing_newline=True, undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )  # fmt: skip
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_callables(words.look_up, None, newstyle=True)
    environment.globals["language"] = language.current().replace("_", "-")
    return environment.get_template(name)


def _styles(name: str, where: str) -> str:
    rules = HtmlFormatter(style=name).get_style_defs(where).splitlines()
    return "\n".join(rule for rule in rules if rule.startswith(where))


def data_uri(kind: str, data: bytes | str) -> str:
    """Return a data URI. kind: the MIME type. data: bytes, or a text that is base64 already."""
    return f"data:{kind};base64,{data if isinstance(data, str) else base64.b64encode(data).decode()}"
