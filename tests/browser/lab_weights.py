"""The weights that the AttentionLabs of the tests must show, and ways to move and read such a view."""

import numpy as np
import torch

SCORES = torch.tensor(np.random.default_rng(0).normal(size=(2, 4, 4)), dtype=torch.float32)
TOKENS = ["a", "b", "c", "d"]


def weights(temperature=1.0, hidden=0, size=4):
    scores = SCORES[:, :size, :size] / temperature
    scores[..., size - hidden :] = -torch.inf
    return scores.softmax(-1).numpy()


def assert_shows(view, expected, head=0):
    from pixels import assert_pixels, colours

    assert_pixels(view.cells, colours(expected[head], max(1.0, float(expected.max()))))


def slider(page, name):
    return page.get_by_role("slider", name=name)
