"""Exercises of notebook 03: scores from inputs and two matrices, and filling an nn.Linear."""

import torch
from torch import nn

from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise

notebook_matrix = torch.tensor([[0.2961, 0.5166], [0.2517, 0.6886], [0.0740, 0.8665]])  # lies about in the notebook
d_out = 2

# ---- qk_scores: scaled scores from inputs and two matrices


def qk(score=steps.scaled_scores):
    return lambda inputs, W_query, W_key: score(inputs @ W_query, inputs @ W_key)


def qk_cases(draw):
    yield "2 texts of 4 tokens, 5 wide to 3", draw(2, 4, 5), draw(5, 3), draw(5, 3)
    yield "3 texts of 5 tokens, 2 wide to 6", draw(3, 5, 2), draw(2, 6), draw(2, 6)
    yield "as many tokens as numbers", draw(2, 4, 4) * 0.5, draw(4, 4), draw(4, 4)
    yield "a batch of one, a single token", draw(1, 1, 3), draw(3, 2), draw(3, 2)
    yield "float64", *(draw(*shape, dtype=torch.float64) for shape in ((2, 3, 4), (4, 2), (4, 2)))


qk_scores = Exercise("qk_scores", qk(), qk_cases, outputs=("scores",), behaviours=(gradient_flows, repeats), make=qk)
qk_scores.wrong_steps(steps.SCORES)
qk_scores.wrong_steps(steps.SCALE)


@qk_scores.mistake("scale-model", steps.SCALE_MODEL)
def _(inputs, W_query, W_key):
    return qk(steps.raw_scores)(inputs, W_query, W_key) / inputs.shape[-1] ** 0.5


@qk_scores.mistake(
    "unprojected",
    "The inputs meet each other, and the matrices are not used: make `queries` and `keys` with them first.",
)
def _(inputs, W_query, W_key):
    return steps.scaled_scores(inputs, inputs)


@qk_scores.mistake("shared-projection", "Queries and keys are made with the same matrix: the keys need `W_key`.")
def _(inputs, W_query, W_key):
    return qk()(inputs, W_query, W_query)


@qk_scores.mistake("shared-projection", "Queries and keys are made with the same matrix: the queries need `W_query`.")
def _(inputs, W_query, W_key):
    return qk()(inputs, W_key, W_key)


@qk_scores.mistake("keys-unprojected", "The queries meet the bare inputs. Make the keys first: `inputs @ W_key`.")
def _(inputs, W_query, W_key):
    return steps.scaled_scores(inputs @ W_query, inputs)


@qk_scores.mistake(
    "linear-layout",
    "The matrices are turned on their side. They are `(d_in, d_out)` already, ready for `inputs @ W_query`: no "
    "transpose.",
)
def _(inputs, W_query, W_key):
    return qk()(inputs, W_query.transpose(-2, -1), W_key.transpose(-2, -1))


@qk_scores.mistake("keys-full-turn", steps.FULL_TURN)
def _(inputs, W_query, W_key):
    return inputs @ W_query @ (inputs @ W_key).permute(2, 1, 0) / W_query.shape[-1] ** 0.5


@qk_scores.mistake("batch-mixed", steps.BATCH_MIXED)
def _(inputs, W_query, W_key):
    return qk()(inputs.flatten(0, 1), W_query, W_key)


@qk_scores.mistake("seq-batch-swapped", steps.SEQ_BATCH_SWAPPED)
def _(inputs, W_query, W_key):
    return qk()(inputs.transpose(0, 1), W_query, W_key)


@qk_scores.mistake("softmax-too-early", "Only the scores are asked for: leave the softmax out.")
def _(inputs, W_query, W_key):
    return torch.softmax(qk()(inputs, W_query, W_key), dim=-1)


@qk_scores.mistake("detached", steps.DETACHED)
def _(inputs, W_query, W_key):
    return qk()(inputs, W_query.data, W_key.data)


@qk_scores.mistake("global-leak", steps.LEAK)
def _(inputs, W_query, W_key):
    return qk(steps.raw_scores)(inputs, W_query, W_key) / d_out**0.5


# ---- load: fill an nn.Linear with a matrix


def load_matrix(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))
        if linear.bias is not None:
            linear.bias.zero_()


def load_cases(draw):
    yield "3 wide to 2, no bias", draw(3, 2), False, draw(4, 3)
    yield "2 wide to 5, with a bias", draw(2, 5), True, draw(3, 2)
    yield "as wide before as after", draw(4, 4), True, draw(3, 4)
    yield "float64", draw(5, 2, dtype=torch.float64), False, draw(3, 5, dtype=torch.float64)


def filled(answer, matrix, bias):
    linear = nn.Linear(*matrix.shape, bias=bias).to(matrix.dtype)
    if bias:
        nn.init.ones_(linear.bias)
    with torch.no_grad():
        linear.weight.fill_(0.5)
    answer(linear, matrix)
    return linear


def run_filled(answer, matrix, bias, x):
    return filled(answer, matrix, bias)(x)


def stays_trainable(exercise, answer):
    """Weight and bias are parameters still."""
    for _, (matrix, bias, _) in exercise.cases():
        linear = filled(answer, matrix, bias)
        if bias and linear.bias is None:
            yield "bias-removed", "The bias is gone from the layer. It should stay, and be zero: `linear.bias.zero_()`."
        elif not all(parameter.requires_grad for parameter in linear.parameters()):
            yield "frozen", "The layer can no longer be trained: leave `requires_grad` as it was."


def is_a_copy(exercise, answer):
    """A later change of the matrix does not reach the layer."""
    matrix, bias, x = exercise.cases()[0].args
    linear = filled(answer, matrix, bias)
    before = linear(x).detach()
    matrix.add_(1.0)
    if not torch.equal(before, linear(x).detach()):
        yield (
            "shared-memory",
            "The layer and the matrix share one memory: change one, and the other changes too. Write the numbers "
            "into the layer with `copy_`.",
        )


load = Exercise(
    "load", load_matrix, load_cases, outputs=("linear(x)",), observe=run_filled, behaviours=(stays_trainable, is_a_copy)
)


@load.mistake(
    "linear-layout",
    "The matrix is copied as it stands. `nn.Linear` stores its weight turned, `(d_out, d_in)`: "
    "`copy_(matrix.transpose(-2, -1))`. Where both widths are equal, no error tells you.",
)
def _(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix)
        if linear.bias is not None:
            linear.bias.zero_()


@load.mistake(
    "reshape-for-transpose",
    "`reshape` and `view` read the same numbers in the same order into another shape. The rows should become columns: "
    "`transpose(-2, -1)`.",
)
def _(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.reshape(linear.weight.shape))
        if linear.bias is not None:
            linear.bias.zero_()


@load.mistake(
    "bias-kept", "The bias keeps its old numbers. Where there is one, fill it with zeros: `linear.bias.zero_()`."
)
def _(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))


@load.mistake(
    "bias-none",
    "A layer without bias has `None` there, and `None` has no `zero_()`. Ask first: `if linear.bias is not None`.",
)
def _(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))
        linear.bias.zero_()


@load.mistake(
    "no-grad-missing",
    "PyTorch refuses to write into a parameter while it keeps notes for training. Put both writes under `with "
    "torch.no_grad():`.",
)
def _(linear, matrix):
    linear.weight.copy_(matrix.transpose(-2, -1))
    if linear.bias is not None:
        linear.bias.zero_()


@load.mistake(
    "result-unused",
    "The layer is as it was: your code makes a new tensor or a new layer and drops it. Write into this one, with "
    "`linear.weight.copy_(…)`.",
)
def _(linear, matrix):
    linear = nn.Linear(*matrix.shape)
    linear.weight = nn.Parameter(matrix.transpose(-2, -1))


@load.mistake("added", "The numbers are added to the old ones. They should replace them: `copy_`, not `add_` or `+=`.")
def _(linear, matrix):
    with torch.no_grad():
        linear.weight.add_(matrix.transpose(-2, -1))
        if linear.bias is not None:
            linear.bias.zero_()


@load.mistake("bias-removed", "The bias is gone from the layer. It should stay, and be zero.")
def _(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))
    linear.bias = None


@load.mistake("frozen", "The layer can no longer be trained: leave `requires_grad` as it was.")
def _(linear, matrix):
    load_matrix(linear, matrix)
    linear.weight.requires_grad_(False)


@load.mistake("shared-memory", "The layer and the matrix share one memory.")
def _(linear, matrix):
    load_matrix(linear, matrix)
    linear.weight = nn.Parameter(matrix.transpose(-2, -1))


@load.mistake("input-changed", "Your code turns the matrix itself: `transpose_` and `t_` change it for all.")
def _(linear, matrix):
    load_matrix(linear, matrix)
    matrix.zero_()


@load.mistake("global-leak", steps.LEAK)
def _(linear, matrix):
    load_matrix(linear, notebook_matrix)
