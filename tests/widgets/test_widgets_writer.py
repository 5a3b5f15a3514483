"""Test Writer without a browser: what it refuses, writes, stores and says. tests/browser tests it in a browser."""

import json

import numpy as np
import pytest
from made_up_writer import WORDS, MadeUp, made_up_weights

from course_utils.widgets import Writer

TEXT = "the robot could"


class Message(dict):
    """What a view sends to the browser, by `rev`; it takes the place of the view's `send`."""

    def __call__(self, content, buffers):
        self[content["rev"]] = content, *buffers


def asked(view, rev, branch, after, temperature=0.0):
    """Send the view the browser's request for one token, and return its answer and its bytes."""
    view.send = sent = Message()
    view._on_message(view, {"rev": rev, "branch": branch, "after": after, "temperature": temperature}, [])
    return sent[rev]


def test_it_writes_keeps_where_the_heads_looked_and_says_it():
    view = Writer(MadeUp(), TEXT, num_new=3)
    assert [step["token"] for step in view._written.path(0)] == [" not", " climb", " hill"]
    for place in range(3):
        for head in range(6):
            np.testing.assert_allclose(
                view._written.row(0, place, head), made_up_weights(3 + place)[head // 3, head % 3], atol=2e-3
            )
    view.head = 4
    assert repr(view) == (
        "Writer: 3 tokens given, 3 written, 6 heads; ' the robot could not climb hill'; hill had a share of 0.46, "
        "rank 1, at temperature 0. Layer 1, head 1 looked most at the (0.87), then at robot (0.12) and could (0.02)."
    )
    view.token = 1
    assert view.alt().endswith("robot was given, not written.")


def test_candidates_have_the_shares_from_which_a_token_was_drawn_and_a_seed_draws_the_same():
    view = Writer(MadeUp(), TEXT, num_new=1, temperature=3.0, top_k=4)
    step = view._written.path(0)[0]
    logits = next(MadeUp().write([1, 2, 3], 1)).logits
    kept, ids = logits.topk(4)
    assert sorted(share for _, share in step["candidates"][:4]) == pytest.approx(
        sorted((kept / 3).softmax(-1).tolist()), abs=1e-4
    )
    assert {name.strip() for name, _ in step["candidates"][:4]} == {WORDS[i] for i in ids}
    texts = [Writer(MadeUp(), TEXT, num_new=9, temperature=2.0, seed=seed).alt() for seed in (0, 0, 1)]
    assert texts[0] == texts[1] != texts[2]


def test_another_branch_is_written_and_the_first_is_kept():
    view = Writer(MadeUp(), TEXT, num_new=4)
    before = [step["id"] for step in view._written.path(0)]
    answer, row = asked(view, 1, 0, 2, 2.0)
    assert (answer["branch"], answer["parent"], answer["start"]) == (1, 0, 2) and len(row) == 6 * 5
    assert asked(view, 2, 1, 3, 2.0)[0]["branch"] == 1
    assert [step["id"] for step in view._written.path(0)] == before
    assert [step["id"] for step in view._written.path(1)][:2] == before[:2] and len(view._written.path(1)) == 4
    assert len(view.branches) == 1
    view._on_message(view, {"rest": True}, [])
    assert len(view.branches) == 2 and view.weights == view._written.weights


def test_it_stops_at_the_most_tokens_and_where_the_model_ends_and_goes_on_after_an_error():
    note = "1 tokens are written: the view stops here."
    assert asked(Writer(MadeUp(), TEXT, most=1), 1, 0, 1)[0] == {"rev": 1, "note": note}
    assert asked(Writer(MadeUp(end=4), TEXT), 1, 0, 1)[0] == {"rev": 1, "note": "The model has ended its text here."}
    view = Writer(MadeUp(), TEXT)
    assert asked(view, 1, 0, 1, -1.0)[0] == {"rev": 1, "error": "ValueError: <b>-1.0</b> is below 0"}
    assert asked(view, 2, 0, 1)[0]["step"]["token"] == " climb"


def test_a_recording_is_small_is_shown_without_a_model_and_written_on_with_one():
    first = Writer(MadeUp(), TEXT, num_new=3, heads=[(0, 1), (1, 2)])
    recorded = json.loads(json.dumps(first.recording()))
    alone = Writer(None, recorded=recorded)
    assert repr(alone) == repr(first) and not alone.live
    again = Writer(MadeUp(), recorded=recorded)
    again.write(1)
    assert [step["token"] for step in again._written.path(0)] == [" not", " climb", " hill", " because"]
    assert len(recorded["branches"][0]["steps"]) == 3  # the recording itself is left alone
    """24 heads, 10 tokens and 40 new ones: with six such views a page keeps within 0.4 MB."""
    pairs = [(layer, head) for layer in range(2) for head in range(3)] * 4
    view = Writer(MadeUp(), " ".join(["the"] * 10), num_new=40, heads=pairs)
    assert len(view.to_shared_html()) - len(view._stand_in()) < 66_000
