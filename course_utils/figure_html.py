"""Turn a matplotlib Figure into HTML: a picture with the colours of a light and of a dark page, and its caption."""

import io
import re

import numpy as np

from course_utils import theme

STOPS = 17  # of the gradient that fills a colour bar


def html(figure) -> str:
    """Return a <figure> of HTML with a matplotlib Figure as an SVG that adapts to a light or dark page.

    Its caption, as from `caption_of`, is shown below it and is its alt text.
    """
    caption = caption_of(figure)
    return theme.figure(svg(figure), caption, caption, round(figure.get_figwidth() * figure.dpi))


def caption_of(figure) -> str:
    """Return the attribute `caption` of a matplotlib Figure, a str; "" if it has none."""
    return getattr(figure, "caption", None) or ""


def svg(figure) -> str:
    """Return a matplotlib Figure as the source of an SVG, with its colours for a light and a dark page.

    Numbers in it are rounded to five digits, and comments, metadata and line breaks are left out.
    """
    scales = _scales(figure)
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    text = re.sub(r"<metadata>.*?</metadata>\n?|<!--.*?-->\n?", "", file.getvalue(), flags=re.DOTALL)
    text = re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.5g}", text[text.index("<svg") :])
    text = re.sub(r"\s*\n\s*", " ", text)
    for name, gradient in scales.items():  # matplotlib draws the colours of a scale as a PNG, which CSS cannot change
        picture = re.compile(rf'(<g id="{name}">.*?)<image xlink:href="[^"]*"', re.DOTALL)
        text = picture.sub(rf'\1{gradient}<rect fill="url(#{name}-colours)"', text, count=1)
    # matplotlib gives black letters no colour, since black is SVG's own default.
    return theme.for_both_pages(text.replace("<svg ", '<svg fill="#000000" ', 1))


def _scales(figure) -> dict[str, str]:
    """Return a dict from a name for each colour bar of a Figure to its colours, a <linearGradient> of SVG.

    The name ("scale-0" and so on) is also set as the gid of the bar's Axes, by which it is found in the figure's SVG.
    """
    from matplotlib.collections import QuadMesh
    from matplotlib.colors import to_hex

    bars = [mesh for mesh in figure.findobj(QuadMesh) if mesh.get_rasterized()]
    scales = {}
    for number, bar in enumerate(bars):
        name, box = f"scale-{number}", bar.axes.get_position()
        bar.axes.set_gid(name)
        is_tall = box.height * figure.get_figheight() > box.width * figure.get_figwidth()
        ends = bar.axes.get_ylim() if is_tall else bar.axes.get_xlim()
        colours = [to_hex(bar.cmap(bar.norm(value))) for value in np.linspace(*ends, STOPS)]
        places = [f"{place / (STOPS - 1):.4g}" for place in range(STOPS)]
        stops = "".join(map('<stop offset="{}" stop-color="{}"/>'.format, places, colours))
        end = 'x2="0" y2="1"' if is_tall else 'x2="1" y2="0"'
        scales[name] = f'<linearGradient id="{name}-colours" {end}>{stops}</linearGradient>'
    return scales
