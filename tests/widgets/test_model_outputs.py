"""Test that weights as a model of transformers returns them are shown, and what the views say where there are none.

The tensors here are made up; tests/models/test_transformers.py has real models.
"""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from course_utils import plots
from course_utils.inputs import as_weights
from course_utils.widgets import AttentionLab, HeadsView, SentenceView, StepScrubber

TOKENS = [*"abcde"]
KEYS = [*"vwxyz"]


def layer(*shape, dtype=torch.float32, seed=0):
    """Return weights of a layer as a model returns them: they need gradients."""
    scores = torch.randn(*shape, generator=torch.Generator().manual_seed(seed))
    return scores.softmax(-1).to(dtype).requires_grad_()


LAYERS = tuple(layer(1, 2, 5, 5, seed=seed) for seed in range(3))
SHOW = {
    "HeadsView": lambda weights: HeadsView(weights, TOKENS),
    "compare": lambda weights: HeadsView(torch.cat(LAYERS), TOKENS, compare=weights),
    "SentenceView": lambda weights: SentenceView(weights, TOKENS),
    "StepScrubber": lambda weights: StepScrubber(weights, TOKENS),
    "attention_heatmap": lambda weights: plots.attention_heatmap(weights, TOKENS),
}
# compare=None is allowed: then there is nothing to compare with.
OF_WEIGHTS = [name for name in SHOW if name != "compare"]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("form", [tuple, list])
def test_a_tuple_of_layers_becomes_an_array_with_an_axis_of_layers(form, dtype):
    given = form(one.detach().to(dtype).requires_grad_() for one in LAYERS)
    expected = torch.cat(given).detach().float().numpy()
    found = as_weights(given)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == np.float32


def test_every_view_takes_a_tuple_of_layers_and_lists_of_heads_of_any_dtype_are_stacked():
    for name in ("HeadsView", "compare", "SentenceView", "StepScrubber"):
        view = SHOW[name](LAYERS)
        np.testing.assert_array_equal(view._array, torch.cat(LAYERS).detach())
        assert view.to_html() and view.picture()
    heads = [one[0].bfloat16() for one in LAYERS]
    assert HeadsView(heads, TOKENS).shape == [3, 2, 5, 5]
    assert HeadsView([[*one] for one in heads], TOKENS).shape == [3, 2, 5, 5]
    assert plots.heads_map([one.mean((1, 2)) for one in heads], label="mean").axes


def test_a_layer_of_one_sample_is_drawn_and_shown():
    figure = plots.attention_heatmap(LAYERS[0], TOKENS)
    for panel, head in zip(figure.axes, LAYERS[0][0], strict=False):
        np.testing.assert_array_equal(panel.collections[0].get_array().reshape(5, 5), head.detach())
    assert plots.attention_heatmap(LAYERS[:1], TOKENS).caption == figure.caption
    assert AttentionLab(lambda: LAYERS[0], TOKENS).answer["shape"] == [1, 2, 5, 5]
    assert HeadsView(layer(1, 2, 5, 5), TOKENS, KEYS).shape == [1, 2, 5, 5]
    with pytest.raises(ValueError, match=r"\(3, 2, 5, 5\) have 3 layers or samples.*give attn_weights\[0\]"):
        plots.attention_heatmap(LAYERS, TOKENS)


@pytest.mark.parametrize(
    ("name", "nothing"), [*itertools.product(OF_WEIGHTS, [None, (), [], (None, None)]), ("compare", ())], ids=str
)
def test_without_weights_the_words_say_how_to_load_the_model(name, nothing):
    with pytest.raises(
        ValueError, match=r'^(attn_weights|compare) must be weights, got .*"eager".*output_attentions=True'
    ):
        SHOW[name](nothing)


def outputs(name="CausalLMOutput", **kinds):
    return type(name, (SimpleNamespace,), {})(**kinds)


@pytest.mark.parametrize("name", OF_WEIGHTS)
@pytest.mark.parametrize(
    ("given", "words"),
    [
        (outputs(attentions=LAYERS), r"all outputs of a model \(CausalLMOutput\): give \.attentions alone"),
        (outputs(attentions=None), r'got CausalLMOutput\. .*attn_implementation="eager"'),
        (
            outputs(encoder_attentions=LAYERS, decoder_attentions=LAYERS, cross_attentions=()),
            r"give \.encoder_attentions or \.decoder_attentions alone",
        ),
        ((torch.zeros(1, 5, 8), object(), LAYERS), r"all outputs of a model \(tuple\): give \[2\] alone"),
        ((LAYERS, tuple(layer(1, 2, 1, keys) for keys in (6, 6, 6))), r"as generate\(\) returns them: give one"),
        ((None, *LAYERS[:1], None), r"got None for layer 0, layer 2.*if layer is not None"),
        ((layer(1, 4, 5, 5), *LAYERS), r"one shape, got \(1, 4, 5, 5\) and \(1, 2, 5, 5\)"),
        ((layer(1, 2, 5, 9), layer(1, 2, 5, 8)), r"one shape, got \(1, 2, 5, 9\) and \(1, 2, 5, 8\)"),
        ((layer(4, 2, 5, 5),) * 3, r"one sample, got layers of shape \(4, 2, 5, 5\).*\[layer\[:1\] for layer in"),
        ((layer(0, 2, 5, 5),) * 3, r"one sample, got layers of shape \(0, 2, 5, 5\)"),
        ({"a": 1}, "must be a tensor, or numbers in rows of one length, got dict"),
    ],
)  # fmt: skip
def test_what_is_not_the_weights_of_one_text_is_refused_in_words(name, given, words):
    with pytest.raises(ValueError, match=words):
        SHOW[name](given)


def test_what_the_words_advise_works():
    batch = (layer(4, 2, 5, 5),) * 3
    assert HeadsView([layer[:1] for layer in batch], TOKENS).shape == [3, 2, 5, 5]
    assert HeadsView(batch[0], TOKENS, axis="sample").shape == [4, 2, 5, 5]
    assert HeadsView([layer for layer in (None, *LAYERS) if layer is not None], TOKENS).shape == [3, 2, 5, 5]
    step = tuple(layer(1, 2, 1, 5) for _ in range(3))
    assert HeadsView(step, ["new"], TOKENS).shape == [3, 2, 1, 5]


def test_rows_of_half_precision_sum_to_1_within_what_the_view_allows():
    """The view calls a sum "not 1" from 0.02 on: rounded to bfloat16, the weights of a row lose a fifth of that."""
    rows = torch.randn(100, 60, generator=torch.Generator().manual_seed(0)).softmax(-1)
    even = torch.full((60, 60), 1 / 60)
    for weights in (rows, even):
        sums = as_weights([weights.bfloat16()]).sum(-1, dtype="f8")
        assert np.abs(sums - 1).max() < 0.005
