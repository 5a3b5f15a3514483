"""Drive Firefox, and WebKit, the engine of Safari, by the protocols of the W3C: Playwright has both only to download.

On Debian and Ubuntu they are the packages firefox-esr, and webkit2gtk-driver with xvfb.
"""

import glob
import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

import websocket

PATIENCE = 120  # seconds; a busy machine takes some for a start
MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4*/MiniBrowser"


def soon(get):
    """Return the first result of get() that is neither an error of the system nor empty. Errors: TimeoutError."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if result := get():
                return result
        except OSError:
            pass
        time.sleep(0.1)
    raise TimeoutError(f"nothing came within {PATIENCE} seconds")


class Firefox:
    """A Firefox without a window, by WebDriver BiDi. open(url, width, height); evaluate(expression); close()."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        command = ["firefox-esr", "--headless", "--no-remote", "--profile", self.folder, "--remote-debugging-port", "0"]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, env=os.environ | {"HOME": self.folder}, **silent)
        told = Path(self.folder, "WebDriverBiDiServer.json")
        place = json.loads(soon(lambda: told.read_text("utf-8")))
        address = f"ws://{place['ws_host']}:{place['ws_port']}/session"
        self.socket = websocket.create_connection(address, timeout=PATIENCE, suppress_origin=True)
        self.numbers = itertools.count(1)
        self.call("session.new", capabilities={})
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method, **params):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self.socket.recv())).get("id") != number:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, url, width, height):
        size = {"width": width, "height": height}
        self.call("browsingContext.setViewport", context=self.context, viewport=size)
        self.call("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def evaluate(self, expression):
        code = f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))"
        answer = self.call("script.evaluate", expression=code, target={"context": self.context}, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def close(self):
        self.socket.close()
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class WebKit:
    """A browser with WebKit on a screen that nobody sees, by WebDriver; its methods are those of Firefox."""

    def __init__(self):
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1500x1200x24"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        environment = os.environ | {"DISPLAY": f":{self.screen.stdout.readline().strip()}", "GDK_BACKEND": "x11"}
        environment |= {"LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1"}
        environment |= {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}  # root gets no sandbox; the pages are ours
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(["WebKitWebDriver", f"--port={port}"], env=environment, **silent)
        self.address = f"http://127.0.0.1:{port}"
        soon(lambda: self.call("GET", "/status"))
        options = {"binary": glob.glob(MINI_BROWSERS)[0], "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self.address += f"/session/{self.call('POST', '/session', wanted)['sessionId']}"

    def call(self, method, path, data=None):
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(self.address + path, body, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def open(self, url, width, height):
        if self.evaluate("[innerWidth, innerHeight]") != [width, height]:
            frame = self.evaluate("outerHeight - innerHeight")
            self.call("POST", "/window/rect", {"width": width, "height": height + frame})
            soon(lambda: self.evaluate("[innerWidth, innerHeight]") == [width, height])
        self.call("POST", "/url", {"url": url})

    def evaluate(self, expression):
        code = f"Promise.resolve({expression}).then(arguments[0])"
        return self.call("POST", "/execute/async", {"script": code, "args": []})

    def close(self):
        self.call("DELETE", "")
        for process in (self.process, self.screen):
            process.kill()
            process.wait()
