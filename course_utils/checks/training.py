"""Check a module with dropout on its weights in training mode: which weights it drops, and which it applies."""

import torch
from torch import nn

from . import outcome

TIMES = 24  # calls in training mode: enough cells to estimate the share that is dropped
NOT_DROPPED = (
    "While training, nothing is dropped: call `self.dropout` on the weights after softmax, and go on with its result."
)
DROPPED_OUTPUT = (
    "While training, the weights come back whole, and only the context vectors change. Call dropout on the weights, "
    "before they are applied, and return those."
)
DROPPED_SCORES = (
    "While training, the rows still add up to 1: dropout falls on what comes before softmax, where a 0 is a score like "
    "any other, or the rows are shared out anew after it. Call it on the weights, after softmax, and leave them so."
)
DROPPED_SCORES_NAN = (
    "While training, there is `nan` among the weights: dropout falls on the scores after they were hidden, and 0 times "
    "infinity is not a number. Call it on the weights, after softmax."
)
SHARED_OUT_AGAIN = (
    "While training, the rows are divided by their sums again, after dropout: a row that lost all is 0 / 0. Leave the "
    "weights as `self.dropout` gave them."
)
NOT_RESCALED = (
    "The weights that were not dropped keep their size. `nn.Dropout` divides them by `1 - dropout`: use it as it is."
)


def drops_weights(exercise, answer: type):
    """Yield at most one (mistake id, message) if, in training mode, the answer's dropout does not act on the weights.

    It must drop weights, scale the others, and apply those. The answer's instances return (context vectors, weights).
    The ids are "dropout-" and one of missing, on-output, before-softmax, no-rescale, rate, not-applied.
    """
    sizes, inputs, rate = _with_dropout(exercise)
    model = exercise.instance(answer, sizes)
    steady_vecs, steady = model(*inputs)
    model.train()
    vecs, dropped = map(torch.stack, zip(*(model(*inputs) for _ in range(TIMES)), strict=True))
    open_cells = (steady > 0).expand_as(dropped)
    survivors = (dropped / steady)[(dropped != 0) & open_cells]
    share = (dropped == 0)[open_cells].float().mean()
    if not torch.isfinite(dropped).all():
        lost_and_kept = ((dropped == 0) & open_cells).any(dim=-1) & dropped.isfinite().all(dim=-1)
        yield "dropout-before-softmax", SHARED_OUT_AGAIN if lost_and_kept.any() else DROPPED_SCORES_NAN
    elif torch.allclose(dropped, steady.expand_as(dropped)):
        unchanged = torch.allclose(vecs, steady_vecs.expand_as(vecs), atol=1e-6)
        yield ("dropout-missing", NOT_DROPPED) if unchanged else ("dropout-on-output", DROPPED_OUTPUT)
    elif torch.allclose(dropped.sum(dim=-1), torch.ones(())):
        yield "dropout-before-softmax", DROPPED_SCORES
    elif torch.allclose(survivors, torch.ones(())):
        yield "dropout-no-rescale", NOT_RESCALED
    elif not torch.allclose(survivors, torch.tensor(1 / (1 - rate)), rtol=1e-3) or abs(share - rate) > 0.15:
        yield "dropout-rate", "Another share is dropped than asked for: `nn.Dropout(dropout)`, with the argument."
    elif not all(outcome.close(*pair) for pair in zip(vecs, _mixed(exercise, sizes, inputs, dropped), strict=True)):
        yield (
            "dropout-not-applied",
            "While training, the context vectors are not made with the weights that come back. Drop once, mix with "
            "those weights, return those, and drop nothing else.",
        )


def _with_dropout(exercise) -> tuple:
    """Return (sizes, inputs, rate) of the first Case with dropout: the arguments of the class, and of its instance."""
    for case in exercise.cases():
        sizes, *inputs = case.args
        rates = [part.p for part in exercise.solution(*sizes).modules() if isinstance(part, nn.Dropout)]
        if rates and rates[0] > 0:
            return sizes, inputs, rates[0]
    raise LookupError(f"no input of {exercise.name} has a dropout above 0.")


def _mixed(exercise, sizes: tuple, inputs: list, dropped: torch.Tensor):
    """Yield the context vectors, (..., tokens, d_out), of each of `dropped`, (calls, ..., queries, keys)."""
    model = exercise.instance(exercise.solution, sizes)
    for attn_weights in dropped:
        model.dropout.forward = lambda _, given=attn_weights: given
        yield model(*inputs)[0]
