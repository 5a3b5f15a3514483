"""Test the pages of the web edition as a browser prints them: answers at the end, nothing live, nothing cut off."""

import re
import zlib

import editions
import pytest
from nb.files import COURSE, find_notebooks

NOTEBOOKS = find_notebooks([])
STEMS = [path.stem for path in NOTEBOOKS]
SHEET = (673, 1000)  # pixels: the printable width of a sheet, and some height
BLANK = 300  # bytes of a page that shows only its number

# Return, for a page on paper, what is wrong in words, and how many parts with an answer stand at its end.
MEASURE = """() => {
  const wrong = [], edge = document.documentElement.getBoundingClientRect().right + 1;
  const say = (what, part) => wrong.push(`<${part.tagName}> ${what}: ${(part.alt || part.textContent).slice(0, 60)}`);
  const seen = (part) => part.checkVisibility() && part.getBoundingClientRect().height > 0;
  const ends = document.querySelector(".answers").getBoundingClientRect().top;
  const answer = ".answers, .answer, .solution, .prose > details, .replies";
  for (const part of document.querySelectorAll("main *")) {
    if (!seen(part)) continue;
    const { top, right } = part.getBoundingClientRect();
    if (part.closest(answer) ? top < ends : top > ends) say("stands on the wrong side of the answers' heading", part);
    if (right > edge && !part.closest("pre > *")) say("runs out", part); // in code, a space may hang out of a line
    if (part.tagName === "PRE" && part.scrollWidth > part.clientWidth + 1) say("is cut off", part);
    if (part.tagName === "IMG" && !part.alt.trim()) say("has no alt text", part);
  }
  for (const part of document.querySelectorAll("nav, header, footer, form, button, input, audio, .view, .code-of"))
    if (seen(part)) say("is of no use", part);
  const answers = [...document.querySelectorAll(answer)];
  answers.forEach((part) => seen(part) || say("is missing", part));
  const shows = ([summary, ...rest], words) => rest.some(seen) || words.trim() !== summary.innerText.trim();
  for (const part of answers)
    if (part.tagName === "DETAILS" && !shows(part.children, part.innerText)) say("is shut", part);
  return [wrong, answers.length];
}"""


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
        assert b"file:" not in content and b"page.html" not in content and str(COURSE).encode() not in content
    assert all(link.startswith(b"https://") for link in re.findall(rb"/URI \((.*?)\)", pdf))


@pytest.mark.parametrize("stem", [*STEMS, f"zh/{STEMS[4]}"])
def test_answers_stand_at_the_end_and_nowhere_before(open_page, stem):
    page = open_page(stem, size=SHEET)
    page.emulate_media(media="print")
    wrong, answers = page.evaluate(MEASURE)
    assert wrong == [] and answers > 3


def test_a_prediction_has_lines_to_write_on_and_an_exercise_has_room_on_paper_alone(open_page):
    page = open_page(STEMS[4], size=SHEET)
    page.emulate_media(media="print")
    heights = [room.bounding_box()["height"] for room in page.locator(".guess, .room").all()]
    assert len(heights) > 10 and min(heights) > 40
    page.emulate_media(media="screen")
    assert page.locator(".paper, .guess, .room").filter(visible=True).count() == 0
    assert page.locator("details.answer > :not(summary)").filter(visible=True).count() == 0


def test_paper_is_white_whatever_theme_the_screen_has(open_page):
    shots = []
    for theme in ("light", "dark"):
        page = open_page(STEMS[4], theme, SHEET)
        page.emulate_media(media="print", color_scheme=theme)
        shots += [page.locator(part).first.screenshot() for part in (".result img", "main > pre.code", ".question")]
    assert shots[:3] == shots[3:]
