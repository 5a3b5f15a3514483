"""Slips of Python and PyTorch, rather than of attention, in the exercises of notebook 04."""

import torch

from .. import attention
from . import notebook_04 as masks
from . import notebook_04_head as right  # the modules: an exercise named here would be counted twice
from . import notebook_04_leaks as leaks
from . import notebook_04_weights as weights
from . import steps
from .modules import MASK_SHRINKS
from .notebook_03_head import queries_keys_values


@masks.additive_mask.mistake(
    "square-only", "Your table is square. The mask may have any shape, and its table has the same: `mask.shape`."
)
def _(mask):
    return torch.zeros(len(mask), len(mask)).masked_fill(~mask, -torch.inf)


@weights.masked_weights.mistake("zero-times-inf", weights.TIMES_INFINITY)
def _(attn_scores, mask):
    return torch.softmax(attn_scores + (~mask) * -torch.inf, dim=-1).masked_fill(~mask, 0.0)


@weights.masked_weights.mistake(
    "repair-inverted",
    "After softmax you set the open weights to 0, and keep the rest. It is the other way round: put `~` before the "
    "mask, or before `any`.",
)
def _(attn_scores, mask):
    return steps.row_softmax(weights.hidden(attn_scores, mask)).masked_fill(mask, 0.0)


@weights.masked_weights.mistake(
    "empty-whole",
    "One row with nothing open, and you return zeros for the whole table. Only that row should be 0: ask each row, "
    "`mask.any(dim=-1, keepdim=True)`.",
)
def _(attn_scores, mask):
    attn_weights = steps.row_softmax(weights.hidden(attn_scores, mask))
    return torch.zeros_like(attn_weights) if attn_weights.isnan().any() else attn_weights


@weights.masked_weights.mistake(
    "keepdim-missing",
    "`any(dim=-1)` gives one answer for each row, laid out as a row. Beside the weights it must stand as a column: "
    "`keepdim=True`.",
)
def _(attn_scores, mask):
    return steps.row_softmax(weights.hidden(attn_scores, mask)).masked_fill(~mask.any(dim=-1), 0.0)


@leaks.who_sees.mistake(
    "first-of-pair",
    "`attend` gives one tensor here, `(num_tokens, d_out)`, and your `[0]` takes the first token out of it. Leave it "
    "away.",
)
def _(attend, inputs):
    return leaks.seen_by()(lambda x: attend(x)[0], inputs)


@leaks.who_sees.mistake(
    "feature-changed", "You change a column, which is one feature of all tokens. Token *j* is a row: `changed[j] += 1`."
)
def _(attend, inputs):
    before, columns = attend(inputs), []
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[:, j] += 1.0
        columns.append(leaks.moved(attend(changed), before))
    return torch.stack(columns, dim=1)


def signed(one, other):
    return (one - other).sum(dim=-1) > 1e-5


leaks.who_sees.wrong_steps(
    {
        "signed-change": (
            "Numbers that fall count as unchanged, or make up for those that rise. Take the size of each change first: "
            "`.abs()`.",
            "compare",
            signed,
        ),
        "features-joined": (
            "You ask which *features* have moved. The table is about tokens: `any` goes along the last axis, `dim=-1`.",
            "compare",
            lambda one, other: ((one - other).abs() > 1e-5).any(dim=0),
        ),
    }
)


def tokens_on(axis):
    """A class that reads the number of tokens off another axis of x, without batches or with them."""

    def forward(self, x):
        queries, keys, values = queries_keys_values(self, x)
        num_tokens = x.shape[axis]
        if num_tokens > len(self.mask):
            raise ValueError(num_tokens)
        attn_scores = weights.hidden(steps.scaled_scores(queries, keys), right.cut(self.mask, num_tokens))
        attn_weights = self.dropout(steps.row_softmax(attn_scores))
        return attn_weights @ values, attn_weights

    return type("Head", (right.head(),), {"forward": forward})


TOKENS_AXIS = (
    "The number of tokens is read off the wrong axis: there may be a batch before it, or none. Count from the end, "
    "`x.shape[-2]`."
)
for axis in (0, 1):
    right.causal_attention.mistake("tokens-axis", TOKENS_AXIS)(tokens_on(axis))


@right.causal_attention.mistake("mask-shrinks", MASK_SHRINKS)
class Shrinking(right.head()):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__(d_in, d_out, context_length, dropout)
        self.context_length = context_length

    def forward(self, x):
        if x.shape[-2] > self.context_length:
            raise ValueError(x.shape[-2])
        self.mask = right.cut(self.mask, x.shape[-2])
        return super().forward(x)


@right.causal_attention.mistake(
    "mask-not-bool",
    "The mask holds numbers, and `masked_fill` takes booleans: `.bool()` when you make it, or `== 0` when you use it.",
)
class OfNumbers(right.head()):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__(d_in, d_out, context_length, dropout)
        self.register_buffer("mask", (~attention.causal_mask(context_length)).float())

    def forward(self, x):
        right.refuse_longer(x, self.mask)
        queries, keys, values = queries_keys_values(self, x)
        mask = right.cut(self.mask, x.shape[-2])
        attn_weights = self.dropout(steps.row_softmax(steps.scaled_scores(queries, keys).masked_fill(mask, -torch.inf)))
        return attn_weights @ values, attn_weights
