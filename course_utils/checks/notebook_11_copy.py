"""The repair of notebook 11, case 9: weights copied out of PyTorch's layer, with query and key exchanged."""

import torch
from torch import nn

from .. import attention
from . import steps
from .behaviours import repeats
from .legacy import Exercise
from .notebook_08 import copy_cases, filled, made

notebook_weight = torch.full((3, 3), 0.25)  # what a notebook leaves lying about
NAMES = ("W_query", "W_key", "W_value")


def copied_in_order(order=NAMES, tensor="weight", cut=lambda stacked: stacked.chunk(3)):
    """A line that hands the three parts of in_proj_… to the layers named in `order`."""

    def line(ours, theirs):
        parts = cut(getattr(theirs, f"in_proj_{tensor}"))
        for name, part in zip(order, parts, strict=False):
            getattr(getattr(ours, name), tensor).copy_(part)

    return line


def copied_out(ours, theirs):
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict())


WEIGHTS, BIASES = copied_in_order(), copied_in_order(tensor="bias")


def adopting(weight=WEIGHTS, bias=BIASES, out=copied_out):
    """An answer with one of its lines replaced; each line takes (ours, theirs)."""

    def answer(ours, theirs):
        with torch.no_grad():
            for line in (weight, bias, out):
                line(ours, theirs)

    return answer


def two_modules(width, num_heads, weights):
    """Ours, with other numbers in it, and PyTorch's, trained: its biases are not zero."""
    ours = made(attention.MultiHeadAttention, width, width, num_heads, qkv_bias=True)
    theirs = made(nn.MultiheadAttention, width, num_heads, batch_first=True)
    with torch.no_grad():
        for parameter in ours.parameters():
            parameter.fill_(0.5)
    return ours.eval(), filled(theirs, weights, 0.5)


def observe(answer, width, num_heads, inputs, weights):
    ours, theirs = two_modules(width, num_heads, weights)
    answer(ours, theirs)
    return ours(inputs)


def is_a_copy(exercise, answer):
    """Every number has arrived, ours can be trained, theirs is as it was, and they share no memory."""
    width, num_heads, _, weights = exercise.cases()[0].args
    ours, theirs = two_modules(width, num_heads, weights)
    before = [parameter.detach().clone() for parameter in theirs.parameters()]
    answer(ours, theirs)
    if not all(map(torch.equal, theirs.parameters(), before)):
        yield "input-changed", "Your code changes the weights of `theirs`. Read from `theirs`, write into `ours`."
    if not torch.equal(ours.W_key.bias, theirs.in_proj_bias[width : 2 * width]):
        yield (
            "key-bias-forgotten",
            "The bias of the keys has not arrived. It adds the same to all scores of a row, so no output shows it. "
            "Copy it all the same.",
        )
    if not all(parameter.requires_grad for parameter in ours.parameters()):
        yield "frozen", "`ours` can no longer be trained: leave `requires_grad` as it was."
    memory = {parameter.untyped_storage().data_ptr() for parameter in theirs.parameters()}
    if memory & {parameter.untyped_storage().data_ptr() for parameter in ours.parameters()}:
        yield (
            "shared-memory",
            "The two modules share memory: train one, and the other changes too. Write the numbers into the layers' "
            "own parameters with `copy_`.",
        )


adopt = Exercise(
    "adopt", adopting(), copy_cases, outputs=("context_vecs", "attn_weights"), observe=observe, rows="attn_weights",
    behaviours=(is_a_copy, repeats), make=adopting,
)  # fmt: skip
QK, QV, KV = ("W_key", "W_query", "W_value"), ("W_value", "W_key", "W_query"), ("W_query", "W_value", "W_key")


def nothing(ours, theirs):
    """Leaves out one line."""


adopt.wrong_steps({
    "bias-swapped": (
        "Halfway: the weights are in their places, and the biases of query and key are still exchanged. In a fresh "
        "layer all biases are 0, so nothing shows it there.",
        "bias", copied_in_order(QK, "bias"),
    ),
    "bias-forgotten": (
        "The biases of queries, keys and values are not copied. In a fresh layer they are 0; in a trained one they are "
        "not. They lie in `in_proj_bias`.",
        "bias", nothing,
    ),
    "weight-swapped": (
        "Halfway: the biases are in their places, and the weights of query and key are still exchanged.",
        "weight", copied_in_order(QK),
    ),
    "qv-swapped": (
        "The weights of query and value have changed places. From the top: queries, keys, values.",
        "weight", copied_in_order(QV),
    ),
    "kv-swapped": (
        "The weights of key and value have changed places. From the top: queries, keys, values.",
        "weight", copied_in_order(KV),
    ),
    "chunk-axis": (
        "You cut the stacked weight across its columns. It is `(3 * width, width)`: cut its rows, `chunk(3, dim=0)`.",
        "weight", copied_in_order(cut=lambda stacked: stacked.transpose(0, 1).reshape(stacked.shape).chunk(3)),
    ),
    "linear-layout": (
        "The weights are transposed on the way. Both sides store `(d_out, d_in)`: copy them as they are.",
        "weight", copied_in_order(cut=lambda stacked: [part.transpose(0, 1) for part in stacked.chunk(3)]),
    ),
    "rows-interleaved": (
        "You took every third row. The queries' rows stand together, then the keys', then the values'.",
        "weight", copied_in_order(cut=lambda stacked: [stacked[i::3] for i in range(3)]),
    ),
    "values-forgotten": (
        "`W_value` keeps its old weights: the third part is not copied.",
        "weight", copied_in_order(NAMES[:2]),
    ),
    "out-proj-forgotten": (
        "`out_proj` keeps its old numbers. It has a weight and a bias to copy as well.", "out", nothing,
    ),
    "out-bias-forgotten": (
        "The bias of `out_proj` is not copied.",
        "out", lambda ours, theirs: ours.out_proj.weight.copy_(theirs.out_proj.weight),
    ),
    "out-weight-turned": (
        "The weight of `out_proj` is transposed on the way: copy it as it is.",
        "out", lambda ours, theirs: (
            ours.out_proj.load_state_dict(theirs.out_proj.state_dict()),
            ours.out_proj.weight.copy_(theirs.out_proj.weight.transpose(0, 1)),
        ),
    ),
})  # fmt: skip
adopt.mistake(
    "qk-swapped",
    "This is the bug as it was: query and key have changed places, weights and biases. In `in_proj_weight` the rows "
    "for queries stand first, then keys, then values.",
)(adopting(copied_in_order(QK), copied_in_order(QK, "bias")))


@adopt.mistake(
    "key-bias-forgotten",
    "The bias of the keys has not arrived. It adds the same to all scores of a row, so no output shows it.",
)
def _(ours, theirs):
    kept = ours.W_key.bias.detach().clone()
    adopting()(ours, theirs)
    with torch.no_grad():
        ours.W_key.bias.copy_(kept)


@adopt.mistake(
    "no-grad-missing",
    "PyTorch refuses to write into a parameter while it keeps notes for training. Put the lines under `with "
    "torch.no_grad():`.",
)
def _(ours, theirs):
    copied_in_order()(ours, theirs)


@adopt.mistake("shared-memory", "The two modules share memory: train one, and the other changes too.")
def _(ours, theirs):
    adopting()(ours, theirs)
    for name, part in zip(NAMES, theirs.in_proj_weight.data.chunk(3), strict=True):
        getattr(ours, name).weight.data = part


@adopt.mistake("wrong-direction", "Your code writes into `theirs`. Read from `theirs`, write into `ours`.")
def _(ours, theirs):
    with torch.no_grad():
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.in_proj_weight.copy_(torch.cat([getattr(ours, name).weight for name in NAMES]))


@adopt.mistake("frozen", "`ours` can no longer be trained: leave `requires_grad` as it was.")
def _(ours, theirs):
    adopting()(ours.requires_grad_(False), theirs)


@adopt.mistake("global-leak", steps.LEAK)
def _(ours, theirs):
    adopting(lambda ours, theirs: ours.W_key.weight.fill_(notebook_weight[0, 0]))(ours, theirs)
