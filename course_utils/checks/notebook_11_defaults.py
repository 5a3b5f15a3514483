"""The repair of notebook 11, case 7: attention whose keys and values have defaults."""

import torch

from .. import attention
from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise

notebook_values = torch.ones(3, 2)  # what a notebook leaves lying about


def defaults(queries, keys, values):
    keys = queries if keys is None else keys
    return keys, keys if values is None else values


def asked_by(take=defaults, score=steps.scaled_scores, normalise=steps.row_softmax, mix=steps.mix):
    """An answer with some of its steps replaced; take fills in what was not given."""

    def answer(queries, keys=None, values=None):
        keys, values = take(queries, keys, values)
        attn_weights = normalise(score(queries, keys))
        return mix(attn_weights, queries, keys, values), attn_weights

    return answer


def asked_cases(draw):
    yield "4 queries, 6 keys, no values", draw(4, 3), draw(6, 3)
    yield "as many queries as keys, no values", draw(2, 5, 4), draw(2, 5, 4)
    yield "queries alone", draw(2, 5, 3)
    yield "values of another width", draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 2)
    yield "values as wide as keys", draw(3, 4), draw(5, 4), draw(5, 4)
    yield "all three of one shape", draw(2, 4, 3), draw(2, 4, 3), draw(2, 4, 3)
    yield "heads, no values", draw(2, 3, 4, 5), draw(2, 3, 6, 5)
    yield "a batch of one, a single key", draw(1, 3, 4), draw(1, 1, 4)
    yield "float64", draw(4, 5, dtype=torch.float64), draw(4, 5, dtype=torch.float64)


attend_to = Exercise(
    "attend_to", asked_by(), asked_cases, outputs=("context_vecs", "attn_weights"), rows="attn_weights",
    behaviours=(gradient_flows, repeats), make=asked_by,
)  # fmt: skip
WRONG_ORDER = (
    "Halfway: with queries alone, your values are `None`: they are taken from the keys before the keys have been "
    "filled in. Exchange the two lines."
)
NO_DEFAULT = "Halfway: nothing stands in for missing values, and your code stops. Where there are none, take the keys."
attend_to.wrong_steps(steps.SCALE)
attend_to.wrong_steps(steps.MIX, "weights-transposed")
attend_to.wrong_steps(steps.SOFTMAX, "softmax-axis", "softmax-first-axis", "softmax-all", "no-softmax")
attend_to.wrong_steps(steps.SCORES)
attend_to.wrong_steps({
    "values-from-queries": (
        "This is the bug as it was: keys are given, and the values default to the queries. What is delivered belongs "
        "to those who answer: `values = keys if values is None else values`.",
        "take",
        lambda queries, keys, values: (
            queries if keys is None else keys, queries if values is None else values
        ),
    ),
    "values-ignored": (
        "Halfway: the default is right, and values that *are* given are no longer used: the keys are always what is "
        "mixed. Ask first whether there are any: `keys if values is None else values`.",
        "take", lambda queries, keys, values: defaults(queries, keys, None),
    ),
    "defaults-in-wrong-order": (
        WRONG_ORDER,
        "take",
        lambda queries, keys, values: (
            queries if keys is None else keys, keys if values is None else values
        ),
    ),
    "cross-from-queries": (
        "Now the keys are the queries too, whatever was given: the other text is never read. Only a missing `keys` is "
        "replaced.",
        "take", lambda queries, keys, values: (queries, queries if values is None else values),
    ),
    "keys-forgotten": (
        "The keys that were given answer nothing: scores are made of the queries, and only the values come from the "
        "other text. The scores need `keys`.",
        "take", lambda queries, keys, values: (queries, defaults(queries, keys, values)[1]),
    ),
    "values-required": (
        NO_DEFAULT,
        "take", lambda queries, keys, values: (defaults(queries, keys, values)[0], values + 0),
    ),
})  # fmt: skip


@attend_to.mistake("defaults-in-wrong-order", WRONG_ORDER)
def _(queries, keys=None, values=None):
    values = keys if values is None else values
    keys = queries if keys is None else keys
    return attention.scaled_dot_product_attention(queries, keys, values)


@attend_to.mistake("values-required", NO_DEFAULT)
def _(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    return attention.scaled_dot_product_attention(queries, keys, values)


@attend_to.mistake(
    "values-or-keys",
    "`values or keys` asks whether a whole tensor is true, and fails. Ask whether it is there: `keys if values is None "
    "else values`.",
)
def _(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    return asked_by()(queries, keys, values and (values or keys))


@attend_to.mistake("detached", steps.DETACHED)
def _(queries, keys=None, values=None):
    context_vecs, attn_weights = asked_by()(queries, keys, values)
    return context_vecs.detach(), attn_weights


@attend_to.mistake("outputs-swapped", "The two results have changed places: `return context_vecs, attn_weights`.")
def _(queries, keys=None, values=None):
    return asked_by()(queries, keys, values)[::-1]


@attend_to.mistake("global-leak", steps.LEAK)
def _(queries, keys=None, values=None):
    return asked_by()(queries, keys, notebook_values)
