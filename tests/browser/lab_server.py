"""Start a JupyterLab server for the browser tests and the bench, and do in it what a reader does (run, save, …)."""

import itertools
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[2]
NO_CHROMIUM = "The browser tests need Chromium and Playwright: `apt-get install chromium` and `pip install playwright`."
# Chromium makes a new frame for each page (RenderDocument). A page from a file that asks for localStorage before the
# browser has heard of its frame is refused without a word: it finds the store empty, and what it keeps is lost. This
# befell two loads in a hundred on a busy machine, and none where frames stay. The first feature is Playwright's own
# choice, which this option overrides.
FRAMES_STAY = "--enable-features=CDPScreenshotNewSurface,RenderDocument:level/crashed-frame"
CHROMIUM_OPTIONS = f"""--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync {FRAMES_STAY}""".split()
EVERY_CELL = {"@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}}  # keep unseen cells in the page
EMPTY = """from comm import get_comm_manager
for comm in [*get_comm_manager().comms.values()]:
    comm.close()
get_ipython().reset()"""  # as after a restart, but that modules stay imported
PATIENCE = 120_000  # timeout in milliseconds: ten times what opening JupyterLab takes on an idle machine
# The server knows a session by its notebook's path, and JupyterLab connects to the one with the path that it opens.
PASS_THE_KERNEL_ON = """const { session } = notebook.sessionContext, [code, path] = given;
  await session.kernel.requestExecute({ code }).done;
  notebook.dispose();
  const [, token] = document.cookie.match(/_xsrf=([^;]+)/), body = JSON.stringify({ path, name: path });
  await fetch(`/api/sessions/${session.id}`, { method: "PATCH", headers: { "X-XSRFToken": token }, body });"""
SETTINGS = EVERY_CELL | {"@jupyterlab/docmanager-extension:plugin": {"autosave": False}}


class Lab:
    """A running JupyterLab server. home: the folder it serves, a Path. url: without a slash at the end.

    kept_page: a page in which JupyterLab is open already, for a caller that opens several notebooks in turn; or None.
    """

    def __init__(self, home, url, server):
        self.home, self.url, self.server, self.count, self.kept_page = home, url, server, 0, None
        self.workspaces = itertools.count()

    def open(self, page, cells, theme="light"):
        """Write a notebook with these code cells, open it in a Page of Playwright, run it, and return its file name.

        If the page shows a notebook whose kernel is alive, the new notebook gets this kernel, without its variables and
        views, since to start one takes longer than most tests. An error in a cell raises AssertionError with its text.
        """
        self.count += 1
        name = f"notebook{self.count}.ipynb"
        write(self.home / name, map(nbformat.v4.new_code_cell, cells))
        if page.evaluate("Boolean(window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel)"):
            _do(page, PASS_THE_KERNEL_ON, [EMPTY, name])
        self.show(page, name, theme)
        run(page)
        return name

    def show(self, page, name, theme="light"):
        """Open a notebook that is in `home` already, without running it.

        It takes the place of the notebook that the page shows; a page without JupyterLab loads it.
        """
        if page.evaluate("Boolean(window.jupyterapp)"):
            _do(page, f"notebook?.dispose(); await app.commands.execute('docmanager:open', {{ path: '{name}' }})")
        else:
            # Of two pages in one workspace JupyterLab moves the second to a workspace of its own. It then loads that
            # page anew, and logs an error for each request that this cuts off.
            page.goto(f"{self.url}/lab/workspaces/{next(self.workspaces)}/tree/{name}")
        page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context?.isReady", timeout=PATIENCE)
        page.wait_for_function("window.jupyterapp.shell.currentWidget.sessionContext.isReady", timeout=PATIENCE)
        set_theme(page, theme)

    def show_saved(self, page, name):
        """Open a notebook with saved views in a page that shows no JupyterLab yet, and wait until they are drawn.

        ipywidgets waits for the model of a saved view for two seconds. Where a slow kernel connects just then, it says
        that there is none, for good. A reader loads the page again, and so does this.
        """
        given_up = page.get_by_text("Error displaying widget: model not found")

        def drawn():
            page.goto("about:blank")
            self.show(page, name)
            page.locator(".av").or_(given_up).first.wait_for(timeout=PATIENCE)
            page.wait_for_function("!document.body.innerText.includes('Loading widget...')", timeout=PATIENCE)
            return not given_up.count()

        assert wait_until(drawn), "ipywidgets did not find the saved views, however often the page was loaded"


def write(path, cells):
    """Write a notebook of Python with these cells, of nbformat."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}  # else JupyterLab asks for one
    nbformat.write(nbformat.v4.new_notebook(cells=list(cells), metadata={"kernelspec": kernel}), path)


def run(page):
    """Run all cells of the open notebook, and wait until all are done. Errors: AssertionError with what went wrong."""
    _do(page, "await app.commands.execute('notebook:run-all-cells')")
    errors = page.locator("[data-mime-type='application/vnd.jupyter.error'], [data-mime-type$=stderr]")
    assert not errors.count(), "\n".join(errors.all_inner_texts())


def set_theme(page, theme):
    _do(page, f"app.commands.execute('apputils:change-theme', {{ theme: 'JupyterLab {theme.title()}' }})")
    page.wait_for_function(
        "(light) => document.body.dataset.jpThemeLight === light && !document.getElementById('jupyterlab-splash')",
        arg="true" if theme == "light" else "false",  # a second switch while JupyterLab's splash screen is up fails
    )


def restart_kernel(page):
    _do(page, "const { kernel } = notebook.sessionContext.session; await kernel.restart(); await kernel.info")


def in_kernel(page, source):
    """Return the repr of a Python expression's value in the open notebook's kernel; for None a kernel sends nothing."""
    return page.evaluate(
        """(code) => new Promise((done) => {
            const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
            kernel.requestExecute({ code }).onIOPub = ({ content }) => content.data && done(content.data["text/plain"]);
        })""",
        source,
    )


def save(page):
    _do(page, "await notebook.context.save()")


def shut_down(page, wait=True):
    """End the kernel of the open notebook, if any, since they would pile up. wait: return only when it has ended."""
    if page.evaluate("Boolean(window.jupyterapp?.shell.currentWidget?.sessionContext)"):
        _do(page, f"const end = notebook.sessionContext.shutdown(); if ({str(wait).lower()}) await end")


def wait_until(holds):
    """Call `holds` every 20 ms until it returns true or PATIENCE is over; return whether it returned true."""
    until = time.monotonic() + PATIENCE / 1000
    while not (done := holds()) and time.monotonic() < until:
        time.sleep(0.02)
    return bool(done)


def settle(page):
    page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))")


def _do(page, script, given=None):
    """Run JavaScript in a page that shows JupyterLab, and wait until it is done.

    script: statements, which may use await, `app` (JupyterLab's application), `notebook` (its panel in front) and
    `given`, a value for JSON. Errors: AssertionError for an exception in the script.
    """
    page.evaluate(
        "([script, given]) => { window.didIt = null; const AsyncFunction = (async () => {}).constructor;"
        "const app = window.jupyterapp, notebook = app.shell.currentWidget;"
        "new AsyncFunction('app', 'notebook', 'given', script)(app, notebook, given)"
        ".then(() => (window.didIt = 'done'), (error) => (window.didIt = String(error))); }",
        [script, given],
    )
    outcome = page.wait_for_function("window.didIt", timeout=PATIENCE).json_value()
    assert outcome == "done", outcome


@contextmanager
def serve(home, settings=SETTINGS):
    """Start JupyterLab on a free port and yield a Lab; end the server afterwards.

    home: a Path, for all files of JupyterLab. settings: those to add to the course's own; by default autosave is off.
    """
    defaults = home / "config" / "labconfig" / "default_setting_overrides.json"
    defaults.parent.mkdir(parents=True, exist_ok=True)
    defaults.write_text(json.dumps(settings))
    folders = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime",
               "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
               "IPYTHONDIR": "ipython"}  # fmt: skip
    environment = os.environ | {name: str(home / folder) for name, folder in folders.items()}
    environment["JUPYTER_CONFIG_PATH"] = str(ROOT / "etc" / "jupyter")  # as in `make lab`
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    port = _free_port()
    options = [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={home}",
               "--no-browser", "--allow-root", "--IdentityProvider.token=", "--expose-app-in-browser"]  # fmt: skip
    with open(home / "log.txt", "w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options], env=environment, stdout=log, stderr=log
        )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_for(server, f"{url}/api", home / "log.txt")
        yield Lab(home, url, server)
    finally:
        server.terminate()
        try:
            server.wait(PATIENCE / 1000)
        except subprocess.TimeoutExpired:
            server.kill()  # no test here is about how JupyterLab ends; its kernels end with it


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(server, address, log):
    def answers():
        try:
            return not urllib.request.urlopen(address).close()
        except OSError:
            return False

    if not wait_until(lambda: server.poll() is not None or answers()) or server.poll() is not None:
        raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")
