"""`my_masked_weights(attn_scores, mask)`: softmax over the open scores of each row, 0 where nothing is open."""

import torch

from course_utils.checks.behaviours import finite_gradients, gradient_flows
from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import forbids
from course_utils.lessons import shared


def masked_weights_solution(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    return weights.masked_fill(~mask, 0.0)  # in an empty row, every cell is hidden


def cases(draw):
    past = torch.ones(11, 11, dtype=torch.bool).tril()
    mask = torch.tensor([[1, 0, 1, 1], [0, 1, 1, 0], [1, 1, 0, 0]]).bool()
    empty = torch.tensor([[1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 0, 1]]).bool()
    yield "3 queries, 4 keys", draw(3, 4), mask
    yield "the causal mask of 11 tokens", draw(11, 11), past
    yield "2 texts, one mask for both", draw(2, 3, 4), mask
    yield "2 texts, a mask for each", draw(2, 3, 4), torch.stack([mask, empty])
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), draw(4, 5) > -0.7
    yield "a row with nothing open", draw(3, 4), empty
    yield "everything hidden", draw(2, 3), torch.zeros(2, 3, dtype=torch.bool)
    yield "everything open, two scores of 0", draw(2, 5) * ~torch.eye(2, 5).bool(), torch.ones(2, 5, dtype=torch.bool)
    yield "large scores", 300 * draw(3, 4), mask
    yield "a small row under a large one", draw(2, 3) + torch.tensor([[500.0], [-500.0]]), mask[:2, :3]
    yield "a huge score that is hidden", torch.tensor([[0.5, 400.0, 1.0, -1.0]]).repeat(3, 1), mask
    yield "a hidden score of 3 billion", torch.tensor([[0.5, 3e9, 1.0, -1.0]]).repeat(3, 1), mask
    yield "open scores far below 0", draw(3, 4) - 3e9, mask
    yield "a single key", draw(3, 1), torch.tensor([[True], [False], [True]])


def weights_and_scores(answer, attn_scores, mask):
    """Call answer(attn_scores, mask); return (its weights, `attn_scores` afterwards, to show if it was overwritten)."""
    return answer(attn_scores, mask), attn_scores


NAN = (
    "The weights are right, and the gradient is `nan`: a row with nothing open was mended after softmax. Give such "
    "rows a finite score before softmax, or hide with `masked_fill` rather than by adding."
)
MISTAKES = """
=empty-rows-by-any:
    weights.masked_fill(~mask, 0.0) -> weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)
=empty-rows-by-nan:
    weights.masked_fill(~mask, 0.0) -> weights.nan_to_num()
no-mask: Only empty rows are hidden. Keep the result of `attn_scores.masked_fill(~mask, -torch.inf)`.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    weights.masked_fill(~mask, 0.0) -> weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)
any-for-all: A single hidden key makes the whole row 0. Only where *nothing* is open, `~mask.any(…)`, should it be 0.
    ~mask, 0.0 -> ~mask.all(dim=-1, keepdim=True), 0.0
all-masked-uniform: A row with nothing open has weights. Zero it after softmax: `masked_fill(~mask, 0.0)`.
    -torch.inf -> -1e9
    weights.masked_fill(~mask, 0.0) -> weights
    or
    -torch.inf -> torch.finfo(attn_scores.dtype).min
    weights.masked_fill(~mask, 0.0) -> weights
finite-fill: Hidden scores hold a finite number, and open ones may be smaller still. Fill with `-torch.inf`.
    -torch.inf -> -1e9
    weights.masked_fill(~mask, 0.0) -> weights * mask
finite-fill: Hidden scores are still ordinary numbers, and open ones may be smaller. Fill with `-torch.inf`.
    ~mask, -torch.inf -> ~mask, -100.0
    or
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores.masked_fill(~mask, attn_scores.min() - 10)
finite-fill: A billion is taken off hidden scores, and larger ones still get weight. Fill with `-torch.inf`.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores - 1e9 * ~mask
clamped: Large scores are cut off, so that all above the cut are equal. Subtract each row's maximum instead.
    torch.softmax(…, dim=-1) -> torch.exp(attn_scores.clamp(-80, 80)) * mask ⏎ total = weights.sum(dim=-1, keepdim=True)
        ⏎ weights = weights / total.clamp(min=1e-30)
    weights.masked_fill(~mask, 0.0) -> weights
mask-renormalised: Hidden scores took part in softmax, and a huge one leaves the others 0. Hide the scores before it.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    weights.masked_fill(~mask, 0.0) -> (weights * mask) / (weights * mask).sum(dim=-1, keepdim=True).clamp(min=1e-38)
mask-after-softmax: The open weights do not add up to 1. Fill the scores with `-torch.inf` before softmax.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    weights.masked_fill(~mask, 0.0) -> weights * mask
mask-renormalised: Beside a huge hidden score nothing open is left. Hide first, even from the row's maximum.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    ~mask, 0.0) -> ~mask, 0.0) / (weights * mask).sum(dim=-1, keepdim=True).clamp(min=1e-9)
mask-renormalised: You divide by what is left after softmax, which may be 0. Hide the scores before, with `-torch.inf`.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    ~mask, 0.0) -> ~mask, 0.0) / (weights * mask).sum(dim=-1, keepdim=True)
mask-normalised: Every open key gets the same weight, whatever its score. It is the scores that go through softmax.
    attn_scores.masked_fill(~mask, -torch.inf) -> (0.0 * attn_scores).masked_fill(~mask, -torch.inf)
repair-inverted: Open weights are set to 0. After softmax, zeros belong where `~mask`, or where `~mask.any(…)`.
    ~mask, 0.0 -> mask, 0.0
keepdim-missing: One answer for each row meets the columns. It must stand in a column: `any(dim=-1, keepdim=True)`.
    ~mask, 0.0 -> ~mask.any(dim=-1), 0.0
empty-by-column: You ask each key whether any query sees it. Ask each query: `mask.any(dim=-1, keepdim=True)`.
    ~mask, 0.0 -> ~mask.any(dim=-2, keepdim=True), 0.0
empty-by-table: A single row with nothing open is still `nan`. Ask each row: `mask.any(dim=-1, keepdim=True)`.
    ~mask, 0.0 -> ~mask.any(), 0.0
zero-hidden: A score that is 0 by itself is hidden too. Ask the mask where to hide: `masked_fill(~mask, -torch.inf)`.
    ~mask, -torch.inf -> attn_scores * mask == 0, -torch.inf
inf-after-softmax: Minus infinity stands among the weights. It hides *scores*: fill it in before softmax.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    ~mask, 0.0 -> ~mask, -torch.inf
softmax-axis: Your softmax runs over axis 1, which is the last of a table alone. Count from the end: `dim=-1`.
    -torch.inf), dim=-1) -> -torch.inf), dim=1)
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract each row's maximum before `torch.exp`.
    torch.softmax(…, dim=-1) -> torch.exp(attn_scores) * mask ⏎ total = weights.sum(dim=-1, keepdim=True)
        ⏎ weights = weights / total.masked_fill(total == 0, 1.0)
    weights.masked_fill(~mask, 0.0) -> weights
all-masked-nan: A row with nothing open is `nan`. Fill it with zeros after softmax: `masked_fill(~mask, 0.0)`.
    weights.masked_fill(~mask, 0.0) -> weights
"""

SHARED = (shared.SOFTMAX, shared.SOFTMAX_OF_ONE_HEAD, shared.HIDE)
exercise = Exercise(
    masked_weights_solution,
    cases,
    MISTAKES,
    shared=SHARED,
    outputs=("weights", "scores_afterwards"),
    observe=weights_and_scores,
    rules=(forbids("attention", prompt="Use `torch.softmax` or your own, not the course's"),),
    hints=(finite_gradients(slice(3, 6), NAN), gradient_flows),
    rows="weights",
)
