"""Test course_utils.properties: each holds for the course's attention, and fails where just that is broken."""

import pytest
import torch
from torch import nn

from course_utils import attention, properties

INPUTS = torch.randn(3, 5, 6, generator=torch.Generator().manual_seed(0))


def plain(x):
    return attention.scaled_dot_product_attention(x, x, x)


def masked(keep):
    return lambda x: attention.scaled_dot_product_attention(x, x, x, mask=keep(x.shape[1]))


def folded(x):
    """Attend over the batch as one long sequence, so that each token sees the other samples; x (batch, tokens, d)."""
    flat = x.flatten(0, 1)
    return attention.scaled_dot_product_attention(flat, flat, flat)[0].view(x.shape)


MODULES = {
    "SelfAttention": (attention.SelfAttention(6, 4), False),
    "CausalAttention": (attention.CausalAttention(6, 4, context_length=8, dropout=0.5), True),
    "StackedHeads": (attention.StackedHeads(6, 2, context_length=8, num_heads=3, dropout=0.5), True),
    "MultiHeadAttention": (attention.MultiHeadAttention(6, 4, 2, dropout=0.5), False),
    "MultiHeadAttention, causal": (attention.MultiHeadAttention(6, 4, 2, causal=True), True),
}


@pytest.mark.parametrize("name", MODULES)
def test_the_modules_of_the_course_have_their_properties(name):
    module, causal = MODULES[name]
    assert properties.no_leak(module, INPUTS) == causal
    assert properties.permutation_equivariant(module, INPUTS) != causal
    assert properties.samples_independent(module, INPUTS)
    assert properties.rows_sum_to_one(module.eval()(INPUTS)[1])


@pytest.mark.parametrize("diagonal", [1, 2, 3])
def test_a_leak_of_any_one_token_is_found(diagonal):
    def keep(n):
        return attention.causal_mask(n) | torch.ones(n, n).triu(diagonal).tril(diagonal).bool()

    assert properties.no_leak(masked(attention.causal_mask), INPUTS)
    assert not properties.no_leak(masked(keep), INPUTS)


def test_a_leak_in_one_sample_alone_is_found():
    mask = attention.causal_mask(5).expand(3, 5, 5).clone()
    mask[2, 0, 4] = True
    assert not properties.no_leak(lambda x: attention.scaled_dot_product_attention(x, x, x, mask=mask), INPUTS)


def test_samples_that_meet_are_found():
    assert properties.samples_independent(plain, INPUTS)
    assert not properties.samples_independent(folded, INPUTS)


@pytest.mark.parametrize("num_tokens", [4, 5, 8])
def test_order_that_matters_is_found_where_it_goes_around(num_tokens):
    """A penalty on the distance around a circle stays the same if the tokens are rotated, or taken in reverse."""
    places = torch.arange(num_tokens)
    apart = (places[:, None] - places).abs()
    penalty = torch.minimum(apart, num_tokens - apart)

    def attend(x):
        return torch.softmax(x @ x.transpose(-2, -1) - penalty, dim=-1) @ x

    inputs = torch.randn(2, num_tokens, 6, generator=torch.Generator().manual_seed(0))
    assert not properties.permutation_equivariant(attend, inputs)


def test_rows_of_weights():
    weights = torch.softmax(torch.randn(2, 4, 5, generator=torch.Generator().manual_seed(1)), dim=-1)
    assert properties.rows_sum_to_one(weights)
    assert not properties.rows_sum_to_one(weights.transpose(-2, -1))
    assert not properties.rows_sum_to_one(weights * 0.99)
    assert not properties.rows_sum_to_one(torch.tensor([[1.5, -0.5]]))
    for odd in ([torch.nan, 1.0], [torch.nan, torch.nan], [torch.inf, -torch.inf], [0.0, torch.inf]):
        assert not properties.rows_sum_to_one(torch.tensor([[0.5, 0.5], odd]))
    assert properties.rows_sum_to_one(torch.tensor([[0.0, 0.0], [0.5, 0.5]]))


def test_a_module_keeps_its_mode_and_the_inputs_their_numbers():
    module = nn.Sequential(nn.Linear(6, 6), nn.Dropout(0.5)).train()
    module[1].eval()
    kept = INPUTS.clone()
    assert properties.no_leak(module, INPUTS)
    assert module.training and not module[1].training
    assert torch.equal(INPUTS, kept)


THREE = [properties.no_leak, properties.samples_independent, properties.permutation_equivariant]


@pytest.mark.parametrize("size", [torch.nan, torch.inf])
@pytest.mark.parametrize("test", THREE)
def test_outputs_that_are_nowhere_finite_tell_nothing(test, size):
    """If no output is finite, each test raises ValueError; here every output depends on all tokens of all samples."""
    with pytest.raises(ValueError, match="none of the 90 outputs is finite.*isfinite"):
        test(lambda x: (x + x.sum(dim=(0, 1))).abs() * size, INPUTS)


@pytest.mark.parametrize("test", THREE)
def test_nan_that_a_change_brings_is_a_change(test):
    assert not test(lambda x: x + (0.0 if torch.equal(x, INPUTS) else torch.nan), INPUTS)


def test_rows_that_are_nan_all_along_hide_no_leak_of_the_others():
    """no_leak finds leaks in other rows, although PyTorch's layer gives nan where a token may attend to nothing."""

    def attend(keep):
        layer = nn.MultiheadAttention(6, 2, batch_first=True)
        return lambda x: layer(x, x, x, attn_mask=~keep)

    keep = attention.causal_mask(5)
    keep[0] = False
    assert attend(keep)(INPUTS)[0][:, 0].isnan().all()
    assert properties.no_leak(attend(keep), INPUTS)
    keep[1, 4] = True
    assert not properties.no_leak(attend(keep), INPUTS)


@pytest.mark.parametrize("test", [properties.no_leak, properties.permutation_equivariant])
def test_one_token_cannot_be_tested(test):
    with pytest.raises(ValueError, match=r"\(3, 1, 6\).*at least 2 tokens"):
        test(plain, INPUTS[:, :1])


@pytest.mark.parametrize("inputs", [INPUTS[:1], INPUTS[0]])
def test_one_sample_cannot_be_tested(inputs):
    with pytest.raises(ValueError, match="at least 2 samples"):
        properties.samples_independent(plain, inputs)


# positions

QUERIES, KEYS = torch.randn(2, 3, 2, 5, 8, generator=torch.Generator().manual_seed(2))  # (batch, num_heads, 5, 8) each
SPEEDS = torch.tensor([1.0, 0.1, 0.01, 0.001])


def rotate(x, places, speeds):
    """Rotate neighbouring numbers of x (…, tokens, d) by places * speeds, with complex products."""
    turns = torch.polar(torch.ones(len(places), len(speeds)), places[:, None] * speeds)
    return torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous()) * turns).flatten(-2)


def sinusoids(places):
    angles = places[:, None] * SPEEDS
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


def products(queries, keys):
    return queries @ keys.transpose(-2, -1)


def rotary(places):
    return products(rotate(QUERIES, places, SPEEDS), rotate(KEYS, places, SPEEDS))


def alibi(places):
    return products(QUERIES, KEYS) - torch.tensor([0.5, 0.25]).view(2, 1, 1) * (places[:, None] - places).abs()


def masked_after(scores_at):
    return lambda places: scores_at(places).masked_fill(~attention.causal_mask(len(places)), -torch.inf)


def random_linear(seed):
    return torch.randn(8, 8, generator=torch.Generator().manual_seed(seed)) / 8**0.5


TABLE = torch.randn(16, 8, generator=torch.Generator().manual_seed(3))
DISTANCE_COUNTS_ALONE = {
    "rotary": rotary,
    "rotary, masked": masked_after(rotary),
    "large rotary": lambda places: 1000 * rotary(places),
    "a penalty": alibi,
    "a number for each distance": lambda places: products(QUERIES, KEYS) + (places[:, None] - places).sin(),
    "sinusoids, bare": lambda places: products(sinusoids(places), sinusoids(places)),
    "no places": lambda places: products(QUERIES, KEYS),
}
MORE_COUNTS = {
    "a table": lambda places: products(QUERIES + TABLE[places % 16], KEYS + TABLE[places % 16]),
    "a weak table": lambda places: products(QUERIES + TABLE[places % 16] / 50, KEYS + TABLE[places % 16] / 50),
    "sinusoids behind matrices": lambda places: products(
        sinusoids(places) @ random_linear(4), sinusoids(places) @ random_linear(5)
    ),
    "sinusoids, added to words": lambda places: products(QUERIES + sinusoids(places), KEYS + sinusoids(places)),
    "queries turned alone": lambda places: products(rotate(QUERIES, places, SPEEDS), KEYS),
    "keys turned the other way": lambda places: products(
        rotate(QUERIES, places, SPEEDS), rotate(KEYS, places, -SPEEDS)
    ),
    "a penalty on places": lambda places: products(QUERIES, KEYS) - 0.1 * places,
    "other vectors each time": lambda places: products(QUERIES, KEYS) * torch.rand(()),
}


@pytest.mark.parametrize("name", DISTANCE_COUNTS_ALONE)
def test_scores_of_the_distance_alone(name):
    assert properties.distance_alone(DISTANCE_COUNTS_ALONE[name], 5) is True


@pytest.mark.parametrize("name", MORE_COUNTS)
def test_scores_of_more_than_the_distance(name):
    assert properties.distance_alone(MORE_COUNTS[name], 5) is False


def test_a_table_is_moved_as_far_as_it_reaches():
    table = nn.Embedding(8, 8)
    assert not properties.distance_alone(lambda places: products(table(places), table(places)), 5, shifts=(1, 3))
    with torch.no_grad():
        table.weight.copy_(torch.ones(8, 8))
    assert properties.distance_alone(lambda places: products(table(places), table(places)), 5, shifts=(1, 3))


def test_scores_that_do_not_fit_are_refused_in_words():
    with pytest.raises(
        ValueError, match=r"gave a shape of \(3, 2, 5, 8\); needed is \(..., 5, 5\), a row for each query"
    ):
        properties.distance_alone(lambda places: QUERIES, 5)
    with pytest.raises(ValueError, match="none of the 150 scores is finite"):
        properties.distance_alone(lambda places: products(QUERIES, KEYS) * torch.nan, 5)
