"""Try which mutants die: run the answers against the engine with one mistake in it at a time, and print who notices.

`make mutants` tries all of `mutants.py`; `python tests/lessons/run_mutants.py ID …` tries some. An answer notices a
mutant when a test of it would fail. There are four groups of answers: generated (the rows of the tables of mistakes,
and the right ways), and the filed ones: right, wrong and told in words, wrong and named.

Each mutant has a process of its own, in which those answers run that it may concern (see `probes.py`), up to the first
of each group that notices.
"""

import builtins
import contextlib
import functools
import importlib
import multiprocessing
import random
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

import probes
import torch  # noqa: F401  # processes take it over from this one
from mutants import ROOT, mutants

GROUPS = ("generated", "right", "in words", "named")


def put(codes: dict) -> None:
    """Let Python import the package anew, with other code for some of its files: a dict from a Path to an object."""
    plain = SourceFileLoader.get_code
    SourceFileLoader.get_code = lambda loader, name: codes.get(Path(loader.path)) or plain(loader, name)
    for name in [name for name in sys.modules if name.partition(".")[0] in ("course_utils", "answer_files")]:
        del sys.modules[name]


def trials(name: str) -> dict:
    """Return a dict from each answer to an exercise, (group, exercise, number), to a function that says if all is well.

    It takes nothing, and returns whether the test of the answer would pass.
    """
    answer_files = importlib.import_module("answer_files")
    exercise = getattr(answer_files.checks, name)
    ways = [form.answer(way) for form in exercise.forms for way in form.right_variants]
    made = [("generated", functools.partial(_passes, exercise, way)) for way in ways]
    made += [("generated", functools.partial(_is_named, exercise, mistake)) for mistake in exercise.bank]
    for answer in answer_files.read(answer_files.path_of(name)):
        in_words = "in words" if answer.finding.startswith("- ") else "named"
        group = "right" if answer.kind == "right" else in_words
        made.append((group, functools.partial(_is_as_recorded, answer_files, answer)))
    return {(group, name, number): function for number, (group, function) in enumerate(made)}


def _passes(exercise, answer) -> bool:
    return exercise.check(answer).status == "passed"


def _is_named(exercise, mistake) -> bool:
    report = exercise.check(mistake.answer)
    return mistake.id in report.named and mistake.words in report.message


def _is_as_recorded(answer_files, answer) -> bool:
    return answer_files.finding(answer, answer_files.check(answer)) == answer.finding


def concerned(chosen: list) -> dict:
    """Return a dict from each answer, as in `trials`, to the ids of the chosen mutants that may concern it, a set.

    What is computed once for an exercise, such as the solution's results, counts for all of its answers.
    """
    builtins.probe = probes.probe
    put(probes.codes(chosen))
    concerned = {}
    for name, exercise in importlib.import_module("course_utils.checks").all().items():
        probes.SEEN.clear()
        functions, _ = trials(name), (exercise.inputs, exercise.expected)
        shared = set(probes.SEEN)
        for key, function in functions.items():
            probes.SEEN.clear()
            with contextlib.redirect_stdout(None):
                function()
            concerned[key] = shared | probes.SEEN
    return concerned


def noticed(mutant, keys: list, most: int = 1) -> list:
    """Return which of the answers, as in `trials`, notice a mutant: the first ones of each group, at most `most`."""
    put({ROOT / mutant.file: compile(mutant.source, ROOT / mutant.file, "exec")})
    made, found = functools.cache(trials), []
    for key in keys:
        if [group for group, *_ in found].count(key[0]) == most:
            continue
        try:
            with contextlib.redirect_stdout(None):
                is_well = made(key[1])[key]()
        except Exception:
            is_well = False
        found += [] if is_well else [key]
    return found


def in_new_processes(function, parts):
    """Return an iterator over function(*part) for each of `parts`, each called in a process of its own."""
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        for part in parts:
            yield pool.apply(function, part)


def main(ids: list) -> None:
    """Try the mutants with these ids, or all; print which groups notice each, and how many each group notices."""
    made = {mutant.id: mutant for mutant in mutants()}
    if unknown := set(ids) - made.keys():
        sys.exit(f"There is no mutant {', '.join(sorted(unknown))}: tests/lessons/mutants.py has them.")
    chosen = [made[id] for id in ids or made]
    [answers] = in_new_processes(concerned, [(chosen,)])
    # The order mixes exercises: one that notices comes soon.
    keys = random.Random(0).sample(sorted(answers), len(answers))
    parts = ((mutant, [key for key in keys if mutant.id in answers[key]]) for mutant in chosen)
    counts = dict.fromkeys([*GROUPS, "none"], 0)
    for mutant, found in zip(chosen, in_new_processes(noticed, parts), strict=True):
        groups = {group for group, *_ in found}
        for group in groups or ["none"]:
            counts[group] += 1
        print(f"{mutant.id:32}", *(f"{group if group in groups else '-':10}" for group in GROUPS), flush=True)
    print(f"{len(chosen)} mutants. Noticed by", ", ".join(f"{group}: {count}" for group, count in counts.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
