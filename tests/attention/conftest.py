"""Seed torch before every test of this folder, so that it draws the same numbers in whatever order the tests run."""

import pytest
import torch


@pytest.fixture(autouse=True)
def seed():
    """A fixture without a value, used by every test: it sets torch's global seed to 0."""
    torch.manual_seed(0)
