"""The controls of AttentionLab: their kinds, derived from the values that a caller gives, and the values they offer."""

import itertools
import math
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from course_utils import inputs

MOST_STORED = 64  # an exported page stores all combinations of settings only up to this number


@dataclass(frozen=True)
class Control:
    """A control that the reader of an AttentionLab moves: a text box, a checkbox, a menu of choices or a slider.

    name: the keyword argument that it sets. values: the values of a choice or slider, in order; empty for the others.
    start: the setting at first. The setting of a text box is its text, that of a checkbox a bool, and that of a choice
    or slider an index into `values`.
    """

    name: str
    kind: str  # "text", "checkbox", "choice", "slider", or "fixed" for a read-only text
    values: list
    start: object

    @classmethod
    def of(cls, name, value):
        """Return the Control for a value that a caller gives; name: the keyword argument that it sets.

        value: a bool (a checkbox), a str (a text box), a list of choices, not empty, or a tuple of numbers (low, high)
        or (low, high, start) for a slider, which starts at low by default. Errors: ValueError for any other value.
        """
        if isinstance(value, bool):
            return cls(name, "checkbox", [], value)
        if isinstance(value, str):
            return cls(name, "text", [], inputs.encodable(value))
        if isinstance(value, list) and value:
            return cls(name, "choice", value, 0)
        if isinstance(value, tuple) and len(value) in (2, 3) and all(map(_is_number, value)):
            low, high, start = (*value, value[0])[:3]
            if low < high and low <= start <= high:
                values = _steps(low, high, start)
                return cls(name, "slider", values, values.index(start))
            form = "(low, high) or (low, high, start), low < high, start between"
            raise ValueError(f"{name}={value!r}: a slider is {form}.")
        raise ValueError(
            f"{name}={value!r} makes no control. Give True or False, a text, a list of choices (not empty), or a tuple "
            "(low, high) or (low, high, start) of numbers. What stays fixed belongs into the function."
        )

    def value(self, at):
        """Return the value that `attend` receives when the control has the setting `at`."""
        return self.values[at] if self.values else at

    def sent(self):
        """Return the description from which the browser builds the control: a dict of name, kind and values.

        The values are texts that can be shown, in the order of `values`. The start is not in it.
        """
        names = [value if isinstance(value, int) or not _is_number(value) else f"{value:.4g}" for value in self.values]
        shown = [inputs.showable(name, inputs.LONGEST) for name in names]
        return {"name": self.name, "kind": self.kind, "values": shown}

    @property
    def settings(self):
        """Return all settings of the control as a list: bools or indices; of a text box, only its first text."""
        return [False, True] if self.kind == "checkbox" else list(range(len(self.values))) or [self.start]

    def kept(self, now, number):
        """Return a new Control, as an exported page has it: with fewer values, and starting at the present setting.

        now: the present setting of this control. number: the most values of a slider; those kept are evenly spaced,
        with the present one among them. A choice or checkbox keeps all; a text box becomes read-only.
        """
        count = len(self.values)
        if self.kind != "slider" or count <= number:
            return replace(self, kind="fixed" if self.kind == "text" else self.kind, start=now)
        even = np.linspace(0, count - 1, number).round().astype(int)
        start = int(np.abs(even - now).argmin())
        even[start] = now
        return replace(self, values=[self.values[at] for at in even], start=start)


def plan(controls, now):
    """Return (the controls of an exported page, the combinations of their settings that it stores, as tuples).

    All combinations are stored if 2 to 9 values per slider make at most MOST_STORED of them; otherwise only those in
    which at most one control differs from its present setting.
    controls: a list of Control. now: a dict from the name of each to its present setting.
    """
    for number in range(9, 1, -1):
        kept = [control.kept(now[control.name], number) for control in controls]
        if math.prod(len(control.settings) for control in kept) <= MOST_STORED:
            return kept, list(itertools.product(*(control.settings for control in kept)))
    kept = [control.kept(now[control.name], 9) for control in controls]
    start = tuple(control.start for control in kept)
    one_moved = [(*start[:i], at, *start[i + 1 :]) for i, control in enumerate(kept) for at in control.settings]
    return kept, list(dict.fromkeys([start, *one_moved]))


def _is_number(value):
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def _steps(low, high, start):
    """Return the values of a slider from low to high, a sorted list in which low, start and high occur.

    The others are about 100 round numbers, or, if all three are int, up to about 2000 whole ones.
    """
    if all(isinstance(value, int) for value in (low, high, start)):
        step = max(1, (high - low) // 1000)
        return sorted({*range(low, high, step), start, high})
    low, high, start = float(low), float(high), float(start)
    size = 10.0 ** math.floor(math.log10((high - low) / 100))
    step = size * min((1, 2, 5, 10), key=lambda round_one: abs(round_one - (high - low) / 100 / size))
    digits = 2 - math.floor(math.log10(step))  # rounding errors lie behind the last digit of a step
    steps = {round(low + i * step, digits) for i in range(1, math.ceil((high - low) / step))}
    return sorted({low, *(value for value in steps if low < value < high), start, high})
