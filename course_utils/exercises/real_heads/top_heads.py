"""`my_top_heads(scores, count)`: layer and head of the largest numbers, the best first."""

import torch

from course_utils.checks.behaviours import repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.form import Form


def top_heads_solution(scores, count):
    best = scores.flatten().topk(count).indices  # (count,)
    return torch.stack([best // scores.shape[-1], best % scores.shape[-1]], dim=-1)  # (count, 2)


def cases(draw):
    yield "6 layers of 12 heads, the best 3", draw(6, 12), 3
    yield "2 layers of 5 heads, the best 4", draw(2, 5), 4
    yield "as many layers as heads", draw(4, 4), 5
    yield "more layers than heads", draw(7, 2), 3
    yield "one layer", draw(1, 6), 2
    yield "the best alone", draw(3, 4), 1
    yield "the best 2", draw(5, 3), 2
    yield "all of them", draw(2, 3), 6
    yield "none above 0", -draw(3, 5).abs(), 4
    equal = draw(3, 4).clamp(max=0.0)
    equal[0, 3] = equal[2, 1] = 0.5
    yield "two heads with the same score, the best 2", equal, 2
    yield Unasked("float64"), draw(3, 5, dtype=torch.float64), 4


def places(answer, scores, count):
    """Return an answer's places as int64 if they are of any whole dtype, in sorted order if some scores are equal.

    answer: the learner's function. scores: (layers, num_heads). count: how many heads are asked for. A place is the
    pair (layer, head), a row of the result. Anything else comes back as it is.
    """
    ties = len(scores.unique()) < scores.numel()  # before an answer can write into the scores
    found = answer(scores, count)
    whole = torch.is_tensor(found) and not found.is_floating_point() and found.dtype != torch.bool
    if whole and found.dim() == 2 and ties:  # equal scores may come in any order
        return torch.tensor(sorted(found.tolist()))
    return found.long() if whole else found


def whole_numbers(exercise, answer):
    """Yield ("float-indices", message) if an answer's places are floats: they are used as indices.

    exercise: not used; a behaviour must take it. answer: the learner's function.
    """
    if answer(torch.tensor([[0.1, 0.9], [0.5, 0.2]]), 1).is_floating_point():
        yield (
            "float-indices",
            "The places are right, but not whole numbers: divide with `//`, not `/`, and make tables with "
            "`dtype=torch.long`.",
        )


def by_sorting(scores, count):
    """Return the solution's places, by `argsort` and a loop."""
    order = scores.flatten().argsort(descending=True)[:count]
    found = []
    for place in order.tolist():
        found.append([place // scores.shape[1], place % scores.shape[1]])
    return torch.tensor(found)


SORTED = """
list-returned:
    torch.tensor(found) -> found
last-of-sorted: These are the lowest scores, in falling order. The best are the first: `[:count]`.
    [:count] -> [-count:]
all-places: All heads come back, in order. The first `count` of them are asked for: `[:count]`.
    [:count] ->
values-for-places: `sort` gives values and indices. Take the places: `.indices`, or use `argsort`.
    argsort(descending=True) -> sort(descending=True)
return-in-loop: Only the best head comes back. The best `count` are asked for: look for a `return` inside a loop.
    found.append(…) -> return torch.tensor(…)
all-in-one-row: All numbers stand in one row. Each head has a row of its own, `[layer, head]`.
    found.append -> found.extend
"""
MISTAKES = """
wrong-width: You divided by the number of layers. A layer takes as many places as it has heads: `scores.shape[-1]`.
    scores.shape[-1] ->> scores.shape[0]
wrong-width-layer: You divided by the number of layers. A layer takes as many places as heads: `// scores.shape[-1]`.
    best // scores.shape[-1] -> best // scores.shape[0]
wrong-width-head: Your `%` takes the number of layers. A layer takes as many places as heads: `% scores.shape[-1]`.
    best % scores.shape[-1] -> best % scores.shape[0]
divided-by-count: You divided by `count`. A layer takes as many places as it has heads: `scores.shape[-1]`.
    scores.shape[-1] ->> count
fixed-width: 12 stands for the number of heads, as in the page's model. Read it off: `scores.shape[-1]`.
    scores.shape[-1] ->> 12
places-swapped: Head and layer have changed places: the layer comes first, which `//` tells, then the head, `%`.
    [best // scores.shape[-1], best % scores.shape[-1]] -> [best % scores.shape[-1], best // scores.shape[-1]]
lowest: These are the lowest scores. The best come first: `topk`, or `argsort(descending=True)`.
    topk(count) -> topk(count, largest=False)
worst-first: The right heads, in the wrong order: the best comes first, as `topk` or `argsort(descending=True)` give it.
    topk(count).indices -> topk(count).indices.flip(0)
order-of-places: The right heads, in the order of the table. The best comes first: sort them by their scores.
    topk(count).indices -> topk(count).indices.sort().values
size-for-score: You ranked by size without sign. The largest numbers are asked for: leave out `abs`.
    scores.flatten() -> scores.flatten().abs()
flat-index: You returned places in the flat list. Take them apart: `//` gives the layer, `%` the head.
    torch.stack(…, dim=-1) -> best
scores-returned: You returned the scores themselves. Asked for is where they stand: `.indices`.
    .indices -> .values
    torch.stack(…, dim=-1) -> best
scores-for-places: You took the scores apart. Take the places: `topk` gives both, `.indices` are the places.
    .indices -> .values
per-layer: You took the best of each layer. All heads compete in one list: `scores.flatten()` first.
    scores.flatten().topk(count).indices -> scores.topk(count).indices
    torch.stack(…, dim=-1) -> best
    or
    scores.flatten().topk(count).indices -> scores.topk(min(count, scores.shape[-1])).indices
    torch.stack(…, dim=-1) -> best
    or
    scores.flatten().topk(count).indices -> scores.topk(count).indices
    or
    scores.flatten().topk(count).indices -> scores.argsort(descending=True)[:count]
    torch.stack(…, dim=-1) -> best
    or
    scores.flatten().topk(count).indices -> scores.max(dim=-1).values.topk(count).indices
    [best // scores.shape[-1], best % scores.shape[-1]] -> [best, scores.argmax(dim=-1)[best]]
    or
    scores.flatten().topk(count).indices -> scores.amax(dim=-1).argsort(descending=True)[:count]
    [best // scores.shape[-1], best % scores.shape[-1]] -> [best, scores.argmax(dim=-1)[best]]
    or
    scores.flatten().topk(count).indices -> torch.arange(len(scores))[:count]
    [best // scores.shape[-1], best % scores.shape[-1]] -> [best, scores.argmax(dim=-1)[best]]
per-layer: The heads of each layer are sorted by themselves. All compete in one list: first `scores.flatten()`.
    scores.flatten().topk(count).indices -> scores.argsort(descending=True).flatten()[:count]
one-layer: All your heads are from one layer. All layers compete in one list: `scores.flatten()` first.
    torch.stack(…, dim=-1) -> torch.stack([scores.amax(dim=-1).argmax().expand(min(count, scores.shape[-1])),
        scores[scores.amax(dim=-1).argmax()].argsort(descending=True)[:count]], dim=-1)
    or
    torch.stack(…, dim=-1) -> torch.stack([scores.mean(dim=-1).argmax().expand(min(count, scores.shape[-1])),
        scores[scores.mean(dim=-1).argmax()].argsort(descending=True)[:count]], dim=-1)
one-too-few: One head fewer than `count` comes back. Take as many as asked for: `[:count]`, `topk(count)`.
    topk(count) -> topk(count - 1)
one-too-many: One head more than `count` comes back. Take as many as asked for: `[:count]`, `topk(count)`.
    topk(count).indices -> argsort(descending=True)[: count + 1]
width-off-by-one: You divide by one more or less than the number of heads. A layer takes `scores.shape[-1]` places.
    scores.shape[-1] ->> (scores.shape[-1] - 1)
    or
    scores.shape[-1] ->> (scores.shape[-1] + 1)
per-head: You took the best layers for each number of a head. All heads compete in one list: `scores.flatten()` first.
    scores.flatten().topk(count).indices -> scores.topk(count, dim=0).indices
    torch.stack(…, dim=-1) -> best
    or
    scores.flatten().topk(count).indices -> scores.amax(dim=0).topk(count).indices
    [best // scores.shape[-1], best % scores.shape[-1]] -> [scores.argmax(dim=0)[best], best]
    or
    scores.flatten().topk(count).indices -> scores.amax(dim=0).argsort(descending=True)[:count]
    [best // scores.shape[-1], best % scores.shape[-1]] -> [scores.argmax(dim=0)[best], best]
above-a-threshold: Your heads come in the order of the table, above a number of yours. Take the best: `topk(count)`.
    torch.stack(…, dim=-1) -> (scores > 0.5).nonzero()[:count]
    or
    torch.stack(…, dim=-1) -> (scores > 0.5).nonzero()
scores-with-places: You put the scores beside places in the flat list. Asked for are layer and head: `//` and `%`.
    best // scores.shape[-1], best % scores.shape[-1] -> scores.flatten()[best], best
scores-kept: Each row holds the score, too. Layer and head alone are asked for, `(count, 2)`.
    torch.stack([best -> torch.stack([scores.flatten()[best], best
looked-up-again: Of two equal scores, one or both are found twice. Sort places, not scores: `topk(count).indices`.
    topk(count).indices -> topk(count).values ⏎
        best = torch.stack([(scores.flatten() == score).nonzero()[0, 0] for score in best])
    or
    topk(count).indices -> topk(count).values ⏎
        best = torch.stack([(scores.flatten() == score).nonzero()[-1, 0] for score in best])
    or
    torch.stack(…, dim=-1) -> torch.cat([(scores == score).nonzero() for score in scores.flatten()[best]])
equal-scores-lost: Of two equal scores, only one is kept, as in a dict or a set. Sort places: `topk(count).indices`.
    scores.flatten().topk(count).indices -> torch.stack([(scores.flatten() == score).nonzero()[-1, 0]
        for score in scores.unique().flip(0)[:count]])
    or
    scores.flatten().topk(count).indices -> torch.stack([(scores.flatten() == score).nonzero()[0, 0]
        for score in scores.unique().flip(0)[:count]])
crossed-out-with-0: Where scores lie below 0, a head is found twice. Cross out what you found with `-torch.inf`, not 0.
    best = scores.flatten().topk(count).indices -> left, found = scores.flatten().clone(), []
        ⏎ for _ in range(count): ⏎     found.append(left.argmax()) ⏎     left[found[-1]] = 0 ⏎ best = torch.stack(found)
not-crossed-out: The best head comes back again and again. Take `topk(count)`, or, in a copy, write `-torch.inf` in its
    place before you look for the next.
    scores.flatten().topk(count).indices -> scores.argmax().repeat(count)
rounded: The layer is rounded, so from one half on the next one comes out. `//` cuts the fraction off.
    best // scores.shape[-1] -> (best / scores.shape[-1]).round().long()
axes-joined: One row for each head is asked for, `(count, 2)`. Yours are columns: `torch.stack(…, dim=-1)`.
    , dim=-1) -> )
layers-only: Only the layers come back. Return layer and head, `(count, 2)`.
    torch.stack(…, dim=-1) -> best // scores.shape[-1]
heads-only: Only the numbers of the heads come back. Return layer and head, `(count, 2)`.
    torch.stack(…, dim=-1) -> best % scores.shape[-1]
pair-returned: A pair of tensors comes back. One of the shape `(count, 2)` is asked for: `torch.stack(…, dim=-1)`.
    torch.stack([best // scores.shape[-1], best % scores.shape[-1]], dim=-1) ->
        (best // scores.shape[-1], best % scores.shape[-1])
not-sorted: The first `count` of the list come back, sorted. Sort all scores, then take the first `count`.
    scores.flatten().topk(count).indices -> scores.flatten()[:count].argsort(descending=True)
float-indices:
    dim=-1) -> dim=-1).float()
true-division: `/` gives fractions, and a layer is a whole number: divide with `//`.
    best // -> best /
counted-from-one: You count from 1. The first layer and the first head are 0, as everywhere.
    [best // scores.shape[-1], best % scores.shape[-1]] -> [best // scores.shape[-1] + 1, best % scores.shape[-1] + 1]
best-only: Only the best head comes back. The best `count` are asked for: `topk(count)`, and no `return` inside a loop.
    topk(count) -> topk(1)
fixed-count: You always return three. As many as asked for: `topk(count)`.
    topk(count) -> topk(3)
turned-first: Your places count heads first, as in a table that is turned. Lay it flat as it is: `scores.flatten()`.
    scores.flatten() -> scores.T.flatten()
reshape-for-stack: Layers and heads are mixed, as by a `reshape`. Stack along the last axis: `torch.stack(…, dim=-1)`.
    torch.stack(…, dim=-1) -> torch.stack(…).reshape(count, 2)
cat-for-stack: All layers stand before all heads, in one row. Stack along a new, last axis: `torch.stack(…, dim=-1)`.
    torch.stack(…) -> torch.cat(…)
indices-missing: `topk` gives a pair, values and indices. Take the places: `.indices`.
    .indices ->
"""

exercise = Exercise(
    top_heads_solution,
    cases,
    MISTAKES,
    also=(Form(__name__, "by_sorting", SORTED),),
    outputs=("places",),
    observe=places,
    behaviours=(whole_numbers, repeats),
)
