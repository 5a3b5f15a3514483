"""Test Predict: each of its forms is committed by mouse and by keyboard, in an exported page and in JupyterLab."""

import lab_server
import pytest

WORDS = ["a", "cold", "wind"]
OPEN = "Not committed yet. You can also go on without."
MAKE = """import torch
from course_utils.widgets import Predict
words = ["a", "cold", "wind"]"""
CHOICE = 'Predict("who", "Who wins?", "cold", choices=words)'
BARS = 'Predict("row", "Draw the row.", torch.tensor([0.5, 0.25, 0.25]), bars=words)'
CELLS = 'Predict("past", "Which are open?", torch.ones(3, 3).tril().bool(), rows=words)'
names = {}
exec(MAKE, names)


def exported(open_html, source):
    root = open_html(eval(source, names).to_html()).locator(".av")
    return root, root.get_by_role("status"), root.get_by_role("button", name="Commit")


def test_choose(open_html, expect):
    root, status, commit = exported(open_html, CHOICE)
    expect(status).to_have_text(OPEN)
    expect(commit).to_be_disabled()
    root.get_by_label("wind").check()
    root.get_by_label("a", exact=True).check()
    expect(root).not_to_contain_text("✓")
    commit.click()
    expect(status).to_have_text("You said a. It is cold.")
    expect(root.locator("label", has_text="cold")).to_contain_text("✓ so it is")
    expect(root.locator("label").first).to_contain_text("✗ your guess")
    expect(root.get_by_label("wind")).to_be_disabled()
    expect(commit).to_be_hidden()
    root.page.reload()
    for key in ("Tab", "ArrowDown", "ArrowDown", "ArrowUp", "Tab", "Enter"):
        root.page.keyboard.press(key)
    expect(status).to_have_text("cold: as you said.")


# Return the heights of the bars of class .av-guess or .av-truth, as fractions of the full height.
def heights(root, which):
    return root.locator(f".av-{which}").evaluate_all(
        "all => all.map((bar) => bar.getBoundingClientRect().height / bar.parentElement.clientHeight)"
    )


def drawn(root):
    return [float(slider.get_attribute("aria-valuenow")) for slider in root.get_by_role("slider").all()]


def test_draw_bars(open_html, expect):
    root, status, commit = exported(open_html, BARS)
    first, second, _ = (root.get_by_role("slider", name=word, exact=True) for word in WORDS)
    box = first.bounding_box()
    root.page.mouse.move(box["x"] + 5, box["y"] + box["height"] - 5)
    root.page.mouse.down()
    root.page.mouse.move(box["x"] + 5, box["y"] + 0.2 * box["height"], steps=5)
    root.page.mouse.up()
    third = 1 / 3
    assert heights(root, "guess") == pytest.approx([0.8, third, third], abs=0.02)  # the others stay
    second.focus()
    for key in ("ArrowDown", "ArrowUp", "ArrowDown", "PageDown"):
        root.page.keyboard.press(key)
    assert heights(root, "guess") == pytest.approx([0.8, third - 0.25, third], abs=0.02)
    expect(status).to_have_text(f"Together they are {sum(drawn(root)):.2f}. Committed, they are scaled to 1.")
    commit.click()
    shares = drawn(root)
    assert heights(root, "guess") == pytest.approx([0.8 / 1.22, 0.08 / 1.22, third / 1.22], abs=0.03)
    expect(status).to_contain_text(f"The largest share is that of a: 0.50, and you drew {shares[0]:.2f}.")
    expect(root.locator("small .av-drawn").first).to_have_text(f"{shares[0]:.2f}")
    expect(root.locator("small .av-is")).to_have_text(["0.50", "0.25", "0.25"])
    lab_server.settle(root.page)  # wait for the bars' animation
    assert heights(root, "truth") == pytest.approx([0.5, 0.25, 0.25], abs=0.02)
    second.press("ArrowUp")  # a committed guess cannot be changed
    assert drawn(root) == shares


def test_mark_cells(open_html, expect):
    root, status, commit = exported(open_html, CELLS)
    for name in ("a, a: not marked", "cold, wind: not marked"):
        root.get_by_role("button", name=name).click()
    root.get_by_role("button", name="a, a: marked").focus()
    for key in ("ArrowDown", "ArrowLeft", " ", "ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        root.page.keyboard.press(key)
    commit.click()
    expect(status).to_have_text("5 of 9 cells are as you said. Marked, not so: 1. So, not marked: 3.")
    for name, sign in {
        "a, a: marked, and so": "✓",
        "cold, wind: marked, not so": "✗",
        "cold, a: marked, and so": "✓",
        "wind, cold: marked, and so": "✓",
        "cold, cold: not marked, but so": "○",
        "wind, a: not marked, but so": "○",
        "wind, wind: not marked, but so": "○",
    }.items():
        expect(root.get_by_role("button", name=name)).to_have_text(sign)


@pytest.mark.timed
def test_in_jupyterlab(open_notebook, expect):
    """Run All does not stop at a Predict; a commit goes through the kernel, and both copies show its result.

    Without a kernel, a view says so.
    """
    late = CHOICE.replace("who", "late")
    page = open_notebook([MAKE, f"one = {CHOICE}\none", "print('on')", "one", "print(one.guess, one.result)", late])
    expect(page.get_by_text("on", exact=True)).to_be_visible()
    expect(page.get_by_text("None {}")).to_be_visible()
    first, second, third = (page.locator(".av").nth(number) for number in range(3))
    expect(first.get_by_role("status")).to_have_text(OPEN)
    first.get_by_label("wind").check()
    first.get_by_role("button", name="Commit").click()
    for view in (first, second):
        expect(view.get_by_role("status")).to_have_text("You said wind. It is cold.")
    third.get_by_label("wind").check()
    lab_server.shut_down(page)
    third.get_by_role("button", name="Commit").click()
    expect(third.get_by_role("status")).to_contain_text("is not running")
    expect(third.get_by_role("button", name="Commit")).to_be_enabled()
