"""Test every slide deck in a real browser, from a file: no network request, nothing cut off, all views work."""

import re
from pathlib import Path

import lab_server
import pytest
from accessibility import violations
from deck_page import Deck, measure
from heads_page import HeadsPage
from nb.files import COURSE, find_notebooks
from nb.format import read_notebook

STEMS = [path.stem for path in find_notebooks([])]
MOST_BYTES = 6_000_000
MOST_SLIDES = 28  # in a talk
NOT_FOR_SLIDES = re.compile(
    r"next cell|run (the|this) cell|cells? below|Run All Above|Saved page|fetch_now|press Commit", re.IGNORECASE
)
ANSWERED = Path(__file__).with_name("deck_answered.js").read_text("utf-8")

# Wait for the first tick of the presenter's clock that comes after a whole second.
NEXT_SECOND = """() => new Promise((done) => {
  const began = performance.now();
  new MutationObserver(() => performance.now() > began + 1000 && done())
    .observe(document.querySelector(".gone"), { childList: true });
})"""


@pytest.fixture(scope="module")
def deck(request, built, context):
    """Yield the open Deck of the notebook whose stem is the parameter, by default the first notebook."""
    deck = Deck(context, built / f"{getattr(request, 'param', STEMS[0])}.html")
    yield deck
    deck.page.close()


@pytest.mark.parametrize("deck", STEMS, indirect=True)
def test_every_slide_fits_nothing_is_loaded_and_views_are_alive_and_large(deck):
    size = sum(path.stat().st_size for path in (deck.path, *(deck.path.parent / "assets").iterdir()))
    assert size < MOST_BYTES
    slides = deck.page.evaluate(measure())
    assert [f"{slide['title']}: {wrong}" for slide in slides for wrong in slide["wrong"]] == []
    high = [slide["title"] for slide in slides if slide["isHigh"]]
    assert len(high) <= len(slides) / 20, high
    assert 8 <= sum(slide["inTalk"] for slide in slides) <= MOST_SLIDES
    assert [slide["inTalk"] for slide in slides] == sorted((slide["inTalk"] for slide in slides), reverse=True)
    spoken = [(slide["title"], found[0]) for slide in slides if (found := NOT_FOR_SLIDES.search(slide["text"]))]
    assert spoken == [], "words on the notebook: say it so that a slide can say it too, or let the cell be `skip`"
    walked = deck.page.evaluate(ANSWERED)
    assert walked["prompts"] > 0
    assert walked["found"] == [], "this answers a prediction before its step is over"
    notebook = read_notebook(COURSE / "notebooks" / f"{deck.path.stem}.ipynb")
    stored = [cell for cell in notebook.cells if "widget" in cell.metadata.get("tags", [])]
    assert deck.page.locator(".view .av").count() >= len(stored)
    assert deck.page.locator(".view .av-error:not(:empty)").count() == 0
    assert deck.page.locator(".view > .av-page > img").count() == 0, "a view stayed the picture of where no script runs"
    if stored:
        zooms = "[...document.querySelectorAll('.view')].map((v) => v.currentCSSZoom)"
        assert min(deck.page.evaluate(zooms)) >= 1, "a view is smaller than in the notebook: its slide holds too much"
    assert deck.problems == []


@pytest.mark.parametrize("stem", STEMS[::4])
def test_axe_finds_nothing_in_all_slides(built, page, stem):
    """axe must find nothing in the print layout, which shows all slides and steps; in dark it checks only colours.

    A few decks have all kinds of slides. What is on them, test_site.py gives to axe on the web pages of all notebooks.
    """
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{(built / f'{stem}.html').as_uri()}?print-pdf")
    page.wait_for_selector("html.printing")
    page.evaluate("setTheme('light')")
    assert violations(page) == []
    page.evaluate("setTheme('dark')")
    assert violations(page, runOnly=["color-contrast", "link-in-text-block"]) == []


def test_a_head_is_chosen_by_click_and_by_key(deck, expect):
    deck.show(".av-heads")
    page, view, place = deck.page, HeadsPage(deck.page), deck.place()
    view.heatmap.hover(position=view.place(2, 0))
    expect(view.status).to_contain_text(re.compile(r"→ \S+ 0\.\d\d"))
    view.head(5).click()
    expect(view.heatmap).to_have_attribute("aria-label", re.compile("head 5"))
    page.keyboard.press("ArrowRight")
    expect(view.heatmap).to_have_attribute("aria-label", re.compile("head 6"))
    page.keyboard.press("s")  # while the view has the focus, a letter is no command to the deck
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
    deck.show(".av-heads")
    view.head(3).click()
    page.keyboard.press("PageDown")  # of a remote control, which moves the slides from inside a view, too
    assert deck.place() != place


def test_a_second_talk_passes_no_page_over(deck):
    """After a walk to the end, Home resets the deck: each section starts at its first page, with its steps hidden."""
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


def test_steps_appear_one_by_one_and_the_right_choice_of_a_question_is_marked_with_its_answer(deck, expect):
    page = deck.page
    deck.show(".choices")
    right = page.locator("section.present .choices .right")
    marked = right.evaluate("(e) => getComputedStyle(e, '::before').content")
    page.evaluate("({h, v}) => deck.slide(h, v, -1)", deck.place())
    assert marked == '"✓"' != right.evaluate("(e) => getComputedStyle(e, '::before').content")
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
    slide = deck.page.locator("section.page.present:has(details)")
    for summary in slide.locator("summary").all():
        summary.click()
    expect(slide.locator("details").last).to_have_attribute("open", "")
    fits = "slide => slide.querySelector('.body').getBoundingClientRect().height <= slide.offsetHeight + 1"
    assert lab_server.wait_until(lambda: slide.evaluate(fits))  # the deck reacts after the next paint


def test_notes_stay_out_of_sight_s_shows_them_and_a_caption_that_moves_there_keeps_its_words(deck, expect):
    words = "A token <word> & the rest, where a < b."
    moved = """words => {
      const section = document.createElement("section");
      section.innerHTML = "<figure><figcaption></figcaption></figure><aside class=notes></aside>";
      const caption = section.querySelector("figcaption");
      caption.textContent = words;
      moveToNotes(section, caption);
      return [section.querySelector("aside").textContent, section.querySelectorAll("figcaption, word").length];
    }"""
    assert deck.page.evaluate(moved, words) == [f"Below the figure: {words}", 0]
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
    notes.keyboard.press("ArrowDown")
    expect(notes.locator("main")).to_have_text("No notes on this slide.")
    assert deck.place()["v"] == 1
    with notes.expect_event("close"):
        page.keyboard.press("s")
    page.evaluate("window.open = () => null; deck.slide(0, 0)")  # as in a browser that blocks pop-ups
    page.keyboard.press("s")
    expect(page.locator("#notes-here")).to_have_text("Ask for hands.")
    page.keyboard.press("s")
    expect(page.locator("#notes-here")).to_be_hidden()
    assert deck.problems == []
    deck.open()


@pytest.mark.timed
def test_the_presenter_sees_this_step_the_next_and_the_time(deck, expect):
    """The clock starts with the first step and can be reset; the planned time is the sum of the slides' minutes."""
    deck.open()
    page = deck.page
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    notes = opened.value
    gone, place = notes.locator(".gone"), notes.locator(".place")
    title = page.locator("section.page.present h1").inner_text()
    expect(notes.locator(".now h1")).to_have_text(title)
    expect(notes.locator(".then h2")).to_have_text("You will be able to")
    expect(gone).to_have_text(re.compile(r"^0:00 gone, planned 0 of \d+ min$"))
    expect(place).to_have_text(re.compile(r"^\s*1\s*/\s*\d+\s*$"))
    notes.evaluate(NEXT_SECOND)
    expect(gone).to_contain_text("0:00 gone")
    notes.keyboard.press("PageDown")
    expect(notes.locator(".now h2")).to_have_text("You will be able to")
    expect(gone).not_to_contain_text("0:00 gone")
    minutes = page.evaluate(
        "deck.getSlides().filter((s) => 'talk' in s.dataset).reduce((n, s) => n + +s.dataset.minutes, 0)"
    )
    expect(gone).to_contain_text(f"of {round(minutes)} min")
    page.evaluate("(() => { const now = Date.now; Date.now = () => now() + 600_000; })()")
    expect(gone).to_contain_text(re.compile(r"^1\d:\d\d gone"))
    notes.get_by_role("button", name="from 0").click()
    expect(gone).to_contain_text(re.compile(r"^0:\d\d gone"))
    page.evaluate("deck.slide(deck.getTotalSlides(), 0)")
    expect(gone).not_to_contain_text("planned")  # the appendix has no planned time
    notes.evaluate("document.querySelector('main').style.height = '3000px'")
    notes.mouse.wheel(0, 500)
    notes.wait_for_function("scrollY > 0")  # a long note can be scrolled
    notes.close()
    assert deck.problems == []
    deck.open()


def test_a_leads_to_what_the_talk_leaves_out_and_back(deck, expect):
    page = deck.page
    about = "(() => { const { dataset } = deck.getCurrentSlide(); return ['talk' in dataset, +dataset.place]; })()"
    page.evaluate("deck.slide(2, 0)")
    in_talk, here = page.evaluate(about)
    assert in_talk
    page.keyboard.press("a")
    in_talk, there = page.evaluate(about)
    assert not in_talk and there > here
    expect(page.locator(".slide-number")).to_have_text(re.compile(r"^\s*A \d+\s*$"))
    page.keyboard.press("PageDown")
    page.keyboard.press("a")
    assert page.evaluate(about) == [True, here]
    expect(page.locator(".slide-number")).to_have_text(re.compile(r"^\s*\d+\s*/\s*\d+\s*$"))
    page.evaluate("deck.slide(deck.getTotalSlides(), 0)")  # leaf to the appendix; A leads back to the talk
    page.evaluate("deck.slide(deck.getIndices().h, 99)")
    page.keyboard.press("a")
    assert page.evaluate(about)[0]


@pytest.mark.parametrize("deck", [next(stem for stem in STEMS if stem.endswith("the_reshape"))], indirect=True)
def test_a_view_that_says_more_finds_room_and_the_diagram_goes_from_its_last_state_to_this_one(deck, expect):
    deck.show(".av-heads")
    page, slide = deck.page, deck.page.locator("section.page.present")
    slide.locator("select").first.select_option(label="5")
    expect(slide.locator(".av-error")).to_contain_text("not divisible")
    page.wait_for_function("!isTooFull(document.querySelector('section.page.present'))")
    deck.show(".states")
    at = deck.place()
    page.evaluate("({h, v}) => deck.slide(h, v, -1)", at)
    earlier, now = page.locator("section.present .earlier"), page.locator("section.present .now")
    expect(now).to_be_hidden()
    expect(earlier).to_have_css("opacity", "1")
    page.keyboard.press("PageDown")
    expect(now).to_be_visible()
    expect(earlier).to_have_css("opacity", "0")
    assert (deck.place()["h"], deck.place()["v"]) == (at["h"], at["v"])


def test_tab_stays_on_the_slide(deck):
    deck.page.evaluate("deck.slide(0, 0)")
    for _ in range(12):
        deck.page.keyboard.press("Tab")
        assert deck.page.evaluate("!document.activeElement.closest('section.page:not(.present)')")


def test_dark_follows_the_system_and_the_key(deck):
    paper_and_ink = (
        "['.deck', '.view .av'].map((part) => { const style = getComputedStyle(document.querySelector(part));"
        "const colour = part === '.deck' ? style.backgroundColor : style.color;"
        "return Math.max(...colour.match(/[\\d.]+/g).slice(0, 3)) > 128 ? 'light' : 'dark'; }).join(' on ')"
    )

    def see(wanted):
        deck.page.wait_for_function(f"{paper_and_ink} === {wanted!r}")

    see("light on dark")  # the deck's background, then the view's text
    deck.page.emulate_media(color_scheme="dark")
    see("dark on light")
    deck.page.keyboard.press("d")
    see("light on dark")
    deck.page.emulate_media(color_scheme="light")


def test_the_index_leads_to_every_deck(built, page):
    page.goto((built / "index.html").as_uri())
    links = page.locator("ol a")
    assert links.evaluate_all("links => links.map((link) => link.getAttribute('href'))") == [f"{s}.html" for s in STEMS]
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert violations(page) == []
    links.first.click()
    page.wait_for_selector("html:not(.loading)")
