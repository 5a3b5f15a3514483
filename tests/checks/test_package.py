"""Test that the exercises are those that the course lists, are found by name, and are loaded on first use."""

import ast
import re
import subprocess
import sys

import pytest

from course_utils import checks, course, lessons

FILES = sorted(lessons.FOLDER.glob("*/exercises/*.py"))
LISTED = [(notebook.topic, name) for notebook in course.notebooks() for name in notebook.exercises]


def makes_an_exercise(path):
    assigned = [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.Assign)]
    return any(target.id == "exercise" for node in assigned for target in node.targets if isinstance(target, ast.Name))


def test_every_exercise_that_is_listed_has_its_file_and_the_reverse():
    assert {(path.parts[-3], path.stem) for path in FILES if makes_an_exercise(path)} == set(LISTED)


def test_a_file_without_an_exercise_is_imported_by_one():
    helpers = [path for path in FILES if not makes_an_exercise(path)]
    unused = [
        path.stem
        for path in helpers
        if not any(re.search(rf"^(from|import) .*\b{path.stem}\b", other.read_text("utf-8"), re.M) for other in FILES)
    ]
    assert unused == []


def test_all_are_in_the_order_of_the_course():
    assert list(checks.all()) == [name for _, name in LISTED]
    assert [exercise.name for exercise in checks.all().values()] == list(checks.all())
    assert {number: [exercise.name for exercise in group] for number, group in checks.by_notebook().items()} == {
        notebook.number: list(notebook.exercises) for notebook in course.notebooks()
    }


def test_checks_are_found_by_name():
    assert set(dir(checks)) >= {"all", "progress", *(name for _, name in LISTED)}
    assert all(getattr(checks, name) is exercise for name, exercise in checks.all().items())


def test_an_unknown_check_lists_those_there_are():
    with pytest.raises(AttributeError, match="no check 'score'. There are: batch, .*scores, .*same_outputs."):
        checks.score  # noqa: B018


def test_a_part_of_the_package_is_no_exercise():
    """`from . import messages` looks up the name before it loads the module; this lookup must load no exercise."""
    with pytest.raises(AttributeError, match="^messages$"):
        checks.__getattr__("messages")


def loaded(code):
    """Return the set of modules of PyTorch and of the course that a new Python process has loaded after some code."""
    code = f"import sys\n{code}\nprint(*(name for name in sys.modules if name.startswith(('torch', 'course_utils'))))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_the_package_loads_neither_torch_nor_an_exercise():
    modules = loaded("from course_utils import checks; dir(checks)")
    assert "course_utils.checks" in modules and "torch" not in modules
    assert [name for name in modules if name.startswith("course_utils.lessons.")] == []


def test_an_exercise_is_loaded_alone():
    modules = {name for name in loaded("from course_utils import checks; checks.mix") if ".lessons." in name}
    start = "course_utils.lessons.start_here"
    assert modules == {start, f"{start}.exercises", f"{start}.exercises.mix"}
