"""`my_dropped_attention(queries, keys, values, mask, drop)`: attention with dropout on its weights."""

import torch

from course_utils.checks.draw import Draw
from course_utils.checks.exercise import Exercise
from course_utils.checks.outcome import Refused
from course_utils.checks.rules import demands, forbids
from course_utils.lessons import shared
from course_utils.lessons.arguments import TRAINABLE
from course_utils.lessons.dropout.exercises.dropout import dropout_solution, uniform

PROMPT = "Build it from `torch.softmax`, not from a function of the course"


def dropped_attention_solution(queries, keys, values, mask, drop):
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    attn_weights = drop(attn_weights)  # (..., num_queries, num_keys)
    return attn_weights @ values, attn_weights


class Cutter:
    """A stand-in for nn.Dropout(p) that drops the same numbers on every run, and others at each call."""

    def __init__(self, p, seed=11):
        self.p, self._draw = p, Draw(seed)

    def __call__(self, x):
        return dropout_solution(x, uniform(self._draw, *x.shape), self.p)


def drop_first(x):
    """Return a copy of attention weights (..., num_queries, num_keys) with 0 at [..., 0, 0]."""
    keep = torch.ones_like(x)
    torch.atleast_2d(keep)[..., 0, 0] = 0
    return x * keep


def drop_nothing(x):
    return x


def cases(draw):
    def tensors(*shape, num_keys, value_dim, size=1.0):
        *batch, num_queries, width = shape
        shapes = ((*batch, num_queries, width), (*batch, num_keys, width), (*batch, num_keys, value_dim))
        return [draw(*sizes) * size for sizes in shapes]

    past = torch.ones(5, 5, dtype=torch.bool).tril()
    some = torch.tensor([[1, 0, 1, 1, 1], [1, 1, 1, 0, 1], [0, 1, 1, 1, 0], [1, 1, 0, 1, 1]]).bool()
    yield "4 queries, 5 keys", *tensors(4, 3, num_keys=5, value_dim=3), some, Cutter(0.3)
    yield "2 texts of 5 tokens, causal", *tensors(2, 5, 4, num_keys=5, value_dim=4), past, Cutter(0.5)
    yield "heads, (2, 3, 4, 5)", *tensors(2, 3, 4, 5, num_keys=5, value_dim=2), some, Cutter(0.3)
    yield "3 texts, nothing dropped", *tensors(3, 4, 4, num_keys=4, value_dim=4), past[:4, :4], drop_nothing
    yield "all sizes 3", *tensors(3, 3, 3, num_keys=3, value_dim=3), past[:3, :3], Cutter(0.3)
    yield "nothing hidden", *tensors(17, 3, num_keys=17, value_dim=3), torch.ones(17, 17).bool(), Cutter(0.5)
    yield "the first token loses its one connection", *tensors(2, 5, 3, num_keys=5, value_dim=3), past, drop_first
    yield "a batch of one, a single token", *tensors(1, 1, 3, num_keys=1, value_dim=3), past[:1, :1], drop_nothing
    yield "large inputs", *tensors(4, 3, num_keys=5, value_dim=3, size=20), some, Cutter(0.3)
    queries, keys, values = tensors(4, 3, num_keys=5, value_dim=3, size=50)
    yield "scores far below 0", queries.abs(), -keys.abs(), values, some, Cutter(0.3)


def with_whole_table(answer, queries, keys, values, mask, drop):
    """Call answer(queries, keys, values, mask, drop) and return its results, (context_vecs, attn_weights).

    drop: a function of the weights. Errors: Refused if it calls `drop` several times, each on a piece of the weights.
    """
    sizes_of_calls = []

    def counted(x):
        sizes_of_calls.append(x.numel())
        return drop(x)

    counted.__qualname__ = "drop"  # the name that a TypeError quotes
    results = answer(queries, keys, values, mask, counted)
    if len(sizes_of_calls) > 1 and max(sizes_of_calls) < queries[..., 0].numel() * keys.shape[-2]:
        raise Refused("`drop` is called in a loop, once for each row or text. Call it once, on the whole table.")
    return results


MISTAKES = """
dropout-missing: Nothing is dropped. Call `drop` on the weights, and go on with its result: `attn_weights = drop(…)`.
    attn_weights = drop(attn_weights) -> drop(attn_weights)
dropout-before-softmax: `drop` falls on scores, where 0 is one like any other. Call it after softmax, on the weights.
    attn_scores.masked_fill -> drop(attn_scores).masked_fill
    attn_weights = drop(attn_weights) ->
dropout-on-mask: `drop` falls on the mask, and softmax shares out 1 among what is left. Call it on the weights.
    ~mask -> drop(mask.float()) == 0
    attn_weights = drop(attn_weights) ->
dropout-on-output: `drop` falls on the context vectors, and the weights come back whole. Call it on the weights.
    attn_weights = drop(attn_weights) ->
    attn_weights @ values -> drop(attn_weights @ values)
dropout-on-values: `drop` falls on the values: numbers of a token are lost for all queries. Call it on the weights.
    attn_weights = drop(attn_weights) ->
    @ values -> @ drop(values)
dropout-on-queries: `drop` falls on the queries, and no weight is dropped. Call it on the weights, after softmax.
    attn_weights = drop(attn_weights) ->
    attn_scores = queries -> attn_scores = drop(queries)
dropped-twice: `drop` is called twice, and too much is lost. Call it once, on the weights.
    drop(attn_weights) -> drop(drop(attn_weights))
    or
    attn_weights @ values -> drop(attn_weights @ values)
dropout-not-applied: `drop` is called twice: what is mixed and what comes back differ. Call it once, and use that twice.
    attn_weights = drop(attn_weights) ->
    return attn_weights @ values, attn_weights -> return drop(attn_weights) @ values, drop(attn_weights)
weights-before-drop: The weights come back as they were before dropping. Those that were applied are asked for.
    attn_weights = drop(attn_weights) ->
    attn_weights @ values -> drop(attn_weights) @ values
drop-not-mixed: Dropped weights come back, but the whole ones mixed the values. Drop first, then mix.
    attn_weights = drop(attn_weights) ->
    values, attn_weights -> values, drop(attn_weights)
dropout-renormalised: Each row is divided by its sum again, which undoes the dropping. Leave it as `drop` gave it.
    drop(attn_weights) -> drop(attn_weights) ⏎ attn_weights = attn_weights / attn_weights.sum(dim=-1, keepdim=True)
softmax-again: Softmax is taken of the dropped row, and gives weight to what was cut. Leave the row as `drop` gave it.
    drop(attn_weights) -> torch.softmax(drop(attn_weights), dim=-1)
drop-by-row:
    drop(attn_weights) -> torch.stack([drop(part) for part in attn_weights])
random:
    drop(attn_weights) -> torch.nn.functional.dropout(attn_weights, 0.3)
no-mask: Nothing is hidden: the mask has no effect. Use it before softmax, and keep what `masked_fill` gives back.
    .masked_fill(~mask, -torch.inf) ->
mask-after-softmax: Hidden scores took part in softmax. Fill them with `-torch.inf` before it, then `drop`.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    drop(attn_weights) -> drop(attn_weights * mask)
mask-normalised: Every open key has the same weight, whatever its score. Hide scores with the mask, then take softmax.
    attn_scores.masked_fill -> (0 * attn_scores).masked_fill
scale-by-values: You divided by the root of the values' width. It is that of queries and keys: `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / values.shape[-1] ** 0.5
root-brackets: `** 1 / 2` takes the power of 1 first and halves afterwards. The root is `** 0.5`, or `** (1 / 2)`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1 / 2
keys-full-turn: All axes of the keys are turned, the batch with them, as by `.T`. Two should be: `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.permute(*reversed(range(keys.dim())))
keys-fixed-axes: The keys' axes are counted from the front, where one more or less shifts them: `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(1, 2)
"""

SHARED = (shared.SOFTMAX, shared.SOFTMAX_OF_ONE_HEAD, shared.SCORES, shared.MIX, shared.HIDE, shared.RESULTS)
RULES = (forbids("attention", prompt=PROMPT), demands("softmax", "Softmax", prompt=PROMPT))
OUTPUTS = ("context_vecs", "attn_weights")  # rows do not add up to 1 once weights are dropped
exercise = Exercise(
    dropped_attention_solution,
    cases,
    MISTAKES,
    shared=SHARED,
    outputs=OUTPUTS,
    observe=with_whole_table,
    rules=RULES,
    **TRAINABLE,
)
