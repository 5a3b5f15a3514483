"""Repairs of notebook 11, cases 1 and 2: softmax over the wrong axis, and scores of the wrong pairs."""

import torch

from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise

BOTH = (gradient_flows, repeats)
notebook_width = 7.3  # what a notebook leaves lying about


# ---- row_weights: weights of one text, of a batch, of heads


def weights_by(score=steps.scaled_scores, normalise=steps.row_softmax):
    return lambda queries, keys: normalise(score(queries, keys))


def weight_cases(draw):
    yield "one text, 3 queries, 4 keys", draw(3, 5), draw(4, 5)
    yield "a batch of 2", draw(2, 3, 6), draw(2, 5, 6)
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), draw(2, 3, 6, 5)
    yield "as many queries as keys", draw(2, 4, 3), draw(2, 4, 3)
    yield "everything of length 4", draw(4, 4, 4), draw(4, 4, 4)
    yield "large scores", draw(2, 4, 3) * 50, draw(2, 5, 3) * 50
    yield "a batch of one, a single key", draw(1, 3, 4), draw(1, 1, 4)
    yield "float64", draw(2, 3, 5, dtype=torch.float64), draw(2, 4, 5, dtype=torch.float64)


def over(dim):
    return lambda scores: torch.softmax(scores, dim=dim)


row_weights = Exercise(
    "row_weights", weights_by(), weight_cases, outputs=("weights",), rows="weights", behaviours=BOTH, make=weights_by
)
row_weights.wrong_steps(steps.SOFTMAX)
row_weights.wrong_steps(steps.STABLE, "naive-overflow")
row_weights.wrong_steps(steps.SCORES)
row_weights.wrong_steps(steps.SCALE)
row_weights.wrong_steps(
    {
        "softmax-fixed-axis": (
            "This is the bug as it was: `dim=1` is the last axis of one text, but the queries' axis of a batch, and "
            "the tokens or heads of four axes. Count from the end: `dim=-1`.",
            "normalise",
            over(1),
        ),
        "softmax-half-repaired": (
            "`dim=2` mends the batch of three axes and nothing else: one text has no axis 2, and with heads it is the "
            "queries' axis. Count from the end: `dim=-1`.",
            "normalise",
            over(2),
        ),
        "renormalised": (
            "The rows add up to 1, and the weights are wrong: softmax still runs down the columns, and the division "
            "afterwards covers it. Take the division out and mend the `dim` of the softmax.",
            "normalise",
            lambda scores: over(1)(scores) / over(1)(scores).sum(dim=-1, keepdim=True),
        ),
        "softmax-twice": (
            "Softmax runs twice, over the columns and then over the rows. That makes the weights nearly equal: keep "
            "one, with `dim=-1`.",
            "normalise",
            lambda scores: over(-1)(over(1)(scores)),
        ),
    }
)


@row_weights.mistake(
    "scale-wrong-axis",
    "You divided by the root of the number of queries. It should be the root of the width, the last axis: `shape[-1]`.",
)
def _(queries, keys):
    return torch.softmax(steps.raw_scores(queries, keys) / queries.shape[-2] ** 0.5, dim=-1)


@row_weights.mistake("keys-full-turn", steps.FULL_TURN)
def _(queries, keys):
    scores = queries @ keys.permute(*reversed(range(keys.dim()))) / queries.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1)


@row_weights.mistake("batch-mixed", steps.BATCH_MIXED)
def _(queries, keys):
    return weights_by()(queries.flatten(0, -2), keys.flatten(0, -2))


@row_weights.mistake("detached", steps.DETACHED)
def _(queries, keys):
    return weights_by()(queries.detach(), keys.detach())


@row_weights.mistake("global-leak", steps.LEAK)
def _(queries, keys):
    return torch.softmax(steps.raw_scores(queries, keys) / notebook_width**0.5, dim=-1)


# ---- one_row: the weights of one query


def row_by(pairs=lambda queries, keys, row: keys @ queries[row], scale=True, normalise=steps.row_softmax):
    """An answer that makes its scores by pairs(queries, keys, row)."""

    def answer(queries, keys, row):
        scores = pairs(queries, keys, row)
        return normalise(scores / queries.shape[-1] ** 0.5 if scale else scores)

    return answer


def row_cases(draw):
    yield "4 queries, 6 keys, row 1", draw(4, 3), draw(6, 3), 1
    yield "row 0", draw(4, 5), draw(6, 5), 0
    yield "as many queries as keys, row 3", draw(5, 4), draw(5, 4), 3
    yield "everything of length 4, row 2", draw(4, 4), draw(4, 4), 2
    yield "more queries than keys, row 4", draw(5, 2), draw(3, 2), 4
    yield "large scores", draw(3, 2) * 50, draw(4, 2) * 50, 1
    yield "a single key", draw(3, 4), draw(1, 4), 2
    yield "float64", draw(3, 5, dtype=torch.float64), draw(4, 5, dtype=torch.float64), 1


one_row = Exercise("one_row", row_by(), row_cases, outputs=("weights",), rows="weights", behaviours=BOTH, make=row_by)
PAIRS = {
    "pairs-diagonal": (
        "This is the bug as it was: each key meets the query of its own number, q₂·k₂ where q₁·k₂ is meant. One query "
        "asks all keys: `queries[row] @ keys[j]`.",
        lambda queries, keys, row: torch.stack([queries[j] @ key for j, key in enumerate(keys)]),
    ),
    "key-fixed": (
        "Every score is that of query and key number `row`, so all weights are equal. The query stays, the key runs: "
        "`queries[row] @ keys[j]`.",
        lambda queries, keys, row: torch.stack([queries[row] @ keys[row] for _ in keys]),
    ),
    "qk-swapped": (
        "All queries meet one key: that is a column of the table. A row has one query and all keys: "
        "`queries[row] @ keys[j]`.",
        lambda queries, keys, row: queries @ keys[row],
    ),
    "loop-over-queries": (
        "Your loop counts the queries, so there is a score for each of them. There should be one for each key: "
        "`range(len(keys))`.",
        lambda queries, keys, row: torch.stack([queries[row] @ keys[j] for j in range(len(queries))]),
    ),
    "first-row": (
        "`row` is not used: you always return row 0. Take `queries[row]`.",
        lambda queries, keys, row: keys @ queries[0],
    ),
    "row-off-by-one": (
        "This is the row above. Rows count from 0, so no `- 1`.",
        lambda queries, keys, row: keys @ queries[row - 1],
    ),
    "weights-on-keys": (
        "The keys meet a key and no query: `queries[row]` stands on one side.",
        lambda queries, keys, row: keys @ keys[row % len(keys)],
    ),
    "self-left-out": (
        "The token itself is left out. A query may meet the key of its own token.",
        lambda queries, keys, row: torch.stack([keys[j] @ queries[row] for j in range(len(keys)) if j != row]),
    ),
    "all-rows": (
        "The whole table comes back. One row is asked for: `queries[row]`.",
        lambda queries, keys, row: queries @ keys.transpose(-2, -1),
    ),
}
for _id, (_words, _pairs) in PAIRS.items():
    one_row.mistake(_id, _words)(row_by(pairs=_pairs))
one_row.mistake("no-scale", steps.SCALE["no-scale"][0])(row_by(scale=False))
one_row.mistake("no-softmax", steps.SOFTMAX["no-softmax"][0])(row_by(normalise=lambda scores: scores))
one_row.mistake("sum-normalise", steps.SOFTMAX["sum-normalise"][0])(
    row_by(normalise=lambda scores: scores / scores.sum())
)
one_row.mistake("exp-only", steps.SOFTMAX["exp-only"][0])(row_by(normalise=torch.exp))
one_row.mistake("naive-overflow", steps.STABLE["naive-overflow"][0])(row_by(normalise=steps.naive_softmax))


@one_row.mistake("scale-no-root", steps.SCALE["scale-no-root"][0])
def _(queries, keys, row):
    return torch.softmax(keys @ queries[row] / queries.shape[-1], dim=-1)


@one_row.mistake("scale-wrong-axis", steps.SCALE["scale-wrong-axis"][0])
def _(queries, keys, row):
    return torch.softmax(keys @ queries[row] / len(keys) ** 0.5, dim=-1)


@one_row.mistake(
    "detached",
    "No gradient flows back, so nothing could be learnt. `torch.tensor([…])` or `.item()` around the scores cuts it: "
    "use `torch.stack`.",
)
def _(queries, keys, row):
    scores = torch.tensor([(queries[row] @ key).item() for key in keys], dtype=keys.dtype)
    return torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)


@one_row.mistake("global-leak", steps.LEAK)
def _(queries, keys, row):
    return torch.softmax(keys @ queries[row] / notebook_width**0.5, dim=-1)
