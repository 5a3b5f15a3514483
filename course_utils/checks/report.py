"""The report of a check."""

from dataclasses import dataclass, field
from typing import NamedTuple

from . import panel
from .displayable import Displayable
from .outcome import in_words


class Pair(NamedTuple):
    """The expected and the learner's tensor, to be shown side by side. label: of the input. name: of the output.

    places: names for the places of the tensor, a row, where it holds what a check looks at beside numbers.
    """

    label: str
    name: str
    expected: object
    got: object
    places: tuple = ()

    @property
    def words(self) -> str:
        """Return the name of the output in words."""
        return in_words(self.name)


@dataclass(repr=False)
class Report(Displayable):
    """The report of a check.

    stub: the name that the answer has in the notebook. status: "passed", "failed" or "not attempted". message: the text
    for the learner. mistake: the id of the mistake found, or None. named: a tuple with the id of every mistake that the
    answer looks like. tried: a list of (label, result) for each input asked for: True for right, False for wrong, None
    if it was not reached. pair: the Pair to show, or None. hints: a list of (id, message) on what no prompt asks for.
    notes: a list of other lines to show, such as what the answer printed. last_time: where nothing was attempted, a
    sentence on what the check said of this exercise last, or None.
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
    last_time: str | None = None

    def _text(self):
        return panel.text(self)

    def html(self) -> str:
        """Return the report as an HTML panel, as a notebook shows it."""
        return panel.html(self)

    _html = html
