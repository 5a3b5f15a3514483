"""Test a handout, and what a page of the web edition has on paper alone."""

import re
import zlib

import editions
from nb.files import COURSE, find_notebooks

NOTEBOOKS = find_notebooks([])
BLANK = 300  # bytes of a page that shows only its number


def objects_of(pdf):
    """Return the objects of a PDF, a dict from number to body, both bytes; Chromium does not pack them into streams."""
    return dict(re.findall(rb"^(\d+) 0 obj\b(.*?)^endobj", pdf, re.DOTALL | re.MULTILINE))


# Return the uncompressed stream of a PDF object.
def stream(body):
    return zlib.decompress(re.search(rb"stream\r?\n(.*)\r?\nendstream", body, re.DOTALL)[1])


def test_a_handout_has_pages_none_is_blank_and_none_holds_the_address_of_a_folder(tmp_path):
    assert editions.main(["handout", str(NOTEBOOKS[1]), "--into", str(tmp_path)]) == 0
    pdf = (tmp_path / f"{NOTEBOOKS[1].stem}.pdf").read_bytes()
    objects = objects_of(pdf)
    pages = [body for body in objects.values() if re.search(rb"/Type ?/Page\b", body)]
    drawn = [len(stream(objects[re.search(rb"/Contents (\d+) 0 R", body)[1]])) for body in pages]
    assert len(drawn) > 3 and min(drawn) > BLANK
    unpacked = [stream(body) for body in objects.values() if b"FlateDecode" in body and b"/Image" not in body]
    for content in (pdf, *unpacked):
        assert b"file:" not in content and b"page.html" not in content and str(COURSE).encode() not in content
    assert all(link.startswith(b"https://") for link in re.findall(rb"/URI \((.*?)\)", pdf))


def test_predictions_and_exercises_have_room_on_paper_alone_which_is_white_whatever_theme_the_screen_has(open_page):
    shots, parts = [], (".result img", "main > pre.code", ".question")
    for theme in ("light", "dark"):
        page = open_page(NOTEBOOKS[4].stem, theme, (673, 1000))
        page.emulate_media(media="print", color_scheme=theme)
        shots.append([page.locator(part).first.screenshot() for part in parts])
    assert shots[0] == shots[1]
    heights = [room.bounding_box()["height"] for room in page.locator(".guess, .room").all()]
    assert len(heights) > 10 and min(heights) > 40
    page.emulate_media(media="screen")
    assert page.locator(".paper, .guess, .room").filter(visible=True).count() == 0
    assert page.locator("details.answer > :not(summary)").filter(visible=True).count() == 0
