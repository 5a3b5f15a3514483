"""The answers of the quiz of notebook 11 are computed, not believed."""

import torch
import torch.nn.functional as F
from torch import nn

from course_utils import attention, checks, properties, quiz


def choices(phrase):
    """The choices of the question that holds the phrase: text -> whether it is right."""
    (question,) = [question for question in quiz.load("11") if phrase in question["question"]]
    return {choice["text"]: choice["right"] for choice in question["choices"]}


def right(phrase):
    (text,) = [text for text, is_right in choices(phrase).items() if is_right]
    return text


def wrong_of(name, id):
    return checks.all()[name].mistakes[id]


def test_ones_prove_nothing():
    ones = torch.ones(2, 5, 3)
    expected = F.scaled_dot_product_attention(ones, ones, ones)
    for id in ("no-scale", "softmax-axis", "qk-swapped", "scale-no-root"):
        assert torch.allclose(wrong_of("row_weights", id)(ones, ones) @ ones, expected)
    assert right("torch.ones(2, 5, 3)").startswith("Next to nothing")


def test_only_the_normalised_mask_has_right_rows_no_leak_and_no_use_for_queries():
    W_query, W_key, inputs = torch.randn(4, 3), torch.randn(4, 3), torch.randn(2, 5, 4)
    found = {}
    for name, weights in {
        "Softmax runs down the columns": wrong_of("causal_weights", "softmax-axis"),
        "The mask is normalised in place of the weights": wrong_of("causal_weights", "mask-normalised"),
        "Query and key are swapped": wrong_of("causal_weights", "qk-swapped"),
    }.items():
        queries, keys = inputs @ W_query, inputs @ W_key
        found[name] = (
            properties.rows_sum_to_one(weights(queries, keys)),
            properties.no_leak(lambda x, weights=weights: weights(x @ W_query, x @ W_key) @ x, inputs),
            not torch.allclose(weights(2 * queries + 1, keys), weights(queries, keys)),
        )
    like_the_question = [name for name, results in found.items() if results == (True, True, False)]
    assert like_the_question == [right("says False for `queries`")]
    assert set(found) <= choices("says False for `queries`").keys()


def test_a_comparison_with_nan_is_false():
    difference = torch.tensor([0.0, torch.nan])
    assert not (difference > 0.001).any() and not difference.isfinite().all()
    assert right("`difference > 0.001`") == "Not if `nan` is among them"


def test_no_property_sees_swapped_weights():
    theirs, x = nn.MultiheadAttention(12, 3, batch_first=True), 2 * torch.randn(2, 5, 12)
    ours = attention.MultiHeadAttention(12, 12, 3, qkv_bias=True)
    wrong_of("adopt", "qk-swapped")(ours, theirs)
    assert properties.rows_sum_to_one(ours(x)[1]) and properties.samples_independent(ours, x)
    assert properties.permutation_equivariant(ours, x)
    assert not torch.allclose(ours(x)[0], theirs(x, x, x)[0], atol=1e-5)
    assert right("swapped when the weights were copied").startswith("A comparison")


def test_rows_that_the_loss_leaves_out_spoil_the_gradient():
    weight, mask = torch.randn(4, 3, requires_grad=True), attention.causal_mask(5).tril(-1)
    inputs = torch.randn(5, 4)
    attend = wrong_of("masked_attention", "all-masked-nan")
    loss = attend(inputs, inputs, inputs @ weight, mask)[0][1:].sum()
    loss.backward()
    assert loss.isfinite() and weight.grad.isnan().all()
    assert right("rows that the loss leaves out") == "The shared weights get a gradient of `nan`"


def test_a_module_with_dropout_differs_from_itself():
    ours, x = attention.MultiHeadAttention(12, 12, 3, dropout=0.5), torch.randn(2, 5, 12)
    assert not torch.allclose(ours(x)[0], ours(x)[0]) and torch.equal(ours.eval()(x)[0], ours(x)[0])
    assert right("dropout of .5") == "Compare a module with itself"
