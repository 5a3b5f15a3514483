"""Test SentenceView by mouse and keyboard, alone and in a group, and on small screens."""

import itertools
import re

import lab_server
import numpy as np
import pytest
from accessibility import violations
from heads_page import HeadsPage

from course_utils import data
from course_utils.widgets import HeadsView, SentenceView

WEAK = "the robot could not climb the hill because it was too weak".split()
STEEP = [*WEAK[:-1], "steep"]
FIRST, SECOND = np.random.default_rng(0).dirichlet(np.ones(12) / 6, (2, 2, 3, 12)).astype("f4")  # (layers, heads, q, k)
WIDEST = 16  # pixels: the width of an arc with a weight of 1


class SentencePage:
    def __init__(self, root):
        self.root, self.status = root, root.get_by_role("status")
        self.words = root.locator(".av-word")

    def control(self, name):
        return self.root.locator(".av-toggle label", has_text=re.compile(f"^{name}$"))

    def shows(self, expect, words, weights, word, direction="looks most at"):
        most = int(np.argmax(weights))
        expect(self.status).to_contain_text(f"{words[word]} {direction} {words[most]} ({weights[most]:.2f})")
        expect(self.words.nth(word)).to_have_class(re.compile("av-asking"))
        drawn = [weight for weight in weights.tolist() if weight >= 0.005]
        expected = pytest.approx([max(0.8, WIDEST * weight) for weight in drawn], abs=0.051)
        lab_server.wait_until(lambda: self.widths() == expected)  # the arcs may still be animated
        assert self.widths() == expected

    def widths(self):
        read = "all => all.map((path) => +path.getAttribute('stroke-width'))"
        return self.root.locator("path").evaluate_all(read)


def exported(open_html, *views, **options):
    page = open_html("<hr>".join(view.to_html() for view in views), **options)
    return page, [SentencePage(page.locator(".av").nth(number)) for number in range(len(views))]


def two_sentences(**choices):
    return SentenceView(FIRST, WEAK, compare=SECOND, compare_tokens=STEEP, query=8, **choices)


def test_the_word_that_is_pointed_at_asks_and_a_click_holds_it(open_html, expect):
    page, [view] = exported(open_html, two_sentences())
    view.shows(expect, WEAK, FIRST[0, 0, 8], 8)
    view.words.nth(3).hover()
    view.shows(expect, WEAK, FIRST[0, 0, 3], 3)
    view.status.hover()
    view.shows(expect, WEAK, FIRST[0, 0, 8], 8)  # the pinned word is shown again when the mouse leaves
    view.words.nth(6).click()
    view.status.hover()
    view.shows(expect, WEAK, FIRST[0, 0, 6], 6)
    view.root.get_by_role("combobox", name="head").select_option("2")
    view.root.get_by_role("combobox", name="layer").select_option("1")
    view.shows(expect, WEAK, FIRST[1, 2, 6], 6)
    view.control("is looked at by").click()
    view.shows(expect, WEAK, FIRST[1, 2, :, 6], 6, "is looked at most by")


def test_by_keyboard_alone(open_html, expect):
    page, [view] = exported(open_html, two_sentences())
    for _ in ("sentence", "direction", "layer", "head", "words"):
        page.keyboard.press("Tab")
    expect(view.words.nth(8)).to_be_focused()
    for key, word in {"ArrowRight": 9, "ArrowLeft": 8, "Home": 0, "End": 11}.items():
        page.keyboard.press(key)
        expect(view.words.nth(word)).to_be_focused()
        expect(view.words.nth(word)).to_be_checked()
        view.shows(expect, WEAK, FIRST[0, 0, word], word)
    page.keyboard.press("ArrowRight")  # the last word has no neighbour to the right
    expect(view.words.nth(11)).to_be_focused()
    for key in ("Shift+Tab",) * 4:
        page.keyboard.press(key)
    page.keyboard.press("ArrowRight")
    expect(view.root.get_by_role("radio", name="steep").first).to_be_checked()
    expect(view.status).to_contain_text(f"steep looks most at {STEEP[int(SECOND[0, 0, 11].argmax())]}")
    page.set_viewport_size({"width": 280, "height": 700})
    tops = view.words.evaluate_all("all => all.map((word) => word.offsetTop)")
    assert len(set(tops)) > 1  # the page is too narrow for one line; up and down lead to the others
    view.words.nth(8).click()
    page.keyboard.press("ArrowUp")
    above = view.root.locator(".av-word:focus").evaluate("word => word.offsetTop")
    assert above == max(top for top in tops if top < tops[8])
    page.keyboard.press("ArrowDown")
    assert view.root.locator(".av-word:focus").evaluate("word => word.offsetTop") == tops[8]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.timed
def test_from_one_sentence_to_the_other_the_arcs_move(open_html, expect):
    page, [view] = exported(open_html, two_sentences())
    paths = "() => [...document.querySelectorAll('.av path')].map((path) => path.getAttribute('stroke-width')).join()"
    page.evaluate(f"""() => {{ window.seen = new Set(); const look = {paths};
        const step = () => {{ window.seen.add(look()); requestAnimationFrame(step); }}; step(); }}""")
    expect(view.words.last.locator(".av-names span").first).to_be_visible()
    view.control("steep").click()
    expect(view.words.last.locator(".av-away")).to_have_text("weak")
    page.wait_for_function(f"({paths})() !== '' && window.seen.size > 3")  # so the arcs also take positions in between
    view.shows(expect, STEEP, SECOND[0, 0, 8], 8)
    page.emulate_media(reduced_motion="reduce")  # who asks for less motion gets the other sentence at once
    page.evaluate("window.seen.clear()")
    view.control("weak").click()
    view.shows(expect, WEAK, FIRST[0, 0, 8], 8)
    assert page.evaluate("window.seen.size") <= 2


def test_two_lines(open_html, expect):
    weights = np.random.default_rng(2).dirichlet(np.ones(3), (1, 5)).astype("f4")
    page, [view] = exported(open_html, SentenceView(weights, "abcde", "xyz"))
    expect(view.status).to_contain_text(f"e looks most at {'xyz'[weights[0, 4].argmax()]}")
    view.control("is looked at by").click()
    expect(view.status).to_contain_text(f"z is looked at most by {'abcde'[weights[0, :, 2].argmax()]}")
    view.words.nth(5).click()  # x, the first word of the second line
    expect(view.status).to_contain_text(f"x is looked at most by {'abcde'[weights[0, :, 0].argmax()]}")
    expect(view.root.get_by_role("radiogroup", name="Word that is looked at").get_by_role("radio")).to_have_count(3)


def test_views_of_a_group_follow_one_another(open_html, expect):
    others = [HeadsView(FIRST, WEAK, group="a"), two_sentences(group="a"), two_sentences(group="b"), two_sentences()]
    page, views = exported(open_html, two_sentences(group="a"), *others)
    views[0].words.nth(2).click()
    views[0].root.get_by_role("combobox", name="head").select_option("1")
    heads = HeadsPage(page)
    expect(heads.head(1)).to_be_checked()
    expect(heads.status).to_contain_text("query could")
    views[2].shows(expect, WEAK, FIRST[0, 1, 2], 2)
    for alone in views[3:]:
        alone.shows(expect, WEAK, FIRST[0, 0, 8], 8)
    heads.head(2).click()
    for view in (views[0], views[2]):
        expect(view.root.get_by_role("combobox", name="head")).to_have_value("2")


def test_words_stand_apart_and_within_their_room(open_html, page):
    """At every width words do not overlap and stay within the page: the letters shrink, then the words wrap."""
    weights = np.full((1, len(WEAK), len(WEAK)), 1 / len(WEAK))
    words = open_html(SentenceView(weights, WEAK).to_html()).locator(".av-word")

    def stand_apart(width):
        boxes = words.evaluate_all("""words => words.map((word) => { const box = word.getBoundingClientRect();
          return [box.left, box.right, box.top, word.firstChild.scrollWidth - word.clientWidth]; })""")
        pairs = itertools.pairwise(boxes)
        apart = all(one[3] <= 0 and (other[0] >= one[1] or other[2] > one[2]) for one, other in pairs)
        return apart and max(right for _, right, *_ in boxes) <= width

    for width in (1000, 700, 560, 360):
        page.set_viewport_size({"width": width, "height": 700})
        assert lab_server.wait_until(lambda width=width: stand_apart(width)), width


FIRST_PAIR, SECOND_PAIR = (data.load("sentence_pairs")[word] for word in ("weak", "steep"))
IT, ROBOT, HILL = (FIRST_PAIR.tokens.index(word) for word in ("it", "robot", "hill"))
ROW = FIRST_PAIR.attn_weights[3, 1, IT]
HEARD = """() => { window.heard = [];
    addEventListener("attention-course-guessed", ({ detail }) => window.heard.push(detail.isRight)); }"""


@pytest.fixture
def asking(open_html):
    """Return the page of a view that asks first; what it tells the page is in `window.heard`."""
    options = {"compare": SECOND_PAIR.attn_weights[3, 1:2], "compare_tokens": SECOND_PAIR.tokens, "guess": True}
    page = open_html(SentenceView(FIRST_PAIR.attn_weights[3, 1:2], FIRST_PAIR.tokens, query=IT, **options).to_html())
    page.evaluate(HEARD)
    return page


def shows_nothing(page, expect):
    expect(page.get_by_role("status").first).to_have_text("Tap the word that you think “it” looks at.")
    expect(page.locator(".av-text path")).to_have_count(0)
    assert "".join(page.locator(".av-word small").all_inner_texts()) == ""
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)


def test_a_wrong_guess_is_told_and_the_arcs_come(asking, expect):
    shows_nothing(asking, expect)
    asking.locator(".av-word").nth(ROBOT).hover()
    shows_nothing(asking, expect)  # pointing at a word does not tell
    assert violations(asking, ".av") == []
    expect(asking.get_by_role("radiogroup", name="Word that you think “it” looks at")).to_be_visible()
    asking.locator(".av-word").nth(HILL).click()
    words = f"You said hill ({ROW[HILL]:.2f}). The model looks most at robot ({ROW[ROBOT]:.2f})."
    expect(asking.get_by_role("status").first).to_have_text(words)
    expect(asking.locator(".av-word").nth(HILL)).to_have_class("av-word av-guessed")
    expect(asking.locator(".av-text path")).to_have_count(int((ROW >= 0.005).sum()))
    assert violations(asking, ".av") == []
    assert asking.evaluate("window.heard") == [False]
    asking.mouse.move(0, 0)
    asking.locator(".av-word").nth(ROBOT).click()  # from now on a click chooses the word whose arcs are shown
    expect(asking.get_by_role("status").first).to_contain_text("robot looks most at")
    asking.locator(".av-toggle label", has_text="steep").click()
    expect(asking.get_by_role("radio", name="steep").first).to_be_checked()


def test_a_guess_by_keyboard(asking, expect):
    asking.set_viewport_size({"width": 280, "height": 700})  # several lines
    words = asking.locator(".av-word")
    asking.keyboard.press("Tab")
    expect(words.first).to_be_focused()
    asking.keyboard.press("ArrowDown")
    expect(words.first).not_to_be_focused()
    expect(asking.locator(".av-word:focus")).to_have_count(1)
    for key in ("ArrowUp", "ArrowUp"):
        asking.keyboard.press(key)
    expect(words.first).to_be_focused()
    expect(asking.locator(".av-asking")).to_have_text("it")  # up and down leave the question as it is
    for key in ("End", "Home", "ArrowRight", "ArrowRight"):
        asking.keyboard.press(key)
    expect(words.nth(ROBOT)).to_be_focused()
    shows_nothing(asking, expect)
    asking.keyboard.press("Enter")
    answer = f"You said robot, and so does the model: it looks most at robot ({ROW[ROBOT]:.2f})."
    expect(asking.get_by_role("status").first).to_have_text(answer)
    expect(words.nth(IT)).to_be_focused()
    assert asking.evaluate("window.heard") == [True]
