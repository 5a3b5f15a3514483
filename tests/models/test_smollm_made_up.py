"""Test what the language model does whatever its weights are: reading, writing, and refusals, on a made-up one."""

import re

import pytest
import torch

from course_utils.models import made_up, smollm
from course_utils.models.ablation import ablated
from course_utils.models.sampling import Choice

TEXT = "Über 🙂"  # 10 bytes, and as many tokens


@pytest.fixture(scope="module")
def model():
    return made_up.language_model()


def test_what_a_text_gives(model):
    reading = model(TEXT)
    assert len(reading.tokens) == 10 and reading.tokens[2:6] == ["b", "e", "r", " "]
    assert reading.tokens[:2] == ["Ã", "ľ"]  # two bytes of one character, as the vocabulary spells them
    assert reading.attn_weights.shape == (2, 4, 10, 10) and reading.logits.shape == (10, 258)
    torch.testing.assert_close(reading.attn_weights.sum(-1), torch.ones(2, 4, 10))
    assert not reading.attn_weights.triu(1).any() and not reading.logits.requires_grad


@pytest.mark.parametrize("kind", [list, tuple, torch.tensor])
def test_ids_are_read_as_their_text_is(model, kind):
    ids = model.ids(TEXT)
    assert torch.equal(model(kind(ids)).logits, model(TEXT).logits)
    assert list(model.write(kind(ids), 3)) == list(model.write(TEXT, 3))
    assert torch.equal(model.reader()(kind(ids)), model.reader()(TEXT))


@pytest.mark.parametrize("options", [{}, {"temperature": 1.0}, {"temperature": 2.0, "top_k": 5, "seed": 3}])
def test_a_cache_changes_nothing(model, options):
    with_cache, without = (list(model.write(TEXT, 20, cache=cache, **options)) for cache in (True, False))
    assert [token.id for token in with_cache] == [token.id for token in without]
    for one, other in zip(with_cache, without, strict=True):
        torch.testing.assert_close(one.logits, other.logits)


@pytest.mark.parametrize("cache", [True, False])
def test_each_token_can_have_the_weights_of_the_token_before_it(model, cache):
    tokens = list(model.write(TEXT, 5, cache=cache, need_weights=True))
    ids = model.ids(TEXT)
    attn_weights = model([*ids, *(token.id for token in tokens)]).attn_weights
    for end, token in enumerate(tokens, len(ids)):
        torch.testing.assert_close(token.attn_weights, attn_weights[:, :, end - 1, :end])
    assert next(model.write(TEXT, 1)).attn_weights is None


def test_greedy_tokens_are_the_largest_logits_of_what_was_read(model):
    tokens = list(model.write(TEXT, 12))
    ids = model.ids(TEXT)
    logits = model([*ids, *(token.id for token in tokens)]).logits
    assert logits[len(ids) - 1 : -1].argmax(-1).tolist() == [token.id for token in tokens]
    torch.testing.assert_close(torch.stack([token.logits for token in tokens]), logits[len(ids) - 1 : -1])


def written(ids, number):
    """Return the list of tokens that a model writes, at most `number`, if it chooses the tokens with these ids."""
    model, planned = made_up.language_model(), iter(ids)
    model._next = lambda *_: (torch.nn.functional.one_hot(torch.tensor(next(planned)), 258).float(), None)
    return list(model.write("x", number))


def test_joined_tokens_are_the_text_and_parts_of_a_character_wait(model):
    assert written(model.tokenizer.encode("a🙂é!").ids, 8) == ["a", "", "", "", "🙂", "", "é", "!"]


def test_bytes_that_are_no_character_do_not_wait_for_ever(model):
    assert written(model.tokenizer.encode("🙂").ids[-1:] * 5, 5) == ["", "", "", "\ufffd" * 4, ""]


@pytest.mark.parametrize("end", made_up.CONFIG.end_tokens)
def test_writing_stops_at_an_end_token_which_is_not_yielded(model, end):
    assert written([*model.tokenizer.encode("ab").ids, end], 8) == ["a", "b"]


def test_a_made_up_model_follows_its_seed_and_leaves_the_random_numbers_alone():
    state = torch.get_rng_state()
    one, same, other = (made_up.language_model(seed)(TEXT).logits for seed in (1, 1, 2))
    assert torch.equal(one, same) and not torch.allclose(one, other)
    assert torch.equal(state, torch.get_rng_state())


def test_a_made_up_model_of_other_sizes():
    model = made_up.language_model(num_layers=3, num_heads=9, key_heads=3, width=36, end_tokens=())
    reading = model(TEXT)
    assert reading.attn_weights.shape == (3, 9, 10, 10) and len(list(model.write(TEXT, 300))) == 300
    assert (reading.logits.argmax(-1) != torch.tensor(model.ids(TEXT))).any()  # not each token foresees itself


def test_the_same_seed_writes_the_same_and_leaves_the_random_numbers_alone(model):
    state = torch.get_rng_state()
    one, same, other = ("".join(model.write(TEXT, 20, temperature=2.0, seed=seed)) for seed in (1, 1, 2))
    assert one == same != other
    assert torch.equal(state, torch.get_rng_state())


def test_tokens_come_one_at_a_time(model):
    tokens = model.write(TEXT, 1000)
    first = next(tokens)
    assert isinstance(first, str) and isinstance(first.id, int) and first.logits.shape == (258,)
    assert torch.is_grad_enabled()
    tokens.close()


# reading piece by piece


@pytest.mark.parametrize("sizes", [[10], [1] * 10, [3, 1, 6], [9, 1]])
def test_a_reader_gives_the_scores_after_each_piece(model, sizes):
    ids, logits, read, end = model.ids(TEXT), model(TEXT).logits, model.reader(10), 0
    for size in sizes:
        begin, end = end, end + size
        torch.testing.assert_close(read(ids[begin:end]), logits[end - 1])


def test_two_readers_read_two_texts(model):
    one, other = model.reader(9), model.reader(9)
    one([70]), other([71])
    torch.testing.assert_close(one([72]), model([70, 72]).logits[-1])
    torch.testing.assert_close(other([72]), model([71, 72]).logits[-1])


def test_what_a_reader_refuses_is_not_read(model):
    read = model.reader(3)
    read([70, 71])
    for ids, words in [([], "the text is empty"), ([258], "from 0 to 257, got 258"), (None, "got NoneType"),
                       ([72, 73], "2 tokens have been read, and with 2 more they are more than 3")]:  # fmt: skip
        with pytest.raises(ValueError, match=words):
            read(ids)
    torch.testing.assert_close(read([72]), model([70, 71, 72]).logits[-1])


@pytest.mark.parametrize("most", [0, 2049, 2.0, True, None])
def test_a_reader_without_room(model, most):
    with pytest.raises(ValueError, match=f"most must be a whole number from 1 to 2048, got {most}"):
        model.reader(most)


# choosing


def test_drawn_tokens_have_the_shares_of_softmax():
    logits, choice = torch.tensor([1.0, 3.0, 2.0, -torch.inf]), Choice(temperature=0.5)
    counts = torch.tensor([choice(logits) for _ in range(4000)]).bincount(minlength=4) / 4000
    torch.testing.assert_close(counts, torch.softmax(logits / 0.5, -1), rtol=0, atol=0.03)


@pytest.mark.parametrize(
    ("options", "allowed"),
    [({}, {1}), ({"temperature": 5.0, "top_k": 2}, {1, 2}), ({"temperature": 5.0, "top_k": 9}, {0, 1, 2}),
     ({"temperature": 1e-300}, {1}), ({"temperature": 3.0, "top_k": 1}, {1})],
)  # fmt: skip
def test_what_may_be_drawn(options, allowed):
    choice = Choice(**options)
    assert {choice(torch.tensor([1.0, 3.0, 2.0])) for _ in range(200)} == allowed


def test_greedy_takes_the_first_of_equal_tokens():
    assert Choice()(torch.tensor([1.0, 3.0, 3.0])) == 1


# heads and gradients


def test_a_silenced_head_changes_what_comes_after_its_layer_alone(model):
    before = model(TEXT)
    with ablated(model.layers[0].attention, 1, 3):
        without = model(TEXT)
        written = "".join(model.write(TEXT, 5))
    assert torch.equal(before.attn_weights[0], without.attn_weights[0])
    assert not torch.allclose(before.attn_weights[1], without.attn_weights[1])
    assert not torch.allclose(before.logits, without.logits) and isinstance(written, str)
    assert torch.equal(model(TEXT).logits, before.logits)


def test_gradients_flow_where_the_caller_wants_them():
    model = made_up.language_model().requires_grad_()
    model(TEXT).logits[-1].sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


# refusals


@pytest.mark.parametrize(
    ("text", "words"),
    [(None, "got NoneType"), (b"a", "got bytes"), (7, "got int"), (["a", "b"], "from 0 to 257, got 'a'"),
     ([1.0], "got 1.0"), ([True], "got True"), ([258], "got 258"), ([-1], "got -1"), (torch.tensor([[1]]), "got [1]"),
     ("\ud83d hello", "no valid Unicode"),
     *((empty, "the text is empty: give the model at least one token") for empty in ("", [], torch.tensor([]).long()))],
)  # fmt: skip
def test_something_that_is_no_text(model, text, words):
    for use in (model, model.write):
        with pytest.raises(ValueError, match=re.escape(words)):
            use(text)


def test_more_tokens_than_memory_allows_are_refused_first(model, monkeypatch):
    monkeypatch.setattr(smollm.F, "embedding", None)  # nothing may be computed
    with pytest.raises(ValueError, match="the text has 513 tokens, and the model reads at most 512 at once"):
        model("a" * 513)
    with pytest.raises(ValueError, match="2000 tokens and 49 new ones are more than 2048"):
        model.write("a" * 2000, 49)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"temperature": -0.1}, "temperature must be a number of at least 0, got -0.1"),
     ({"temperature": None}, "got None"),
     ({"temperature": float("nan")}, "got nan"), ({"temperature": float("inf")}, "got inf"),
     ({"top_k": 0}, "top_k must be a whole number of at least 1, or None for all tokens, got 0"),
     ({"top_k": 2.0}, "got 2.0"), ({"seed": 0.5}, "seed must be a whole number, got 0.5"),
     ({"num_new": 0}, "num_new must be a whole number of at least 1, got 0"), ({"num_new": True}, "got True")],
)  # fmt: skip
def test_numbers_out_of_range_are_refused_before_the_first_token(model, options, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        model.write(TEXT, **options)
