"""Seed torch before every test of this folder, so that it draws the same numbers in whatever order the tests run."""

import pytest
import torch


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)
