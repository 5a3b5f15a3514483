"""Test the quiz by mouse and keyboard, in an exported page and in JupyterLab, where it must not change the notebook."""

import lab_server
import pytest
from accessibility import violations

from course_utils import quiz

NUMBER = "causal_masking"
QUESTIONS = quiz.load(NUMBER)
COUNT = len(QUESTIONS)
RIGHT = [[choice["right"] for choice in question["choices"]].index(True) for question in QUESTIONS]
FOCUSED = "document.activeElement"


def bare(words):
    return words.replace("`", "").replace("*", "")


def verdict(question, choice):
    """Return the text that the status must show after a choice of a question is checked; both count from 0."""
    chosen = QUESTIONS[question]["choices"][choice]
    sign = "✓ Right." if chosen["right"] else "✗ Not this one."
    return f"{sign} {bare(chosen['feedback'])}"


class Asked:
    def __init__(self, root, number):
        self.box = root.get_by_role("group").nth(number)
        self.button = self.box.get_by_role("button", name="Check")
        self.status = self.box.get_by_role("status")

    def choice(self, number):
        return self.box.get_by_role("radio").nth(number)


def score(root):
    return root.get_by_role("status").last


@pytest.fixture
def root(open_html):
    return open_html(quiz.view(NUMBER).to_html()).locator(".av-quiz")


# Return each choice as HTML, without its text and without the name that ties it to the others of its question.
WITHOUT_WORDS = """all => all.map((one) => {
  const label = one.cloneNode(true);
  label.querySelector('span').replaceChildren();
  label.querySelector('input').removeAttribute('name');
  return label.outerHTML;
})"""
# Return the computed colours of a question and of its chosen label, as a string.
LOOK = """box => [box, box.querySelector('label:has(:checked)')].map((one) => {
  const { backgroundColor, borderColor, boxShadow, color } = getComputedStyle(one);
  return [backgroundColor, borderColor, boxShadow, color].join();
}).join()"""


def test_nothing_tells_the_answer_before_check_and_then_each_choice_is_answered_with_its_word(root, expect):
    told = root.inner_text() + root.aria_snapshot()
    assert "The first two outputs are exchanged" in told
    assert not any(bare(choice["feedback"]) in told for question in QUESTIONS for choice in question["choices"])
    assert not any(word in told for word in ("✓", "✗", "Right", "Not this one"))
    assert len(set(root.locator("label").evaluate_all(WITHOUT_WORDS))) == 1
    expect(root.get_by_role("group")).to_have_count(COUNT)
    for number, question in enumerate(QUESTIONS):
        asked, looks = Asked(root, number), set()
        asked.button.click()
        expect(asked.status).to_have_text("Choose an answer first.")
        for place in sorted(range(len(question["choices"])), key=RIGHT[number].__eq__):  # the right one last
            asked.choice(place).check()
            asked.button.focus()
            looks.add(asked.box.evaluate(LOOK))
            expect(asked.status).to_be_empty()
            asked.button.click()
            expect(asked.status).to_have_text(verdict(number, place))
        assert len(looks) == 1  # before Check, the right choice looks like a wrong one
        expect(score(root)).to_have_text(f"{number + 1} of {COUNT} right.")
    Asked(root, 0).choice((RIGHT[0] + 1) % 3).check()
    expect(Asked(root, 0).status).to_be_empty()
    Asked(root, 0).button.click()
    expect(score(root)).to_have_text(f"{COUNT - 1} of {COUNT} right.")
    expect(Asked(root, 1).status).to_have_text(verdict(1, RIGHT[1]))  # the feedback on another question stays
    place = next(i for i, question in enumerate(QUESTIONS) if "`context_length` 7" in question["question"])
    name = f"{place + 1}. {bare(QUESTIONS[place]['question'])}"
    asked = root.get_by_role("group", name=name, exact=True)
    assert asked.locator("code").all_inner_texts() == ["CausalAttention", "context_length", "(2, 5, 4)"]
    asked.get_by_label("(7, 7)").check()
    asked.get_by_role("button").click()
    expect(asked.get_by_role("status").locator("em")).to_have_text("keeps")


def test_by_keyboard_alone(root, expect):
    press = root.page.keyboard.press
    for number in range(COUNT):
        asked = Asked(root, number)
        press("Tab")  # to the first choice
        expect(asked.choice(0)).to_be_focused()
        press(" ")
        for _ in range(len(QUESTIONS[number]["choices"])):  # the arrow wraps around within this question
            press("ArrowDown")
        expect(asked.choice(0)).to_be_focused()
        for _ in range(RIGHT[number]):
            press("ArrowDown")
        expect(asked.choice(RIGHT[number])).to_be_checked()
        outline = "(one) => [getComputedStyle(one).outlineStyle, getComputedStyle(one).outlineWidth].join()"
        assert asked.choice(RIGHT[number]).evaluate(outline) == "solid,2px"
        press("Enter")  # Enter on a choice does nothing
        expect(asked.status).to_be_empty()
        press("Tab")
        press(["Enter", " "][number % 2])
        expect(asked.status).to_have_text(verdict(number, RIGHT[number]))
    expect(score(root)).to_have_text(f"{COUNT} of {COUNT} right.")
    press("Tab")
    assert root.page.evaluate(f"{FOCUSED} === document.body")  # Tab leaves the quiz


def test_it_fits_its_page_and_the_verdict_can_be_read_in_both_themes(root):
    assert root.evaluate("(one) => getComputedStyle(one).fontSize") == "15px"
    for width, most in ((360, 360), (1200, 48 * 15 + 8)):
        root.page.set_viewport_size({"width": width, "height": 600})
        assert root.page.evaluate("document.documentElement.scrollWidth") <= width
        assert root.bounding_box()["width"] <= most
    root.page.add_style_tag(content="body { background: Canvas; }")  # axe takes a page without a background for white
    for choice in (RIGHT[0], (RIGHT[0] + 1) % 3):
        Asked(root, 0).choice(choice).check()
        Asked(root, 0).button.click()
        for theme in ("light", "dark"):
            root.page.emulate_media(color_scheme=theme)
            assert violations(root.page, ".av-quiz") == []


KEEPS = "import os\nfrom course_utils import progress, quiz\nos.environ['COURSE_PROGRESS'] = ''"
KEEPS_NOTHING = "progress.path().unlink()\nos.environ['COURSE_PROGRESS'] = 'off'"


def test_what_was_checked_is_there_when_the_notebook_is_opened_again(open_notebook, expect):
    show = f"quiz.show({NUMBER!r})"
    root = open_notebook([KEEPS, show]).locator(".av-quiz")
    wrong = (RIGHT[1] + 1) % len(QUESTIONS[1]["choices"])
    for number, choice in ((0, RIGHT[0]), (1, wrong)):
        asked = Asked(root, number)
        asked.choice(choice).check()
        asked.button.click()
        expect(asked.status).to_have_text(verdict(number, choice))
    root = open_notebook([KEEPS, show, KEEPS_NOTHING]).locator(".av-quiz")
    for number, choice in ((0, RIGHT[0]), (1, wrong)):
        expect(Asked(root, number).choice(choice)).to_be_checked()
        expect(Asked(root, number).status).to_have_text(verdict(number, choice))
    expect(Asked(root, 2).status).to_be_empty()
    expect(score(root)).to_have_text(f"1 of {COUNT} right.")


def test_two_quizzes_in_a_page_do_not_mix(open_html, expect):
    page = open_html(2 * quiz.view(NUMBER).to_html())
    first, second = (page.locator(".av-quiz").nth(number) for number in (0, 1))
    for root in (first, second):
        Asked(root, 0).choice(RIGHT[0]).check()
    Asked(first, 0).button.click()
    expect(score(first)).to_have_text(f"1 of {COUNT} right.")
    expect(score(second)).to_be_empty()
    expect(Asked(first, 0).choice(RIGHT[0])).to_be_checked()


def test_without_scripts_the_questions_stand_as_text(browser, tmp_path):
    (tmp_path / "page.html").write_text(f'<meta charset="utf-8">{quiz.view(NUMBER).to_html()}', encoding="utf-8")
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((tmp_path / "page.html").as_uri())
    assert page.locator("body").inner_text().split() == quiz.text(QUESTIONS).split()
    page.context.close()


CELLS = [f"from course_utils import quiz\nquiz.show({NUMBER!r})", "'the cell below'"]


def notebook(page):
    """Return of the notebook open in JupyterLab [sources of its cells, mode, index of the active cell, if unsaved]."""
    return page.evaluate(
        "() => { const { content } = window.jupyterapp.shell.currentWidget;"
        "return [content.widgets.map((cell) => cell.model.sharedModel.getSource()), content.mode, "
        "content.activeCellIndex, window.jupyterapp.shell.currentWidget.context.model.dirty]; }"
    )


def test_in_jupyterlab(open_notebook, expect):
    """The quiz works without a kernel, and no key reaches JupyterLab, where b adds a cell and j moves to another."""
    page = open_notebook(CELLS)
    root = page.locator(".av-quiz")
    asked = Asked(root, 0)
    lab_server.save(page)
    lab_server.shut_down(page)
    root.locator("label").nth((RIGHT[0] + 1) % 3).click()  # click on the text of the choice
    as_it_was = notebook(page)
    others = [key for key in "abjkxdm0" for _ in range(2)]
    for key in [*others, "Enter", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowDown", "Enter"]:
        page.keyboard.press(key)
        assert page.evaluate(f"{FOCUSED}.type") == "radio"
    expect(asked.choice((RIGHT[0] + 1) % 3)).to_be_checked()
    asked.button.click()
    expect(asked.status).to_have_text(verdict(0, (RIGHT[0] + 1) % 3))
    for key in [*others, "ArrowDown", "ArrowUp", "Enter"]:
        page.keyboard.press(key)
    expect(asked.status).to_have_text(verdict(0, (RIGHT[0] + 1) % 3))
    asked.choice(RIGHT[0]).focus()
    for key in (" ", "Tab", "Enter"):
        page.keyboard.press(key)
    expect(asked.status).to_have_text(verdict(0, RIGHT[0]))
    expect(score(root)).to_have_text(f"1 of {COUNT} right.")
    assert notebook(page) == as_it_was
    assert as_it_was[0] == CELLS and as_it_was[3] is False
