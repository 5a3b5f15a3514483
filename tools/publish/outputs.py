"""Render a code cell's stored outputs as HTML: text, and figures with alt text and caption."""

import base64
import html
import re
import struct

from publish.markup import data_uri, markdown

ANSI = re.compile(r"\x1b\[[0-9;]*m")
LETTER = re.compile(r"scale\((0\.\d+) -")
PICTURES = ("image/svg+xml", "image/png", "image/jpeg")


def as_html(outputs) -> str:
    """Return the HTML of a list of nbformat outputs; a Markdown output right after a picture becomes its caption."""
    pieces, waiting = [], list(outputs)
    while waiting:
        output = waiting.pop(0)
        kind = next((kind for kind in PICTURES if kind in output.get("data", {})), None)
        if kind:
            has_caption = waiting and "text/markdown" in waiting[0].get("data", {})
            pieces.append(_figure(output, kind, waiting.pop(0).data["text/markdown"] if has_caption else ""))
        else:
            pieces.append(_text_html(output))
    return "".join(pieces)


def is_progress(output) -> bool:
    """Return whether an nbformat output is what a progress bar leaves behind: a display of plain text alone."""
    return output.output_type == "display_data" and set(output.get("data", {})) == {"text/plain"}


def _figure(output, kind: str, caption: str) -> str:
    about = output.metadata.get(kind, {})
    data = output.data[kind]
    source = data_uri(kind, data.encode() if kind == "image/svg+xml" else data.replace("\n", ""))
    size = _size(data, about) if kind == "image/png" else ""
    alt = html.escape(about.get("alt") or output.data.get("text/plain", ""))
    words = f"<figcaption>{markdown(caption)}</figcaption>" if caption else ""
    return f'<figure><img alt="{alt}"{size} src="{source}">{words}</figure>\n'


def _course_figure(figure: str) -> str:
    """Return the HTML of a figure of `theme.figure`, an SVG, with its size and its smallest letter's in CSS pixels."""
    svg = base64.b64decode(re.search(r"base64,([^\"]+)", figure)[1]).decode()
    wide, high = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', svg).groups())
    width = int(re.search(r'width="(\d+)"', figure)[1])
    attributes = f'width="{width}" height="{round(width * high / wide)}"'
    if labels := LETTER.findall(svg):  # matplotlib draws letters as outlines, 100 units high
        attributes += f' data-label="{100 * min(map(float, labels)) * width / wide:.1f}"'
    return figure.replace(' style="margin: 0"', "").replace(f'width="{width}"', attributes) + "\n"


def _size(png: str, about: dict) -> str:
    """Return the HTML attributes for a PNG's size, and by which factor it can be enlarged before it blurs."""
    wide, high = struct.unpack(">II", base64.b64decode(png[:64])[16:24])
    width = about.get("width", wide)
    return f' width="{width}" height="{round(width * high / wide)}" data-sharp="{wide / width:.2f}"'


def _text_html(output) -> str:
    """Return the HTML of an nbformat output that is no image, "" for blank text."""
    data = output.get("data", {})
    if data.get("text/html", "").startswith("<figure"):
        return _course_figure(data["text/html"])
    if "text/html" in data:
        return f'<div class="html">{data["text/html"]}</div>\n'
    if "text/markdown" in data:
        return markdown(data["text/markdown"])
    text = output.text if output.output_type == "stream" else data.get("text/plain", "")
    return f'<pre class="output">{html.escape(ANSI.sub("", text).rstrip())}</pre>\n' if text.strip() else ""
