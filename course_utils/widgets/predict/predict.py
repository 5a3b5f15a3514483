"""Predict: a view in which the reader makes a prediction, commits it, and sees the truth over the guess."""

import base64
import json
import re

import numpy as np
import traitlets as t

from course_utils import inputs, progress
from course_utils.language import say
from course_utils.widgets.predict.predict_picture import question_picture
from course_utils.widgets.shared.view import View, _json

MOST_WIDE = {"choice": 300, "bars": inputs.MOST_WIDE, "cells": 40}  # letters of a choice, bar or row; more are cut
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

# JavaScript for an exported page: it contains the truth in base64, and reveals it when the reader commits.
REPLAY = """
const hidden = %s;
const heard = {};
model.on = (name, hear) => { heard[name] = hear; };
model.save_changes = () => {
  state.result = { truth: JSON.parse(new TextDecoder().decode(bytes(hidden))) };
  heard["change:result"]();
};
"""


class Predict(View):
    """A prediction: the reader guesses and commits, then the truth appears over the guess, and how far off it was.

    name: a unique str of small letters, digits and hyphens, under which the guess is stored in the learner's progress.
    A guess that is stored there, on the same truth, is shown again.
    question: a str. truth: the right guess, computed beforehand; the browser gets it only when the reader commits.
    Exactly one of three forms is given:
    choices: a list of labels; truth is one of them.
    bars: one label per bar; truth is a row of shares, one per bar, that sum to 1.
    rows, and columns (default: rows): the labels of a table; truth is a table of bools, (num_rows, num_columns).
    Errors: ValueError for another name, for no form or several, for a form without labels, and if the truth does not
    fit the form.
    """

    script = "predict.js"

    name = t.Unicode().tag(sync=True)
    question = t.Unicode().tag(sync=True)
    form = t.Unicode().tag(sync=True)
    labels = t.List(t.Unicode()).tag(sync=True)
    columns = t.List(t.Unicode()).tag(sync=True)
    guess = t.Any(None, allow_none=True).tag(sync=True)
    result = t.Dict().tag(sync=True)

    def __init__(self, name, question, truth, *, choices=None, bars=None, rows=None, columns=None):
        forms = {"choice": choices, "bars": bars, "cells": rows}
        given = [form for form, labels in forms.items() if labels is not None]
        if not NAME.fullmatch(str(name)):
            raise ValueError(f"name must be of small letters, digits and hyphens, got {name!r}.")
        if len(given) != 1:
            raise ValueError("give one of choices, bars, and rows (with columns, where they have other labels).")
        [form] = given
        labels = _labels({"cells": "rows", "bars": "bars"}.get(form, "choices"), forms[form])
        columns = [] if form != "cells" else labels if columns is None else _labels("columns", columns)
        self._truth = TRUTHS[form](truth, labels, columns)
        labels = [inputs.showable(label, MOST_WIDE[form]) for label in labels]
        columns = [inputs.showable(label) for label in columns]
        super().__init__(name=name, question=question, form=form, labels=labels, columns=columns)
        before = progress.kept("predictions", name)
        if before.get("truth") == self._truth and _can_be_shown(form, before, labels):
            self.result = {"truth": self._truth, "note": ""}  # first, so that the guess is not stored once more
            self.guess = before["guess"]

    @t.observe("guess")
    def _commit(self, change):
        """Store the reader's guess, and send the browser the truth; None, and any guess after the first, is ignored."""
        if self.guess is None or self.result:
            return
        off = OFF[self.form](self.guess, self._truth)
        note = progress.keep("predictions", self.name, {"guess": self.guess, "truth": self._truth, "off": off})
        self.result = {"truth": self._truth, "note": note}

    def _replay(self):
        return REPLAY % _json(base64.b64encode(json.dumps(self._truth).encode()).decode())

    def picture(self):
        return question_picture(self.question, self.form, self.labels, self.columns)

    def __repr__(self):
        if self.form == "choice":
            asked = " / ".join(self.labels)
        elif self.form == "bars":
            asked = say("a bar each: {labels}", labels=" ".join(self.labels))
        else:
            asked = say("{rows} x {columns} cells to mark", rows=len(self.labels), columns=len(self.columns))
        return say("Predict: {question} ({asked})", question=self.question, asked=asked)


def _can_be_shown(form, before, labels):
    """Return whether a stored prediction, a dict, has a guess that fits the form."""
    guess, truth = before.get("guess"), before["truth"]
    if form == "choice":
        return type(guess) is int and guess in range(len(labels))
    try:
        given = np.asarray(guess)
    except ValueError:  # rows of several lengths
        return False
    return given.shape == np.shape(truth) and given.dtype.kind in {"bars": "fiu", "cells": "b"}[form]


def _labels(name, given):
    """Return labels as strs, uncut, because the truth is compared with them. Errors: ValueError if there are none."""
    labels = list(map(inputs.as_text, inputs.as_list(given, name)))
    if not labels:
        raise ValueError(f"{name} is empty: give at least one label, and the truth for each.")
    return labels


def _choice(truth, labels, columns):
    truth = inputs.as_text(truth)
    if len(set(labels)) < max(2, len(labels)):
        raise ValueError(f"choices must be two or more, each another, got {labels!r:.200}.")
    if truth not in labels:
        raise ValueError(f"the truth must be one of the choices {labels!r:.200}, got {truth!r:.80}.")
    return labels.index(truth)


def _bars(truth, labels, columns):
    """Return the truth as a list of floats. Errors: ValueError if it is not a share for each label, together 1."""
    try:
        shares = np.asarray(truth, dtype="f8")
    except (TypeError, ValueError):
        raise ValueError(f"the truth must be numbers, one for each bar, got {truth!r:.80}.") from None
    if shares.shape != (len(labels),):
        raise ValueError(f"the truth must be one number for each of the {len(labels)} bars, got shape {shares.shape}.")
    if not ((shares >= 0).all() and abs(shares.sum() - 1) < 0.001):
        raise ValueError(f"the truth must be shares that add up to 1, got {shares.round(4).tolist()}.")
    return shares.round(6).tolist()


def _cells(truth, labels, columns):
    cells = np.asarray(truth)
    if cells.dtype != bool or cells.shape != (len(labels), len(columns)):
        needed = f"True and False in {len(labels)} rows and {len(columns)} columns"
        raise ValueError(f"the truth must be {needed}, got {cells.dtype} of shape {cells.shape}.")
    return cells.tolist()


# Form -> a function of (truth, labels, columns) that checks the truth and returns it in a form that JSON can hold.
TRUTHS = {"choice": _choice, "bars": _bars, "cells": _cells}

# Form -> a function that returns how far off a guess is: 0 or 1; the share that was misplaced; the wrong cells.
OFF = {
    "choice": lambda guess, truth: int(guess != truth),
    "bars": lambda guess, truth: round(sum(abs(a - b) for a, b in zip(guess, truth, strict=True)) / 2, 4),
    "cells": lambda guess, truth: int((np.array(guess) != np.array(truth)).sum()),
}
