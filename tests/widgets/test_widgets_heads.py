"""Test HeadsView and StepScrubber without a browser: what they refuse, send, store and print.

tests/browser tests them in a browser.
"""

import base64
import io
import re

import numpy as np
import pytest
import torch
from PIL import Image

from course_utils.theme import EITHER
from course_utils.widgets import HeadsView, StepScrubber
from course_utils.widgets.maps.heads_picture import cells, heads_picture
from course_utils.widgets.shared.head_weights import entropies, pack

TOKENS = [*"abcde"]
WEIGHTS = torch.rand(3, 2, 5, 5, generator=torch.Generator().manual_seed(0)).softmax(-1)  # (layers, heads, q, k)


@pytest.mark.parametrize("num_keys", [60, 512])
def test_rows_of_many_small_weights_keep_their_sums_as_bytes(num_keys):
    """Rounded one by one, rows of 60 equal weights would sum to 0.94, which the view would call dropped or masked."""
    even = np.full((2, num_keys, num_keys), 1 / num_keys, dtype="f4")
    random = torch.randn(2, num_keys, num_keys, generator=torch.Generator().manual_seed(0)).softmax(-1)
    weights = np.concatenate([even, random, np.eye(num_keys, dtype="f4")[None]])
    sent = np.frombuffer(pack(weights, 1.0, limit=0), "u1").reshape(weights.shape) / 254
    np.testing.assert_allclose(sent.sum(-1), 1, atol=0.002)
    np.testing.assert_array_equal(sent[-1], np.eye(num_keys))


def test_small_weights_travel_exactly_and_twelve_layers_of_twelve_heads_are_under_a_megabyte():
    sent = np.frombuffer(HeadsView(WEIGHTS, TOKENS).weights, "<f4").reshape(WEIGHTS.shape)
    np.testing.assert_array_equal(sent, WEIGHTS)
    view = HeadsView(np.full((12, 12, 64, 64), 1 / 64), [f"token {i}" for i in range(64)], axis="layer")
    state = view.get_state()
    assert sum(len(value) if isinstance(value, bytes) else len(repr(value)) for value in state.values()) < 1_000_000


def test_the_scale_ends_at_the_largest_finite_weight_and_entropies_count_zeros_as_nothing_and_leave_rows_with_nan_out():
    first, second = [[[np.inf, 0.5], [0, 0]]], [[[np.nan, 0.75], [0, 0]]]
    assert HeadsView(first, "ab", compare=second).high == 0.75
    weights = [[[0.5, 0.5], [1.0, 0.0]], [[np.nan, 1.0], [0.5, 0.5]], [[np.nan, 1.0], [np.nan, 0.0]]]
    np.testing.assert_allclose(entropies(weights), [np.log(2) / 2, np.log(2), np.nan])


def test_the_text_tells_shape_and_entropies_but_of_a_training_no_trained_numbers():
    uniform = np.full((2, 4, 5), 1 / 5)
    expected = "HeadsView: 2 heads, 4 queries x 5 keys; entropy per head: 1.61 1.61"
    assert repr(HeadsView(uniform, "abcd", TOKENS)) == expected
    start = "HeadsView: 3 layers x 2 heads, 5 queries x 5 keys; entropy per head in layer 1: "
    assert repr(HeadsView(WEIGHTS, TOKENS, layer=1)).startswith(start)
    views = [
        StepScrubber(weights, TOKENS, steps=[0, 10, 50], curves={"loss": [2, np.nan, np.inf]})
        for weights in (WEIGHTS, WEIGHTS**2)
    ]
    assert views[0].curves == {"loss": [2.0, None, None]}
    assert repr(views[0]) == repr(views[1])
    assert repr(views[0]) == "StepScrubber: 3 steps x 2 heads, 5 queries x 5 keys; from step 0 to step 50"


@pytest.mark.parametrize("view", [HeadsView(WEIGHTS, TOKENS), StepScrubber(WEIGHTS, TOKENS)])
def test_the_picture_in_the_bundle_turns_dark(view):
    packed = re.search(r'base64,([^"]*)"', view._repr_mimebundle_()[0]["text/html"])[1]
    svg = base64.b64decode(packed).decode()
    assert EITHER in svg and set(re.findall('<image class="(.*?)"', svg)) == {"light", "dark"}
    for packed in re.findall('base64,([^"]*)"', svg):
        Image.open(io.BytesIO(base64.b64decode(packed))).verify()


def test_the_bundle_holds_the_live_html_only_where_it_is_asked_for(monkeypatch):
    view = HeadsView(WEIGHTS, TOKENS)
    stored, _ = view._repr_mimebundle_()
    assert "<script" not in stored["text/html"]
    monkeypatch.setenv("COURSE_LIVE_HTML", "text/x-live")
    assert view._repr_mimebundle_()[0] == stored | {"text/x-live": view.to_shared_html()}


@pytest.mark.parametrize(("name", "upright"), [("l", True), ("li", True), ("lll", False)])
def test_short_names_of_columns_stand_upright(name, upright):
    svg, _, _ = heads_picture({}, {"": np.zeros((1, 1))}, 1, [name], [name])
    assert f">{name}</text>" in svg and ("rotate(-90" in svg) != upright


def test_nan_is_grey_in_the_picture_and_both_runs_stand_there():
    assert HeadsView(WEIGHTS, TOKENS, compare=WEIGHTS).picture()[1] > HeadsView(WEIGHTS, TOKENS).picture()[1]
    for png, grey in zip(cells(np.full((4, 4), np.nan), 1.0), (0xBF, 0x7A), strict=True):
        assert Image.open(io.BytesIO(png)).convert("RGB").getcolors() == [(16, (grey,) * 3)]
