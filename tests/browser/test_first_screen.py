"""Test that the first screen of the course has a picture in it, before anything is run, in English and in Chinese."""

import lab_server
import pytest
from nb.copies import copy_notebooks
from nb.files import PUBLISHED, find_notebooks

from course_utils import language

FIRST = find_notebooks([])[0]
# The number of px from the lower end of the words in the first picture to the panel's lower edge, or null.
BELOW = """() => {
  const panel = window.jupyterapp.shell.currentWidget.node.querySelector(".jp-WindowedPanel-outer");
  const image = panel.querySelector(".jp-OutputArea figure img");
  if (!image?.complete || panel.scrollTop) return null;
  const { bottom, height } = image.getBoundingClientRect();
  return panel.getBoundingClientRect().bottom - (bottom - 0.15 * height);
}"""


def copied(code, folder):
    language.use(code)
    try:
        copy_notebooks(PUBLISHED, folder)
    finally:
        language.use("en")
    return next(folder.rglob(FIRST.name))


@pytest.mark.parametrize("page_of", ["stored", "en", "zh"])
def test_the_first_screen_has_a_picture(lab, lab_page, page_of):
    page, folder = lab_page, lab.home / page_of
    folder.mkdir()
    if page_of == "stored":
        (folder / FIRST.name).write_bytes(FIRST.read_bytes())
    path = folder / FIRST.name if page_of == "stored" else copied(page_of, folder)
    page.set_viewport_size({"width": 1366, "height": 768})
    lab.show(page, str(path.relative_to(lab.home)))
    assert lab_server.wait_until(lambda: page.evaluate(BELOW) is not None)
    assert page.evaluate(BELOW) >= 0
    image = page.locator(".jp-OutputArea figure img").first
    assert ("看得最多" in image.get_attribute("alt")) == (page_of == "zh")
    lab_server.shut_down(page)
