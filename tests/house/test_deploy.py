"""Test what a class needs: container, hub, Binder and dev container, and that the files and names they use exist."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import install
import pytest
import yaml
from jupyter_server.services.config import ConfigManager
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from nb.copies import NEWS
from nb.files import COURSE, PUBLISHED

from course_utils import fetch, server

SCRIPTS = ("deploy/start.sh", "deploy/hub/homes.sh", "binder/postBuild")
CONTAINERFILE = (COURSE / "deploy" / "Containerfile").read_text("utf-8")
VALUES = yaml.safe_load((COURSE / "deploy" / "hub" / "values.yaml").read_text("utf-8"))
MEMORY = ("guarantee", "limit")
ENTRY = json.loads(re.search(r"^ENTRYPOINT (.+)$", CONTAINERFILE, re.MULTILINE)[1])[0]
with_bash = pytest.mark.skipif(not shutil.which("bash") or os.name == "nt", reason="there is no bash here")


@with_bash
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_is_bash_stops_at_errors_and_may_be_run(script):
    subprocess.run(["bash", "-n", COURSE / script], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", COURSE / script], check=True)
    assert os.access(COURSE / script, os.X_OK)
    assert script == "deploy/start.sh" or "\nset -euo pipefail\n" in (COURSE / script).read_text("utf-8")


def test_the_container_takes_what_is_there_and_calls_the_parts_of_the_installation():
    steps = CONTAINERFILE + (COURSE / "binder" / "postBuild").read_text("utf-8")
    called = re.findall(r"tools/install\.py((?: [a-z]+)+)$", steps.replace(" &&", "\n"), re.MULTILINE)
    assert {name for words in called for name in words.split()} == set(install.PARTS)
    sources = [name for names in re.findall(r"^COPY (.+) \S+$", CONTAINERFILE, re.MULTILINE) for name in names.split()]
    assert len(sources) == 4 and all((COURSE / name).exists() for name in sources)
    assert "\nUSER 1000\n" in CONTAINERFILE and "--uid 1000 " in CONTAINERFILE
    installed = CONTAINERFILE.partition("\nUSER ")[0]  # as root, it must not write to the student's home
    assert "HOME" not in installed


def test_the_weights_are_in_the_image_once_and_without_the_file_they_are_made_of():
    # A step that copies them from the builder's folder, or changes their rights later, would store them twice.
    assert {f"data/{name}" for name in fetch.MODELS} <= set((COURSE / ".dockerignore").read_text("utf-8").split())
    (step,) = re.findall(r"^RUN (.*install\.py course.*)$", CONTAINERFILE, re.MULTILINE)
    assert step.split(" && ") == ["python tools/install.py course", "rm data/smollm/*.gguf", "chmod -R a+rX ."]
    model = fetch.MODELS["smollm"]
    assert [name.endswith(".gguf") for name in (*model.files, *model.made)] == [True, False, False]


def test_what_starts_a_server_is_the_same_everywhere():
    assert (COURSE / ENTRY.removeprefix("/opt/attention-course/")).is_file()
    assert f'"{ENTRY}"' in (COURSE / "deploy" / "hub" / "tljh.py").read_text("utf-8")
    url = VALUES["singleuser"]["defaultUrl"]
    assert f'"{url}"' in (COURSE / "deploy" / "hub" / "tljh.py").read_text("utf-8")
    folder, name = re.fullmatch(r"/lab/tree/([\w-]+)/(\w+\.ipynb)", url).groups()
    assert (PUBLISHED / name).is_file()
    assert f"copy {folder} " in (COURSE / "deploy" / "start.sh").read_text("utf-8")


@with_bash
def test_a_student_has_copies_in_the_home_and_is_told_of_changes(tmp_path):
    course, home = tmp_path / "course", tmp_path / "home"
    home.mkdir()
    shutil.copytree(COURSE / "deploy", course / "deploy")
    shutil.copytree(COURSE / "tools", course / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (course / "course_utils").mkdir()
    for name in ("__init__.py", "course.py", "language.py", "lessons.py"):
        shutil.copy(COURSE / "course_utils" / name, course / "course_utils")
    for name in ("lessons", "notebooks"):
        (course / name).mkdir()
    shutil.copy(COURSE / "lessons" / "course.json", course / "lessons")
    published = course / "notebooks" / "00_start_here.ipynb"
    shutil.copy(PUBLISHED / published.name, published)

    def start():
        variables = {"HOME": str(home), "PYTHON": sys.executable, "PYTHONPATH": str(course), "PATH": os.environ["PATH"]}
        command = [course / "deploy" / "start.sh", "sh", "-c", "echo becomes $0 in $PWD", "this"]
        run = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
        assert run.stdout.endswith(f"becomes this in {home}\n")
        return (folder / NEWS).read_text("utf-8") if (folder / NEWS).exists() else ""

    folder = home / "attention-course"
    assert "Copied 00_start_here.ipynb to attention-course/" in start()
    (folder / published.name).write_text("my answers")
    assert start() == ""
    notebook = json.loads(published.read_text("utf-8"))
    notebook["cells"][0]["source"] = "# changed"
    published.write_text(json.dumps(notebook))
    for _ in range(2):
        assert "rename or delete yours in attention-course/ and start your server again." in start()
    assert (folder / published.name).read_text() == "my answers"
    (folder / ".copied.json").unlink()
    (folder / ".copied.json").mkdir()  # now copying fails, and the server must start anyway
    start()


def test_values_are_of_this_course_and_guarantee_no_more_than_they_allow():
    project = tomllib.loads((COURSE / "pyproject.toml").read_text("utf-8"))["project"]
    assert VALUES["singleuser"]["image"]["tag"] == project["version"]
    memory = VALUES["singleuser"]["memory"]
    guarantee, limit = (float(size[:-1]) * {"M": 1, "G": 1024}[size[-1]] for size in map(memory.get, MEMORY))
    assert guarantee < limit
    (file,) = VALUES["singleuser"]["extraFiles"].values()
    assert file["data"]["MappingKernelManager"]["cull_idle_timeout"] < VALUES["cull"]["timeout"]
    authenticator = VALUES["hub"]["config"]["JupyterHub"]["authenticator_class"]
    assert authenticator == "null"  # nobody may log in until one is chosen


def test_the_dev_container_is_the_container():
    folder = COURSE / ".devcontainer"
    dev = json.loads(re.sub(r"^\s*//.*$", "", (folder / "devcontainer.json").read_text("utf-8"), flags=re.MULTILINE))
    assert (folder / dev["build"]["dockerfile"]).resolve() == COURSE / "deploy" / "Containerfile"
    assert (folder / dev["build"]["context"]).resolve() == COURSE
    assert all(f"ARG {name}\n" in CONTAINERFILE for name in dev["build"]["args"])
    assert f" {dev['remoteUser']}\n" in CONTAINERFILE
    named = re.findall(r"python (\S+\.py)", dev["postStartCommand"])
    assert named and all((COURSE / name).is_file() for name in named)


def test_jupyterlab_finds_the_settings(monkeypatch):
    makefile = (COURSE / "Makefile").read_text("utf-8")
    folder = re.search(r"^lab: export JUPYTER_CONFIG_PATH := \$\(CURDIR\)/(\S+)$", makefile, re.MULTILINE)[1]
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(COURSE / folder))
    settings = ConfigManager(config_dir_name="labconfig").get("default_setting_overrides")
    assert settings["@jupyter-widgets/jupyterlab-manager:plugin"] == {"saveState": True}
    assert settings["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"
    assert ConfigManager(config_dir_name="labconfig").get("page_config") == {"buildCheck": False}
    extensions = ConfigManager(read_config_path=[str(COURSE / folder)]).get("jupyter_server_config")
    assert extensions["ServerApp"]["jpserver_extensions"] == {server.__name__: True}


@pytest.mark.parametrize(
    ("given", "taken"), [(ZMQChannelsWebsocketConnection, server.Prompt), (SimpleNamespace, SimpleNamespace)]
)
def test_kernel_messages_go_out_at_once_where_the_connection_is_the_servers_own(given, taken):
    settings = {"kernel_websocket_connection_class": given, "static_custom_path": ["a reader's own"]}
    assert server._jupyter_server_extension_points() == [{"module": "course_utils.server"}]
    server._load_jupyter_server_extension(SimpleNamespace(web_app=SimpleNamespace(settings=settings)))
    assert settings["kernel_websocket_connection_class"] is taken
    first, *others = settings["static_custom_path"]
    assert first == "a reader's own" and all(Path(folder).name == "custom" for folder in others) and others
