"""Test bundle(), which joins the views' JavaScript modules in one script, each once and in order; and line lengths."""

import re
from pathlib import Path

import pytest

from course_utils import widgets
from course_utils.widgets.shared.modules import FOLDER, bundle
from course_utils.widgets.shared.view import View

ROOT = Path(__file__).parents[2]
VIEWS = {getattr(widgets, name).script: getattr(widgets, name) for name in widgets.__all__}


LISTS = {  # file -> where a view is added in it
    "spoken_views.py": "to `views`, or to `questions` if it asks the reader something",
    "browser/test_all_views.py": "to VIEWS, and in the same place of `all_answer` a move and what it shows",
    "plots/test_labels_and_weights.py or widgets/test_widgets_refused.py": "to VIEWS_OF_WEIGHTS or VIEWS_OF_NUMBERS if "
    "it shows labels, else to what cannot be shown, `test_what_cannot_be_shown_is_refused_in_words`",
}


@pytest.mark.parametrize("files", LISTS)
def test_each_view_stands_in_the_lists_of_tests_for_all_views(files):
    text = "".join((ROOT / "tests" / file).read_text("utf-8") for file in files.split(" or "))
    missing = sorted(set(widgets.__all__) - {*re.findall(r"\w+", text.replace("quiz.show", "Quiz"))})
    assert missing == [], f"tests/{files} tries every view: add {', '.join(missing)} {LISTS[files]}"


def order(script):
    return re.findall(r'^modules\["(.*?)"\] = ', script, re.MULTILINE)


@pytest.fixture
def write(tmp_path):
    def write(**sources):
        for name, source in sources.items():
            (tmp_path / f"{name}.js").write_text(source)
        return tmp_path

    return write


def test_each_file_comes_once_after_those_that_it_imports(write):
    folder = write(
        top='import { left } from "./left.js";\nimport { right } from "./right.js";\nexport const top = 1;\n',
        left='import { base } from "./base.js";\nexport const left = base;\n',
        right='import {\n  base,\n} from "./base.js";\nexport function right() {}\n',
        base="export const base = 1;\n",
        unused="export const unused = 1;\n",
    )
    script = bundle("top.js", folder=folder)
    assert order(script) == ["base.js", "left.js", "right.js", "top.js"]
    assert not re.search(r"^\s*(import|export)\b", script, re.MULTILINE)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            'import { a } from "./gone.js";',
            r'a\.js imports "\./gone\.js", but there is no such file: correct its name or folder',
        ),
        ('import { a } from "./a.js";', r"a\.js imports a\.js: move what both need"),
        ('import a from "./b.js";', r"a\.js has the line 'import a from .*: write `import \{ a, b \}"),
        ("export default 1;", r"a\.js has the line 'export default 1;': write .* before const, function or class"),
        ("export let a = 1;", r"a\.js has the line 'export let a = 1;'"),
    ],
)
def test_what_cannot_be_inlined_is_refused_in_words(write, line, words):
    with pytest.raises(ValueError, match=words):
        bundle("a.js", folder=write(a=f"{line}\n", b="export const a = 1;\n"))


@pytest.mark.parametrize("script", VIEWS)
def test_every_view_is_one_string_without_imports(script):
    module = View._esm.fget(VIEWS[script])
    assert re.findall(r"^(?:import|export)\b.*", module, re.MULTILINE) == [
        f'export default {{ render: modules["{script}"].render }};'
    ]
    assert "</script" not in module  # it would end the <script> of an exported page


def test_no_file_is_left_over_no_two_have_one_name_and_each_style_sheet_belongs_to_a_script():
    scripts = bundle(*VIEWS, "encoder_worker.js")  # the last one is of the web edition
    assert sorted(order(scripts)) == sorted(path.name for path in FOLDER.rglob("*.js"))
    sheets = {path.with_suffix(".js").name for path in FOLDER.rglob("*.css")}
    assert sheets - {"style.js"} <= {*order(scripts)}


PAGES = ROOT / "tools" / "publish" / "assets"
STYLED = [path for folder in (FOLDER, PAGES / "deck", PAGES / "site") for path in sorted(folder.rglob("*"))]
STYLED = [path for path in STYLED if path.suffix in (".js", ".css", ".html")]


@pytest.mark.parametrize("path", STYLED, ids=lambda path: path.name)
def test_no_line_is_longer_than_120_and_no_gradient_has_a_colour_mixed_with_transparent(path):
    """Firefox 153 fills the whole picture with the colour, if it has such a stop beside another."""
    text = path.read_text("utf-8")
    assert [f"{number}: {len(line)}" for number, line in enumerate(text.splitlines(), 1) if len(line) > 120] == []
    assert re.findall(r"gradient\([^;]*color-mix\([^;]*\btransparent\)", text) == []
