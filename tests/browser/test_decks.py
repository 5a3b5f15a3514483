"""Every slide deck in a real browser, from a file, the network refused: nothing asked, nothing cut off, all alive."""

import re
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from heads_page import HeadsPage
from notebook_files import COURSE, find_notebooks
from notebook_format import read_notebook

pytest.importorskip("pyreveal", reason="the extra `slides` is not installed: make test-browser installs it")

DECKS = COURSE / "build" / "slides"
STEMS = [path.stem for path in find_notebooks([])]
READABLE = 15  # pixels of a slide 720 high: the smallest text that anybody has to read
MOST_BYTES = 6_000_000

# For each slide, in turn on the screen with all its steps: its title, and what is wrong with it.
MEASURE = """() => deck.getSlides().map((slide) => {
  const { h, v } = deck.getIndices(slide);
  deck.slide(h, v, 99);
  const body = slide.querySelector(".body"), { width, height } = slide.getBoundingClientRect(), wrong = [];
  const box = body.getBoundingClientRect(), inside = body.querySelectorAll(":not(.view *, math *)");
  if (box.height > height + 1) wrong.push(`${Math.round(box.height - height)} pixels too tall`);
  for (const part of inside)
    if (part.getBoundingClientRect().right > width + 1) wrong.push(`<${part.tagName}> runs out on the right`);
  for (const code of body.querySelectorAll("pre"))
    if (code.scrollWidth > code.clientWidth + 1) wrong.push("a line of code is cut off");
  for (const formula of body.querySelectorAll("math"))
    if (formula.getBoundingClientRect().left + formula.scrollWidth * formula.currentCSSZoom > width + 1)
      wrong.push("a formula runs out on the right");
  for (const image of body.querySelectorAll("img")) {
    if (!image.alt.trim()) wrong.push("a picture has no alt text");
    const { width } = image.getBoundingClientRect(), isDrawn = image.src.startsWith("data:image/svg");
    if (!isDrawn && width > image.naturalWidth + 1) wrong.push("a picture is blurred");
  }
  const hasWords = (part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const texts = [...inside].filter((part) => part.offsetParent && hasWords(part));
  const sizes = texts.map((part) => parseFloat(getComputedStyle(part).fontSize) * part.currentCSSZoom);
  const smallest = Math.min(...sizes, 99);
  return { title: `${h + 1}.${v + 1} ${slide.dataset.title}`, wrong, smallest };
})"""


@pytest.fixture(scope="session")
def built():
    """All decks, as `make slides` builds them; what was collected of the views before is used again."""
    subprocess.run([sys.executable, COURSE / "tools" / "slides.py", "build"], check=True)
    return DECKS


class Deck:
    """A deck that is open, and what went wrong in it so far."""

    def __init__(self, context, path):
        self.path, self.page, self.problems = path, context.new_page(), []
        self.page.set_viewport_size({"width": 1280, "height": 720})
        self.page.route(re.compile("^(?!file:|data:|blob:|about:)"), self.refuse)
        self.page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("requestfailed", lambda request: self.problems.append(f"failed: {request.url[:200]}"))
        self.open()

    def refuse(self, route):
        self.problems.append(f"asked the network for {route.request.url}")
        route.abort()

    def open(self):
        self.page.goto(self.path.as_uri())
        self.page.wait_for_selector("html:not(.loading)")

    def show(self, selector):
        """Go to the first slide that holds what the selector names, with all its steps."""
        self.page.evaluate(
            "(selector) => { const at = deck.getIndices(document.querySelector(selector).closest('section.page'));"
            "deck.slide(at.h, at.v, 99); }",
            selector,
        )

    def place(self):
        return self.page.evaluate("deck.getIndices()")


@pytest.fixture(scope="module")
def deck(request, built, context):
    """The deck of one notebook; the first where a test names none."""
    deck = Deck(context, built / f"{getattr(request, 'param', STEMS[0])}.html")
    yield deck
    deck.page.close()


@pytest.mark.parametrize("deck", STEMS, indirect=True)
def test_every_slide_fits_and_nothing_is_loaded(deck):
    slides = deck.page.evaluate(MEASURE)
    assert [f"{slide['title']}: {wrong}" for slide in slides for wrong in slide["wrong"]] == []
    small = [f"{slide['title']}: {slide['smallest']:.1f}" for slide in slides if slide["smallest"] < READABLE]
    assert small == [], "text too small to read: shorten the cell in the notebook, or cut it in two"
    assert deck.problems == []


@pytest.mark.parametrize("deck", STEMS, indirect=True)
def test_views_are_alive_and_large(deck):
    notebook = read_notebook(COURSE / "notebooks" / f"{deck.path.stem}.ipynb")
    stored = [cell for cell in notebook.cells if "widget" in cell.metadata.get("tags", [])]
    views = deck.page.locator(".view .av")
    assert views.count() >= len(stored)
    assert deck.page.locator(".view .av-error:not(:empty)").count() == 0
    assert deck.page.locator(".view > .av-page > img").count() == 0, "a view stayed the picture of where no script runs"
    if stored:
        zooms = "[...document.querySelectorAll('.view')].map((v) => v.style.zoom * v.closest('.body').style.zoom)"
        assert min(deck.page.evaluate(zooms)) >= 1, "a view is smaller than in the notebook: its slide holds too much"
    assert deck.problems == []


@pytest.mark.parametrize("stem", STEMS)
def test_a_deck_is_small(built, stem):
    shared = sum(path.stat().st_size for path in (built / "assets").iterdir())
    assert (built / f"{stem}.html").stat().st_size + shared < MOST_BYTES


def test_the_first_slide_is_there_within_a_second(built, context):
    path = max(built.glob("[0-9]*.html"), key=lambda path: path.stat().st_size)
    deck, times = Deck(context, path), []
    for _ in range(3):  # the machine may be busy with something else
        deck.open()
        times.append(deck.page.evaluate("performance.getEntriesByName('shown')[0].startTime"))
    deck.page.close()
    assert min(times) < 1000, times


def test_a_head_is_chosen_by_click_and_by_key(deck, expect):
    """And the keys go back to the slides by Escape, or by a click beside the view."""
    deck.show(".av-heads")
    page, view, place = deck.page, HeadsPage(deck.page), deck.place()
    view.head(5).click()
    expect(view.heatmap).to_have_attribute("aria-label", re.compile("head 5"))
    page.keyboard.press("ArrowRight")
    expect(view.heatmap).to_have_attribute("aria-label", re.compile("head 6"))
    page.keyboard.press("s")  # a letter in the view is the view's
    assert deck.place() == place and len(page.context.pages) == page.context.pages.index(page) + 1
    page.keyboard.press("Escape")
    assert not page.evaluate("deck.isOverview()")
    page.keyboard.press("ArrowLeft")
    assert deck.place() != place
    deck.show(".av-heads")
    view.head(2).click()
    page.mouse.click(1270, 40)
    page.keyboard.press("ArrowLeft")
    assert deck.place() != place


def test_a_remote_control_moves_the_slides_from_inside_a_view(deck):
    deck.show(".av-heads")
    place = deck.place()
    HeadsPage(deck.page).head(3).click()
    deck.page.keyboard.press("PageDown")
    assert deck.place() != place


def test_a_second_talk_passes_no_page_over(deck):
    """After a rehearsal, Home: every section begins at its first page, with its steps hidden again."""
    page, walks = deck.page, []
    for _ in range(2):
        page.keyboard.press("Home")
        walk = [deck.place()]
        while not page.evaluate("deck.isLastSlide() && !deck.availableFragments().next"):
            page.keyboard.press("PageDown")
            walk.append(deck.place())
        walks.append(walk)
    assert walks[0] == walks[1]
    assert len({(place["h"], place["v"]) for place in walks[1]}) == page.evaluate("deck.getTotalSlides()")


@pytest.mark.parametrize("deck", [next(stem for stem in STEMS if stem.startswith("07"))], indirect=True)
def test_a_view_that_says_more_finds_room(deck, expect):
    deck.show(".av-heads")
    page, slide = deck.page, deck.page.locator("section.page.present")
    slide.locator("select").first.select_option(label="5")
    expect(slide.locator(".av-error")).to_contain_text("not divisible")
    page.wait_for_function("document.querySelector('section.page.present .body').offsetHeight <= 720")


def test_hovering_a_cell_tells_its_weight(deck, expect):
    deck.show(".av-heads")
    view = HeadsPage(deck.page)
    view.heatmap.hover(position=view.place(2, 0))
    expect(view.status).to_contain_text(re.compile(r"→ \S+ 0\.\d\d"))


def test_steps_appear_one_by_one(deck, expect):
    deck.show(".fragment")
    at = deck.place()
    deck.page.evaluate("({h, v}) => deck.slide(h, v, -1)", at)
    hidden = deck.page.locator("section.present .fragment:not(.visible)")
    before = hidden.count()
    expect(hidden.first).to_be_hidden()
    deck.page.keyboard.press("Space")
    assert 0 <= hidden.count() < before
    assert (deck.place()["h"], deck.place()["v"]) == (at["h"], at["v"])


def test_an_opened_hint_finds_room(deck, expect):
    deck.show("details")
    page, slide = deck.page, deck.page.locator("section.page.present:has(details)")
    for summary in slide.locator("summary").all():
        summary.click()
        page.wait_for_timeout(50)  # the browser tells of it after it has drawn
    heights = "slide => [slide.querySelector('.body').getBoundingClientRect().height, slide.offsetHeight]"
    needed, given = slide.evaluate(heights)
    assert needed <= given + 1
    expect(slide.locator("details").last).to_have_attribute("open", "")


def test_notes_stay_out_of_sight_and_s_shows_them(deck, expect):
    page = deck.page
    assert page.locator("aside.notes:visible").count() == 0
    page.evaluate(
        "document.querySelectorAll('aside.notes').forEach((notes) => notes.remove());"
        "document.querySelector('section.page').insertAdjacentHTML("
        "'beforeend', '<aside class=notes>Ask for hands.</aside>');"
        "deck.slide(0, 0)"
    )
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    notes = opened.value
    expect(notes.locator("main")).to_have_text("Ask for hands.")
    assert page.get_by_text("Ask for hands.").filter(visible=True).count() == 0
    notes.keyboard.press("ArrowRight")
    expect(notes.locator("main")).to_have_text("No notes on this slide.")
    assert deck.place()["h"] == 1
    with notes.expect_event("close"):
        page.keyboard.press("s")
    page.evaluate("window.open = () => null; deck.slide(0, 0)")  # a browser that lets no window open
    page.keyboard.press("s")
    expect(page.locator("#notes-here")).to_have_text("Ask for hands.")
    page.keyboard.press("s")
    expect(page.locator("#notes-here")).to_be_hidden()
    assert deck.problems == []
    deck.open()


def test_dark_follows_the_system_and_the_key(deck):
    paper_and_ink = (
        "['.deck', '.view .av'].map((part) => { const style = getComputedStyle(document.querySelector(part));"
        "const colour = part === '.deck' ? style.backgroundColor : style.color;"
        "return Math.max(...colour.match(/[\\d.]+/g).slice(0, 3)) > 128 ? 'light' : 'dark'; }).join(' on ')"
    )

    def see(wanted):
        deck.page.wait_for_function(f"{paper_and_ink} === {wanted!r}")

    see("light on dark")  # paper on ink
    deck.page.emulate_media(color_scheme="dark")
    see("dark on light")
    deck.page.keyboard.press("d")
    see("light on dark")
    deck.page.emulate_media(color_scheme="light")


def test_the_index_leads_to_every_deck(built, page):
    page.goto((built / "index.html").as_uri())
    links = page.locator("ol a")
    assert links.evaluate_all("links => links.map((link) => link.getAttribute('href'))") == [f"{s}.html" for s in STEMS]
    links.first.click()
    page.wait_for_selector("html:not(.loading)")


def pages_of(pdf):
    """The number of bytes with which each page of a PDF is drawn; chromium leaves the objects of a page readable."""
    objects = dict(re.findall(rb"^(\d+) 0 obj\b(.*?)^endobj", pdf, re.DOTALL | re.MULTILINE))
    pages = [body for body in objects.values() if re.search(rb"/Type ?/Page\b", body)]
    drawings = [objects[re.search(rb"/Contents (\d+) 0 R", body)[1]] for body in pages]
    return [len(zlib.decompress(re.search(rb"stream\r?\n(.*)\r?\nendstream", body, re.DOTALL)[1])) for body in drawings]


def test_the_handout_has_a_page_for_each_slide_and_none_is_blank(deck, tmp_path: Path):
    from publish.handout import print_deck

    pages = pages_of(print_deck(deck.path, tmp_path / "handout.pdf").read_bytes())
    assert len(pages) == deck.page.evaluate("deck.getTotalSlides()")
    blank = 300  # bytes that set up a page and its number
    assert min(pages) > blank
