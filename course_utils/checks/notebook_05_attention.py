"""The exercise of notebook 05 that puts dropout into attention: what drops is handed in, so that results are exact."""

import torch

from . import steps
from .behaviours import gradient_flows, repeats
from .draw import Draw
from .legacy import Exercise
from .notebook_04 import lower_triangle
from .notebook_04_weights import AFTER_SOFTMAX, HIDE, NORMALISED, hidden
from .notebook_05 import kept, rescaled, uniform

head_dim = 3  # lies about in the notebook

BEFORE_SOFTMAX = (
    "`drop` falls on the scores. There a 0 is an ordinary score, *e* to the power of 0 is 1, and softmax makes each "
    "row add up to 1 again. Call it on the weights, after softmax."
)
RENORMALISED = (
    "You divided each row by its sum again after dropping. That undoes the noise, and a row that lost everything is "
    "0 / 0. Leave the row as `drop` gave it."
)


class Cutter:
    """Drops like nn.Dropout, and the same places on every run; another call drops other places."""

    def __init__(self, p, seed=11):
        self.p, self._draw = p, Draw(seed)

    def __call__(self, x):
        return rescaled(x, kept(uniform(self._draw, *x.shape), self.p), self.p)


def drop_first(x):
    """Drops the first connection of the first token, and no other."""
    keep = torch.ones_like(x)
    keep[..., 0, 0] = 0
    return x * keep


def drop_nothing(x):
    return x


def thinned(attn_weights, drop):
    return drop(attn_weights)


def shared_out(attn_weights):
    return attn_weights / attn_weights.sum(dim=-1, keepdim=True)


def attending(score=steps.scaled_scores, hide=hidden, normalise=steps.row_softmax, thin=thinned, mix=steps.mix):
    """An answer with some of its steps replaced."""

    def answer(queries, keys, values, mask, drop):
        attn_weights = thin(normalise(hide(score(queries, keys), mask)), drop)
        return mix(attn_weights, queries, keys, values), attn_weights

    return answer


def by_steps(queries, keys, values, mask, drop):
    return attending()(queries, keys, values, mask, drop)


def cases(draw):
    def tensors(*shape, num_keys, value_dim=None, size=1.0, dtype=torch.float32):
        *batch, num_queries, width = shape
        wide = value_dim or width
        sizes = ((*batch, num_queries, width), (*batch, num_keys, width), (*batch, num_keys, wide))
        return [draw(*one, dtype=dtype) * size for one in sizes]

    some = torch.tensor([[1, 0, 1, 1, 1], [1, 1, 1, 0, 1], [0, 1, 1, 1, 0], [1, 1, 0, 1, 1]]).bool()
    yield "4 queries, 5 keys", *tensors(4, 3, num_keys=5, value_dim=3), some, Cutter(0.3)
    yield "2 texts of 5 tokens, causal", *tensors(2, 5, 4, num_keys=5), lower_triangle(5), Cutter(0.5)
    yield "heads, (2, 3, 4, 5)", *tensors(2, 3, 4, 5, num_keys=5), some, Cutter(0.3)
    yield "3 texts, nothing dropped", *tensors(3, 4, 4, num_keys=4), lower_triangle(4), drop_nothing
    yield "nothing hidden", *tensors(5, 3, num_keys=5), torch.ones(5, 5).bool(), Cutter(0.5)
    yield "the first token loses its one connection", *tensors(2, 5, 3, num_keys=5), lower_triangle(5), drop_first
    yield "a batch of one, a single token", *tensors(1, 1, 3, num_keys=1), lower_triangle(1), drop_nothing
    yield "large inputs", *tensors(4, 3, num_keys=5, size=20), some, Cutter(0.3)
    yield "float64", *tensors(2, 5, 3, num_keys=5, dtype=torch.float64), lower_triangle(5), Cutter(0.5)


dropped_attention = Exercise(
    "dropped_attention", by_steps, cases, outputs=("context_vecs", "attn_weights"),
    behaviours=(repeats, gradient_flows), make=attending,
)  # fmt: skip
dropped_attention.wrong_steps(steps.SOFTMAX)
dropped_attention.wrong_steps(steps.STABLE, "naive-overflow")
dropped_attention.wrong_steps(steps.SCORES)
dropped_attention.wrong_steps(steps.SCALE)
dropped_attention.wrong_steps(steps.MIX)
dropped_attention.wrong_steps(HIDE)
dropped_attention.wrong_steps(
    {
        "dropout-missing": (
            "Nothing is dropped: call `drop` on the weights, and go on with what it gives back. It does not change "
            "them in place.",
            "thin",
            lambda attn_weights, drop: attn_weights,
        ),
        "dropout-renormalised": (
            RENORMALISED,
            "thin",
            lambda attn_weights, drop: shared_out(drop(attn_weights)),
        ),
        "dropout-twice": (
            "`drop` is called twice, one on top of the other: much more is dropped than asked for. Once is enough.",
            "thin",
            lambda attn_weights, drop: drop(drop(attn_weights)),
        ),
        "rescaled-again": (
            "`drop` has made larger what it kept. You do it once more: use what `drop` gives as it is.",
            "thin",
            lambda attn_weights, drop: drop(attn_weights) * 2,
        ),
        "softmax-again": (
            "You call softmax once more, after `drop`. It gives weight to what was cut, since *e* to the power of 0 "
            "is 1. Leave the row as `drop` gave it.",
            "thin",
            lambda attn_weights, drop: steps.row_softmax(drop(attn_weights)),
        ),
        "drop-by-row": (
            "`drop` is called in a loop, once for each row or text. Call it once, on the whole table.",
            "thin",
            lambda attn_weights, drop: torch.stack([drop(part) for part in attn_weights]),
        ),
    }
)


def whole(id, words):
    """Add a wrong answer that differs in more than one step."""
    return dropped_attention.mistake(id, words)


def weights_of(queries, keys, mask):
    return steps.row_softmax(hidden(steps.scaled_scores(queries, keys), mask))


@whole("dropout-before-softmax", BEFORE_SOFTMAX)
def _(queries, keys, values, mask, drop):
    attn_weights = steps.row_softmax(hidden(drop(steps.scaled_scores(queries, keys)), mask))
    return attn_weights @ values, attn_weights


@whole("dropout-before-softmax", f"{BEFORE_SOFTMAX} (0 times minus infinity is `nan`, too.)")
def _(queries, keys, values, mask, drop):
    attn_weights = steps.row_softmax(drop(hidden(steps.scaled_scores(queries, keys), mask)))
    return attn_weights @ values, attn_weights


@whole(
    "dropout-on-mask",
    "`drop` falls on the mask. Softmax then shares out everything among the keys that are left: rows add up to 1 "
    "again, and a row that lost all of its keys is 0 / 0. Call `drop` on the weights, after softmax.",
)
def _(queries, keys, values, mask, drop):
    left = drop(mask.to(values.dtype)) > 0
    attn_weights = torch.softmax(hidden(steps.scaled_scores(queries, keys), left), dim=-1)
    return attn_weights @ values, attn_weights


@whole(
    "dropout-on-output",
    "`drop` falls on the context vectors, and the weights come back whole. What is to be cut are connections: call it "
    "on the weights, before they are applied.",
)
def _(queries, keys, values, mask, drop):
    attn_weights = weights_of(queries, keys, mask)
    return drop(attn_weights @ values), attn_weights


@whole(
    "dropout-on-values",
    "`drop` falls on the values: numbers of a token are lost for all queries at once. Call it on the weights.",
)
def _(queries, keys, values, mask, drop):
    attn_weights = weights_of(queries, keys, mask)
    return attn_weights @ drop(values), attn_weights


@whole(
    "dropout-not-applied",
    "`drop` is called twice, so the weights that come back are not those that were applied. Call it once, keep the "
    "result under a name, and use that name twice.",
)
def _(queries, keys, values, mask, drop):
    attn_weights = weights_of(queries, keys, mask)
    return drop(attn_weights) @ values, drop(attn_weights)


@whole(
    "weights-before-drop",
    "The weights come back as they were before dropping. Those that were applied are asked for.",
)
def _(queries, keys, values, mask, drop):
    attn_weights = weights_of(queries, keys, mask)
    return drop(attn_weights) @ values, attn_weights


@whole(
    "drop-not-mixed",
    "The weights that come back are dropped, but the context vectors were made with the whole ones. Drop first, then "
    "mix.",
)
def _(queries, keys, values, mask, drop):
    attn_weights = weights_of(queries, keys, mask)
    return attn_weights @ values, drop(attn_weights)


@whole(
    "softmax-axis",
    "Your softmax runs along `dim=1`. That is the keys for a single text; in a batch it is the queries, or the heads. "
    "Count from the end: `dim=-1`.",
)
def _(queries, keys, values, mask, drop):
    attn_weights = drop(torch.softmax(hidden(steps.scaled_scores(queries, keys), mask), dim=1))
    return attn_weights @ values, attn_weights


@whole("mask-after-softmax", AFTER_SOFTMAX)
def _(queries, keys, values, mask, drop):
    attn_weights = drop(steps.row_softmax(steps.scaled_scores(queries, keys)) * mask)
    return attn_weights @ values, attn_weights


@whole("mask-normalised", NORMALISED)
def _(queries, keys, values, mask, drop):
    share = shared_out(mask.to(values.dtype)).expand(*queries.shape[:-1], keys.shape[-2])
    attn_weights = drop(share)
    return attn_weights @ values, attn_weights


@whole(
    "scale-after", "You divided after softmax, so the rows no longer add up to 1. Divide the scores, before softmax."
)
def _(queries, keys, values, mask, drop):
    attn_weights = drop(steps.row_softmax(hidden(steps.raw_scores(queries, keys), mask)) / queries.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights


@whole("keys-full-turn", steps.FULL_TURN)
def _(queries, keys, values, mask, drop):
    turned = keys.permute(*reversed(range(keys.dim())))
    attn_weights = drop(steps.row_softmax(hidden(queries @ turned / queries.shape[-1] ** 0.5, mask)))
    return attn_weights @ values, attn_weights


@whole("weights-returned-transposed", "The weights come back on their side: a row is a query.")
def _(queries, keys, values, mask, drop):
    context_vecs, attn_weights = by_steps(queries, keys, values, mask, drop)
    return context_vecs, attn_weights.transpose(-2, -1)


@whole("outputs-swapped", "The two results have changed places: `return context_vecs, attn_weights`.")
def _(queries, keys, values, mask, drop):
    return by_steps(queries, keys, values, mask, drop)[::-1]


@whole("weights-missing", "The weights are asked for as well: `return context_vecs, attn_weights`.")
def _(queries, keys, values, mask, drop):
    return by_steps(queries, keys, values, mask, drop)[0]


@whole("random", "You draw random numbers of your own. What is dropped is decided by `drop`.")
def _(queries, keys, values, mask, drop):
    attn_weights = torch.nn.functional.dropout(weights_of(queries, keys, mask), 0.3)
    return attn_weights @ values, attn_weights


@whole("input-changed", "Your code changes its input: look for `/=` on `queries`.")
def _(queries, keys, values, mask, drop):
    queries.data.div_(queries.shape[-1] ** 0.5)
    return attending(score=steps.raw_scores)(queries, keys, values, mask, drop)


@whole("detached", steps.DETACHED)
def _(queries, keys, values, mask, drop):
    return by_steps(queries.detach(), keys, values, mask, drop)


@whole("global-leak", steps.LEAK)
def _(queries, keys, values, mask, drop):
    attn_weights = drop(steps.row_softmax(hidden(steps.raw_scores(queries, keys) / head_dim**0.5, mask)))
    return attn_weights @ values, attn_weights
