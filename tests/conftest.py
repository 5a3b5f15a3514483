"""Fixtures for all tests."""

import matplotlib
import pytest

from course_utils import session


@pytest.fixture
def style():
    """A fixture without a value: figures have the notebooks' style (`session.start()`), until the test has ended."""
    with matplotlib.rc_context():
        session.start()
        yield
