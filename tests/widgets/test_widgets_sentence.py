"""Test SentenceView without a browser: what it refuses, sends, stores and says. tests/browser tests it in a browser."""

import re

import numpy as np
import pytest
import torch
from PIL import ImageFont

from course_utils.widgets import SentenceView
from course_utils.widgets.shared import svg

WEAK = "it was too weak".split()
STEEP = "it was too steep".split()
FIRST, SECOND = torch.rand(2, 3, 2, 4, 4, generator=torch.Generator().manual_seed(0)).softmax(-1)
ACROSS = torch.rand(2, 4, 6, generator=torch.Generator().manual_seed(1)).softmax(-1)
LINE = [*"abcdef"]


def test_in_the_other_direction_a_key_may_be_chosen():
    view = SentenceView(ACROSS, WEAK, LINE)
    assert repr(view).startswith("SentenceView: 2 heads x 4 words above 6; weak looks most")
    view.set_state({"asked": True, "query": 5})
    assert view.query == 5
    assert view.alt() == _expected("f", "is looked at most by", WEAK, ACROSS[0, :, 5], "then by")
    view.asked = False
    assert view.alt() == _expected(WEAK[3], "looks most at", LINE, ACROSS[0, 3], "then at")


@pytest.mark.parametrize(
    ("others", "names"),
    [
        (STEEP, ["weak", "steep"]),
        ("he was not weak".split(), ["it too", "he not"]),
        (WEAK, ["first", "second"]),
        ("so many words differ".split(), ["first", "second"]),
    ],
)
def test_the_switch_is_named_by_the_words_that_differ(others, names):
    assert SentenceView(FIRST, WEAK, compare=SECOND, compare_tokens=others).names == names


def _expected(word, verb, names, weights, then):
    most = sorted(zip(weights.tolist(), names, strict=True), reverse=True)[:3]
    first, second, third = (f"{name} ({weight:.2f})" for weight, name in most)
    return f"{word} {verb} {first}, {then} {second} and {third}"


@pytest.mark.parametrize("query", range(4))
def test_it_says_what_the_chosen_word_looks_at_also_of_weights_that_still_train(query):
    first, second = (weights.clone().requires_grad_() for weights in (FIRST, SECOND))
    view = SentenceView(first, WEAK, compare=second, compare_tokens=STEEP, layer=2, head=1, query=query)
    assert view.alt() == _expected(WEAK[query], "looks most at", WEAK, FIRST[2, 1, query], "then at")
    assert repr(view) == f"SentenceView: 3 layers x 2 heads x 4 words; {view.alt()}"
    view.second = True
    assert view.alt() == _expected(STEEP[query], "looks most at", STEEP, SECOND[2, 1, query], "then at")
    view.asked = True
    assert view.alt() == _expected(STEEP[query], "is looked at most by", STEEP, SECOND[2, 1, :, query], "then by")


def test_nothing_and_nan_are_said_and_the_picture_shows_larger_weights_as_thicker_arcs():
    weights = np.zeros((1, 2, 2))
    assert SentenceView(weights, "ab").alt() == "b looks at nothing"
    weights[0, 1] = np.nan, 0.5
    assert SentenceView(weights, "ab").alt() == "b looks most at b (0.50)"
    rows = [[0.1, 0, 0, 0], [0.4, 0, 0, 0], [0.9, 0, 0, 0]]
    svgs = [SentenceView(np.array([[[0] * 4] * 3 + [row]]), WEAK).picture()[0] for row in rows]
    [thin], [middle], [thick] = (re.findall('<path [^>]*stroke-width="([^"]*)"', svg) for svg in svgs)
    assert float(thin) < float(middle) < float(thick)


@pytest.mark.parametrize("keys", [None, LINE])
def test_a_sentence_of_any_length_fits_the_picture(keys):
    weights = np.full((1, 90, 90 if keys is None else 6), 1 / 90)
    picture, width, height = SentenceView(weights, [f"word{i}" for i in range(90)], keys, query=40).picture()
    assert width == 700 and height > 300 and picture.count("<text") >= 90
    # Pillow's other layout needs a library that not every system has.
    assert svg._font(22).layout_engine == ImageFont.Layout.BASIC
