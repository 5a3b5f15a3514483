"""Test the hub benchmark without a hub: what it counts and parses, its messages, and the server sizes it computes."""

import json
import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
import yaml
from hub_bench import kernel as hub_kernel
from hub_bench import measure, processes
from hub_bench.sizes import MACHINE, MEASURED, WRITING, Student, needs, table
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from nb.files import COURSE
from nbformat.v4 import new_code_cell, new_notebook
from websocket import WebSocketTimeoutException

HUB = COURSE / "deploy" / "hub"
STUDENT = Student(server=110, kernel=250, server_alone=150, kernel_alone=400, others=250, start=6, work=0.6)


def test_sizes_follow_from_one_student():
    few = needs(30, STUDENT)
    assert few.guarantee == 384  # 360, in steps of 64
    assert few.limit == 1344  # 150 + 400 + 3 * 250 = 1300
    assert few.memory == 30 * 384 / 1024
    assert (few.share, few.cores) == (0.1, 3)  # 6 s of CPU time in a minute; 2 * 0.6 / 60 would be less
    assert few.machines == 1  # 11.25 of 14 GiB, 3 of 4 cores
    many = needs(200, STUDENT)
    assert (many.memory, many.cores, many.machines) == (75, 20, 6)  # 75 / 14 machines for memory, 20 / 4 for cores
    assert needs(200, STUDENT, MACHINE._replace(cores=2)).machines == 10


def test_work_counts_where_it_is_more_than_the_start():
    assert needs(30, STUDENT._replace(work=6)).cores == 6
    assert needs(30, STUDENT._replace(start=6.1)).share == 0.2  # rounded up to tenths


def test_the_table_of_the_guide_and_the_values_are_these_sizes():
    guide = (HUB / "README.md").read_text("utf-8")
    assert all("\n".join(table([30, 200], student)) in guide for student in (MEASURED, WRITING))
    writing = needs(30, WRITING)
    assert f"memory.guarantee={writing.guarantee}M" in guide
    sizes = needs(30, MEASURED)
    student = yaml.safe_load((HUB / "values.yaml").read_text("utf-8"))["singleuser"]
    assert student["memory"] == {"guarantee": f"{sizes.guarantee}M", "limit": f"{sizes.limit}M"}
    assert student["cpu"]["guarantee"] == sizes.share
    assert f"limits.memory {sizes.limit}M\n" in (HUB / "README.md").read_text("utf-8")


def test_one_machine_and_a_cluster_set_the_same_for_a_student():
    values = yaml.safe_load((HUB / "values.yaml").read_text("utf-8"))
    c = SimpleNamespace(Spawner=SimpleNamespace())
    exec((HUB / "tljh.py").read_text("utf-8"), {"get_config": lambda: c})
    assert c.Spawner.environment == values["singleuser"]["extraEnv"]
    assert c.Spawner.default_url == values["singleuser"]["defaultUrl"]


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone has /proc")
def test_processes_are_known_by_their_environment(tmp_path):
    this = {"BENCH_TRIES": str(tmp_path), "JUPYTERHUB_USER": "ada", "JPY_SESSION_NAME": "x.ipynb"}
    command = [sys.executable, "-c", "print(flush=True); input()", "ipykernel_launcher"]
    with subprocess.Popen(command, env=os.environ | this, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        [found] = processes.find("BENCH_TRIES", str(tmp_path))
        assert (found.process.pid, *found[1:]) == (process.pid, "kernel", "ada", "x.ipynb")
        share, peak = found.memory()
        assert 1 < share <= peak and found.seconds() >= 0
        process.kill()
    assert not processes.find("BENCH_TRIES", str(tmp_path))


def test_who_lacks_the_proxy_is_told_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["measure"])
    with pytest.raises(SystemExit, match="configurable-http-proxy is missing.*apt-get install npm"):
        measure.main()


@pytest.mark.parametrize("given", [["--students", "0"], ["--students", "99"], ["--notebooks", "77"]])
def test_what_is_out_of_bounds_is_refused(given, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["measure", *given])
    with pytest.raises(SystemExit):
        measure.arguments()
    assert re.search("1 to 64 students|no notebook 77", capsys.readouterr().err)


def test_an_answer_is_lost_when_it_is_not_in_its_students_file(tmp_path):
    students = [SimpleNamespace(name=name, answers={"work/a.ipynb": ["x = 1\n# " + name]}) for name in ("ada", "bob")]
    for name in ("ada", "bob"):  # bob's file holds what ada wrote
        file = tmp_path / name / "work" / "a.ipynb"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({"cells": [{"source": ["x = 1\n", "# ada"]}]}))
    hub = SimpleNamespace(homes=tmp_path)
    assert measure.lost_answers(hub, students[:1]) == 0
    assert measure.lost_answers(hub, students) == 1
    students[0].answers["work/b.ipynb"] = ["y"]  # a file that is not there
    assert measure.lost_answers(hub, students[:1]) == 1


class Socket:
    """A fake websocket to a kernel. sent: the contents of the messages it has received, dicts.

    says: type of a message that it gets -> [(type, content) of each message that it then gives out].
    """

    def __init__(self, says):
        self.says, self.waiting, self.sent = says, [], []

    def send_binary(self, data):
        _, parts = deserialize_msg_from_ws_v1(data)
        header, content = json.loads(parts[0]), json.loads(parts[3])
        self.sent.append(content)
        for kind, said in self.says.get(header["msg_type"], ()):
            parent = {} if kind == "comm_msg" else {"msg_id": header["msg_id"]}
            self.waiting.append(message(kind, said, parent))

    def recv_data(self):
        if not self.waiting:
            raise WebSocketTimeoutException
        return 2, self.waiting.pop(0)

    def settimeout(self, seconds):
        pass

    def close(self):
        pass


def message(kind, content, parent):
    whole = {"header": {"msg_type": kind}, "parent_header": parent, "metadata": {}, "content": content}
    channel = "shell" if kind.endswith("_reply") else "iopub"
    return serialize_msg_to_ws_v1(whole, channel, lambda part: json.dumps(part).encode())


# Return a hub_kernel.Kernel for a notebook of one cell, and the fake Socket that it is connected to.
def connected(monkeypatch, says):
    socket = Socket(says)
    monkeypatch.setattr(hub_kernel.websocket, "create_connection", lambda *_, **__: socket)
    notebook = new_notebook(cells=[new_code_cell("x")])
    return hub_kernel.Kernel(notebook, "ws://127.0.0.1/", "", lambda: None).__enter__(), socket


STATE = {"form": "choice", "labels": ["a", "b"], "columns": [], "guess": None, "result": {}}


def test_a_cell_has_its_outputs_and_a_view_its_answer(monkeypatch):
    truth = {"comm_id": "p", "data": {"method": "update", "state": {"result": {"truth": 1}}}}
    model = {"_model_name": "AnyModel", "_model_module": "anywidget"}
    kernel, socket = connected(monkeypatch, {
        "execute_request": [
            ("stream", {"name": "stdout", "text": "one two"}),
            ("comm_open", {"comm_id": "p", "target_name": "jupyter.widget", "data": {"state": STATE | model}}),
            ("execute_reply", {"status": "ok"}),
            ("error", {"ename": "NameError", "evalue": "x", "traceback": []}),
            ("status", {"execution_state": "idle"}),
        ],
        "comm_msg": [("comm_msg", truth)],
    })  # fmt: skip
    kernel.run(0)
    words, error = kernel.nb.cells[0].outputs
    assert words.text == "one two" and error.ename == "NameError"
    kernel.move_new_views()
    assert socket.sent[-1]["data"]["state"] == {"guess": 0}
    assert kernel.views_moved() == (1, 0)
    kernel.listen(0.1)
    assert kernel.views_moved() == (1, 1)
    kernel.set_widgets_metadata()
    [saved] = kernel.nb.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"].values()
    assert saved["state"]["result"] == {"truth": 1}


def test_a_kernel_that_dies_is_said(monkeypatch):
    kernel, _ = connected(monkeypatch, {"execute_request": [("status", {"execution_state": "dead"})]})
    with pytest.raises(hub_kernel.Failure, match="died"):
        kernel.run(0)


@pytest.mark.parametrize(
    ("state", "sent"),
    [
        (STATE | {"form": "bars"}, {"guess": [0.5, 0.5]}),
        (STATE | {"form": "cells", "columns": ["x"]}, {"guess": [[True], [True]]}),
    ],
)
def test_every_form_of_a_prediction_is_answered(state, sent):
    assert hub_kernel.page_move(state)["state"] == sent


def test_a_lab_is_asked_and_other_views_are_left_alone():
    state = {"controls": [], "answer": {"rev": 0, "settings": {"p": 0.5}}}
    assert hub_kernel.page_move(state)["content"] == {"rev": 1, "settings": {"p": 0.5}}
    assert not hub_kernel.is_answered(state) and hub_kernel.is_answered({"answer": {"rev": 1}})
    assert hub_kernel.page_move({"questions": []}) is None
