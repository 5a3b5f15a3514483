"""The exercise of notebook 03 that asks for a class: one head of attention."""

import torch
from torch import nn

from .. import attention
from . import steps
from .legacy import ModuleExercise
from .modules import MISSING

d_out = 2  # lies about in the notebook


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
    "self_attention",
    attention.SelfAttention,
    head_cases,
    outputs=("context_vecs", "attn_weights"),
    rows="attn_weights",
    stub="MySelfAttention",
    make=head,
)
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


@whole("scale-model", steps.SCALE_MODEL)
def _(self, x):
    return attend(*queries_keys_values(self, x), scale=x.shape[-1])


@whole(
    "scale-after", "You divided after softmax, so the rows no longer add up to 1. Divide the scores, before softmax."
)
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
    "Your `forward` takes a batch with one axis, and nothing else. The prompt has `(..., num_tokens, d_in)`: do "
    "not unpack `x.shape`, and count axes from the end.",
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
