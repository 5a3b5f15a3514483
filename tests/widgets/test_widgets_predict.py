"""Test Predict without a browser: what it refuses, what it hides until the commit, and what it stores."""

import base64
import json

import numpy as np
import pytest
import torch

from course_utils.widgets import Predict

ROW = torch.tensor([0.5, 0.25, 0.25])
PAST = torch.ones(3, 3).tril().bool()
WORDS = ["a", "cold", "wind"]
MADE = {
    "choice": lambda: Predict("who", "Who wins?", "cold", choices=WORDS),
    "bars": lambda: Predict("row", "Draw the row.", ROW, bars=WORDS),
    "cells": lambda: Predict("past", "Which are open?", PAST, rows=WORDS),
}
TRUTHS = {"choice": 1, "bars": [0.5, 0.25, 0.25], "cells": PAST.tolist()}
GUESSES = {"choice": 2, "bars": [0.0, 0.5, 0.5], "cells": (~PAST).tolist()}
OFF = {"choice": 1, "bars": 0.5, "cells": 9}


@pytest.fixture
def work(tmp_path, monkeypatch):
    """Change to a learner's folder with a notebook, with progress on; return the path of its progress.json."""
    monkeypatch.delenv("COURSE_PROGRESS")  # set to off for all tests
    (tmp_path / "01_mine.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "progress.json"


def test_the_text_tells_the_question_a_row_may_be_as_long_as_a_phrase_and_a_choice_as_a_sentence():
    assert [repr(make()) for make in MADE.values()] == [
        "Predict: Who wins? (a / cold / wind)",
        "Predict: Draw the row. (a bar each: a cold wind)",
        "Predict: Which are open? (3 x 3 cells to mark)",
    ]
    phrase, sentence = "ALiBi, slope 1/8, one before", "the one that was trained with places: " * 5
    assert Predict("rows", "?", [[True]], rows=[phrase], columns=["more"]).labels == [phrase]
    assert Predict("choices", "?", phrase, choices=[phrase, sentence]).labels == [phrase, sentence]
    endless = Predict("rows", "?", PAST[:1, :1], rows=["w" * 99]).labels
    assert endless == ["w" * 39 + "…"]


@pytest.mark.parametrize(("truth", "place"), [(3, 0), (torch.tensor(5), 1), (np.int64(7), 2), ("7", 2)])
def test_a_choice_is_compared_as_it_is_written(truth, place):
    view = Predict("how-many", "How many?", truth, choices=[3, 5, 7])
    view.guess = 0
    assert view.result["truth"] == place


@pytest.mark.parametrize("form", MADE)
def test_the_truth_stays_in_the_kernel_until_the_commit_and_a_page_carries_it_encoded(form, tmp_path, monkeypatch):
    """Two views that differ only in the truth send, store and print the same until a guess is committed."""
    view = MADE[form]()
    other = {
        "choice": lambda: Predict("who", "Who wins?", "wind", choices=WORDS),
        "bars": lambda: Predict("row", "Draw the row.", ROW.flip(0), bars=WORDS),
        "cells": lambda: Predict("past", "Which are open?", ~PAST, rows=WORDS),
    }[form]()
    hidden = ("layout", "_esm", "_css", "tooltip", "tabbable")
    states = [{name: value for name, value in one.get_state().items() if name not in hidden} for one in (view, other)]
    assert states[0] == states[1] and repr(view) == repr(other)
    assert view._repr_mimebundle_()[0]["text/html"] == other._repr_mimebundle_()[0]["text/html"]
    monkeypatch.chdir(tmp_path)
    view.guess = GUESSES[form]
    assert view.result == {"truth": TRUTHS[form], "note": ""}
    assert not list(tmp_path.iterdir())  # nothing is kept in tests and published notebooks
    page = view.to_html()
    encoded = base64.b64encode(json.dumps(TRUTHS[form]).encode()).decode()
    assert f'const hidden = "{encoded}"' in page and f'alt="{repr(view)}"' in page


@pytest.mark.parametrize("form", MADE)
def test_a_commit_is_kept_beside_the_progress_and_shown_again_on_the_same_truth(form, work):
    work.write_text('{"passed": ["scores"]}')
    view = MADE[form]()
    assert json.loads(work.read_text()) == {"passed": ["scores"]}  # without a guess nothing is stored
    view.guess = GUESSES[form]
    view.guess = TRUTHS[form]  # a second guess does not count
    made = {"guess": GUESSES[form], "truth": TRUTHS[form], "off": OFF[form]}
    assert json.loads(work.read_text()) == {"passed": ["scores"], "predictions": {view.name: made}}
    stored = work.read_bytes()
    again = MADE[form]()
    assert (again.guess, again.result) == (GUESSES[form], {"truth": TRUTHS[form], "note": ""})
    assert work.read_bytes() == stored
    other = Predict(again.name, "Who wins?", "a", choices=WORDS)
    assert other.guess is None and other.result == {}


@pytest.mark.parametrize("guess", [None, "a", 7, -1, True, [0.5], [["x"] * 3] * 3, {}])
@pytest.mark.parametrize("form", MADE)
def test_a_guess_that_does_not_fit_is_not_shown(form, guess, work):
    name = MADE[form]().name
    work.write_text(json.dumps({"predictions": {name: {"guess": guess, "truth": TRUTHS[form], "off": OFF[form]}}}))
    assert MADE[form]().guess is None


def test_a_file_that_cannot_be_written_is_said_and_stops_nothing(work):
    work.mkdir()
    view, sent = MADE["choice"](), []
    view.observe(lambda change: sent.append(change.new), "result")
    view.guess = 1
    assert sent == [view.result] and view.result["truth"] == 1
    assert view.result["note"].startswith("It could not be kept in progress.json: ")
