"""Exercises of notebook 02: a safe softmax, temperature, scaled scores, scaled dot-product attention."""

import torch

from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise

BOTH = (gradient_flows, repeats)

notebook_table = torch.tensor([[1000.0, 999.0, 998.0], [-3.0, 0.0, 2.0]])  # what a notebook leaves lying about
notebook_width = 8
SCALE_AFTER = (
    "You divided after softmax, so the rows no longer add up to 1. Divide the scores, before softmax: move the "
    "division one line up."
)


# ---- softmax: safe, by hand


def softmax_by_hand(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)


def softmax_cases(draw):
    yield "3 rows of 4 scores", draw(3, 4)
    yield "large scores", 1000 + draw(2, 3)
    yield "large negative scores", draw(2, 5) - 1000
    yield "a row of small scores under a row of large ones", torch.stack([draw(4) + 500, draw(4) - 500])
    yield "a single row, (4,)", draw(4)
    yield "a batch, (2, 3, 5)", draw(2, 3, 5)
    yield "heads, (2, 4, 1, 3)", draw(2, 4, 1, 3)
    yield "a single key", draw(3, 1)
    yield "a square, (4, 4)", draw(4, 4)
    yield "float64", draw(2, 6, dtype=torch.float64)


softmax = Exercise(
    "softmax", softmax_by_hand, softmax_cases, outputs=("weights",), behaviours=BOTH, rows="weights",
    make=lambda normalise: normalise,
)  # fmt: skip
softmax.wrong_steps(steps.STABLE)
softmax.wrong_steps(steps.SOFTMAX, "softmax-first-axis", "softmax-all", "sum-normalise")


@softmax.mistake("softmax-axis", steps.SOFTMAX["softmax-axis"][0])
def _(scores):
    return torch.softmax(scores, dim=-2 if scores.dim() > 1 else -1)


@softmax.mistake(
    "softmax-axis",
    "Your softmax runs over `dim=1`. That is the last axis of a table, and not that of a batch or a single row: "
    "count from the end, `dim=-1`.",
)
def _(scores):
    return torch.softmax(scores, dim=1)


@softmax.mistake(
    "max-axis", "You subtracted the maximum of each column. Each row needs its own: `amax(dim=-1, keepdim=True)`."
)
def _(scores):
    if scores.dim() < 2:
        return softmax_by_hand(scores)
    return steps.naive_softmax(scores - scores.amax(dim=-2, keepdim=True))


@softmax.mistake("exp-only", steps.SOFTMAX["exp-only"][0])
def _(scores):
    return torch.exp(scores - scores.amax(dim=-1, keepdim=True))


@softmax.mistake(
    "sum-unshifted",
    "The maximum is subtracted above the line and not below it. Divide by the sum of the same exponentials.",
)
def _(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / torch.exp(scores).sum(dim=-1, keepdim=True)


@softmax.mistake("no-keepdim", "Your sums or maxima have lost an axis, and meet the columns. Give them `keepdim=True`.")
def _(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1)


@softmax.mistake(
    "divided-by-max",
    "You divided by the maximum. That changes the gaps between the scores, and the weights with them: subtract it.",
)
def _(scores):
    return torch.softmax(scores / scores.amax(dim=-1, keepdim=True), dim=-1)


@softmax.mistake(
    "input-changed", "Your code changes its input: `-=` writes into `scores`. Write `scores = scores - …`."
)
def _(scores):
    scores -= scores.amax(dim=-1, keepdim=True)
    return steps.naive_softmax(scores)


@softmax.mistake("detached", steps.DETACHED)
def _(scores):
    return softmax_by_hand(torch.tensor(scores.tolist(), dtype=scores.dtype))


@softmax.mistake("global-leak", steps.LEAK)
def _(scores):
    return steps.naive_softmax(scores - notebook_table.max())


# ---- tempered_softmax: divide before softmax, refuse what makes no sense


def tempered(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}.")
    return softmax_by_hand(scores / temperature)


def tempered_cases(draw):
    yield "temperature 2", draw(3, 4), 2.0
    yield "temperature 0.25", draw(2, 5), 0.25
    yield "a single row, temperature 4", draw(3), 4.0
    yield "a batch, temperature 0.5", draw(2, 3, 5), 0.5
    yield "temperature 0.005", draw(2, 3) + 3, 0.005
    yield "a single key", draw(3, 1), 3.0
    yield "a square", draw(3, 3), 2.0
    yield "float64", draw(2, 6, dtype=torch.float64), 3.0
    yield "temperature 0", draw(2, 3), 0.0
    yield "temperature -1.5", draw(2, 3), -1.5


def tempered_by(divide=lambda scores, temperature: scores / temperature, normalise=steps.row_softmax):
    def answer(scores, temperature):
        if temperature <= 0:
            raise ValueError(f"temperature must be above 0, got {temperature}.")
        return normalise(divide(scores, temperature))

    return answer


def tells_what_it_got(exercise, answer):
    """The error holds the temperature that was received."""
    try:
        answer(torch.zeros(2), -1.5)
    except ValueError as error:
        if "1.5" not in str(error):
            yield (
                "error-says-nothing",
                "Your `ValueError` does not say what was received. Put the temperature into its words: "
                '`f"… got {temperature}"`.',
            )


tempered_softmax = Exercise(
    "tempered_softmax", tempered, tempered_cases, outputs=("weights",), rows="weights", make=tempered_by,
    behaviours=(*BOTH, tells_what_it_got),
)  # fmt: skip
tempered_softmax.wrong_steps(steps.SOFTMAX, "softmax-first-axis", "softmax-all", "sum-normalise", "exp-only")
tempered_softmax.wrong_steps(steps.STABLE, "naive-overflow")
tempered_softmax.wrong_steps(
    {
        "softmax-axis": (
            steps.SOFTMAX["softmax-axis"][0],
            "normalise",
            lambda scores: torch.softmax(scores, dim=-2 if scores.dim() > 1 else -1),
        ),
        "no-scale": (
            "The temperature is not used: divide the scores by it before softmax.",
            "divide",
            lambda scores, temperature: scores,
        ),
        "scale-inverted": (
            "You multiplied by the temperature, so a high one makes the weights sharper. Divide.",
            "divide",
            lambda scores, temperature: scores * temperature,
        ),
        "scale-root": (
            "You divided by the root of the temperature. Divide by the temperature itself: no `** 0.5` here.",
            "divide",
            lambda scores, temperature: scores / temperature**0.5,
        ),
    }
)


@tempered_softmax.mistake("scale-after", SCALE_AFTER)
def _(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}.")
    return softmax_by_hand(scores) / temperature


@tempered_softmax.mistake(
    "no-check", "A temperature of 0 or less goes through. Begin with `if temperature <= 0:` and raise a `ValueError`."
)
def _(scores, temperature):
    return softmax_by_hand(scores / temperature)


@tempered_softmax.mistake(
    "zero-allowed", "A temperature of 0 goes through. Your condition should be `<= 0`, not `< 0`."
)
def _(scores, temperature):
    if temperature < 0:
        raise ValueError(f"temperature must be above 0, got {temperature}.")
    return softmax_by_hand(scores / temperature)


@tempered_softmax.mistake(
    "error-returned", "Your `ValueError` is returned as a result. Nobody is stopped by that: write `raise`."
)
def _(scores, temperature):
    if temperature <= 0:
        return ValueError(f"temperature must be above 0, got {temperature}.")
    return softmax_by_hand(scores / temperature)


@tempered_softmax.mistake(
    "error-kind", "An `assert` raises an `AssertionError`, and can be switched off. Raise a `ValueError` instead."
)
def _(scores, temperature):
    assert temperature > 0, f"temperature must be above 0, got {temperature}."
    return softmax_by_hand(scores / temperature)


@tempered_softmax.mistake("error-says-nothing", "Your `ValueError` does not say what was received.")
def _(scores, temperature):
    if temperature <= 0:
        raise ValueError("bad temperature")
    return softmax_by_hand(scores / temperature)


@tempered_softmax.mistake("input-changed", "Your code changes its input: `/=` writes into `scores`.")
def _(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}.")
    scores /= temperature
    return softmax_by_hand(scores)


@tempered_softmax.mistake("detached", steps.DETACHED)
def _(scores, temperature):
    return tempered(scores.detach(), temperature)


@tempered_softmax.mistake("global-leak", steps.LEAK)
def _(scores, temperature):
    return tempered(scores, notebook_width)


# ---- scaled_scores


def score_cases(draw):
    yield "3 queries, 4 keys, width 5", draw(3, 5), draw(4, 5)
    yield "a batch of 2", draw(2, 3, 6), draw(2, 5, 6)
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), draw(2, 3, 6, 5)
    yield "as many keys as numbers", draw(2, 3, 4), draw(2, 4, 4)
    yield "as many queries as keys", draw(3, 2), draw(3, 2)
    yield "a batch of one, a single key", draw(1, 3, 4), draw(1, 1, 4)
    yield "float64", draw(2, 8, dtype=torch.float64), draw(3, 8, dtype=torch.float64)


def scores_by(score=steps.scaled_scores):
    return lambda queries, keys: score(queries, keys)


scaled_scores = Exercise(
    "scaled_scores", steps.scaled_scores, score_cases, outputs=("scores",), behaviours=BOTH, make=scores_by
)
scaled_scores.wrong_steps(steps.SCORES)
scaled_scores.wrong_steps(steps.SCALE)


@scaled_scores.mistake(
    "scale-wrong-axis",
    "You divided by the root of the number of queries. It should be the root of the width, the last axis: `shape[-1]`.",
)
def _(queries, keys):
    return steps.raw_scores(queries, keys) / queries.shape[-2] ** 0.5


@scaled_scores.mistake(
    "scale-wrong-axis",
    "You divided by the root of the first axis. In a batch that is the number of texts: the width is `shape[-1]`.",
)
def _(queries, keys):
    return steps.raw_scores(queries, keys) / queries.shape[0] ** 0.5


@scaled_scores.mistake(
    "scale-model",
    "You divided by the root of all heads' width together. The dot product runs over one head: `queries.shape[-1]`.",
)
def _(queries, keys):
    width = queries.shape[-1] * (queries.shape[-3] if queries.dim() > 3 else 1)
    return steps.raw_scores(queries, keys) / width**0.5


@scaled_scores.mistake("keys-full-turn", steps.FULL_TURN)
def _(queries, keys):
    return queries @ keys.permute(*reversed(range(keys.dim()))) / queries.shape[-1] ** 0.5


@scaled_scores.mistake("softmax-too-early", "Only the scores are asked for: leave the softmax out.")
def _(queries, keys):
    return torch.softmax(steps.scaled_scores(queries, keys), dim=-1)


@scaled_scores.mistake("batch-mixed", steps.BATCH_MIXED)
def _(queries, keys):
    return queries.flatten(0, -2) @ keys.flatten(0, -2).T / queries.shape[-1] ** 0.5


@scaled_scores.mistake("detached", steps.DETACHED)
def _(queries, keys):
    return steps.scaled_scores(queries, keys).detach()


@scaled_scores.mistake("global-leak", steps.LEAK)
def _(queries, keys):
    return steps.raw_scores(queries, keys) / notebook_width**0.5


# ---- scaled_attention: everything, with nothing ready-made


def attend(score=steps.scaled_scores, normalise=softmax_by_hand, mix=steps.mix):
    def answer(queries, keys, values):
        attn_weights = normalise(score(queries, keys))
        return mix(attn_weights, queries, keys, values), attn_weights

    return answer


def attention_cases(draw):
    yield "3 queries, 4 keys, widths 5 and 2", draw(3, 5), draw(4, 5), draw(4, 2)
    yield "a batch of 2", draw(2, 3, 6), draw(2, 5, 6), draw(2, 5, 4)
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), draw(2, 3, 6, 5), draw(2, 3, 6, 2)
    yield "everything of length 4", draw(2, 4, 4), draw(2, 4, 4), draw(2, 4, 4)
    yield "as many queries as keys", draw(3, 2), draw(3, 2), draw(3, 4)
    yield "large scores", draw(2, 3) * 50, draw(4, 3) * 50, draw(4, 2)
    yield "a small row under a large one", torch.tensor([[900.0, 0], [0, 0.5]]), draw(3, 2) + 2, draw(3, 4)
    yield "a batch of one, a single key", draw(1, 3, 4), draw(1, 1, 4), draw(1, 1, 2)
    yield "float64", *(draw(*shape, dtype=torch.float64) for shape in ((2, 8), (3, 8), (3, 5)))


scaled_attention = Exercise(
    "scaled_attention", attend(), attention_cases, outputs=("context_vecs", "attn_weights"), rows="attn_weights",
    behaviours=BOTH, make=attend,
)  # fmt: skip
scaled_attention.wrong_steps(steps.SOFTMAX)
scaled_attention.wrong_steps(steps.STABLE)
scaled_attention.wrong_steps(steps.SCORES)
scaled_attention.wrong_steps(steps.SCALE)
scaled_attention.wrong_steps(steps.MIX)


@scaled_attention.mistake("scale-after", SCALE_AFTER)
def _(queries, keys, values):
    attn_weights = softmax_by_hand(steps.raw_scores(queries, keys)) / queries.shape[-1] ** 0.5
    return attn_weights @ values, attn_weights


@scaled_attention.mistake(
    "weights-transposed",
    "The weights come back on their side. A row is a query and a column a key: return them as they were applied.",
)
def _(queries, keys, values):
    context_vecs, attn_weights = attend()(queries, keys, values)
    return context_vecs, attn_weights.transpose(-2, -1)


@scaled_attention.mistake(
    "outputs-swapped", "The two results have changed places: `return context_vecs, attn_weights`."
)
def _(queries, keys, values):
    return attend()(queries, keys, values)[::-1]


@scaled_attention.mistake("weights-missing", "The weights are asked for as well: `return context_vecs, attn_weights`.")
def _(queries, keys, values):
    return attend()(queries, keys, values)[0]


@scaled_attention.mistake(
    "scores-returned", "The second result should be the weights, after softmax. You returned the scores."
)
def _(queries, keys, values):
    return attend()(queries, keys, values)[0], steps.scaled_scores(queries, keys)


@scaled_attention.mistake("keys-full-turn", steps.FULL_TURN)
def _(queries, keys, values):
    turned = keys.permute(*reversed(range(keys.dim())))
    attn_weights = softmax_by_hand(queries @ turned / queries.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights


@scaled_attention.mistake("batch-mixed", steps.BATCH_MIXED)
def _(queries, keys, values):
    context_vecs, attn_weights = attend()(queries.flatten(0, -2), keys.flatten(0, -2), values.flatten(0, -2))
    return context_vecs.view(*queries.shape[:-1], -1), attn_weights


@scaled_attention.mistake("detached", steps.DETACHED)
def _(queries, keys, values):
    context_vecs, attn_weights = attend()(queries, keys, values)
    return attn_weights.detach() @ values, attn_weights


@scaled_attention.mistake("global-leak", steps.LEAK)
def _(queries, keys, values):
    attn_weights = softmax_by_hand(steps.raw_scores(queries, keys) / notebook_width**0.5)
    return attn_weights @ values, attn_weights
