"""Test the handouts that Chromium prints: no page is blank, nothing is cut off, and no local path is in the PDF."""

import re
import zlib

import editions
import pytest
from nb.files import COURSE, find_notebooks
from nb.format import read_notebook
from publish.handout import handout_html

NOTEBOOKS = find_notebooks([])
WIDTH = 673  # pixels: the printable width of a sheet
BLANK = 300  # bytes of a page that shows only its number

# Return, in words, each element that is wider than the sheet and each picture without alt text.
MEASURE = """() => {
  const wrong = [], edge = document.body.getBoundingClientRect().right + 1;
  const say = (what, part) => wrong.push(`<${part.tagName}> ${what}: ${(part.alt || part.textContent).slice(0, 60)}`);
  for (const part of document.querySelectorAll("body *")) {
    if (part.getBoundingClientRect().right > edge) say("runs out", part);
    if (part.tagName === "PRE" && part.scrollWidth > part.clientWidth + 1) say("is cut off", part);
    if (part.tagName === "IMG" && !part.alt.trim()) say("has no alt text", part);
  }
  return wrong;
}"""


def page_of(path):
    return handout_html(read_notebook(path), path.parent)


def objects_of(pdf):
    """Return the objects of a PDF, a dict from number to body, both bytes; Chromium does not pack them into streams."""
    return dict(re.findall(rb"^(\d+) 0 obj\b(.*?)^endobj", pdf, re.DOTALL | re.MULTILINE))


# Return the uncompressed stream of a PDF object.
def stream(body):
    return zlib.decompress(re.search(rb"stream\r?\n(.*)\r?\nendstream", body, re.DOTALL)[1])


@pytest.fixture(scope="module")
def pdf(tmp_path_factory):
    """Return the handout of the first notebook after the introduction as PDF bytes, printed as by `make handout`."""
    folder = tmp_path_factory.mktemp("handout")
    assert editions.main(["handout", str(NOTEBOOKS[1]), "--into", str(folder)]) == 0
    return (folder / f"{NOTEBOOKS[1].stem}.pdf").read_bytes()


def test_a_handout_has_pages_and_none_is_blank(pdf):
    objects = objects_of(pdf)
    pages = [body for body in objects.values() if re.search(rb"/Type ?/Page\b", body)]
    drawn = [len(stream(objects[re.search(rb"/Contents (\d+) 0 R", body)[1]])) for body in pages]
    assert len(drawn) > 3 and min(drawn) > BLANK


def test_no_address_of_a_folder_is_in_the_pdf(pdf):
    unpacked = [stream(body) for body in objects_of(pdf).values() if b"FlateDecode" in body and b"/Image" not in body]
    for content in (pdf, *unpacked):
        assert b"file:" not in content and b"handout.html" not in content and str(COURSE).encode() not in content
    assert all(link.startswith(b"https://") for link in re.findall(rb"/URI \((.*?)\)", pdf))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_nothing_runs_out_of_the_sheet(path, open_html):
    page = open_html(page_of(path))
    page.emulate_media(media="print")
    page.set_viewport_size({"width": WIDTH, "height": 1000})
    assert page.evaluate(MEASURE) == []


def test_pictures_are_the_light_ones_on_a_dark_system_too(open_html):
    made = page_of(NOTEBOOKS[1])
    shots = []
    for theme in ("light", "dark"):
        page = open_html(made, theme=theme)
        shots += [page.locator(part).first.screenshot() for part in ("figure img", "pre.code", "header")]
    assert shots[:3] == shots[3:]
