"""Fixtures for tests in a real browser.

`page`, `open_notebook` (in a real JupyterLab), `open_html` (no network), `open_page` (of the web edition, from a file).
"""

import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import lab_server
import pytest
from deck_page import keep_at_home
from nb.files import COURSE

# Parts of messages that JupyterLab itself logs as errors. Errors of the course's own code do not belong here.
NOISE = (
    "Canceled future for",  # JupyterLab's own requests (debugger, subshells) to a kernel that is restarting
    "Could not send widget sync message",  # a view changed its state after the kernel had ended
    "widget model not found",  # ipywidgets gave up on a saved view, and lab_server.Lab.show_saved loads the page again
)

# anywidget leaves a view undrawn if its script does not run within two seconds, which a busy machine may take.
PATIENT = "const timeout = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = (ms) => timeout(30 * ms);"
VIEWPORT = {"width": 1280, "height": 1400}
# The headless shell is the same browser without windows and toolbars, and opens a page in a third of the time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """A hook of pytest: mark the tests of this folder with what they need, by the fixtures that they use."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            fixtures = set(item.fixturenames)
            if not any(item.iter_markers("needs_firefox")) and not any(item.iter_markers("needs_webkit")):
                item.add_marker("needs_browser")
            if fixtures & {"site", "built"}:
                item.add_marker("needs_slides")


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=lab_server.CHROMIUM_OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def expect(browser):
    """Return Playwright's `expect`; a fixture, because a test module cannot import it where Playwright is missing."""
    from playwright.sync_api import expect

    expect.set_options(timeout=lab_server.PATIENCE)
    return expect


@pytest.fixture(scope="session")
def context(browser):
    """Return one BrowserContext of Playwright for all pages, so that JupyterLab's scripts are compiled only once."""
    context = browser.new_context(viewport=VIEWPORT, accept_downloads=True)
    context.set_default_timeout(lab_server.PATIENCE)
    context.add_init_script(PATIENT)
    return context


@pytest.fixture(scope="session")
def lab(browser, tmp_path_factory):
    """Yield a running lab_server.Lab; by the argument `browser`, no server starts where there is no browser."""
    with lab_server.serve(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@contextmanager
def no_errors(page):
    """A context manager that fails the test if a page logs an error, but NOISE, or its scripts raise an exception."""
    errors = []
    heard = {
        "console": lambda message: message.type == "error" and errors.append(message.text),
        "pageerror": lambda error: errors.append(str(error)),
    }
    for event, hear in heard.items():
        page.on(event, hear)
    yield
    for event, hear in heard.items():
        page.remove_listener(event, hear)
    errors = [error for error in errors if not any(noise in error for noise in NOISE)]
    assert not errors, "errors in the browser's console:\n" + "\n".join(errors)


@pytest.fixture
def page(context):
    """Yield a new Page of Playwright; an error in its console fails the test. It is closed afterwards."""
    page = context.new_page()
    with no_errors(page):
        yield page
        page.close()


@pytest.fixture
def lab_page(request, lab, context):
    """Yield a Page for notebooks in JupyterLab.

    JupyterLab and its kernel stay from one test to the next, because to load and start them takes longer than most
    tests. After a test that failed they are started anew.
    """
    page, failed = lab.kept_page or context.new_page(), request.session.testsfailed
    page.set_viewport_size(VIEWPORT)
    page.mouse.move(0, 0)  # where the last test left the mouse, it could hover over a word of this one
    with no_errors(page):
        yield page
    lab.kept_page = page
    if request.session.testsfailed > failed:
        lab_server.shut_down(page, wait=False)
        lab.kept_page = None
        page.close()


@pytest.fixture
def open_notebook(lab, lab_page):
    def open_notebook(cells, theme="light"):
        lab.open(lab_page, cells, theme)
        return lab_page

    return open_notebook


@pytest.fixture
def open_html(page, tmp_path):
    """Yield open_html(html, theme="light"), which writes HTML, a str, to a file, opens it, and returns its Page.

    A request to the network fails the test. HTML without an <html> tag gets a doctype and a charset.
    """
    problems = []
    keep_at_home(page, problems)

    def open_html(html, theme="light"):
        path = tmp_path / "page.html"
        scheme = '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
        path.write_text(html if "<html" in html else scheme + html, encoding="utf-8")
        page.emulate_media(color_scheme=theme)
        page.goto(path.as_uri())
        return page

    yield open_html
    assert problems == []


@pytest.fixture(scope="session")
def site():
    """Build the web edition, and return its folder, a Path; cached data of the views is used again.

    It is as `make site` builds it, but that only the translated notebooks of which a test opens the page are run.
    """
    subprocess.run(
        [sys.executable, COURSE / "tools" / "editions.py", "site", "--outputs", "00", "01", "04"], check=True
    )
    return COURSE / "build" / "site"


@pytest.fixture(scope="session")
def built():
    subprocess.run([sys.executable, COURSE / "tools" / "editions.py", "slides"], check=True)
    return COURSE / "build" / "slides"


@pytest.fixture
def nothing_kept(context, tmp_path):
    """Empty the store of pages opened from files, which all tests share, before and after a test."""
    (tmp_path / "empty.html").touch()

    def empty():
        page = context.new_page()
        page.goto((tmp_path / "empty.html").as_uri())
        page.evaluate("localStorage.clear()")
        page.close()

    empty()
    yield
    empty()


@pytest.fixture
def open_page(site, context):
    """Yield open_page(stem, theme="light", size=(1280, 800)), which opens a page of the site, such as "zh/index".

    size: of the window, in pixels. A request outside the site's folder, or anything in the console, fails the test.
    """
    opened, problems = [], []

    def open_page(stem, theme="light", size=(1280, 800)):
        page = context.new_page()
        opened.append(page)
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        page.emulate_media(color_scheme=theme)
        keep_at_home(page, problems, f"{site.as_uri()}/")
        page.on("console", lambda message: problems.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto((site / f"{stem}.html").as_uri())
        return page

    yield open_page
    for page in opened:
        page.close()
    assert problems == []
