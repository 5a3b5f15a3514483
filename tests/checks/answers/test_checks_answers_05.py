"""Right answers to the exercises of notebook 05 pass, however they are written; half-right ones hear what is wrong."""

import copy

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_utils import attention, checks


def dropped_by_loop(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"no rate: {p}")
    cells = [0 * a if b < p else a / (1 - p) for a, b in zip(x.flatten(), noise.flatten(), strict=True)]
    return torch.stack(cells).view(x.shape)


def dropped_by_where(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(p)
    return torch.where(noise < p, torch.zeros_like(x), x / (1 - p))


def dropped_by_fill(x, noise, p):
    if p not in (0,) and not 0 < p < 1:
        raise ValueError(p)
    return x.masked_fill(noise < p, 0.0).div(1 - p)


def attended_by_torch(queries, keys, values, mask, drop):
    table = torch.eye(keys.shape[-2], dtype=keys.dtype)
    attn_weights = drop(F.scaled_dot_product_attention(queries, keys, table, attn_mask=mask))
    return attn_weights @ values, attn_weights


def attended_by_einsum(queries, keys, values, mask, drop):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) * queries.shape[-1] ** -0.5
    scores = scores + torch.where(mask, 0.0, -torch.inf)
    attn_weights = drop(scores.softmax(-1))
    return [torch.einsum("...qk,...kd->...qd", attn_weights, values), attn_weights]


def attended_with_a_billion(queries, keys, values, mask, drop):
    scores = (queries / queries.shape[-1] ** 0.5) @ keys.mT
    attn_weights = drop(torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1))
    return torch.matmul(attn_weights, values), attn_weights


def attended_by_the_course(queries, keys, values, mask, drop):
    return attention.scaled_dot_product_attention(queries, keys, values, mask, drop)


class ByNoise(nn.Module):
    """The layer with `if`, comparing the other way round."""

    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        if self.training and self.p > 0:
            keep = (torch.rand(x.shape) < 1 - self.p).to(x.dtype)
            return keep * x / (1 - self.p)
        return x


class ByBernoulli(ByNoise):
    def forward(self, x):
        if not self.training:
            return x.clone()
        return x * torch.bernoulli(torch.full_like(x, 1 - self.p)).div(1 - self.p)


class ByFunction(ByNoise):
    def forward(self, x):
        return F.dropout(x, self.p, training=self.training)


class ByLayer(ByNoise):
    def __init__(self, p):
        super().__init__(p)
        self.inside = nn.Dropout(p)

    def forward(self, x):
        return self.inside(x)


def evaluated_on_a_copy(model, x):
    return copy.deepcopy(model).eval()(x)


def evaluated_by_name(model, x):
    modes = {name: part.training for name, part in model.named_modules()}
    try:
        model.train(False)
        return model(x)
    finally:
        for name, part in model.named_modules():
            part.training = modes[name]


def evaluated_part_by_part(model, x):
    trained = [part for part in model.modules() if part.training]
    for part in trained:
        part.training = False
    try:
        with torch.no_grad():
            result = model(x)
    except Exception:
        raise
    finally:
        for part in trained:
            part.training = True
    return result


RIGHT = {
    "dropout": [dropped_by_loop, dropped_by_where, dropped_by_fill],
    "dropped_attention": [
        attended_by_torch,
        attended_by_einsum,
        attended_with_a_billion,
        attended_by_the_course,
    ],
    "dropout_layer": [ByNoise, ByBernoulli, ByFunction, ByLayer],
    "evaluate": [evaluated_on_a_copy, evaluated_by_name, evaluated_part_by_part],
}


def test_each_mistake_about_dropout_is_a_wrong_answer_somewhere():
    known = {mistake.id for exercise in checks.by_notebook()["05"] for mistake in exercise.bank}
    assert known >= {"dropout-no-rescale", "dropout-in-eval", "dropout-before-softmax", "dropout-on-output"}


class Scaled(ByNoise):
    def forward(self, x):
        return x * (torch.rand_like(x) >= self.p) * 1.2 if self.training else x


WORDS = {
    "NumPy": ("dropout", lambda x, noise, p: (x * (noise >= p)).numpy(), "a NumPy array came back"),
    "a whole table as booleans": ("dropout", lambda x, noise, p: noise >= p, "dtype `torch.bool`"),
    "another factor": ("dropout_layer", Scaled, "times 1.43 here. Yours is times 1.20"),
    "a sum": ("evaluate", lambda model, x: copy.deepcopy(model).eval()(x).sum(), "should have the shape"),
    "one result of two": (
        "dropped_attention",
        lambda queries, keys, values, mask, drop: F.scaled_dot_product_attention(queries, keys, values, mask, 0.3),
        "The weights are asked for as well",
    ),
}


@pytest.mark.parametrize("name, answer, words", WORDS.values(), ids=WORDS)
def test_what_is_wrong_is_said(name, answer, words):
    report = checks.all()[name].check(answer)
    assert report.status == "failed" and words in report.message, report


def test_two_mistakes_in_one_function_are_named():
    exercise = checks.all()["dropped_attention"]
    answer = exercise.make(
        score=lambda queries, keys: queries @ keys.transpose(-2, -1), thin=lambda attn_weights, drop: attn_weights
    )
    assert set(exercise.check(answer).named) == {"no-scale", "dropout-missing"}


@pytest.mark.parametrize("seed", range(5))
def test_a_right_layer_passes_whatever_is_drawn(seed, monkeypatch):
    monkeypatch.setattr("course_utils.checks.running.SEED", seed)
    report = checks.all()["dropout_layer"].check(checks.all()["dropout_layer"].solution)
    assert report.status == "passed", report
