"""Test the structure against CONTRIBUTING.md: its tree, the direction of imports, and what importing loads."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "course_utils"
MODULES = sorted(PACKAGE.rglob("*.py"))
MAY_IMPORT = {
    "checks": {"course", "language", "progress", "theme"},
    "session": {"crash_notice", "deferred_imports", "fonts", "language", "theme"},
    "crash_notice": {"progress"},
    "progress": {"language"},
    "exercises": {"attention", "checks", "data", "models"},
    "models": {"attention", "data"},
    "plots": {"course", "fonts", "inputs", "language", "theme"},
    "widgets": {"fonts", "inputs", "language", "progress", "theme"},
    "quiz": {"course", "data", "language", "widgets"},
    "fetch": {"data", "download", "models"},
}  # every other part may import no other part of course_utils
TOOLS = ROOT / "tools"
PACKAGES = {path.parent.name for path in TOOLS.glob("*/__init__.py")}
MOST_LINES = dict.fromkeys(("course_utils", "tools"), {".py": 250, ".js": 300}) | {"tests": {".py": 350, ".js": 350}}
OF_ONE_KIND = {"data/", "etc/", "notebooks/"}  # folders whose files the guide's tree does not name


def entries(paths, levels: int) -> set[str]:
    """Return the first levels of those slash-separated paths that have so many; a folder ends in a slash."""
    parts = (path.split("/") for path in paths)
    return {"/".join(part[:levels]) + "/" * (len(part) > levels) for part in parts if len(part) >= levels}


def test_the_guide_has_the_tree():
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    lines = re.findall(r"^( {2})?(\S+) {2,}\S", guide.split("```\n")[1], re.MULTILINE)
    folder, named = "", []
    for indent, name in lines:
        folder = folder if indent else name
        named.append(folder + name if indent else name)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    paths = listed.stdout.strip("\0").split("\0")
    described = entries(paths, 1)
    below = entries([path for path in paths if path.startswith(tuple(described - OF_ONE_KIND))], 2)
    assert sorted(named) == sorted(described | below)


@pytest.mark.parametrize("folder", MOST_LINES)
def test_no_file_is_too_long(folder):
    """A long file has more than one purpose. Only attention.py may be longer: learners read all of it in one place."""
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in MOST_LINES[folder]]
    lengths = {path: path.read_text("utf-8").count("\n") for path in files}
    long = {path.name: length for path, length in lengths.items() if length > MOST_LINES[folder][path.suffix]}
    assert files and long.keys() <= {"attention.py"}, long


def test_tools_has_few_names_and_none_that_tests_have():
    names = PACKAGES | {path.stem for path in TOOLS.glob("*.py")}
    assert len(names) <= 12
    assert not names & {path.stem for pattern in ("*.py", "*/*.py") for path in (ROOT / "tests").glob(pattern)}


@pytest.mark.parametrize("package", sorted(PACKAGES - {"bench"}))
def test_of_the_other_packages_of_tools_one_imports_only_nb(package):
    found = {name.split(".")[0] for path in (TOOLS / package).rglob("*.py") for name in imports(path)}
    assert found & PACKAGES - {package} <= {"nb"}


def part(path: Path) -> str:
    """Return the part of the package that a file belongs to: `checks` for checks/engine.py."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path):
    """Yield the full name of everything a file imports: `course_utils.plots` for `from course_utils import plots`."""
    here = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else ()
            yield from (".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_one_way_and_have_no_star(path):
    ours = {name.split(".")[1] for name in imports(path) if name.startswith("course_utils.")}
    assert ours - {part(path)} <= MAY_IMPORT.get(part(path), set())
    assert not [name for name in imports(path) if name.endswith(".*")]


def test_attention_imports_torch_only():
    others = {name.split(".")[0] for name in imports(PACKAGE / "attention.py")} - sys.stdlib_module_names
    assert others == {"torch"}


def loaded(code: str) -> set[str]:
    """Run `code` in a new Python process and return the words that it prints."""
    run = subprocess.run([sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_the_package_does_not_load_torch():
    assert "torch" not in loaded("import sys, course_utils; print(*sys.modules)")


@pytest.mark.parametrize(
    ("use", "with_seaborn"),
    [
        ("session.start()", False),
        ('session._svg(plots.flow("dropout"))', False),
        ('widgets.HeadsView([[[0.5, 0.5], [0.0, 1.0]]], ["a", "b"])._repr_mimebundle_()', False),
        ('plots.attention_heatmap([[0.5, 0.5], [0.0, 1.0]], ["a", "b"], caption="Two rows.")', True),
    ],
)
def test_seaborn_is_loaded_with_the_first_figure_that_needs_it(use, with_seaborn):
    """Importing seaborn loads pandas, together 34 MiB, which a kernel without such a figure saves."""
    code = f"""import sys
from course_utils import attention, checks, plots, properties, quiz, session, widgets
{use}
print(*sys.modules)"""
    libraries = {"pandas", "scipy", "seaborn", "sympy"} & loaded(code)
    assert libraries == ({"pandas", "seaborn"} if with_seaborn else set())


def test_importing_attention_loads_nothing_but_torch():
    code = "import sys, torch; before = {*sys.modules}; import course_utils.attention; print(*{*sys.modules} - before)"
    added = {name.split(".")[0] for name in loaded(code)} - sys.stdlib_module_names
    assert added == {"course_utils"}


def test_a_test_run_builds_no_grammar():
    """conftest.py keeps nbval's imports from building a grammar for IRIs, which takes seconds in each process."""
    assert "nbval.plugin" in sys.modules and "lark" not in sys.modules
