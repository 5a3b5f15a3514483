"""`my_text_loss(logits, ids)`: how badly a model foresaw a text."""

from numbers import Real

import torch
import torch.nn.functional as F

from course_utils.checks.exercise import Exercise, Unasked


def text_loss_solution(logits, ids):
    log_shares = F.log_softmax(logits[:-1], dim=-1)  # (num_tokens - 1, vocab_size)
    return -log_shares[torch.arange(len(ids) - 1), ids[1:]].mean()


def cases(draw):
    yield "5 tokens of 8", 2 * draw(5, 8), torch.tensor([3, 0, 7, 2, 5])
    yield "as many tokens as the vocabulary has", 3 * draw(6, 6), torch.tensor([4, 1, 5, 0, 2, 3])
    yield "two tokens", draw(2, 9), torch.tensor([8, 1])
    yield "a text of one token again and again", 2 * draw(7, 4), torch.full((7,), 2)
    yield "30 tokens of 5", 2 * draw(30, 5), torch.arange(30) * 7 % 5
    yield "scores near 1000", 1000 + 4 * draw(6, 10), torch.tensor([9, 4, 4, 0, 6, 1])
    yield "400 tokens of 50", 2 * draw(400, 50), torch.arange(400) * 7 % 50
    yield "no probability tells two tokens apart", torch.zeros(4, 16), torch.tensor([3, 9, 0, 15])
    yield Unasked("a token that came with a probability of nearly 0"), draw(4, 6) * 200, torch.tensor([5, 1, 0, 2])


def as_number(answer, logits, ids):
    """Call an answer with logits and ids; return its result, as a float64 tensor if it is a number of Python or NumPy.

    Anything else is returned as it is.
    """
    loss = answer(logits, ids)
    return torch.tensor(loss, dtype=torch.float64) if isinstance(loss, Real) else loss


MISTAKES = """
no-shift: A row is read at its own token, which it has seen. Row i predicts token i + 1: `logits[:-1]` with `ids[1:]`.
    logits[:-1] -> logits
    torch.arange(len(ids) - 1), ids[1:] -> torch.arange(len(ids)), ids
    or
    ids[1:] -> ids[:-1]
    or
    logits[:-1] -> logits[1:]
shift-backwards: You ask each row for the token before its own. Row i predicts the next: `logits[:-1]` with `ids[1:]`.
    logits[:-1] -> logits[1:]
    ids[1:] -> ids[:-1]
wraps-round: Your last row predicts the first token. Nothing there comes after it (`[-1]` is the last): leave it out.
    logits[:-1] -> logits
    torch.arange(len(ids) - 1), ids[1:] -> torch.arange(len(ids)), ids.roll(-1)
divided-by-all: You divide by all tokens. Nobody foresaw the first: divide by one less, `len(ids) - 1`.
    .mean() -> .sum() / len(ids)
no-mean: The tokens are added up, so a long text looks worse. Take their mean.
    .mean() -> .sum()
row-of-each: One number for each token came back. One for the text is asked for: take the mean.
    .mean() ->
other-base: This logarithm has another base, 2 or 10. The natural one is `torch.log`, or `math.log`.
    F.log_softmax(…) -> torch.softmax(logits[:-1], dim=-1).log2()
    or
    F.log_softmax(…) -> torch.softmax(logits[:-1], dim=-1).log10()
softmax-axis: Your softmax runs down the columns. The vocabulary lies along the last axis: `dim=-1`.
    dim=-1 -> dim=0
softmax-all: One softmax covers the whole table. Each row has its own: `dim=-1`.
    F.log_softmax(logits[:-1], dim=-1) -> F.log_softmax(logits[:-1].flatten(), dim=0).view_as(logits[:-1])
no-softmax: These are the scores themselves. Make probabilities of them first: `F.log_softmax(…, dim=-1)`.
    F.log_softmax(logits[:-1], dim=-1) -> logits[:-1]
log-of-scores: You took the logarithm of the scores; some are below 0. Make probabilities first: `F.log_softmax`.
    F.log_softmax(logits[:-1], dim=-1) -> logits[:-1].log()
softmax-twice: Softmax is taken twice: `F.cross_entropy` and `F.log_softmax` take scores, and do it themselves.
    F.log_softmax(logits[:-1], dim=-1) -> F.log_softmax(torch.softmax(logits[:-1], dim=-1), dim=-1)
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. `F.log_softmax` subtracts the largest first.
    F.log_softmax(logits[:-1], dim=-1) -> (logits[:-1].exp() / logits[:-1].exp().sum(dim=-1, keepdim=True)).log()
no-log: You averaged the probabilities. Asked for is minus the logarithm of each (`F.nll_loss` does not take it).
    -log_shares -> log_shares.exp()
    or
    -log_shares -> -log_shares.exp()
    or
    -log_shares -> 1 - log_shares.exp()
log-of-mean: The logarithm comes after the mean. Take it of each probability, and then the mean.
    -log_shares[…].mean() -> -log_shares.exp()[…].mean().log()
exponential: You returned *e* to the power of the loss, called perplexity. Leave the last `exp` out.
    -log_shares[…].mean() -> (-log_shares[…].mean()).exp()
product-underflows: The product of many probabilities is too small a number, and becomes 0. Add up their logarithms.
    -log_shares[…].mean() -> -log_shares.exp()[…].prod().log() / (len(ids) - 1)
    or
    return -log_shares[…].mean() -> import math ⏎
        return -math.log(math.prod(log_shares.exp()[…].tolist())) / (len(ids) - 1)
rows-of-tokens: Your rows are counted by token, as if each token had one. Row i belongs to place i: `torch.arange(…)`.
    torch.arange(len(ids) - 1) -> ids[:-1]
    or
    logits[:-1] -> logits
    torch.arange(len(ids) - 1) -> ids[:-1]
every-pair: Each row is read at all tokens of the text. Pair row and token: `log_shares[torch.arange(…), ids[1:]]`.
    [torch.arange(len(ids) - 1), ids[1:]] -> [:, ids[1:]]
all-averaged: You averaged the whole vocabulary. Of each row, one token counts: the one that came.
    -log_shares[…].mean() -> -log_shares.mean()
likeliest: You read the probability of the likeliest token. Asked for is that of the token which came: `ids[1:]`.
    -log_shares[…].mean() -> -log_shares.amax(dim=-1).mean()
entropy: This says how sure the model was, whatever came (the entropy). Read that of the one that came: `ids[1:]`.
    -log_shares[…].mean() -> -(log_shares.exp() * log_shares).sum(dim=-1).mean()
hits-counted: You counted how often the likeliest token came, or did not. Asked for are their probabilities.
    -log_shares[…].mean() -> (log_shares.argmax(dim=-1) != ids[1:]).float().mean()
    or
    -log_shares[…].mean() -> (log_shares.argmax(dim=-1) == ids[1:]).float().mean()
first-only: Only token 1 counts. Add up over all of them, and `return` below the loop.
    .mean() -> [0]
last-only: Only the last token counts: `=` in a loop begins anew. Add up, `+=`, and divide below the loop.
    .mean() -> [-1] / (len(ids) - 1)
    or
    .mean() -> [-1]
second-missing: Token 1 is left out. Row 0 foresaw it: begin there.
    torch.arange(len(ids) - 1), ids[1:]].mean() -> torch.arange(1, len(ids) - 1), ids[2:]].sum() / (len(ids) - 1)
    or
    torch.arange(len(ids) - 1), ids[1:]] -> torch.arange(1, len(ids) - 1), ids[2:]]
last-missing: The last token is left out. The row before it foresaw it: go on to the end.
    torch.arange(len(ids) - 1), ids[1:]].mean() -> torch.arange(len(ids) - 2), ids[1:-1]].sum() / (len(ids) - 1)
    or
    torch.arange(len(ids) - 1), ids[1:]] -> torch.arange(len(ids) - 2), ids[1:-1]]
"""

exercise = Exercise(text_loss_solution, cases, MISTAKES, outputs=("loss",), observe=as_number)
