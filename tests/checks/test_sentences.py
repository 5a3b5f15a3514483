"""Test that a sentence gets a value for each of its places, and nothing else."""

import pytest

from course_utils.checks.sentences import sentence


def test_each_place_gets_its_value():
    filled = sentence("`{name}` has the shape `{shape}`, and `{{` is a brace.", name="x", shape=(2, 3))
    assert filled == "`x` has the shape `(2, 3)`, and `{` is a brace."


@pytest.mark.parametrize("places", [{}, {"name": "x"}, {"name": "x", "shape": (2,), "size": 2}])
def test_a_place_without_a_value_or_a_value_without_a_place_is_refused(places):
    with pytest.raises(TypeError, match="places without a value"):
        sentence("`{name}` has the shape `{shape}`.", **places)
