"""Run a notebook in a kernel on a student's server, over a websocket as JupyterLab does."""

import json
import time

import websocket
from jupyter_client.session import Session, json_packer
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete

PROTOCOL = "v1.kernel.websocket.jupyter.org"
LISTENS = 5  # seconds to wait for a message before in_time is called again


class Failure(Exception):
    """Raised when a kernel dies, the hub refuses a request or time is up; its message says what went wrong."""


class Kernel(NotebookClient):
    """A context manager that connects a notebook to a running kernel, and leaves the kernel running at its end.

    What the kernel sends is stored in the notebook as nbclient does: outputs, and the state of widgets. address: of the
    kernel's websocket. cookies: a Cookie header. in_time: a function without arguments, called now and then while a
    cell runs; what it raises stops the work. Errors, from entering it and from its methods: Failure, OSError, and
    websocket.WebSocketException.
    """

    def __init__(self, notebook, address, cookies, in_time):
        super().__init__(notebook, record_timing=False)
        self.widget_registry = {}  # no front end of ipywidgets' own
        self._address, self._cookies, self._in_time = address, cookies, in_time
        self._session, self._new, self._moved = Session(), [], []

    def __enter__(self):
        address = f"{self._address}?session_id={self._session.session}"
        self._socket = websocket.create_connection(address, 60, cookie=self._cookies, subprotocols=[PROTOCOL])
        return self

    def __exit__(self, *_):
        self._socket.close()

    def run(self, number: int):
        """Run the cell at index `number` of the notebook, store its outputs, and wait until the kernel is idle.

        An error in the cell is stored like any output, not raised.
        """
        cell, waiting = self.nb.cells[number], {"shell", "iopub"}
        cell.outputs, self.clear_before_next_output = [], False
        request = self._send("execute_request", {"code": cell.source, "silent": False, "allow_stdin": False})
        while waiting:
            self._in_time()
            message = self._receive(LISTENS)
            if message is None or message["parent_header"].get("msg_id") != request:
                continue
            if message["channel"] == "shell":
                waiting.discard("shell")
            elif not message["msg_type"].startswith("comm"):
                try:
                    self.process_message(message, cell, number)
                except CellExecutionComplete:
                    waiting.discard("iopub")

    def listen(self, seconds: float):
        """Receive the kernel's messages for so many seconds, and track the widgets' state in them."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._receive(left)

    def move_new_views(self):
        """Send the message of `page_move` to each widget that was opened since the last call.

        So each prediction is answered, and a control of each lab, a view with controls, is moved.
        """
        for model in self._new:
            if move := page_move(self.widget_state.get(model, {})):
                self._send("comm_msg", {"comm_id": model, "data": move})
                self._moved.append(model)
        self._new = []

    def views_moved(self) -> tuple[int, int]:
        """Return (how many views were moved, how many of these the kernel has answered)."""
        return len(self._moved), sum(is_answered(self.widget_state[model]) for model in self._moved)

    def _send(self, kind: str, content: dict) -> str:
        """Send a message of this type on the shell channel; return its id."""
        message = self._session.msg(kind, content)
        self._socket.send_binary(serialize_msg_to_ws_v1(message, "shell", json_packer))
        return message["msg_id"]

    def _receive(self, seconds: float) -> dict | None:
        """Return the kernel's next message, or None if none comes within some seconds.

        Messages about widgets change the state that is kept of these. Errors: Failure if the kernel died or the
        connection was closed.
        """
        self._socket.settimeout(max(seconds, 0.001))
        try:
            code, data = self._socket.recv_data()
        except websocket.WebSocketTimeoutException:
            return None
        if code == websocket.ABNF.OPCODE_CLOSE:
            raise Failure("the connection to the kernel was closed")
        channel, parts = deserialize_msg_from_ws_v1(data)
        header, parent, metadata, content = map(json.loads, parts[:4])
        kind = header["msg_type"]
        message = {"channel": channel, "msg_type": kind, "header": header, "parent_header": parent,
                   "metadata": metadata, "content": content, "buffers": parts[4:]}  # fmt: skip
        if kind == "status" and content["execution_state"] in ("dead", "restarting"):
            raise Failure("the kernel died")
        if kind.startswith("comm_"):
            self.handle_comm_msg([], message, 0)
        if kind == "comm_open":
            self._new.append(content["comm_id"])
        return message


def page_move(state: dict) -> dict | None:
    """Return the data of the comm message that a page sends when a reader uses a widget; None for other views.

    state: the widget's. A prediction is answered; of a lab, a view with controls, the settings are sent.
    """
    if {"guess", "form", "labels"} <= state.keys():
        rows, columns = len(state["labels"]), len(state["columns"])
        guesses = {"choice": 0, "bars": [1 / rows] * rows, "cells": [[True] * columns for _ in range(rows)]}
        return {"method": "update", "state": {"guess": guesses[state["form"]]}, "buffer_paths": []}
    if {"controls", "answer"} <= state.keys():
        return {"method": "custom", "content": {"rev": 1, "settings": state["answer"]["settings"]}}
    return None


def is_answered(state: dict) -> bool:
    """Return whether, by a widget's state, the kernel has answered the message of `page_move`."""
    return bool(state.get("result") or state.get("answer", {}).get("rev") == 1)
