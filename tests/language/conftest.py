"""A fixture for tests in Chinese."""

import pytest

from course_utils import language


@pytest.fixture
def chinese():
    """Let the course speak Chinese during a test."""
    language.use("zh")
    yield
    language.use("en")
