"""Test the open lines of exercises: what can be chosen, that nothing tells which is right, and how reports are kept."""

import json
from collections import Counter

import pytest
from publish import menus, reports

from course_utils import checks, course

pytestmark = pytest.mark.needs_slides

NOTEBOOKS = course.notebooks()


@pytest.fixture(scope="module")
def codes():
    return {name: menus.open_code(exercise) for name, exercise in checks.all().items()}


def test_every_exercise_has_menus_of_different_ways_and_the_solution_among_them(codes):
    for name, code in codes.items():
        assert 1 <= len(code.menus) <= menus.MOST_MENUS, name
        assert max(len(menu.ways) for menu in code.menus) >= 3, f"{name}: no menu has two wrong ways"
        right = menus._without_comments("\n".join(code.lines)).splitlines()
        own = ["\n".join(right[menu.first : menu.last + 1]) for menu in code.menus]
        for menu, way in zip(code.menus, own, strict=True):
            assert len({*menu.ways}) == len(menu.ways) == len(menu.ids) <= menus.MOST_WAYS, name
            assert menu.ids[menu.ways.index(way)] == "", name
            assert 1 <= menu.ids.count("") <= 2 <= len(menu.ways), name


def test_all_ways_are_formatted_alike_and_without_comments(codes):
    sources = [menus._without_comments(code.code(chosen)) for code in codes.values() for chosen in code.choices()]
    formatted = ["\n".join(part) for part in menus._formatted(sources)]
    assert formatted == [source.strip("\n") for source in sources]
    assert not [way for code in codes.values() for menu in code.menus for way in menu.ways if "#" in way]


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_the_right_way_stands_anywhere(codes, size):
    """The places of the right way may differ from equal shares only as much as chance does in 49 of 50 courses."""
    places = [menu.ids.index("") for code in codes.values() for menu in code.menus
              if len(menu.ways) == size and menu.ids.count("") == 1]  # fmt: skip
    share = len(places) / size
    counts = Counter(places)
    distance = sum((counts[place] - share) ** 2 / share for place in range(size))
    assert distance < {3: 7.82, 4: 9.84, 5: 11.67, 6: 13.39}[size], counts


def test_the_order_of_a_menu_is_the_same_whichever_way_is_right():
    texts = [f"    return {word}" for word in ("one", "two", "three", "four")]
    orders = set()
    for right in texts:
        versions = [menus._Version(f"not-{way[11:]}", ["def f():", way], 1, 1) for way in texts if way != right]
        menu = menus._menu("some_exercise", (1, 1), ["def f():", right], versions)
        assert menu.ids[menu.ways.index(right)] == ""
        orders.add(menu.ways)
    assert len(orders) == 1


def test_one_choice_of_lines_is_one_code(codes):
    code = codes["context_vector"]
    right = tuple(menu.ids.index("") for menu in code.menus)
    assert menus._without_comments(code.code(right)) == menus._without_comments("\n".join(code.lines))
    assert code.mistakes(right) == [] and right in code.choices()
    first = code.menus[0]
    wrong = next(way for way, id in enumerate(first.ids) if id)
    chosen = (wrong, *right[1:])
    assert first.ways[wrong] in code.code(chosen) and code.mistakes(chosen) == [first.ids[wrong]]
    assert all(len(code.mistakes(chosen)) <= 1 for chosen in code.choices())


def test_known_reports_are_read_and_a_change_makes_them_anew(tmp_path, monkeypatch):
    (first, *_) = NOTEBOOKS
    monkeypatch.setattr(reports.course, "notebooks", lambda: [first._replace(exercises=("means",))])
    known = tmp_path / f"means.{reports._state(first.topic, 'means')}.json"
    known.write_text(json.dumps({"known": True, "reports": {}}))
    assert reports.collect(tmp_path, 1) == {"means": {"known": True, "reports": {}}}
    monkeypatch.setattr(reports, "version", lambda package: "another torch")
    made = json.loads(json.dumps(reports.spoken(reports.make("means"))))  # with lists in place of tuples
    assert reports.collect(tmp_path, 1) == {"means": made}
    (kept,) = tmp_path.iterdir()
    assert kept != known
    kept.write_bytes(b"")  # as a power cut may leave it
    assert reports.collect(tmp_path, 1) == {"means": made} == reports.collect(tmp_path, 1)


def test_the_state_of_an_exercise_changes_with_what_it_imports(monkeypatch):
    topic = next(notebook.topic for notebook in NOTEBOOKS if "cached_step" in notebook.exercises)
    before, content = reports._state(topic, "cached_step"), reports._content
    own = "lessons/the_reshape/exercises/scores_of_heads.py"
    for file in ("course_utils/attention.py", "course_utils/checks/heatmap.py", "lessons/shared.py", own):
        changed = reports.COURSE / file
        monkeypatch.setattr(reports, "_content", lambda path, changed=changed: content(path) + b"#" * (path == changed))
        assert reports._state(topic, "cached_step") != before, file
    monkeypatch.setattr(reports, "_content", lambda path: content(path) + b"#" * (path.name == "causal_mask.py"))
    assert reports._state(topic, "cached_step") == before
