"""Test that views and figures say nothing in English when the course speaks Chinese."""

import logging
import re

import pytest
import spoken_views
import torch
from matplotlib.text import Text

from course_utils import plots
from course_utils.plots.flow import STATES

pytestmark = pytest.mark.usefixtures("style")

ROW = torch.tensor([0.1, 0.2, 0.3, 0.4])
WEIGHTS = ROW.repeat(4, 1)
LETTERS = spoken_views.TOKENS
NAMES = {"xlabel": "横", "ylabel": "纵", "caption": "图"}
FIGURES = {
    "bars": lambda: plots.attention_bars({"甲": ROW}, LETTERS),
    "vectors": lambda: plots.vectors(torch.eye(2), LETTERS[:2]),
    "mixture": lambda: plots.mixture(ROW, WEIGHTS, LETTERS),
    "bars of heads": lambda: plots.heads_bars(WEIGHTS, label="数", caption="图"),
    "heads": lambda: plots.attention_heatmap(WEIGHTS.repeat(2, 1, 1), LETTERS),
    "one head of nan": lambda: plots.attention_heatmap(WEIGHTS * torch.nan, LETTERS),
    "scores": lambda: plots.scores_and_weights(WEIGHTS, WEIGHTS, LETTERS),
    "padded": lambda: plots.padded_heads(WEIGHTS.repeat(2, 2, 1, 1), [2, 4], LETTERS, LETTERS, caption="图"),
    "masks": lambda: plots.mask_panels({"甲": WEIGHTS > 0.2}, LETTERS, caption="图"),
    "growth": lambda: plots.growth([1, 2, 4], {"甲": [1, 2, 4]}, {"甲": 1.0}, since=1, **NAMES),
    "steps": lambda: plots.heads_over_steps([1, 2, 3, 4], {"甲": WEIGHTS[:, None]}, caption="图"),
    "map": lambda: plots.heads_map(WEIGHTS, label="数"),
    "deep map": lambda: plots.heads_map(WEIGHTS.repeat(4, 1), label="数"),
    "unknown map": lambda: plots.heads_map(WEIGHTS * torch.nan, label="数"),
    "changes": lambda: plots.change_map(WEIGHTS, LETTERS, LETTERS, label="数", caption="图"),
    "places": lambda: plots.places_map(WEIGHTS, caption="图"),
    "vectors of tokens": lambda: plots.token_vectors({"甲": WEIGHTS}, LETTERS, caption="图"),
    **{name: getattr(plots, name) for name in ("course_path", "split_paths", "merge_paths")},
    **{name: getattr(plots, name) for name in ("residual_path", "induction_plan", "translation_path")},
    **{topic: lambda topic=topic: plots.flow(topic) for topic in STATES},
}


@pytest.fixture
def views(chinese):
    return spoken_views.views()


def test_stored_pictures_and_texts_of_views_are_chinese(views):
    for name, view in views.items():
        labels = re.findall(r">([^<>]+)</text>", view.picture()[0])
        assert labels
        assert spoken_views.english(" ".join([repr(view), view.alt(), *labels])) == [], name


@pytest.mark.needs_font
@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.filterwarnings("error")
def test_the_words_of_figures_are_chinese_and_none_is_cut_off(name, chinese, monkeypatch):
    logged = []  # matplotlib logs what is wrong with a font
    monkeypatch.setattr(logging.getLogger("matplotlib.font_manager"), "warning", lambda *words: logged.append(words))
    figure = FIGURES[name]()
    figure.draw_without_rendering()
    texts, page = figure.findobj(Text), figure.bbox.padded(1)
    assert spoken_views.english(" ".join([figure.caption, *(text.get_text() for text in texts)])) == []
    boxes = [text.get_window_extent() for text in texts if re.search("[\u4e00-\u9fff]", text.get_text())]
    assert boxes and all(page.contains(box.x0, box.y0) and page.contains(box.x1, box.y1) for box in boxes)
    assert not logged
