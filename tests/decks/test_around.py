"""Test what stands around the pages of the web edition: the zip, the search index, the counts and the openings."""

import io
import json
import re
import subprocess
import zipfile

import pytest
from nb.files import COURSE, find_notebooks
from nb.format import read_notebook
from publish import around, opening, search_index, site
from publish.article import article

from course_utils import course

pytestmark = pytest.mark.needs_slides

NOTEBOOKS = {path: read_notebook(path) for path in find_notebooks([])}


@pytest.mark.needs_git
def test_the_zip_holds_the_course_and_nothing_that_was_made():
    zipped = around.zipped()
    archive = zipfile.ZipFile(io.BytesIO(zipped))
    names = {name.removeprefix("attention-course/") for name in archive.namelist()}
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=COURSE, capture_output=True)
    ours = {name for name in listed.stdout.decode().strip("\0").split("\0") if (COURSE / name).is_file()}
    links = {name for name in ours if (COURSE / name).is_symlink()}
    assert names == ours - links
    assert archive.read("attention-course/LICENSE") == (COURSE / "LICENSE").read_bytes()
    assert archive.getinfo("attention-course/binder/postBuild").external_attr >> 16 & 0o111, "it must be able to run"
    assert around.zipped() == zipped


def test_a_shared_link_has_a_whole_address_where_one_is_known(tmp_path, monkeypatch):
    monkeypatch.setattr(around, "COURSE", tmp_path)
    (tmp_path / "LICENSE").write_text("MIT License\n\nCopyright (c) 2026 Some One\n")
    (tmp_path / "pyproject.toml").write_text('[project.urls]\nHomepage = "https://example.org/course"\n')
    values = around.values(4_400_000)
    assert values["home"] == "https://example.org/course/" and values["copyright"] == "2026 Some One"
    assert values["zip_size"] == "4 MB" and values["web"] == ""
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    assert around.values(0)["home"] == ""


def test_the_index_has_each_heading_and_the_words_of_the_course():
    entries = []
    for (path, notebook), entry in zip(NOTEBOOKS.items(), course.notebooks(), strict=True):
        _, headings = article(notebook, {}, path.parent)
        entries += search_index.entries(entry, headings, notebook)
        listed = [anchor for page, anchor, _, told in entries if page == path.stem and not told]
        assert listed == [anchor for _, anchor, _ in headings]
    told = {words: (page, explanation) for page, _, words, explanation in entries if explanation}
    words = "here: what it stands for; in papers and code: anaphora, Winograd schema"
    assert told["coreference"] == ("00_start_here", words)
    assert told["The reshape"] == ("07_the_reshape", "What does the reshape really do?")
    assert "in papers: d_k, d_v" in told["head_dim"][1]
    assert len(told) > 20
    script = search_index.script(entries, []).decode()
    assert json.loads(re.fullmatch(r"var courseIndex = (.*);\n", script)[1]) == {"names": entries, "texts": []}


def test_the_passages_of_a_page_are_what_can_be_read_with_the_place_above():
    page = """<p>the bar</p><main id="text"><h2 id="A">All of it <a class="anchor">#</a></h2>
    <div class="prose" id="one.1"><p>This is a <strong>causal mask</strong>, as <math><mi>M</mi></math> is.</p>
    <ul><li>one</li><li><p>two</p></li></ul><p><strong>Predict first.</strong></p>
    <table><tr><td>x</td><td> 3 </td></tr></table></div>
    <pre>a = 1\n\n  b_c = 2</pre><div class="view"><p>alive</p><script>"<p>no</p>"</script></div></main>"""
    passages, terms = search_index.passages(page, "04_x")
    assert passages == [
        ["04_x", "A", ["All of it"]],
        [
            "04_x",
            "one.1",
            ["This is a causal mask, as is.", "one", "two", "Predict first.", "x · 3", "\ta = 1", "\tb_c = 2"],
        ],
    ]
    assert terms == [["04_x", "one.1", "causal mask", "This is a causal mask, as is."]]


def test_each_page_opens_with_a_view_that_is_there():
    for path, notebook in NOTEBOOKS.items():
        views = {cell.id: [f"<i>{cell.id}</i>"] for cell in notebook.cells}
        topic = path.stem[3:]
        html = opening.opening(topic, views)
        assert '<div class="view">' in html, f"{topic} opens with no view"
        if topic in opening.OWN:
            assert f"<i>{opening.OWN[topic]}</i>" in html
    assert set(opening.OWN) | set(opening.SENTENCES) == {one.topic for one in course.notebooks()}
    assert opening.opening("the_reshape", {}) == ""  # where its view could not be made


def test_what_there_is_to_do_is_counted():
    path, notebook = next(iter(NOTEBOOKS.items()))
    exercises = {one.file: len(one.exercises) for one in course.notebooks()}
    steps = site.steps_of({path: notebook})
    predictions = sum("widgets.Predict(" in cell.source for cell in notebook.cells)
    questions = len(json.loads((COURSE / "lessons" / path.stem[3:] / "quiz.json").read_text("utf-8"))["questions"])
    assert steps[path.stem] == exercises[path.stem] + predictions + questions
    assert steps | {path.stem: 0} == exercises | {path.stem: 0}
