"""Test AttentionLab: controls call a reader's function through a kernel; an exported page replays stored steps."""

import re

import lab_server
import numpy as np
import pytest
import torch
from heads_page import HeadsPage
from pixels import assert_pixels, colours
from publish import computed

from course_utils import data
from course_utils.widgets import AttentionLab
from course_utils.widgets.shared.head_weights import pack

SCORES = torch.tensor(np.random.default_rng(0).normal(size=(2, 4, 4)), dtype=torch.float32)
TOKENS = ["a", "b", "c", "d"]


def weights(temperature=1.0, hidden=0, size=4):
    scores = SCORES[:, :size, :size] / temperature
    scores[..., size - hidden :] = -torch.inf
    return scores.softmax(-1).numpy()


def assert_shows(view, expected, head=0):
    assert_pixels(view.cells, colours(expected[head], max(1.0, float(expected.max()))))


def slider(page, name):
    return page.get_by_role("slider", name=name)


MAKE = """import numpy as np, time, torch
from course_utils.widgets import AttentionLab
scores = torch.tensor(np.random.default_rng(0).normal(size=(2, 4, 4)), dtype=torch.float32)
calls = 0
def attend(temperature=1.0, hidden=0, text="a b c d", slow=0.0):
    global calls
    calls += 1
    time.sleep(slow)
    if hidden > 2:
        raise ValueError(f"<b>{hidden}</b> is too many")
    if hidden:
        print("hidden", hidden, "call", calls)
    size = len(text.split())
    now = scores[:, :size, :size] / temperature
    now[..., size - hidden:] = -torch.inf
    return now.softmax(-1), text.split()"""


def test_sliders_move_the_heads_through_the_kernel_and_an_error_is_shown_till_the_next_move(open_notebook, expect):
    page = open_notebook([MAKE, "AttentionLab(attend, list('abcd'), temperature=(0.1, 5.0, 1.0), hidden=(0, 4))"])
    view = HeadsPage(page)
    assert_shows(view, weights())
    slider(page, "temperature").press("ArrowRight")
    expect(slider(page, "temperature")).to_have_attribute("aria-valuetext", "1.05")
    assert_shows(view, weights(1.05))
    slider(page, "temperature").press("End")
    assert_shows(view, weights(5.0))
    view.head(1).click()
    assert_shows(view, weights(5.0), head=1)
    slider(page, "hidden").press("ArrowRight")
    assert_shows(view, weights(5.0, hidden=1), head=1)  # the chosen head does not change
    expect(page.locator(".av-prints")).to_have_text(re.compile(r"^hidden 1 call \d+\s*$"))
    slider(page, "hidden").press("Home")
    assert_shows(view, weights(5.0), head=1)
    expect(page.locator(".av-prints")).to_be_hidden()
    error = page.get_by_role("alert")
    expect(error).to_be_hidden()
    slider(page, "hidden").press("End")
    expect(error).to_have_text("ValueError: <b>4</b> is too many")
    assert_shows(view, weights(5.0), head=1)  # the last good weights stay, dimmed
    assert float(view.heatmap.evaluate("e => getComputedStyle(e.closest('.av > div:last-child')).opacity")) < 0.5
    slider(page, "hidden").press("ArrowLeft")
    expect(error).to_have_text("ValueError: <b>3</b> is too many")
    slider(page, "hidden").press("ArrowLeft")
    expect(error).to_be_hidden()
    assert_shows(view, weights(5.0, hidden=2), head=1)


@pytest.mark.timed
def test_while_the_function_is_slow_moves_are_joined_and_the_last_one_wins(open_notebook, expect):
    slow = "lambda temperature: attend(temperature, hidden=1, slow=0.3)"
    page = open_notebook([MAKE, f"AttentionLab({slow}, list('abcd'), temperature=(0.1, 5.0, 1.0))"])
    view, moved = HeadsPage(page), slider(page, "temperature")
    is_busy, seconds = moved.evaluate("""async (input) => {
        const began = performance.now();
        let isBusy;
        for (const at of [...Array(60).keys(), 38]) {
            input.value = at;
            input.dispatchEvent(new Event("input"));
            isBusy = input.closest(".av").ariaBusy;
            await new Promise((done) => setTimeout(done, 15));
        }
        return [isBusy, (performance.now() - began) / 1000];
    }""")
    assert is_busy == "true"
    assert_shows(view, weights(2.0, hidden=1))
    expect(view.root).to_have_attribute("aria-busy", "false")
    expect(moved).to_have_attribute("aria-valuetext", "2")
    prints = page.locator(".av-prints").inner_text()
    assert 3 <= int(prints.split()[-1]) <= 3 + seconds / 0.3  # far fewer calls than the 61 moves


def test_tick_choose_write_and_run_again(open_notebook, expect):
    make = """def every(on, number, text):
    print(on, number, text, next(count))
    size = len(text.split())
    return torch.eye(size).repeat(number, 1, 1) * (1 if on else 0.5), text.split()
import itertools
count = itertools.count()
every_lab = AttentionLab(every, [], on=True, number=[1, 2], text="a b")
every_lab"""
    page = open_notebook([MAKE, make, "every_lab"])
    prints = page.locator(".av-prints")
    page.get_by_role("checkbox", name="on").first.press("Space")
    expect(prints.nth(1)).to_have_text("False 1 a b 1")
    page.get_by_role("combobox", name="number").first.select_option("2")
    expect(prints.nth(1)).to_have_text("False 2 a b 2")
    page.get_by_role("textbox", name="text").first.fill("<b> y z")
    expect(prints.nth(1)).to_have_text("False 2 <b> y z 3")
    # The second copy of the view shows the same state.
    expect(page.get_by_role("checkbox", name="on").nth(1)).not_to_be_checked()
    expect(page.get_by_role("textbox", name="text").nth(1)).to_have_value("<b> y z")
    expect(page.get_by_role("combobox", name="query").nth(1)).to_contain_text("0 <b>")
    assert page.locator(".av-heads").nth(1).get_by_role("radio").count() == 2
    page.get_by_role("button", name="Run again").nth(1).click()
    expect(prints.first).to_have_text("False 2 <b> y z 4")


def assert_in_kernel(page, source, expected):
    assert lab_server.wait_until(lambda: lab_server.in_kernel(page, source) == repr(expected))


SENTENCE = "The robot could not climb the hill because it was too weak."
TROPHY = "The trophy did not fit into the suitcase because it was too big."
COUNTED = """import torch
from course_utils.widgets import AttentionLab
def counted(sentence, layer=0):
    return torch.eye(len(sentence.split())), sentence.split()"""
names = {}
exec(COUNTED, names)


def box_of(page, name="sentence"):
    """Return a text box (a locator), its width in pixels, its number of lines, and whether all its text is seen."""
    box = page.get_by_role("textbox", name=name)
    width, lines, isSeen = box.evaluate("""(box) => {
        const { paddingTop, paddingBottom, fontSize } = getComputedStyle(box);
        const text = box.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
        const isSeen = box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth;
        return [box.offsetWidth, Math.round(text / parseFloat(fontSize) / 1.2), isSeen];
    }""")
    return box, width, lines, isSeen


def test_a_text_box_is_as_wide_as_its_sentence(open_notebook, expect):
    make = f"lab = AttentionLab(counted, [], sentence={SENTENCE!r}, layer=[0, 1])"
    page = open_notebook([COUNTED, f"{make}\nlab.query = 8\nlab"])
    query = HeadsPage(page).select("query")
    box, width, lines, is_seen = box_of(page)
    assert is_seen and lines == 1
    box.press("End")
    box.press_sequentially(" So we carried it.")
    grown = box_of(page)[1:]
    assert grown[0] > width + 50 and grown[1:] == (1, True)
    expect(query.locator("option").last).to_have_text("15 it.")
    box.press("Home")
    box.press("Enter")  # Enter adds no line break: a sentence is one line
    box.press("x")
    expect(box).to_have_value(f"x{SENTENCE} So we carried it.")
    box.fill("two\nlines \n here")
    expect(box).to_have_value("two lines here")
    assert box_of(page)[1] < width
    assert_in_kernel(page, "lab.settings['sentence']", "two lines here")
    box.fill(TROPHY)  # the query is still at its word, which stood at 8
    expect(query).to_have_value("9 it")
    expect(page.locator(".av-status")).to_contain_text("query it")
    assert_in_kernel(page, "lab.query", 9)
    box.fill("")
    assert 30 < box_of(page)[1] < 100
    box.press_sequentially("Did the cat see it")  # while this is typed letter by letter, "it" is missing for a time
    expect(query).to_have_value("4 it")


def test_a_saved_page_shows_its_sentence_whole_and_as_it_is(open_html, page, expect):
    open_html(AttentionLab(names["counted"], [], sentence=SENTENCE, layer=[0, 1]).to_html())
    for size, num_lines in ((700, 1), (360, 2)):
        page.set_viewport_size({"width": size, "height": 700})
        assert lab_server.wait_until(lambda wanted=(num_lines, True): box_of(page)[2:] == wanted)
        assert page.evaluate("document.documentElement.scrollWidth") == size
    box, *_ = box_of(page)
    expect(box).to_have_value(SENTENCE)
    expect(box).not_to_be_editable()


NO_ANSWER = "No answer yet: the kernel is busy, or it is not running. If nothing comes, run this cell again."
BUSY = """from pathlib import Path
def waits(wait=False, temperature=1.0):
    while wait and not Path("go_on").exists():
        time.sleep(0.05)
    return attend()
AttentionLab(waits, list("abcd"), wait=False, temperature=(0.1, 5.0, 1.0))"""
# Store in window.toldAfter how many milliseconds after a move the view first shows its message.
LISTEN = """() => {
    const told = document.querySelector(".av-unanswered");
    let began;
    document.addEventListener("input", () => (began = performance.now()), { capture: true, once: true });
    new MutationObserver(() => (window.toldAfter ??= performance.now() - began)).observe(told, { childList: true });
}"""


@pytest.mark.timed
def test_a_late_answer_takes_back_what_was_said_of_the_kernel_and_without_one_it_stands(lab, open_notebook, expect):
    page = open_notebook([MAKE, BUSY])
    view, waiting = HeadsPage(page), page.locator(".av-unanswered")
    expect(waiting).to_have_text("")
    page.evaluate(LISTEN)
    page.get_by_role("checkbox", name="wait").check()
    expect(waiting).to_have_text(NO_ANSWER)
    assert page.evaluate("toldAfter") > 3900  # milliseconds: a short delay shows no message
    expect(waiting).to_have_role("status")
    assert float(view.heatmap.evaluate("e => getComputedStyle(e.closest('.av > div:last-child')).opacity")) < 0.5
    (lab.home / "go_on").touch()
    expect(waiting).to_have_text("")
    expect(view.root).to_have_attribute("aria-busy", "false")
    lab_server.shut_down(page)
    slider(page, "temperature").press("ArrowRight")
    expect(waiting).to_have_text(NO_ANSWER)
    slider(page, "temperature").press("ArrowRight")
    expect(slider(page, "temperature")).to_have_attribute("aria-valuetext", "1.1")
    view.head(1).click()
    assert_shows(view, weights(), head=1)  # the weights that are there can still be explored


# exported


def stored(values):
    """Return the weights as an exported page stores them, rounded to 254 steps."""
    high = np.float64(max(1.0, values.max()))
    return np.frombuffer(pack(values, high, limit=0), "u1").reshape(values.shape) * high / 254


def test_an_exported_page_replays_stored_steps(open_html, expect):
    def attend(temperature, hidden, causal):
        if hidden == 3:
            raise ValueError("<b>3</b> is too many")
        return weights(temperature, hidden) * (1 - 0.5 * causal)

    lab = AttentionLab(attend, TOKENS, temperature=(0.1, 5.0, 1.0), hidden=(0, 3), causal=False)
    lab.head, lab.query = 1, 2
    stops = lab._plan()[0][0].values
    assert len(stops) == 8 and 1.0 in stops
    page = open_html(lab.to_html())
    view, error = HeadsPage(page), page.get_by_role("alert")
    expect(page.get_by_text("Saved page: it replays 64 stored steps.")).to_be_visible()
    expect(page.get_by_role("button", name="Run again")).to_be_hidden()
    told = page.locator(".av").aria_snapshot()
    for part in ('slider "temperature": "1"', 'slider "hidden": "0"', 'checkbox "causal"', 'combobox "query"'):
        assert part in told, told
    assert "status: query" in told
    assert_shows(view, weights(), head=1)
    expect(view.select("query")).to_have_value("2 c")
    slider(page, "temperature").press("Home")
    for temperature in stops:
        expect(slider(page, "temperature")).to_have_attribute("aria-valuetext", f"{temperature:.4g}")
        assert_shows(view, stored(weights(temperature)), head=1)
        slider(page, "temperature").press("ArrowRight")
    expect(view.select("query")).to_have_value("2 c")
    view.head(0).click()
    page.get_by_role("checkbox", name="causal").press("Space")
    assert_shows(view, stored(weights(5.0) / 2))
    slider(page, "hidden").press("End")
    expect(error).to_have_text("ValueError: <b>3</b> is too many")
    slider(page, "hidden").press("ArrowLeft")
    expect(error).to_be_hidden()
    assert_shows(view, stored(weights(5.0, 2) / 2))


def test_with_another_sentence_the_query_stays_at_its_word(open_html, expect):
    sentences = "The hill was steep and it won", "On the hill it won"
    lab = AttentionLab(lambda sentence: (torch.eye(len(sentence.split())), sentence.split()), [], sentence=[*sentences])
    lab.query = 5
    page = open_html(lab.to_html())
    for sentence, query in zip(sentences[::-1], ("3 it", "5 it"), strict=True):
        page.get_by_role("combobox", name="sentence").select_option(sentence)
        expect(HeadsPage(page).select("query")).to_have_value(query)


def test_with_many_controls_an_exported_page_moves_one_at_a_time(open_html, expect):
    sliders = {name: (1.0, 2.0) for name in "abcdefg"}
    page = open_html(AttentionLab(lambda **moved: weights(np.prod([*moved.values()])), TOKENS, **sliders).to_html())
    view = HeadsPage(page)
    expect(page.get_by_text("one control moved at a time")).to_be_visible()
    slider(page, "b").press("End")
    assert_shows(view, stored(weights(2.0)))
    slider(page, "c").press("ArrowRight")
    expect(slider(page, "b")).to_have_attribute("aria-valuetext", "1")  # back at its start
    expect(slider(page, "c")).to_have_attribute("aria-valuetext", "1.12")
    assert_shows(view, stored(weights(1.12)))


def test_with_other_heads_the_map_keeps_within_its_room(open_html, page, expect):
    page.set_viewport_size({"width": 1000, "height": 900})
    made = AttentionLab(
        lambda heads: torch.full((heads, 12, 12), 1 / 12), [f"word{i}" for i in range(12)], heads=[2, 72]
    )
    view = HeadsPage(open_html(made.to_html()))
    for heads in (2, 72, 2):
        view.select("heads").select_option(str(heads))
        expect(view.thumbs).to_have_count(heads)
        cells, last = view.cells.bounding_box(), view.thumbs.last.bounding_box()
        assert cells["x"] + cells["width"] < 1000
        assert cells["x"] > last["x"] or cells["y"] > last["y"]  # beside the heads, or below them


def test_moving_a_word_gives_the_weights_of_torch(open_html, expect):
    page = open_html(computed.MovedWord().to_html())
    tokens, inputs = data.load("six_tokens")
    sliders = page.get_by_role("slider")
    assert sliders.count() == inputs.shape[1]
    for place, at in enumerate((77, 3, 40)):
        sliders.nth(place).fill(str(at))
    numbers = [float(shown) for shown in page.locator(".av-lab output").all_inner_texts()]
    assert len({*numbers, *inputs[computed.WORD].tolist()}) == 6, "no number has moved"
    moved = inputs.clone()
    moved[computed.WORD] = torch.tensor(numbers)
    weights = torch.softmax(moved @ moved.T, dim=-1)
    shown = page.locator(".av-heatmap svg text").filter(has_text="0.")
    row = [f"{weight:.2f}" for weight in weights[computed.WORD]]
    expect(page.locator(".av-heard td")).to_have_text(row)
    cells = [f"{weight:.2f}" for weight in weights.flatten()]
    assert shown.all_text_contents()[-len(cells) :] == cells
    expect(page.get_by_text("replays")).to_have_count(0)
