"""Test the catalogues: their rules, what becomes of a changed text, and the command that keeps them."""

import pytest
import translations
from babel.messages.catalog import Catalog
from nb.translation import catalogues, rules

from course_utils import language

ALL = [(code, name) for code in language.available() for name in catalogues.names()]
STORED = [pair for pair in ALL if catalogues.path(*pair).exists()]


@pytest.mark.parametrize(("code", "name"), STORED)
def test_no_stored_translation_breaks_a_rule(code, name):
    done = [one for one in catalogues.read(code, name) if one.id and not catalogues.is_open(one)]
    terms, avoided = rules.glossary(code), rules.avoided(code)
    found = {one.string: list(rules.findings(one.id, one.string, terms, avoided)) for one in done}
    assert found and {string: findings for string, findings in found.items() if findings} == {}


@pytest.mark.parametrize("code", language.available())
def test_a_text_has_one_translation_in_the_catalogues_that_are_one_table(code):
    found = {}
    for name in catalogues.names():
        if name.partition("/")[0] in ("exercises", "checks"):
            for one in catalogues.read(code, name):
                found.setdefault(one.id, set()).add(one.string)
    assert {text: strings for text, strings in found.items() if text and len(strings) > 1} == {}


def test_patterns_and_code_are_no_sentences_of_checks():
    texts = {text for _, text, _ in catalogues.source("checks")}
    assert "not attempted" in texts and "object is not callable" not in texts
    assert [text for text in texts if text.startswith(("^", "import "))] == []


@pytest.mark.parametrize(
    ("english", "translation", "finding"),
    [
        ("Use `sum`.", "用 `mean`。", "code sum"),
        ("It has 3 rows.", "它有 4 行。", "number 3"),
        ("     It has 3 rows.", "     它有 4 行。", "number 3"),
        ("Of 28 million pairs.", "2800 亿对里。", "number 28000000"),
        ("Of 28 billion pairs.", "2800 万对里。", "number 28000000000"),
        ("See [it](a.ipynb).", "见[它](b.ipynb)。", "link a.ipynb"),
        ("So $x$ is.", "$y$ 就是。", "formula x"),
        ("Yours has {ours}.", "你的是 {theirs}。", "place {ours}"),
        ("One | two", "一", "columns"),
        ("A word.", "一个词,两个字。", "write ， for ,"),
        ("A word it.", "词it。", "a space"),
        ("The causal mask.", "掩码。", "glossary"),
        ("The table below.", "下表的下表的下表的行。", "'下表的' three times"),
        ("**First.** A word.", "**先。**一个词。", "stars beside"),
    ],
)
def test_a_broken_rule_is_found(english, translation, finding):
    assert any(finding in found for found in rules.findings(english, translation, rules.glossary("zh_Hans")))


@pytest.mark.parametrize(
    ("english", "translation"),
    [
        (
            "The *causal mask* of `x` has 3 rows: [notebook 4](04.ipynb), $x$, <em>here</em>.",
            "`x` 的*因果掩码*有 3 行：见[笔记本 4](04.ipynb)，$x$，<em>这里</em>。",
        ),
        (r"So $\text{mean of } x$ is.", r"$\text{平均 } x$ 就是。"),
        ("Bit by bit: 000000.", "一点一点地：000000。"),
        ("94.3 billion, and 1,400 million.", "943 亿，以及 14 亿。"),
        ("135M has 135 million numbers.", "135M 有 1.35 亿个数。"),
        ("135M has 135 million numbers.", "135M：135 millions。"),
        ("Code: <code>tokens.sum()</code>, `token`, {token:5s}.", "<code>tokens.sum()</code>、`token`、{token:5s}。"),
    ],
)
def test_a_good_translation_breaks_no_rule(english, translation):
    assert list(rules.findings(english, translation, rules.glossary("zh_Hans"))) == []


def test_words_that_the_course_does_not_use_are_named_with_the_better_one():
    avoided = rules.avoided("zh_Hans")
    (finding,) = rules.findings("It is ablated.", "它被静音了。", avoided=avoided)
    assert finding == "'静音': the course says '消融'"
    assert list(rules.findings("It is ablated.", "它被消融了。", avoided=avoided)) == []


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Return set_texts(*texts): it makes a course with these texts and one catalogue, `page`, of zh_Hans."""
    (tmp_path / "zh_Hans").mkdir()
    (tmp_path / "zh_Hans" / "page.po").touch()
    monkeypatch.setattr(language, "FOLDER", tmp_path)
    monkeypatch.setattr(catalogues, "names", lambda: ["page"])
    return lambda *texts: monkeypatch.setattr(catalogues, "source", lambda name: [("id", text, "a") for text in texts])


def translate(**strings):
    catalogue = Catalog(locale="zh_Hans")
    for text, string in strings.items():
        catalogue.add(text.replace("_", " "), string, context="id")
    catalogues.path("zh_Hans", "page").write_bytes(catalogues.to_bytes(catalogue, "zh_Hans"))


def test_a_changed_sentence_is_named_and_stops_nobody(course, capsys):
    translate(The_robot_is_weak="机器人力气小", Another="另一个")
    course("The robot is weak", "Another")
    assert translations.main(["check", "zh"]) == 0 and "0 warnings" in capsys.readouterr().out
    course("The robot is steep", "Another")
    assert translations.main(["update", "zh"]) == 0
    assert translations.main(["check", "zh"]) == 0
    assert "fuzzy: 'The robot is steep'" in capsys.readouterr().out
    stored = catalogues.path("zh_Hans", "page").read_bytes()
    assert "机器人力气小" in stored.decode()
    translations.main(["update"])
    assert catalogues.path("zh_Hans", "page").read_bytes() == stored


def test_check_fails_on_a_broken_rule(course, capsys):
    translate(It_has_3_rows="它有 4 行")
    course("It has 3 rows")
    assert translations.main(["check", "zh"]) == 1
    assert "number 3 of the English missing" in capsys.readouterr().out


def test_a_language_that_is_not_there_is_refused_with_what_to_do(capsys):
    assert translations.main(["check", "xx"]) == 1
    assert "begins with a folder" in capsys.readouterr().err
