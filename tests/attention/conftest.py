"""Every test of this folder draws the same numbers, in whatever order the tests run."""

import pytest
import torch


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)
