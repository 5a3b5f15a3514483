"""Test the diagram that grows over the course: parts keep their places, and new ones are marked and in the caption."""

import pytest
from matplotlib.patches import FancyBboxPatch

from course_utils import course, plots
from course_utils.plots.flow import PARTS, STATES

TOPICS = list(STATES)


def places(figure):
    return {text.get_gid(): text.get_position() for text in figure.axes[0].texts if text.get_gid() in PARTS}


def marked(figure):
    return [box for box in figure.axes[0].patches if isinstance(box, FancyBboxPatch) and box.get_linewidth() == 3]


def test_the_states_are_notebooks_in_the_order_of_the_course():
    order = [one.topic for one in course.notebooks() if one.topic in STATES]
    assert [topic for topic in TOPICS if topic in order] == order
    assert set(PARTS) - {"inputs"} == {name for names in STATES.values() for name in names} - {"heads"}


@pytest.mark.parametrize(("before", "after"), list(zip(TOPICS, TOPICS[1:], strict=False)))
def test_a_part_that_came_stays_where_it_is(before, after):
    old, new = places(plots.flow(before)), places(plots.flow(after))
    old.pop("second", None)  # the second sequence is drawn in one state only
    assert old.items() <= new.items()


@pytest.mark.parametrize("topic", TOPICS)
def test_what_is_new_is_marked_and_said(topic):
    figure = plots.flow(topic)
    fresh = [name for name in STATES[topic] if name in PARTS]
    assert len(marked(figure)) == len(fresh) > 0
    assert all(name in places(figure) for name in fresh)
    assert "New here: " in figure.caption


def test_no_arrow_ends_in_an_empty_place_and_a_topic_without_a_state_is_refused():
    assert places(plots.flow("dot_product_attention")).keys() == {"inputs", "scores", "softmax", "mix"}
    with pytest.raises(ValueError, match="no state 'debug_clinic'.*dot_product_attention"):
        plots.flow("debug_clinic")


def test_the_path_names_every_notebook():
    words = [text.get_text().replace("\n", " ") for text in plots.course_path().axes[0].texts if text.get_text()]
    assert words == [f"{int(one.number)}  {one.title}" for one in course.notebooks()]
