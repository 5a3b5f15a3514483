"""The exercise of notebook 04 that asks for a class: one causal head, with dropout on its weights."""

import torch
from torch import nn

from .. import attention
from . import steps
from .draw import Draw
from .legacy import BEHAVIOURS, ModuleExercise
from .modules import keeps_its_mask
from .notebook_03_head import layers_from, queries_keys_values
from .notebook_04 import DIAGONAL_HIDDEN, LOWER, ONE_AHEAD
from .notebook_04_weights import HIDE, hidden

RATE = 0.3  # neither one half nor its own complement, so that a mistaken rate shows


def refuse_longer(x, mask):
    if x.shape[-2] > len(mask):
        raise ValueError(f"{x.shape[-2]} tokens are more than context_length = {len(mask)}.")


def cut(mask, num_tokens):
    return mask[:num_tokens, :num_tokens]


def head(
    score=steps.scaled_scores,
    hide=hidden,
    normalise=steps.row_softmax,
    mix=steps.mix,
    refuse=refuse_longer,
    slice_mask=cut,
):
    """A class with some steps of its forward replaced."""

    class Head(nn.Module):
        def __init__(self, d_in, d_out, context_length, dropout):
            super().__init__()
            layers_from(self, d_in, d_out)
            self.dropout = nn.Dropout(dropout)
            self.register_buffer("mask", attention.causal_mask(context_length))

        def forward(self, x):
            refuse(x, self.mask)
            queries, keys, values = queries_keys_values(self, x)
            attn_scores = hide(score(queries, keys), slice_mask(self.mask, x.shape[-2]))
            attn_weights = self.dropout(normalise(attn_scores))
            return mix(attn_weights, queries, keys, values), attn_weights

    return Head


def head_cases(draw):
    yield "4 tokens of at most 7, 3 wide to 2", (3, 2, 7, 0.5), draw(4, 3)
    yield "2 texts of 5 tokens, which is the most, 4 wide to 6", (4, 6, 5, 0.0), draw(2, 5, 4) * 0.5
    yield "3 texts of 4 tokens, 4 wide to 4", (4, 4, 6, 0.0), draw(3, 4, 4) * 0.5
    yield "two batch axes, (2, 3, 4, 5)", (5, 2, 8, 0.0), draw(2, 3, 4, 5) * 0.5
    yield "a batch of one, a single token", (3, 4, 5, 0.0), draw(1, 1, 3)
    yield "a context of one token", (3, 2, 1, 0.0), draw(2, 1, 3)
    yield "large inputs", (3, 5, 6, 0.0), draw(4, 3) * 20
    yield "more tokens than context_length", (3, 2, 4, 0.0), draw(2, 5, 3)
    yield "float64", (3, 4, 7, 0.5), draw(2, 5, 3, dtype=torch.float64)


def drops_weights(exercise, answer):
    """In training, some of the returned weights are 0, the others larger by 1 / (1 - p), and they are those applied."""
    model, x = exercise.built(answer, (3, 5, 16, RATE)), Draw(seed=5)(14, 3)
    (steady_vecs, steady), (vecs, dropped) = model(x), model.train()(x)
    open_cells = steady > 0
    zeros = (dropped == 0)[open_cells].float().mean()
    survivors = (dropped / steady)[(dropped != 0) & open_cells]
    if torch.allclose(dropped, steady):
        yield from _not_in_the_weights(vecs, steady_vecs)
    elif torch.allclose(dropped.sum(dim=-1), torch.ones(())):
        yield (
            "dropout-before-softmax",
            "While training, the rows still add up to 1: dropout falls on the scores, where a 0 is an ordinary score. "
            "Call it on the weights, after softmax.",
        )
    elif torch.allclose(survivors, torch.ones(())):
        yield (
            "dropout-no-rescale",
            "The weights that were not dropped keep their size. `nn.Dropout` divides them by `1 - dropout`: use it as "
            "it is.",
        )
    elif not torch.allclose(survivors, torch.tensor(1 / (1 - RATE))) or not 0.1 < zeros < 0.5:
        yield "dropout-rate", "Another share is dropped than asked for: `nn.Dropout(dropout)`, with the argument."
    elif not torch.allclose(vecs, dropped @ model.W_value(x), atol=1e-5):
        yield "dropout-not-applied", "The weights that come back are not those that were applied: drop once, then mix."


def _not_in_the_weights(vecs, steady_vecs):
    if torch.allclose(vecs, steady_vecs):
        yield "dropout-missing", "While training, nothing is dropped: call `self.dropout` on the weights after softmax."
    else:
        yield (
            "dropout-on-output",
            "While training, the weights come back whole, and only the context vectors change. Call dropout on the "
            "weights, before they are applied, and return those.",
        )


causal_attention = ModuleExercise(
    "causal_attention", attention.CausalAttention, head_cases, outputs=("context_vecs", "attn_weights"),
    rows="attn_weights", stub="MyCausalAttention", make=head, behaviours=(*BEHAVIOURS, drops_weights, keeps_its_mask),
)  # fmt: skip
causal_attention.wrong_steps(steps.SOFTMAX)
causal_attention.wrong_steps(steps.STABLE, "naive-overflow")
causal_attention.wrong_steps(steps.SCORES)
causal_attention.wrong_steps(steps.SCALE)
causal_attention.wrong_steps(steps.MIX)
causal_attention.wrong_steps(HIDE)
causal_attention.wrong_steps(
    {
        "mask-lower": (LOWER, "hide", lambda scores, mask: hidden(scores, mask.transpose(0, 1))),
        "mask-off-by-one": (DIAGONAL_HIDDEN, "hide", lambda scores, mask: hidden(scores, mask.tril(-1))),
        "mask-not-sliced": (
            "The mask is made for `context_length` tokens, and a shorter text does not fit it. Cut it on both axes: "
            "`[:num_tokens, :num_tokens]`.",
            "slice_mask",
            lambda mask, num_tokens: mask,
        ),
        "no-length-check": (
            "A text longer than `context_length` gets no `ValueError` of yours. Compare `x.shape[-2]` with "
            "`context_length` at the start of `forward`, and `raise`.",
            "refuse",
            lambda x, mask: None,
        ),
        "length-off-by-one": (
            "A text of exactly `context_length` tokens is refused. It fits: your condition should be `>`, not `>=`.",
            "refuse",
            lambda x, mask: refuse_longer(x, mask[1:]),
        ),
    }
)
causal_attention.wrong_steps(
    {"mask-off-by-one": (ONE_AHEAD, "hide", lambda scores, mask: hidden(scores, mask | ~(~mask).triu(2)))}
)
