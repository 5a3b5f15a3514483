"""RotaryClock: a view of rotary positions, in which a query and a key are rotated pair by pair."""

import numpy as np
import traitlets as t

from course_utils.inputs import as_floats, check_whole
from course_utils.language import say
from course_utils.widgets.rotary import rotary_picture
from course_utils.widgets.shared.view import View, in_range

MOST_PAIRS = 16  # nobody can follow more circles at once


class RotaryClock(View):
    """A view of rotary positions, in which the reader moves a query and a key along a text.

    It shows how each pair of numbers rotates, what the pair adds to the score, and the score at every distance.
    query, key: (head_dim,), before any rotation; numbers 0 and 1 are a pair, 2 and 3 the next; at most 16 pairs.
    speeds: (head_dim / 2,), the angle by which a pair rotates from one position to the next, in radians.
    most_place: the largest position. state: query_place and key_place, the positions at first, from 0 to most_place
    (default 5 and 3), and together, whether moving one moves the other, too, so that their distance stays (True).
    Errors: ValueError for vectors that do not fit together or are not finite, and for positions out of range.
    """

    script = "rotary.js"

    query = t.List(t.Float()).tag(sync=True)
    key = t.List(t.Float()).tag(sync=True)
    speeds = t.List(t.Float()).tag(sync=True)
    most_place = t.Int().tag(sync=True)
    html = t.Unicode().tag(sync=True)
    query_place = t.Int(5).tag(sync=True)
    key_place = t.Int(3).tag(sync=True)
    together = t.Bool(True).tag(sync=True)

    def __init__(self, query, key, speeds, *, most_place=100, **state):
        check_whole("most_place", most_place)
        query, key, speeds = _check_vectors(query, key, speeds)
        super().__init__(query=query, key=key, speeds=speeds, most_place=most_place, **state)
        self.html = "".join(f'<div class="av-body">{"".join(row)}</div>' for row in self._rows())

    @t.validate("query_place", "key_place")
    def _in_range(self, proposal):
        return in_range(proposal, self.most_place + 1, " (most_place)")

    def _rows(self):
        """Return the rows of the view, a tuple of three lists of SVG strs: legend, circles of the pairs, [curve]."""
        arrows = [
            turned(vector, self.speeds, place)
            for vector, place in ((self.query, self.query_place), (self.key, self.key_place))
        ]
        points = 4 * self.most_place  # of the curve, to either side of 0: four for each position
        distances = np.arange(-points, points + 1) / 4
        scores = {at: shares(self.query, self.key, self.speeds, 0, at).sum() for at in distances}
        distance = self.key_place - self.query_place
        return (
            rotary_picture.legend(),
            rotary_picture.clocks(self.speeds, arrows, self._shares()),
            [rotary_picture.curve(scores, distance, self._shares().sum())],
        )

    def _shares(self):
        """Return what each pair of numbers adds to the score at the present positions, an array (num_pairs,)."""
        return shares(self.query, self.key, self.speeds, self.query_place, self.key_place)

    def picture(self):
        return rotary_picture.page(*self._rows(), self.summary())

    def summary(self):
        """Return the sentence, a str, about the present positions and the score that the view shows."""
        return summary(self.query_place, self.key_place, self._shares().sum())

    def alt(self):
        parts = zip(self._shares(), self.speeds, strict=True)
        each = [say("{share} at speed {speed}", share=f"{share:z.2f}", speed=f"{speed:g}") for share, speed in parts]
        template = (
            "A circle for each pair of numbers, with an arrow for the query and one for the key. {summary} Shares of "
            "the pairs: {shares}. Below, the score at every distance."
        )
        return say(template, summary=self.summary(), shares=say(", ").join(each))

    def __repr__(self):
        speeds = {"first": f"{self.speeds[0]:g}", "last": f"{self.speeds[-1]:g}"}
        template = "RotaryClock: {pairs} pairs, speeds {first} to {last}. {summary}"
        return say(template, pairs=len(self.speeds), summary=self.summary(), **speeds)


def turned(vector, speeds, place):
    """Return the pairs of numbers of a vector after the rotation for a position, as complex numbers (num_pairs,).

    vector: (head_dim,); numbers 0 and 1 are a pair, the real and the imaginary part, 2 and 3 the next. speeds:
    (num_pairs,), in radians per position, counterclockwise. place: the position.
    """
    return np.reshape(vector, (-1, 2)) @ [1, 1j] * np.exp(1j * place * np.array(speeds))


def shares(query, key, speeds, query_place, key_place):
    """Return what each pair of numbers adds to the score of a rotated query and a rotated key, an array (num_pairs,).

    query, key: (head_dim,), not yet rotated; numbers 0 and 1 are a pair, 2 and 3 the next. speeds: (num_pairs,), in
    radians per position. query_place, key_place: the positions.
    """
    return (turned(query, speeds, query_place) * turned(key, speeds, key_place).conj()).real


def summary(query_place, key_place, score):
    """Return a sentence with two positions (int), their distance and the score (float), as `summary` in rotary.js."""
    apart = key_place - query_place
    beside = "Query at place {query}, key at place {key}, beside it: score {score}."
    after = "Query at place {query}, key at place {key}, {distance} after it: score {score}."
    before = "Query at place {query}, key at place {key}, {distance} before it: score {score}."
    places = {"query": query_place, "key": key_place, "distance": abs(apart), "score": f"{score:z.2f}"}
    return say(after if apart > 0 else before if apart else beside, **places)


def _check_vectors(query, key, speeds):
    """Return [query, key, speeds] as lists of floats. Errors: ValueError if they are not finite or do not fit."""
    given = {"query": query, "key": key, "speeds": speeds}
    arrays = {name: as_floats(numbers, name) for name, numbers in given.items()}
    for name, array in arrays.items():
        if array.ndim != 1:
            raise ValueError(f"{name} needs one axis, got shape {array.shape}: choose one token of one head.")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} must hold finite numbers, but some are nan or inf.")
    query, key, speeds = arrays.values()
    if len(query) != len(key) or len(query) != 2 * len(speeds) or not 1 <= len(speeds) <= MOST_PAIRS:
        sizes = f"{len(query)}, {len(key)} and {len(speeds)}"
        raise ValueError(f"query and key need two numbers for each of 1 to {MOST_PAIRS} speeds, got {sizes} numbers.")
    return [array.tolist() for array in arrays.values()]
