"""Exercises of notebook 03: scores from matrices, filling an nn.Linear, a head as a class, one step of training."""

import torch
from torch import nn

from .. import attention
from . import steps
from .behaviours import gradient_flows, repeats
from .exercise import Exercise
from .modules import MISSING, ModuleExercise
from .outcome import Refused

notebook_matrix = torch.tensor([[0.2961, 0.5166], [0.2517, 0.6886], [0.0740, 0.8665]])  # lies about in the notebook
d_out = 2

SCALE_MODEL = (
    "You divided by the root of the inputs' width. What meets in the product are queries and keys: take their width, "
    "`queries.shape[-1]`."
)


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


@qk_scores.mistake("scale-model", SCALE_MODEL)
def _(inputs, W_query, W_key):
    return qk(steps.raw_scores)(inputs, W_query, W_key) / inputs.shape[-1] ** 0.5


@qk_scores.mistake(
    "unprojected", "The inputs meet each other, and the matrices are not used: make `queries` and `keys` with them first."
)
def _(inputs, W_query, W_key):
    return steps.scaled_scores(inputs, inputs)


@qk_scores.mistake("shared-projection", "Queries and keys are made with the same matrix: the keys need `W_key`.")
def _(inputs, W_query, W_key):
    return qk()(inputs, W_query, W_query)


@qk_scores.mistake("shared-projection", "Queries and keys are made with the same matrix: the queries need `W_query`.")
def _(inputs, W_query, W_key):
    return qk()(inputs, W_key, W_key)


@qk_scores.mistake(
    "keys-unprojected", "The queries meet the bare inputs. Make the keys first: `inputs @ W_key`."
)
def _(inputs, W_query, W_key):
    return steps.scaled_scores(inputs @ W_query, inputs)


@qk_scores.mistake(
    "linear-layout",
    "The matrices are turned on their side. They are `(d_in, d_out)` already, ready for `inputs @ W_query`: no transpose.",
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
            "The layer and the matrix share one memory: change one, and the other changes too. Write the numbers into the "
            "layer with `copy_`.",
        )


load = Exercise(
    "load", load_matrix, load_cases, outputs=("linear(x)",), observe=run_filled, behaviours=(stays_trainable, is_a_copy)
)


@load.mistake(
    "linear-layout",
    "The matrix is copied as it stands. `nn.Linear` stores its weight turned, `(d_out, d_in)`: `copy_(matrix.transpose(-2, "
    "-1))`. Where both widths are equal, no error tells you.",
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


@load.mistake("bias-kept", "The bias keeps its old numbers. Where there is one, fill it with zeros: `linear.bias.zero_()`.")
def _(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))


@load.mistake(
    "bias-none", "A layer without bias has `None` there, and `None` has no `zero_()`. Ask first: `if linear.bias is not None`."
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


# ---- self_attention: the class


def layers_from(self, d_in, d_out):
    self.W_query = nn.Linear(d_in, d_out, bias=False)
    self.W_key = nn.Linear(d_in, d_out, bias=False)
    self.W_value = nn.Linear(d_in, d_out, bias=False)


def head(score=steps.scaled_scores, normalise=steps.row_softmax, mix=steps.mix, back=lambda *results: results):
    """A class with some steps of its forward replaced."""

    class Head(nn.Module):
        def __init__(self, d_in, d_out):
            super().__init__()
            layers_from(self, d_in, d_out)

        def forward(self, x):
            queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
            attn_weights = normalise(score(queries, keys))
            return back(mix(attn_weights, queries, keys, values), attn_weights)

    return Head


def head_cases(draw):
    yield "4 tokens, 3 wide to 2", (3, 2), draw(4, 3)
    yield "2 texts of 5 tokens, 4 wide to 6", (4, 6), draw(2, 5, 4) * 0.5
    yield "3 texts of 4 tokens, 4 wide to 4", (4, 4), draw(3, 4, 4) * 0.5
    yield "two batch axes, (2, 3, 4, 5)", (5, 2), draw(2, 3, 4, 5) * 0.5
    yield "a batch of one, a single token", (3, 4), draw(1, 1, 3)
    yield "large inputs", (3, 5), draw(4, 3) * 20
    yield "float64", (3, 4), draw(2, 5, 3, dtype=torch.float64)


self_attention = ModuleExercise(
    "self_attention", attention.SelfAttention, head_cases, outputs=("context_vecs", "attn_weights"), rows="attn_weights",
    stub="MySelfAttention", make=head,
)  # fmt: skip
self_attention.wrong_steps(steps.SOFTMAX)
self_attention.wrong_steps(steps.STABLE, "naive-overflow")
self_attention.wrong_steps(steps.SCORES)
self_attention.wrong_steps(steps.SCALE)
self_attention.wrong_steps(steps.MIX)


def whole(id, words):
    """Add a class whose forward is given in full, as a function of (self, x)."""

    def add(forward):
        self_attention.mistake(id, words)(type("Head", (head(),), {"forward": forward}))

    return add


def queries_keys_values(self, x):
    return self.W_query(x), self.W_key(x), self.W_value(x)


def attend(queries, keys, values, scale=None):
    attn_weights = torch.softmax(steps.raw_scores(queries, keys) / (scale or queries.shape[-1]) ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights


@whole("scale-model", SCALE_MODEL)
def _(self, x):
    return attend(*queries_keys_values(self, x), scale=x.shape[-1])


@whole("scale-after", "You divided after softmax, so the rows no longer add up to 1. Divide the scores, before softmax.")
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    attn_weights = torch.softmax(steps.raw_scores(queries, keys), dim=-1) / queries.shape[-1] ** 0.5
    return attn_weights @ values, attn_weights


@whole("v-unprojected", "The weights are applied to the inputs. What is mixed are the values: `self.W_value(x)`.")
def _(self, x):
    _, attn_weights = attend(*queries_keys_values(self, x))
    return attn_weights @ x, attn_weights


@whole("shared-projection", "Queries and keys come from the same layer: the keys need `self.W_key(x)`.")
def _(self, x):
    return attend(self.W_query(x), self.W_query(x), self.W_value(x))


@whole("unprojected", "Queries, keys and values are the bare inputs: send `x` through the three layers first.")
def _(self, x):
    return attend(x, x, x)


@whole("batch-mixed", steps.BATCH_MIXED)
def _(self, x):
    context_vecs, attn_weights = attend(*queries_keys_values(self, x.flatten(0, -2)))
    return context_vecs.view(*x.shape[:-1], -1), attn_weights


@whole("seq-batch-swapped", steps.SEQ_BATCH_SWAPPED)
def _(self, x):
    if x.dim() < 3:
        return attend(*queries_keys_values(self, x))
    context_vecs, attn_weights = attend(*queries_keys_values(self, x.transpose(0, -2)))
    return context_vecs.transpose(0, -2), attn_weights


@whole("keys-full-turn", steps.FULL_TURN)
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    turned = keys.permute(*reversed(range(keys.dim())))
    attn_weights = torch.softmax(queries @ turned / queries.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights


@whole(
    "batch-required",
    "Your `forward` takes a batch with one axis, and nothing else. The prompt has `(..., num_tokens, d_in)`: do not unpack "
    "`x.shape`, and count axes from the end.",
)
def _(self, x):
    batch_size, num_tokens, d_in = x.shape
    return attend(*queries_keys_values(self, x))


@whole("weights-returned-transposed", "The weights come back on their side: a row is a query.")
def _(self, x):
    context_vecs, attn_weights = attend(*queries_keys_values(self, x))
    return context_vecs, attn_weights.transpose(-2, -1)


@whole("outputs-swapped", "The two results have changed places: `return context_vecs, attn_weights`.")
def _(self, x):
    return attend(*queries_keys_values(self, x))[::-1]


@whole("weights-missing", "The weights are asked for as well: `return context_vecs, attn_weights`.")
def _(self, x):
    return attend(*queries_keys_values(self, x))[0]


@whole("dropout-in-eval", "Something still draws random numbers after `.eval()`.")
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    attn_weights = nn.functional.dropout(attend(queries, keys, values)[1], 0.3)
    return attn_weights @ values, attn_weights


@whole("state-leak", "Your `forward` keeps a result on `self` and uses it again.")
def _(self, x):
    if not hasattr(self, "keys"):
        self.keys = self.W_key(x)
    return attend(self.W_query(x), self.keys, self.W_value(x))


@whole("detached", steps.DETACHED)
def _(self, x):
    queries, keys, values = (x @ W.weight.data.T for W in (self.W_query, self.W_key, self.W_value))
    return attend(queries, keys, values)


@whole("input-changed", "Your code changes its input: look for `*=` and `/=` on `x`.")
def _(self, x):
    results = attend(*queries_keys_values(self, x))
    x.data.mul_(2)
    return results


@whole("global-leak", steps.LEAK)
def _(self, x):
    return attend(*queries_keys_values(self, x), scale=d_out)


@self_attention.mistake("heads-in-list", "Your layers lie in a Python list.")
class Listed(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.layers = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]

    def forward(self, x):
        return attend(*(layer(x) for layer in self.layers))


@self_attention.mistake("names", MISSING.format("`self.W_query`, `self.W_key`, `self.W_value`"))
class Renamed(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))

    def forward(self, x):
        return attend(self.query(x), self.key(x), self.value(x))


@self_attention.mistake(
    "widths-swapped", "The widths have changed places: `nn.Linear(d_in, d_out)`, what comes in first."
)
class Turned(head()):
    def __init__(self, d_in, d_out):
        super().__init__(d_out, d_in)


@self_attention.mistake("extra-bias", "Your layers add a bias.")
class Biased(head()):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out) for _ in range(3))
        for layer in (self.W_query, self.W_key, self.W_value):
            nn.init.zeros_(layer.bias)


@self_attention.mistake("extra-parameter", "The scale is a parameter: training would change it.")
class LearntScale(head()):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.scale = nn.Parameter(torch.tensor(d_out**-0.5))

    def forward(self, x):
        queries, keys, values = queries_keys_values(self, x)
        attn_weights = torch.softmax(steps.raw_scores(queries, keys) * self.scale, dim=-1)
        return attn_weights @ values, attn_weights


@self_attention.mistake("mask-not-buffer", "A plain tensor on `self` stays behind when the module moves.")
class PlainTensor(head()):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.root = torch.tensor([d_out**0.5], dtype=torch.float64)

    def forward(self, x):
        queries, keys, values = queries_keys_values(self, x)
        attn_weights = torch.softmax(steps.raw_scores(queries, keys) / self.root.to(x.dtype), dim=-1)
        return attn_weights @ values, attn_weights


@self_attention.mistake("dropout-added", "No dropout is asked for here: leave it out.")
class Dropping(head()):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.dropout = nn.Dropout(0.5)

    def forward(self, x):
        context_vecs, attn_weights = super().forward(x)
        return self.dropout(context_vecs), attn_weights


# ---- training_step: one turn of the loop


def step_once(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()


def step_cases(draw):
    yield "plain descent", draw(3), "SGD", {"lr": 0.1}
    yield "with momentum", draw(4), "SGD", {"lr": 0.05, "momentum": 0.9}
    yield "AdamW", draw(2, 3), "AdamW", {"lr": 0.1}


def three_steps(answer, start, optimizer, settings):
    """Returns the losses (3,) that came back, the parameter after each step (3, ...), and how often a loss was made."""
    parameter, calls, losses, path = nn.Parameter(start.clone()), [], [], []
    optimizer = getattr(torch.optim, optimizer)([parameter], **settings)

    def compute_loss():
        calls.append(1)
        return ((parameter - 1) ** 2).sum() * (1 + 0.1 * len(calls))

    for _ in range(3):
        losses.append(plain_number(answer(optimizer, compute_loss)))
        path.append(parameter.detach().flatten().clone())
    return torch.tensor(losses), torch.stack(path), torch.tensor([float(len(calls))])


def plain_number(loss):
    if loss is None:
        raise Refused("It gives nothing back: the last line should be `return loss.item()`.")
    if torch.is_tensor(loss):
        raise Refused("The loss comes back as a tensor, with all its notes for training. A number is asked for: `.item()`.")
    if isinstance(loss, bool) or not isinstance(loss, int | float):
        raise Refused(f"A plain number is asked for, and a `{type(loss).__name__}` came back: `return loss.item()`.")
    return float(loss)


training_step = Exercise(
    "training_step", step_once, step_cases, observe=three_steps,
    outputs=("losses_of_three_steps", "parameters_after_each_step", "number_of_losses_made"),
)  # fmt: skip


@training_step.mistake(
    "no-zero-grad",
    "The old gradients are still there: `backward` adds to them. Begin with `optimizer.zero_grad()`.",
)
def _(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()


@training_step.mistake(
    "zero-grad-late",
    "The gradients are cleared between `backward` and `step`, so the step does nothing. Clear them first of all.",
)
def _(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.zero_grad(set_to_none=False)
    optimizer.step()
    return loss.item()


@training_step.mistake(
    "no-step", "Nothing moves: either `loss.backward()` or `optimizer.step()` is missing. The order is zero, loss, backward, step."
)
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    return loss.item()


@training_step.mistake(
    "step-before-backward", "The step comes before `backward`, and uses the gradients of the last turn: exchange the two lines."
)
def _(optimizer, compute_loss):
    loss = compute_loss()
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


@training_step.mistake(
    "loss-after", "You returned the loss after the step. Return the one that `backward` was called on."
)
def _(optimizer, compute_loss):
    step_once(optimizer, compute_loss)
    return compute_loss().item()


@training_step.mistake(
    "computed-twice",
    "The loss is computed twice in one turn. With random batches that is a second batch: keep the first in a variable.",
)
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    compute_loss().backward()
    loss = compute_loss().item()
    optimizer.step()
    return loss


@training_step.mistake("two-steps", "The optimizer steps twice on one gradient. One `optimizer.step()` is enough.")
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    optimizer.step()
    return loss.item()


@training_step.mistake("loss-as-tensor", "The loss comes back as a tensor: return `loss.item()`.")
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss


@training_step.mistake("no-return", "It gives nothing back: the last line should be `return loss.item()`.")
def _(optimizer, compute_loss):
    step_once(optimizer, compute_loss)


@training_step.mistake(
    "detached", "There is no gradient to send back: call `backward` on the loss itself, and take `.item()` afterwards."
)
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss().detach()
    loss.backward()
    optimizer.step()
    return loss.item()


@training_step.mistake("loss-not-called", "`compute_loss` is a function: call it, `compute_loss()`.")
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss
    loss.backward()
    optimizer.step()
    return loss.item()


@training_step.mistake("global-leak", steps.LEAK)
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = (2 * notebook_matrix - 6).square().sum()
    optimizer.step()
    return loss.item()
