"""Test letters that the course's own font lacks: an installed font draws them, or words or a code stand there."""

import io
import logging
import unicodedata

import numpy as np
import pytest
import torch
from matplotlib import font_manager
from PIL import Image, ImageFont

from course_utils import fonts, language, plots, session, widgets
from course_utils.widgets.shared import svg

pytestmark = pytest.mark.usefixtures("style")


@pytest.fixture
def own_font_only(monkeypatch):
    """Pretend that only the font that comes with matplotlib is installed, and that the kernel has not said so yet."""
    fonts.tell_once.cache_clear()
    monkeypatch.setattr(fonts, "families", lambda: (fonts.BASE,))


def heatmap(*tokens):
    return plots.attention_heatmap(torch.eye(len(tokens)), tokens)


def pixels(figure):
    page = io.BytesIO()
    figure.savefig(page, format="png")
    return np.asarray(Image.open(page))


@pytest.mark.needs_font
@pytest.mark.filterwarnings("error")
def test_chinese_and_japanese_tokens_are_letters_in_figures_not_boxes(monkeypatch):
    said = []  # matplotlib warns of a family that is not installed
    monkeypatch.setattr(logging.getLogger("matplotlib.font_manager"), "warning", lambda *words: said.append(words))
    one, other, kana = (pixels(heatmap(token, "b")) for token in ("機器人", "爬山坡", "ひらが"))
    assert not said
    assert one.shape == other.shape == kana.shape
    assert (one != other).any() and (one != kana).any()  # boxes for missing letters would all look the same


def test_pictures_of_views_hold_letters_of_any_script_and_words_take_the_width_of_their_letters():
    words, _, _ = widgets.HeadsView(torch.eye(2)[None], ["機器人", "بيت"]).picture()
    assert words.count(">機器人</text>") == words.count(">بيت</text>") == 2  # as a row and as a column
    installed = {font.name for font in font_manager.fontManager.ttflist}
    assert fonts.families()[0] == fonts.BASE and {*fonts.families()} <= installed
    own = ImageFont.truetype(font_manager.findfont(fonts.BASE), 20, layout_engine=ImageFont.Layout.BASIC)
    text = "√ Tomato AVAVA —"  # Pillow's other layout would kern these letters
    assert svg.length(text, 20) == pytest.approx(own.getlength(text), rel=0.02)
    assert svg.length("機器人", 20) == 60 and svg.length("ro機", 20) == 20 + svg.length("ro", 20)


@pytest.mark.usefixtures("own_font_only")
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("token", "label"),
    [
        ("🤖", "U+1F916"),
        ("中", "U+4E2D"),
        ("中文", "U+4E2D U+6587"),
        ("a中🤖b", "aU+4E2D U+1F916 b"),
        ("𝖠", "𝖠"),  # the bold face lacks it
        ("\U000e0fff", "U+E0FFF"),  # an unassigned code point
        ("\ue000", None),  # private use: the course's own font may have a letter there
        ("é√…שלום", "é√…שלום"),
    ],
)
def test_what_no_font_has_is_written_as_a_code(token, label):
    figure = heatmap(token, "b")
    figure.savefig(io.BytesIO(), format="svg")
    first = figure.axes[0].get_yticklabels()[0].get_text()
    assert first == (label or first)


@pytest.mark.usefixtures("own_font_only")
@pytest.mark.filterwarnings("error")
def test_titles_legends_and_boxes_hold_no_boxes_either():
    figures = [
        plots.attention_heatmap(torch.eye(2), "ab", titles=["中"], label="文"),
        plots.curves([1, 2], {"🤖": [1, 2], "b": [2, 1]}, xlabel="中", ylabel="文", caption="c"),
        plots.diagram({"in": (1, 0.5, "中\n文")}, [], size=(2, 1), caption="c"),
        plots.vectors(torch.eye(2), "中𝖠"),  # its labels are bold
    ]
    for figure in figures:
        figure.savefig(io.BytesIO(), format="svg")
        assert not any(unicodedata.category(letter) == "Lo" for letter in "".join(words(figure)))
    assert "U+4E2D \nU+6587" in words(figures[2])


def words(figure):
    return [text.get_text() for text in figure.findobj(lambda part: hasattr(part, "get_text"))]


@pytest.mark.needs_font
def test_a_font_that_was_installed_after_matplotlib_made_its_list_is_found(monkeypatch):
    known = font_manager.fontManager
    fallback = {font.fname for font in known.ttflist if font.name in fonts.FALLBACK}
    monkeypatch.setattr(known, "ttflist", [font for font in known.ttflist if font.fname not in fallback])
    assert fonts.families.__wrapped__() == fonts.families()


@pytest.fixture
def chinese(style):
    language.use("zh")
    yield
    language.use("en")


@pytest.mark.usefixtures("own_font_only", "chinese")
@pytest.mark.filterwarnings("error")
def test_a_figure_in_chinese_has_english_words_where_no_font_has_its_letters_and_it_is_said_once(capsys):
    figure = plots.attention_heatmap(torch.eye(2), ["中", "b"], titles=["一个头"])  # as in *Several heads*
    assert {"attention weight", "query", "key", "one head", "U+4E2D", "b"} <= set(words(figure))
    told = capsys.readouterr().out
    assert told == fonts.note() + "\n" and "apt install fonts-noto-cjk" in told and "中文" in told
    assert "query" in words(heatmap("a", "b")) and capsys.readouterr().out == ""


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("一个头", "one head"),
        ("训练，num_heads=8", "Training with num_heads=8"),
        ("第 3 层", "layer 3"),
        ("这句话哪里都没有", "这句话哪里都没有"),
        ("plain", "plain"),
    ],
)
def test_the_original_of_a_translated_text_is_found(text, english):
    assert language.original(text) == english


@pytest.mark.usefixtures("own_font_only")
def test_check_says_which_letters_no_font_has_and_what_to_install_but_not_of_an_emoji(capsys, monkeypatch):
    assert fonts.drawable("a 🤖") == "a U+1F916" and capsys.readouterr().out == ""
    assert fonts.drawable("a\t中") == "a\tU+4E2D" and capsys.readouterr().out == fonts.note() + "\n"
    monkeypatch.setattr(session, "get_ipython", object)
    session.check()
    first, *_, note = capsys.readouterr().out.splitlines()
    assert first == "Everything is here. You can start."
    assert "of Chinese, Japanese and Korean." in note and "apt install fonts-noto-cjk" in note
