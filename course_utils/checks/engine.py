"""Check one answer: run it, compare it with the solution, find what went wrong first, and report it.

The way of an answer, `checks.causal_mask(my_causal_mask)`:

1. The package finds the name in course.json and imports the exercise's file by name, when it is needed. This is its
   only import from the lessons.
2. This module runs the solution and then the answer on copies of the inputs: under a time limit (`running`), with the
   check's own settings (`settings`) and torch's own functions (`replaced`). What a call gives, tensors or an error, is
   an Outcome (`outcome`).
3. `faults` compares the two outcomes of each input; their first difference is its Fault.
4. `diagnosis` looks for the cause of a fault: a mistake of the table with the same outcomes, numbers typed in, two
   mistakes at once, an error that `errors` explains, a relation to the right numbers that `relations` finds. If there
   is none, the fault itself is the message.
5. Without a fault, the answer may still change settings or its inputs, fail a behaviour (`behaviours`) or break a rule
   of the prompt (`rules`). Otherwise it has passed, and there may be hints.
6. `record` keeps the Report in the learner's progress, `overview` shows all that is kept, `report` and `panel` show it.

Grading takes steps 1 to 5 in a sandbox (tools/grade_submission.py), without progress and panel. There,
tools/nb/magics.py parses the cells as IPython does, and tools/nb/slices.py finds the statements on which the answer
depends and those beside it. tools/grading/kernel.py runs both, as a kernel does. An error in a statement on which the
answer depends counts only if a name that the statement should have defined is missing in the end.
"""

import functools
import itertools

import torch

from . import errors, messages, outcome, running, settings, source
from .behaviours import repeats
from .diagnosis import diagnose
from .faults import error_sentence, fault
from .replaced import put_back
from .report import Report
from .sentences import as_code, sentence

OWN_SOLUTION = "course-solution"  # stands in the place of a mistake's id
_limited = functools.partial(running.run_limited, draws=False)  # inside of `settings.own()`


def on_the_solution(exercise, answer) -> Report | None:
    """Return the Report on an answer that is the very object `exercise.solution`; None for any other answer."""
    if answer is not exercise.solution:
        return None
    words = sentence(messages.COURSES_OWN, stub=exercise.stub)
    return Report(exercise.stub, "not attempted", words, OWN_SOLUTION, (OWN_SOLUTION,))


def check(exercise, answer) -> Report:
    """Check a learner's answer, of any type, to an Exercise; return the Report.

    Its errors become part of the Report. Errors of the check itself, and an interrupt of the kernel, propagate.
    """
    try:
        return _report(exercise, answer)
    except Exception as error:  # raised by a special method that the answer defines, such as __getattr__
        if not errors.in_code_of_the_learner(error):
            raise
        template = "The check cannot look at your answer. It stops with {error}"
        return _failed(exercise, sentence(template, error=errors.summary(error)))


def _report(exercise, answer) -> Report:
    answer = source.as_written(answer)
    not_attempted = Report(exercise.stub, "not attempted", sentence(messages.NOT_ATTEMPTED, stub=exercise.stub))
    if source.is_stub(answer) and not (answer is None and exercise.kind == "value"):
        return not_attempted
    if wrong_kind := source.wrong_kind(exercise, answer):
        return Report(exercise.stub, "failed", wrong_kind)
    replaced = put_back()
    with settings.own():
        cases, outcomes = exercise.cases(), []
        expected = exercise.expected  # computed first, so that the learner's code cannot affect it
        run = _limited(lambda: outcomes.extend(outcome.run(exercise, answer, case) for case in cases))
        if outcomes and all(_is_not_implemented(result.error, answer) for result in outcomes):
            return not_attempted
        faults = [fault(ours, theirs, exercise.outputs) for ours, theirs in zip(outcomes, expected, strict=False)]
        report = _first_finding(exercise, answer, cases, outcomes, faults, run)
    right = [*(fault is None for fault in faults), *[None] * len(cases)]  # None: the input was not reached
    report.tried = [(case.label, passed) for case, passed in zip(cases, right, strict=False) if case.asked]
    report.notes += messages.printed(run.printed)
    report.notes += [sentence(messages.REPLACED, names=as_code(replaced))] if replaced else []
    return report


def _first_finding(exercise, answer, cases, outcomes, faults, run) -> Report:
    """Return the Report on an answer that has run: failed, with the first finding, or passed.

    outcomes, faults: one for each of the cases, or fewer if time was up; a Fault is None where the answer is right.
    """
    if names := source.leaks(answer):
        return _failed(exercise, exercise.on_leaks(names), "global-leak")
    if run.timed_out:
        return _failed(exercise, messages.timed_out(run.timed_out, run.printed))
    input_changed = _input_changed(exercise, cases)
    asked = [index for index, case in enumerate(cases) if case.asked]
    is_wrong, changes = any(faults[index] for index in asked), None
    if run.changed_settings:
        changes = _failed(exercise, sentence(messages.CHANGED_SETTINGS, names=", ".join(run.changed_settings)))
    if is_wrong:
        if finding := _first_of(exercise, answer, [repeats]):
            return changes or _failed(exercise, *finding)  # a changed setting changes the second call
        parts = ([part[index] for index in asked] for part in (cases, outcomes, faults))
        return diagnose(exercise, answer, *parts, source.namespace(answer), input_changed)
    if changes or input_changed:
        return changes or input_changed
    if finding := _first_of(exercise, answer, [*exercise.behaviours, repeats]):
        return _failed(exercise, *finding)
    for mistake, message in itertools.chain.from_iterable(rule(answer) for rule in exercise.rules):
        return _failed(exercise, message, mistake)
    return _passed(exercise, answer, cases, faults)


def _is_not_implemented(error, answer) -> bool:
    return error is not None and error.is_a(NotImplementedError) and errors.on_purpose(error, source.namespace(answer))


def _passed(exercise, answer, cases, faults) -> Report:
    """Return the Report on a right answer; faults on inputs that no prompt asks for become hints."""
    findings, wrong = [], [(case.label, fault.words) for case, fault in zip(cases, faults, strict=True) if fault]
    _limited(lambda: findings.extend(_findings(exercise, answer, exercise.hints)))
    words, inputs = sentence(messages.PASSED, stub=exercise.stub), sum(case.asked for case in cases)
    if inputs > 1:
        words = sentence(messages.PASSED_ON, stub=exercise.stub, inputs=inputs)
    report = Report(exercise.stub, "passed", words)
    report.hints = [("unasked", sentence(messages.UNASKED, label=label, words=words)) for label, words in wrong]
    report.hints += [(mistake, message) for message, mistake in findings if mistake]
    return report


def _failed(exercise, message: str, mistake: str | None = None) -> Report:
    return Report(exercise.stub, "failed", message, mistake, (mistake,) if mistake else ())


def _first_of(exercise, answer, behaviours) -> tuple | None:
    """Return the first (message, mistake id) that behaviours find in time, or None; an error or a timeout has no id."""
    findings = []
    run = _limited(lambda: findings.extend(_findings(exercise, answer, behaviours)))
    if run.timed_out:
        return messages.timed_out(run.timed_out, run.printed), None
    return findings[0] if findings else None


def _findings(exercise, answer, behaviours):
    """Yield (message, mistake id) for each mistake that behaviours find; an error of the answer has no id."""
    for behaviour in behaviours:
        try:
            yield from ((message, mistake) for mistake, message in behaviour(exercise, answer))
        except outcome.Refused as refused:
            yield refused.message, None
        except BaseException as error:
            namespace = source.namespace(answer)
            error = errors.catch(error, namespace)
            raised = errors.explain(error, namespace) or error_sentence(error)
            yield sentence(messages.SECOND_LOOK, raised=raised), None


def _input_changed(exercise, cases) -> Report | None:
    """Return the failed Report on the first tensor argument that the answer has changed; None if there is none."""
    for before, after in zip(exercise.inputs, cases, strict=True):
        for index, (old, new) in enumerate(zip(before.args, after.args, strict=True)):
            if torch.is_tensor(old) and not (_kind(old) == _kind(new) and torch.equal(old, new)):
                words = sentence(messages.CHANGED_AN_INPUT, look=messages.LOOK)
                if name := exercise.argument(index):
                    words = sentence(messages.CHANGED_INPUT, name=name, look=messages.LOOK)
                return _failed(exercise, words, "input-changed")
    return None


def _kind(tensor):
    return type(tensor) is torch.Tensor and (tensor.dtype, tensor.layout, tensor.shape)
