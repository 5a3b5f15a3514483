"""Test the structure: CONTRIBUTING.md's tree and length, the length of files, and the direction of imports."""

import ast
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from publish import tree

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "course_utils"
LESSONS = ROOT / "lessons"
EXERCISES = [path for pattern in ("*.py", "*/exercises/*.py") for path in sorted(LESSONS.glob(pattern))]
MODULES = sorted(PACKAGE.rglob("*.py")) + EXERCISES
MAY_IMPORT = {
    "checks": {"course", "files", "language", "measure", "progress", "theme"},
    "course": {"lessons"},
    "data": {"files"},
    "lessons": {"files"},
    "language": {"lessons"},
    "session": {"deferred_imports", "figure_html", "files", "fonts", "language"},
    "figure_html": {"theme"},
    "fonts": {"language"},
    "inputs": {"model_outputs"},
    "progress": {"files", "language"},
    "exercises": {"attention", "checks", "data", "models"},
    "models": {"attention", "data", "files"},
    "plots": {"course", "figure_html", "fonts", "inputs", "language", "theme"},
    "widgets": {"fonts", "inputs", "language", "progress", "theme"},
    "quiz": {"course", "language", "lessons", "widgets"},
    "fetch": {"data", "files", "models", "stopping"},
}  # every other part may import no other part of course_utils
TOOLS = ROOT / "tools"
PACKAGES = {path.parent.name for path in TOOLS.glob("*/__init__.py")}
MOST_LINES = dict.fromkeys(("course_utils", "tools"), {".py": 250, ".js": 300}) | {"lessons/*/exercises": {".py": 250}}
MOST_LINES |= dict.fromkeys(("lessons", "tests"), {".py": 350, ".js": 350})
# Packages of the extras in pyproject.toml.
EXTRAS = {"latex2mathml", "pyreveal", "playwright", "axe_playwright_python", "transformers"}


def test_the_guide_has_the_tree():
    assert tree.BLOCK.search(tree.GUIDE.read_text("utf-8"))[0] == tree.tree(), (
        "CONTRIBUTING.md's tree is not that of the folders: run `make tree`"
    )


def test_what_maintainers_read_is_short():
    text = tree.BLOCK.sub("", tree.GUIDE.read_text("utf-8"), count=1)
    assert len(text.split()) <= 1300
    folders = ("docs", "etc", "lessons", "notebooks", "tests", "tools")
    pages = [*ROOT.glob("docs/maintaining/*.md"), *(ROOT / folder / "README.md" for folder in folders)]
    assert len(text.split()) + sum(len(page.read_text("utf-8").split()) for page in pages) <= 3500


@pytest.mark.parametrize("folder", MOST_LINES)
def test_no_file_is_too_long(folder):
    """A long file has more than one purpose. Only attention.py may be longer: learners read all of it in one place."""
    files = [path for path in ROOT.glob(f"{folder}/**/*") if path.suffix in MOST_LINES[folder]]
    lengths = {path: path.read_text("utf-8").count("\n") for path in files}
    long = {path.name: length for path, length in lengths.items() if length > MOST_LINES[folder][path.suffix]}
    assert files and long.keys() <= {"attention.py"}, long


def test_tools_has_few_names_and_none_that_tests_have():
    names = PACKAGES | {path.stem for path in TOOLS.glob("*.py")}
    assert len(names) <= 13
    assert not names & {path.stem for pattern in ("*.py", "*/*.py") for path in (ROOT / "tests").glob(pattern)}


@pytest.mark.parametrize("package", sorted(PACKAGES - {"bench"}))
def test_of_the_other_packages_of_tools_one_imports_only_nb(package):
    found = {name.split(".")[0] for path in (TOOLS / package).rglob("*.py") for name in imports(path)}
    assert found & PACKAGES - {package} <= {"nb"}


def part(path: Path) -> str:
    """Return the part of the package that a file belongs to: `checks` for checks/engine.py, or `exercises`."""
    return "exercises" if path in EXERCISES else path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(node: ast.AST, here: tuple[str, ...]) -> list[str]:
    """Return the full names that an import statement imports, [] for any other node. here: the folders of its file.

    A name is as long as can be: `course_utils.plots` for `from course_utils import plots`.
    """
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = here[: len(here) - node.level + 1] if node.level else ()
        return [".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names]
    return []


def run_by_import(node: ast.AST):
    """Yield the nodes of a syntax tree that run when their module is imported: all outside functions, in order."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from run_by_import(child)


@cache
def imports(path: Path, nodes=ast.walk) -> list[str]:
    """Return the full name of everything a file imports. nodes: the function that chooses nodes of its syntax tree."""
    here, tree = path.relative_to(ROOT).parts[:-1], ast.parse(path.read_text("utf-8"))
    return [name for node in nodes(tree) for name in imported(node, here)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_one_way_and_have_no_star(path):
    names = imports(path)
    ours = {name.split(".")[1] for name in names if name.startswith("course_utils.")}
    own = {"lessons"} if path in EXERCISES else {part(path)}
    assert ours - own <= MAY_IMPORT.get(part(path), set())
    assert not [name for name in names if name.endswith(".*")]


def test_attention_imports_torch_only():
    others = {name.split(".")[0] for name in imports(PACKAGE / "attention.py")} - sys.stdlib_module_names
    assert others == {"torch"}


@cache
def extras(name: str) -> set[str]:
    """Return those of EXTRAS that are loaded when a module is imported by its full name."""
    seen, waiting = set(), [name]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            parts = name.split(".")
            waiting += [".".join(parts[:end]) for end in range(1, len(parts))]
            for folder in (TOOLS, ROOT):
                module = folder.joinpath(*parts)
                for path in (module.with_suffix(".py"), module / "__init__.py"):
                    waiting += imports(path, run_by_import) if path.is_file() else []
    return seen & EXTRAS


def test_tests_can_be_collected_without_any_extra():
    """A test that needs one has a mark of tests/needs.py, and so can be counted where the extra is missing."""
    files = [*(ROOT / "tests").rglob("*.py"), ROOT / "conftest.py"]
    loaded = {
        f"{path.name}: {name}": extras(name)
        for path in files
        for node in run_by_import(ast.parse(path.read_text("utf-8")))
        for name in imported(node, ())
    }
    assert len(loaded) > 100 and {name: found for name, found in loaded.items() if found} == {}


def test_no_two_files_of_tests_have_one_name():
    """pytest cannot collect both at once."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert names and max(names.values()) == 1
