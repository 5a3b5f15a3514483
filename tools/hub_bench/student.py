"""A simulated student, who signs in on a hub, opens a notebook, runs it from top to bottom, answers and saves.

It sends what a browser would: requests for pages with their scripts, files and sessions, kernel messages, moves of
views, and the requests that JupyterLab repeats every ten seconds.
"""

import json
import random
import re
import time
from urllib.parse import urljoin, urlsplit

import nbformat
import requests
import websocket
from nb.solutions import with_solutions

from hub_bench.kernel import Failure, Kernel

FOLDER = "attention-course"  # the folder of the notebooks, in the home directory
ASSET = re.compile(r'(?:src|href)="([^"]+\.(?:js|css)[^"]*)"')
FIRST_REQUESTS = "lab/api/settings lab/api/workspaces/default lab/api/translations/ api/kernelspecs api/me".split()
REPEATED_REQUESTS = ("api/kernels", "api/sessions", f"api/contents/{FOLDER}?content=1")
REPEATS_AFTER, SAVES_AFTER = 10, 10  # seconds between JupyterLab's requests, and between saves as the course sets them
ATTEMPT = 600  # the timeout of a single request, in seconds


class Student:
    """A simulated student on the hub at `url`.

    faster: how many times shorter the pauses are than a reader's. ends: the time.monotonic() at which all must be done.
    at_first: called with the name when the first output is there.

    Results: `up`, `first` and `done` are seconds from the start, until the server is up, the first output is there and
    the last notebook is done, or None. `answers` is a dict, path of a notebook -> list of the sources written there.
    `failures` is a list of lines on what went wrong. `moved` and `answered` count the views that were moved, and those
    of them that the kernel answered.
    """

    def __init__(self, url, name, password, faster, ends, at_first):
        self.url, self.name, self.password, self.faster, self.ends = url, name, password, faster, ends
        self.at_first = at_first
        self.up = self.first = self.done = None
        self.start, self.failures, self.answers = time.monotonic(), [], {}
        self.moved = self.answered = 0
        self._browser, self._chance, self._next_repeat = requests.Session(), random.Random(name), self.start
        self._browser.headers["Referer"] = url

    def come_in(self):
        """Sign in, start the server, load JupyterLab's page and scripts, and set `up`. Errors: those in FAILURES."""
        self._ask("GET", "hub/login")
        self._ask("POST", "hub/login", data={"username": self.name, "password": self.password, "_xsrf": self._token()})
        self._ask("GET", "hub/spawn")
        self._wait_for_server()
        page = self._ask("GET", f"user/{self.name}/lab")
        for path in ASSET.findall(page.text):
            if urlsplit(address := urljoin(page.url, path)).netloc == urlsplit(self.url).netloc:
                self._ask("GET", address)
        for path in FIRST_REQUESTS:
            self._mine("GET", path)
        self.up = self._now()

    def work_through(self, file: str, minutes: float) -> str:
        """Open a notebook, run it with a reader's pauses, answer its exercises, move its views, and save it.

        Return the id of the Jupyter session, whose kernel keeps running. file: the file's name without suffix. minutes:
        how long a reader takes. Errors: the exceptions in FAILURES. An error in a cell is not raised, but noted in
        `failures`.
        """
        path = f"{FOLDER}/{file}.ipynb"
        notebook = nbformat.from_dict(self._mine("GET", f"api/contents/{path}?content=1").json()["content"])
        solved, _ = with_solutions(notebook)
        wanted = {"path": path, "name": path, "type": "notebook", "kernel": {"name": "python3"}}
        session = self._mine("POST", "api/sessions", json=wanted).json()
        cells = [number for number, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
        pause = minutes * 60 / len(cells) / self.faster
        saved = time.monotonic()
        with self._kernel(session["kernel"]["id"], notebook) as kernel:
            for number in cells:
                cell, answer = notebook.cells[number], solved.cells[number].source
                if answer != cell.source:
                    cell.source = f"{answer}\n# {self.name}"
                    self.answers.setdefault(path, []).append(cell.source)
                self._run(kernel, file, number)
                if self.first is None and cell.outputs:
                    self.first = self._now()
                    self.at_first(self.name)
                if self.first is not None:
                    self._read(kernel, pause * self._chance.uniform(0.5, 1.5))
                if time.monotonic() - saved > SAVES_AFTER / self.faster:
                    self._save(path, kernel)
                    saved = time.monotonic()
            self._save(path, kernel)
            self._mine("POST", f"api/contents/{path}/checkpoints")
            moved, answered = kernel.views_moved()
            self.moved, self.answered = self.moved + moved, self.answered + answered
        self.done = self._now()
        return session["id"]

    def close(self, session: str):
        """Shut down a notebook's kernel. session: the id that `work_through` returned."""
        self._mine("DELETE", f"api/sessions/{session}")

    def _wait_for_server(self):
        """Wait for this student's server, by the hub's stream of progress events. Errors: Failure if none starts."""
        address = f"hub/api/users/{self.name}/server/progress"
        with self._ask("GET", address, params={"_xsrf": self._token()}, stream=True) as news:
            for line in news.iter_lines():
                event = json.loads(line.removeprefix(b"data:")) if line.startswith(b"data:") else {}
                self._in_time()
                if event.get("ready"):
                    return
                if event.get("failed"):
                    raise Failure(f"the server did not start: {event.get('message')}")
        raise Failure("the server did not start")

    def _run(self, kernel: Kernel, file: str, number: int):
        """Run the cell at an index, note its errors in `failures` as those of `file`, and move views that it opened."""
        kernel.run(number)
        cell = kernel.nb.cells[number]
        for output in cell.outputs:
            if output.output_type == "error":
                first = cell.source.strip().splitlines()[0]
                self.failures.append(f'{self.name}, {file}, "{first}": {output.ename}: {output.evalue}')
        kernel.move_new_views()

    def _read(self, kernel: Kernel, seconds: float):
        """Listen to a kernel for so many seconds, as a reader does, while JupyterLab's repeated requests are sent."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            kernel.listen(min(left, self._next_repeat - time.monotonic()))
            if time.monotonic() >= self._next_repeat:
                for path in REPEATED_REQUESTS:
                    self._mine("GET", path)
                self._next_repeat = time.monotonic() + REPEATS_AFTER / self.faster

    def _save(self, path: str, kernel: Kernel):
        """Save a kernel's notebook at a path on the student's server, with the state of its widgets."""
        kernel.set_widgets_metadata()
        self._mine("GET", f"api/contents/{path}?content=0")
        self._mine("PUT", f"api/contents/{path}", json={"type": "notebook", "format": "json", "content": kernel.nb})

    def _kernel(self, key: str, notebook) -> Kernel:
        """Return a Kernel for a NotebookNode, yet to be connected, to the running kernel with the id `key`."""
        path = urlsplit(f"{self.url}/user/{self.name}/api/kernels/{key}/channels")
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies(path.path).items())
        return Kernel(notebook, f"ws://{path.netloc}{path.path}", cookies, self._in_time)

    def _mine(self, method: str, path: str, **more) -> requests.Response:
        """Send a request to a path on the student's own server, as `_ask` does, and return the answer."""
        return self._ask(method, f"user/{self.name}/{path}", **more)

    def _ask(self, method: str, path: str, **more) -> requests.Response:
        """Send one request to the hub, once, and return the answer.

        method: "GET" or another HTTP method. path: a path on the hub, or a whole address. more: keyword arguments of
        `requests`. Errors: Failure for a status of 400 or above, or if the student's time is up before the request; a
        failed connection and a timeout (ATTEMPT seconds) raise the errors of `requests`.
        """
        self._in_time()
        address = urljoin(f"{self.url}/", path)
        headers = {} if method == "GET" else {"X-XSRFToken": self._token(address)}
        answer = self._browser.request(method, address, headers=headers, timeout=ATTEMPT, **more)
        if answer.status_code >= 400:
            raise Failure(f"{method} {urlsplit(address).path} was answered with {answer.status_code}")
        return answer

    def _token(self, address: str | None = None) -> str:
        """Return the XSRF token that the hub has set for an address, by default its login page; "" if there is none."""
        return self._cookies(urlsplit(address or f"{self.url}/hub/login").path).get("_xsrf", "")

    def _cookies(self, path: str) -> dict[str, str]:
        """Return name -> value of the cookies that a browser sends to a path; the longest cookie path wins."""
        fitting = [cookie for cookie in self._browser.cookies if path.startswith(cookie.path)]
        return {cookie.name: cookie.value for cookie in sorted(fitting, key=lambda cookie: len(cookie.path))}

    def _in_time(self):
        """Do nothing, or raise Failure if the time at which all must be done has passed."""
        if time.monotonic() > self.ends:
            raise Failure("was not done in time")

    def _now(self) -> float:
        """Return the seconds since this student was made."""
        return time.monotonic() - self.start


FAILURES = (Failure, OSError, websocket.WebSocketException)  # OSError: also what requests raises
