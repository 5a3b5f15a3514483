"""`my_top_heads(scores, count)`: layer and head of the largest numbers, the best first."""

import torch

from course_utils.checks.exercise import Exercise, Unasked
from course_utils.lessons.whole_numbers import no_floats, of_any_whole_dtype


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
    """Call an answer with scores (layers, heads) and count; return its result, (count, 2) if it is right.

    A tensor of any integer dtype is returned as int64, anything else as it is. If some scores are equal, the rows of an
    int64 tensor, (layer, head), are sorted, since their order is free then.
    """
    ties = len(scores.unique()) < scores.numel()  # before an answer can write into the scores
    result = of_any_whole_dtype(answer, scores, count)
    if ties and torch.is_tensor(result) and result.dtype == torch.int64 and result.dim() == 2:
        return torch.tensor(sorted(result.tolist()))  # equal scores may come in any order
    return result


FLOATS = "The places are right, but not whole numbers: divide with `//`, and make tables with `dtype=torch.long`."
MISTAKES = """
wrong-width: You divided by the number of layers. A layer takes as many places as it has heads: `scores.shape[-1]`.
    scores.shape[-1] ->> scores.shape[0]
fixed-width: 12 stands for the number of heads, as in the page's model. Read it off: `scores.shape[-1]`.
    scores.shape[-1] ->> 12
places-swapped: Head and layer have changed places: the layer comes first, which `//` tells, then the head, `%`.
    [best // scores.shape[-1], best % scores.shape[-1]] -> [best % scores.shape[-1], best // scores.shape[-1]]
lowest: These are the lowest scores. The best come first: `topk`, or `argsort(descending=True)`.
    topk(count) -> topk(count, largest=False)
order-of-places: The right heads, in the order of the table. The best comes first: sort them by their scores.
    topk(count).indices -> topk(count).indices.sort().values
flat-index: You returned places in the flat list. Take them apart: `//` gives the layer, `%` the head.
    torch.stack(…, dim=-1) -> best
scores-returned: You returned the scores themselves. Asked for is where they stand: `.indices`.
    .indices -> .values
    torch.stack(…, dim=-1) -> best
table-turned: The table is turned before it is flattened, so `//` and `%` read other places: `scores.flatten()`.
    scores.flatten() -> scores.T.flatten()
per-layer: You took the best of each layer. All heads compete in one list: `scores.flatten()` first.
    scores.flatten().topk(count).indices -> scores.topk(count).indices
    torch.stack(…, dim=-1) -> best
    or
    scores.flatten().topk(count).indices -> scores.topk(min(count, scores.shape[-1])).indices
    torch.stack(…, dim=-1) -> best
    or
    scores.flatten().topk(count).indices -> scores.max(dim=-1).values.topk(count).indices
    [best // scores.shape[-1], best % scores.shape[-1]] -> [best, scores.argmax(dim=-1)[best]]
    or
    scores.flatten().topk(count).indices -> scores.max(dim=-1).values.argsort(descending=True)[:count]
    [best // scores.shape[-1], best % scores.shape[-1]] -> [best, scores.argmax(dim=-1)[best]]
    or
    scores.flatten().topk(count).indices -> scores.topk(count)
    torch.stack(…, dim=-1) -> torch.stack(list(best), dim=-1)
size-for-score: A score below 0 counts by its size, as with `.abs()`. The largest are asked for: sort them as they are.
    scores.flatten().topk(count) -> scores.abs().flatten().topk(count)
looked-up-again: Of two equal scores, one or both are found twice. Sort places, not scores: `topk(count).indices`.
    topk(count).indices -> topk(count).values ⏎
        best = torch.stack([(scores.flatten() == score).nonzero()[0, 0] for score in best])
crossed-out-with-0: Where scores lie below 0, a head is found twice. Cross out what you found with `-torch.inf`, not 0.
    best = scores.flatten().topk(count).indices -> left, found = scores.flatten().clone(), []
        ⏎ for _ in range(count): ⏎     found.append(left.argmax()) ⏎     left[found[-1]] = 0 ⏎ best = torch.stack(found)
rounded: The layer is rounded, so from one half on the next one comes out. `//` cuts the fraction off.
    best // scores.shape[-1] -> (best / scores.shape[-1]).round().long()
axes-joined: One row for each head is asked for, `(count, 2)`. Yours are columns: `torch.stack(…, dim=-1)`.
    , dim=-1) -> )
float-indices:
    dim=-1) -> dim=-1).float()
true-division: `/` gives fractions, and a layer is a whole number: divide with `//`.
    best // -> best /
reshape-for-stack: Layers and heads are mixed, as by a `reshape`. Stack along the last axis: `torch.stack(…, dim=-1)`.
    torch.stack(…, dim=-1) -> torch.stack(…).reshape(count, 2)
list-returned:
    torch.stack(…, dim=-1) -> torch.stack(…, dim=-1).tolist()
"""

MUST_HOLD = (no_floats("float-indices", FLOATS),)
exercise = Exercise(top_heads_solution, cases, MISTAKES, outputs=("places",), observe=places, behaviours=MUST_HOLD)
