"""Test the claims: each one's sentence stands in its notebook cell, and a claim that fails is reported."""

from concurrent.futures import ThreadPoolExecutor

import claims
import pytest
import torch
from nb.files import find_notebooks
from nb.rules.claims import read_claims, sentences_stand
from nb.rules.model import Notebook

from course_utils import lessons

CLAIM = """from claiming import claims_of

claim = claims_of("causal_masking")

@claim({cell!r}, {sentence!r}, over="5 seeds")
def tried():
    return True, "all"
"""


@pytest.fixture(scope="module")
def pages():
    return [Notebook.read(path) for path in find_notebooks([])]


def test_each_sentence_stands_where_its_claim_says(pages):
    assert list(sentences_stand(pages)) == []


def test_all_are_read_off_their_files():
    found = [(one.topic, one.cell, one.sentence) for one in claims.load()]
    assert sorted(found) == sorted(read_claims()) and len(set(found)) == len(found)


def test_each_notebook_has_some(pages):
    assert {topic for topic, *_ in read_claims()} == {page.path.stem[3:] for page in pages}


@pytest.mark.parametrize("change, words", [({"cell": "gone"}, "which is gone"), ({"sentence": "never"}, "stands here")])
def test_a_sentence_that_is_gone_is_seen(pages, change, words, tmp_path, monkeypatch):
    (page,) = [page for page in pages if page.path.stem[3:] == "causal_masking"]
    there = {"cell": page.cells[0].id, "sentence": "Causal masking"}
    for claim, problems in ((there, 0), (there | change, 1)):
        (tmp_path / "causal_masking").mkdir(exist_ok=True)
        (tmp_path / "causal_masking" / "claims.py").write_text(CLAIM.format(**claim))
        monkeypatch.setattr(sentences_stand.__globals__["read_claims"], "__defaults__", (tmp_path,))
        found = list(sentences_stand([page]))
        assert len(found) == problems and all(words in message for *_, message in found)


@pytest.mark.parametrize("holds", [True, False])
def test_what_was_found_stands_beside_what_the_page_says(holds, capsys, monkeypatch):
    one = claims.load()[0]._replace(attempt=lambda: (holds, "seven of eight"))
    monkeypatch.setattr(claims, "load", lambda: [one])
    monkeypatch.setattr(claims, "ProcessPool", ThreadPoolExecutor)
    monkeypatch.setattr("sys.argv", ["claims.py"])
    with pytest.raises(SystemExit) as ended:
        claims.main()
    told = capsys.readouterr().out
    assert one.sentence in told and "seven of eight" in told and ("FAILS" in told) is not holds
    assert bool(ended.value.code) is not holds


@pytest.fixture
def claiming():
    claims.load()
    import claiming

    return claiming


@pytest.mark.parametrize(
    "pairs, apart, holds",
    [
        ([(0.9, 0.2), (0.8, 0.3)], 0.4, True),
        ([(0.2, 0.9), (0.3, 0.8)], -0.4, True),
        ([(0.2, 0.9), (0.3, 0.8)], 0.4, False),  # the other way round
        ([(0.9, 0.2), (0.8, 0.7)], 0.4, False),  # one run in which the cause does little
        ([(0.9, 0.2), (0.9, 0.2)], 0.4, False),  # the seeds give one run
        ([], 0.4, False),
    ],
)
def test_a_cause_makes_a_difference_in_each_run(pairs, apart, holds, claiming):
    found = claiming.with_and_without(lambda: pairs, apart)()
    assert found[0] is holds
    assert all(f"{number:.3g}" in found[1] for pair in pairs for number in pair)


@pytest.mark.parametrize("third, holds", [(0.2, True), (0.7, False)])
def test_a_rival_in_the_place_of_the_cause_lacks_the_effect(third, holds, claiming):
    runs = [(0.9, 0.2, 0.1), (0.8, 0.3, third)]
    found = claiming.with_and_without(lambda: runs, 0.4, "another head")()
    assert found[0] is holds and f"with another head 0.1 {third}" in found[1]
    with pytest.raises(ValueError, match="gave 2 numbers: yield 3, with it, without it, with another head"):
        claiming.with_and_without(lambda: [(0.9, 0.2)], 0.4, "another head")()


def test_a_sentence_that_names_a_cause_needs_its_control_and_an_effect(claiming):
    with pytest.raises(ValueError, match="names a cause"):
        claiming.claims_of("dropout")("cell", "It is so because of dropout.", over="5 seeds")
    with pytest.raises(ValueError, match="has a rival"):
        claiming.claims_of("dropout")("cell", "Dropout helps.", over="5 seeds", rival="noise")
    with pytest.raises(ValueError, match="apart=0"):
        claiming.with_and_without(lambda: [(1, 1)], 0)


@pytest.mark.parametrize("page, replaced", [("torch.manual_seed(0)", True), ("torch.rand(1)", False)])
def test_a_page_that_sets_the_seed_again_is_found(page, replaced, claiming):
    attempt = """
def attempt():
    for seed in (1, 2):
        torch.manual_seed(seed)
        exec(compile(page, "some-cell", "exec"), {"torch": torch})
    return True, ""
"""
    names = {"torch": torch, "page": page}
    exec(compile(attempt, str(lessons.FOLDER / "dropout" / "claims.py"), "exec"), names)  # as if it stood there
    watched = claiming.seeds_kept(names["attempt"])
    holds, found = watched()
    assert holds is not replaced and ("seed 1 is replaced by the page's own, 0" in found) is replaced
    assert torch.manual_seed.__module__ == "torch.random"
