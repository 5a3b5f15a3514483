"""Test that a weight opens to its numbers in a browser: by mouse and keyboard, in a page and in JupyterLab."""

import re

import pytest
from accessibility import violations

from course_utils import data
from course_utils.widgets import HeadsView, SentenceView

SENTENCES, NUMBERS = data.load("sentence_pairs"), data.load("head_numbers")
WEAK, STEEP = SENTENCES["weak"], SENTENCES["steep"]
IT, ROBOT, HILL = (WEAK.tokens.index(word) for word in ("it", "robot", "hill"))
BOTH = [NUMBERS["weak"], NUMBERS["steep"]]
ROW = WEAK.attn_weights[3, 1, IT]
STEPS = ["share", "score", "products", "query", "delivered"]
LIVE = """from course_utils import data
from course_utils.widgets import SentenceView
weak, numbers = data.load("sentence_pairs")["weak"], data.load("head_numbers")["weak"]
asked = []
def give(layer, head):
    asked.append((layer, head))
    return numbers if (layer, head) == (3, 1) else None
view = SentenceView(weak.attn_weights, weak.tokens, layer=0, head=0, query=9, numbers=give)
view"""


def score(word, key):
    """Return (score, dot product), from PyTorch, of the query of *it* and token number `key` of a sentence."""
    dot = float(NUMBERS[word].queries[IT] @ NUMBERS[word].keys[key])
    return dot / 32**0.5, dot


def written(number):
    return f"{float(number):.2f}".replace("-", "−")


class Panel:
    def __init__(self, page):
        self.page, self.root = page, page.locator(".av-arc").first
        self.tabs, self.words = self.root.get_by_role("tab"), self.root.locator("p").first

    def shows(self, expect, step, value):
        tab = self.root.get_by_role("tab", name=re.compile(f"{step}$"))
        expect(tab).to_have_attribute("aria-selected", "true")
        expect(tab.locator("b")).to_have_text(value)
        expect(tab).to_be_focused()


def click_arc(page, word):
    place = page.locator(f'.av-text path[data-to="{word}"]').evaluate("""path => {
        const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
        const { left, top } = path.ownerSVGElement.getBoundingClientRect();
        return [left + x, top + y]; }""")
    page.mouse.click(*place)


@pytest.fixture
def sentence(open_html):
    """Return (page, Panel) of a SentenceView with two sentences whose numbers are there."""
    view = SentenceView(
        WEAK.attn_weights[3, 1:2], WEAK.tokens, query=IT, compare=STEEP.attn_weights[3, 1:2],
        compare_tokens=STEEP.tokens, numbers=BOTH,
    )  # fmt: skip
    page = open_html(view.to_html())
    return page, Panel(page)


def test_the_arrow_keys_walk_from_the_share_to_what_is_delivered_and_to_other_words(sentence, expect):
    page, panel = sentence
    page.locator(".av-word").nth(IT).press("Enter")
    points, dot = score("weak", ROBOT)
    query = NUMBERS["weak"].queries[IT, (NUMBERS["weak"].queries[IT] * NUMBERS["weak"].keys[ROBOT]).argmax()]
    values = [ROW[ROBOT], points, dot, query]
    for step, value in zip(STEPS, [*map(written, values), f"{written(ROW[ROBOT])} ×"], strict=True):
        panel.shows(expect, step, value)
        expect(panel.words).to_contain_text(value.removesuffix(" ×"))
        assert panel.root.locator("svg, table").count() > 0
        page.keyboard.press("ArrowRight")
    panel.shows(expect, "delivered", f"{written(ROW[ROBOT])} ×")  # there is no step after it
    page.keyboard.press("Home")
    panel.shows(expect, "share", written(ROW[ROBOT]))
    page.keyboard.press("ArrowDown")  # up and down choose another word, or number
    panel.shows(expect, "share", written(ROW[ROBOT + 1]))
    expect(panel.root.locator("tr.av-arc-chosen th")).to_have_text(WEAK.tokens[ROBOT + 1])
    for key in ("ArrowUp", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    before = panel.words.inner_text()
    page.keyboard.press("ArrowDown")
    expect(panel.words).not_to_have_text(before)
    place = int(re.search(r"number (\d+), counted", panel.words.inner_text())[1])
    product = NUMBERS["weak"].queries[IT, place] * NUMBERS["weak"].keys[ROBOT, place]
    expect(panel.words).to_contain_text(f"= {written(product)}.")
    page.keyboard.press("Escape")
    expect(panel.root).to_be_hidden()
    expect(page.locator(".av-word").nth(IT)).to_be_focused()


def test_arcs_open_the_numbers_which_follow_the_sentence_the_word_and_the_direction(sentence, expect):
    page, panel = sentence
    expect(page.locator(".av-arc-opener")).to_have_text(f"Where does {ROW[ROBOT]:.2f} come from?")
    click_arc(page, HILL)
    panel.shows(expect, "share", written(ROW[HILL]))
    page.keyboard.press("ArrowRight")
    panel.shows(expect, "score", written(score("weak", HILL)[0]))
    assert page.locator(".av-word").nth(IT).get_attribute("aria-checked") == "true"
    page.locator(".av-toggle label", has_text="steep").click()
    expect(panel.tabs.nth(1).locator("b")).to_have_text(written(score("steep", HILL)[0]))
    page.locator(".av-word").nth(HILL).click()
    strongest = STEEP.attn_weights[3, 1, HILL].max()
    expect(panel.tabs.nth(0).locator("b")).to_have_text(written(strongest))
    panel.root.get_by_role("button", name="Close the numbers").click()
    page.locator(".av-toggle label", has_text="weak").click()
    page.locator(".av-toggle label", has_text="is looked at by").click()
    page.locator(".av-word").nth(ROBOT).click()
    page.mouse.move(0, 0)
    click_arc(page, IT)
    panel.shows(expect, "share", written(ROW[ROBOT]))
    expect(panel.words).to_contain_text("it gives robot")


def test_heads(open_html, expect):
    options = {"layer": 3, "head": 1, "query": IT, "numbers": {(3, 1): BOTH}}
    page = open_html(HeadsView(WEAK.attn_weights, WEAK.tokens, compare=STEEP.attn_weights, **options).to_html())
    panel = Panel(page)
    page.locator(".av-arc-opener").press("Enter")
    panel.shows(expect, "share", written(ROW[ROBOT]))
    page.keyboard.press("ArrowRight")
    page.get_by_role("combobox", name="show").select_option("second")
    expect(panel.tabs.nth(1).locator("b")).to_have_text(written(score("steep", HILL)[0]))
    page.get_by_role("radio", name="head 4").click()
    expect(panel.words).to_contain_text("This page has the numbers of the head with which the view began")
    panel.tabs.nth(1).press("Escape")
    expect(page.locator(".av-arc-opener")).to_be_focused()
    page.get_by_role("combobox", name="show").select_option("difference")
    expect(page.locator(".av-arc-opener")).to_be_hidden()


def test_each_step_is_accessible_and_fits(sentence):
    page, _ = sentence
    page.add_style_tag(content="body { background: Canvas; }")  # axe takes a page without a background for white
    page.set_viewport_size({"width": 360, "height": 900})
    page.locator(".av-arc-opener").click()
    for _ in STEPS:
        for theme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast", "link-in-text-block"]})):
            page.emulate_media(color_scheme=theme)
            assert violations(page, ".av", **options) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.keyboard.press("ArrowRight")


def test_without_numbers_nothing_opens_and_why_a_page_cannot_compute_them_is_said(open_html, expect):
    """A page's substitute for the model has headNumbers: the numbers come later, or a reason why they do not."""
    page = open_html(SentenceView(WEAK.attn_weights[3, 1:2], WEAK.tokens, query=IT).to_html())
    expect(page.locator(".av-arc-opener")).to_be_hidden()
    page.locator(".av-word").nth(IT).press("Enter")
    expect(page.locator(".av-arc")).to_be_hidden()
    view = SentenceView(WEAK.attn_weights[3, 1:2], WEAK.tokens, query=IT, numbers=NUMBERS["weak"])
    html, call = view.to_html(), 'modules["sentence.js"].render('
    assert html.count(call) == 1
    fails = """state.numbers = { heads: [] };
        model.headNumbers = async () => { throw new Error("no room"); };"""
    panel = Panel(open_html(html.replace(call, f"{fails}\n{call}")))
    panel.page.locator(".av-arc-opener").click()
    expect(panel.words).to_have_text("The numbers of this head could not be computed: no room")


def test_in_jupyterlab_the_kernel_gives_the_numbers_of_the_opened_head(open_notebook, expect):
    page = open_notebook([LIVE, "view.layer, view.head = 3, 1", "asked"])
    panel = Panel(page)
    page.locator(".av-arc-opener").first.click()
    panel.shows(expect, "share", written(ROW[ROBOT]))
    page.keyboard.press("ArrowRight")
    panel.shows(expect, "score", written(score("weak", ROBOT)[0]))
    page.get_by_role("combobox", name="head").first.select_option("2")
    expect(panel.words).to_contain_text("are not here")
    panel.tabs.nth(1).press("Escape")  # JupyterLab does not hear it
    expect(panel.root).to_be_hidden()
    expect(page.locator(".av-word").nth(IT)).to_be_focused()
