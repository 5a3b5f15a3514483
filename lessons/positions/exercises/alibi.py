"""`my_alibi(attn_scores, slopes)`: each score less slope times distance."""

import torch

from course_utils.checks.exercise import Exercise

from .first_gradient import gradient_flows_to_the_first


def alibi_solution(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[-1])
    distance = (places[:, None] - places).abs()  # (num_tokens, num_tokens)
    return attn_scores - slopes[:, None, None] * distance


def cases(draw):
    yield "2 texts, 3 heads, 5 tokens", draw(2, 3, 5, 5), torch.tensor([0.5, 0.25, 0.125])
    yield "4 heads, 3 tokens", draw(1, 4, 3, 3), torch.tensor([0.5, 0.3, 0.2, 0.1])
    yield "as many heads as tokens", draw(2, 4, 4, 4), torch.tensor([0.7, 0.4, 0.2, 0.1])
    yield "as many texts as heads", draw(2, 2, 6, 6), torch.tensor([0.25, 0.0625])
    yield "texts, heads and tokens equally many", draw(3, 3, 3, 3), torch.tensor([1.0, 0.5, 0.25])
    yield "one head", draw(2, 1, 11, 11), torch.tensor([2.0])
    yield "scores under a causal mask", hidden(draw(1, 2, 4, 4)), torch.tensor([0.5, 0.25])
    yield "a batch of one, a single token", draw(1, 2, 1, 1), torch.tensor([0.5, 0.25])


def hidden(attn_scores):
    """Return a copy of attention scores with -inf for keys later than the query.

    attn_scores: (..., num_tokens, num_tokens).
    """
    return attn_scores.masked_fill(torch.ones(attn_scores.shape[-2:], dtype=torch.bool).triu(1), -torch.inf)


MISTAKES = """
slopes-turned: Each head has the slope of another: the slopes are in another order. Take them as they come.
    slopes[:, None, None] -> slopes.flip(0)[:, None, None]
added: The penalty is added, so the farthest keys win. It makes scores smaller: `attn_scores - …`.
    attn_scores - slopes -> attn_scores + slopes
penalty-alone: You return the penalty alone. Subtract it from the scores: `attn_scores - …`.
    attn_scores - slopes -> slopes
multiplied: The scores are multiplied where they should become smaller by a number: `attn_scores - slope * distance`.
    attn_scores - slopes -> attn_scores * slopes
    or
    attn_scores - slopes[:, None, None] * distance -> attn_scores * (1 - slopes[:, None, None] * distance)
    or
    attn_scores - slopes[:, None, None] * distance -> attn_scores * torch.exp(-slopes[:, None, None] * distance)
multiplied: The scores are multiplied by the slopes as well. The slopes are for the distance alone.
    attn_scores - slopes[:, None, None] * distance -> slopes[:, None, None] * (attn_scores - distance)
no-abs: Keys after the query gain where they should lose. A distance has no sign: `.abs()`.
    .abs() ->
past-gains: Keys before the query gain where they should lose. A distance has no sign: `.abs()`.
    (places[:, None] - places).abs() -> (places - places[:, None])
one-side: Only the keys before the query lose something. The prompt asks for all: the size of the difference, `.abs()`.
    .abs() -> .clamp(min=0)
abs-too-late: The scores have lost their signs, as by an `abs` of all. Take it of the distance: `(… - …).abs()`.
    (places[:, None] - places).abs() -> (places[:, None] - places)
    attn_scores - slopes[:, None, None] * distance -> (attn_scores - slopes[:, None, None] * distance).abs()
distance-zero: Nothing is taken off: the scores come back as they were. (If you wrote `places - places.T`, that is 0:
    one axis has nothing to transpose.) Take a column less a row, `places[:, None] - places`.
    places[:, None] - places -> places - places
distance-shared: The distances are divided by the number of tokens. They count positions: from one to the next it is 1.
    .abs() -> .abs() / len(places)
squared: The distance is squared. The penalty grows evenly: slope times distance, from one key to the next the same.
    .abs() -> ** 2
counts-from-1: You count a token's distance from itself as 1. It is 0, and to the next one it is 1.
    (places[:, None] - places).abs() -> (places[:, None] - places).abs() + 1
one-step: All other keys lose the same, however far they are. The penalty grows with the distance: `slope * distance`.
    (places[:, None] - places).abs() -> (places[:, None] != places)
from-the-start: The penalty grows with the key's position, whoever asks. It needs two: `places[:, None] - places`.
    (places[:, None] - places).abs() -> places
from-the-end: The distance is counted from the last token, for all queries. (Under a causal mask softmax makes the same
    weights of it.) Here each score loses by the distance of its own query and key: `places[:, None] - places`.
    (places[:, None] - places).abs() -> (places[-1] - places)
places-of-heads: There are as many positions as heads. They are those of the tokens: `attn_scores.shape[-1]`.
    attn_scores.shape[-1] -> len(slopes)
slopes-on-keys: The slopes go along the keys. There is one for each head: give them two axes, `slopes[:, None, None]`.
    slopes[:, None, None] -> slopes
slopes-on-texts: The slopes go along the texts. Heads are another axis: `slopes[:, None, None]`.
    slopes[:, None, None] -> slopes[:, None, None, None]
slopes-on-queries: The slopes go along the queries. Heads are another axis: `slopes[:, None, None]`.
    slopes[:, None, None] -> slopes[:, None]
one-slope: All heads have one slope. Each has its own: `slopes[:, None, None]`.
    slopes[:, None, None] -> slopes.sum()
own-slopes: The slopes are made anew, and those handed in are not used. Take the argument: `slopes[:, None, None]`.
    slopes[:, None, None] -> (2.0 ** (-8 * torch.arange(1, len(slopes) + 1) / len(slopes)))[:, None, None]
range-for-arange: Python's `range` is no tensor, and knows neither `[:, None]` nor minus. Take `torch.arange(…)`.
    torch.arange( -> range(
power: The slopes are used as exponents. They come ready made: multiply them by the distance.
    slopes[:, None, None] * distance -> 2.0 ** -slopes[:, None, None] * distance
outer: `torch.outer` takes two vectors, and the distances are a table: `slopes[:, None, None]`.
    slopes[:, None, None] * distance -> torch.outer(slopes, distance)
mask-unasked: Later keys are hidden as well. The mask is not asked for here: penalty and mask are two things.
    return attn_scores - slopes[…] * distance -> return hidden(attn_scores - slopes[:, None, None] * distance)
mask-unasked: Where a key comes later, your scores are 0. All keep theirs, less the penalty: no `tril`.
    return attn_scores - slopes[…] * distance -> return (attn_scores - slopes[:, None, None] * distance).tril()
heads-from-batch: As many heads are changed as there are texts. Heads are on axis 1: count to `attn_scores.shape[1]`.
    slopes[:, None, None] -> torch.zeros_like(slopes).index_copy(0, torch.arange(len(attn_scores)),
        slopes[torch.arange(len(attn_scores))])[:, None, None]
first-head-changed: Only the first head has a penalty. Each has its own slope: no `return` in the loop.
    slopes[:, None, None] -> (slopes * (torch.arange(len(slopes)) == 0))[:, None, None]
"""

HINTS = (gradient_flows_to_the_first,)
exercise = Exercise(alibi_solution, cases, MISTAKES, outputs=("attn_scores",), hints=HINTS)
