"""The repair of notebook 11, case 8: a class that reads its sizes from the notebook."""

import torch
from torch import nn

from .. import attention
from . import steps
from .legacy import ModuleExercise
from .modules import MISSING
from .notebook_03_head import layers_from

d_out, num_tokens = 12, 5  # what the notebook leaves lying about


def head_by(
    score=steps.scaled_scores, mask=lambda x: attention.causal_mask(x.shape[-2]), normalise=steps.row_softmax,
    mix=steps.mix,
):  # fmt: skip
    """A class with some steps of its forward replaced; mask takes the inputs."""

    class Head(nn.Module):
        def __init__(self, d_in, d_out):
            super().__init__()
            layers_from(self, d_in, d_out)
            self.d_in, self.d_out = d_in, d_out

        def forward(self, x):
            queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
            attn_weights = normalise(score(queries, keys).masked_fill(~mask(x), -torch.inf))
            return mix(attn_weights, queries, keys, values), attn_weights

    return Head


def head_cases(draw):
    yield "4 tokens, 3 wide to 2", (3, 2), draw(4, 3)
    yield "2 texts of 6 tokens, 4 wide to 7", (4, 7), draw(2, 6, 4) * 0.5
    yield "3 texts of 4 tokens, 4 wide to 4", (4, 4), draw(3, 4, 4) * 0.5
    yield "5 tokens, 6 wide to 8", (6, 8), draw(5, 6) * 0.5
    yield "5 tokens, 6 wide to 12, as in the notebook", (6, 12), draw(5, 6) * 0.5
    yield "a batch of one, a single token", (3, 4), draw(1, 1, 3)
    yield "float64", (3, 4), draw(2, 5, 3, dtype=torch.float64)


def over_root_of(width):
    """Forward in which the scores are divided by the root of width(self, x)."""

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = steps.raw_scores(queries, keys) / width(self, x) ** 0.5
        attn_weights = torch.softmax(attn_scores.masked_fill(~attention.causal_mask(x.shape[-2]), -torch.inf), dim=-1)
        return attn_weights @ values, attn_weights

    return forward


any_width = ModuleExercise(
    "any_width", head_by(), head_cases, outputs=("context_vecs", "attn_weights"), rows="attn_weights",
    stub="MyAnyWidth", make=head_by,
)  # fmt: skip
any_width.wrong_steps(steps.SCORES | steps.SCALE | steps.MIX)
any_width.wrong_steps({
    "softmax-axis": (steps.SOFTMAX["softmax-axis"][0], "normalise", lambda scores: torch.softmax(scores, dim=-2)),
    "no-mask": (
        "The future is open: the mask is gone. Make one for the tokens that come in, "
        "`attention.causal_mask(x.shape[-2])`.",
        "mask", lambda x: torch.ones((), dtype=torch.bool),
    ),
    "mask-inverted": (
        "The mask is the wrong way round: fill where it is False, `~mask`.",
        "mask", lambda x: ~attention.causal_mask(x.shape[-2]),
    ),
    "mask-from-batch": (
        "Your mask is as long as the first axis, which in a batch counts the texts. The tokens are `x.shape[-2]`.",
        "mask", lambda x: attention.causal_mask(x.shape[0]),
    ),
    "mask-size-fixed": (
        "Halfway: no name of the notebook is read, but its number of tokens is typed in: your mask is 5 by 5, and fits "
        "no other text. Read it off the input, `x.shape[-2]`.",
        "mask", lambda x: attention.causal_mask(5),
    ),
})  # fmt: skip


def whole(id, words):
    """Add a class whose forward is given in full."""

    def add(forward):
        any_width.mistake(id, words)(type("Head", (head_by(),), {"forward": forward}))

    return add


@whole("global-leak", steps.LEAK)
def _(self, x):
    return over_root_of(lambda self, x: num_tokens)(self, x)


whole(
    "width-fixed",
    "Halfway: no name of the notebook is read, but its number is typed in: you divide by the root of 12, whatever the "
    "width. Read it off the queries, `queries.shape[-1]`, or keep `d_out` on `self`.",
)(over_root_of(lambda self, x: 12))
whole("scale-model", steps.SCALE_MODEL)(over_root_of(lambda self, x: self.d_in))
whole("detached", steps.DETACHED)(lambda self, x: tuple(part.detach() for part in head_by().forward(self, x)))


@any_width.mistake("names", MISSING.format("`self.W_query`, `self.W_key`, `self.W_value`"))
class Renamed(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))

    def forward(self, x):
        return x, x


@any_width.mistake("widths-swapped", "The widths have changed places: `nn.Linear(d_in, d_out)`, what comes in first.")
class Turned(head_by()):
    def __init__(self, d_in, d_out):
        super().__init__(d_out, d_in)


@any_width.mistake("extra-bias", "Your layers add a bias.")
class Biased(head_by()):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out) for _ in range(3))
        for layer in (self.W_query, self.W_key, self.W_value):
            nn.init.zeros_(layer.bias)
