"""`my_token_shares(logits, temperature, top_k)`: the shares by which a language model's next token is drawn."""

import torch
import torch.nn.functional as F

from course_utils import attention
from course_utils.checks.exercise import Exercise


def token_shares_solution(logits, temperature, top_k):
    order = torch.sort(logits, descending=True, stable=True).indices  # (vocab_size,), the largest score first
    if temperature == 0:
        return F.one_hot(order[0], len(logits)).to(logits.dtype)
    scores = torch.full_like(logits, -torch.inf)
    kept = order[:top_k]  # all of them if top_k is None
    scores[kept] = (logits[kept] - logits.max()) / temperature
    return attention.softmax(scores)


def cases(draw):
    yield "7 tokens, temperature 0.7, the best 3", draw(7), 0.7, 3
    yield "temperature 2, no `top_k`", draw(9), 2.0, None
    yield "temperature 1, the best 2", 4 * draw(40), 1.0, 2
    yield "temperature 0, the best 3", draw(8), 0, 3
    yield "temperature 0, no `top_k`", draw(8), 0.0, None
    yield "temperature 0.0001, scores near 30", 30 + draw(9), 0.0001, None
    yield "temperature 0.0001, two equal scores", torch.tensor([1.0, 3.0, 0.5, 3.0]), 0.0001, None
    yield "temperature 0.5, `top_k` 100 of 6 tokens", draw(6), 0.5, 100
    yield "all scores below 0", draw(6) - 50, 1.5, 4
    yield "equal scores where `top_k` cuts", torch.tensor([0.5, 2.0, 1.0, -1.0, 1.0, 1.0, 0.0, 1.0]), 1.5, 3
    yield "equal scores at temperature 0", torch.tensor([0.5, 2.0, -1.0, 2.0, 1.0, 2.0]), 0, None
    yield "40 equal scores, the best 5", torch.zeros(40), 1.0, 5
    yield "the best 1", draw(6), 0.8, 1


MISTAKES = """
ties-kept: Of equal scores where `top_k` cuts, all stay: you compare with the smallest score kept. Keep places, the
    first `top_k` of a stable sort.
    kept = order[:top_k] -> kept = logits >= logits[order[:top_k][-1]]
sort-unstable: Without `stable=True`, sorting promises no order among equal scores. Of them, the first should stay.
    , stable=True ->
topk-ties: `torch.topk` promises no order among equal scores, and the first counts as the larger. Sort instead:
    `torch.sort(logits, descending=True, stable=True)`.
    kept = order[:top_k] -> kept = torch.topk(logits, min(top_k or len(logits), len(logits))).indices
looked-up-again: Of equal scores, you find the first again and again. Keep places, and not scores: a stable sort's
    `.indices`.
    kept = order[:top_k] -> kept = [logits.tolist().index(score) for score in logits[order[:top_k]].tolist()]
topk-none: `None` means all of them, and is no number: ask for it first. (A slice, `[:top_k]`, takes it as it is.)
    kept = order[:top_k] -> kept = torch.topk(logits, top_k).indices
    or
    kept = order[:top_k] -> kept = order[: min(top_k, len(logits))]
    or
    kept = order[:top_k] -> kept = order[: min(len(logits), top_k)]
topk-beyond: `top_k` may be larger than the vocabulary, and `torch.topk` stops there: `min(top_k, len(logits))`.
    kept = order[:top_k] -> kept = torch.topk(logits, len(logits) if top_k is None else top_k).indices
last-of-equal: Of equal scores, your last one counts as the larger. The first should: `descending=True, stable=True`.
    torch.sort(…).indices -> torch.argsort(logits, stable=True).flip(0)
    or
    kept = order[:top_k] -> kept = torch.argsort(logits, stable=True).flip(0)[:top_k]
    or
    order[0] -> torch.argsort(logits, stable=True)[-1]
zero-ties-shared: Equal scores each get a part at temperature 0. The first of the largest gets all: `logits.argmax()`.
    F.one_hot(…).to(logits.dtype) -> (logits == logits.max()) / (logits == logits.max()).sum()
zero-ties-all: At temperature 0, each of several equal scores gets 1. The first of them gets it: `logits.argmax()`.
    F.one_hot(…).to(logits.dtype) -> (logits == logits.max()).to(logits.dtype)
zero-divided: At temperature 0 you divide by 0. Ask for it first: there the largest score gets everything.
    if temperature == 0: -> if False:
zero-as-one: Temperature 0 counts as 1 with you: all that are kept get a probability. There the largest gets everything.
    if temperature == 0: -> if False:
    / temperature -> / (temperature or 1)
zero-shared-by-all: At temperature 0, all that `top_k` keeps share alike. The largest score alone gets everything.
    F.one_hot(order[0], len(logits)).to(logits.dtype) ->
        F.one_hot(order[:top_k], len(logits)).to(logits.dtype).mean(dim=0)
whole-numbers: At temperature 0, your probabilities are whole numbers. The others are floats: `.to(logits.dtype)`.
    .to(logits.dtype) ->
place-returned: At temperature 0, the index of the largest score came back. The probabilities are asked for, a 1 there.
    F.one_hot(…).to(logits.dtype) -> order[0]
small-as-zero: You treat small temperatures as 0. At 0.0001, two equal scores still share: compare with `== 0`.
    temperature == 0 -> temperature < 0.01
naive-overflow: Your probabilities are `nan` at a small temperature: `torch.exp` overflows, or all powers are 0. Take
    the softmax of `(logits - logits.max()) / temperature`.
    attention.softmax(scores) -> torch.exp(scores) / torch.exp(scores).sum()
    - logits.max() ->
    or
    / temperature ->
    attention.softmax(scores) -> attention.softmax(scores) ** (1 / temperature)
        / (attention.softmax(scores) ** (1 / temperature)).sum()
not-divided-again: The other tokens get 0, and what is left adds up to less than 1. Take the softmax of the kept scores.
    kept = order[:top_k] -> kept = order
    return attention.softmax(scores) -> shares = attention.softmax(scores)
        ⏎ shares[order[len(logits) if top_k is None else top_k :]] = 0 ⏎ return shares
filled-with-0: The scores left out are 0, and exp(0) is 1: they get a probability. Fill with `-torch.inf`.
    torch.full_like(logits, -torch.inf) -> torch.zeros_like(logits)
    - logits.max() ->
    or
    torch.full_like(logits, -torch.inf) -> torch.zeros_like(logits)
largest-left-out: The largest scores are left out, and the others get the probabilities. It is the other way round.
    kept = order[:top_k] -> kept = order[top_k:]
    attention.softmax(scores) -> torch.softmax(scores, dim=-1)
    or
    kept = order[:top_k] -> kept = order[len(logits) if top_k is None else top_k :]
    attention.softmax(scores) -> torch.softmax(scores, dim=-1)
smallest-kept: The smallest scores stay. The largest are asked for: `descending=True`.
    kept = order[:top_k] -> kept = torch.sort(logits, stable=True).indices[:top_k]
    or
    descending=True -> descending=False
first-places: The first `top_k` tokens of the vocabulary stay, whatever their scores. Sort the scores first.
    kept = order[:top_k] -> kept = torch.arange(len(logits))[:top_k]
top-k-ignored: All tokens get a probability, whatever `top_k` says. Give the others a score of minus infinity.
    kept = order[:top_k] -> kept = order
one-too-few: One token too few gets a probability. `order[:top_k]` takes `top_k` of them; or compare with `>=`.
    kept = order[:top_k] -> kept = order if top_k is None else order[: top_k - 1]
    attention.softmax(scores) -> torch.softmax(scores, dim=-1)
one-too-many: One token too many gets a probability. `order[:top_k]` takes `top_k` of them.
    kept = order[:top_k] -> kept = order if top_k is None else order[: top_k + 1]
order-of-scores: Your probabilities stand in the order of the scores. Put each at its token: `scores[kept] = …`.
    scores[kept] = -> scores[: len(kept)] =
    or
    scores[kept] = -> scores[: len(kept)] =
    order[0] -> torch.tensor(0)
kept-alone: The probabilities of the kept tokens alone came back. All tokens have one; the others get 0.
    attention.softmax(scores) -> attention.softmax(scores[kept])
    or
    return attention.softmax(scores) -> return attention.softmax(scores if top_k is None else scores[kept])
bare-sum: The scores are divided by their bare sum, so probabilities can be negative. Take the softmax of those kept.
    scores[kept] = …return attention.softmax(scores) ->
        scores = torch.zeros_like(logits) ⏎ scores[kept] = logits[kept] ⏎ return scores / scores.sum()
no-scale: The temperature changes nothing. Divide the scores by it, before softmax.
    / temperature ->
scale-inverted: A high temperature makes your probabilities sharper, not more even. Divide the scores: `/ temperature`.
    / temperature -> * temperature
scale-after: The temperature falls on the probabilities: their sum is no longer 1. Divide the scores, before softmax.
    / temperature ->
    attention.softmax(scores) -> attention.softmax(scores) / temperature
powers: You raised the probabilities to a power, and their sum is no longer 1. Divide the scores, before softmax.
    / temperature ->
    attention.softmax(scores) -> attention.softmax(scores) ** (1 / temperature)
"""

exercise = Exercise(token_shares_solution, cases, MISTAKES, outputs=("shares",))
