"""The SVG of a RotaryClock: Python draws it once, and rotary.js then rotates the arrows in it and moves the marks."""

import numpy as np

from course_utils.language import say
from course_utils.widgets.shared.svg import moved, text

# Sizes are in pixels.
IN_A_ROW = 4  # circles in a row of the static picture
WIDE, HIGH = 160, 212  # the size of a circle with its title, bar and number
WIDTH = WIDE * IN_A_ROW
MIDDLE, CENTRE, RADIUS, LONGEST = WIDE // 2, 104, 60, 56  # a circle's centre and radius, and its longest arrow
BAR = 66  # the largest length of a share's bar, to either side of 0
LEFT, RIGHT, TOP, TALL = 58, 36, 30, 110  # the margins of the curve, and its height
LEGEND = (104, 94, 216, 226)  # the widths of the parts of the legend, together WIDTH
FONT = 'font-size="13"'
HIDDEN = 'aria-hidden="true"'
ANGLE = 'fill="none" stroke="var(--av-chosen)" stroke-opacity=".35"'


def legend():
    """Return a list of SVG strings, the parts of the legend: they name the arrows, the angle and the bar.

    In a page they stand side by side, or in several lines where that is too narrow; LEGEND has their widths.
    """
    parts = [
        moved(8, 16, _arrow("query", 34)) + text(50, 21, say("query")),
        moved(8, 16, _arrow("key", 34)) + text(50, 21, say("key")),
        f'<path d="M8 16h28" {ANGLE} stroke-width="16"/>{text(44, 21, say("the angle between them"))}',
        f'<path d="M8 10h28v12h-28z" fill="var(--av-focus)"/>{text(44, 21, say("share of the score"))}',
    ]
    look = HIDDEN + ' class="av-legend" style="flex-grow:{0};max-width:calc({0}px * 1.19)"'
    return [_svg(wide, 32, part, look.format(wide)) for wide, part in zip(LEGEND, parts, strict=True)]


def clocks(speeds, arrows, shares):
    """Return a list of SVG strings, one circle for each pair, all on one scale.

    speeds: (num_pairs,), in radians per position. arrows: of the query and of the key, two arrays (num_pairs,) of
    complex numbers. shares: (num_pairs,), what each pair adds to the score.
    """
    lengths, angles = np.abs(arrows), np.angle(arrows, deg=True)
    bar = BAR / (np.prod(lengths, axis=0).max() or 1)
    lengths *= LONGEST / (lengths.max() or 1)
    pairs = zip(speeds, lengths.T, angles.T, shares, strict=True)
    return [_clock(number, *pair, bar) for number, pair in enumerate(pairs)]


def _clock(pair, speed, lengths, angles, share, unit):
    """Return the SVG of a pair: its title, its circle with two arrows, and the bar of its share, in px and degrees."""
    (query_angle, key_angle), bar = angles, share * unit
    between = (query_angle - key_angle + 180) % 360 - 180
    begin = query_angle if between > 0 else key_angle
    name = say("numbers {first} and {second}", first=2 * pair, second=2 * pair + 1)
    turning = say("speed {speed}", speed=f"{speed:g}")
    parts = [
        text(MIDDLE, 16, name, more='text-anchor="middle" font-weight="600"'),
        text(MIDDLE, 34, turning, more='text-anchor="middle"'),
        f'<g transform="translate({MIDDLE} {CENTRE})">',
        f'<circle r="{RADIUS}" fill="none" stroke="var(--av-edge)"/>',
        f'<circle class="av-between" r="13" {ANGLE} stroke-width="26" pathLength="360" '
        f'stroke-dasharray="{abs(between):.2f} 360" transform="rotate({-begin:.2f})"/>',
        f'<g class="av-key" transform="rotate({-key_angle:.2f})">{_arrow("key", lengths[1])}</g>',
        f'<g class="av-query" transform="rotate({-query_angle:.2f})">{_arrow("query", lengths[0])}</g></g>',
        f'<rect class="av-share" x="{MIDDLE + min(bar, 0):.2f}" y="174" width="{abs(bar):.2f}" height="12" '
        'fill="var(--av-focus)"/>',
        f'<path d="M{MIDDLE} 170v20" stroke="currentColor"/>',
        text(MIDDLE, 206, f"{share:z.2f}", more='text-anchor="middle" class="av-number"'),
    ]
    summary = say(", ").join((name, turning))
    return _svg(WIDE, HIGH, "".join(parts), f'class="av-clock" role="img" data-name="{summary}" data-bar="{unit}"')


def _arrow(name, length):
    """Return the SVG path of an arrow to the right; "query" has a filled head, "key" an open one. length: in pixels."""
    head = min(12, length)
    neck, half = length - head, head / 2
    fill = {"query": f"var(--av-{name})", "key": "none"}[name]
    return (
        f'<path d="M0 0H{neck:.2f}M{neck:.2f} {-half:.2f}L{length:.2f} 0L{neck:.2f} {half:.2f}z" fill="{fill}" '
        f'stroke="var(--av-{name})" stroke-width="3" stroke-linejoin="round"/>'
    )


def curve(scores, distance, score):
    """Return an <svg>, a str, of the score as a curve over the distance, with a mark at the present distance.

    scores: dict from distance, the position of the key minus that of the query, to score, in the order of distances.
    distance, score: the present ones.
    """
    most = max(scores)
    high = max(map(abs, scores.values())) or 1
    step, unit = (WIDTH - LEFT - RIGHT) / (2 * most), TALL / 2 / high
    centre, zero = LEFT + step * most, TOP + TALL / 2
    points = " ".join(f"{centre + step * at:.1f},{zero - unit * value:.1f}" for at, value in scores.items())
    ticks = {at: say("{distance} before", distance=f"{-at:g}") for at in (-most, -most / 2)} | {0: "0"}
    ticks |= {at: say("{distance} after", distance=f"{at:g}") for at in (most / 2, most)}
    parts = [
        text(LEFT, 18, say("score, by how far the key stands before or after the query")),
        f'<path d="M{LEFT} {TOP}v{TALL}h{WIDTH - LEFT - RIGHT}M{LEFT} {zero}h{WIDTH - LEFT - RIGHT}" fill="none" '
        'stroke="var(--av-edge)"/>',
        *(
            text(LEFT - 6, zero - unit * value + 4, f"{value:.2f}", more='text-anchor="end"')
            for value in (high, 0, -high)
        ),
        *(text(centre + step * at, TOP + TALL + 18, ticks[at], more='text-anchor="middle"') for at in ticks),
        f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/>',
        f'<g class="av-now" transform="translate({centre + step * distance:.2f} 0)"><path d="M0 {TOP}v{TALL}" '
        f'stroke="var(--av-chosen)" stroke-width="2"/><circle cy="{zero - unit * score:.2f}" r="5" '
        'fill="var(--av-chosen)"/></g>',
    ]
    size = f'data-centre="{centre}" data-step="{step}" data-zero="{zero}" data-unit="{unit}"'
    return _svg(WIDTH, TOP + TALL + 26, "".join(parts), f'class="av-curve" {HIDDEN} {size}')


def page(first, circles, last, words):
    """Return (SVG elements, a str; width; height), in pixels, of the static picture of a RotaryClock.

    first: as `legend` returns it. circles: as `clocks` returns them. last: a list with the SVG of the curve. words: the
    sentence below the legend.
    """
    top = 62
    parts = [moved(sum(LEGEND[:i]), 0, part) for i, part in enumerate(first)]
    parts.append(text(8, 52, words, more=f'{FONT} font-weight="600"'))
    parts += [moved(WIDE * (i % IN_A_ROW), top + HIGH * (i // IN_A_ROW), clock) for i, clock in enumerate(circles)]
    top += HIGH * -(-len(circles) // IN_A_ROW)
    return "".join([*parts, moved(0, top, last[0])]), WIDTH, top + TOP + TALL + 26


def _svg(width, height, inner, more=""):
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg {size} {FONT} fill="currentColor" {more}>{inner}</svg>'
