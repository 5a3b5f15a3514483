"""The exercise of notebook 04 that reads a mask from outside: which output moves when which token changes."""

import torch
import torch.nn.functional as F

from .. import attention
from . import steps
from .behaviours import repeats
from .legacy import Exercise
from .notebook_04 import lower_triangle

notebook_inputs = torch.linspace(-1.0, 1.0, 20).view(5, 4)  # what a notebook leaves lying about


def all_but(inputs, j, token):
    return torch.cat([inputs[:j], token[None], inputs[j + 1 :]])


def moved(one, other):
    return ((one - other).abs() > 1e-5).any(dim=-1)  # (num_tokens,)


def seen_by(change=lambda token: token + 1.0, compare=moved, turn=lambda columns: torch.stack(columns, dim=1)):
    """An answer with some of its steps replaced."""

    def answer(attend, inputs):
        before = attend(inputs)
        return turn([compare(attend(all_but(inputs, j, change(inputs[j]))), before) for j in range(len(inputs))])

    return answer


def attending(mask):
    """Attention whose rows see what the mask opens; the values are three times the inputs' differences."""

    def attend(x):
        values = 3 * (x - x.roll(1, dims=-1)) + x[..., :1]
        return attention.scaled_dot_product_attention(0.5 * x, x, values, mask)[0]

    return attend


def table_cases(draw):
    causal = lower_triangle(5)
    window = causal & ~torch.ones(5, 5).tril(-2).bool()
    scattered = torch.tensor([[1, 0, 0, 1], [1, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, 1]]).bool()
    with_zeros = draw(5, 3) * torch.tensor([[1.0], [1], [0], [1], [1]])
    yield "4 tokens, 3 wide, attention with holes", attending(scattered), draw(4, 3)
    yield "causal attention, 5 tokens", attending(causal), draw(5, 3)
    yield "attention to everything", attending(torch.ones(5, 5).bool()), draw(5, 3)
    yield "the present word and the last", attending(window), draw(5, 4)
    yield "the future and itself", attending(causal.transpose(0, 1)), draw(5, 4)
    yield "a token of zeros", attending(causal), with_zeros
    yield "each token sees itself alone", attending(torch.eye(4).bool()), draw(4, 3)
    yield "attention blind to the first number", lambda x: attending(causal)(x[:, 1:]), draw(5, 3)
    yield "outputs whose first number never moves", lambda x: F.pad(attending(causal)(x), (1, 0)), draw(5, 3)
    yield "outputs whose last number never moves", lambda x: F.pad(attending(causal)(x), (0, 1)), draw(5, 3)
    yield "a single token", attending(torch.ones(1, 1).bool()), draw(1, 3)


INVISIBLE = (
    "Your change does not show everywhere: a token of zeros, doubled or set to 0, is a token of zeros. Add something, "
    "to all its numbers."
)
KEPT_CHANGES = (
    "The changes pile up: after the turn of token *j* it stays changed, in `inputs` itself. Begin each turn with "
    "`inputs.clone()`."
)

who_sees = Exercise("who_sees", seen_by(), table_cases, outputs=("table",), behaviours=(repeats,), make=seen_by)
who_sees.wrong_steps(
    {
        "table-transposed": (
            "The table lies on its side. One turn of the loop changes one token, and gives a *column*: "
            "`torch.stack(columns, dim=1)`.",
            "turn",
            torch.stack,
        ),
        "mask-inverted": (
            "True and False have changed places: True should mean that the output changed, so look for what is *not* "
            "equal.",
            "compare",
            lambda one, other: ~moved(one, other),
        ),
        "change-invisible": (INVISIBLE, "change", lambda token: 0 * token),
        "one-number-changed": (
            "You changed the first number of the token alone. An attention that looks at the others does not notice: "
            "change them all, `changed[j] += 1`.",
            "change",
            lambda token: token + torch.eye(len(token))[0],
        ),
        "rows-not-joined": (
            "You compare number by number, and the table has an axis too many. An output has changed if *any* of its "
            "numbers has: `.any(dim=-1)`.",
            "compare",
            lambda one, other: (one - other).abs() > 1e-5,
        ),
        "outputs-joined": (
            "You ask whether anything at all has changed, for all outputs together. Ask it for each: `.any(dim=-1)`.",
            "compare",
            lambda one, other: moved(one, other).any().expand(len(one)),
        ),
        "all-for-any": (
            "You ask whether *all* numbers of an output have changed. One is enough: `any`, not `all`.",
            "compare",
            lambda one, other: ((one - other).abs() > 1e-5).all(dim=-1),
        ),
        "one-number-compared": (
            "You compare one number of each output. The others may have moved: ask for any of them, `.any(dim=-1)`.",
            "compare",
            lambda one, other: (one - other)[:, 0].abs() > 1e-5,
        ),
        "size-returned": (
            "You keep the size of the change. True or False is asked for: compare it with a small number, `> 1e-5`.",
            "compare",
            lambda one, other: (one - other).abs().amax(dim=-1),
        ),
    }
)
who_sees.wrong_steps({"change-invisible": (INVISIBLE, "change", lambda token: 2 * token)})


@who_sees.mistake("input-changed", KEPT_CHANGES)
def _(attend, inputs):
    before, columns = attend(inputs), []
    for j in range(len(inputs)):
        inputs[j] += 1.0
        columns.append(moved(attend(inputs), before))
    return torch.stack(columns, dim=1)


@who_sees.mistake(
    "before-too-late",
    "The outputs before are taken after the change, or from the changed tensor: both are the same, and nothing moves. "
    "Call `attend(inputs)` once, above the loop, and change a clone.",
)
def _(attend, inputs):
    return torch.zeros(len(inputs), len(inputs), dtype=torch.bool)


@who_sees.mistake(
    "others-only",
    "You left out the token itself, on the diagonal. An output sees its own token too, if the mask lets it.",
)
def _(attend, inputs):
    return seen_by()(attend, inputs) & ~torch.eye(len(inputs)).bool()


@who_sees.mistake(
    "future-only",
    "You compare only outputs before the changed token. That is the leak test; here all outputs are asked for.",
)
def _(attend, inputs):
    return seen_by()(attend, inputs).triu(1)


@who_sees.mistake(
    "last-only", "Only the last token is changed. The table has a column for each: a loop over all of them."
)
def _(attend, inputs):
    table = torch.zeros(len(inputs), len(inputs), dtype=torch.bool)
    table[:, -1] = seen_by()(attend, inputs)[:, -1]
    return table


@who_sees.mistake("global-leak", steps.LEAK)
def _(attend, inputs):
    return seen_by()(attend, notebook_inputs)
