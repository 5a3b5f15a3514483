"""Test in JupyterLab that the overview of a learner's progress says where one stopped, and leads to the exercises."""

import json

import lab_server
from accessibility import violations
from nb.copies import copy_notebooks
from nb.exercises import find
from nb.files import PUBLISHED
from nbformat.v4 import new_code_cell

from course_utils import checks

NAME, COPY = "mine.ipynb", "04_causal_masking.ipynb"
CELLS = ["from course_utils import checks\nchecks.progress()", "checks.causal_mask(...)"]
SAID = {"day": "2026-11-27", "words": "A token sees *what comes after it*: look at `tril`."}
KEPT = {"passed": ["scores"], "tries": {"scores": 2, "causal_mask": 3}, "reports": {"causal_mask": SAID}}
IN_FRONT = "(name) => window.jupyterapp.shell.currentWidget?.context?.path === name"
ALL_ATTACHED = "window.jupyterapp.shell.currentWidget.content.widgets.every(({ node }) => node.isConnected)"
# Return whether a cell is drawn, and begins at the top of what is seen of the notebook.
AT_THE_TOP = """(id) => {
  const { content } = window.jupyterapp.shell.currentWidget;
  const { node } = content.widgets.find(({ model }) => model.id === id);
  const seen = node.closest(".jp-WindowedPanel-outer");
  return Boolean(seen) && Math.abs(node.getBoundingClientRect().top - seen.getBoundingClientRect().top) < 2;
}"""


def come_back(page):
    page.evaluate("(path) => void window.jupyterapp.commands.execute('docmanager:open', { path })", NAME)
    page.wait_for_function(IN_FRONT, arg=NAME)


def row(page, title):
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=title))


def test_the_overview_says_what_was_said_last_and_its_links_lead_to_exercises(page, tmp_path, monkeypatch, expect):
    monkeypatch.delenv("COURSE_PROGRESS")  # set to off for all tests
    (tmp_path / "progress.json").write_text(json.dumps(KEPT), "utf-8")
    copy_notebooks(PUBLISHED, tmp_path)
    lab_server.write(tmp_path / NAME, map(new_code_cell, CELLS))
    with lab_server.serve(tmp_path, {}) as lab:  # it draws only what is seen
        lab.show(page, COPY)
        go_through(page, expect)
        page.goto("about:blank")  # JupyterLab logs errors when its server ends


def go_through(page, expect):
    page.wait_for_function(ALL_ATTACHED)  # a link waits ten seconds for its cell, too short for a busy machine
    come_back(page)
    page.wait_for_function("window.jupyterapp.shell.currentWidget.sessionContext.isReady")
    lab_server.run(page)
    expect(page.get_by_role("caption")).to_have_text(f"1 of {len(checks.all())} exercises passed")
    words = "Last time, on 2026-11-27, the check said: A token sees what comes after it: look at tril."
    expect(row(page, "4 · Causal masking").get_by_text(words)).to_be_visible()
    expect(page.get_by_role("group", name="Check of my_causal_mask").get_by_text(words)).to_be_visible()
    closed = row(page, "5 · Dropout")
    expect(closed.get_by_text("my_dropout", exact=True)).to_be_hidden()
    closed.get_by_text("0 of 4 passed").click()
    expect(closed.get_by_text("my_dropout", exact=True)).to_be_visible()
    for name in ("causal_attention", "additive_mask", "who_sees", "causal_mask", "masked_weights"):
        place = find(name)
        heading = place.under.replace("*", "").replace("`", "")
        row(page, "4 · Causal masking").get_by_role("link", name=f"{checks.all()[name].stub} · {heading}").click()
        page.wait_for_function(IN_FRONT, arg=COPY)
        prompt = place.cells[place.prompt].id
        page.wait_for_function(AT_THE_TOP, arg=prompt)
        lab_server.settle(page)
        assert page.evaluate(AT_THE_TOP, prompt), name
        come_back(page)
    for theme in ("light", "dark"):
        lab_server.set_theme(page, theme)
        lab_server.settle(page)
        assert violations(page, ".jp-OutputArea-output") == []
