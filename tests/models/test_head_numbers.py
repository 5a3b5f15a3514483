"""Test the numbers of a head: those of the model give its weights, and those in data/ are those of the model."""

import pytest
import torch

from course_utils import data
from course_utils.attention import MultiHeadAttention, softmax
from course_utils.models import minilm
from course_utils.models.head_numbers import head_numbers, numbers_of

INPUTS = torch.randn(5, 12, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("head", [0, 2])
def test_they_give_the_weights_of_the_head(bias, head):
    attention = MultiHeadAttention(12, 24, 3, qkv_bias=bias)
    numbers = head_numbers(attention, INPUTS, head)
    _, attn_weights = attention(INPUTS)
    torch.testing.assert_close(softmax(numbers.queries @ numbers.keys.T / 8**0.5), attn_weights[head])
    torch.testing.assert_close(numbers.inputs @ numbers.W_query.T + numbers.bias, numbers.queries)
    whole = attention.W_value(INPUTS)[:, 8 * head : 8 * head + 8]
    torch.testing.assert_close(numbers.values, whole)
    assert not any(part.requires_grad for part in numbers)


@pytest.mark.parametrize(
    ("attention", "head", "words"),
    [
        (MultiHeadAttention(12, 24, 3, causal=True), 0, "without rotate, causal=True and fewer key_heads"),
        (MultiHeadAttention(12, 24, 4, key_heads=2), 0, "without rotate, causal=True and fewer key_heads"),
        (MultiHeadAttention(12, 24, 3, rotate=lambda x, places: x), 0, "without rotate, causal=True"),
        (MultiHeadAttention(12, 24, 3), 3, "head must lie between 0 and 2, got 3"),
    ],
)
def test_what_cannot_be_shown_is_refused(attention, head, words):
    with pytest.raises(ValueError, match=words):
        head_numbers(attention, INPUTS, head)


@pytest.mark.needs_weights
def test_the_stored_numbers_are_those_of_the_model():
    model = minilm.load()
    sentences, stored = data.load("sentence_pairs"), data.load("head_numbers")
    assert [*stored] == [*sentences]
    encoded = [model(sentence.text) for sentence in sentences.values()]
    for numbers, expected in zip(stored.values(), numbers_of(model, *encoded)(3, 1), strict=True):
        for name in ("queries", "keys", "values"):
            torch.testing.assert_close(getattr(numbers, name), getattr(expected, name), rtol=0, atol=1e-4)
        torch.testing.assert_close(numbers.inputs, expected.inputs, rtol=1e-3, atol=1e-3)  # float16
        torch.testing.assert_close(numbers.W_query, expected.W_query, rtol=1e-3, atol=1e-4)
