"""Compute the answers of the quiz."""

import torch
import torch.nn.functional as F
from computed import wrong_of
from torch import nn

from course_utils import attention, properties


def answers():
    ones = torch.ones(2, 5, 3)
    expected = F.scaled_dot_product_attention(ones, ones, ones)
    for id in ("no-scale", "softmax-axis", "qk-swapped", "scale-no-root"):
        assert torch.allclose(wrong_of("row_weights", id)(ones, ones) @ ones, expected, atol=1e-5)
    yield "torch.ones(2, 5, 3)", "Little: that it runs, that the shape fits, and that rows add up to 1"

    W_query, W_key, inputs = torch.randn(4, 3), torch.randn(4, 3), torch.randn(2, 5, 4)
    cases = {
        "Softmax runs down the columns": wrong_of("causal_weights", "softmax-axis"),
        "The mask is normalised in place of the weights": wrong_of("causal_weights", "mask-normalised"),
        "Query and key are swapped": wrong_of("causal_weights", "qk-swapped"),
    }

    def fits(weights):
        queries, keys = inputs @ W_query, inputs @ W_key
        return (
            properties.rows_sum_to_one(weights(queries, keys))
            and properties.no_leak(lambda x: weights(x @ W_query, x @ W_key) @ x, inputs)
            and torch.allclose(weights(2 * queries + 1, keys), weights(queries, keys), atol=1e-5)
        )

    (only,) = [name for name, weights in cases.items() if fits(weights)]
    yield "says False for `queries`", only, *(cases.keys() - {only})

    difference = torch.tensor([0.0, torch.nan])
    assert not (difference > 0.001).any() and not difference.isfinite().all()
    yield "`difference > 0.001`", "Not if `nan` is among them"

    theirs, inputs = nn.MultiheadAttention(12, 3, batch_first=True), 2 * torch.randn(2, 5, 12)
    ours = attention.MultiHeadAttention(12, 12, 3, qkv_bias=True)
    wrong_of("adopt", "qk-swapped")(ours, theirs)
    assert properties.rows_sum_to_one(ours(inputs)[1]) and properties.samples_independent(ours, inputs)
    assert properties.permutation_equivariant(ours, inputs)
    assert not torch.allclose(ours(inputs)[0], theirs(inputs, inputs, inputs)[0], atol=1e-5)
    yield (
        "swapped when the weights were copied",
        "Differential testing: a comparison with the module that the weights came from",
        "`rows_sum_to_one`",
        "`samples_independent`",
        "`permutation_equivariant`",
    )

    weight, mask = torch.randn(4, 3, requires_grad=True), attention.causal_mask(5).tril(-1)
    inputs = torch.randn(5, 4)
    attend = wrong_of("masked_attention", "all-masked-nan")
    loss = attend(inputs, inputs, inputs @ weight, mask)[0][1:].sum()
    loss.backward()
    assert loss.isfinite() and weight.grad.isnan().all()
    yield (
        "rows that the loss leaves out",
        "The shared weights get a gradient of `nan`",
        "The loss is `nan` in this step",
    )

    ours, inputs = attention.MultiHeadAttention(12, 12, 3, dropout=0.5), torch.randn(2, 5, 12)
    assert not torch.allclose(ours(inputs)[0], ours(inputs)[0], atol=1e-5)
    assert torch.equal(ours.eval()(inputs)[0], ours(inputs)[0])
    yield "dropout of 0.5", "Compare a module with itself"
