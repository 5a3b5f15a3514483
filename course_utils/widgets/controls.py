"""What a reader of AttentionLab moves: which control a value asks for, and the values that it takes."""

import math
from dataclasses import dataclass
from numbers import Real

import numpy as np

from course_utils import inputs


@dataclass(frozen=True)
class Control:
    """What a reader moves. A setting is the text or the tick itself, or a position among the values."""

    name: str
    kind: str  # "text", "checkbox", "choice" or "slider"
    values: list
    start: object

    @classmethod
    def of(cls, name, value):
        """The control that a value asks for; a ValueError in words where it asks for none."""
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
            raise ValueError(
                f"{name}={value!r}: a slider is (low, high) or (low, high, start), low < high, start between."
            )
        raise ValueError(
            f"{name}={value!r} makes no control. Give True or False, a text, a list of choices (not empty), or a tuple "
            "(low, high) or (low, high, start) of numbers. What stays fixed belongs into the function."
        )

    def value(self, at):
        """What attend receives for a setting."""
        return self.values[at] if self.values else at

    def sent(self, stops=None):
        """What the page needs to build it; with only some stops, a text being fixed."""
        names = [value if isinstance(value, int) or not _is_number(value) else f"{value:.4g}" for value in self.values]
        kind = "fixed" if self.kind == "text" and stops else self.kind
        kept = [inputs.showable(names[at], inputs.LONGEST) for at in stops or range(len(names))] if names else []
        return {"name": self.name, "kind": kind, "values": kept}

    def stops(self, now, number):
        """The settings that an exported page keeps: of a slider so many, evenly spaced, the present one among them."""
        count = len(self.values)
        if self.kind != "slider" or count <= number:
            return {"text": [now], "checkbox": [False, True]}.get(self.kind, list(range(count)))
        even = np.linspace(0, count - 1, number).round().astype(int)
        even[np.abs(even - now).argmin()] = now
        return even.tolist()

    def place(self, stops, at):
        """The same setting where only some stops are kept."""
        return stops.index(at) if self.values else at


def _is_number(value):
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def _steps(low, high, start):
    """The values of a slider: whole ones, or about 100 round ones, with low, high and start among them."""
    if all(isinstance(value, int) for value in (low, high, start)):
        step = max(1, (high - low) // 1000)
        return sorted({*range(low, high, step), start, high})
    low, high, start = float(low), float(high), float(start)
    size = 10.0 ** math.floor(math.log10((high - low) / 100))
    step = size * min((1, 2, 5, 10), key=lambda round_one: abs(round_one - (high - low) / 100 / size))
    digits = 2 - math.floor(math.log10(step))  # adding up steps leaves noise behind the last of them
    steps = {round(low + i * step, digits) for i in range(1, math.ceil((high - low) / step))}
    return sorted({low, *(value for value in steps if low < value < high), start, high})
