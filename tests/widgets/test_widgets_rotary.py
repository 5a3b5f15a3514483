"""Test that RotaryClock's shares and curve are what torch computes, and that its picture is self-contained."""

import base64
import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from course_utils.widgets import RotaryClock
from course_utils.widgets.rotary.rotary import shares, summary, turned

SPEEDS = torch.tensor([1.0, 0.1, 0.01, 0.001])


def draw(seed, pairs=4):
    return torch.randn(2, 2 * pairs, generator=torch.Generator().manual_seed(seed))


def by_torch(query, key, speeds, query_place, key_place):
    """Turn each pair with a rotation matrix, and return the products of query and key pairs, (num_pairs,)."""

    def turned(vector, place):
        cos, sin = (place * speeds.double()).cos(), (place * speeds.double()).sin()
        turns = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)  # (num_pairs, 2, 2)
        return (turns @ vector.double().view(-1, 2, 1)).squeeze(-1)  # (num_pairs, 2)

    return (turned(query, query_place) * turned(key, key_place)).sum(-1)


@pytest.mark.parametrize("places", [(0, 0), (5, 3), (3, 5), (100, 0), (97, 99)])
@pytest.mark.parametrize("pairs", [1, 4, 16])
def test_shares_equal_torch(places, pairs):
    for seed in range(5):
        (query, key), speeds = draw(seed, pairs), 100.0 ** -torch.arange(pairs)
        found = shares(query.tolist(), key.tolist(), speeds.tolist(), *places)
        np.testing.assert_allclose(found, by_torch(query, key, speeds, *places), atol=1e-5)


def test_arrows_point_where_torch_turns_and_places_are_told_as_words():
    query, _ = draw(1)
    for place in (0, 3, 100):
        first, second = query.view(-1, 2).double().T
        expected = torch.complex(first, second) * torch.polar(torch.ones(4).double(), place * SPEEDS.double())
        np.testing.assert_allclose(turned(query.tolist(), SPEEDS.tolist(), place), expected, atol=1e-6)
    assert summary(5, 3, 1.234) == "Query at place 5, key at place 3, 2 before it: score 1.23."
    assert summary(3, 5, -0.001) == "Query at place 3, key at place 5, 2 after it: score 0.00."
    assert summary(7, 7, -1) == "Query at place 7, key at place 7, beside it: score -1.00."


def texts(svg):
    return [text.text for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def stored(view):
    return base64.b64decode(re.search('base64,([^"]*)', view._stored())[1]).decode()


def test_the_stored_picture_says_what_torch_computes():
    query, key = draw(0)
    view = RotaryClock(query, key, SPEEDS, query_place=20, key_place=31)
    expected = by_torch(query, key, SPEEDS, 20, 31)
    words = texts(stored(view))
    assert f"Query at place 20, key at place 31, 11 after it: score {expected.sum():.2f}." in words
    each = [words[words.index(f"speed {speed:g}") + 1] for speed in SPEEDS.tolist()]
    assert [float(share) for share in each] == pytest.approx(expected.tolist(), abs=0.0051)
    assert {"query", "key", "the angle between them", "share of the score"} <= set(words)
    assert {"100 before", "0", "100 after"} <= set(words)
    used, defined = (set(re.findall(pattern, stored(view))) for pattern in (r"var\((--[\w-]+)\)", r"(--\w+): #"))
    assert used == defined  # it stands alone, without the style sheet of the views


def test_the_curve_is_the_score_at_every_distance():
    query, key = draw(0)
    html = RotaryClock(query, key, SPEEDS, most_place=10).html
    points = np.array([at.split(",") for at in re.search('points="([^"]*)', html)[1].split()], dtype="f8")
    scores = np.array([by_torch(query, key, SPEEDS, 0, at / 4).sum() for at in range(-40, 41)])
    zero, unit = (float(re.search(f'data-{name}="([^"]*)', html)[1]) for name in ("zero", "unit"))
    np.testing.assert_allclose(zero - unit * scores, points[:, 1], atol=0.06)
    assert abs(scores).max() * unit == pytest.approx(55, abs=0.01)
    assert (np.diff(points[:, 0]) > 0).all()


def test_the_text_tells_speeds_and_score_of_any_number_of_pairs_and_of_zeros():
    view = RotaryClock(*draw(0), SPEEDS)
    assert repr(view) == f"RotaryClock: 4 pairs, speeds 1 to 0.001. {view.summary()}"
    assert view.summary() in view.alt() and "at speed 0.001" in view.alt()
    assert len(view.to_html()) < 80_000
    assert RotaryClock([1.0, 0.0], [0.0, 1.0], [1.0], query_place=0, key_place=0).summary().endswith("score 0.00.")
    many = RotaryClock(*draw(0, 16), torch.rand(16))
    assert many.html.count("av-clock") == 16 and "numbers 30 and 31" in stored(many)
    assert "nan" not in RotaryClock(torch.zeros(4), torch.zeros(4), [1.0, 2.0]).html
    still_trains = torch.ones(4, requires_grad=True)
    assert "RotaryClock: 2 pairs" in repr(RotaryClock(still_trains, still_trains, [1.0, 2.0]))
