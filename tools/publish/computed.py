"""Make the live views that the web edition and the decks compute in the browser, in place of stored steps."""

import torch

from course_utils import data
from course_utils.widgets import AttentionLab
from course_utils.widgets.shared.view import _json

WORD = 3  # of the six words, "wind": the one that the reader moves
# JavaScript for an exported page: it answers each message of the lab, with the dot products and softmax of numbers.js.
COMPUTE = """
const inputs = %(inputs)s, controls = state.controls, start = { ...state.answer.settings };
let answered;
model.on = (name, callback) => { if (name === "change:answer") answered = callback; };
model.send = ({ rev, settings }) => {
  const moved = controls.map(({ name, values }) => Number(values[(settings[name] ?? start[name])]));
  const rows = inputs.map((row, i) => (i === %(word)d ? moved : row));
  const weights = modules["numbers.js"].selfAttention(rows);
  state.weights = new DataView(Float32Array.from(weights.flat()).buffer);
  state.answer = { ...state.answer, rev, settings: { ...start, ...settings } };
  answered();
};
"""


class MovedWord(AttentionLab):
    """An AttentionLab of six words, of which one can be moved; an exported page computes the weights itself."""

    def __init__(self):
        tokens, self._inputs = data.load("six_tokens")
        start = self._inputs[WORD].tolist()
        names = [f"{tokens[WORD]}[{place}]" for place in range(len(start))]
        places = {name: (0.0, 2.0, round(value, 4)) for name, value in zip(names, start, strict=True)}
        super().__init__(self._attend, tokens, **places)
        self.query = WORD

    def _attend(self, **numbers: float) -> torch.Tensor:
        moved = self._inputs.clone()
        moved[WORD] = torch.tensor(list(numbers.values()))
        return torch.softmax(moved @ moved.transpose(0, 1), dim=-1)

    def _replay(self):
        return COMPUTE % {"inputs": _json(self._inputs.tolist()), "word": WORD}


def views(topic: str) -> dict[str, list[str]]:
    """Return cell id -> [HTML of each view] for the views of a topic that a page computes itself."""
    is_here = topic == "dot_product_attention"
    return {"def-attend-first-second-third": [MovedWord().to_shared_html()]} if is_here else {}
