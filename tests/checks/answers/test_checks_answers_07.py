"""Right answers to the exercises of notebook 07 pass, however they are written; wrong forms are told so."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_utils import attention, checks


def padding_by_loop(valid_lens, num_keys):
    mask = torch.zeros(len(valid_lens), 1, 1, num_keys, dtype=torch.bool)
    for i, length in enumerate(valid_lens):
        mask[i, :, :, :length] = True
    return mask


def padding_by_stack(valid_lens, num_keys):
    rows = [torch.tensor([key < length for key in range(num_keys)]) for length in valid_lens.tolist()]
    return torch.stack(rows).view(-1, 1, 1, num_keys)


def softmax_by_loop(scores, mask):
    mask = mask.expand(scores.shape).reshape(-1, scores.shape[-1])
    rows = scores.reshape(-1, scores.shape[-1])
    weights = torch.zeros_like(rows)
    for i in range(len(rows)):
        if mask[i].any():
            kept = rows[i][mask[i]]
            exps = torch.exp(kept - kept.max())
            weights[i, mask[i]] = exps / exps.sum()
    return weights.view(scores.shape)


def softmax_hidden_nan(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1).nan_to_num(0.0)


def softmax_by_where(scores, mask):
    closed = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    exps = torch.exp(closed - closed.max(dim=-1, keepdim=True).values) * mask
    return exps / exps.sum(dim=-1, keepdim=True).clamp_min(1e-30)


def left_by_loop(valid_lens, num_tokens):
    mask = torch.zeros(len(valid_lens), 1, num_tokens, num_tokens, dtype=torch.bool)
    for i, length in enumerate(valid_lens.tolist()):
        for query in range(num_tokens):
            mask[i, 0, query, num_tokens - length : query + 1] = True
    return mask


def left_by_product(valid_lens, num_tokens):
    real = attention.padding_mask(valid_lens, num_tokens).flip(-1)
    return real * torch.ones(num_tokens, num_tokens).tril().bool()


def folded_by_unfolding(queries, keys, values, valid_lens):
    def unfold(x):
        return x.view(len(valid_lens), -1, *x.shape[1:])

    mask = attention.padding_mask(valid_lens, keys.shape[1])
    results = attention.scaled_dot_product_attention(unfold(queries), unfold(keys), unfold(values), mask)
    return tuple(part.flatten(0, 1) for part in results)


def folded_by_slices(queries, keys, values, valid_lens):
    num_heads, weights = len(queries) // len(valid_lens), []
    for i in range(len(queries)):
        length = int(valid_lens[i // num_heads])
        scores = queries[i] @ keys[i, :length].T / math.sqrt(queries.shape[-1])
        weights.append(F.pad(torch.softmax(scores, dim=-1), (0, keys.shape[1] - length)))
    weights = torch.stack(weights)
    return torch.bmm(weights, values), weights


def folded_by_torch(queries, keys, values, valid_lens):
    lens = torch.repeat_interleave(valid_lens, len(queries) // len(valid_lens))
    mask = torch.arange(keys.shape[1]) < lens[:, None, None]
    _, weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask), weights


class Layers(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(width, d_out, bias=False) for width in (d_in, kdim, vdim))
        self.out_proj = nn.Linear(d_out, d_out)

    def project(self, queries, keys, values):
        return self.W_query(queries), self.W_key(keys), self.W_value(keys if values is None else values)


class WithEinsum(Layers):
    def forward(self, queries, keys, values=None, valid_lens=None):
        q, k, v = (x.view(*x.shape[:2], self.num_heads, -1) for x in self.project(queries, keys, values))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(self.head_dim)
        if valid_lens is not None:
            scores = scores.masked_fill(~attention.padding_mask(valid_lens, keys.shape[1]), -torch.inf)
        weights = attention.softmax(scores)
        return self.out_proj(torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(2)), weights


class HeadByHead(Layers):
    def forward(self, queries, keys, values=None, valid_lens=None):
        parts = (x.chunk(self.num_heads, dim=-1) for x in self.project(queries, keys, values))
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, keys.shape[1])[:, 0]
        results = [attention.scaled_dot_product_attention(*head, mask) for head in zip(*parts, strict=True)]
        context_vecs, weights = zip(*results, strict=True)
        return self.out_proj(torch.cat(context_vecs, dim=-1)), torch.stack(weights, dim=1)


class Folded(Layers):
    def forward(self, queries, keys, values=None, valid_lens=None):
        heads = [attention.split_heads(x, self.num_heads).flatten(0, 1) for x in self.project(queries, keys, values)]
        lens = torch.full((len(queries),), keys.shape[1]) if valid_lens is None else valid_lens
        context_vecs, weights = folded_by_torch(*heads, lens)
        context_vecs, weights = (x.unflatten(0, (-1, self.num_heads)) for x in (context_vecs, weights))
        return [self.out_proj(attention.merge_heads(context_vecs)), weights]


RIGHT = {
    "padding_mask": [padding_by_loop, padding_by_stack, attention.padding_mask],
    "padded_softmax": [softmax_by_loop, softmax_hidden_nan, softmax_by_where],
    "left_padded_mask": [left_by_loop, left_by_product, checks.left_padded_mask.solution],
    "folded_with_lengths": [folded_by_unfolding, folded_by_slices, folded_by_torch],
    "cross_attention": [WithEinsum, HeadByHead, Folded],
}


def test_an_exercise_is_listed_once():
    names = [exercise.name for exercises in checks.by_notebook().values() for exercise in exercises]
    assert len(names) == len(set(names))


BANK_OF_07 = (
    "masks-ored pad-over-queries all-masked-nan all-masked-uniform lens-repeat values-from-queries cross-from-queries "
    "mask-inverted mask-off-by-one mask-after-softmax mask-added-01 mask-zero-fill mask-normalised weights-averaged"
)


def test_the_misconceptions_of_this_notebook_have_wrong_answers():
    assert set(BANK_OF_07.split()) <= {m.id for exercise in checks.by_notebook()["07"] for m in exercise.bank}


WRONG_FORM = {
    "a list": ("padding_mask", lambda lens, num_keys: [[True] * num_keys for _ in lens], "a list came back"),
    "whole numbers": ("padding_mask", lambda lens, num_keys: padding_by_loop(lens, num_keys).int(), "mask is bool"),
    "another width": ("cross_attention", attention.SelfAttention, "TypeError"),
    "an axis in another place": (
        "left_padded_mask",
        lambda lens, n: left_by_loop(lens, n).transpose(0, 1),
        "wrong place",
    ),
    "an object": ("cross_attention", Folded(3, 4, 2, 3, 3), "without brackets"),
    "three texts for two": ("left_padded_mask", lambda lens, n: left_by_loop(lens, n)[:1], "should have the shape"),
}


@pytest.mark.parametrize("name, answer, words", WRONG_FORM.values(), ids=WRONG_FORM)
def test_another_form_is_refused_with_a_clear_word(name, answer, words):
    report = checks.all()[name].check(answer)
    assert report.status == "failed" and words in report.message, report


def test_two_mistakes_at_once_are_both_named():
    exercise = checks.all()["left_padded_mask"]
    report = exercise.check(exercise.pairs[0].answer)
    assert report.status == "failed" and len(report.named) == 2, report


def test_a_module_of_exercises_is_found_under_its_name_before_it_is_loaded():
    with pytest.raises(AttributeError):  # else `from . import steps` would load every exercise first
        checks.__getattr__("steps")
