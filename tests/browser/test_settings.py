"""Test that JupyterLab, started as by `make lab`, has the course's settings, and its server the course's extension."""

import json
import urllib.request

import pytest


@pytest.mark.parametrize(
    ("plugin", "name", "value"),
    [
        ("@jupyter-widgets/jupyterlab-manager:plugin", "saveState", True),
        ("@jupyterlab/apputils-extension:notification", "fetchNews", "false"),
        ("@jupyterlab/apputils-extension:notification", "checkForUpdates", False),
    ],
)
def test_a_setting_of_the_course_is_the_default(lab, plugin, name, value):
    with urllib.request.urlopen(f"{lab.url}/lab/api/settings/{plugin}") as answer:
        assert json.load(answer)["schema"]["properties"][name]["default"] == value


def test_the_server_has_taken_the_courses_connection(lab):
    assert "course_utils.server | extension was successfully loaded" in (lab.home / "log.txt").read_text()
