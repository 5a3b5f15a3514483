"""Show a report as text, and as an HTML panel for a notebook, which suits both themes and screen readers."""

import re
from html import escape

from course_utils import theme

from . import heatmap
from .sentences import say, shown

SYMBOLS = {"passed": "✓", "failed": "✗", "not attempted": "○"}
TRIED = {  # result -> the lines for some inputs and for all
    False: ("✗ wrong on {labels}", "✗ wrong on all {number} inputs"),
    True: ("✓ right on {labels}", "✓ right on all {number} inputs"),
    None: ("– not tried on {labels}", "– not tried on all {number} inputs"),
}
END = re.compile(r"(?<=\. )|(?<=[。！？])(?!$)")  # of the first sentence
STARS = re.compile(r"\*(\w[^*]*)\*")
COLOURS = {"passed": theme.COLOURS["right"], "failed": theme.COLOURS["wrong"], "not attempted": theme.COLOURS["edge"]}


def text(report) -> str:
    """Return a Report as plain text, as a script prints it."""
    if report.status == "not attempted":
        return "\n".join(map(shown, filter(None, [report.message, report.last_time, *report.notes])))
    lines = [f"{SYMBOLS[report.status]} {shown(report.message)}"]
    if report.status == "failed":
        lines += heatmap.text(report.pair) if report.pair else []
        lines += tried(report)
    hints = [say("A hint: {words}", words=words) for _, words in report.hints]
    return "\n".join([*lines, *hints, *map(shown, report.notes)])


def html(report) -> str:
    """Return a Report as an HTML panel, which has no ids and no scripts, and loads nothing."""
    parts = [_headline(report)]
    if report.last_time:
        parts.append(f"<p style='margin:.7em 0 0'>{inline(shown(report.last_time))}</p>")
    if report.status == "failed":
        parts += [heatmap.html(report.pair)] if report.pair else []
        lines = "<br>".join(map(inline, tried(report)))
        parts += [f"<p style='margin:.7em 0 0'>{lines}</p>"] if lines else []
    parts += [
        f"<p style='margin:.7em 0 0'>{inline(say('*A hint.* {words}', words=words))}</p>" for _, words in report.hints
    ]
    parts += [f"<pre style='margin:.7em 0 0;white-space:pre-wrap'>{escape(shown(note))}</pre>" for note in report.notes]
    edge = COLOURS[report.status].light  # plain: JupyterLab removes light-dark() from a notebook that is not trusted
    label = say("Check of {stub}", stub=escape(report.stub))
    box = f'role="group" aria-label="{label}" style="{theme.panel(edge)}"'
    return f"<div {box}>{''.join(parts)}</div>"


def _headline(report) -> str:
    """Return the first paragraph of a Report's panel as HTML: a symbol and the message, its first sentence in bold."""
    message = shown(report.message)
    first = END.split(message, maxsplit=1)[0]
    rest = message[len(first) :]
    colour = COLOURS[report.status].css()
    if report.status == "not attempted":
        words = inline(message)
    else:
        words = f"<strong>{inline(first.rstrip())}</strong>{' ' if first.isascii() else ''}{inline(rest)}"
    return (
        f"<p style='margin:0'><span style='color:{colour};font-weight:bold'>{SYMBOLS[report.status]}</span> {words}</p>"
    )


def inline(words: str) -> str:
    """Return a text as escaped HTML, in which what stands between backticks is <code>, and between stars <em>.

    Chinese words between stars are bold, <strong>: their italics are hard to read.
    """
    parts = re.split(r"`([^`]+)`", escape(words, quote=False))
    parts[::2] = [STARS.sub(_emphasised, part) for part in parts[::2]]
    parts[1::2] = [f"<code>{part}</code>" for part in parts[1::2]]
    return "".join(parts)


def _emphasised(match) -> str:
    tag = "strong" if re.search("[\u4e00-\u9fff]", match[1]) else "em"
    return f"<{tag}>{match[1]}</{tag}>"


def tried(report) -> list[str]:
    """Return at most three lines: the inputs on which a Report's answer was wrong, right, and not tried.

    Return [] if there was a single input.
    """
    number = len(report.tried)
    lines = []
    for result, (some, all_of_them) in TRIED.items():
        labels = [label for label, right in report.tried if right is result]
        if len(labels) == number > 1:
            lines.append(say(all_of_them, number=number))
        elif labels and number > 1:
            lines.append(say(some, labels=" · ".join(map(shown, labels))))
    return lines
