"""Test AttentionLab without a browser: controls, answers to moves, error messages, what an exported page stores."""

import json
import re

import numpy as np
import pytest
import torch
import traitlets

from course_utils.widgets import AttentionLab
from course_utils.widgets.lab.controls import Control

TOKENS = ["the", "cat", "sat"]


def attend(temperature=1.0, **settings):
    scores = torch.arange(18.0).reshape(2, 3, 3) / 10
    return torch.softmax(scores / temperature, dim=-1)


def move(lab, rev=1, **moved):
    """Send the lab a message as the page does, with all settings, some of them moved; return the lab's answer."""
    lab._on_message(lab, {"rev": rev, "settings": lab.answer["settings"] | moved}, [])
    return lab.answer


def weights(lab):
    return np.frombuffer(lab.weights, "f4").reshape(lab.answer["shape"])


@pytest.mark.parametrize(
    ("value", "kind", "start"),
    [(True, "checkbox", True), ("hello", "text", "hello"), ([1, 2, 4], "choice", 1), ((0, 4), "slider", 0),
     ((0.1, 5.0, 1.0), "slider", 1.0), ((0.0, 0.9), "slider", 0.0), (["a", None], "choice", "a")],
)  # fmt: skip
def test_a_control_follows_from_its_value(value, kind, start):
    control = Control.of("x", value)
    assert control.kind == kind
    assert control.value(control.start) == start


def test_whole_numbers_step_by_one_and_others_by_about_a_hundredth():
    assert Control.of("padding", (0, 4)).values == [0, 1, 2, 3, 4]
    values = Control.of("temperature", (0.1, 5.0, 1.0)).values
    assert values[:3] == [0.1, 0.15, 0.2] and values[-1] == 5.0 and 1.0 in values
    for low, high in [(0.0, 0.9), (1e-6, 3e-6), (-2.0, 1e5), (0.123, 0.456)]:
        values = Control.of("x", (low, high)).values
        assert (values[0], values[-1]) == (low, high) and 50 < len(values) < 200
        assert values == sorted(set(values))
    assert 1.23456 in Control.of("x", (0.0, 2.0, 1.23456)).values
    assert len(Control.of("seed", (0, 10**9)).values) <= 1002


@pytest.mark.parametrize(
    "value", [3, 1.5, None, [], (1,), (2, 1), (0, 4, 9), (0.0, "a"), (0, float("inf")), (False, True)]
)
def test_a_wrong_control_is_refused_in_words(value):
    with pytest.raises(ValueError, match=r"^x=.*\(low, high, start\)"):
        AttentionLab(attend, TOKENS, x=value)


def test_a_move_recomputes_with_the_values_of_the_controls():
    asked = []
    lab = AttentionLab(
        lambda **settings: asked.append(settings) or attend(), TOKENS, t=(0.0, 1.0), n=[1, 2], on=True, text="a"
    )
    assert asked == [{"t": 0.0, "n": 1, "on": True, "text": "a"}]
    answer = move(lab, 7, t=100, n=1, on=False, text="b")
    assert asked[1:] == [{"t": 1.0, "n": 2, "on": False, "text": "b"}] and lab.settings == asked[1]
    assert answer["rev"] == 7 and answer["error"] == "" and answer["shape"] == [1, 2, 3, 3]
    assert np.array_equal(weights(lab)[0], attend().numpy())


def test_an_answer_is_one_message_with_one_buffer(monkeypatch):
    lab, sent = AttentionLab(attend, TOKENS, temperature=(0.1, 5.0, 1.0)), []
    monkeypatch.setattr(lab, "_send", lambda content, buffers=None: sent.append((content, buffers)))
    move(lab, temperature=0)
    ((content, buffers),) = sent
    assert set(content["state"]) == {"answer"} and [len(buffer) for buffer in buffers] == [4 * 2 * 3 * 3]
    json.dumps(content)
    assert lab.answer["high"] == max(1, weights(lab).max())


def words(text, head=None, query=None):
    """Return weights of two heads and the words of a text; `head` and `query` let a test give controls these names."""
    size = len(text.split())
    return torch.eye(size).repeat(2, 1, 1), text.split()


def test_head_and_query_can_be_set_and_read_beside_controls_of_the_same_names():
    lab = AttentionLab(words, [], text="a b c", head=(0, 4, 3), query=True)
    text = repr(lab)
    assert (lab.head, lab.query) == (0, 0) and lab.settings["head"] == 3
    lab.head, lab.query = 1, 2
    assert (lab.head, lab.query) == (1, 2) and lab.settings["head"] == 3
    assert repr(lab) == text
    stored = json.loads(re.search(r"const state = (\{.*?\}), packed", lab.to_html())[1])
    assert (stored["head"], stored["query"]) == (1, 2)


def test_a_choice_that_does_not_exist_becomes_the_last_and_a_negative_one_is_refused(monkeypatch):
    lab = AttentionLab(lambda kind: words("a b c") if kind == "fine" else raising(kind), [], kind="word")
    lab.head, lab.query = 9, 9
    assert (lab.head, lab.query) == (9, 9)  # it waits for weights, since the function has failed
    move(lab, kind="fine")
    assert (lab.head, lab.query) == (1, 2)
    lab.head, lab.query = 9, 9
    assert (lab.head, lab.query) == (1, 2)
    for name in ("head", "query"):
        with pytest.raises(traitlets.TraitError, match=f"'{name}' .* less than 0, but a value of -1"):
            setattr(lab, name, -1)
    assert (lab.head, lab.query) == (1, 2)
    sent = []
    monkeypatch.setattr(lab, "_send", lambda content, buffers=None: sent.append(content["state"]))
    lab.set_state({"query": 4})  # as the browser sends what was chosen in the old picture
    assert lab.query == 2 and sent[-1]["query"] == 2


def test_with_fewer_tokens_the_query_is_clamped_in_the_same_message(monkeypatch):
    lab, sent = AttentionLab(words, [], text="a b c d e"), []
    lab.head, lab.query = 1, 4
    monkeypatch.setattr(lab, "_send", lambda content, buffers=None: sent.append(content["state"]))
    move(lab, text="a b")
    assert (lab.head, lab.query) == (1, 1)
    (state,) = sent
    assert state["query"] == 1 and state["answer"]["shape"] == [1, 2, 2, 2] and "head" not in state
    move(lab, text="a b c d e")
    assert lab.query == 4  # back at its word


@pytest.mark.parametrize(
    ("texts", "query"),
    [
        (["the trophy did not fit because it was big", "it fits"], 0),
        (["", "T", "The", "The cat saw it"], 3),  # while typing, the word disappears and comes back
        (["the man", "the hill"], 1),  # the word does not come back, so the place stays
    ],
)
def test_when_the_sentence_changes_the_query_stays_at_its_word(texts, query):
    lab = AttentionLab(words, [], text="the robot fell because it was weak")
    lab.query = 4
    for text in texts:
        move(lab, text=text)
    assert lab.query == query


def test_of_two_equal_words_the_query_stays_at_the_second():
    lab = AttentionLab(words, [], text="the robot on the hill")
    lab.query = 3
    move(lab, text="so the robot saw the old hill")
    assert lab.query == 4
    move(lab, text="so the robot fell")
    assert lab.query == 1
    lab.query = 2
    move(lab, text="a robot and the hill")
    assert lab.query == 1  # "robot", the word chosen last


def test_two_axes_are_one_head_tokens_may_come_with_the_weights_and_nan_and_inf_can_be_sent():
    lab = AttentionLab(lambda text: (np.eye(len(text.split())), text.split()), TOKENS, text="a b")
    assert lab.answer["shape"] == [1, 1, 2, 2] and lab.answer["tokens"] == ["a", "b"]
    move(lab, text="x y z")
    assert lab.answer["shape"] == [1, 1, 3, 3] and lab.answer["tokens"] == ["x", "y", "z"]
    lab = AttentionLab(lambda: torch.tensor([[torch.nan, torch.inf], [0.5, 0.0]]), ["a", "b"])
    assert lab.answer["high"] == 1.0 and lab.answer["error"] == ""
    assert AttentionLab(lambda: torch.zeros(3, 3), TOKENS).answer["high"] > 0


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (None, "let it end with `return attn_weights`"),
        ("weights", "must be a tensor, or numbers in rows of one length, got str"),
        (
            (torch.rand(3, 4), torch.rand(3, 3)),
            r"tuple of Tensor and Tensor\. Of \(context_vecs, attn_weights\), return",
        ),
        (torch.rand(2, 2, 3, 3), r"got shape \(2, 2, 3, 3\)\. Of a batch, return one"),
        (torch.rand(3), r"got shape \(3,\)"),
        (torch.rand(2, 4, 4), r"shape \(2, 4, 4\) for 3 tokens.*return \(weights, tokens\)"),
        (torch.rand(0, 3, 3), "are empty"),
        ((torch.rand(3, 3), None), "the tokens that attend returned must be a list of labels.*got None"),
        (torch.tensor([[0.0, 1, 2], [-3, 0, 1], [1, 1, 1]]), r"row 1 \(\w+\), key 0 is -3. Give what softmax returns"),
        (torch.full((3, 3), -torch.inf), "what attend returns must be shares.* is -inf"),
    ],
)
def test_what_is_no_weights_is_said_in_the_view(result, words):
    lab = AttentionLab(lambda: result, TOKENS)
    assert re.search(words, lab.answer["error"]) and re.search(words, repr(lab), re.DOTALL)
    assert lab.answer["shape"] == [] and lab.picture()[1:] == (640, 40)


def raising(kind):
    raise {
        "word": ValueError("too <b>hot</b>"),
        "stop": KeyboardInterrupt(),
        "exit": SystemExit(),
        "key": KeyError("x"),
    }[kind]


@pytest.mark.parametrize(("kind", "said"), [("word", "ValueError: too <b>hot</b>"), ("stop", "KeyboardInterrupt"),
                                            ("exit", "SystemExit"), ("key", "KeyError: 'x'")])  # fmt: skip
def test_an_exception_is_shown_the_picture_stays_and_the_next_move_recovers(kind, said):
    lab = AttentionLab(lambda kind: attend() if kind == "fine" else raising(kind), TOKENS, kind="fine")
    before = lab.weights
    answer = move(lab, 2, kind=kind)
    assert answer["error"] == said and answer["rev"] == 2
    assert lab.weights == before and answer["shape"] == [1, 2, 3, 3] and lab.settings == {"kind": kind}
    assert move(lab, 3, kind="fine")["error"] == ""


def test_prints_and_warnings_are_shown_and_cut_short(capsys):
    def loud(times):
        print("hi \ud800" * times)
        return attend()

    lab = AttentionLab(loud, TOKENS, times=(1, 1000))
    assert lab.answer["prints"] == "hi \ufffd\n"
    assert len(move(lab, times=999)["prints"]) < 1100 and "more characters" in lab.answer["prints"]
    assert capsys.readouterr().out == ""


def test_the_text_tells_the_settings_and_entropies_and_a_page_stores_the_finest_steps_at_most_64():
    text = "AttentionLab: 2 heads, 3 queries x 3 keys; temperature=1.0; causal=False; entropy per head: 1.10 1.10"
    assert repr(AttentionLab(attend, TOKENS, temperature=(0.1, 5.0, 1.0), causal=False)) == text
    kept, combinations = AttentionLab(attend, TOKENS, temperature=(0.1, 5.0, 1.0), on=True, n=[1, 2, 4])._plan()
    assert [len(control.settings) for control in kept] == [9, 2, 3] and len(combinations) == 54
    assert tuple(control.start for control in kept) in combinations
    kept, combinations = AttentionLab(attend, TOKENS, a=(0.0, 1.0, 0.37), b=(0, 100, 1), c=(0, 2), text="a")._plan()
    assert [len(control.settings) for control in kept] == [4, 4, 3, 1] and len(combinations) == 48
    assert 0.37 in kept[0].values and kept[1].values == [1, 33, 67, 100]


def test_an_exported_page_stores_errors_and_prints_and_leaves_the_lab_as_it_was():
    def fragile(padding):
        print("padding", padding)
        return raising("word") if padding == 2 else attend(1.0 + padding)

    lab = AttentionLab(fragile, TOKENS, padding=(0, 2))
    before, draw = (lab.answer, lab.weights), torch.get_rng_state()
    page = lab.to_html()
    frames = json.loads(re.search(r"for \(const frame of (\[.*?\])\) frames", page)[1])
    assert [frame["settings"] for frame in frames] == [{"padding": 0}, {"padding": 1}, {"padding": 2}]
    assert [frame["error"] for frame in frames] == ["", "", "ValueError: too <b>hot</b>".replace("</", "</")]
    assert [frame["shape"] for frame in frames] == [[1, 2, 3, 3], [1, 2, 3, 3], []]
    assert [frame["prints"] for frame in frames] == ["padding 0\n", "padding 1\n", "padding 2\n"]
    assert (lab.answer, lab.weights) == before and torch.equal(torch.get_rng_state(), draw)
