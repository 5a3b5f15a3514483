"""ScalingLab: a view of what head_dim and temperature do to scores, to their softmax and to its gradient."""

from itertools import islice

import numpy as np
import traitlets as t

from course_utils.inputs import as_floats, check_whole
from course_utils.language import say
from course_utils.widgets.shared.svg import moved, rect, text
from course_utils.widgets.shared.view import View

TEMPERATURES = (0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)
MOST_ROWS = 500  # queries: few enough that each setting is measured in less than a tenth of a second
MOST_KEYS = 64  # nobody can tell more bars apart
BINS = 51  # odd, so that 0 lies in the middle of a bin
HIGH = 150  # pixels: the height of a bar of height 1


class ScalingLab(View):
    """A view in which the reader sets head_dim and temperature, and whether scores are divided by the root of head_dim.

    It shows a histogram of the scores, the weights of one query, and the mean entropy and gradient of the softmax.
    scores_by_width: dict from head_dim to raw scores (..., num_keys), all of one shape, with 2 to 64 keys; at most 500
    rows are kept. head_dim: the one chosen at first (default 64, or the largest if there is no 64). state: temperature
    (one of TEMPERATURES, default 1) and divided (a bool, default False), the other settings at first. Every setting is
    measured in advance, so that the browser only looks results up.
    Errors: ValueError for scores that are missing, not finite or of several shapes, and for a setting that is not
    offered.
    """

    script = "scaling.js"

    head_dims = t.List(t.Int()).tag(sync=True)
    temperatures = t.List(t.Float(), list(TEMPERATURES)).tag(sync=True)
    html = t.Unicode().tag(sync=True)
    words = t.List(t.Unicode()).tag(sync=True)
    heights = t.Bytes().tag(sync=True)
    head_dim = t.Int().tag(sync=True)
    temperature = t.Float(1.0).tag(sync=True)
    divided = t.Bool(False).tag(sync=True)

    def __init__(self, scores_by_width, *, head_dim=None, **state):
        raw = _check_scores(scores_by_width)
        self._rows, self._keys = next(iter(raw.values())).shape
        kept = np.stack([scores[:: -(-self._rows // MOST_ROWS)] for scores in raw.values()]).astype("f8")
        self._kept = kept.shape[1]
        limit = round_up(3 * kept.std((1, 2)).max())
        ticks = [f"{limit * x:g}" for x in (-0.8, -0.4, 0, 0.4, 0.8)]
        self._panels = [
            (say("scores (tallest bar: full height)"), 300, BINS, ticks),
            (say("weights of one query, 0 to 1"), 200, self._keys, [say("{number} keys", number=self._keys)]),
            (say("share of the maximum"), 150, 2, [say("entropy"), say("gradient")]),
        ]
        factors = np.array([[1 / T, 1 / T / width**0.5] for width in raw for T in TEMPERATURES])
        measured = [
            _measured(scores * factor, limit)
            for scores, pair in zip(kept.repeat(len(TEMPERATURES), 0), factors, strict=True)
            for factor in pair
        ]
        super().__init__(
            head_dims=list(raw),
            html="".join(_html(*panel) for panel in self._panels),
            words=[words for words, _ in measured],
            heights=(np.stack([heights for _, heights in measured]) * 254).round().astype("u1").tobytes(),
            head_dim=head_dim if head_dim is not None else 64 if 64 in raw else max(raw),
            **state,
        )

    @t.validate("head_dim", "temperature")
    def _offered(self, proposal):
        name = proposal.trait.name
        offered = getattr(self, f"{name}s")
        if offered and proposal.value not in offered:
            raise ValueError(f"{name} must be one of {', '.join(f'{x:g}' for x in offered)}, got {proposal.value}.")
        return proposal.value

    def picture(self):
        words, heights = self._now()
        heights = iter(heights * HIGH)
        parts, left = [text(8, 222, say("{settings}:", settings=self._settings()), 12), text(8, 240, words, 12)], 0
        for title, width, count, axis in self._panels:
            parts.append(moved(left, 0, _html(title, width, count, axis, [*islice(heights, count)])))
            left += width + 16
        return f'<g font-size="12">{"".join(parts)}</g>', left, 252

    def alt(self):
        template = (
            "Bars: histogram of the scores, weights of the first query, entropy and gradient, at {settings}: {words}."
        )
        return say(template, settings=self._settings(), words=self._now()[0])

    def _now(self):
        """Return what the view shows at its setting, as from `_measured`: (a sentence, the heights of all its bars)."""
        setting = self.head_dims.index(self.head_dim) * len(TEMPERATURES) + self.temperatures.index(self.temperature)
        setting = 2 * setting + self.divided
        return self.words[setting], np.frombuffer(self.heights, "u1").reshape(len(self.words), -1)[setting] / 254

    def _settings(self):
        by_root = "head_dim {width}, divided by its root, temperature {temperature}"
        not_by_root = "head_dim {width}, not divided by its root, temperature {temperature}"
        places = {"width": self.head_dim, "temperature": f"{self.temperature:g}"}
        return say(by_root if self.divided else not_by_root, **places)

    def __repr__(self):
        words = say(
            "head_dim {first} to {last}, {kept} of {rows} queries x {keys} keys", first=self.head_dims[0],
            last=self.head_dims[-1], kept=self._kept, rows=self._rows, keys=self._keys,
        )  # fmt: skip
        measured = say("{settings}: {words}", settings=self._settings(), words=self._now()[0])
        return f"ScalingLab: {words}; {measured}"


def measure(scores):
    """Return (sample variance of all scores, mean entropy of their softmax, its mean absolute gradient, its weights).

    scores: an array (rows, num_keys). The entropy is in nats; the weights have the shape of the scores.
    The gradient of weight i by score j is w_i (1 - w_i) if i is j, otherwise -w_i w_j. The mean of its absolute value
    over all i and j is the sum of 2 w (1 - w), divided by num_keys squared.
    """
    variance = scores.var(ddof=1)
    scores = scores - scores.max(-1, keepdims=True)
    exps = np.exp(scores)
    totals = exps.sum(-1, keepdims=True)
    weights = exps / totals
    entropy = (np.log(totals) - (weights * scores).sum(-1, keepdims=True)).mean()  # because -log w = log total - score
    gradient = (2 * weights * (1 - weights)).sum(-1).mean() / scores.shape[-1] ** 2
    return variance, entropy, gradient, weights


def _measured(scores, limit):
    """Return (a sentence, heights from 0 to 1 of all bars) for scores (rows, num_keys); limit: the last score shown."""
    variance, entropy, gradient, weights = measure(scores)
    keys = scores.shape[-1]
    most = np.log(keys), 2 * (1 - 1 / keys) / keys**2  # the maxima, reached if all weights are equal
    places = ((scores / limit + 1) / 2 * BINS).astype(int).clip(0, BINS - 1)
    counts = np.bincount(places.ravel(), minlength=BINS)
    shares = [entropy / most[0], gradient / most[1]]
    words = say(
        "variance {variance}, mean entropy {entropy} (at most {most}), mean gradient {gradient} (at most {steepest})",
        variance=f"{variance:.2f}", entropy=f"{entropy:.2f}", most=f"{most[0]:.2f}", gradient=f"{gradient:.5f}",
        steepest=f"{most[1]:.5f}",
    )  # fmt: skip
    beyond = (abs(scores) > limit).mean()
    if beyond:
        template = "; {share} of the scores lie beyond ±{limit} and stand at the edges"
        words += say(template, share=f"{beyond:.0%}", limit=f"{limit:g}")
    return words, np.concatenate([counts / counts.max(), weights[0], shares])


def _html(title, width, count, axis, heights=None):
    """Return the SVG of a panel with `count` bars; heights: in pixels, or None: 0, until scaling.js sets them."""
    at, wide, heights = width / count, width / count - 1, np.zeros(count) if heights is None else heights
    bars = "".join(rect(round(8 + at * i, 2), 0, round(wide, 2), high) for i, high in enumerate(heights))
    names = "".join(
        f'<text x="{8 + width * (i + 0.5) / len(axis):.0f}" y="{HIGH + 44}" text-anchor="middle">{name}</text>'
        for i, name in enumerate(axis)
    )
    return (
        f'<svg class="av-scaling" width="{width + 16}" height="{HIGH + 50}" fill="currentColor" aria-hidden="true">'
        f'<text x="8" y="16">{title}</text><path d="M8 28h{width}v{HIGH}h-{width}z" fill="none" stroke="currentColor" '
        f'opacity=".4"/><g transform="matrix(1 0 0 -1 0 {HIGH + 28})" fill="var(--av-focus)">{bars}</g>{names}</svg>'
    )


def round_up(value):
    """Return the smallest of …, 0.2, 0.5, 1, 2, 5, 10, 20, … that is not below a value of at least 0; for 0, 1.0."""
    power = 10.0 ** np.floor(np.log10(value or 1.0))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= value))


def _check_scores(scores_by_width):
    """Return the scores as a dict, width -> float32 array (rows, num_keys), sorted. Errors: ValueError."""
    if not isinstance(scores_by_width, dict) or not scores_by_width:
        raise ValueError("scores_by_width needs a dict from head_dim to scores, with at least one width in it.")
    for width in scores_by_width:
        check_whole("Each width", width)
    given = sorted(scores_by_width.items())
    arrays = {width: as_floats(scores, f"scores of width {width}") for width, scores in given}
    shape = next(iter(arrays.values())).shape
    if not shape or not 2 <= shape[-1] <= MOST_KEYS or 0 in shape:
        raise ValueError(f"Scores need a shape (..., num_keys) with 2 to {MOST_KEYS} keys, got {shape}.")
    for width, scores in arrays.items():
        if scores.shape != shape:
            shapes = f"{shape} and, for width {width}, {scores.shape}"
            raise ValueError(f"All widths need scores of one shape, got {shapes}.")
        if not np.isfinite(scores).all():
            raise ValueError(f"The scores of width {width} hold nan or infinity: give the raw, finite dot products.")
    return {width: scores.reshape(-1, shape[-1]) for width, scores in arrays.items()}
