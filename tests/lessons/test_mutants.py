"""Test that each mutant still fits the engine, so that `make mutants` can try it, and what probes note."""

import types

import probes
import pytest
from mutants import ROOT, mutants

MUTANTS = mutants()


def test_there_are_many_mutants_and_each_has_its_own_id_and_source():
    assert len(MUTANTS) >= 60
    assert len({mutant.id for mutant in MUTANTS}) == len({mutant.source for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.id for mutant in MUTANTS])
def test_a_mutant_changes_a_file_and_leaves_it_valid_python(mutant):
    assert mutant.source != (ROOT / mutant.file).read_text("utf-8")
    compile(mutant.source, mutant.file, "exec")


def constants(code):
    """Yield all constants of a code object and of those inside of it."""
    for constant in code.co_consts:
        yield from constants(constant) if isinstance(constant, types.CodeType) else [constant]


def test_each_mutant_has_a_probe():
    found = {constant for code in probes.codes(MUTANTS).values() for constant in constants(code)}
    assert {mutant.id for mutant in MUTANTS} <= found


@pytest.mark.parametrize(
    "plain, changed, is_noted",
    [
        (lambda: 1, lambda: 1, False),
        (lambda: 1, lambda: 2, True),
        (lambda: 1, lambda: True, True),
        (lambda: 1, lambda: 1 / 0, True),
        (None, None, True),
    ],
)
def test_a_probe_notes_a_mutant_that_gives_something_else_and_changes_nothing(plain, changed, is_noted):
    probes.SEEN.clear()
    assert probes.probe("id", plain, changed) == (plain and 1)
    assert probes.SEEN == ({"id"} if is_noted else set())


def test_a_probe_notes_a_mutant_of_what_raises_an_error():
    probes.SEEN.clear()
    with pytest.raises(ZeroDivisionError):
        probes.probe("id", lambda: 1 / 0, lambda: 1)
    assert probes.SEEN == {"id"}
