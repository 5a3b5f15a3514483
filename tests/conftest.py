"""Fixtures for all tests."""

import matplotlib
import pytest

from course_utils import session


@pytest.fixture
def style():
    """Apply the notebooks' figure style (`session.start()`), and restore matplotlib's settings after the test."""
    with matplotlib.rc_context():
        session.start()
        yield
