"""Test that answers, predictions and progress survive a killed kernel or server."""

import json
import os
import signal
import urllib.request

import lab_server
import nbformat

CELLS = [
    "from course_utils import checks, session, widgets\nsession.start()",
    "def my_scores(query, keys):\n    ...",
    "checks.scores(my_scores)",
    'widgets.Predict("who", "Who wins?", "cold", choices=["a", "cold", "wind"])',
]
MARK = "return keys @ query"
ANSWER = f"def my_scores(query, keys):\n    {MARK}"


def in_file(file, number):
    """Return the source of cell `number` in the notebook's file, or "" while the server is writing the file."""
    try:
        return nbformat.read(file, as_version=4).cells[number].source
    except nbformat.reader.NotJSONError:
        return ""


# Replace the source of code cell `number` by typing, and return the cell (a locator). JupyterLab takes what is typed
# during a save for saved, and writes it only with the next change (its issue 17365). So wait until no save is due.
def write(page, number, text):
    page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty", timeout=lab_server.PATIENCE)
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(number)
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
    return cell


def test_an_answer_is_saved_within_ten_seconds_and_nothing_is_lost_with_a_kernel_or_a_server(
    context, tmp_path, monkeypatch, expect
):
    monkeypatch.delenv("COURSE_PROGRESS")  # set to off for all tests
    with lab_server.serve(tmp_path, lab_server.EVERY_CELL) as own_lab:
        go_through(own_lab, context.new_page(), expect)  # JupyterLab logs errors there when its server is killed


def go_through(own_lab, page, expect):
    plugin = "@jupyterlab/docmanager-extension:plugin"
    with urllib.request.urlopen(f"{own_lab.url}/lab/api/settings/{plugin}") as answer:
        told = json.load(answer)["schema"]["properties"]
    assert told["autosave"]["default"] is True and told["autosaveInterval"]["default"] <= 10
    home = own_lab.home
    name = own_lab.open(page, CELLS)
    file = home / name

    cell = write(page, 1, ANSWER)
    assert lab_server.wait_until(lambda: MARK in in_file(file, 1))
    lab_server.run(page)
    page.get_by_label("wind").check()
    page.get_by_role("button", name="Commit").click()
    expect(page.get_by_text("You said wind. It is cold.")).to_be_visible()
    before = (home / "progress.json").read_text()
    kept = json.loads(before)
    assert kept["passed"] == ["scores"] and kept["predictions"]["who"]["guess"] == 2

    killed = int(lab_server.in_kernel(page, "__import__('os').getpid()"))
    os.kill(killed, signal.SIGKILL)
    expect(page.get_by_role("dialog")).to_contain_text("appears to have died. It will restart automatically.")
    page.get_by_role("button", name="Ok").click()
    expect(cell).to_contain_text(MARK)
    assert MARK in in_file(file, 1) and (home / "progress.json").read_text() == before
    page.wait_for_function("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'")
    lab_server.run(page)
    assert int(lab_server.in_kernel(page, "__import__('os').getpid()")) != killed
    expect(page.get_by_text("You said wind. It is cold.")).to_be_visible()  # a new view shows the kept guess

    write(page, 1, f"# once more\n{ANSWER}")
    assert lab_server.wait_until(lambda: "once more" in in_file(file, 1))
    kept = (home / "progress.json").read_text()
    own_lab.server.kill()
    own_lab.server.wait()
    expect(cell).to_contain_text("once more")
    assert "once more" in in_file(file, 1) and (home / "progress.json").read_text() == kept

    with lab_server.serve(home, lab_server.EVERY_CELL) as again:
        page.goto("about:blank")
        again.show(page, name)
        expect(cell).to_contain_text("once more")
        lab_server.run(page)
        expect(page.get_by_text("You said wind. It is cold.")).to_be_visible()
    page.close()
