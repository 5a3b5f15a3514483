"""Test the course's encoder: its hidden states match those that tools/once/minilm_reference.py has stored."""

import json

import pytest
import torch
from once.minilm_reference import NUM_STATES, SENTENCES, TARGET, WIDTH, picked
from safetensors import safe_open

from course_utils import data, measure
from course_utils.models import minilm

pytestmark = pytest.mark.needs_weights


@pytest.fixture(scope="module")
def model():
    with measure.one_thread():  # with short sentences on a busy machine, threads waiting for each other cost seconds
        yield minilm.load()


def test_hidden_states_equal_the_reference(model):
    with safe_open(TARGET, "pt") as file:
        sentences = json.loads(file.metadata()["sentences"])
        assert sentences == SENTENCES and len(sentences) == 50
        for number, sentence in enumerate(sentences):
            hidden_states = model(sentence).hidden_states
            got = hidden_states.gather(-1, picked(number, hidden_states.shape[1]))  # (7, num_tokens, 6)
            largest = (got - file.get_tensor(f"{number:02}")).abs().max()
            assert got.isfinite().all() and largest <= 1e-5, f"{sentence}: {largest:.1e}"


def test_the_reference_looks_at_every_feature_of_every_layer():
    seen = torch.zeros(NUM_STATES, WIDTH, dtype=torch.bool)
    with safe_open(TARGET, "pt") as file:
        for number in range(len(SENTENCES)):
            num_tokens = file.get_tensor(f"{number:02}").shape[1]
            seen.scatter_(1, picked(number, num_tokens).flatten(1), True)
    assert seen.all()


def test_what_a_sentence_gives(model):
    encoded = model("The robot was weak.")
    assert encoded.tokens == ["[CLS]", "the", "robot", "was", "weak", ".", "[SEP]"]
    assert encoded.attn_weights.shape == (6, 12, 7, 7)
    assert encoded.hidden_states.shape == (7, 7, 384)
    torch.testing.assert_close(encoded.attn_weights.sum(-1), torch.ones(6, 12, 7))
    assert not encoded.hidden_states.requires_grad and not model.training


def test_the_stored_sentences_are_what_the_model_gives(model):
    for text, tokens, attn_weights in data.load("sentence_pairs").values():
        encoded = model(text)
        assert encoded.tokens == tokens
        torch.testing.assert_close(encoded.attn_weights, attn_weights, rtol=0, atol=1e-3)


def test_known_heads(model):
    """Head 2 of layer 0 attends to the previous token, head 8 of layer 1 to the next one."""
    attn_weights = model("The old dog slept under the kitchen table while the children played outside.").attn_weights
    assert attn_weights[0, 2].diagonal(-1)[1:].mean() > 0.98
    assert attn_weights[1, 8].diagonal(1)[:-1].mean() > 0.5


def test_gradients_flow_where_the_caller_wants_them(model):
    values = model.layers[2].attention.W_value.weight
    try:
        values.requires_grad_()
        hidden_states = model("The cat slept.").hidden_states
        hidden_states[-1].sum().backward()
        assert values.grad.isfinite().all() and values.grad.any()
        with torch.no_grad():
            assert not model("The cat slept.").hidden_states.requires_grad
    finally:
        values.requires_grad_(False).grad = None


def test_emoji_and_other_languages_just_work(model):
    for sentence in ("🙂", "猫は川を渡れなかった。", "Кошка", "?"):
        assert model(sentence).hidden_states.isfinite().all()


def test_512_tokens_are_the_most(model):
    assert len(model("word " * 510).tokens) == 512
    with pytest.raises(ValueError, match="513 tokens.*512: shorten it"):
        model("word " * 511)


def test_a_token_that_is_left_out_was_never_there(model):
    found = model("The cat slept.", without=[0])
    assert found.tokens == ["the", "cat", "slept", ".", "[SEP]"] and found.attn_weights.shape == (6, 12, 5, 5)
    words = model.word_embeddings[torch.tensor(model.tokenizer.encode("The cat slept.").ids[1:])]
    places, kind = model.position_embeddings[:5], model.token_type_embeddings[0]
    torch.testing.assert_close(found.hidden_states[0], model.embedding_norm(words + places + kind))


def test_the_first_place_can_be_another(model):
    """With a token left out and the others at their old places, the embeddings are the whole's without that row."""
    whole, found = model("The cat slept."), model("The cat slept.", without=[0], first_place=1)
    torch.testing.assert_close(found.hidden_states[0], whole.hidden_states[0, 1:])
    assert not torch.allclose(found.hidden_states[1], whole.hidden_states[1, 1:], atol=0.01)


def test_no_one_attends_to_a_hidden_token(model):
    found = model("The cat slept.", hidden=[0, 2])
    assert found.tokens == model("The cat slept.").tokens
    assert (found.attn_weights[..., [0, 2]] == 0).all() and (found.attn_weights[..., [1, 3]] > 0).all()
    torch.testing.assert_close(found.attn_weights.sum(-1), torch.ones(6, 12, 6))


def test_half_a_surrogate_pair(model):
    with pytest.raises(ValueError, match="no valid Unicode"):
        model("\ud83d hello")


def test_loading_leaves_the_random_numbers_alone(model):
    state = torch.get_rng_state()
    minilm.load()
    assert torch.equal(state, torch.get_rng_state())
