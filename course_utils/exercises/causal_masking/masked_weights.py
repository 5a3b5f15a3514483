"""`my_masked_weights(attn_scores, mask)`: scores and a mask in, weights out, 0 where nothing is open."""

import torch

from course_utils.checks import outcome
from course_utils.checks.behaviours import backward, gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.form import Form
from course_utils.checks.rules import forbids
from course_utils.exercises import shared


def masked_weights_solution(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    return weights.masked_fill(~mask, 0.0)  # in an empty row, every cell is hidden


def cases(draw):
    past = torch.ones(5, 5, dtype=torch.bool).tril()
    mask = torch.tensor([[1, 0, 1, 1], [0, 1, 1, 0], [1, 1, 0, 0]]).bool()
    empty = torch.tensor([[1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 0, 1]]).bool()
    yield "3 queries, 4 keys", draw(3, 4), mask
    yield "the causal mask of 5 tokens", draw(5, 5), past
    yield "2 texts, one mask for both", draw(2, 3, 4), mask
    yield "2 texts, a mask for each", draw(2, 3, 4), torch.stack([mask, empty])
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), draw(4, 5) > -0.7
    yield "a row with nothing open", draw(3, 4), empty
    yield "everything hidden", draw(2, 3), torch.zeros(2, 3, dtype=torch.bool)
    yield "everything open, two scores of 0", draw(2, 5) * ~torch.eye(2, 5).bool(), torch.ones(2, 5, dtype=torch.bool)
    yield "large scores", 300 * draw(3, 4), mask
    yield "a small row under a large one", draw(2, 3) + torch.tensor([[500.0], [-500.0]]), mask[:2, :3]
    yield "a huge score that is hidden", torch.tensor([[0.5, 400.0, 1.0, -1.0]]).repeat(3, 1), mask
    yield "a single key", draw(3, 1), torch.tensor([[True], [False], [True]])
    yield Unasked("float64"), draw(3, 4, dtype=torch.float64), mask


def weights_and_scores(answer, attn_scores, mask):
    """The scores are looked at afterwards, so that masking in place is seen as what it is."""
    return answer(attn_scores, mask), attn_scores


def finite_gradients(exercise, answer):
    """A row with nothing open sends back no nan, and no weights that training still needs are overwritten."""
    for _, (attn_scores, mask) in exercise.cases()[3:6]:
        attn_scores.requires_grad_()
        weights = outcome.as_tensors(answer(attn_scores, mask), ("weights",))
        try:
            backward(weights)
        except RuntimeError as error:
            if "inplace operation" not in str(error):
                raise
            yield (
                "repair-in-place",
                "The numbers are right, but nothing could be learnt: you write into the weights, and training needs "
                "them as they left softmax. In place of `[...] = 0`, or a method that ends in `_`, use `masked_fill`: "
                "it makes a new tensor.",
            )
            return
        if attn_scores.grad is not None and attn_scores.grad.isnan().any():
            yield (
                "nan-gradient",
                "The weights are right, and the gradient is `nan`: a row with nothing open was mended after softmax, "
                "but training goes back through the `nan` itself. Hide with `masked_fill` rather than by adding, or "
                "give empty rows a score before softmax.",
            )
            return


def by_hand(attn_scores, mask):
    """The solution without `torch.softmax`: each row's maximum, exponentials, their sum, which may be 0."""
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf)
    highest = attn_scores.amax(dim=-1, keepdim=True).clamp(min=-1e30)
    exps = torch.exp(attn_scores - highest) * mask
    total = exps.sum(dim=-1, keepdim=True)
    return exps / total.masked_fill(total == 0, 1.0)


BY_HAND = """
mask-renormalised: You erase after `torch.exp` or softmax, and share out again. Beside a huge hidden score, what is open
    has been rounded to 0 by then, and nothing is left to share. Hide the scores first, even from the row's maximum.
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf) ->
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract each row's maximum before `torch.exp`.
    torch.exp(attn_scores - highest) -> torch.exp(attn_scores)
    or
    torch.exp(attn_scores - highest) -> torch.exp(attn_scores)
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf) ->
global-max: You subtracted the maximum of the whole table. A row of small scores beside it vanishes: each row needs its
    own, `amax(dim=-1, keepdim=True)`.
    attn_scores.amax(dim=-1, keepdim=True) -> attn_scores.amax()
keepdim-forgotten: Your sum or maximum has lost its axis, and meets the columns. Give it `keepdim=True`.
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-1)
    or
    amax(dim=-1, keepdim=True) -> amax(dim=-1)
softmax-axis: Your sums run down the columns. A row belongs to one query, and must add up to 1: `dim=-1`.
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-2, keepdim=True)
mask-ignored: Nothing is hidden: the mask has no part in your exponentials.
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf) ->
    * mask ->
"""
MISTAKES = """
=empty-rows-by-any:
    weights.masked_fill(~mask, 0.0) -> weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)
=empty-rows-by-nan:
    weights.masked_fill(~mask, 0.0) -> weights.nan_to_num()
global-max: You subtracted the maximum of the whole table. A row of small scores beside it vanishes: each row needs its
    own, `amax(dim=-1, keepdim=True)`.
    torch.softmax(…, dim=-1) -> (exps := torch.exp((…) - (…).max())) / exps.sum(dim=-1, keepdim=True)
no-mask: Nothing is hidden: the mask is not used, or the result of `masked_fill` was not kept.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    weights.masked_fill(~mask, 0.0) -> weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)
mask-ignored: You always hide the future, whatever mask comes in. Use the argument.
    ~mask, -torch.inf -> torch.ones(attn_scores.shape[-2:]).triu(1).bool(), -torch.inf
all-masked-nan: A row with nothing open comes out as `nan`, since softmax divides 0 by 0 there. Such rows should hold
    zeros: find them with the mask, and fill them after softmax. (0 times `nan` is still `nan`.)
    weights.masked_fill(~mask, 0.0) -> weights
any-for-all: Rows with a single hidden key are set to 0. Only rows in which *nothing* is open should be: ask the mask
    with `any`, not with `all`.
    ~mask, 0.0 -> ~mask.all(dim=-1, keepdim=True), 0.0
all-masked-uniform: In a row with nothing open, hidden keys get equal weight: a finite number such as -1e9 leaves no gap
    between them. (`nan_to_num` makes one of minus infinity.) Fill with `-torch.inf`, and set empty rows to 0 after
    softmax.
    -torch.inf -> -1e9
    weights.masked_fill(~mask, 0.0) -> weights
mask-after-softmax: You set weights to 0 after softmax, and the rows no longer add up to 1. Hide the scores before
    softmax, with `-torch.inf`.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    weights.masked_fill(~mask, 0.0) -> weights * mask
mask-renormalised: You erase after `torch.exp` or softmax, and share out again. Beside a huge hidden score, what is open
    has been rounded to 0 by then, and nothing is left to share. Hide the scores first, even from the row's maximum.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    ~mask, 0.0) -> ~mask, 0.0) / (weights * mask).sum(dim=-1, keepdim=True).clamp(min=1e-9)
mask-renormalised: You erase after softmax and divide by what is left. Where nothing is left, because all is hidden or a
    huge hidden score took everything, that is 0 / 0. Hide the scores before softmax.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    ~mask, 0.0) -> ~mask, 0.0) / (weights * mask).sum(dim=-1, keepdim=True)
mask-normalised: You divided the mask by its own sums: every open key gets the same weight, whatever its score. It is
    the scores that go through softmax.
    attn_scores.masked_fill(~mask, -torch.inf) -> (0.0 * attn_scores).masked_fill(~mask, -torch.inf)
mask-in-place: The weights are right, but the scores that came in are changed: `masked_fill_`, with `_` at its end,
    writes into them. Use `masked_fill`, which makes a new tensor.
    masked_fill(~mask, -torch.inf) -> masked_fill_(~mask, -torch.inf)
zero-times-inf: There is `nan` everywhere: 0 times infinity is not a number. Fill with `masked_fill(~mask, -torch.inf)`,
    and do not multiply.
    masked_fill(~mask, -torch.inf) -> add(~mask * -torch.inf)
    weights.masked_fill(~mask, 0.0) -> weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)
repair-inverted: After softmax you set the open weights to 0, and keep the rest. It is the other way round: put `~`
    before the mask, or before `any`.
    ~mask, 0.0 -> mask, 0.0
empty-whole: One row with nothing open, and you return zeros for the whole table. Only that row should be 0: ask each
    row, `mask.any(dim=-1, keepdim=True)`.
    ~mask, 0.0 -> weights.isnan().any(), 0.0
keepdim-missing: `any(dim=-1)` gives one answer for each row, laid out as a row. Beside the weights it must stand as a
    column: `keepdim=True`.
    ~mask, 0.0 -> ~mask.any(dim=-1), 0.0
empty-by-column: You ask each key whether any query sees it, and a row with nothing open stays `nan`. Ask each query,
    along its row: `mask.any(dim=-1, keepdim=True)`.
    ~mask, 0.0 -> ~mask.any(dim=-2, keepdim=True), 0.0
    or
    ~mask, 0.0 -> ~mask.any(dim=-2), 0.0
    or
    ~mask, 0.0 -> ~mask.any(dim=0), 0.0
    or
    ~mask, 0.0 -> ~mask.any(dim=1, keepdim=True), 0.0
empty-by-table: You ask whether anything in the whole table is open, and a single empty row stays `nan`. Ask each row:
    `mask.any(dim=-1, keepdim=True)`.
    ~mask, 0.0 -> ~mask.any(), 0.0
zero-hidden: A score that is 0 by itself is hidden too: you look for zeros among the scores. Ask the mask where to hide:
    `masked_fill(~mask, -torch.inf)`.
    ~mask, -torch.inf -> attn_scores * mask == 0, -torch.inf
inf-after-softmax: Minus infinity is filled into the weights. It hides *scores*: fill it in before softmax.
    weights.masked_fill(~mask, 0.0) -> weights.masked_fill(~mask, -torch.inf)
    or
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    ~mask, 0.0 -> ~mask, -torch.inf
finite-fill: Hidden keys get a finite score, and beside scores as low as that they still take weight. Fill with
    `-torch.inf`.
    -torch.inf -> -100.0
    or
    -torch.inf -> attn_scores.min()
"""

exercise = Exercise(
    masked_weights_solution,
    cases,
    MISTAKES,
    shared=(shared.SOFTMAX, shared.SOFTMAX_OF_ONE_HEAD, shared.HIDE),
    also=(Form(__name__, "by_hand", BY_HAND),),
    outputs=("weights", "scores_afterwards"),
    observe=weights_and_scores,
    behaviours=(repeats,),
    rules=(forbids("attention", prompt="Use `torch.softmax` or your own, not the course's"),),
    hints=(finite_gradients, gradient_flows),
)
