"""What a check found."""

from dataclasses import dataclass, field
from typing import NamedTuple

from . import panel
from .shown import Shown


class Pair(NamedTuple):
    """Expected and got, to be shown side by side. label: on which input. name: which output."""

    label: str
    name: str
    expected: object
    got: object


@dataclass(repr=False)
class Report(Shown):
    """status: "passed", "failed" or "not attempted". mistake: an id of the bank, or None. message: the words shown.

    named: the id of every mistake that the answer looks like. tried: (input in words, whether right, or None where it
    was not reached). hints: (id, words) of what was found that no prompt asks for. notes: what else there is to say.
    """

    stub: str
    status: str
    message: str
    mistake: str | None = None
    named: tuple = ()
    tried: list = field(default_factory=list)
    pair: Pair | None = None
    hints: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    def _text(self):
        return panel.text(self)

    def _html(self):
        return panel.html(self)
