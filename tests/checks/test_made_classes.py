"""Test that a check passes a class its sizes by name, and recognises its layers even if they have other names too."""

import torch
from torch import nn

from course_utils import checks

HEAD = checks.causal_attention.solution


def test_sizes_may_stand_in_another_order():
    class Turned(HEAD):
        def __init__(self, context_length, dropout, d_out, d_in):
            super().__init__(d_in, d_out, context_length, dropout)

    assert checks.causal_attention.check(Turned).status == "passed"


def test_a_layer_may_have_a_second_name():
    class Listed(HEAD):
        def __init__(self, d_in, d_out, context_length, dropout):
            super().__init__(d_in, d_out, context_length, dropout)
            self.layers = nn.ModuleList([self.W_query, self.W_key, self.W_value])

    assert checks.causal_attention.check(Listed).status == "passed"


def test_random_layers_are_the_same_each_time():
    class Noisy(HEAD):
        def forward(self, x):
            context_vecs, attn_weights = super().forward(x)
            return context_vecs + nn.Linear(1, 1).weight.detach(), attn_weights

    torch.manual_seed(1)
    first = str(checks.causal_attention.check(Noisy))
    torch.manual_seed(2)
    assert str(checks.causal_attention.check(Noisy)) == first


def test_weights_divided_again_after_dropout_are_told_from_dropout_on_scores():
    class Again(HEAD):
        def forward(self, x):
            context_vecs, attn_weights = super().forward(x)
            return context_vecs, attn_weights / attn_weights.sum(dim=-1, keepdim=True)

    report = checks.causal_attention.check(Again)
    assert report.status == "failed" and "divided by their sums again, after dropout" in report.message


def test_only_a_weight_of_turned_sizes_is_told_the_order_of_sizes():
    class Turned(HEAD):
        def __init__(self, d_in, d_out, context_length, dropout):
            super().__init__(d_in, d_out, context_length, dropout)
            self.W_value = nn.Linear(d_out, d_in, bias=False)

    class Wide(HEAD):
        def __init__(self, d_in, d_out, context_length, dropout):
            super().__init__(d_in, d_out, context_length, dropout)
            self.W_value = nn.Linear(d_in, 7 * d_out, bias=False)

    turned, wide = (checks.causal_attention.check(answer).message for answer in (Turned, Wide))
    assert "takes the width that comes in first" in turned
    assert "and needs `(2, 3)`." in wide and "comes in first" not in wide
