"""Test SixSentences, which stands in for the model without its weights: stored values where it has them, else nan."""

import pytest
import torch

from course_utils import data
from course_utils.models import minilm
from course_utils.models.ablation import ablated
from course_utils.models.stored import SixSentences


@pytest.fixture(scope="module")
def model():
    return SixSentences()


def test_a_stored_sentence_is_read_as_the_model_read_it(model):
    for text, tokens, attn_weights in data.load("sentence_pairs").values():
        encoded = model(text)
        assert encoded.tokens == tokens and torch.equal(encoded.attn_weights, attn_weights)
        assert encoded.hidden_states.shape == (7, len(tokens), 384) and encoded.hidden_states.isnan().all()


def test_any_other_sentence_is_unknown_and_said_to_be(model, capsys):
    encoded = model("Who am I? 🙂 猫")
    assert encoded.tokens == ["[CLS]", "who", "am", "i", "?", "🙂", "猫", "[SEP]"]
    assert encoded.attn_weights.shape == (6, 12, 8, 8) and encoded.attn_weights.isnan().all()
    assert "weights are missing" in capsys.readouterr().out


@pytest.mark.parametrize("layer, head", [(0, 2), (3, 1), (5, 11)])
def test_after_a_silenced_head_all_is_unknown(model, layer, head):
    text = data.load("sentence_pairs")["weak"].text
    before = model(text).attn_weights
    with ablated(model.layers[layer].attention, head):
        known = model(text).attn_weights.isfinite().all(dim=(1, 2, 3)).tolist()
        assert torch.equal(model(text).attn_weights[: layer + 1], before[: layer + 1])
    assert known == [number <= layer for number in range(6)]
    assert torch.equal(model(text).attn_weights, before)


@pytest.mark.parametrize("choices", [{"without": [0]}, {"first_place": 1}, {"hidden": [3]}])
def test_a_sentence_read_in_another_way_is_unknown(model, choices):
    _, tokens, _ = sentence = data.load("sentence_pairs")["weak"]
    found = model(sentence.text, **choices)
    assert found.tokens == (tokens[1:] if "without" in choices else tokens)
    assert (
        found.attn_weights.shape == (6, 12, len(found.tokens), len(found.tokens)) and found.attn_weights.isnan().all()
    )
    assert found.hidden_states.shape == (7, len(found.tokens), 384)


@pytest.fixture(scope="module", params=[SixSentences, pytest.param(minilm.load, marks=pytest.mark.needs_weights)])
def either(request):
    return request.param()


@pytest.mark.parametrize("sentence, words", [
    ("", "has no words: give the model at least one"), ("  \n\t", "has no words"),
    ("word " * 511, "513 tokens.*shorten it"),
    (None, "one sentence, a str, got NoneType"), (["a", "b"], "got list"), (b"a", "got bytes"), (3, "got int"),
])  # fmt: skip
def test_a_sentence_that_cannot_be_is_refused(either, sentence, words):
    with pytest.raises(ValueError, match=words):
        either(sentence)


@pytest.mark.parametrize("choices, words", [
    ({"without": [6]}, "numbered from 0 to 5, got 6"), ({"hidden": [-1]}, "numbered from 0 to 5, got -1"),
    ({"hidden": [True]}, "got True"), ({"without": range(6)}, "no token is left"),
    ({"hidden": range(6)}, "no token is left"), ({"first_place": -1}, "places are 0 to 511, got -1"),
    ({"first_place": 507}, "got 507 for the first of 6"), ({"first_place": 0.5}, "got 0.5"),
])  # fmt: skip
def test_choices_that_cannot_be(either, choices, words):
    with pytest.raises(ValueError, match=words):
        either("The cat slept.", **choices)


def test_making_it_leaves_the_random_numbers_alone():
    state = torch.get_rng_state()
    SixSentences()
    assert torch.equal(state, torch.get_rng_state())
