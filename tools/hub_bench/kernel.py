"""A websocket client for a kernel on a student's server, which speaks the protocol as JupyterLab does."""

import base64
import json
import time
import uuid
from datetime import UTC, datetime

import nbformat
import websocket
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1

PROTOCOL = "v1.kernel.websocket.jupyter.org"
LISTENS = 5  # seconds to wait for a message before in_time is called again


class LostKernel(Exception):
    """Raised when the connection breaks or the kernel dies; its message says which."""


class Kernel:
    """A context manager that connects to a kernel, and leaves the kernel running at its end.

    address: of its websocket channel. cookies: a Cookie header. in_time: a function without arguments, called now and
    then while a cell runs; what it raises stops the work. Errors: LostKernel, from entering it and from its methods.
    """

    def __init__(self, address, cookies, in_time):
        self._address, self._cookies, self._in_time = address, cookies, in_time
        self._session, self._models, self._new, self._moved, self._cell = uuid.uuid4().hex, {}, [], [], None

    def __enter__(self):
        try:
            self._socket = websocket.create_connection(
                f"{self._address}?session_id={self._session}", timeout=60, cookie=self._cookies, subprotocols=[PROTOCOL]
            )
        except (OSError, websocket.WebSocketException) as error:
            raise LostKernel(f"no connection to the kernel: {error}") from None
        return self

    def __exit__(self, *_):
        self._socket.close()

    def run(self, source):
        """Run a cell; return its outputs as a notebook stores them, a list. source: the cell's code."""
        content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False, "stop_on_error": True}
        self._cell, outputs = self._send("execute_request", content), []
        waiting = {"execute_reply", "idle"}
        while waiting:
            self._in_time()
            heard = self._hear(LISTENS)
            if heard is None or heard["parent_header"].get("msg_id") != self._cell:
                continue
            kind, said = heard["header"]["msg_type"], heard["content"]
            waiting -= {kind, said.get("execution_state", "") if kind == "status" else ""}
            if kind in ("stream", "display_data", "execute_result", "error"):
                _add(outputs, nbformat.from_dict({name: heard[name] for name in ("header", "content", "metadata")}))
            elif kind == "clear_output":
                outputs.clear()
        return outputs

    def listen(self, seconds):
        """Receive the kernel's messages for so many seconds, and track the widgets' state in them."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._hear(left)

    def move_new_views(self):
        """Answer each new prediction and move each new lab once, with the messages that a reader's page would send."""
        for model in self._new:
            move = moved(self._models[model]["state"])
            if move is not None:
                self._send("comm_msg", {"comm_id": model, "data": move})
                self._moved.append(model)
        self._new = []

    def views_moved(self):
        """Return a tuple: how many views were moved, and how many of these the kernel has answered."""
        states = [self._models[model]["state"] for model in self._moved]
        return len(states), sum(answered(state) for state in states)

    def views(self):
        """Return the state of all widgets, a dict as JupyterLab saves it in a notebook's metadata."""
        kept = {
            key: {
                "model_name": one["state"].get("_model_name", ""),
                "model_module": one["state"].get("_model_module", ""),
                "model_module_version": one["state"].get("_model_module_version", ""),
                "state": one["state"],
                "buffers": [
                    {"path": list(path), "encoding": "base64", "data": data} for path, data in one["buffers"].items()
                ],
            }
            for key, one in self._models.items()
        }
        return {"application/vnd.jupyter.widget-state+json": {"state": kept, "version_major": 2, "version_minor": 0}}

    def _send(self, kind, content):
        """Send a message on the shell channel; return its id. kind: the message's type. content: a dict."""
        header = {"msg_id": uuid.uuid4().hex, "msg_type": kind, "session": self._session, "username": "",
                  "version": "5.4", "date": datetime.now(UTC).isoformat()}  # fmt: skip
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
        packed = serialize_msg_to_ws_v1(message, "shell", lambda part: json.dumps(part).encode())
        try:
            self._socket.send_binary(packed)
        except (OSError, websocket.WebSocketException) as error:
            raise LostKernel(f"the connection to the kernel broke: {error}") from None
        return header["msg_id"]

    def _hear(self, seconds):
        """Return the next message as a dict, None if none comes within these seconds; track the widget state in it.

        Errors: LostKernel if the connection broke or the kernel died.
        """
        self._socket.settimeout(max(seconds, 0.001))
        try:
            _, data = self._socket.recv_data()
        except websocket.WebSocketTimeoutException:
            return None
        except (OSError, websocket.WebSocketException) as error:
            raise LostKernel(f"the connection to the kernel broke: {error}") from None
        if not data:
            raise LostKernel("the connection to the kernel was closed")
        _, parts = deserialize_msg_from_ws_v1(data)
        names = ("header", "parent_header", "metadata", "content")
        heard = dict(zip(names, map(json.loads, parts[:4]), strict=True)) | {"buffers": parts[4:]}
        self._keep(heard)
        return heard

    def _keep(self, heard):
        """Track the widgets' state from comm messages, as JupyterLab does. Errors: LostKernel if the kernel died.

        heard: a message of any type, a dict as `_hear` returns it.
        """
        kind, said = heard["header"]["msg_type"], heard["content"]
        if kind == "status" and said["execution_state"] in ("dead", "restarting"):
            raise LostKernel("the kernel died")
        if kind == "comm_open":
            self._models[said["comm_id"]] = {"state": {}, "buffers": {}}
            self._new.append(said["comm_id"])
        if kind in ("comm_open", "comm_msg") and said["comm_id"] in self._models:
            model, data = self._models[said["comm_id"]], said["data"]
            model["state"] |= data.get("state", {})
            for path, buffer in zip(data.get("buffer_paths", []), heard["buffers"], strict=False):
                model["buffers"][tuple(path)] = base64.b64encode(buffer).decode()


def moved(state):
    """Return the data, a dict, of the comm message that a page sends when a reader moves a view, or None.

    state: the widget's state, a dict. A prediction is answered, a lab moved once; None comes back for other views,
    which need no kernel.
    """
    if {"guess", "form", "labels"} <= state.keys():
        labels, columns = state["labels"], state["columns"]
        guess = {
            "choice": 0,
            "bars": [1 / len(labels)] * len(labels),
            "cells": [[True] * len(columns) for _ in labels],
        }[state["form"]]
        return {"method": "update", "state": {"guess": guess}, "buffer_paths": []}
    if {"controls", "answer"} <= state.keys():
        return {"method": "custom", "content": {"rev": 1, "settings": state["answer"]["settings"]}}
    return None


def answered(state):
    """Return whether the kernel has answered the message of `moved`. state: the widget's state, a dict."""
    return bool(state.get("result") or state.get("answer", {}).get("rev") == 1)


def _add(outputs, message):
    """Append a kernel's message, as an output, to the list `outputs` of a cell.

    Text on the same stream as the last output is joined to that output.
    """
    output = nbformat.v4.output_from_msg(message)
    last = outputs[-1] if outputs else {}
    if output.output_type == "stream" and last.get("name") == output.name:
        last.text += output.text
    else:
        outputs.append(output)
