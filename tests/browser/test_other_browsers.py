"""Test in Firefox and in WebKit, the engine of Safari, what they draw otherwise: views, pages, slides."""

import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
import spoken_views
from deck_page import measure
from nb.files import find_notebooks
from other_browsers import Firefox, WebKit, soon

STEMS = [path.stem for path in find_notebooks([])]
TRAP = "<script>var errors = []; addEventListener('error', ({ message }) => errors.push(message))</script>"
HARMLESS = "ResizeObserver loop"  # a browser reports that a view is fitted in two steps


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(Firefox, marks=pytest.mark.needs_firefox, id="Firefox"),
        pytest.param(WebKit, marks=pytest.mark.needs_webkit, id="WebKit"),
    ],
)
def browser(request):
    browser = request.param()
    yield browser
    browser.close()


def test_all_views_are_drawn_and_answer(browser, tmp_path):
    views = {**spoken_views.views(), **spoken_views.questions()}
    head = '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">' + TRAP
    (tmp_path / "views.html").write_text(head + "".join(view.to_html() for view in views.values()), "utf-8")
    handler = functools.partial(SimpleHTTPRequestHandler, directory=tmp_path)
    # Of a page that is a file, WebKit does not say which error it had.
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser.open(f"http://127.0.0.1:{server.server_port}/views.html", 900, 800)
        soon(lambda: browser.evaluate("document.querySelectorAll('.av').length") == len(views))
        server.shutdown()
    assert browser.evaluate("document.querySelectorAll('.av-error:not(:empty)').length") == 0
    assert [error for error in browser.evaluate("errors") if not error.startswith(HARMLESS)] == []
    head = "document.querySelectorAll('.av-heads [role=radio]')[1]"
    soon(lambda: browser.evaluate(f"Boolean({head})"))
    browser.evaluate(f"{head}.click()")
    assert browser.evaluate(f"{head}.ariaChecked") == "true"
    slider = "document.querySelectorAll('.av-rotary')[0].parentElement.querySelector('input')"
    browser.evaluate(f"((one) => {{ one.value = 9; one.dispatchEvent(new Event('input')) }})({slider})")
    assert "Query at place 9" in browser.evaluate(f"{slider}.closest('.av').querySelector('p.av-status').textContent")


@pytest.mark.parametrize("stem", ["index", *STEMS])
def test_no_page_runs_out_on_the_right(browser, site, stem):
    browser.open((site / f"{stem}.html").as_uri(), 480, 800)  # WebKit's window cannot be as narrow as a phone
    soon(lambda: browser.evaluate("document.querySelectorAll('.av-page:not(.av-live)').length === 0"))
    assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert browser.evaluate("document.querySelectorAll('.av-error:not(:empty)').length") == 0


def test_a_figure_has_a_paper_where_its_colours_do_not_follow_the_page(browser, site):
    browser.open((site / "04_causal_masking.html").as_uri(), 1200, 800)
    figure = "document.querySelector('img[src$=\".svg\"]')"
    paper = browser.evaluate(f"getComputedStyle({figure}).backgroundColor")
    assert paper == ("rgb(255, 255, 255)" if isinstance(browser, WebKit) else "rgba(0, 0, 0, 0)")


def test_a_sentence_is_read(browser, site):
    browser.open((site / "index.html").as_uri(), 1200, 800)
    sentence = "The trophy did not fit into the suitcase because it was too large."
    typed = f"one.value = '{sentence}'; one.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    browser.evaluate(f"((one) => {{ {typed} }})(document.querySelector('.own-line input'))")
    soon(lambda: "Press Read" in browser.evaluate("document.querySelector('.own-status').textContent"))
    browser.evaluate("document.querySelector('.own-go').click()")
    said = "document.querySelector('.own-out .av-sentence .av-status')?.textContent"
    assert "it looks most at trophy" in soon(lambda: browser.evaluate(said))


@pytest.mark.parametrize("stem", STEMS)
def test_every_slide_fits(browser, built, stem):
    browser.open((built / f"{stem}.html").as_uri(), 1280, 720)
    soon(lambda: browser.evaluate("!document.documentElement.matches('.loading')"))
    slides = browser.evaluate(measure([0, 0, 0]))  # WebKit tells sizes of letters in a zoomed SVG that are not drawn
    assert [f"{slide['title']}: {wrong}" for slide in slides for wrong in slide["wrong"]] == []
