"""Rules: checks of what a prompt forbids or demands. Each takes an answer and yields its findings as (id, message).

A rule inspects the compiled code, so it works for a class typed into a notebook as well as for a function. Its message
quotes the prompt, and the quoted words are kept as `rule.prompt`.
"""

from .sentences import sentence
from .source import has_loop, names


def forbids(*ready_made, prompt):
    """Return a rule, which yields ("ready-made", message) for an answer that calls or reads one of some names.

    A rule is a function of an answer. ready_made: the forbidden names. prompt: the words of the prompt that forbid
    them, which the message quotes.
    """

    def rule(answer):
        if used := [name for name in ready_made if name in names(answer)]:
            template = "Your code uses `{name}`. The prompt says “{prompt}”."
            yield "ready-made", sentence(template, name=used[0], prompt=prompt)

    rule.prompt = prompt
    return rule


def demands(*wanted, prompt):
    """Return a rule, which yields ("not-used", message) for an answer that calls and reads none of some names.

    A rule is a function of an answer. wanted: the names, the best known first. prompt: the words of the prompt that
    demand one, which the message quotes.
    """

    def rule(answer):
        if not set(wanted) & names(answer):
            template = "The numbers are right, and `{name}` is not used. The prompt says “{prompt}”."
            yield "not-used", sentence(template, name=wanted[0], prompt=prompt)

    rule.prompt = prompt
    return rule


def no_loop(exercise, answer):
    """Yield ("loop", hint) if an answer has a loop, which is right, too: the prompt only says *try* to do without.

    exercise: not used; a hint must take it. answer: the learner's function or class.
    """
    if has_loop(answer):
        template = "Your loop is right. The prompt says “{prompt}”: can one call do it for all at once?"
        yield "loop", sentence(template, prompt=no_loop.prompt)


no_loop.prompt = "Try it without a loop"
