"""Test that captions, panels, views and the page share one typeface, in JupyterLab, on web pages and in decks."""

import lab_server
import pytest
import room_pages
from deck_page import Deck
from test_all_views import MAKE, VIEWS

FAR = '"Liberation Serif", serif'  # a typeface that no style sheet of the course names
MORE = [
    "widgets.HeadsView(weak.attn_weights, weak.tokens, numbers={(3, 1): [numbers['weak']]})",
    "widgets.StepScrubber(torch.rand(3, 2, 4, 4).softmax(-1), words[:4], curves={'loss': [2.0, 1.0, 0.0]})",
]
CAPTION = "plots.attention_heatmap(weak.attn_weights[3, 1], weak.tokens, caption='Layer 3, head 1, of one sentence.')"
# From each typeface to an element that has it: of all words in these parts of a page, but code.
FAMILIES = """(parts) => {
  const found = {};
  for (const part of document.querySelectorAll(parts)) {
    for (const word of [part, ...part.querySelectorAll("*")]) {
      const isText = [...word.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      if (!isText || word.closest("code, pre, math, script, style, option")) continue;
      found[getComputedStyle(word).fontFamily] ??= word.outerHTML.slice(0, 100);
    }
  }
  return found;
}"""
PANEL = ".jp-OutputArea [role=group]:not(.av *)"


def test_all_words_have_the_typeface_of_the_page_in_jupyterlab(open_notebook):
    check = "checks.scores(lambda queries, keys: queries)"
    page = open_notebook([room_pages.START, CAPTION, check, *MORE, MAKE, *VIEWS])
    page.locator(".av").nth(len(VIEWS) + 1).wait_for()
    for family in (page.evaluate("getComputedStyle(document.body).getPropertyValue('--jp-content-font-family')"), FAR):
        page.evaluate("family => document.body.style.setProperty('--jp-content-font-family', family)", family)
        for parts in ("figcaption", PANEL, ".av"):
            families = page.evaluate(FAMILIES, parts)
            assert {name.replace(" ", "") for name in families} == {family.replace(" ", "")}, families
    page.evaluate("document.body.style.removeProperty('--jp-content-font-family')")
    assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('figcaption')).fontSize)") in (13, 14)
    lab_server.settle(page)


@pytest.mark.parametrize("stem", ["01_dot_product_attention", "zh/01_dot_product_attention"])
def test_all_words_have_the_typeface_of_a_web_page(open_page, stem):
    page = open_page(stem)
    page.locator(".av").first.wait_for()
    assert len(families := page.evaluate(FAMILIES, "main p, figcaption, .av")) == 1, families


def test_all_words_have_the_typeface_of_a_deck(built, context):
    deck = Deck(context, built / "01_dot_product_attention.html")
    assert len(families := deck.page.evaluate(FAMILIES, ".body p, .body figcaption, .av")) == 1, families
    deck.page.close()
