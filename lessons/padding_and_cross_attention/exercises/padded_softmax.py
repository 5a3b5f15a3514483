"""`my_padded_softmax(scores, mask)`: a softmax made with `torch.exp`, 0 where nothing is open."""

import torch

from course_utils.checks.behaviours import finite_gradients, gradient_flows
from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import demands, forbids
from course_utils.lessons import shared
from course_utils.lessons.arguments import WEIGHTS
from course_utils.lessons.findings import finding

PROMPT = "built with `torch.exp`, without a ready-made softmax"


def padded_softmax_solution(scores, mask):
    scores = scores.masked_fill(~mask, -torch.inf)
    highest = scores.amax(dim=-1, keepdim=True)
    exps = torch.exp(scores - highest.masked_fill(highest == -torch.inf, 0.0))
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)


def first_keys(*valid_lens: int, of: int):
    """Return a bool mask (batch, 1, of), True for the first valid_lens[i] keys of text i."""
    return (torch.arange(of) < torch.tensor(valid_lens)[:, None])[:, None]


def cases(draw):
    rows = torch.tensor([[1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 0], [1, 1, 0, 1]]).bool()
    yield "2 texts, 3 queries, 4 keys", draw(2, 3, 4), first_keys(3, 2, of=4)
    yield "a text of length 0", draw(2, 21, 23), first_keys(20, 0, of=23)
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), first_keys(0, 3, of=5)[:, None]
    yield "large scores", 1000 + 100 * draw(2, 2, 4), first_keys(2, 3, of=4)
    yield "a closed key with a huge score", draw(2, 2, 3) + torch.tensor([0.0, 0.0, 900.0]), first_keys(2, 1, of=3)
    yield "a mask with rows of its own", draw(4, 4), rows
    yield "one mask for 2 texts", draw(2, 4, 4), rows
    yield "a small row under a large one", draw(2, 3) + torch.tensor([[400.0], [-400.0]]), first_keys(2, of=3)[0]
    yield "scores far below 0", draw(2, 3) - 400, first_keys(2, of=3)[0]
    yield "a single row", draw(5), draw(5) > -0.4
    yield "a single row, all closed", draw(4), torch.zeros(4, dtype=torch.bool)


def rows_add_up(exercise, answer):
    """Yield ("eps-too-large", message) if the sum of a row of the answer's weights differs from 1 by more than 2e-5."""
    scores, mask = exercise.case(0).args
    if (answer(scores, mask).sum(dim=-1) - 1).abs().max() > 2e-5:
        yield finding(exercise, "eps-too-large")


NAN = (
    "The weights are right, and the gradient of an empty row is `nan`: a `nan` arose on the way, and was hidden. Let "
    "none arise: in an empty row, replace a maximum of -inf by 0, and a sum of 0 by 1."
)
MISTAKES = """
all-masked-nan: A row with all keys closed gives `nan`. Replace its maximum of -inf, and its sum of 0.
    totals.masked_fill(…) -> totals
all-masked-uniform: A row with all keys closed has weights. Fill with `-torch.inf`, and let such a row be 0.
    ~mask, -torch.inf -> ~mask, -1e9
empty-whole: One empty row still gives `nan`. Ask each row: `mask.any(dim=-1, keepdim=True)`.
    scores = scores -> if not mask.any(): ⏎     return torch.zeros_like(scores) ⏎ scores = scores
    totals.masked_fill(…) -> totals
nan-gradient:
    scores.masked_fill(~mask, -torch.inf) -> scores + torch.zeros_like(scores).masked_fill(~mask, -torch.inf)
    highest.masked_fill(…) -> highest
    return exps / totals.masked_fill(…) -> return (exps / totals).nan_to_num(0.0)
repair-in-place:
    highest.masked_fill(…)) -> highest) ⏎ exps[exps.isnan()] = 0.0
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract each row's maximum before `torch.exp`.
    scores - highest.masked_fill(…) -> scores
    or
    scores.masked_fill(~mask, -torch.inf) -> scores
    torch.exp(…) -> torch.exp(scores) * mask
scores-cut-off: Scores beyond a bound get the same weight. Subtract each row's maximum instead.
    scores - highest.masked_fill(…) -> scores.clamp(max=50.0)
    or
    scores = scores.masked_fill(~mask, -torch.inf) ->
    torch.exp(scores - highest.masked_fill(…)) -> torch.exp(scores.clamp(-80, 80)).masked_fill(~mask, 0.0)
global-max: You subtract the maximum of the whole table. Each row has its own, `amax(dim=-1, keepdim=True)`.
    scores.amax(dim=-1, keepdim=True) -> scores.max()
max-over-closed: A closed key with a huge score spoils its row. Close the scores, then take the maximum.
    scores = scores.masked_fill(~mask, -torch.inf) ->
    exps = torch.exp(…) -> exps = torch.exp(…) * mask
keepdim-missing: The maxima or the sums do not stand beside their rows, one each in a column. `keepdim=True` does that.
    scores.amax(dim=-1, keepdim=True) -> scores.amax(dim=-1)
    or
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-1)
softmax-axis: Your sums run over an axis counted from the front, which is not always the keys' axis: `dim=-1`.
    dim=-1, keepdim=True ->> dim=1, keepdim=True
    or
    dim=-1, keepdim=True ->> dim=1, keepdim=True
    totals.masked_fill(…) -> totals
exp-only: The exponentials come back undivided: rows do not add up to 1. Divide them by their sum along each row.
    exps / totals.masked_fill(…) -> exps
divided-by-count: You divide by the number of open keys. Divide by the sum of their exponentials: rows add up to 1.
    exps.sum(dim=-1, keepdim=True) -> mask.expand(scores.shape).sum(dim=-1, keepdim=True)
eps-too-large: Rows add up to less than 1: a number is added to their sums. Replace a sum of 0, and leave the others.
    totals.masked_fill(…) -> (totals + 1e-4)
mask-inverted: Your mask opens what should be closed. True = may attend: close where it is False, `~mask`.
mask-zero-fill: Closed keys still get weight: e⁰ is 1. Fill the scores with `-torch.inf`, before the maximum is taken.
    .masked_fill(~mask, -torch.inf) -> .masked_fill(~mask, 0.0)
mask-ignored: Closed keys get weight like others: your mask has no effect. `masked_fill` gives a new tensor: use that.
    scores.masked_fill(~mask, -torch.inf) -> scores
mask-after-softmax: The rows add up to less than 1. Close the scores, before the sum.
    scores.masked_fill(~mask, -torch.inf) -> scores
    exps / totals -> exps * mask / totals
mask-normalised: All open keys of a row get the same weight: the scores do not count. Take `torch.exp` of the scores.
    exps = torch.exp(…) -> exps = mask.expand(scores.shape).float()
mask-as-index: An index needs a mask of the scores' own shape. `masked_fill` takes one that broadcasts.
    scores = scores.masked_fill(~mask, -torch.inf) -> scores = scores.clone() ⏎ scores[~mask] = -torch.inf
"""

SHARED = (shared.HIDE,)
RULES = (forbids("softmax", "log_softmax", prompt=PROMPT), demands("exp", "exp_", prompt=PROMPT))
MUST_HOLD = (rows_add_up, finite_gradients(slice(1, 3), NAN), gradient_flows)
exercise = Exercise(
    padded_softmax_solution, cases, MISTAKES, shared=SHARED, behaviours=MUST_HOLD, rules=RULES, **WEIGHTS
)
