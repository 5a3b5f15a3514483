"""Wrong answers to the causal head whose whole `forward` is another."""

import torch
import torch.nn.functional as F

from .. import attention
from . import notebook_04_head as right  # the module: an exercise named here would be counted twice
from . import steps
from .notebook_03_head import queries_keys_values
from .notebook_04_weights import AFTER_SOFTMAX, NORMALISED, hidden

context_length = 7  # lies about in the notebook


def whole(id, words):
    """Add a class whose forward is given in full, as a function of (self, x)."""

    def add(forward):
        def refusing(self, x):
            right.refuse_longer(x, self.mask)
            return forward(self, x)

        right.causal_attention.mistake(id, words)(type("Head", (right.head(),), {"forward": refusing}))

    return add


def weights_of(self, queries, keys, scale=None, drop_scores=False):
    attn_scores = steps.raw_scores(queries, keys) / (scale or queries.shape[-1]) ** 0.5
    attn_scores = self.dropout(attn_scores) if drop_scores else attn_scores
    return torch.softmax(hidden(attn_scores, right.cut(self.mask, queries.shape[-2])), dim=-1)


def attend(self, queries, keys, values, scale=None):
    attn_weights = self.dropout(weights_of(self, queries, keys, scale))
    return attn_weights @ values, attn_weights


@whole("mask-after-softmax", AFTER_SOFTMAX)
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    attn_weights = torch.softmax(steps.scaled_scores(queries, keys), dim=-1) * right.cut(self.mask, x.shape[-2])
    return attn_weights @ values, attn_weights


@whole(
    "mask-renormalised",
    "You erase after softmax and divide by what is left. With large inputs, a hidden score takes everything, and the "
    "open weights are 0 / 0. Hide the scores before softmax, with `-torch.inf`.",
)
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    erased = torch.softmax(steps.scaled_scores(queries, keys), dim=-1) * right.cut(self.mask, x.shape[-2])
    attn_weights = self.dropout(erased / erased.sum(dim=-1, keepdim=True))
    return attn_weights @ values, attn_weights


@whole("mask-normalised", NORMALISED)
def _(self, x):
    _, _, values = queries_keys_values(self, x)
    mask = right.cut(self.mask, x.shape[-2]).to(values.dtype)
    attn_weights = (mask / mask.sum(dim=-1, keepdim=True)).expand(*x.shape[:-1], -1)
    return attn_weights @ values, attn_weights


@whole("scale-model", steps.SCALE_MODEL)
def _(self, x):
    return attend(self, *queries_keys_values(self, x), scale=x.shape[-1])


@whole("scale-wrong-axis", "You divided by the root of `context_length`. It should be that of the queries' width.")
def _(self, x):
    return attend(self, *queries_keys_values(self, x), scale=len(self.mask))


@whole(
    "scale-after", "You divided after softmax, so the rows no longer add up to 1. Divide the scores, before softmax."
)
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    attn_weights = weights_of(self, queries, keys, scale=1) / queries.shape[-1] ** 0.5
    return attn_weights @ values, attn_weights


@whole("v-unprojected", "The weights are applied to the inputs. What is mixed are the values: `self.W_value(x)`.")
def _(self, x):
    _, attn_weights = attend(self, *queries_keys_values(self, x))
    return attn_weights @ x, attn_weights


@whole("shared-projection", "Queries and keys come from the same layer: the keys need `self.W_key(x)`.")
def _(self, x):
    return attend(self, self.W_query(x), self.W_query(x), self.W_value(x))


@whole("unprojected", "Queries, keys and values are the bare inputs: send `x` through the three layers first.")
def _(self, x):
    return attend(self, x, x, x)


@whole("batch-mixed", steps.BATCH_MIXED)
def _(self, x):
    queries, keys, values = queries_keys_values(self, x.flatten(0, -2))
    mask = attention.causal_mask(len(queries))
    attn_weights = torch.softmax(hidden(steps.scaled_scores(queries, keys), mask), dim=-1)
    return (attn_weights @ values).view(*x.shape[:-1], -1), attn_weights


@whole("seq-batch-swapped", steps.SEQ_BATCH_SWAPPED)
def _(self, x):
    if x.dim() < 3:
        return attend(self, *queries_keys_values(self, x))
    context_vecs, attn_weights = attend(self, *queries_keys_values(self, x.transpose(0, -2)))
    return context_vecs.transpose(0, -2), attn_weights


@whole("keys-full-turn", steps.FULL_TURN)
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    attn_scores = queries @ keys.permute(*reversed(range(keys.dim()))) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(hidden(attn_scores, right.cut(self.mask, x.shape[-2])), dim=-1)
    return attn_weights @ values, attn_weights


@whole(
    "batch-required",
    "Your `forward` takes a batch with one axis, and nothing else. The prompt has `(..., num_tokens, d_in)`: do "
    "not unpack `x.shape`, and count axes from the end.",
)
def _(self, x):
    batch_size, num_tokens, d_in = x.shape
    return attend(self, *queries_keys_values(self, x))


@whole("weights-returned-transposed", "The weights come back on their side: a row is a query.")
def _(self, x):
    context_vecs, attn_weights = attend(self, *queries_keys_values(self, x))
    return context_vecs, attn_weights.transpose(-2, -1)


@whole("outputs-swapped", "The two results have changed places: `return context_vecs, attn_weights`.")
def _(self, x):
    return attend(self, *queries_keys_values(self, x))[::-1]


@whole("weights-missing", "The weights are asked for as well: `return context_vecs, attn_weights`.")
def _(self, x):
    return attend(self, *queries_keys_values(self, x))[0]


@whole("dropout-in-eval", "Something still draws random numbers after `.eval()`.")
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    attn_weights = F.dropout(weights_of(self, queries, keys), 0.3)
    return attn_weights @ values, attn_weights


@whole("dropout-before-softmax", "Dropout falls on the scores: call it on the weights, after softmax.")
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    attn_weights = weights_of(self, queries, keys, drop_scores=True)
    return attn_weights @ values, attn_weights


@whole("dropout-on-output", "Only the context vectors are dropped: call dropout on the weights.")
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    attn_weights = weights_of(self, queries, keys)
    return self.dropout(attn_weights @ values), attn_weights


@whole("dropout-missing", "Nothing is dropped while training: call `self.dropout` on the weights.")
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    attn_weights = weights_of(self, queries, keys)
    return attn_weights @ values, attn_weights


@whole("dropout-no-rescale", "The weights that were not dropped keep their size: use `nn.Dropout`.")
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    attn_weights = weights_of(self, queries, keys)
    if self.training:
        attn_weights = attn_weights * (torch.rand_like(attn_weights) > self.dropout.p)
    return attn_weights @ values, attn_weights


@whole("dropout-not-applied", "The weights that come back are not those that were applied.")
def _(self, x):
    queries, keys, values = queries_keys_values(self, x)
    attn_weights = weights_of(self, queries, keys)
    return self.dropout(attn_weights) @ values, self.dropout(attn_weights)


@whole("state-leak", "Your `forward` keeps a result on `self` and uses it again.")
def _(self, x):
    if not hasattr(self, "keys"):
        self.keys = self.W_key(x)
    return attend(self, self.W_query(x), self.keys, self.W_value(x))


@whole("detached", steps.DETACHED)
def _(self, x):
    return attend(self, *(x @ W.weight.data.T for W in (self.W_query, self.W_key, self.W_value)))


@whole("input-changed", "Your code changes its input: look for `*=` and `/=` on `x`.")
def _(self, x):
    results = attend(self, *queries_keys_values(self, x))
    x.data.mul_(2)
    return results


@whole("global-leak", steps.LEAK)
def _(self, x):
    return attend(self, *queries_keys_values(self, x), scale=context_length)
