"""Test that ScalingLab says of every setting what torch computes."""

import numpy as np
import pytest
import torch

from course_utils.widgets import ScalingLab
from course_utils.widgets.scaling.scaling import BINS, TEMPERATURES, measure, round_up


@pytest.fixture(scope="module")
def scores_by_width():
    generator = torch.Generator().manual_seed(0)

    def draw(*shape):
        return torch.randn(*shape, generator=generator)

    return {d: draw(200, 1, d) @ draw(200, 16, d).transpose(-2, -1) for d in (1, 4, 64, 1024)}


def by_torch(scores):
    """Return variance, mean entropy and mean absolute gradient of softmax of scores (…, num_keys), by autograd."""
    scores = scores.double().reshape(-1, scores.shape[-1])
    weights = scores.softmax(-1)
    jacobian = torch.func.vmap(torch.func.jacrev(lambda row: row.softmax(-1)))(scores)  # (rows, num_keys, num_keys)
    return scores.var().item(), torch.special.entr(weights).sum(-1).mean().item(), jacobian.abs().mean().item()


@pytest.mark.parametrize("factor", [0.01, 1.0, 10.0])
def test_measures_equal_torch(scores_by_width, factor):
    for scores in scores_by_width.values():
        seen = scores * factor
        *numbers, weights = measure(seen.double().numpy()[:, 0])
        assert numbers == pytest.approx(by_torch(seen), rel=1e-6, abs=1e-12)
        assert np.allclose(weights, seen[:, 0].double().softmax(-1), atol=1e-12)


def test_every_setting_says_what_torch_computes(scores_by_width):
    view = ScalingLab(scores_by_width)
    assert len(view.words) == len(scores_by_width) * len(TEMPERATURES) * 2
    for head_dim, temperature, divided in [(64, 1.0, False), (64, 1.0, True), (1024, 0.1, False), (4, 8.0, True)]:
        view.head_dim, view.temperature, view.divided = head_dim, temperature, divided
        scale = temperature * (head_dim**0.5 if divided else 1)
        variance, entropy, gradient = by_torch(scores_by_width[head_dim].double() / scale)
        words = f"variance {variance:.2f}, mean entropy {entropy:.2f} (at most 2.77), mean gradient {gradient:.5f}"
        assert words in repr(view) and words in view.alt()


def test_bars_and_scores_beyond_their_axis_which_ends_at_a_round_number(scores_by_width):
    view = ScalingLab(scores_by_width)
    heights = np.frombuffer(view.heights, "u1").reshape(len(view.words), -1) / 254
    assert heights.shape[1] == BINS + 16 + 2
    _, bars = view._now()
    scores = scores_by_width[64][:, 0].double()
    counts, _ = np.histogram(scores, BINS, (-100, 100))  # three standard deviations of width 1024, rounded up
    assert np.allclose(bars[:BINS], counts / counts.max(), atol=1 / 250)
    assert np.allclose(bars[BINS:-2], scores[0].softmax(-1), atol=1 / 250)
    assert bars[-2] == pytest.approx(by_torch(scores)[1] / np.log(16), abs=1 / 250)
    assert "beyond" not in repr(view)
    view.head_dim, view.temperature = 1024, 0.1
    share = (scores_by_width[1024].abs() > 10).double().mean()
    assert f"{share:.0%} of the scores lie beyond ±100" in repr(view)
    rounded = {0: 1, 0.3: 0.5, 1: 1, 1.1: 2, 96: 100, 100: 100, 101: 200}
    assert {value: round_up(value) for value in rounded} == pytest.approx(rounded)


def test_many_rows_are_thinned_out_and_one_row_or_width_is_enough(scores_by_width):
    start = "ScalingLab: head_dim 1 to 1024, 200 of 200 queries x 16 keys; head_dim 64, not divided by its root, "
    assert repr(ScalingLab(scores_by_width)).startswith(start)
    many = ScalingLab({8: torch.arange(1203.0 * 2).view(1203, 2)})
    assert "401 of 1203 queries x 2 keys" in repr(many)
    equal = ScalingLab({3: [1.0, 1.0]})
    assert "head_dim 3 to 3, 1 of 1 queries x 2 keys; head_dim 3" in repr(equal)
    assert "variance 0.00, mean entropy 0.69 (at most 0.69), mean gradient 0.25000 (at most 0.25000)" in repr(equal)
    equal.picture()
