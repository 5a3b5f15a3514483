"""Test what the library says in another language: the choice of it, checks, views, quizzes, and a learner's copies."""

import json

import nbformat
import pytest
from nb.copies import choose, copy_notebooks, invitation
from nb.files import PUBLISHED
from nb.format import tags

from course_utils import checks, language, progress, quiz, session, widgets
from course_utils.checks import panel
from course_utils.checks.sentences import as_data, from_data, sentence, shown, together

CODES = {"zh_Hans": ["zh", "zh_CN.UTF-8", "zh-Hans", "zh_Hans"], "en": ["en", "en_GB.UTF-8", "C.UTF-8", "POSIX", ""]}


@pytest.mark.parametrize("name", CODES)
def test_a_language_is_found_by_its_codes(name):
    assert {language.find(code) for code in CODES[name]} == {name} and language.ENGLISH == "en"


def test_an_unknown_language_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="'xx'.*en, zh_Hans"):
        language.find("xx")


def test_the_system_is_asked_as_gettext_asks_it(monkeypatch):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert language.of_system() == language.ENGLISH
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert language.of_system() == "zh_Hans"
    monkeypatch.setenv("LANGUAGE", "xx:en")
    assert language.of_system() == language.ENGLISH


def test_a_sentence_stays_english_and_is_translated_where_it_is_shown(chinese):
    one = sentence("passed: {stub} is right.", stub="my_mix")
    assert one == "passed: my_mix is right." and shown(one) == "通过：my_mix 是对的。"
    both = together(one, "A row is a query, a column a key.")
    assert both == "passed: my_mix is right. A row is a query, a column a key."
    assert shown(both) == "通过：my_mix 是对的。行是查询，列是键。"
    assert shown("no sentence of the course") == "no sentence of the course"


def test_a_learners_own_name_is_no_word_of_a_sentence(chinese):
    said = shown(
        sentence(
            "`self.{layer}` is an `nn.Parameter`. A layer is asked for: `nn.Linear`, which holds one.", layer="mask"
        )
    )
    assert said.startswith("`self.mask`") and shown("mask") != "mask"


def test_a_sentence_that_was_stored_is_translated_with_its_parts(chinese):
    one = sentence("On {label}: {words}", label="x", words="A row is a query, a column a key.")
    stored = json.dumps(as_data(together(sentence("passed: {stub} is right.", stub="my_mix"), one)))
    assert "passed: {stub}" in stored and "通过" not in stored
    assert shown(from_data(json.loads(stored))) == "通过：my_mix 是对的。x：行是查询，列是键。"


def test_what_a_check_said_last_is_said_in_the_language_of_today(chinese, tmp_path, monkeypatch):
    monkeypatch.delenv("COURSE_PROGRESS")
    (tmp_path / "00_mine.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    language.use("en")
    checks.means(checks.means.solution.clone())
    language.use("zh")
    words = str(checks.means(...))
    assert "检查说：通过：my_means 是对的。" in words and "passed" not in words
    language.use("en")
    assert str(checks.means(...)).endswith("the check said: passed: my_means is right.")


def test_emphasised_words_are_bold_in_chinese_and_slanted_in_english():
    assert panel.inline("True 表示*可以关注*：`~`") == "True 表示<strong>可以关注</strong>：<code>~</code>"
    assert panel.inline("True means *may attend*.") == "True means <em>may attend</em>."


def test_the_first_cell_says_which_notebooks_need_weights(chinese, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(session, "DATA", tmp_path)
    session._tell_of_weights()
    assert "《真实的头》（90 MB）和《语言模型》（93 MB" in capsys.readouterr().out


def test_a_report_is_the_same_in_each_language_and_shown_in_one(chinese):
    import torch

    exercise = checks.means
    report = exercise.check(torch.tensor([2.0, 5.0]))
    text = str(report)
    assert report.mistake == "no-keepdim" and report.message.startswith("The numbers are right")
    assert "数对了，轴没了" in text and "The numbers" not in text
    assert "数对了" in report._html() and "my_means 的检查结果" in report._html()
    language.use("en")
    assert str(report).startswith("✗ The numbers are right, and the axis is gone")


def test_a_view_gets_the_words_of_its_scripts(chinese):
    predict = widgets.Predict("a", "Which?", "x", choices=["x", "y"])
    page = predict.to_html()
    assert json.dumps("提交")[1:-1] in page and "看谁" not in page and json.dumps("看谁")[1:-1] not in page
    assert "const courseWords" in predict._esm and "先猜一猜" in repr(predict)
    language.use("en")
    assert "courseWords = {" not in widgets.Predict("a", "Which?", "x", choices=["x", "y"])._esm


def test_a_quiz_is_asked_in_the_language(chinese):
    assert "在注意力权重的热力图里" in repr(quiz.view("start_here"))
    assert quiz.load("start_here")[0]["question"].startswith("In a heatmap")


def test_copies_in_two_languages_stand_beside_each_other(chinese, tmp_path, monkeypatch):
    language.use("en")
    copy_notebooks(PUBLISHED, tmp_path)
    mine = tmp_path / "00_start_here.ipynb"
    mine.write_text(mine.read_text("utf-8").replace("my_batch = ...", "my_batch = 1"), "utf-8")
    kept = mine.read_bytes()
    choose(tmp_path, "zh")
    copy_notebooks(PUBLISHED, tmp_path)
    assert mine.read_bytes() == kept
    folder = tmp_path / "zh_Hans"
    assert {path.name for path in folder.glob("*.ipynb")} == {path.name for path in tmp_path.glob("*.ipynb")}
    assert "从这里开始" in (folder / "00_start_here.ipynb").read_text("utf-8")
    (view,) = [cell for cell in nbformat.read(folder / "00_start_here.ipynb", 4).cells if "copied" in tags(cell)]
    (output,) = view.outputs
    assert ' alt="it 看得最多的是 robot (0.53)，' in output.data["text/html"]
    assert "<figcaption><em>这是交互图的图片。" in output.data["text/html"]
    monkeypatch.delenv("COURSE_PROGRESS", raising=False)
    monkeypatch.chdir(folder)
    assert progress.path() == tmp_path / progress.NAME


def test_the_language_of_the_copies_stays(chinese, tmp_path):
    copy_notebooks(PUBLISHED, tmp_path)
    choose(tmp_path)
    assert language.current() == "zh_Hans"
    choose(tmp_path / "new")
    assert language.current() == language.ENGLISH


@pytest.mark.parametrize(("system", "lines"), [("zh_CN.UTF-8", 1), ("en_US.UTF-8", 0), ("C", 0), ("xx_XX", 0)])
def test_who_has_the_system_in_a_language_of_the_course_is_told_of_it(monkeypatch, system, lines):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", system)
    assert invitation() == ["本课程也有中文版：`make lab LANGUAGE=zh`。"] * lines
    assert language.current() == language.ENGLISH


def test_who_has_the_course_in_the_language_of_the_system_is_told_nothing(chinese, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    assert invitation() == []
