"""Test every kind of figure: it has a caption, and no text is cut off or too small."""

import pytest
import test_plots_kinds
import test_plots_maps
import torch
from matplotlib.text import Text
from test_plots import SENTENCE, TOKENS, weights_of

from course_utils import plots
from course_utils.plots.common import CaptionedFigure
from course_utils.plots.flow import STATES

pytestmark = pytest.mark.usefixtures("style")

CROWDED = "twelve heads of a sentence"  # fits on a page only with small letters
FIGURES = {
    "one head": lambda: plots.attention_heatmap(weights_of(6, 6), TOKENS),
    "one head of a sentence": lambda: plots.attention_heatmap(weights_of(15, 15), SENTENCE),
    "three heads with titles": lambda: plots.attention_heatmap(
        weights_of(3, 3, 6), TOKENS[:3], TOKENS, titles=["step 0", "step 100", "step 600"]
    ),
    "seven heads": lambda: plots.attention_heatmap(weights_of(7, 6, 6), TOKENS),
    CROWDED: lambda: plots.attention_heatmap(weights_of(12, 15, 15), SENTENCE),
    "one token": lambda: plots.attention_heatmap(weights_of(1, 1), ["alone"]),
    "two tokens": lambda: plots.attention_heatmap(weights_of(2, 2), ["alone", "too"]),
    "scores and weights": lambda: plots.scores_and_weights(torch.randn(6, 6), weights_of(6, 6), TOKENS),
    "bars": lambda: plots.attention_bars({"weak": weights_of(15), "steep": weights_of(15)}, SENTENCE),
    "four rows of bars": lambda: plots.attention_bars({f"t {i}": weights_of(6) for i in range(4)}, TOKENS),
    "vectors": lambda: plots.vectors([[2, 1], [1.5, 1.5], [-1, 2], [-1.5, -1]], "abcd"),
    "a shadow": lambda: plots.vectors([[2, 1], [1.5, 1.5]], "ab", shadow="ba"),
    "mixture": lambda: plots.mixture(weights_of(6), torch.randn(6, 3), TOKENS),
    "curves": lambda: plots.curves(
        [1, 4, 1024], {"a": [1, 4, 1024], "b": [1, 1, 1]}, xlabel="x", ylabel="y", log_x=True, log_y=True, caption="c"
    ),
    "curves with points": lambda: plots.curves(
        range(30), {"a": range(30), "b": [3] * 30}, points={"measured": ([1.5, 20], [2, 9])}, xlabel="x", ylabel="y",
        caption="c"
    ),
    "histograms": lambda: plots.histograms(
        {"spread": torch.linspace(0, 20, 50), "alike": torch.full((50,), 0.3)},
        xlabel="x", ylabel="share", low=1e-4, caption="c"
    ),
    "path": lambda: plots.path([f"{i}  a step\nof the way" for i in range(6)], columns=4, caption="c"),
    "course path": lambda: plots.course_path(),
    "residual path": lambda: plots.residual_path(),
    "induction plan": lambda: plots.induction_plan(),
    "translation path": lambda: plots.translation_path(),
    **{f"flow {topic}": lambda topic=topic: plots.flow(topic) for topic in STATES},
    "diagram": lambda: plots.diagram(
        {"in": (0.7, 0.5, "what\ngoes in"), "out": (3.2, 0.5, "out")}, [("in", "out", "is")], size=(4, 1), caption="c"
    ),
    **test_plots_kinds.FIGURES,
    **test_plots_maps.FIGURES,
    **{f"{kind} {sizes}": lambda kind=kind, sizes=sizes: getattr(plots, kind)(*sizes)
       for kind in ("split_paths", "merge_paths") for sizes in [(4, 2, 3), (6, 2, 4), (1, 1, 8)]},
}  # fmt: skip


@pytest.fixture
def texts_of(monkeypatch):
    """Return a function that draws a figure and returns its visible texts, without ticks beyond the axis limits."""
    drawn, draw = [], Text.draw
    monkeypatch.setattr(Text, "draw", lambda text, renderer: (drawn.append(text), draw(text, renderer))[1])

    def draw_figure(figure):
        drawn.clear()
        figure.draw_without_rendering()
        return [text for text in drawn if text.get_visible() and text.get_text().strip()]

    return draw_figure


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.filterwarnings("error")
def test_every_figure_has_a_caption_cuts_no_text_off_and_can_be_read_in_the_third_row(name, texts_of):
    figure = FIGURES[name]()
    assert figure.caption and isinstance(figure, CaptionedFigure)
    texts, page = texts_of(figure), figure.bbox.padded(1)
    assert texts
    for text in texts:
        box = text.get_window_extent()
        inside = page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
        assert inside, f"{text.get_text()!r} is cut off"
        assert text.get_fontsize() >= 10 or name == CROWDED, f"{text.get_text()!r} is too small"


def test_every_kind_of_figure_is_drawn_here(monkeypatch):
    kinds, drawn = {name for name in plots.__all__ if name.islower()}, set()
    for kind in kinds:
        monkeypatch.setattr(plots, kind, lambda *_, kind=kind, **__: drawn.add(kind))
    for draw in FIGURES.values():
        draw()
    assert drawn == kinds
