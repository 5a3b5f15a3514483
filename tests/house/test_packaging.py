"""Test that the package files agree, that an installation is complete, and that no file names a registry or a path."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from publish import around

ROOT = Path(__file__).parents[2]
CONDA_NAMES = {"matplotlib-base": "matplotlib", "pytorch": "torch", "pytorch-cpu": "torch", "seaborn-base": "seaborn"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NEEDED = {canonicalize_name(r.name): r.specifier for r in map(Requirement, PROJECT["dependencies"])}


def locked(name):
    lines = (ROOT / name).read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


LOCK, OF_A_HUB = locked("requirements.lock"), locked("deploy/hub.lock")


def environments():
    for minor in ("3.11", "3.12", "3.13"):
        for system, platform in (("Linux", "linux"), ("Darwin", "darwin"), ("Windows", "win32")):
            yield {"python_version": minor, "python_full_version": f"{minor}.9", "sys_platform": platform,
                   "platform_system": system, "os_name": "nt" if platform == "win32" else "posix"}  # fmt: skip


@pytest.mark.parametrize("name", NEEDED)
def test_the_lock_pins_each_dependency_within_its_bounds(name):
    for environment in environments():
        named = [one for one in LOCK if canonicalize_name(one.name) == name]
        pins = [one for one in named if not one.marker or one.marker.evaluate(environment)]
        assert len(pins) == 1, f"{name} for {environment}"
        (pin,) = pins[0].specifier
        assert pin.operator == "==" and NEEDED[name].contains(pin.version)


def test_the_lock_brings_setuptools_and_no_cuda():
    names = {canonicalize_name(requirement.name) for requirement in LOCK}
    assert "setuptools" in names  # make env installs course_utils with it
    assert not [name for name in names if name.startswith(("nvidia", "cuda", "triton"))]
    assert f"torch{NEEDED['torch']}" in map(str, LOCK)  # not a build for one kind of machine, such as 2.13.0+cpu


def test_the_lock_of_a_hub_pins_what_it_adds_and_nothing_twice():
    names = [canonicalize_name(requirement.name) for requirement in OF_A_HUB]
    assert len(set(names)) == len(names) and not set(names) & {canonicalize_name(one.name) for one in LOCK}
    pins = {name: [*one.specifier] for name, one in zip(names, OF_A_HUB, strict=True)}
    assert all(len(pin) == 1 and pin[0].operator == "==" for pin in pins.values())
    for wanted in map(Requirement, PROJECT["optional-dependencies"]["hub"]):
        assert wanted.specifier.contains(pins[canonicalize_name(wanted.name)][0].version)


def of_conda(name: str) -> dict[str, SpecifierSet]:
    """Return pip's name -> bounds of the packages of a conda environment file, `name` in the course's folder."""
    found = {}
    for line in yaml.safe_load((ROOT / name).read_text("utf-8"))["dependencies"]:
        package, bounds = re.fullmatch(r"([\w-]+)(.*)", line).groups()
        found[canonicalize_name(CONDA_NAMES.get(package, package))] = SpecifierSet(re.sub(r"^=(?=\d)", "==", bounds))
    return found


def test_conda_gets_the_same_packages_with_the_same_bounds():
    conda = of_conda("environment.yml")
    assert conda.pop("python") == SpecifierSet(PROJECT["requires-python"])
    for only_installs in ("pip", "setuptools"):
        conda.pop(only_installs)
    assert conda == NEEDED


def test_binder_gets_what_conda_gets_without_the_tests_and_the_python_of_the_container():
    binder, conda = of_conda("binder/environment.yml"), of_conda("environment.yml")
    (python,) = binder.pop("python")
    assert conda.pop("python").contains(python.version)
    assert f"FROM python:{python.version}-slim" in (ROOT / "deploy" / "Containerfile").read_text("utf-8")
    assert binder.items() <= conda.items()
    assert conda.keys() - binder.keys() == {"nbval", "pytest", "pytest-xdist", "hypothesis", "ruff", "pybtex"}


def test_colab_gets_what_it_lacks_within_the_same_bounds():
    lines = re.findall(r"^!pip install --quiet (.+)$", (ROOT / "deploy" / "README.md").read_text("utf-8"), re.MULTILINE)
    assert lines
    for requirement in map(Requirement, shlex.split(" ".join(lines))):
        assert set(requirement.specifier) <= set(NEEDED[canonicalize_name(requirement.name)])


def test_the_course_has_one_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    newest = re.search(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert citation["version"] == newest[1] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]


def test_both_changelogs_have_the_newest_version_with_as_many_items():
    english, chinese = ((ROOT / name).read_text("utf-8") for name in ("CHANGELOG.md", "CHANGELOG.zh.md"))
    assert "(CHANGELOG.zh.md)" in english.partition("\n## ")[0] and "(CHANGELOG.md)" in chinese.partition("\n## ")[0]
    newest = [re.split(r"^## ", text, flags=re.MULTILINE)[1] for text in (english, chinese)]
    assert len({text.partition("\n")[0] for text in newest}) == 1
    items = [[part.count("\n- ") for part in text.split("\n### ")] for text in newest]
    assert items[0] == items[1] and sum(items[0]) > 0


# Code for a separate Python: build the wheel and, as for an editable install, another one. Print their file names.
BUILD = """
import sys
from setuptools import build_meta
folder = sys.argv[1]  # setuptools changes sys.argv
names = [build(folder) for build in (build_meta.build_wheel, build_meta.build_editable)]
print(*names, sep="\\n")
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Return the paths of the course's wheel and of the one of an editable install.

    They are built from a copy of the course, since building leaves files behind.
    """
    tree, folder = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("wheels")
    for name in ("course_utils", "lessons", "data", "etc"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "minilm", "smollm"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    run = subprocess.run([sys.executable, "-c", BUILD, folder], cwd=tree, capture_output=True, text=True, check=True)
    return [folder / name for name in run.stdout.splitlines()[-2:]]


def content(wheel, start="") -> dict[str, bytes]:
    """Return name -> content of each file of a wheel whose path has `start` in it; its name is what follows."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if start in name]
        return {name.partition(start)[2]: archive.read(name) for name in names}


OF_LEARNERS = re.compile(
    r"course_utils/.+|data/[\w.]+|lessons/(course\.json|\w+\.py|\w+/(exercises/\w+\.py|quiz\.json|\w+\.po))"
)  # what an installation has: of the lessons no answers, claims and presenters' pages


def test_the_wheel_brings_every_file_of_the_package_and_nothing_beside_it(wheels):
    paths = [(path, path.relative_to(ROOT).as_posix()) for path in around.files()]
    taken = {name.removeprefix("course_utils/"): path for path, name in paths if OF_LEARNERS.fullmatch(name)}
    assert {path.suffix for path in taken.values()} == {".py", ".js", ".css", ".json", ".md", ".po", ".safetensors"}
    assert content(wheels[0], "course_utils/") == {name: path.read_bytes() for name, path in taken.items()}
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheels[0]).namelist()}
    assert {name for name in tops if not name.startswith("attention_course-")} == {"course_utils"}


NUMBERS = ("00", "01", "07")
# Code for a Python that has the wheel: run notebooks, import modules, and write what was found into a file.
RUN = """
import importlib, json, sys
import nbformat
from IPython.core.interactiveshell import InteractiveShell
from course_utils import data, lessons, progress
names, modules = map(str.split, sys.argv[1:])
shell = InteractiveShell.instance()
for name in names:
    shell.reset()
    for cell in nbformat.read(name, as_version=4).cells:
        if cell.cell_type == "code":
            shell.run_cell(cell.source).raise_error()
where = [*map(str, (data.DATA, lessons.FOLDER, progress.path()))]
with open("found.json", "w") as file:
    json.dump([where, [importlib.import_module(name).__name__ for name in modules]], file)
"""


def test_notebooks_run_on_the_wheel_alone_and_every_module_can_be_imported(wheels, tmp_path):
    """In an environment that has the packages of this one, and of the course the wheel alone."""
    venv.create(tmp_path / "environment", symlinks=os.name != "nt")
    places = {"base": tmp_path / "environment"}
    scripts, own = (Path(sysconfig.get_path(name, vars=places)) for name in ("scripts", "purelib"))
    (own / "packages.pth").write_text(sysconfig.get_path("purelib"))  # but not what .pth files there would import
    with zipfile.ZipFile(wheels[0]) as archive:
        archive.extractall(own)
        files = [name for name in archive.namelist() if name.endswith(".py")]
    modules = [name.removesuffix(".py").replace("/", ".") for name in files]
    notebooks = [path for number in NUMBERS for path in (ROOT / "notebooks").glob(f"{number}_*.ipynb")]
    for path in notebooks:
        shutil.copy(path, tmp_path)
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "COURSE_PROGRESS")}
    command = [scripts / Path(sys.executable).name, "-c", RUN, " ".join(path.name for path in notebooks)]
    options = {"cwd": tmp_path, "env": environment | {"MPLBACKEND": "agg"}, "capture_output": True, "text": True}
    ran = subprocess.run([*command, " ".join(modules)], **options)
    assert ran.returncode == 0, ran.stderr[-2000:]
    where, imported = json.loads((tmp_path / "found.json").read_text("utf-8"))
    assert [Path(path).parent.name for path in where] == ["course_utils", "course_utils", tmp_path.name]
    assert imported == modules and "course_utils.lessons.dropout.exercises.dropout" in modules


@pytest.mark.parametrize("number", [0, 1], ids=["the wheel", "an editable install"])
def test_the_settings_for_jupyter_are_brought(number, wheels):
    expected = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in (ROOT / "etc").rglob("*.*s*")}
    assert content(wheels[number], ".data/data/") == expected and expected


def test_no_file_names_a_registry_or_this_machine():
    registries = r"pypi\.org|pythonhosted|download\.pytorch|anaconda\.(org|com)|huggingface\.co|--(extra-)?index-url"
    paths = [ROOT, Path(sys.prefix)] if sys.prefix != sys.base_prefix else [ROOT]  # else Python's path is a common one
    here = "|".join(re.escape(str(path)) for path in paths)
    for file in around.files():
        if file != Path(__file__) and file.suffix not in {".png", ".safetensors"}:
            found = re.search(f"{registries}|{here}", file.read_text("utf-8"))
            assert not found, f"{file.relative_to(ROOT)} holds {found[0]!r}"


def test_the_readme_shows_the_sentences_of_notebook_00():
    from once.readme_figure import figure

    stored = (ROOT / "docs" / "one_word.svg").read_text("utf-8")
    assert stored == figure(), "run `make run`: it renews the picture"
