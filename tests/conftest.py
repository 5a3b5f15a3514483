"""What several test files share."""

import matplotlib
import pytest

from course_utils import session


@pytest.fixture
def style():
    """Figures as in a notebook, in this test alone."""
    with matplotlib.rc_context():
        session.start()
        yield
