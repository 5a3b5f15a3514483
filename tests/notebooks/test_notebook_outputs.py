"""Test how stored outputs are compared: rounding on another processor matches, the output of a mistake does not."""

import re

import pytest
from nb.files import PUBLISHED
from nb.format import read_notebook
from nb.outputs import difference, differences
from nbformat.v4 import new_output

SHARES = """tensor([[0.1667, 0.3333, 0.5000],
        [0.2667, 0.3333, 0.4000]]) tensor([1., 1.])"""
MASK = """tensor([[1., 0., 0.],
        [1., 1., 0.],
        [1., 1., 1.]])"""
WEIGHTS = """tensor([[0.2098, 0.2006, 0.1981, 0.1242, 0.1220, 0.1452],
        [0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581]])"""
UP_BY_ONE = re.sub(r"0\.\d+", lambda number: f"{float(number[0]) + 1e-4:.4f}", WEIGHTS)
PAIR = "<p style='margin:.4em'>weights <b>0.25</b> and <b>0.75</b></p>"


MATCHES = [
    ("tensor(0.0000)", "tensor(-0.0000)"),
    ("[ 6., 15.]", "[6.0000, 14.9999]"),
    ("1.2e-05", "1.3e-05"),
    ("1.0e-05", "9.9e-06"),
    ("0.5%\n", " .6%"),
    (MASK, MASK.replace("1.", "1.0000").replace("0.,", "0.0000,")),
    (SHARES, " ".join(SHARES.split())),
    (PAIR, PAIR.replace("0.25", "0.26")),
    ("seen <svg width='3.5'><path d='M 1.5 2'/></svg>", "seen <svg width='9'></svg>"),
    ("<img src='data:image/png;base64,iVBOR0.5'>", "<img src='data:image/png;base64,AAAA'>"),
    ('<img alt="most on it (0.53)" width="9">', '<img alt="most on it (0.54)" width="9">'),
    ("[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8] [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]",
     "[0.2, 0.3, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8] [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]"),
]  # fmt: skip


@pytest.mark.parametrize("old, now", MATCHES)
def test_what_matches(old, now):
    assert difference(old, old) == difference(old, now) == difference(now, old) == ""


CAUGHT = {
    "two units": (WEIGHTS, WEIGHTS.replace("0.2098", "0.2100"), "0.2098 is now 0.2100, 2 units"),
    "two units of a mantissa": ("1.2e-05", "1.4e-05", "2 units"),
    "another word for the ear": ('<img alt="on it">', '<img alt="on the">', "'it'"),
    "another exponent": ("1.2e-05", "1.2e-06", "units"),
    "a flipped sign": (WEIGHTS, WEIGHTS.replace("0.1082", "-0.1082"), "0.1082 is now -0.1082, 2164 units"),
    "a number more": (WEIGHTS, WEIGHTS.replace("0.1082", "0.1082, 0.1082"), "stored is ']'"),
    "a number fewer": (WEIGHTS, WEIGHTS.replace("0.1082, ", ""), "printed was ']'"),
    "a last number fewer": ("0.5 0.6", "0.5", "printed was nothing more"),
    "another shape": (WEIGHTS, WEIGHTS.replace("]]", "]").replace("[[", "["), "stored is '['"),
    "another shape, in words": ("torch.Size([2, 3])", "torch.Size([3, 2])", "stored is '2'"),
    "nan": (WEIGHTS, WEIGHTS.replace("0.1082", "nan"), "printed was 'nan'"),
    "inf": ("[-inf, 0.5]", "[inf, 0.5]", "stored is '-'"),
    "nan for inf": ("[inf, 0.5]", "[nan, 0.5]", "stored is 'inf'"),
    "another word": ("it → robot 0.53", "it → hill 0.53", "stored is 'robot'"),
    "two words in one": ("no leak", "noleak", "stored is 'no'"),
    "True": ("no_leak True", "no_leak False", "stored is 'True'"),
    "one cell of a mask": (MASK, MASK.replace("1., 0., 0.", "1., 1., 0."), "0. is now 1., 10000 units"),
    "a whole number by one": ("14 of 15 rows", "13 of 15 rows", "stored is '14'"),
    "whole numbers cut elsewhere": ("12 3", "1 23", "stored is '12'"),
    "a whole number for a decimal one": ("4.0", "4", "stored is '4.0'"),
    "a negative whole number": ("-4", "4", "stored is '-'"),
    "every number by one unit": (WEIGHTS, UP_BY_ONE, "12 of 12 numbers differ in the last digit, 1 may"),
    "too many by one unit": ("0.5 0.6 0.7", "0.6 0.5 0.7", "2 of 3 numbers differ in the last digit, 1 may"),
    "other digits": ("head 3.1", "head 3.10", "3.1 is now 3.10, with 2 digits for 1"),
    "a version": ("torch 2.13.0", "torch 2.13.1", "stored is '0'"),
    "a number in a word": ("x0.5", "x0.6", "stored is '5'"),
    "a number with a measure": ("0.5em", "0.6em", "stored is '5em'"),
    "a style": (PAIR, PAIR.replace(".4em", ".5em"), "stored is \"<p style='margin:.4em'>\""),
    "another tag": (PAIR, PAIR.replace("b>", "i>"), "stored is '<b>'"),
    "a picture fewer": ("a <svg></svg>", "a", "printed was nothing more"),
    "JSON": ({"a": 0.5}, {"a": 0.6}, "stored is \"{'a': 0.5}\""),
}  # fmt: skip


@pytest.mark.parametrize("old, now, words", CAUGHT.values(), ids=CAUGHT)
def test_what_is_caught_and_how_it_is_said(old, now, words):
    assert words in difference(old, now)
    assert difference(now, old)


def test_every_stored_output_matches_itself_and_is_caught_if_all_its_numbers_move():
    moved = 0
    for page in sorted(PUBLISHED.glob("*.ipynb")):
        for cell in read_notebook(page).cells:
            assert differences(cell.get("outputs", []), cell.get("outputs", [])) == []
            for output in cell.get("outputs", []):
                text = output.get("text") or output.data.get("text/plain", "")
                two = re.sub(r"(?<=\d\.\d{3})\d\b", lambda digit: str((int(digit[0]) + 2) % 10), text)
                if two != text:
                    assert "units of its last digit" in difference(text, two)
                    moved += 1
    assert moved > 50  # the notebooks print at least that many tensors


def stream(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def shown(**data):
    return new_output("display_data", {f"text/{kind}": text for kind, text in data.items()})


def test_outputs_are_compared_kind_by_kind():
    old = [stream("a 0.5\n"), shown(plain="b", html="<i>0.5</i>"), stream("c")]
    assert differences(old, [stream("a 0.6\nc"), shown(plain="b", html="<i>0.4</i>")]) == []
    assert differences(old, [shown(plain="b", html="<i>0.4</i>")]) == ["stdout: outputs stored: 1, printed: 0."]
    assert differences(old[1:2], [*old[1:2], shown(plain="b")]) == ["text/plain: outputs stored: 1, printed: 2."]
    (line,) = differences(old, [stream("a 0.5\nc"), shown(plain="b", html="<i>0.7</i>")])
    assert line == "text/html: 0.5 is now 0.7, 2 units of its last digit away, 1 may be."
    (line,) = differences([stream("a", "stderr")], [stream("b", "stderr")])
    assert line.startswith("stderr: stored is 'a'")


def test_errors_are_compared_and_pictures_are_not():
    def error(words):
        return new_output("error", ename="ValueError", evalue=words, traceback=[words])

    assert differences([error("got 0.5")], [error("got 0.6")]) == []
    assert differences([error("got 0.5")], [error("needs 0.5")])
    picture = new_output("display_data", {"image/png": "iVBORw0KGgo="})
    assert differences([picture], [new_output("display_data", {"image/png": "AAAA"})]) == []
